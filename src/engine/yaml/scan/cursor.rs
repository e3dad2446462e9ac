//! Where the scanner is in the text, and what stands there.

use crate::engine::yaml::lines;

/// A place in the text; moves forward only.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    /// In characters.
    column: isize,
    /// Characters passed, a line end counting as one.
    index: usize,
    /// libyaml counts a byte order mark as a column, and starts a new line behind U+0085, U+2028 and U+2029; to
    /// ruamel.yaml these end lines too, but what follows keeps counting lines and columns from where it was.
    libyaml: bool,
    pub(super) odd_break: bool,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, start: usize, libyaml: bool) -> Self {
        Self { text, at: start, line: 0, column: 0, index: 0, libyaml, odd_break: false }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn line(&self) -> usize {
        self.line
    }

    pub(super) fn column(&self) -> isize {
        self.column
    }

    pub(super) fn index(&self) -> usize {
        self.index
    }

    /// The text from `start` to here.
    pub(super) fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The byte `ahead` bytes from here; only meaningful behind ASCII.
    pub(super) fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    pub(super) fn is_byte_order_mark(&self) -> bool {
        self.rest().starts_with('\u{feff}')
    }

    pub(super) fn is_blank(&self, ahead: usize) -> bool {
        matches!(self.byte(ahead), Some(b' ' | b'\t'))
    }

    pub(super) fn is_break(&self, ahead: usize) -> bool {
        lines::break_length(self.text, self.at + ahead) > 0
    }

    pub(super) fn is_end(&self) -> bool {
        self.at >= self.text.len()
    }

    pub(super) fn is_break_or_end(&self, ahead: usize) -> bool {
        self.byte(ahead).is_none() || self.is_break(ahead)
    }

    pub(super) fn is_blank_or_end(&self, ahead: usize) -> bool {
        self.is_blank(ahead) || self.is_break_or_end(ahead)
    }

    /// `---` or `...` with nothing right behind it, asked at the margin.
    pub(super) fn is_document_mark(&self) -> bool {
        let rest = self.rest();
        (rest.starts_with("---") || rest.starts_with("...")) && self.is_blank_or_end(3)
    }

    /// Over one character that is no line end.
    pub(super) fn advance(&mut self) {
        let Some(sign) = self.peek() else { return };
        self.at += sign.len_utf8();
        self.index += 1;
        if sign != '\u{feff}' || self.libyaml {
            self.column += 1;
        }
    }

    pub(super) fn skip(&mut self, count: usize) {
        for _ in 0..count {
            self.advance();
        }
    }

    pub(super) fn skip_line_rest(&mut self) {
        while !self.is_break_or_end(0) {
            self.advance();
        }
    }

    /// Over a line end, giving what a scalar keeps of it: a line feed, or U+2028 and U+2029 themselves.
    pub(super) fn take_break(&mut self) -> Option<char> {
        let taken = self.take_quoted_break()?;
        self.odd_break |= !self.text[..self.at].ends_with(['\n', '\r']);
        Some(taken)
    }

    /// The same inside quotes, where an odd line end is nothing but content.
    pub(super) fn take_quoted_break(&mut self) -> Option<char> {
        let length = lines::break_length(self.text, self.at);
        if length == 0 {
            return None;
        }
        let sign = self.peek()?;
        self.at += length;
        self.index += 1;
        if self.libyaml || matches!(sign, '\n' | '\r') {
            self.line += 1;
            self.column = 0;
        } else {
            self.column += 1;
        }
        Some(if matches!(sign, '\u{2028}' | '\u{2029}') { sign } else { '\n' })
    }
}
