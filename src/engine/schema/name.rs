//! The name a server's tool is registered under, and its description.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::engine::rules::SchemaRules;

/// Hexadecimal digits of the hash at the end of a name that was cut.
const HASH_DIGITS: usize = 8;

/// `mcp__<server>__<tool>`, every other character than a letter of ASCII, a digit and `_` replaced by `_`. Longer ones
/// than the rules allow keep their beginning and end with a hash of the whole name.
pub fn registered_name(server: &str, tool: &str, rules: &SchemaRules) -> String {
    let name = format!("mcp__{}__{}", component(server), component(tool));
    let Some(limit) = rules.name_limit.filter(|limit| name.len() > *limit) else { return name };
    let mut hash = String::with_capacity(HASH_DIGITS);
    for byte in Sha256::digest(name.as_bytes()).iter().take(HASH_DIGITS / 2) {
        // Writing into a string does not fail.
        let _ = write!(hash, "{byte:02x}");
    }
    format!("{}_{hash}", &name[..limit.saturating_sub(HASH_DIGITS + 1)])
}

fn component(text: &str) -> String {
    text.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect()
}

/// The description that is sent: the server's, or one that names tool and server.
pub(super) fn description(server: &str, tool: &str, told: &str, rules: &SchemaRules) -> String {
    let text = if told.is_empty() { format!("MCP tool {tool} from {server}") } else { told.to_owned() };
    if rules.tags_removed && text.contains(is_tag) { without_tags(&text) } else { text }
}

/// Characters nobody sees and a model reads.
fn is_tag(character: char) -> bool {
    ('\u{e0000}'..='\u{e007f}').contains(&character)
}

/// Without tag characters, those of a flag (black flag, tags, cancel tag) excepted.
fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let length = flag_length(rest).unwrap_or(character.len_utf8());
        if length > character.len_utf8() || !is_tag(character) {
            out.push_str(&rest[..length]);
        }
        rest = &rest[length..];
    }
    out
}

/// Bytes of a whole flag of a part of a country at the beginning of a text.
fn flag_length(text: &str) -> Option<usize> {
    let tags = text.strip_prefix('\u{1f3f4}')?;
    let after = tags.trim_start_matches(|tag| ('\u{e0020}'..='\u{e007e}').contains(&tag));
    let rest = after.strip_prefix('\u{e007f}').filter(|_| after.len() < tags.len())?;
    Some(text.len() - rest.len())
}
