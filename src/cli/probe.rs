//! `probe`: asks MCP servers for their tools. The one verb that starts servers and opens connections, because it is told to.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::engine::selection::nearest::nearest;
use crate::engine::server::drift::Drift;
use crate::engine::server::probe::{Listing, Probe, ProbeState};
use crate::engine::server::{self, Server};
use crate::engine::text::{visible, visible_json};
use crate::sources::mcp::{self, Limits, Target, store};
use crate::sources::open::Opened;

use super::Outcome;
use super::args::ProbeArgs;
use super::context::{self, Context};
use super::error::CliError;
use super::figure::grouped;
use super::printer::{Printer, Tone};
use super::table::{Lean, Table};

#[derive(Serialize)]
struct ProbeJson {
    schema: &'static str,
    servers: Vec<ServerJson>,
}

#[derive(Serialize)]
struct ServerJson {
    server: String,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    software: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    protocol: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<Vec<ToolJson>>,
    notes: Vec<String>,
    noise_lines: u64,
    stderr_tail: Vec<String>,
    drift: Drift,
}

#[derive(Serialize)]
struct ToolJson {
    tool: String,
    /// Whether the config's filter lets Hermes register it.
    admitted: bool,
    /// The object as sent; characters nobody sees are spelled as escapes of the same text. Null where it is nested so
    /// deeply that common readers of JSON would refuse our whole answer; Hermes refuses such a list too.
    definition: Option<Box<RawValue>>,
}

/// Readers of JSON give up at 128 levels, of which our answer takes some itself.
const MAX_PRINTED_DEPTH: usize = 120;

/// One server's outcome with what it is compared to.
struct Told {
    probe: Probe,
    drift: Drift,
    settings: Option<Server>,
}

pub(super) fn run(args: &ProbeArgs, context: &Context, printer: &mut Printer) -> Result<Outcome, CliError> {
    let opened = context.open(printer)?;
    let targets = wanted(args, &opened)?;
    if targets.is_empty() {
        printer.note("no MCP server is on in this config; name one to ask it anyway");
    }
    let told = ask(args, context, &opened, targets, printer)?;
    let failed = told.iter().any(|told| told.probe.state.listing().is_none());
    let drifted = told.iter().any(|told| !told.drift.is_empty());
    if printer.is_json() {
        printer.document(&ProbeJson {
            schema: "hermes-tools/probe@1",
            servers: told.iter().map(|told| json(told, &opened)).collect::<Result<_, _>>()?,
        })?;
    } else {
        show(args, &told, &opened, printer)?;
    }
    Ok(match (failed, drifted && args.check) {
        (true, _) => Outcome::Failed,
        (false, true) => Outcome::Found,
        (false, false) => Outcome::Done,
    })
}

/// The named servers, else every one that is on.
fn wanted(args: &ProbeArgs, opened: &Opened) -> Result<Vec<Target>, CliError> {
    let config = opened.config_value();
    let servers = server::servers(&config, opened.catalog.catalog.rules());
    let known = || servers.iter().map(|server| server.name.as_str());
    for name in &args.server {
        if known().any(|known| known == name) {
            continue;
        }
        let shown = visible(name);
        let error = CliError::usage(format!("there is no MCP server '{shown}' in this config"));
        return Err(match nearest(name, known()) {
            Some(near) => error.hint(format!("did you mean '{}'?", visible(&near))),
            None => error,
        });
    }
    let named: BTreeSet<&str> = args.server.iter().map(String::as_str).collect();
    // A malformed entry is asked too: its row says what is wrong with it.
    let counts = |server: &Server| server.enabled || server.malformed.is_some();
    let enabled = |name: &str| servers.iter().any(|server| server.name.as_str() == name && counts(server));
    Ok(mcp::targets(&config, |name| if named.is_empty() { enabled(name) } else { named.contains(name) }))
}

fn ask(
    args: &ProbeArgs,
    context: &Context,
    opened: &Opened,
    targets: Vec<Target>,
    printer: &mut Printer,
) -> Result<Vec<Told>, CliError> {
    let order: Vec<_> = targets.iter().map(|target| (target.server.clone(), target.identity())).collect();
    let rules = opened.catalog.catalog.rules();
    let variables = context.variables.clone().with_home(&opened.home.path);
    let limits = Limits { at_once: args.jobs, patience: args.timeout.map(Duration::from_secs) };
    let config = opened.config_value();
    let settings = server::servers(&config, rules);
    let (cache, home) = (&context.open.cache_dir, &opened.home.path);
    let mut told: Vec<Told> = Vec::new();
    let mut unkept = None;
    context::runtime()?.block_on(mcp::probe_all(targets, &variables, rules, limits, context.open.now_s, |probe| {
        if context.verbose {
            printer.note(&format!("{}: {}", visible(probe.server.as_str()), state(&probe)));
        }
        let settings = settings.iter().find(|server| server.name == probe.server).cloned();
        let mut drift = Drift::default();
        if let Some(listing) = probe.state.listing() {
            let before = store::load(cache, home, probe.server.as_str());
            let before = before.as_ref().map(|kept| kept.listing.tools.as_slice());
            drift = Drift::between(before, &listing.tools, settings.as_ref(), rules);
            let identity = order.iter().find(|(server, _)| *server == probe.server);
            let identity = identity.map(|(_, identity)| identity.clone()).unwrap_or_default();
            let kept = store::Kept { server: probe.server.clone(), identity, listing: listing.clone() };
            unkept = store::keep(cache, home, &kept).err().or(unkept.take());
        }
        told.push(Told { probe, drift, settings });
    }));
    if let Some(error) = unkept {
        printer.note(&format!("what was told cannot be kept for other verbs: {}", visible(&error.to_string())));
    }
    let place = |told: &Told| order.iter().position(|(server, _)| *server == told.probe.server);
    told.sort_by_key(place);
    Ok(told)
}

