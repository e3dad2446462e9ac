//! `search`: what the model would get back from `tool_search`, and why.

use serde_json::{Value as Json, json};

use crate::engine::assembly::disclosure::Direct;
use crate::engine::assembly::settings::Settings;
use crate::engine::catalog::Surface;
use crate::engine::ids::PlatformKey;
use crate::engine::meter::{TokenCounts, grouped};
use crate::engine::report::{self, BehindBridge, Inputs};
use crate::engine::search::explain::Outcome;
use crate::engine::search::json::{self, ExplanationJson, SearchJson};
use crate::engine::search::{Bridge, Explanation, Index, Protocol};
use crate::engine::selection::nearest::nearest;
use crate::engine::text::visible;
use crate::engine::value::Value;
use crate::sources::open::Opened;

use super::Outcome as Done;
use super::args::SearchArgs;
use super::context::Context;
use super::error::CliError;
use super::platforms;
use super::printer::{Printer, Tone};
use super::table::{Lean, Table};

/// Tools to name that were not found.
const LOSERS: usize = 5;

/// An opened platform with its bridge.
pub(super) struct Lab<'a> {
    pub opened: &'a Opened,
    pub platform: PlatformKey,
    pub surface: Surface,
    pub settings: Settings,
    pub behind: BehindBridge,
    pub index: Index,
}

impl<'a> Lab<'a> {
    pub(super) fn open(
        context: &Context,
        opened: &'a Opened,
        config: &Value,
        platform: &str,
    ) -> Result<Self, CliError> {
        let catalog = &opened.catalog.catalog;
        let platform = platforms::known(platform, catalog, config)?;
        let surface = context.open.surface.unwrap_or_else(|| Surface::of_platform(platform.as_str()));
        let behind = report::behind_bridge(&Inputs {
            catalog,
            config,
            platform: &platform,
            surface,
            assembly: None,
            counts: &TokenCounts::default(),
            context_tokens: context.context_tokens.or(catalog.facts().context_tokens),
        });
        let settings = Settings::read(config, catalog.host());
        let index = Index::of(catalog, &behind.places);
        Ok(Self { opened, platform, surface, settings, behind, index })
    }

    pub(super) fn bridge(&self) -> Bridge<'_> {
        Bridge {
            index: &self.index,
            catalog: &self.opened.catalog.catalog,
            settings: &self.settings,
            connections: self.behind.disclosure.connections,
        }
    }

    /// Why there is no bridge, as a note; nothing where there is one.
    pub(super) fn note(&self, printer: &mut Printer) {
        let Some(direct) = &self.behind.disclosure.direct else { return };
        let why = match direct {
            Direct::Absent => "this Hermes has no tool search".to_owned(),
            Direct::SwitchedOff => "tools.tool_search.enabled is off".to_owned(),
            Direct::NothingToDefer => "nothing here can be deferred".to_owned(),
            Direct::BelowThreshold { tokens, threshold } => format!(
                "what could be deferred is about {} tokens, and auto waits for {}",
                grouped(*tokens),
                grouped(*threshold)
            ),
        };
        let platform = visible(self.platform.as_str());
        printer.note(&format!("there is no bridge on {platform}: {why}; this is what it would answer"));
    }
}

pub(super) fn run(args: &SearchArgs, context: &Context, printer: &mut Printer) -> Result<Done, CliError> {
    let context = context.on_platform(&args.platform.as_str().into());
    let opened = context.open(printer)?;
    let config = opened.config_value();
    let lab = Lab::open(&context, &opened, &config, &args.platform)?;
    let arguments = arguments(args, lab.index.protocol())?;
    let why = args.why.as_deref().map(|tool| named(&lab.index, tool)).transpose()?;
    let bridge = lab.bridge();
    let answer = bridge.search(&arguments);
    let limit = bridge.limit(&arguments);
    lab.note(printer);
    if bridge.connections {
        printer.note("Hermes would ask the services of connected accounts, too; they were not asked");
    }
    let mut explanations: Vec<Explanation> =
        args.query.iter().map(|query| lab.index.explain(query, limit, LOSERS)).collect();
    if let Some(entry) = why {
        for explanation in &mut explanations {
            let standing = lab.index.why(&explanation.query, limit, entry);
            explanation.standings.retain(|other| other.entry != entry);
            explanation.standings.insert(0, standing);
        }
    }
    if printer.is_json() {
        let active = lab.behind.disclosure.is_active();
        let raw = json::raw(&answer);
        let (result, would_be) = if active { (raw, None) } else { (None, raw) };
        printer.document(&SearchJson {
            schema: "hermes-tools/search@1",
            platform: visible(lab.platform.as_str()).into_owned(),
            surface: lab.surface.as_str(),
            active,
            inactive_because: json::inactive_because(&lab.behind),
            arguments: json::shown(&arguments),
            result,
            would_be,
            certainty: (answer.own_words || bridge.connections).then_some("estimated"),
            accounts: bridge.connections.then_some("not-asked"),
            explain: explanations.iter().map(|each| ExplanationJson::new(&lab.index, each)).collect(),
        })?;
        return Ok(Done::Done);
    }
    if let Some(error) = error_of(&answer.text) {
        printer.line(&format!("{} {}", printer.paint(Tone::Bad, "Hermes answers:"), visible(&error)))?;
        return Ok(Done::Done);
    }
    for explanation in &explanations {
        show(&lab.index, explanation, limit, args.explain || why.is_some(), printer)?;
    }
    Ok(Done::Done)
}

