//! Strings we write, quoted so that both Python loaders read the very text back, in block and in flow.

use super::token::ScalarStyle;

/// Words that mean something else than themselves to a loader, in any case.
const WORDS: [&str; 10] = ["true", "false", "yes", "no", "on", "off", "y", "n", "null", "none"];

fn is_plain(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '-'))
        && !WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// The text as a scalar: plain where that is safe, unless `habit` is a quoted style.
pub(super) fn scalar(text: &str, habit: ScalarStyle) -> String {
    match habit {
        ScalarStyle::SingleQuoted if text.chars().all(|c| matches!(c, ' '..='~')) => {
            format!("'{}'", text.replace('\'', "''"))
        }
        ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => double(text),
        _ if is_plain(text) => text.to_owned(),
        _ => double(text),
    }
}

fn double(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\0'..='\x1f' | '\x7f' => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            '\u{80}'..='\u{a0}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
