//! A draft, offered: the plan, what it comes to, and the save. What every verb that changes `config.yaml` ends with.

use serde::Serialize;

use crate::app::derive::target_text;

use crate::engine::catalog::Catalog;
use crate::engine::draft::{Draft, Target};
use crate::engine::ids::PlatformKey;
use crate::engine::plan::{self, Op, Plan};
use crate::engine::report::PlatformReport;
use crate::engine::report::json::TotalsJson;
use crate::engine::text::visible;
use crate::engine::value::Value;
use crate::engine::yaml::{self, Document};
use crate::sources::config::{self, SaveContext, Saved};
use crate::sources::open::{CatalogSource, Opened};

use super::Outcome;
use super::context::Context;
use super::error::CliError;
use super::figure::{delta, figure};
use super::load::Figures;
use super::printer::{Printer, Tone};

/// How a draft is offered.
pub(super) struct Offer {
    /// Of the JSON document.
    pub schema: String,
    pub dry_run: bool,
    /// Those whose totals are shown.
    pub platforms: Vec<PlatformKey>,
    /// What the draft leaves out.
    pub failures: Vec<Failure>,
    /// What is said where nothing changes.
    pub idle: String,
}

/// What came of it.
pub(super) struct Offered {
    pub outcome: Outcome,
    /// Where something was written.
    pub saved: Option<Saved>,
    /// The config with the draft.
    pub after: Value,
}

/// A name that could not be switched.
#[derive(Debug, Serialize)]
pub(super) struct Failure {
    pub name: String,
    pub reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    #[serde(skip)]
    pub usage: bool,
}

impl Failure {
    pub(super) fn say(&self, printer: &mut Printer) {
        let hint = self.hint.as_deref().map_or_else(String::new, |hint| format!("; {hint}"));
        printer.note(&format!("{}: {}{hint}", self.name, self.reason));
    }
}

/// One edit, as values: what may be shown of them.
#[derive(Debug, Serialize)]
struct EditJson {
    path: String,
    before: serde_json::Value,
    after: serde_json::Value,
}

#[derive(Clone, Debug, Serialize)]
struct BeforeAfter {
    before: TotalsJson,
    after: TotalsJson,
}

#[derive(Debug, Serialize)]
struct PlatformChange {
    platform: String,
    #[serde(flatten)]
    totals: BeforeAfter,
}

#[derive(Debug, Serialize)]
struct SwitchJson {
    schema: String,
    dry_run: bool,
    saved: bool,
    path: String,
    plan: Vec<EditJson>,
    consequences: Vec<String>,
    diff: String,
    /// Of the first platform; `platforms` has all.
    totals: Option<BeforeAfter>,
    platforms: Vec<PlatformChange>,
    verdicts: Vec<serde_json::Value>,
    failures: Vec<Failure>,
}

/// What a plan comes to.
struct Change {
    plan: Plan,
    after: Value,
    /// For people: what holds no names of ours is masked on both sides.
    diff: String,
}

impl Offer {
    /// Plans, shows and, unless it is a dry run, saves.
    pub(super) fn make(
        self,
        draft: &Draft,
        opened: &Opened,
        context: &Context,
        printer: &mut Printer,
    ) -> Result<Offered, CliError> {
        let document = document(opened)?;
        let change = change(document, &opened.catalog.catalog, draft)?;
        let figures = Figures::count(context, opened, None)?;
        let reports: Vec<_> = self
            .platforms
            .iter()
            .map(|platform| {
                (figures.report(document.value(), platform, None), figures.report(&change.after, platform, None))
            })
            .collect();
        let outcome = if self.failures.is_empty() { Outcome::Done } else { Outcome::Failed };
        let saves = !self.dry_run && !change.plan.ops.is_empty();
        let saved = if saves { Some(save(opened, &change.plan.ops, context, printer)?) } else { None };
        if printer.is_json() {
            printer.document(&self.json(saves, opened, document.value(), &change, &reports))?;
            return Ok(Offered { outcome, saved, after: change.after });
        }
        show(&self, draft, &change, &reports, printer)?;
        if saves {
            let path = visible(&opened.config.path.display().to_string()).into_owned();
            printer.line(&format!("saved {path}; `hermes-tools undo` takes it back"))?;
        }
        for failure in &self.failures {
            failure.say(printer);
        }
        Ok(Offered { outcome, saved, after: change.after })
    }

    fn json(
        self,
        saved: bool,
        opened: &Opened,
        config: &Value,
        change: &Change,
        reports: &[(PlatformReport, PlatformReport)],
    ) -> SwitchJson {
        let platforms: Vec<PlatformChange> = reports
            .iter()
            .map(|(before, after)| PlatformChange {
                platform: visible(before.platform.as_str()).into_owned(),
                totals: BeforeAfter { before: (&before.totals).into(), after: (&after.totals).into() },
            })
            .collect();
        SwitchJson {
            schema: self.schema,
            dry_run: self.dry_run,
            saved,
            path: visible(&opened.config.path.display().to_string()).into_owned(),
            plan: change.plan.ops.iter().map(|op| edit(op, config, &change.after)).collect(),
            consequences: change.plan.consequences.iter().map(|text| visible(text).into_owned()).collect(),
            diff: visible_lines(&change.diff),
            totals: platforms.first().map(|platform| platform.totals.clone()),
            platforms,
            verdicts: Vec::new(),
            failures: self.failures,
        }
    }
}

/// The value at an edit's place before and after.
fn edit(op: &Op, before: &Value, after: &Value) -> EditJson {
    let path: Vec<&str> = op.path().iter().map(String::as_str).collect();
    let at = |config: &Value| {
        config.at(&path).map_or(serde_json::Value::Null, |value| to_json(&yaml::masked_value(op.path(), value)))
    };
    EditJson { path: visible(&path.join(".")).into_owned(), before: at(before), after: at(after) }
}

