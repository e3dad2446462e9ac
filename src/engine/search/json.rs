//! The JSON of `search` and `describe`: the host's own object, and our explanation beside it.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

use super::bridge::Answer;
use super::call::{Unchecked, Verdict};
use super::explain::{ByName, Explanation, Outcome, Standing};
use super::{Index, Protocol};
use crate::engine::assembly::disclosure::Direct;
use crate::engine::report::BehindBridge;
use crate::engine::text::visible;

/// The same JSON with every character that a terminal obeys or nobody sees spelled as an escape, so that it reads back
/// as the same value.
pub fn harmless(json: &str) -> Cow<'_, str> {
    if json.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
        return json.into();
    }
    let mut out = String::with_capacity(json.len() + 16);
    let mut buffer = [0; 4];
    for character in json.chars() {
        let text = character.encode_utf8(&mut buffer);
        if character.is_ascii() || visible(text) == *text {
            out.push(character);
        } else {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    out.into()
}

/// An answer as a member of a document.
pub fn raw(answer: &Answer) -> Option<Box<RawValue>> {
    RawValue::from_string(harmless(&answer.text).into_owned()).ok()
}

/// Arguments as a member of a document.
pub fn shown(arguments: &serde_json::Value) -> Option<Box<RawValue>> {
    RawValue::from_string(harmless(&arguments.to_string()).into_owned()).ok()
}

/// The document of `search`.
#[derive(Serialize)]
pub struct SearchJson {
    pub schema: &'static str,
    pub platform: String,
    pub surface: &'static str,
    /// Whether the bridge is in the array.
    pub active: bool,
    /// Why it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inactive_because: Option<&'static str>,
    /// What the model would send.
    pub arguments: Option<Box<RawValue>>,
    /// What it would get back; null without a bridge.
    pub result: Option<Box<RawValue>>,
    /// What it would get if there were a bridge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub would_be: Option<Box<RawValue>>,
    /// `estimated` where sentences in the result are ours, or accounts were not asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certainty: Option<&'static str>,
    /// `not-asked` where Hermes would ask the services of connected accounts, too (0.22).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accounts: Option<&'static str>,
    pub explain: Vec<ExplanationJson>,
}

/// The document of `describe`.
#[derive(Serialize)]
pub struct DescribeJson {
    pub schema: &'static str,
    pub platform: String,
    pub surface: &'static str,
    /// Whether the bridge is in the array.
    pub active: bool,
    /// Why it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inactive_because: Option<&'static str>,
    /// What the model would send.
    pub arguments: Option<Box<RawValue>>,
    /// What it would get back; null without a bridge.
    pub result: Option<Box<RawValue>>,
    /// What it would get if there were a bridge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub would_be: Option<Box<RawValue>>,
    /// `estimated` where sentences in an answer are ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certainty: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<CallJson>,
}

/// What becomes of a call.
#[derive(Serialize)]
pub struct CallJson {
    /// What the model would send to `tool_call`.
    pub arguments: Option<Box<RawValue>>,
    /// Null where only Hermes can say.
    pub accepted: Option<bool>,
    /// What the tool gets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repaired: Option<Box<RawValue>>,
    /// Why the arguments were not checked: `version`, `schema` or `remote`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unchecked: Option<&'static str>,
    /// What the model gets instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Box<RawValue>>,
}

impl CallJson {
    /// `arguments`: what the model would send.
    pub fn new(arguments: &serde_json::Value, verdict: &Verdict) -> Self {
        let (accepted, repaired, unchecked, result) = match verdict {
            Verdict::Accepted { arguments, unchecked, .. } => {
                let unchecked = unchecked.map(|why| match why {
                    Unchecked::ByVersion => "version",
                    Unchecked::BySchema => "schema",
                    Unchecked::Remote => "remote",
                });
                (Some(true), shown(arguments), unchecked, None)
            }
            Verdict::Refused(answer) => (Some(false), None, None, raw(answer)),
            Verdict::OutOfReach => (None, None, None, None),
        };
        Self { arguments: shown(arguments), accepted, repaired, unchecked, result }
    }
}

/// Why the bridge is not there, as one word.
pub fn inactive_because(behind: &BehindBridge) -> Option<&'static str> {
    behind.disclosure.direct.as_ref().map(|direct| match direct {
        Direct::Absent => "absent",
        Direct::SwitchedOff => "switched-off",
        Direct::NothingToDefer => "nothing-to-defer",
        Direct::BelowThreshold { .. } => "below-threshold",
    })
}

