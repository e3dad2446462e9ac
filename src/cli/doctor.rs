//! `doctor`: which Hermes was found and how, whether we resolve as it does, and what is odd about the config.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::engine::assembly::Assembly;
use crate::engine::catalog::Surface;
use crate::engine::ids::PlatformKey;
use crate::engine::report::{self, Finding, Severity};
use crate::engine::selection::{self, platforms_in_use};
use crate::engine::text::visible;
use crate::engine::value::Value;
use crate::sources::open::{self, Ask, CatalogSource, Live, Opened};
use crate::sources::sidecar::{AssembleRequest, Deadlines, Worker, WorkerError};

use super::Outcome;
use super::args::DoctorArgs;
use super::context::{self, Context};
use super::error::CliError;
use super::figure::{age, grouped};
use super::load::Figures;
use super::printer::{Printer, Tone};
use super::wait;

/// A platform where our set is not Hermes'.
#[derive(Debug, Serialize)]
struct Divergence {
    platform: String,
    /// On for Hermes, not for us.
    missing: Vec<String>,
    /// On for us, not for Hermes.
    surplus: Vec<String>,
}

/// A tool that we expect otherwise than Hermes sends it.
#[derive(Debug, Serialize)]
struct ArrayDivergence {
    platform: String,
    tool: String,
    /// Bytes on the wire by our own figures; none where we do not expect it in the array.
    ours: Option<u64>,
    /// The same as Hermes sends it.
    hermes: Option<u64>,
}

#[derive(Debug, Serialize)]
struct PlatformFindings {
    platform: String,
    findings: Vec<Finding>,
}

#[derive(Debug, Serialize)]
struct Timing {
    what: &'static str,
    ms: f64,
}

#[derive(Debug, Serialize)]
struct DoctorJson {
    schema: &'static str,
    home: String,
    home_exists: bool,
    profile: String,
    chosen: &'static str,
    profiles: Vec<String>,
    config: String,
    config_error: Option<String>,
    /// Why a save would be refused, if it would.
    read_only: Option<String>,
    interpreter: Option<String>,
    interpreter_error: Option<String>,
    worker_error: Option<String>,
    hermes_version: String,
    catalog_source: CatalogSource,
    catalog_age_s: Option<u64>,
    catalog_problems: Vec<String>,
    /// How many platforms were compared with Hermes' own answer; 0: it was not asked.
    platforms_compared: usize,
    divergences: Vec<Divergence>,
    /// Platforms in use whose array was compared with Hermes' own.
    arrays_compared: usize,
    array_divergences: Vec<ArrayDivergence>,
    findings: Vec<PlatformFindings>,
    notices: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    timings: Vec<Timing>,
}

/// Measures steps, when asked to.
struct Clock {
    timings: Vec<Timing>,
}

impl Clock {
    fn took(&mut self, what: &'static str, elapsed: Duration) {
        self.timings.push(Timing { what, ms: (elapsed.as_secs_f64() * 100_000.0).round() / 100.0 });
    }
}

pub(super) fn run(args: &DoctorArgs, context: &Context, printer: &mut Printer) -> Result<Outcome, CliError> {
    let mut clock = Clock { timings: Vec::new() };
    let start = Instant::now();
    open::open(&context.open)?;
    clock.took("open from disk", start.elapsed());
    let (live, resolved, arrays) = ask(context, &mut clock, printer)?;
    let opened = live.opened;
    let config = opened.config_value();
    let start = Instant::now();
    let divergences =
        resolved.iter().filter_map(|(platform, names)| diverges(&config, &opened, platform, names)).collect();
    let used = platforms_in_use(&opened.catalog.catalog, &config);
    let figures = Figures::count(context, &opened, None)?;
    let reports: Vec<_> = used.iter().map(|platform| figures.report(&config, platform, None)).collect();
    clock.took("resolve and report every platform in use", start.elapsed());
    let findings = reports.into_iter().filter(|report| !report.findings.is_empty()).map(|report| PlatformFindings {
        platform: visible(report.platform.as_str()).into_owned(),
        findings: report.findings,
    });
    let json = DoctorJson {
        schema: "hermes-tools/doctor@1",
        home: shown(&opened.home.path),
        home_exists: opened.home.exists,
        profile: visible(&opened.home.profile).into_owned(),
        chosen: opened.home.chosen.as_str(),
        profiles: opened.home.profiles.iter().map(|name| visible(name).into_owned()).collect(),
        config: shown(&opened.config.path),
        config_error: opened.config.document.as_ref().err().map(|error| visible(&error.to_string()).into_owned()),
        read_only: opened.home.managed.as_deref().map(|reason| visible(reason).into_owned()),
        interpreter: opened.interpreter.as_ref().ok().map(|found| shown(&found.python)),
        interpreter_error: opened.interpreter.as_ref().err().map(|error| visible(&error.to_string()).into_owned()),
        worker_error: live.failure.map(|error| visible(&error.to_string()).into_owned()),
        hermes_version: visible(&opened.catalog.catalog.document().hermes.version).into_owned(),
        catalog_source: opened.catalog.source,
        catalog_age_s: opened.catalog.age_s,
        catalog_problems: opened
            .catalog
            .catalog
            .document()
            .problems
            .iter()
            .map(|text| visible(text).into_owned())
            .collect(),
        platforms_compared: resolved.len(),
        divergences,
        arrays_compared: arrays.len(),
        array_divergences: arrays.iter().flat_map(|array| array_divergences(&figures, &config, array)).collect(),
        findings: findings.collect(),
        notices: opened.notices.clone(),
        timings: if args.timings { clock.timings } else { Vec::new() },
    };
    if printer.is_json() {
        printer.document(&json)?;
    } else {
        show(&json, printer)?;
    }
    Ok(if args.check && is_troubled(&json) { Outcome::Found } else { Outcome::Done })
}

