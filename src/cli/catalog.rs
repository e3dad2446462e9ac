//! `catalog`: what exists, from which Hermes, and a file of it that travels.

use serde::Serialize;

use crate::engine::text::visible;
use crate::sources::open::{CatalogSource, Opened};
use crate::sources::snapshot;

use super::Outcome;
use super::args::CatalogVerb;
use super::context::Context;
use super::error::CliError;
use super::figure::{age, grouped};
use super::printer::Printer;

#[derive(Serialize)]
struct ShowJson {
    schema: &'static str,
    source: CatalogSource,
    age_s: Option<u64>,
    hermes_version: String,
    home: String,
    surface: &'static str,
    platforms: usize,
    toolsets: usize,
    tools: usize,
    available: usize,
    servers: Vec<String>,
    definition_bytes: u64,
    problems: Vec<String>,
}

pub(super) fn run(verb: &CatalogVerb, context: &Context, printer: &mut Printer) -> Result<Outcome, CliError> {
    let opened = context.open(printer)?;
    match verb {
        CatalogVerb::Show => show(&opened, printer),
        CatalogVerb::Export { file } => {
            snapshot::write_file(file, opened.catalog.catalog.document())?;
            printer.note(&format!("wrote {}", visible(&file.display().to_string())));
            Ok(Outcome::Done)
        }
    }
}

fn show(opened: &Opened, printer: &mut Printer) -> Result<Outcome, CliError> {
    let json = describe(opened);
    if printer.is_json() {
        printer.document(&json)?;
        return Ok(Outcome::Done);
    }
    let source = match (json.source, json.age_s) {
        (CatalogSource::Sample, _) => "the embedded sample".to_owned(),
        (CatalogSource::Live, _) => "Hermes, now".to_owned(),
        (CatalogSource::Snapshot, seconds) => {
            format!("Hermes' last answer, {}", seconds.map_or_else(|| "undated".to_owned(), age))
        }
    };
    printer.line(&format!("source      {source}"))?;
    printer.line(&format!("hermes      {}", json.hermes_version))?;
    printer.line(&format!("home        {}", json.home))?;
    printer.line(&format!("surface     {}", json.surface))?;
    printer.line(&format!("platforms   {}", json.platforms))?;
    printer.line(&format!("toolsets    {}", json.toolsets))?;
    printer.line(&format!("tools       {} ({} available here)", json.tools, json.available))?;
    printer.line(&format!(
        "servers     {}",
        if json.servers.is_empty() { "none".into() } else { json.servers.join(", ") }
    ))?;
    printer.line(&format!("definitions {} bytes", grouped(json.definition_bytes)))?;
    for problem in &json.problems {
        printer.line(&format!("problem     {problem}"))?;
    }
    Ok(Outcome::Done)
}

fn describe(opened: &Opened) -> ShowJson {
    let document = opened.catalog.catalog.document();
    let servers = document.server_lists.iter().map(|list| visible(list.server.as_str()).into_owned());
    ShowJson {
        schema: "hermes-tools/catalog-show@1",
        source: opened.catalog.source,
        age_s: opened.catalog.age_s,
        hermes_version: visible(&document.hermes.version).into_owned(),
        home: visible(&document.hermes.home).into_owned(),
        surface: document.surface.as_str(),
        platforms: document.platforms.len(),
        toolsets: document.toolsets.len(),
        tools: document.tools.len(),
        available: document.tools.iter().filter(|tool| tool.available).count(),
        servers: servers.collect(),
        definition_bytes: document.tools.iter().map(|tool| tool.definition.text().len() as u64).sum(),
        problems: document.problems.iter().map(|problem| visible(problem).into_owned()).collect(),
    }
}
