//! `list`: toolsets, servers and their tools on one platform: state, the rule that decided it, what each costs.

use crate::engine::assembly::Fate;
use crate::engine::meter::Figure;
use crate::engine::report::json::{HermesJson, ListJson};
use crate::engine::report::{Finding, Meter, PlatformReport, ServerRow, Severity, ToolRow, ToolsetRow};
use crate::engine::selection::Reason;
use crate::engine::text::visible;
use crate::sources::open::{CatalogSource, Opened};

use super::Outcome;
use super::args::ListArgs;
use super::context::Context;
use super::error::CliError;
use super::figure::{age, figure};
use super::load::Figures;
use super::platforms;
use super::printer::{Printer, Tone};
use super::table::{Lean, Table};

pub(super) fn run(args: &ListArgs, context: &Context, printer: &mut Printer) -> Result<Outcome, CliError> {
    let context = context.on_platform(&args.platform.as_str().into());
    let opened = context.open(printer)?;
    let config = opened.config_value();
    let platform = platforms::known(&args.platform, &opened.catalog.catalog, &config)?;
    let figures = Figures::count(&context, &opened, None)?;
    let report = figures.report(&config, &platform, None);
    if printer.is_json() {
        printer.document(&ListJson::new(&report, hermes(&opened), context.open.now_s))?;
    } else if args.plain {
        plain(&report, printer)?;
    } else {
        human(args, &report, &opened, printer)?;
    }
    Ok(Outcome::Done)
}

fn hermes(opened: &Opened) -> HermesJson {
    HermesJson {
        version: visible(&opened.catalog.catalog.document().hermes.version).into_owned(),
        home: visible(&opened.home.path.display().to_string()).into_owned(),
        profile: visible(&opened.home.profile).into_owned(),
        source: opened.catalog.source.as_str(),
        age_s: opened.catalog.age_s,
    }
}

/// One record a line, tab-separated: kind, state, name, tool, fate, why, schema bytes, wire bytes, tokens.
fn plain(report: &PlatformReport, printer: &mut Printer) -> Result<(), CliError> {
    let rows = report.toolsets.iter().chain(&report.bridge);
    for row in rows {
        let name = visible(row.key.as_str());
        record(printer, ["toolset", state(row.on), &name, "", "", &row.reason.to_string()], &row.meter)?;
        for tool in &row.tools {
            tool_record(printer, "toolset", row.on, &name, tool)?;
        }
    }
    for row in &report.servers {
        let name = visible(row.name.as_str());
        record(printer, ["server", state(row.on), &name, "", "", &row.reason.to_string()], &row.meter)?;
        for tool in row.tools.iter() {
            tool_record(printer, "server", row.on, &name, tool)?;
        }
    }
    Ok(())
}

fn tool_record(printer: &mut Printer, kind: &str, on: bool, owner: &str, tool: &ToolRow) -> Result<(), CliError> {
    let name = visible(tool.original_name.as_deref().unwrap_or(tool.name.as_str()));
    let why = tool.why.as_deref().map(visible).unwrap_or_default();
    record(printer, [kind, state(on), owner, &name, tool.fate.as_str(), &why], &tool.meter)
}

fn record(printer: &mut Printer, words: [&str; 6], meter: &Meter) -> Result<(), CliError> {
    let figures = [meter.schema_bytes, meter.wire_bytes, meter.tokens].map(plain_figure);
    printer.line(&format!("{}\t{}", words.join("\t"), figures.join("\t")))
}

/// Bare digits for other programs; the mark of an estimate stays.
fn plain_figure(figure: Figure) -> String {
    match figure {
        Figure::Exact(value) | Figure::Confirmed(value) => value.to_string(),
        Figure::Estimated(value) => format!("~{value}"),
        Figure::Unknown => "-".to_owned(),
    }
}

fn human(args: &ListArgs, report: &PlatformReport, opened: &Opened, printer: &mut Printer) -> Result<(), CliError> {
    heading(report, opened, printer)?;
    let mut table = Table::new(&[Lean::Left, Lean::Left, Lean::Right, Lean::Right, Lean::Right, Lean::Left]);
    let mut kinds = vec![RowKind::Title];
    table.row(["state", "toolset", "tools", "bytes", "tokens", "why"].map(str::to_owned).to_vec());
    for row in &report.toolsets {
        kinds.push(RowKind::of(row.on));
        let unknown = matches!(row.reason, Reason::PassedThrough { .. });
        let why = if row.on && row.sent == 0 && !unknown { silence(&row.tools) } else { row.reason.to_string() };
        table.row(toolset_cells(row, why));
        push_tools(args, &row.tools, &mut table, &mut kinds);
    }
    if let Some(bridge) = &report.bridge {
        kinds.push(RowKind::On);
        table.row(toolset_cells(bridge, "finds and calls the deferred tools".to_owned()));
    }
    if !report.servers.is_empty() {
        kinds.push(RowKind::Title);
        table.row(["", "server", "", "", "", ""].map(str::to_owned).to_vec());
        for row in &report.servers {
            kinds.push(RowKind::of(row.on));
            table.row(server_cells(row, opened));
            push_tools(args, &row.tools, &mut table, &mut kinds);
        }
    }
    for (cells, kind) in table.padded().into_iter().zip(kinds) {
        printer.line(&kind.painted(&cells, printer))?;
    }
    printer.line("")?;
    totals(report, printer)?;
    findings(&report.findings, printer)
}

