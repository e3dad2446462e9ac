//! `--summary`: one line per platform in use: how much is on, and what is sent.

use serde::Serialize;

use crate::engine::ids::PlatformKey;
use crate::engine::report::PlatformReport;
use crate::engine::report::json::TotalsJson;
use crate::engine::selection::platforms_in_use;
use crate::engine::text::visible;
use crate::sources::open::{CatalogSource, Opened};

use super::Outcome;
use super::context::Context;
use super::error::CliError;
use super::figure::figure;
use super::load::Figures;
use super::printer::Printer;
use super::table::{Lean, Table};

#[derive(Serialize)]
struct SummaryJson {
    schema: &'static str,
    platforms: Vec<PlatformJson>,
}

#[derive(Serialize)]
struct PlatformJson {
    platform: String,
    label: String,
    surface: &'static str,
    toolsets_on: usize,
    toolsets: usize,
    servers_on: usize,
    servers: usize,
    totals: TotalsJson,
}

pub(super) fn run(context: &Context, printer: &mut Printer) -> Result<Outcome, CliError> {
    let opened = context.open(printer)?;
    let mut rows = Vec::new();
    for platform in platforms_in_use(&opened.catalog.catalog, &opened.config_value()) {
        rows.push(row(&platform, context, &opened, printer)?);
    }
    if printer.is_json() {
        let platforms = rows.iter().map(Row::json).collect();
        printer.document(&SummaryJson { schema: "hermes-tools/summary@1", platforms })?;
        return Ok(Outcome::Done);
    }
    let mut table = Table::new(&[Lean::Left, Lean::Left, Lean::Right, Lean::Right, Lean::Right]);
    for row in &rows {
        let totals = &row.report.totals;
        table.row(vec![
            row.label.clone(),
            format!("({}/{})", totals.toolsets_on, totals.toolsets),
            format!("{} tools", figure(totals.tools)),
            format!("{} bytes", figure(totals.json_bytes)),
            format!("{} tokens", figure(totals.tokens)),
        ]);
    }
    for line in table.lines() {
        printer.line(&line)?;
    }
    Ok(Outcome::Done)
}

struct Row {
    report: PlatformReport,
    /// Sanitised.
    label: String,
}

/// Availability differs by surface, so a platform of another one is reported from that surface's catalog.
fn row(platform: &PlatformKey, context: &Context, first: &Opened, printer: &mut Printer) -> Result<Row, CliError> {
    let theirs = context.on_platform(platform);
    let same = theirs.open.surface() == first.catalog.catalog.document().surface
        || first.catalog.source == CatalogSource::Sample
        || theirs.open.catalog_file.is_some();
    let other = if same { None } else { Some(theirs.open(printer)?) };
    let opened = other.as_ref().unwrap_or(first);
    let report = Figures::count(context, opened, None)?.report(&opened.config_value(), platform, None);
    let label = opened.catalog.catalog.platform(platform.as_str()).map(|platform| platform.label.as_str());
    let label = label.filter(|label| !label.is_empty()).unwrap_or(platform.as_str());
    Ok(Row { label: visible(label).into_owned(), report })
}

impl Row {
    fn json(&self) -> PlatformJson {
        let totals = &self.report.totals;
        PlatformJson {
            platform: visible(self.report.platform.as_str()).into_owned(),
            label: self.label.clone(),
            surface: self.report.surface.as_str(),
            toolsets_on: totals.toolsets_on,
            toolsets: totals.toolsets,
            servers_on: totals.servers_on,
            servers: totals.servers,
            totals: totals.into(),
        }
    }
}
