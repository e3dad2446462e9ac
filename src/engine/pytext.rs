//! Python's ideas about text, where they differ from Rust's: what is blank, what a word is, what a number is.

/// Whether `str.isspace` holds, which `str.split`, `str.strip` and `\s` go by. Unlike Rust it counts the four
/// information separators.
pub fn is_space(character: char) -> bool {
    character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
}

/// `text.strip()`.
pub fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// `" ".join(text.split())`.
pub fn joined_words(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    for word in text.split(is_space).filter(|word| !word.is_empty()) {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    joined
}

/// Whether `\w` matches.
pub fn is_word(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

/// A decimal number without the underscores Python allows between digits; `None` where they stand elsewhere.
fn without_underscores(text: &str) -> Option<String> {
    let digit = |at: Option<usize>| at.and_then(|at| text.as_bytes().get(at)).is_some_and(u8::is_ascii_digit);
    let well_placed = text.match_indices('_').all(|(at, _)| digit(at.checked_sub(1)) && digit(at.checked_add(1)));
    well_placed.then(|| text.replace('_', ""))
}

/// `int(text)`, with what is beyond `i64` at its ends. `None` where Python raises `ValueError`.
pub fn int(text: &str) -> Option<i64> {
    /// `sys.get_int_max_str_digits`.
    const MAX_DIGITS: usize = 4300;
    let text = without_underscores(strip(text))?;
    let digits = text.strip_prefix(['+', '-']).unwrap_or(&text);
    if digits.is_empty() || digits.len() > MAX_DIGITS || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(text.parse().unwrap_or(if text.starts_with('-') { i64::MIN } else { i64::MAX }))
}

/// `float(text)`. `None` where Python raises `ValueError`.
pub fn float(text: &str) -> Option<f64> {
    without_underscores(strip(text))?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{float, int, joined_words, strip};

    #[test]
    fn numbers_in_text_are_those_python_takes() {
        for (text, value) in [
            ("5", Some(5)),
            (" +5\n", Some(5)),
            ("-0", Some(0)),
            ("1_000", Some(1000)),
            ("1__0", None),
            ("_1", None),
            ("5.0", None),
            ("", None),
            ("0x10", None),
            ("99999999999999999999", Some(i64::MAX)),
        ] {
            assert_eq!(int(text), value, "{text}");
        }
        assert_eq!(float(" 1_0.5e1 "), Some(105.0));
        assert_eq!(float(".5"), Some(0.5));
        assert_eq!(float("1_.5"), None);
        assert!(float("nan").is_some_and(f64::is_nan));
    }

    #[test]
    fn blanks_are_pythons() {
        assert_eq!(joined_words("\u{1c}a \u{85}b\u{3000}\nc\u{1f}"), "a b c");
        assert_eq!(strip("\u{1e} x\u{a0}"), "x");
    }
}