type Resolved = Vec<(PlatformKey, Vec<String>)>;

/// Platforms in use are compared tool by tool; more than these would make a person wait.
const ARRAYS: usize = 6;

/// Opens, asks what exists and, for every platform, what is on.
fn ask(
    context: &Context,
    clock: &mut Clock,
    printer: &mut Printer,
) -> Result<(Live, Resolved, Vec<Assembly>), CliError> {
    let skip = context.open.sample || context.open.catalog_file.is_some();
    context::runtime()?.block_on(async {
        let start = Instant::now();
        let asked = open::open_live(&context.open, Ask::Always, Deadlines::default());
        let mut live = wait::saying(&context.open, printer, asked).await?;
        if !skip {
            clock.took("start Hermes' Python and ask what exists", start.elapsed());
        }
        let Some(worker) = live.worker.take() else { return Ok((live, Vec::new(), Vec::new())) };
        let start = Instant::now();
        let answer = resolve_all(&worker, &live.opened).await;
        clock.took("ask Hermes which toolsets are on, every platform", start.elapsed());
        let start = Instant::now();
        let arrays = arrays(context, &worker, &live.opened).await;
        clock.took("ask Hermes for the array of every platform in use", start.elapsed());
        worker.stop().await;
        match answer.and_then(|resolved| arrays.map(|arrays| (resolved, arrays))) {
            Ok((resolved, arrays)) => Ok((live, resolved, arrays)),
            Err(error) => {
                live.failure = Some(error);
                Ok((live, Vec::new(), Vec::new()))
            }
        }
    })
}

async fn resolve_all(worker: &Worker, opened: &Opened) -> Result<Resolved, crate::sources::sidecar::WorkerError> {
    let platforms: Vec<_> =
        opened.catalog.catalog.document().platforms.iter().map(|platform| platform.key.clone()).collect();
    Ok(worker.resolve(None, &platforms).await?.into_iter().collect())
}

async fn arrays(context: &Context, worker: &Worker, opened: &Opened) -> Result<Vec<Assembly>, WorkerError> {
    let mut arrays = Vec::new();
    for platform in platforms_in_use(&opened.catalog.catalog, &opened.config_value()).into_iter().take(ARRAYS) {
        let surface = context.open.surface.unwrap_or_else(|| Surface::of_platform(platform.as_str()));
        // What is available was asked for one surface alone; on another our figures are not comparable.
        if surface == opened.catalog.catalog.document().surface {
            let context_tokens = context.context_tokens;
            let request = AssembleRequest { config_text: None, platform, surface, context_tokens };
            arrays.push(worker.assemble(&request).await?.assembly);
        }
    }
    Ok(arrays)
}

/// Tools in the array of one of both only, or with another length, beside those whose words depend on other tools.
fn array_divergences(figures: &Figures<'_>, config: &Value, array: &Assembly) -> Vec<ArrayDivergence> {
    let inputs = figures.inputs(config, &array.platform, None);
    let ours = report::array(&inputs, &report::platform(&inputs));
    let bytes = |array: &Assembly| -> BTreeMap<String, u64> {
        let sent = array.tools.iter();
        sent.map(|tool| (tool.name.to_string(), tool.definition.text().len() as u64)).collect()
    };
    let (ours, hermes) = (bytes(&ours), bytes(array));
    let names: BTreeSet<&String> = ours.keys().chain(hermes.keys()).collect();
    let differs = names.into_iter().filter(|name| ours.get(*name) != hermes.get(*name));
    differs
        .map(|name| ArrayDivergence {
            platform: clean(array.platform.as_str()),
            tool: clean(name),
            ours: ours.get(name).copied(),
            hermes: hermes.get(name).copied(),
        })
        .collect()
}

