//! `prompt-size`: the tools half of `hermes prompt-size`, MCP servers and the bridge included, every byte attributed.

use crate::engine::meter::Figure;
use crate::engine::report::json::PromptSizeJson;
use crate::engine::report::{self, PlatformReport};
use crate::engine::text::visible;

use super::Outcome;
use super::args::PlatformArgs;
use super::confirm::{Confirmed, confirmed};
use super::context::Context;
use super::error::CliError;
use super::figure::{figure, grouped};
use super::load::Figures;
use super::platforms;
use super::printer::{Printer, Tone};
use super::table::{Lean, Table};

pub(super) fn run(args: &PlatformArgs, context: &Context, printer: &mut Printer) -> Result<Outcome, CliError> {
    let context = context.on_platform(&args.platform.as_str().into());
    let surface = context.open.surface();
    let Confirmed { opened, assembly } = confirmed(&context, &args.platform.as_str().into(), surface, printer)?;
    let config = opened.config_value();
    let platform = platforms::known(&args.platform, &opened.catalog.catalog, &config)?;
    let figures = Figures::count(&context, &opened, assembly.as_ref())?;
    let inputs = figures.inputs(&config, &platform, assembly.as_ref());
    let report = report::platform(&inputs);
    let array = report::array(&inputs, &report);
    if printer.is_json() {
        printer.document(&PromptSizeJson::new(&report, &array, opened.catalog.catalog.facts()))?;
        return Ok(Outcome::Done);
    }
    let sure = if assembly.is_some() { Figure::Confirmed } else { Figure::Estimated };
    let rows = report::breakdown(&array).into_iter().map(|row| {
        let tools = grouped(row.tool_count as u64);
        (visible(row.toolset.as_str()).into_owned(), tools, figure(sure(row.json_bytes)))
    });
    show(&report, rows.collect(), printer)
}

fn show(
    report: &PlatformReport,
    rows: Vec<(String, String, String)>,
    printer: &mut Printer,
) -> Result<Outcome, CliError> {
    let totals = &report.totals;
    let mut table = Table::new(&[Lean::Left, Lean::Right, Lean::Right]);
    table.row(["toolset", "tools", "bytes"].map(str::to_owned).to_vec());
    let count = rows.len();
    for (name, tools, bytes) in rows {
        table.row(vec![name, tools, bytes]);
    }
    table.row(vec!["(framing)".to_owned(), String::new(), figure(totals.framing_bytes)]);
    table.row(vec!["total".to_owned(), figure(totals.tools), figure(totals.json_bytes)]);
    for (idx, line) in table.lines().into_iter().enumerate() {
        let is_title = idx == 0 || idx == count + 2;
        let line = if is_title { printer.paint(Tone::Heading, &line) } else { line };
        printer.line(&line)?;
    }
    let share = report.context_tokens.zip(totals.tokens.value()).map_or_else(String::new, |(window, tokens)| {
        format!(", {} of a window of {}", report::share(tokens, window), grouped(window))
    });
    printer.line(&format!(
        "{} tokens, {} by Hermes' rule{share}; surface {}",
        figure(totals.tokens),
        figure(totals.est_tokens),
        report.surface.as_str()
    ))?;
    if !totals.servers_without_list.is_empty() {
        let names: Vec<_> = totals.servers_without_list.iter().map(|name| visible(name.as_str())).collect();
        printer.note(&format!(
            "not counted, because their tools are not known yet: {}; Hermes writes a server's list when it connects",
            names.join(", ")
        ));
    }
    Ok(Outcome::Done)
}