fn heading(report: &PlatformReport, opened: &Opened, printer: &mut Printer) -> Result<(), CliError> {
    let document = opened.catalog.catalog.document();
    let source = match (opened.catalog.source, opened.catalog.age_s) {
        (CatalogSource::Sample, _) => "sample".to_owned(),
        (CatalogSource::Live, _) => "asked now".to_owned(),
        (CatalogSource::Snapshot, seconds) => format!("asked {}", seconds.map_or_else(|| "once".to_owned(), age)),
    };
    let line = format!(
        "{} (surface {}), profile {} of {}, Hermes {} ({source})",
        visible(report.platform.as_str()),
        report.surface.as_str(),
        visible(&opened.home.profile),
        visible(&opened.config.path.display().to_string()),
        visible(&document.hermes.version),
    );
    let line = printer.paint(Tone::Heading, &line);
    printer.line(&line)
}

#[derive(Clone, Copy)]
enum RowKind {
    Title,
    On,
    Off,
    Tool,
}

impl RowKind {
    fn of(on: bool) -> Self {
        if on { Self::On } else { Self::Off }
    }

    fn painted(self, cells: &[String], printer: &Printer) -> String {
        let line = cells.join("  ");
        match self {
            Self::Title => printer.paint(Tone::Heading, line.trim_end()),
            Self::Off | Self::Tool => printer.paint(Tone::Dim, line.trim_end()),
            Self::On => {
                let (state, rest) = cells.split_first().map_or(("", &[][..]), |(state, rest)| (state.as_str(), rest));
                format!("{}  {}", printer.paint(Tone::Good, state), rest.join("  "))
            }
        }
    }
}

fn toolset_cells(row: &ToolsetRow, why: String) -> Vec<String> {
    vec![
        state(row.on).to_owned(),
        visible(row.key.as_str()).into_owned(),
        counted(row.on, row.sent, row.tools.len()),
        wire(row.on, row.meter.wire_bytes),
        wire(row.on, row.meter.tokens),
        why,
    ]
}

fn server_cells(row: &ServerRow, opened: &Opened) -> Vec<String> {
    let list = match row.list {
        None => "; its tools are not known yet".to_owned(),
        Some((_, Some(written))) => {
            let now = opened.catalog.age_s.unwrap_or(0) + opened.catalog.catalog.document().taken_at;
            format!("; tools as of {}", age(now.saturating_sub(written)))
        }
        Some((_, None)) => String::new(),
    };
    let stale = if row.stale { ", outdated" } else { "" };
    let silent = row.on && row.sent == 0 && !row.tools.is_empty();
    let why = if silent { silence(&row.tools) } else { row.reason.to_string() };
    let tools = if row.list.is_none() { "-".to_owned() } else { counted(row.on, row.sent, row.tools.len()) };
    vec![
        state(row.on).to_owned(),
        format!("{} ({})", visible(row.name.as_str()), row.transport.as_str()),
        tools,
        wire(row.on, row.meter.wire_bytes),
        wire(row.on, row.meter.tokens),
        format!("{why}{list}{stale}"),
    ]
}

fn push_tools(args: &ListArgs, tools: &[ToolRow], table: &mut Table, kinds: &mut Vec<RowKind>) {
    if !args.tools {
        return;
    }
    for tool in tools {
        kinds.push(RowKind::Tool);
        let name = tool.original_name.as_deref().unwrap_or(tool.name.as_str());
        table.row(vec![
            String::new(),
            format!("  {}", visible(name)),
            String::new(),
            figure(tool.meter.wire_bytes),
            figure(tool.meter.tokens),
            match &tool.why {
                Some(why) => format!("{}: {}", tool.fate.as_str(), visible(why)),
                None => tool.fate.as_str().to_owned(),
            },
        ]);
    }
}

/// Why something that is on sends nothing.
fn silence(tools: &[ToolRow]) -> String {
    let deferred = tools.iter().filter(|tool| tool.fate == Fate::Deferred).count();
    let why = tools.iter().find_map(|tool| tool.why.as_deref());
    let why = match why {
        _ if tools.is_empty() => "it has no tools here".to_owned(),
        _ if deferred == tools.len() => "deferred, behind the bridge".to_owned(),
        _ if deferred > 0 => format!("{deferred} deferred, behind the bridge"),
        Some(why) => visible(why).into_owned(),
        None => "no tool of it is available here".to_owned(),
    };
    format!("sends nothing: {why}")
}

fn totals(report: &PlatformReport, printer: &mut Printer) -> Result<(), CliError> {
    let totals = &report.totals;
    printer.line(&format!(
        "{} of {} toolsets and {} of {} servers on; sent: {} tools, {} bytes (framing {}), {} tokens, {} by Hermes' rule",
        totals.toolsets_on,
        totals.toolsets,
        totals.servers_on,
        totals.servers,
        figure(totals.tools),
        figure(totals.json_bytes),
        figure(totals.framing_bytes),
        figure(totals.tokens),
        figure(totals.est_tokens),
    ))?;
    if !totals.servers_without_list.is_empty() {
        let names: Vec<_> = totals.servers_without_list.iter().map(|name| visible(name.as_str())).collect();
        printer.line(&format!("not counted, tools not known yet: {}", names.join(", ")))?;
    }
    Ok(())
}

fn findings(findings: &[Finding], printer: &mut Printer) -> Result<(), CliError> {
    for finding in findings {
        let severity = match finding.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let word = printer.paint(if finding.severity == Severity::Note { Tone::Dim } else { Tone::Bad }, severity);
        printer.line(&format!("{word} {}: {}", finding.place, finding.text))?;
    }
    Ok(())
}

fn state(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

fn counted(on: bool, sent: usize, all: usize) -> String {
    if on { format!("{sent}/{all}") } else { format!("-/{all}") }
}

/// What is off sends nothing, and a column of zeros says less than a blank one.
fn wire(on: bool, bytes: Figure) -> String {
    if on { figure(bytes) } else { String::new() }
}