fn json(told: &Told, opened: &Opened) -> Result<ServerJson, CliError> {
    let rules = opened.catalog.catalog.rules();
    let probe = &told.probe;
    let listing = probe.state.listing();
    let tools = listing.map(|listing| {
        let tool = |tool: &crate::engine::server::told::ToldTool| {
            let printed = tool.depth() <= MAX_PRINTED_DEPTH;
            let definition = printed.then(|| RawValue::from_string(visible_json(&tool.text).into_owned())).transpose();
            let admitted = told.settings.as_ref().is_none_or(|server| server.tools.admits(rules, &tool.name));
            definition.map(|definition| ToolJson { tool: visible(&tool.name).into_owned(), admitted, definition })
        };
        listing.tools.iter().map(tool).collect::<Result<Vec<_>, _>>()
    });
    let tools =
        tools.transpose().map_err(|error| CliError::failed(format!("a definition cannot be printed: {error}")))?;
    Ok(ServerJson {
        server: visible(probe.server.as_str()).into_owned(),
        state: probe.state.as_str(),
        reason: reason(&probe.state).map(str::to_owned),
        ms: probe.took_ms,
        software: listing.and_then(|listing| listing.software.clone()),
        protocol: listing.and_then(|listing| listing.protocol.clone()),
        pages: listing.map(|listing| listing.pages),
        tools,
        notes: listing.map(|listing| listing.notes.clone()).unwrap_or_default(),
        noise_lines: probe.noise_lines,
        stderr_tail: probe.said.clone(),
        drift: told.drift.clone(),
    })
}

fn reason(state: &ProbeState) -> Option<&str> {
    match state {
        ProbeState::Failed { why } | ProbeState::NeedsLogin { why } => Some(why),
        ProbeState::Ready(_) | ProbeState::Cancelled => None,
    }
}

fn state(probe: &Probe) -> String {
    match &probe.state {
        ProbeState::Ready(listing) => format!("ready, {} tools", grouped(listing.tools.len() as u64)),
        ProbeState::Failed { why } => format!("failed: {why}"),
        ProbeState::NeedsLogin { why } => format!("needs login: {why}"),
        ProbeState::Cancelled => "cancelled".to_owned(),
    }
}

fn show(args: &ProbeArgs, told: &[Told], opened: &Opened, printer: &mut Printer) -> Result<(), CliError> {
    let mut table = Table::new(&[Lean::Left, Lean::Right, Lean::Left]);
    for Told { probe, .. } in told {
        #[expect(clippy::cast_precision_loss, reason = "a duration to one decimal")]
        let seconds = format!("{:.1} s", probe.took_ms as f64 / 1000.0);
        table.row(vec![visible(probe.server.as_str()).into_owned(), seconds, state(probe)]);
    }
    let rules = opened.catalog.catalog.rules();
    for (line, told) in table.lines().iter().zip(told) {
        let tone = if told.probe.state.listing().is_some() { Tone::Good } else { Tone::Bad };
        printer.line(&printer.paint(tone, line))?;
        let Some(listing) = told.probe.state.listing() else {
            for said in &told.probe.said {
                printer.line(&format!("    stderr: {}", printer.paint(Tone::Dim, said)))?;
            }
            continue;
        };
        for note in about(told, listing) {
            printer.line(&format!("    {}", printer.paint(Tone::Dim, &note)))?;
        }
        if args.tools {
            for tool in &listing.tools {
                let admitted = told.settings.as_ref().is_none_or(|server| server.tools.admits(rules, &tool.name));
                let mark = if admitted { "" } else { "  (filtered)" };
                printer.line(&format!("    {}{mark}", visible(&tool.name)))?;
            }
        }
    }
    Ok(())
}

fn about(told: &Told, listing: &Listing) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(software) = &listing.software {
        let protocol = listing.protocol.as_deref().map(|version| format!(", protocol {version}")).unwrap_or_default();
        let pages = if listing.pages > 1 { format!(", {} pages", grouped(listing.pages)) } else { String::new() };
        lines.push(format!("{software}{protocol}{pages}"));
    }
    let names = |names: &[String]| match names {
        [] => None,
        names if names.len() > 6 => Some(format!("{} and {} more", names[..6].join(", "), names.len() - 6)),
        names => Some(names.join(", ")),
    };
    let drift = [
        ("new since it was last asked", &told.drift.appeared),
        ("gone since it was last asked", &told.drift.vanished),
        ("told otherwise than last time", &told.drift.changed),
        ("the filter names in vain", &told.drift.dead_filters),
    ];
    lines.extend(drift.iter().filter_map(|(what, list)| Some(format!("{what}: {}", names(list)?))));
    if told.probe.noise_lines > 0 {
        lines.push(format!("{} lines on its stdout were no messages", grouped(told.probe.noise_lines)));
    }
    lines.extend(listing.notes.iter().cloned());
    lines
}
