//! What a tool's texts hold beside information: characters nobody sees, and orders to the model.

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};
use serde_json::Value;

use super::{Rule, Seen};
use crate::engine::report::Severity;
use crate::engine::text::{clip, hidden_characters};

/// Different characters that are named before the rest is counted.
const NAMED: usize = 6;
/// Of a text with orders in it, at most so many columns are quoted.
const QUOTED: usize = 100;

/// Wordings that tell the model what to do instead of what the tool does, each with whether honest descriptions use it
/// too.
const ORDERS: [(&str, bool); 10] = [
    (
        r"\b(ignore|disregard|forget|override)\b[^.]{0,40}\b(previous|prior|above|earlier|other|system|all)\b[^.]{0,30}\b(instructions?|prompts?|rules?|messages?)",
        false,
    ),
    (
        r"\b(do not|don't|never|without)\b[^.]{0,30}\b(tell|telling|inform|informing|mention|mentioning|notify|notifying|reveal|revealing|show|showing|alert|alerting)\b[^.]{0,30}\b(the )?(user|human|person|operator)",
        false,
    ),
    (r"\b(keep|hide)\b[^.]{0,30}\b(secret|hidden)\b[^.]{0,20}\bfrom\b[^.]{0,15}\b(user|human)", false),
    (r"<\s*/?\s*(important|system|instructions?|secret|admin|assistant)\s*>", false),
    (r"\[\s*/?\s*(inst|system)\s*\]|<\|im_(start|end)\|>|###\s*(system|instructions?)\b", false),
    (r"\byou are now\b|\bnew instructions?\s*:|\bact as (a|an|the)\b[^.]{0,30}\b(admin|root|system)", false),
    (
        r"\b(send|forward|post|upload|append|include|pass|put)\b[^.]{0,60}\b(ssh key|id_rsa|mcp\.json|conversation history|chat history)",
        false,
    ),
    (r"\b(read|open|cat|load)\b[^.]{0,40}(~/\.ssh|id_rsa|~/\.aws|/etc/passwd|\.env\b|mcp\.json)", false),
    (
        r"\b(always|must)\b[^.]{0,20}\b(call|use|run|invoke)\b[^.]{0,20}\bthis (tool|function)\b[^.]{0,20}\b(first|before)",
        true,
    ),
    (r"\bbefore (using|calling|running|invoking) (any|every|all) (other )?(tools?|functions?)", true),
];

static COMPILED: LazyLock<Vec<(Regex, bool)>> = LazyLock::new(|| {
    let compiled = ORDERS.iter().filter_map(|(pattern, common)| {
        let regex = RegexBuilder::new(pattern).case_insensitive(true).build().ok()?;
        Some((regex, *common))
    });
    compiled.collect()
});

/// Looks at every text of a tool, keys included.
pub(super) fn look(function: &Value, seen: &mut Vec<Seen>) {
    walk(function, "", seen);
}

fn walk(value: &Value, place: &str, seen: &mut Vec<Seen>) {
    match value {
        Value::String(text) => read(text, place, seen),
        Value::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                walk(item, &format!("{place}/{number}"), seen);
            }
        }
        Value::Object(members) => {
            for (name, item) in members {
                let place = format!("{place}/{}", name.replace('~', "~0").replace('/', "~1"));
                read(name, &place, seen);
                walk(item, &place, seen);
            }
        }
        _ => {}
    }
}

fn read(text: &str, place: &str, seen: &mut Vec<Seen>) {
    let hidden = hidden_characters(text);
    if !hidden.is_empty() {
        let text = hidden_text(&hidden);
        seen.push(Seen { rule: Rule::HiddenCharacters, place: place.to_owned(), text, severity: Severity::Warning });
    }
    // Orders need a few words.
    if text.len() < 12 {
        return;
    }
    let plain = plain(text, &hidden);
    let said = COMPILED.iter().find_map(|(order, common)| Some((order.find(&plain)?, *common)));
    if let Some((order, common)) = said {
        let quoted = clip(order.as_str(), QUOTED);
        let (text, severity) = match common {
            true => (format!("It wants to be called first: \"{quoted}\"."), Severity::Note),
            false => (
                format!("It gives the model orders: \"{quoted}\". Read it before you trust the server."),
                Severity::Warning,
            ),
        };
        seen.push(Seen { rule: Rule::Instructions, place: place.to_owned(), text, severity });
    }
}

/// As a model reads it: what is hidden inside words left out, tags as the letters they stand for, blanks as one.
fn plain(text: &str, hidden: &[char]) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if let Some(letter) = tagged(character) {
            out.push(letter);
        } else if character.is_whitespace() {
            if !out.ends_with(' ') {
                out.push(' ');
            }
        } else if !hidden.contains(&character) {
            out.push(character);
        }
    }
    out
}

/// The letter a tag character stands for.
fn tagged(character: char) -> Option<char> {
    let code = u32::from(character).checked_sub(0xe0000)?;
    (0x20..0x7f).contains(&code).then(|| char::from_u32(code)).flatten()
}

fn hidden_text(hidden: &[char]) -> String {
    let mut kinds: Vec<char> = Vec::new();
    for character in hidden {
        if !kinds.contains(character) {
            kinds.push(*character);
        }
    }
    let named: Vec<String> = kinds.iter().take(NAMED).map(|kind| format!("U+{:04X}", u32::from(*kind))).collect();
    let more = kinds.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more kinds") } else { String::new() };
    let count = hidden.len();
    let noun = if count == 1 { "character that nobody sees" } else { "characters that nobody sees" };
    let spelled: String = hidden.iter().filter_map(|character| tagged(*character)).collect();
    let spells =
        if spelled.is_empty() { String::new() } else { format!(" They spell: \"{}\".", clip(&spelled, QUOTED)) };
    format!("{count} {noun}, but the model reads: {}{more}.{spells}", named.join(", "))
}
