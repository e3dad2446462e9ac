//! `preview`: what the model sees: the array, what stands behind the bridge, the listing, and how far it is to another.

use crate::engine::assembly::Fate;
use crate::engine::report::preview::{Preview, PreviewJson, Step};
use crate::engine::report::{self, Meter, PlatformReport};
use crate::engine::text::{visible, visible_lines};

use super::Outcome;
use super::args::{PreviewArgs, WireFormat};
use super::confirm::{Confirmed, confirmed};
use super::context::Context;
use super::error::CliError;
use super::figure::{figure, grouped};
use super::load::Figures;
use super::platforms;
use super::printer::{Printer, Tone};
use super::table::{Lean, Table};

pub(super) fn run(args: &PreviewArgs, context: &Context, printer: &mut Printer) -> Result<Outcome, CliError> {
    let context = context.on_platform(&args.platform.as_str().into());
    let surface = context.open.surface();
    let Confirmed { opened, assembly } = confirmed(&context, &args.platform.as_str().into(), surface, printer)?;
    let config = opened.config_value();
    let platform = platforms::known(&args.platform, &opened.catalog.catalog, &config)?;
    let figures = Figures::count(&context, &opened, assembly.as_ref())?;
    let inputs = figures.inputs(&config, &platform, assembly.as_ref());
    let report = report::platform(&inputs);
    let preview = Preview::new(&inputs, &report);
    if args.raw {
        let raw = match args.format {
            WireFormat::Openai => preview.raw(),
            WireFormat::Anthropic => preview.raw_anthropic(),
        };
        // Exactly these bytes are measured, so there is no line feed after them.
        printer.raw(raw.as_bytes())?;
        return Ok(Outcome::Done);
    }
    if printer.is_json() {
        printer.document(&PreviewJson::new(&preview, &report))?;
        return Ok(Outcome::Done);
    }
    array(&preview, &report, printer)?;
    listing(&preview, printer)?;
    Ok(Outcome::Done)
}

fn array(preview: &Preview, report: &PlatformReport, printer: &mut Printer) -> Result<(), CliError> {
    let mut table = Table::new(&[Lean::Left, Lean::Left, Lean::Left, Lean::Right, Lean::Right]);
    table.row(["tool", "toolset", "fate", "bytes", "tokens"].map(str::to_owned).to_vec());
    for row in &preview.rows {
        table.row(vec![
            visible(&row.name).into_owned(),
            visible(&row.toolset).into_owned(),
            row.fate.as_str().to_owned(),
            figure(row.meter.wire_bytes),
            figure(row.meter.tokens),
        ]);
    }
    let toolsets = report.toolsets.iter().map(|row| row.heading);
    let headings = toolsets.chain(report.servers.iter().map(|row| row.heading)).fold(Meter::ZERO, |sum, row| sum + row);
    let mut last = Vec::new();
    if headings.wire_bytes.value() != Some(0) {
        last.push(("(listing headings)", headings.wire_bytes, figure(headings.tokens)));
    }
    last.push(("(framing)", report.totals.framing_bytes, String::new()));
    last.push(("total", report.totals.json_bytes, figure(report.totals.tokens)));
    for (name, bytes, tokens) in last {
        table.row(vec![name.to_owned(), String::new(), String::new(), figure(bytes), tokens]);
    }
    let lines = table.lines();
    let count = lines.len();
    for (idx, line) in lines.into_iter().enumerate() {
        // The first line is the title, and the rows follow it.
        let tone = match idx.checked_sub(1).map(|row| preview.rows.get(row)) {
            None => Some(Tone::Heading),
            Some(Some(row)) => (row.fate != Fate::Eager).then_some(Tone::Dim),
            Some(None) => (idx + 1 == count).then_some(Tone::Heading),
        };
        let line = tone.map_or_else(|| line.clone(), |tone| printer.paint(tone, &line));
        printer.line(&line)?;
    }
    Ok(())
}

fn listing(preview: &Preview, printer: &mut Printer) -> Result<(), CliError> {
    let detail = &preview.listing;
    let disclosure = &detail.disclosure;
    printer.line("")?;
    if let Some(direct) = disclosure.direct {
        return printer.line(&format!("no bridge: {direct}"));
    }
    let tier = disclosure.tier.map_or_else(String::new, |tier| format!("tier {tier}, "));
    let Some(budget) = disclosure.budget else {
        return printer
            .line(&format!("bridge: {} tools deferred, this Hermes lists none", grouped(disclosure.deferred)));
    };
    let used = disclosure.listing.extent.tokens();
    printer.line(&format!(
        "bridge: {tier}{} tools deferred, listing {}, ~{} of {} tokens (the smaller of listing_max_tokens {} and {} of the window)",
        grouped(disclosure.deferred),
        disclosure.listing.form.as_str(),
        grouped(used),
        grouped(budget.tokens),
        grouped(budget.cap_leg),
        grouped(budget.pct_leg),
    ))?;
    if let Some(Step { form, tokens }) = preview.larger {
        printer.line(&format!("  {} would need ~{} tokens less to list", form.as_str(), grouped(tokens)))?;
    }
    if let Some(Step { form, tokens }) = preview.smaller {
        printer.line(&format!("  {} comes after ~{} tokens more", form.as_str(), grouped(tokens)))?;
    }
    if !detail.text.is_empty() {
        printer.line("")?;
        for line in visible_lines(&detail.text).lines() {
            printer.line(line)?;
        }
    }
    Ok(())
}