/// The value in JSON's own kinds; text is sanitised. JSON has no dates and no infinities: they are text.
fn to_json(value: &Value) -> serde_json::Value {
    let text = || visible(&value.py_str()).into_owned().into();
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(flag) => (*flag).into(),
        Value::Int(number) | Value::Float(number) => serde_json::from_str(number).unwrap_or_else(|_| text()),
        Value::Seq(items) => items.iter().map(to_json).collect(),
        Value::Map(entries) => {
            let entries = entries.iter().map(|(key, value)| (visible(&key.py_str()).into_owned(), to_json(value)));
            serde_json::Value::Object(entries.collect())
        }
        Value::Str(_) | Value::Time(_) => text(),
    }
}

fn visible_lines(text: &str) -> String {
    text.lines().map(|line| format!("{}\n", visible(line))).collect()
}

/// The config to edit, or why it is left alone.
pub(super) fn document(opened: &Opened) -> Result<&Document, CliError> {
    let path = opened.config.path.display();
    let document = opened.config.document.as_ref().map_err(|error| {
        CliError::refused(format!("{path}:{}:{}: {}", error.place.line, error.place.column, error.message))
            .hint("repair that line first: until then Hermes ignores the whole file")
    })?;
    let value = document.value();
    if value.as_map().is_none() && !value.is_null() {
        return Err(CliError::refused(format!("{path} is {} where settings by name are expected", value.kind()))
            .hint("make it a mapping first: until then Hermes uses its defaults"));
    }
    Ok(document)
}

fn change(document: &Document, catalog: &Catalog, draft: &Draft) -> Result<Change, CliError> {
    let plan = plan::plan(document.value(), catalog, draft)
        .map_err(|refusal| CliError::failed(refusal.reason).hint(refusal.instead))?;
    let text = document.edit(&plan.ops).map_err(|refused| {
        CliError::refused(format!("the file cannot be edited safely: {refused}")).hint("make this change by hand")
    })?;
    let diff = yaml::diff(&yaml::masked(document.text()), &yaml::masked(&text));
    Ok(Change { after: plan::apply(document.value(), &plan.ops), plan, diff })
}

fn save(opened: &Opened, ops: &[Op], context: &Context, printer: &mut Printer) -> Result<Saved, CliError> {
    if opened.catalog.source == CatalogSource::Sample && opened.home.managed.is_none() {
        return Err(CliError::refused("the sample's rules are not those of this Hermes, so nothing is written"));
    }
    let save = SaveContext { managed: opened.home.managed.as_deref(), state_dir: &context.open.state_dir };
    let saved = config::save(&opened.config, ops, &save)?;
    if saved.reapplied {
        printer.note("someone else changed the file meanwhile; their change is kept, and this one was made on top");
    }
    Ok(saved)
}

fn show(
    offer: &Offer,
    draft: &Draft,
    change: &Change,
    reports: &[(PlatformReport, PlatformReport)],
    printer: &mut Printer,
) -> Result<(), CliError> {
    if change.plan.ops.is_empty() {
        return printer.line(&offer.idle);
    }
    for (target, on) in draft.wishes() {
        let word = if on { printer.paint(Tone::Good, "on ") } else { printer.paint(Tone::Bad, "off") };
        printer.line(&format!("{word}  {}", label(target)))?;
    }
    for consequence in &change.plan.consequences {
        printer.line(&format!("     {}", visible(consequence)))?;
    }
    for (before, after) in reports {
        printer.line(&totals_line(before, after))?;
        let (was, is) = (before.disclosure.in_words(), after.disclosure.in_words());
        if was != is {
            printer.line(&format!("     {was} -> {is}"))?;
        }
    }
    if offer.dry_run {
        printer.line("")?;
        for line in change.diff.lines() {
            let line = visible(line);
            let tone = match line.as_bytes().first() {
                Some(b'+') => Some(Tone::Good),
                Some(b'-') => Some(Tone::Bad),
                _ => None,
            };
            let line = tone.map_or_else(|| line.to_string(), |tone| printer.paint(tone, &line));
            printer.line(&line)?;
        }
        printer.line("not saved: --dry-run")?;
    }
    Ok(())
}

fn label(target: &Target) -> String {
    match target {
        Target::Toolset(platform, key) => format!("{} on {}", visible(key.as_str()), visible(platform.as_str())),
        Target::ServerOn(platform, server) => {
            format!("server {} on {}", visible(server.as_str()), visible(platform.as_str()))
        }
        Target::Server(server) => format!("server {} everywhere", visible(server.as_str())),
        Target::ServerTool(server, tool) => format!("{}:{} everywhere", visible(server.as_str()), visible(tool)),
        Target::NoMcp(platform) => format!("no_mcp on {}", visible(platform.as_str())),
        setting @ Target::Setting(..) => visible(&target_text(setting, true)).into_owned(),
    }
}

fn totals_line(before: &PlatformReport, after: &PlatformReport) -> String {
    let (from, to) = (&before.totals, &after.totals);
    format!(
        "{}: {} -> {} tools, {} -> {} bytes ({}), {} -> {} tokens ({})",
        visible(before.platform.as_str()),
        figure(from.tools),
        figure(to.tools),
        figure(from.json_bytes),
        figure(to.json_bytes),
        delta(from.json_bytes, to.json_bytes),
        figure(from.tokens),
        figure(to.tokens),
        delta(from.tokens, to.tokens),
    )
}