fn diverges(config: &Value, opened: &Opened, platform: &PlatformKey, names: &[String]) -> Option<Divergence> {
    let selection = selection::select(config, &opened.catalog.catalog, platform);
    let ours = selection.enabled();
    let missing: Vec<_> = names.iter().filter(|name| !ours.contains(&name.as_str())).map(|name| clean(name)).collect();
    let surplus: Vec<_> =
        ours.iter().filter(|name| !names.iter().any(|theirs| theirs == *name)).map(|name| clean(name)).collect();
    let platform = clean(platform.as_str());
    (!missing.is_empty() || !surplus.is_empty()).then_some(Divergence { platform, missing, surplus })
}

fn clean(text: &str) -> String {
    visible(text).into_owned()
}

fn shown(path: &std::path::Path) -> String {
    visible(&path.display().to_string()).into_owned()
}

/// What `--check` answers with exit 4: trouble, not mere notes.
fn is_troubled(json: &DoctorJson) -> bool {
    let mut findings = json.findings.iter().flat_map(|platform| &platform.findings);
    json.config_error.is_some()
        || json.interpreter_error.is_some()
        || json.worker_error.is_some()
        || !json.divergences.is_empty()
        || findings.any(|finding| finding.severity > Severity::Note)
}

fn show(json: &DoctorJson, printer: &mut Printer) -> Result<(), CliError> {
    let missing = if json.home_exists { "" } else { ", which does not exist yet" };
    let home = match json.chosen {
        "sample" => "the embedded sample".to_owned(),
        chosen => format!("{} (by {chosen}){missing}", json.home),
    };
    printer.line(&format!("home      {home}"))?;
    printer.line(&format!("profile   {}, of {}", json.profile, json.profiles.join(", ")))?;
    let state = json.config_error.clone().or_else(|| json.read_only.clone());
    printer.line(&format!("config    {}{}", json.config, state.map_or_else(String::new, |why| format!("; {why}"))))?;
    let python = json.interpreter.as_deref().or(json.interpreter_error.as_deref()).unwrap_or("not found");
    printer.line(&format!("python    {python}"))?;
    let source = match (json.catalog_source, json.catalog_age_s) {
        (CatalogSource::Sample, _) => "the embedded sample".to_owned(),
        (CatalogSource::Live, _) => "asked now".to_owned(),
        (CatalogSource::Snapshot, seconds) => {
            seconds.map_or_else(|| "asked once".to_owned(), |s| format!("asked {}", age(s)))
        }
    };
    printer.line(&format!("hermes    {} ({source})", json.hermes_version))?;
    if let Some(error) = &json.worker_error {
        trouble(&format!("Hermes did not answer: {error}"), printer)?;
    }
    match (json.platforms_compared, json.divergences.len()) {
        (0, _) => printer.line("resolved  not compared: Hermes was not asked")?,
        (all, 0) => printer.line(&format!("resolved  as Hermes does on all {all} platforms"))?,
        (all, wrong) => trouble(&format!("resolved differently from Hermes on {wrong} of {all} platforms"), printer)?,
    }
    for divergence in &json.divergences {
        printer.line(&format!(
            "          {}: Hermes also has {}; only we have {}",
            divergence.platform,
            listed(&divergence.missing),
            listed(&divergence.surplus)
        ))?;
    }
    match (json.arrays_compared, json.array_divergences.len()) {
        (0, _) => {}
        (all, 0) => printer.line(&format!("arrays    as Hermes builds them for {all} platforms in use"))?,
        (all, tools) => {
            printer.line(&format!("arrays    {tools} tools differ from Hermes' own, of {all} platforms in use"))?
        }
    }
    for tool in &json.array_divergences {
        let bytes =
            |bytes: Option<u64>| bytes.map_or_else(|| "not sent".to_owned(), |bytes| format!("{} B", grouped(bytes)));
        printer.line(&format!(
            "          {}: {}: {} by our figures, {} by Hermes",
            tool.platform,
            tool.tool,
            bytes(tool.ours),
            bytes(tool.hermes)
        ))?;
    }
    for problem in &json.catalog_problems {
        printer.line(&format!("problem   {problem}"))?;
    }
    for notice in &json.notices {
        printer.line(&format!("note      {notice}"))?;
    }
    for platform in &json.findings {
        for finding in &platform.findings {
            printer.line(&format!("finding   {}: {}: {}", platform.platform, finding.place, finding.text))?;
        }
    }
    for timing in &json.timings {
        printer.line(&format!("timing    {:>9.2} ms  {}", timing.ms, timing.what))?;
    }
    Ok(())
}

fn trouble(text: &str, printer: &mut Printer) -> Result<(), CliError> {
    let text = printer.paint(Tone::Bad, text);
    printer.line(&text)
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}
