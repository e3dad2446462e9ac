//! `lint`: what is odd about tools themselves.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::engine::assembly::Fate;
use crate::engine::catalog::{Catalog, Tool};
use crate::engine::lint::{self, Lint, Twins};
use crate::engine::meter::TokenCounts;
use crate::engine::provider::{Provider, Vendor};
use crate::engine::report::{self, Inputs, PlatformReport, Severity};
use crate::engine::selection::nearest::nearest;
use crate::engine::text::visible;
use crate::sources::mcp::store;
use crate::sources::open::Opened;

use super::Outcome;
use super::args::LintArgs;
use super::context::Context;
use super::error::CliError;
use super::figure::grouped;
use super::platforms;
use super::printer::{Printer, Tone};

#[derive(Serialize)]
struct LintJson {
    schema: &'static str,
    platform: String,
    provider: Vendor,
    looked_at: u64,
    warnings: u64,
    notes: u64,
    tools: Vec<ToolJson>,
    twins: Vec<Twins>,
}

#[derive(Serialize)]
struct ToolJson {
    tool: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<String>,
    /// What becomes of it on the platform; none where it is nothing to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    fate: Option<&'static str>,
    findings: Vec<Lint>,
}

pub(super) fn run(args: &LintArgs, context: &Context, printer: &mut Printer) -> Result<Outcome, CliError> {
    let opened = context.open(printer)?;
    let config = opened.config_value();
    let catalog = &opened.catalog.catalog;
    let platform = platforms::known(&args.platform, catalog, &config)?;
    let provider = args.provider.map_or_else(|| Provider::of(catalog.facts()), |name| Provider::by(name.into()));
    let report = report::platform(&Inputs {
        catalog,
        config: &config,
        platform: &platform,
        surface: context
            .open
            .surface
            .unwrap_or_else(|| crate::engine::catalog::Surface::of_platform(platform.as_str())),
        assembly: None,
        counts: &TokenCounts::default(),
        context_tokens: context.context_tokens.or(catalog.facts().context_tokens),
    });
    let fates = fates(&report);
    let tools = wanted(args, catalog, &fates)?;
    let told = told(context, &opened);
    let rows: Vec<ToolJson> = tools.iter().filter_map(|tool| row(tool, &told, provider, &fates)).collect();
    let count = |severity: fn(&Lint) -> bool| {
        rows.iter().flat_map(|row| &row.findings).filter(|lint| severity(lint)).count() as u64
    };
    let document = LintJson {
        schema: "hermes-tools/lint@1",
        platform: visible(platform.as_str()).into_owned(),
        provider: provider.vendor,
        looked_at: tools.len() as u64,
        warnings: count(|lint| lint.severity >= Severity::Warning),
        notes: count(|lint| lint.severity < Severity::Warning),
        twins: lint::twins(&tools),
        tools: rows,
    };
    if printer.is_json() {
        printer.document(&document)?;
    } else {
        show(&document, args, provider, printer)?;
    }
    Ok(if args.check && document.warnings > 0 { Outcome::Found } else { Outcome::Done })
}

/// What becomes of each tool that a row is about.
fn fates(report: &PlatformReport) -> HashMap<&str, Fate> {
    let toolsets = report.toolsets.iter().flat_map(|row| &row.tools);
    let servers = report.servers.iter().flat_map(|row| row.tools.iter());
    let mut fates = HashMap::new();
    for tool in toolsets.chain(servers) {
        let fate = fates.entry(tool.name.as_str()).or_insert(tool.fate);
        // Off in one row and sent by another.
        if tool.fate == Fate::Eager || tool.fate == Fate::Deferred {
            *fate = tool.fate;
        }
    }
    fates
}

/// The tools to look at, in catalog order.
fn wanted<'c>(args: &LintArgs, catalog: &'c Catalog, fates: &HashMap<&str, Fate>) -> Result<Vec<&'c Tool>, CliError> {
    let all = &catalog.document().tools;
    if args.all {
        return Ok(all.iter().collect());
    }
    if args.names.is_empty() {
        let reaches = |tool: &&Tool| matches!(fates.get(tool.name.as_str()), Some(Fate::Eager | Fate::Deferred));
        return Ok(all.iter().filter(reaches).collect());
    }
    let mut found: Vec<&Tool> = Vec::new();
    for name in &args.names {
        let mut matched = false;
        let members = catalog.toolset(name).map(|toolset| toolset.tools.as_slice()).unwrap_or_default();
        let (server, original) = name.split_once(':').unwrap_or((name, ""));
        let is = |tool: &Tool| {
            let of_server = tool.server.as_ref().is_some_and(|owner| owner.as_str() == server);
            tool.name.as_str() == name
                || members.contains(&tool.name)
                || of_server && (original.is_empty() || tool.original_name.as_deref() == Some(original))
        };
        for tool in all.iter().filter(|tool| is(tool)) {
            matched = true;
            if !found.iter().any(|known| std::ptr::eq(*known, tool)) {
                found.push(tool);
            }
        }
        if !matched {
            return Err(unknown(name, catalog));
        }
    }
    Ok(found)
}

