//! JSON values as Python's `str` and `repr` print them: in what the host says about arguments.

use serde_json::Value as Json;

use crate::engine::pyjson;

/// Python's truth of a value.
pub(super) fn is_truthy(value: &Json) -> bool {
    match value {
        Json::Null => false,
        Json::Bool(on) => *on,
        Json::Number(number) => number.as_f64() != Some(0.0),
        Json::String(text) => !text.is_empty(),
        Json::Array(items) => !items.is_empty(),
        Json::Object(members) => !members.is_empty(),
    }
}

/// `str(value)`.
pub(super) fn text(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        other => repr(other),
    }
}

/// `repr(value)`.
pub(super) fn repr(value: &Json) -> String {
    let mut out = String::new();
    push(&mut out, value);
    out
}

fn push(out: &mut String, value: &Json) {
    match value {
        Json::Null => out.push_str("None"),
        Json::Bool(true) => out.push_str("True"),
        Json::Bool(false) => out.push_str("False"),
        Json::Number(number) => {
            let json = number.to_string();
            out.push_str(&pyjson::python_text(&json).unwrap_or(json));
        }
        Json::String(text) => push_text(out, text),
        Json::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                push(out, item);
            }
            out.push(']');
        }
        Json::Object(members) => {
            out.push('{');
            for (at, (key, item)) in members.iter().enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                push_text(out, key);
                out.push_str(": ");
                push(out, item);
            }
            out.push('}');
        }
    }
}

fn push_text(out: &mut String, text: &str) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if character == quote => {
                out.push('\\');
                out.push(character);
            }
            ' '..='~' => out.push(character),
            _ if is_printable(character) => out.push(character),
            '\0'..='\u{ff}' => out.push_str(&format!("\\x{:02x}", u32::from(character))),
            '\0'..='\u{ffff}' => out.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => out.push_str(&format!("\\U{:08x}", u32::from(character))),
        }
    }
    out.push(quote);
}

/// Whether `str.isprintable` holds of a character that is not ASCII.
fn is_printable(character: char) -> bool {
    // Rust escapes what is not printable; marks it would escape at the start only, so they do not stand there.
    let mut text = String::from("x");
    text.push(character);
    !text.escape_debug().any(|escaped| escaped == '\\')
}

#[cfg(test)]
mod tests {
    use super::{repr, text};

    #[test]
    fn values_are_printed_as_python_prints_them() {
        let value = serde_json::json!({"a": [1, 2.0, true, null, "it's"], "é\u{301}": "\u{200b}\u{7f}\n\"'"});
        let printed = r#"{'a': [1, 2.0, True, None, "it's"], 'é́': '\u200b\x7f\n"\''}"#;
        assert_eq!(repr(&value), printed);
        assert_eq!(text(&serde_json::json!("it's")), "it's");
        assert_eq!(text(&serde_json::json!(1e16)), "1e+16");
    }
}
