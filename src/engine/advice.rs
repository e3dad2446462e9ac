//! Should this set-up use the bridge, and what would change it: from facts only, each line with its number and where that
//! is from.

mod model;

use serde::Serialize;

use super::assembly::Fate;
use super::assembly::disclosure::Direct;
use super::meter::{Figure, grouped};
use super::report::{Inputs, ListingDetail, PlatformReport, Severity, share};
use super::text::visible;

pub use model::Model;

/// Deferring pays from about so many tools, or so many estimated tokens, on.
pub const WORTH_TOOLS: u64 = 10;
pub const WORTH_TOKENS: u64 = 2_000;
/// Models with fewer parameters, in billions, tend to lose their way behind the bridge.
pub const SMALL_MODEL_B: f64 = 13.0;
/// Part of the window, in percent, from which the array is worth a word.
const HEAVY_PERCENT: u64 = 15;
/// Round trips a deferred tool costs before its first call: one search, one description.
const EXTRA_ROUND_TRIPS: u64 = 2;
/// Tokens a model writes in those two.
const ROUND_TRIP_TOKENS: u64 = 120;
/// What a cached token costs of an uncached one, in percent, with the providers that discount most.
pub(crate) const CACHED_PERCENT: u64 = 10;

/// Tools most turns use: deferring one costs two round trips again and again.
const EVERY_TURN: [&str; 9] =
    ["terminal", "read_file", "write_file", "patch", "search_files", "memory", "clarify", "web_search", "execute_code"];

/// What is assumed where nobody measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assumptions {
    pub turns: u64,
    /// Output of the model; `None`: assumed by where it runs.
    pub tokens_per_second: Option<f64>,
    /// Price of a million uncached input tokens, in any currency.
    pub price_per_mtok: Option<f64>,
}

/// One piece of advice.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Advice {
    pub topic: &'static str,
    pub severity: Severity,
    /// One or two sentences, sanitised.
    pub text: String,
    /// The number it rests on.
    pub number: Option<f64>,
    pub unit: &'static str,
    /// Where the number is from.
    pub source: &'static str,
}

/// What the array costs over a conversation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tax {
    pub turns: u64,
    pub tokens_per_turn: Option<u64>,
    /// Over all turns, every token paid whole.
    pub tokens_uncached: Option<u64>,
    /// The same, counted in whole tokens: the first turn whole, the others at a tenth.
    pub tokens_cached: Option<u64>,
    pub share_of_128k: Option<String>,
    pub share_of_1m: Option<String>,
    /// In the currency of the given price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub money_uncached: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub money_cached: Option<f64>,
}

/// What a deferred tool costs before its first call.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Detour {
    pub round_trips: u64,
    pub seconds: f64,
    /// The speed was assumed.
    pub assumed: bool,
}

/// Everything there is to say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Counsel {
    pub advice: Vec<Advice>,
    pub tax: Tax,
    /// Where the bridge is in the array.
    pub detour: Option<Detour>,
    /// A line for the system prompt that helps a model of middling size use the bridge.
    pub nudge: Option<&'static str>,
}

/// Advice on one platform.
pub fn counsel(inputs: &Inputs<'_>, report: &PlatformReport, listing: &ListingDetail, assumed: Assumptions) -> Counsel {
    let model = Model::read(inputs.config, inputs.catalog.facts());
    let active = report.disclosure.is_active();
    let mut advice = Vec::new();
    advice.extend(load(report, listing));
    advice.extend(model_size(&model, active));
    advice.extend(window(report));
    advice.extend(every_turn(report));
    let nudges = active && model.local && model.billions.is_some_and(|billions| billions >= SMALL_MODEL_B);
    Counsel {
        advice,
        tax: tax(report, assumed),
        detour: active.then(|| detour(&model, assumed)),
        nudge: nudges.then_some(
            "Some of your tools are not in your tool list. When a task needs a capability you do not see, call tool_search with a few keywords before saying that it is missing.",
        ),
    }
}

