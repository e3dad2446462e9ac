//! Scalars in quotes.

use super::super::token::{ScalarStyle, Scanned, TokenKind};
use super::Scanner;

const ESCAPE: &str = "this escape means nothing; write '\\\\' for a backslash";

impl Scanner<'_> {
    pub(super) fn quoted_scalar(&mut self) -> Scanned<()> {
        let start = self.cursor.at();
        let quote = self.cursor.byte(0).unwrap_or(b'"');
        let double = quote == b'"';
        self.cursor.advance();
        let mut text = String::new();
        loop {
            if self.cursor.column() == 0 && self.cursor.is_document_mark() {
                return self.fault("'---' or '...' inside quotes");
            }
            if self.cursor.is_end() {
                return Err(super::Fault { at: start, message: "a quote that is never closed" });
            }
            let mut folds = false;
            while !self.cursor.is_blank_or_end(0) {
                match self.cursor.peek() {
                    Some('\'') if !double && self.cursor.byte(1) == Some(b'\'') => {
                        text.push('\'');
                        self.cursor.skip(2);
                    }
                    Some(sign) if sign == char::from(quote) => break,
                    Some('\\') if double && self.cursor.is_break(1) => {
                        self.cursor.advance();
                        self.cursor.take_quoted_break();
                        folds = true;
                        break;
                    }
                    Some('\\') if double => self.escape(&mut text)?,
                    Some(sign) => {
                        text.push(sign);
                        self.cursor.advance();
                    }
                    None => break,
                }
            }
            if !folds && self.cursor.byte(0) == Some(quote) {
                break;
            }
            self.quoted_blanks(folds, &mut text);
        }
        self.cursor.advance();
        let style = if double { ScalarStyle::DoubleQuoted } else { ScalarStyle::SingleQuoted };
        self.push(TokenKind::Scalar { text, style }, start);
        Ok(())
    }

    /// Blanks and line ends between words: kept within a line, folded over line ends. `after_break`: a line end has
    /// been escaped right before.
    fn quoted_blanks(&mut self, after_break: bool, text: &mut String) {
        let start = self.cursor.at();
        let mut first = None;
        let mut others = String::new();
        let mut blanks = "";
        loop {
            if self.cursor.is_blank(0) {
                self.cursor.advance();
                if first.is_none() && !after_break {
                    blanks = self.cursor.since(start);
                }
            } else if let Some(sign) = self.cursor.take_quoted_break() {
                if first.is_none() && !after_break {
                    first = Some(sign);
                } else {
                    others.push(sign);
                }
            } else {
                break;
            }
        }
        match first {
            None if after_break => text.push_str(&others),
            None => text.push_str(blanks),
            Some('\n') if others.is_empty() => text.push(' '),
            Some('\n') => text.push_str(&others),
            Some(sign) => {
                text.push(sign);
                text.push_str(&others);
            }
        }
    }

    fn escape(&mut self, text: &mut String) -> Scanned<()> {
        let plain = match self.cursor.byte(1) {
            Some(b'0') => '\0',
            Some(b'a') => '\u{7}',
            Some(b'b') => '\u{8}',
            Some(b't' | b'\t') => '\t',
            Some(b'n') => '\n',
            Some(b'v') => '\u{b}',
            Some(b'f') => '\u{c}',
            Some(b'r') => '\r',
            Some(b'e') => '\u{1b}',
            Some(b' ') => ' ',
            Some(b'"') => '"',
            Some(b'/') => '/',
            Some(b'\\') => '\\',
            Some(b'N') => '\u{85}',
            Some(b'_') => '\u{a0}',
            Some(b'L') => '\u{2028}',
            Some(b'P') => '\u{2029}',
            Some(b'x') => return self.code(2, text),
            Some(b'u') => return self.code(4, text),
            Some(b'U') => return self.code(8, text),
            _ => return self.fault(ESCAPE),
        };
        text.push(plain);
        self.cursor.skip(2);
        Ok(())
    }

    /// `\x`, `\u` or `\U` with its digits. Python holds half of a surrogate pair as a character; we hold the pair as the
    /// character it stands for, and a half alone as U+FFFD.
    fn code(&mut self, digits: usize, text: &mut String) -> Scanned<()> {
        let value = self.digits(digits)?;
        let value = match value {
            0xd800..=0xdfff if self.grammar.is_libyaml() => return self.fault(ESCAPE),
            0xd800..=0xdbff => match self.low_half() {
                Some(low) => 0x10000 + ((value - 0xd800) << 10) + (low - 0xdc00),
                None => 0xfffd,
            },
            0xdc00..=0xdfff => 0xfffd,
            _ => value,
        };
        match char::from_u32(value) {
            Some(sign) => text.push(sign),
            None => return self.fault(ESCAPE),
        }
        Ok(())
    }

    fn digits(&mut self, count: usize) -> Scanned<u32> {
        self.cursor.skip(2);
        let start = self.cursor.at();
        while self.cursor.at() < start + count && self.cursor.byte(0).is_some_and(|digit| digit.is_ascii_hexdigit()) {
            self.cursor.advance();
        }
        let digits = self.cursor.since(start);
        match u32::from_str_radix(digits, 16) {
            Ok(value) if digits.len() == count => Ok(value),
            _ => self.fault(ESCAPE),
        }
    }

    /// Takes the second half of a surrogate pair, if that is what follows.
    fn low_half(&mut self) -> Option<u32> {
        let before = self.cursor.clone();
        if self.cursor.byte(0) == Some(b'\\')
            && self.cursor.byte(1) == Some(b'u')
            && let Ok(low @ 0xdc00..=0xdfff) = self.digits(4)
        {
            return Some(low);
        }
        self.cursor = before;
        None
    }
}