/// One query explained.
#[derive(Serialize)]
pub struct ExplanationJson {
    pub query: String,
    /// How the installed version ranks: `single` (0.19) or `batch` (0.22).
    pub rule: Protocol,
    pub words: Vec<WordJson>,
    /// How many distinct words occur in any tool, and how many of them a tool must have.
    pub answerable: usize,
    pub required: usize,
    /// How many tools were let in, those behind the limit included.
    pub admitted: usize,
    pub tools: Vec<StandingJson>,
}

/// A word of a query.
#[derive(Serialize)]
pub struct WordJson {
    pub word: String,
    pub stem: String,
    /// How many deferred tools have it.
    pub tools: u32,
    pub rarity: f64,
    /// No tool without this one is found.
    pub gate: bool,
}

/// One tool against a query.
#[derive(Serialize)]
pub struct StandingJson {
    pub tool: String,
    pub outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_name: Option<&'static str>,
    pub score: f64,
    /// In step with the query's words.
    pub shares: Vec<f64>,
    pub counts: Vec<u32>,
    /// How many of the answerable words it has.
    pub matched: usize,
    pub why: String,
}

impl ExplanationJson {
    pub fn new(index: &Index, explanation: &Explanation) -> Self {
        Self {
            query: visible(&explanation.query).into_owned(),
            rule: index.protocol(),
            words: explanation
                .words
                .iter()
                .enumerate()
                .map(|(place, word)| WordJson {
                    word: word.word.clone(),
                    stem: word.stem.clone(),
                    tools: word.tools,
                    rarity: word.rarity,
                    gate: explanation.gate == Some(place),
                })
                .collect(),
            answerable: explanation.answerable,
            required: explanation.required,
            admitted: explanation.admitted,
            tools: explanation
                .standings
                .iter()
                .map(|standing| StandingJson::new(index, explanation, standing))
                .collect(),
        }
    }
}

impl StandingJson {
    pub fn new(index: &Index, explanation: &Explanation, standing: &Standing) -> Self {
        let (outcome, rank) = match standing.outcome {
            Outcome::Found { rank } => ("found", Some(rank)),
            Outcome::BeyondLimit { rank } => ("beyond-limit", Some(rank)),
            Outcome::NoWord => ("no-word", None),
            Outcome::NoGate => ("no-gate-word", None),
            Outcome::TooFewWords { .. } => ("too-few-words", None),
        };
        Self {
            tool: visible(index.entries()[standing.entry].name.as_str()).into_owned(),
            outcome,
            rank,
            by_name: standing.by_name.map(|way| match way {
                ByName::Exact => "exact",
                ByName::Contains => "contains",
            }),
            score: standing.score,
            shares: standing.shares.clone(),
            counts: standing.counts.clone(),
            matched: standing.matched,
            why: why(explanation, standing),
        }
    }
}

/// What became of a tool, in a sentence.
pub fn why(explanation: &Explanation, standing: &Standing) -> String {
    let gate = explanation.gate.map_or("", |gate| explanation.words[gate].word.as_str());
    match (standing.outcome, standing.by_name) {
        (Outcome::Found { .. }, Some(ByName::Exact)) => "the query is its name".to_owned(),
        (Outcome::Found { .. }, Some(ByName::Contains)) => "its name contains the query".to_owned(),
        (Outcome::Found { .. }, None) => {
            let words = explanation.words.iter().zip(&standing.counts).filter(|(_, count)| **count > 0);
            let mut named: Vec<&str> = Vec::new();
            for (word, _) in words {
                if !named.contains(&word.word.as_str()) {
                    named.push(&word.word);
                }
            }
            format!("has {}", named.join(", "))
        }
        (Outcome::BeyondLimit { rank }, _) => format!("let in as number {rank}, behind the limit"),
        (Outcome::NoWord, _) => "has none of the words".to_owned(),
        (Outcome::NoGate, _) => format!("lacks the rarest word, {gate}"),
        (Outcome::TooFewWords { matched, required }, _) => {
            format!("has {matched} of the words that occur, and {required} are asked for")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn hidden_characters_become_escapes_and_read_back_the_same() {
        let json = "{\"a\": \"x\u{202e}y\u{e0041}é\u{9b}\"}";
        let shown = harmless(json);
        assert_eq!(shown, "{\"a\": \"x\\u202ey\\udb40\\udc41é\\u009b\"}");
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(read(json), read(&shown));
    }
}