/// Number and weight of what may be deferred, against the rule of thumb.
fn load(report: &PlatformReport, listing: &ListingDetail) -> Option<Advice> {
    let (tools, tokens) = (listing.deferrable_tools, listing.deferrable_tokens);
    let worth = tools >= WORTH_TOOLS || tokens >= WORTH_TOKENS;
    let what = format!("{} tools of ~{} tokens may be deferred", grouped(tools), grouped(tokens));
    let rule = format!("a bridge pays from about {WORTH_TOOLS} tools or {} tokens on", grouped(WORTH_TOKENS));
    let (severity, text) = match (report.disclosure.direct, worth) {
        (Some(Direct::Absent), _) if worth => {
            (Severity::Note, format!("{what}, and this Hermes has no tool search: switch off what is not needed."))
        }
        (Some(Direct::SwitchedOff), true) => (
            Severity::Warning,
            format!("{what} and are sent whole on every call, because tools.tool_search.enabled is off; {rule}."),
        ),
        (Some(Direct::BelowThreshold { .. }), true) => (
            Severity::Note,
            format!(
                "{what} and are sent whole: that is below this Hermes' threshold; {rule}. `enabled: on` defers them."
            ),
        ),
        (None, false) => (Severity::Note, format!("{what}; {rule}, so sending them whole would cost little.")),
        (None, true) => (Severity::Note, format!("{what}, and are; {rule}.")),
        _ => return None,
    };
    Some(Advice {
        topic: "load",
        severity,
        text,
        number: Some(tokens as f64),
        unit: "est. tokens",
        source: "Hermes' rule: compact characters / 4",
    })
}

fn model_size(model: &Model, active: bool) -> Option<Advice> {
    let billions = model.billions?;
    let name = visible(&model.name);
    let place = if model.local { "local" } else { "hosted" };
    let (severity, text) = if billions < SMALL_MODEL_B && active {
        (
            Severity::Warning,
            format!(
                "{name} ({place}) has ~{billions} billion parameters; below about {SMALL_MODEL_B} a model tends to lose its way behind tool_search. Better: fewer toolsets, sent whole (tools.tool_search.enabled: off)."
            ),
        )
    } else if model.local && active {
        (Severity::Note, format!("{name} runs locally: a line in its system prompt helps it use tool_search."))
    } else {
        return None;
    };
    Some(Advice {
        topic: "model",
        severity,
        text,
        number: Some(billions),
        unit: "billion parameters",
        source: "the model's name",
    })
}

/// The array as a part of the model's window.
fn window(report: &PlatformReport) -> Option<Advice> {
    let window = report.context_tokens?;
    let tokens = tokens(report).value()?;
    let heavy = tokens * 100 >= window * HEAVY_PERCENT;
    let text = format!(
        "the array takes {} of a window of {} tokens before anything is said.",
        share(tokens, window),
        grouped(window)
    );
    let severity = if heavy { Severity::Warning } else { Severity::Note };
    Some(Advice {
        topic: "window",
        severity,
        text,
        number: Some(tokens as f64),
        unit: "tokens",
        source: "the array and the model's window",
    })
}

/// Tools that most turns use and that were put behind the bridge.
fn every_turn(report: &PlatformReport) -> Option<Advice> {
    let rows = report.toolsets.iter().flat_map(|row| &row.tools);
    let deferred = rows.filter(|tool| tool.fate == Fate::Deferred).map(|tool| tool.name.as_str());
    let mut names: Vec<&str> = deferred.filter(|name| EVERY_TURN.contains(name)).collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return None;
    }
    Some(Advice {
        topic: "defer",
        severity: Severity::Warning,
        text: format!(
            "most turns use {}: behind the bridge each first use costs {EXTRA_ROUND_TRIPS} extra round trips. Take them out of tools.tool_search.defer.",
            visible(&names.join(", "))
        ),
        number: Some(names.len() as f64),
        unit: "tools",
        source: "tools.tool_search.defer",
    })
}

fn tokens(report: &PlatformReport) -> Figure {
    if report.totals.tokens.value().is_some() { report.totals.tokens } else { report.totals.est_tokens }
}

fn tax(report: &PlatformReport, assumed: Assumptions) -> Tax {
    let per_turn = tokens(report).value();
    let uncached = per_turn.map(|tokens| tokens * assumed.turns);
    // The first turn writes the cache, the others read it.
    let cached = per_turn.map(|tokens| tokens + tokens * assumed.turns.saturating_sub(1) * CACHED_PERCENT / 100);
    let money = |tokens: Option<u64>| Some(tokens? as f64 * assumed.price_per_mtok? / 1e6);
    Tax {
        turns: assumed.turns,
        tokens_per_turn: per_turn,
        tokens_uncached: uncached,
        tokens_cached: cached,
        share_of_128k: per_turn.map(|tokens| share(tokens, 128_000)),
        share_of_1m: per_turn.map(|tokens| share(tokens, 1_000_000)),
        money_uncached: money(uncached),
        money_cached: money(cached),
    }
}

fn detour(model: &Model, assumed: Assumptions) -> Detour {
    let speed = assumed.tokens_per_second.unwrap_or(if model.local { 20.0 } else { 60.0 });
    Detour {
        round_trips: EXTRA_ROUND_TRIPS,
        seconds: ROUND_TRIP_TOKENS as f64 / speed.max(0.01),
        assumed: assumed.tokens_per_second.is_none(),
    }
}
