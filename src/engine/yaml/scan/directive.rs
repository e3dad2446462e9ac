//! Lines that start with `%`.

use super::super::token::{Scanned, TokenKind};
use super::Scanner;
use super::name::is_word;

const WRONG: &str = "this is no '%YAML' or '%TAG' line as it should be";

impl Scanner<'_> {
    pub(super) fn directive(&mut self) -> Scanned<()> {
        self.close_all()?;
        let start = self.cursor.at();
        self.cursor.advance();
        let name_start = self.cursor.at();
        let more = |sign: char| !self.grammar.is_libyaml() && matches!(sign, ':' | '.');
        let length = self.cursor_word_length(more);
        self.cursor.skip(length);
        let name = self.cursor.since(name_start);
        if name.is_empty() || !self.cursor.is_blank_or_end(0) {
            return self.fault(WRONG);
        }
        let kind = match name {
            "YAML" => self.version()?,
            "TAG" => self.tag_directive()?,
            _ if self.grammar.is_libyaml() => return self.fault("Hermes knows no such '%' line"),
            _ => {
                self.cursor.skip_line_rest();
                TokenKind::OtherDirective
            }
        };
        self.push(kind, start);
        self.skip_blanks();
        if self.cursor.byte(0) == Some(b'#') {
            self.cursor.skip_line_rest();
        }
        if !self.cursor.is_break_or_end(0) {
            return self.fault(WRONG);
        }
        self.cursor.take_break();
        Ok(())
    }

    fn cursor_word_length(&self, more: impl Fn(char) -> bool) -> usize {
        let mut ahead = self.cursor.clone();
        let mut length = 0;
        while ahead.peek().is_some_and(|sign| is_word(sign) || more(sign)) {
            ahead.advance();
            length += 1;
        }
        length
    }

    fn skip_blanks(&mut self) {
        while self.cursor.byte(0) == Some(b' ') || self.grammar.is_libyaml() && self.cursor.is_blank(0) {
            self.cursor.advance();
        }
    }

    fn version(&mut self) -> Scanned<TokenKind> {
        self.skip_blanks();
        let major = self.number()?;
        if self.cursor.byte(0) != Some(b'.') {
            return self.fault(WRONG);
        }
        self.cursor.advance();
        let minor = self.number()?;
        Ok(TokenKind::Version { major, minor })
    }

    fn number(&mut self) -> Scanned<u32> {
        let start = self.cursor.at();
        while self.cursor.byte(0).is_some_and(|digit| digit.is_ascii_digit()) {
            self.cursor.advance();
        }
        self.cursor.since(start).parse().or_else(|_| self.fault(WRONG))
    }

    fn tag_directive(&mut self) -> Scanned<TokenKind> {
        self.skip_blanks();
        if self.cursor.byte(0) != Some(b'!') {
            return self.fault(WRONG);
        }
        let handle = self.handle_start();
        if handle.len() > 1 && !handle.ends_with('!') || !self.cursor.is_blank(0) {
            return self.fault(WRONG);
        }
        self.skip_blanks();
        let prefix = self.uri(true)?;
        if prefix.is_empty() || !self.cursor.is_blank_or_end(0) {
            return self.fault(WRONG);
        }
        Ok(TokenKind::TagDirective { handle, prefix })
    }
}
