//! What a scalar means: the implicit rules of the two loaders, written down from their resolver tables.
//!
//! PyYAML's safe loader (Hermes 0.19) has one set; ruamel.yaml's (Hermes 0.22) has two. By YAML 1.1 it adds `y` and `n`,
//! `1e3`, and a looser `.5`; by YAML 1.2 `on` and `yes` are text, `017` is seventeen, and nothing counts by sixties.
//! `tests/data/yaml/table.json` holds the answers of both; a test compares every one.

use crate::engine::value::Value;

use super::grammar::Grammar;
use super::number::{self, Big};
use super::time;

/// What an implicit rule made of a plain scalar.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Plain {
    Value(Value),
    /// `<<`: a merge, as a key; no constructor as a value.
    Merge,
    /// `=`: text as a key, no constructor as a value.
    Equals,
}

/// Resolves a plain scalar. The error is the message Python's failure amounts to.
pub(super) fn plain(text: &str, grammar: Grammar) -> Result<Plain, String> {
    let value = match text {
        "<<" => return Ok(Plain::Merge),
        "=" => return Ok(Plain::Equals),
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        _ => {
            if let Some(value) = boolean(text, grammar) {
                Value::Bool(value)
            } else if !text.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '-' | '+' | '.')) {
                Value::Str(text.to_owned())
            } else if is_float(text, grammar) {
                float(text, grammar)?
            } else if is_int(text, grammar) {
                int(text, grammar)?
            } else if time::looks_like(text) {
                time::parse(text, grammar)?
            } else {
                Value::Str(text.to_owned())
            }
        }
    };
    Ok(Plain::Value(value))
}

fn boolean(text: &str, grammar: Grammar) -> Option<bool> {
    match text {
        "true" | "True" | "TRUE" => Some(true),
        "false" | "False" | "FALSE" => Some(false),
        _ if grammar.is_yaml12() => None,
        "yes" | "Yes" | "YES" | "on" | "On" | "ON" => Some(true),
        "no" | "No" | "NO" | "off" | "Off" | "OFF" => Some(false),
        "y" | "Y" if !grammar.is_pyyaml() => Some(true),
        "n" | "N" if !grammar.is_pyyaml() => Some(false),
        _ => None,
    }
}

/// The boolean an explicit `!!bool` tag gives: any case, and the words of 1.1 in 1.2 too.
pub(super) fn tagged_bool(text: &str, grammar: Grammar) -> Result<Value, String> {
    let words = if grammar.is_pyyaml() { grammar } else { Grammar::Ruamel };
    boolean(&text.to_ascii_lowercase(), words).map(Value::Bool).ok_or_else(|| "this is no boolean".to_owned())
}

fn is_float(text: &str, grammar: Grammar) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    // `.5` takes no sign in 1.1; the exponent behind it needs one.
    if let Some(rest) = if grammar.is_yaml12() { unsigned } else { text }.strip_prefix('.') {
        let digits = run(rest, |c| c.is_ascii_digit() || c == '_');
        let starts_right = !grammar.is_pyyaml() || rest.starts_with(|c: char| c.is_ascii_digit());
        return digits > 0 && starts_right && exponent(&rest[digits..], true, true);
    }
    if !unsigned.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let whole = run(unsigned, |c| c.is_ascii_digit() || c == '_');
    let rest = &unsigned[whole..];
    if let Some(fraction) = rest.strip_prefix('.') {
        let digits = run(fraction, |c| c.is_ascii_digit() || c == '_');
        return exponent(&fraction[digits..], grammar.is_pyyaml(), true);
    }
    if rest.starts_with(':') && !grammar.is_yaml12() {
        // Base 60 with a fraction: the last colon group is followed by a point.
        return rest
            .rsplit_once('.')
            .is_some_and(|(groups, tail)| sixties(groups) && tail.chars().all(|c| c.is_ascii_digit() || c == '_'));
    }
    !grammar.is_pyyaml() && exponent(rest, false, false)
}

/// Whether `rest` is an exponent to the end, or nothing at all where that is allowed.
fn exponent(rest: &str, needs_sign: bool, may_lack: bool) -> bool {
    let Some(digits) = rest.strip_prefix(['e', 'E']) else { return may_lack && rest.is_empty() };
    let unsigned = digits.strip_prefix(['-', '+']);
    if needs_sign && unsigned.is_none() {
        return false;
    }
    let digits = unsigned.unwrap_or(digits);
    !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
}

