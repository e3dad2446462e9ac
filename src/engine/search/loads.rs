//! `json.loads` of CPython 3.11: what it takes, and how it says that it does not.

use serde_json::Value as Json;

/// Why there is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LoadError {
    /// `str(JSONDecodeError)`.
    Python(String),
    /// Python takes it and we cannot hold it: `NaN`, half a surrogate pair, a number beyond all bounds.
    OutOfReach,
}

/// The value of a JSON text.
pub(super) fn loads(text: &str) -> Result<Json, LoadError> {
    let scanner = Scanner { text: text.chars().collect() };
    scanner.document().map_err(|(message, at)| LoadError::Python(scanner.located(message, at)))?;
    serde_json::from_str(text).map_err(|_| LoadError::OutOfReach)
}

/// What Python says, and at which character.
type Wrong = (&'static str, usize);

const VALUE: &str = "Expecting value";
const COMMA: &str = "Expecting ',' delimiter";
const KEY: &str = "Expecting property name enclosed in double quotes";

struct Scanner {
    text: Vec<char>,
}

impl Scanner {
    fn located(&self, message: &str, at: usize) -> String {
        let before = &self.text[..at.min(self.text.len())];
        let line = before.iter().filter(|character| **character == '\n').count() + 1;
        let column = match before.iter().rposition(|character| *character == '\n') {
            Some(feed) => at - feed,
            None => at + 1,
        };
        format!("{message}: line {line} column {column} (char {at})")
    }

    fn document(&self) -> Result<(), Wrong> {
        if self.text.first() == Some(&'\u{feff}') {
            return Err(("Unexpected UTF-8 BOM (decode using utf-8-sig)", 0));
        }
        // Open containers, true for an object: nesting takes no stack of ours.
        let mut open: Vec<bool> = Vec::new();
        let mut at = self.blanks(0);
        loop {
            // A value begins here, or an empty container ends.
            match self.text.get(at) {
                Some('{') => {
                    at = self.blanks(at + 1);
                    if self.text.get(at) == Some(&'}') {
                        at += 1;
                    } else {
                        open.push(true);
                        at = self.key(at)?;
                        continue;
                    }
                }
                Some('[') => {
                    at = self.blanks(at + 1);
                    if self.text.get(at) == Some(&']') {
                        at += 1;
                    } else {
                        open.push(false);
                        continue;
                    }
                }
                _ => at = self.scalar(at)?,
            }
            // A value ended here.
            loop {
                let next = self.blanks(at);
                let Some(object) = open.last() else {
                    return if next == self.text.len() { Ok(()) } else { Err(("Extra data", next)) };
                };
                match self.text.get(next) {
                    Some('}') if *object => {}
                    Some(']') if !*object => {}
                    Some(',') => {
                        at = self.blanks(next + 1);
                        if *object {
                            at = self.key(at)?;
                        }
                        break;
                    }
                    _ => return Err((COMMA, next)),
                }
                open.pop();
                at = next + 1;
            }
        }
    }

    fn blanks(&self, from: usize) -> usize {
        let blank = |character: &&char| matches!(character, ' ' | '\t' | '\n' | '\r');
        from + self.text[from.min(self.text.len())..].iter().take_while(blank).count()
    }

    /// A key and its colon; returns where the value begins.
    fn key(&self, at: usize) -> Result<usize, Wrong> {
        if self.text.get(at) != Some(&'"') {
            return Err((KEY, at));
        }
        let colon = self.blanks(self.string(at)?);
        if self.text.get(colon) != Some(&':') {
            return Err(("Expecting ':' delimiter", colon));
        }
        Ok(self.blanks(colon + 1))
    }

    fn scalar(&self, at: usize) -> Result<usize, Wrong> {
        match self.text.get(at) {
            Some('"') => self.string(at),
            _ => {
                for word in ["null", "true", "false", "NaN", "Infinity", "-Infinity"] {
                    if self.text[at.min(self.text.len())..].iter().take(word.len()).copied().eq(word.chars()) {
                        return Ok(at + word.len());
                    }
                }
                self.number(at).ok_or((VALUE, at))
            }
        }
    }

    fn number(&self, at: usize) -> Option<usize> {
        let digits = |from: usize| {
            from + self.text[from.min(self.text.len())..].iter().take_while(|digit| digit.is_ascii_digit()).count()
        };
        let first = if self.text.get(at) == Some(&'-') { at + 1 } else { at };
        let mut end = match self.text.get(first)? {
            '0' => first + 1,
            '1'..='9' => digits(first),
            _ => return None,
        };
        if self.text.get(end) == Some(&'.') && digits(end + 1) > end + 1 {
            end = digits(end + 1);
        }
        if matches!(self.text.get(end), Some('e' | 'E')) {
            let sign = usize::from(matches!(self.text.get(end + 1), Some('+' | '-')));
            if digits(end + 1 + sign) > end + 1 + sign {
                end = digits(end + 1 + sign);
            }
        }
        Some(end)
    }

    /// A string whose quote opens at `start`; returns what follows it.
    fn string(&self, start: usize) -> Result<usize, Wrong> {
        const ESCAPE: &str = "Invalid \\uXXXX escape";
        let unterminated = ("Unterminated string starting at", start);
        let mut at = start + 1;
        loop {
            match self.text.get(at).ok_or(unterminated)? {
                '"' => return Ok(at + 1),
                '\\' => match self.text.get(at + 1).ok_or(unterminated)? {
                    'u' => {
                        // One more character has to follow the four.
                        if at + 6 >= self.text.len() || !self.text[at + 2..at + 6].iter().all(char::is_ascii_hexdigit) {
                            return Err((ESCAPE, at + 1));
                        }
                        at += 6;
                    }
                    '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' => at += 2,
                    _ => return Err(("Invalid \\escape", at)),
                },
                '\0'..='\x1f' => return Err(("Invalid control character at", at)),
                _ => at += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LoadError, loads};

    /// What CPython 3.11 says.
    #[test]
    fn errors_are_pythons() {
        for (text, said) in [
            ("", "Expecting value: line 1 column 1 (char 0)"),
            ("{", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
            ("{\"a\"", "Expecting ':' delimiter: line 1 column 5 (char 4)"),
            ("{\"a\": }", "Expecting value: line 1 column 7 (char 6)"),
            ("{\"a\": 1,}", "Expecting property name enclosed in double quotes: line 1 column 9 (char 8)"),
            ("{\"a\": 1 \"b\"}", "Expecting ',' delimiter: line 1 column 9 (char 8)"),
            ("[1,\n 2", "Expecting ',' delimiter: line 2 column 3 (char 6)"),
            ("[1,]", "Expecting value: line 1 column 4 (char 3)"),
            ("[", "Expecting value: line 1 column 2 (char 1)"),
            ("{'a': 1}", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
            ("{} x", "Extra data: line 1 column 4 (char 3)"),
            ("01", "Extra data: line 1 column 2 (char 1)"),
            ("-", "Expecting value: line 1 column 1 (char 0)"),
            ("\"é", "Unterminated string starting at: line 1 column 1 (char 0)"),
            ("\"a\nb\"", "Invalid control character at: line 1 column 3 (char 2)"),
            ("\"\\x\"", "Invalid \\escape: line 1 column 2 (char 1)"),
            ("\"\\u12\"", "Invalid \\uXXXX escape: line 1 column 3 (char 2)"),
            ("nul", "Expecting value: line 1 column 1 (char 0)"),
        ] {
            assert_eq!(loads(text), Err(LoadError::Python(said.to_owned())), "{text}");
        }
    }

    #[test]
    fn values_are_read_and_what_we_cannot_hold_is_no_error_of_the_text() {
        let text = " {\"a\": [1, 2.5e3, {}, [], \"\\u00e9\\n\", null, true], \"a\": -0.5} ";
        assert_eq!(loads(text), Ok(serde_json::json!({"a": -0.5})));
        for text in ["NaN", "[-Infinity]", "\"\\ud800 \""] {
            assert_eq!(loads(text), Err(LoadError::OutOfReach), "{text}");
        }
    }
}