fn unknown(name: &str, catalog: &Catalog) -> CliError {
    let document = catalog.document();
    let servers = document.tools.iter().filter_map(|tool| tool.server.as_ref()).map(|server| server.as_str());
    let toolsets = document.toolsets.iter().map(|toolset| toolset.key.as_str());
    let tools = document.tools.iter().map(|tool| tool.name.as_str());
    let near = nearest(name, servers.chain(toolsets).chain(tools));
    let error = CliError::failed(format!("no tool is known of a server, toolset or tool '{}'", visible(name)));
    match near {
        Some(near) => error.hint(format!("did you mean '{}'?", visible(&near))),
        None => error.hint("a server nobody has asked yet tells its tools to `hermes-tools probe`"),
    }
}

/// What servers told when they were asked, by server.
fn told(context: &Context, opened: &Opened) -> HashMap<String, store::Kept> {
    let kept = store::all(&context.open.cache_dir, &opened.home.path);
    kept.into_iter().map(|kept| (kept.server.to_string(), kept)).collect()
}

fn row(
    tool: &Tool,
    told: &HashMap<String, store::Kept>,
    provider: &Provider,
    fates: &HashMap<&str, Fate>,
) -> Option<ToolJson> {
    let kept = tool.server.as_ref().and_then(|server| told.get(server.as_str()));
    let raw = kept
        .zip(tool.original_name.as_deref())
        .and_then(|(kept, original)| kept.listing.tools.iter().find(|told| told.name == original));
    let findings = lint::tool(tool, raw, provider);
    (!findings.is_empty()).then(|| ToolJson {
        tool: visible(tool.name.as_str()).into_owned(),
        server: tool.server.as_ref().map(|server| visible(server.as_str()).into_owned()),
        fate: fates.get(tool.name.as_str()).map(|fate| fate.as_str()),
        findings,
    })
}

fn show(document: &LintJson, args: &LintArgs, provider: &Provider, printer: &mut Printer) -> Result<(), CliError> {
    let notes = args.notes || !args.names.is_empty();
    let shown = |lint: &&Lint| notes || lint.severity >= Severity::Warning;
    let mut owners: BTreeMap<&str, Vec<&ToolJson>> = BTreeMap::new();
    for row in document.tools.iter().filter(|row| row.findings.iter().any(|lint| shown(&lint))) {
        owners.entry(row.server.as_deref().unwrap_or("Hermes' own")).or_default().push(row);
    }
    for (owner, rows) in owners {
        printer.line(&printer.paint(Tone::Heading, owner))?;
        for row in rows {
            let fate = row.fate.map_or_else(String::new, |fate| format!("  ({fate})"));
            printer.line(&format!("  {}{fate}", row.tool))?;
            for lint in row.findings.iter().filter(shown) {
                let (word, tone) = match lint.severity {
                    Severity::Note => ("note", Tone::Dim),
                    Severity::Warning => ("warning", Tone::Bad),
                    Severity::Error => ("error", Tone::Bad),
                };
                let place = if lint.place.is_empty() { String::new() } else { format!(" at {}", lint.place) };
                printer.line(&format!("    {} {}{place}", printer.paint(tone, word), lint.rule.as_str()))?;
                printer.line(&format!("      {}", lint.text))?;
            }
        }
    }
    if !document.twins.is_empty() {
        printer.line(&printer.paint(Tone::Heading, "hard to tell apart"))?;
        for twins in &document.twins {
            printer.line(&format!("  {}", twins.tools.join(", ")))?;
            printer.line(&format!("    {}", twins.text))?;
        }
    }
    let counted = |count: u64, one: &str| format!("{} {one}{}", grouped(count), if count == 1 { "" } else { "s" });
    let mut said = format!(
        "{} looked at by the rules of {}: {}, {}",
        counted(document.looked_at, "tool"),
        provider.title,
        counted(document.warnings, "warning"),
        counted(document.notes, "note"),
    );
    if document.notes > 0 && !notes {
        said.push_str(" (--notes shows them)");
    }
    printer.note(&said);
    Ok(())
}