/// One or more `:NN` groups below sixty.
fn sixties(groups: &str) -> bool {
    let Some(rest) = groups.strip_prefix(':') else { return false };
    rest.split(':').all(|group| match group.as_bytes() {
        [digit] => digit.is_ascii_digit(),
        [tens, digit] => (b'0'..=b'5').contains(tens) && digit.is_ascii_digit(),
        _ => false,
    })
}

fn run(text: &str, accept: impl Fn(char) -> bool) -> usize {
    text.find(|c| !accept(c)).unwrap_or(text.len())
}

fn is_int(text: &str, grammar: Grammar) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let all = |rest: &str, accept: fn(u8) -> bool| !rest.is_empty() && rest.bytes().all(accept);
    if let Some(rest) = unsigned.strip_prefix("0b") {
        return all(rest, |b| matches!(b, b'0' | b'1' | b'_'));
    }
    if let Some(rest) = unsigned.strip_prefix("0x") {
        return all(rest, |b| b.is_ascii_hexdigit() || b == b'_');
    }
    if grammar.is_yaml12() {
        let octal = unsigned.strip_prefix("0o").is_some_and(|rest| all(rest, |b| matches!(b, b'0'..=b'7' | b'_')));
        return octal || all(unsigned, |b| b.is_ascii_digit() || b == b'_');
    }
    let octal = if grammar.is_pyyaml() { unsigned.strip_prefix('0').unwrap_or_default() } else { unsigned };
    if unsigned == "0" || all(octal, |b| matches!(b, b'0'..=b'7' | b'_')) {
        return true;
    }
    if !unsigned.starts_with(|c: char| matches!(c, '1'..='9')) {
        return false;
    }
    let whole = run(unsigned, |c| c.is_ascii_digit() || c == '_');
    let rest = &unsigned[whole..];
    rest.is_empty() || sixties(rest)
}

/// Python's reading of an integer the rules accepted, or of the text of an explicit `!!int`.
pub(super) fn int(text: &str, grammar: Grammar) -> Result<Value, String> {
    let wrong = || "this is no integer".to_owned();
    let plain = text.replace('_', "");
    let (negative, digits) = match plain.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, plain.strip_prefix('+').unwrap_or(&plain)),
    };
    let big = if digits == "0" {
        Big::default()
    } else if let Some(rest) = digits.strip_prefix("0b") {
        Big::from_radix(rest, 2).ok_or_else(wrong)?
    } else if let Some(rest) = digits.strip_prefix("0x") {
        Big::from_radix(rest, 16).ok_or_else(wrong)?
    } else if let Some(rest) =
        digits.strip_prefix("0o").or_else(|| digits.strip_prefix('0').filter(|_| !grammar.is_yaml12()))
    {
        Big::from_radix(rest, 8).ok_or_else(wrong)?
    } else {
        if grammar.is_yaml12() && digits.contains(':') {
            return Err(wrong());
        }
        let mut groups = digits.split(':');
        let first = groups.next().unwrap_or_default();
        // Python refuses to convert longer decimal text.
        if first.len() > 4300 {
            return Err("an integer of more than 4300 digits".to_owned());
        }
        let mut value = Big::from_radix(first, 10).ok_or_else(wrong)?;
        for group in groups {
            value.mul_add(60, group.parse().map_err(|_| wrong())?);
        }
        value
    };
    let text = big.to_string();
    Ok(Value::Int(if negative && text != "0" { format!("-{text}") } else { text }))
}

/// Python's reading of a float the rules accepted, or of the text of an explicit `!!float`.
pub(super) fn float(text: &str, grammar: Grammar) -> Result<Value, String> {
    let wrong = || "this is no number".to_owned();
    let plain = text.replace('_', "").to_ascii_lowercase();
    let (sign, digits) = match plain.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, plain.strip_prefix('+').unwrap_or(&plain)),
    };
    let value = match digits {
        ".inf" => f64::INFINITY,
        ".nan" => f64::NAN,
        _ if digits.contains(':') && !grammar.is_yaml12() => {
            // The same order of additions as the loaders', so that rounding agrees.
            let mut base = 1.0;
            let mut value = 0.0;
            for group in digits.split(':').rev() {
                value += group.parse::<f64>().map_err(|_| wrong())? * base;
                base *= 60.0;
            }
            value
        }
        _ => digits.parse::<f64>().map_err(|_| wrong())?,
    };
    Ok(Value::Float(number::float_repr(sign * value)))
}