/// What the model would send.
fn arguments(args: &SearchArgs, protocol: Protocol) -> Result<Json, CliError> {
    let mut arguments = match (protocol, args.query.as_slice()) {
        (Protocol::Batch, queries) => json!({ "queries": queries }),
        (Protocol::Single, [query]) => json!({ "query": query }),
        (Protocol::Single, _) => {
            return Err(
                CliError::usage("this Hermes takes one query a call").hint("put the words of one query in quotes")
            );
        }
    };
    if let (Some(limit), Some(members)) = (args.limit, arguments.as_object_mut()) {
        members.insert("limit".to_owned(), limit.into());
    }
    Ok(arguments)
}

/// The place of a tool among the deferred ones, or what is near.
fn named(index: &Index, tool: &str) -> Result<usize, CliError> {
    let names = || index.entries().iter().map(|entry| entry.name.as_str());
    if let Some(place) = names().position(|name| name == tool) {
        return Ok(place);
    }
    let error = CliError::failed(format!("no deferred tool is called '{tool}'"));
    Err(match nearest(tool, names()) {
        Some(near) => error.hint(format!("did you mean {near}?")),
        None => error.hint("hermes-tools list --tools shows which tools are deferred"),
    })
}

/// The error of an answer, if it is one.
pub(super) fn error_of(answer: &str) -> Option<String> {
    let answer: Json = serde_json::from_str(answer).ok()?;
    answer.get("error").and_then(Json::as_str).map(str::to_owned)
}

fn show(
    index: &Index,
    explanation: &Explanation,
    limit: usize,
    explain: bool,
    printer: &mut Printer,
) -> Result<(), CliError> {
    let heading = format!(
        "{}: {} found of {} deferred, limit {limit}",
        visible(&explanation.query),
        explanation.admitted.min(limit),
        grouped(index.entries().len() as u64)
    );
    let heading = printer.paint(Tone::Heading, &heading);
    printer.line(&heading)?;
    if explain {
        let mut table = Table::new(&[Lean::Left, Lean::Left, Lean::Right, Lean::Right, Lean::Left]);
        table.row(["word", "looked up as", "tools", "rarity", ""].map(str::to_owned).to_vec());
        for (place, word) in explanation.words.iter().enumerate() {
            let gate = explanation.gate == Some(place);
            let mark = match (gate, word.tools) {
                (true, 0) => "the rarest: no tool has it, so nothing is found by words",
                (true, _) => "the rarest: a tool must have it",
                (false, _) => "",
            };
            table.row(vec![
                word.word.clone(),
                word.stem.clone(),
                grouped(word.tools.into()),
                format!("{:.3}", word.rarity),
                mark.to_owned(),
            ]);
        }
        for line in table.lines() {
            printer.line(&format!("  {line}"))?;
        }
        if explanation.gate.is_some() && explanation.required > 1 {
            let (required, answerable) = (explanation.required, explanation.answerable);
            printer.line(&format!("  a tool must have {required} of the {answerable} words that occur"))?;
        }
    }
    let mut table = Table::new(&[Lean::Right, Lean::Left, Lean::Right, Lean::Left]);
    for standing in &explanation.standings {
        let rank = match standing.outcome {
            Outcome::Found { rank } => rank.to_string(),
            _ if !explain => continue,
            _ => "-".to_owned(),
        };
        let name = visible(index.entries()[standing.entry].name.as_str()).into_owned();
        let why = if explain { parts(explanation, standing) } else { String::new() };
        let score = if explain { format!("{:.3}", standing.score) } else { String::new() };
        table.row(vec![rank, name, score, why]);
    }
    for line in table.lines() {
        printer.line(&format!("  {line}"))?;
    }
    Ok(())
}

/// Why, with each word's part of the score.
fn parts(explanation: &Explanation, standing: &crate::engine::search::explain::Standing) -> String {
    let words = explanation.words.iter().zip(&standing.shares).filter(|(_, share)| **share > 0.0);
    let words: Vec<String> = words.map(|(word, share)| format!("{} {share:.3}", word.word)).collect();
    let why = json::why(explanation, standing);
    if words.is_empty() { why } else { format!("{why} ({})", words.join(", ")) }
}
