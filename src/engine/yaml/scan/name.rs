//! Anchors, aliases and tags.

use super::super::grammar::Grammar;
use super::super::token::{Scanned, TokenKind};
use super::Scanner;

const TAG: &str = "this is no tag; quote text that starts with '!'";

impl Scanner<'_> {
    pub(super) fn anchor_or_alias(&mut self) -> Scanned<()> {
        let start = self.cursor.at();
        let is_alias = self.cursor.byte(0) == Some(b'*');
        self.cursor.advance();
        let name_start = self.cursor.at();
        while self.cursor.peek().is_some_and(|sign| self.is_name_sign(sign)) {
            self.cursor.advance();
        }
        let name = self.cursor.since(name_start).to_owned();
        let ends_well = self.cursor.is_blank_or_end(0)
            || match self.cursor.byte(0) {
                Some(b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`') => true,
                Some(b'[' | b'{') => !self.grammar.is_libyaml(),
                _ => false,
            };
        if name.is_empty() || !ends_well {
            return self.fault("this is no name of an anchor; quote text that starts with '&' or '*'");
        }
        self.push(if is_alias { TokenKind::Alias(name) } else { TokenKind::Anchor(name) }, start);
        Ok(())
    }

    fn is_name_sign(&self, sign: char) -> bool {
        if self.grammar.is_libyaml() {
            return is_word(sign);
        }
        match sign {
            ',' | '[' | ']' | '{' | '}' | '\u{feff}' => false,
            '!'..='~' | '\u{a0}'..='\u{fffd}' => true,
            _ => sign >= '\u{10000}',
        }
    }

    pub(super) fn tag(&mut self) -> Scanned<()> {
        let start = self.cursor.at();
        let (handle, suffix) = if self.grammar.is_libyaml() { self.libyaml_tag()? } else { self.ruamel_tag()? };
        let ends_well = match self.grammar {
            Grammar::Libyaml2 => self.cursor.is_blank_or_end(0) || self.in_flow() && self.cursor.byte(0) == Some(b','),
            Grammar::Libyaml1 => self.cursor.is_blank_or_end(0),
            Grammar::Ruamel | Grammar::Ruamel12 => self.cursor.byte(0) == Some(b' ') || self.cursor.is_break_or_end(0),
        };
        if !ends_well {
            return self.fault(TAG);
        }
        self.push(TokenKind::Tag { handle, suffix }, start);
        Ok(())
    }

    fn libyaml_tag(&mut self) -> Scanned<(String, String)> {
        if self.cursor.byte(1) == Some(b'<') {
            self.cursor.skip(2);
            return self.verbatim();
        }
        let handle = self.handle_start();
        if handle.len() > 1 && handle.ends_with('!') {
            let suffix = self.uri(self.grammar == Grammar::Libyaml1)?;
            return if suffix.is_empty() { self.fault(TAG) } else { Ok((handle, suffix)) };
        }
        // No handle after all: what was read is the start of the suffix.
        let suffix = format!("{}{}", &handle[1..], self.uri(self.grammar == Grammar::Libyaml1)?);
        Ok(if suffix.is_empty() { (String::new(), "!".to_owned()) } else { ("!".to_owned(), suffix) })
    }

    fn ruamel_tag(&mut self) -> Scanned<(String, String)> {
        let mut short = "!";
        if self.cursor.byte(1) == Some(b'!') {
            short = "!!";
            self.cursor.advance();
        }
        if self.cursor.byte(1) == Some(b'<') {
            self.cursor.skip(2);
            return self.verbatim();
        }
        if self.cursor.is_blank_or_end(1) {
            self.cursor.advance();
            return Ok((String::new(), short.to_owned()));
        }
        let mut ahead = self.cursor.clone();
        ahead.advance();
        while !matches!(ahead.byte(0), Some(b' ' | b'!')) && !ahead.is_break_or_end(0) {
            ahead.advance();
        }
        let handle = if ahead.byte(0) == Some(b'!') {
            self.handle_start()
        } else {
            self.cursor.advance();
            short.to_owned()
        };
        if handle != short && (handle.len() < 2 || !handle.ends_with('!')) {
            return self.fault(TAG);
        }
        let suffix = self.uri(true)?;
        if suffix.is_empty() { self.fault(TAG) } else { Ok((handle, suffix)) }
    }

    /// `!<...>` behind its opening.
    fn verbatim(&mut self) -> Scanned<(String, String)> {
        let suffix = self.uri(true)?;
        if suffix.is_empty() || self.cursor.byte(0) != Some(b'>') {
            return self.fault(TAG);
        }
        self.cursor.advance();
        Ok((String::new(), suffix))
    }

    /// `!`, `!!` or `!name!`, or as much of one as there is.
    pub(super) fn handle_start(&mut self) -> String {
        let start = self.cursor.at();
        self.cursor.advance();
        while self.cursor.peek().is_some_and(is_word) {
            self.cursor.advance();
        }
        if self.cursor.byte(0) == Some(b'!') {
            self.cursor.advance();
        }
        self.cursor.since(start).to_owned()
    }

    /// A tag's own characters, escapes decoded; empty if there are none.
    pub(super) fn uri(&mut self, brackets: bool) -> Scanned<String> {
        let mut out = String::new();
        while let Some(sign) = self.cursor.peek() {
            match sign {
                '%' => self.uri_escapes(&mut out)?,
                ',' | '[' | ']' if !brackets => break,
                '#' if self.grammar.is_yaml12() => {
                    out.push(sign);
                    self.cursor.advance();
                }
                _ if is_word(sign) || ";/?:@&=+$,.!~*'()[]".contains(sign) => {
                    out.push(sign);
                    self.cursor.advance();
                }
                _ => break,
            }
        }
        Ok(out)
    }

    /// A run of `%XX`, which spell UTF-8.
    fn uri_escapes(&mut self, out: &mut String) -> Scanned<()> {
        let mut bytes = Vec::new();
        while self.cursor.byte(0) == Some(b'%') {
            self.cursor.advance();
            let start = self.cursor.at();
            while self.cursor.at() < start + 2 && self.cursor.byte(0).is_some_and(|digit| digit.is_ascii_hexdigit()) {
                self.cursor.advance();
            }
            match u8::from_str_radix(self.cursor.since(start), 16) {
                Ok(byte) if self.cursor.at() == start + 2 => bytes.push(byte),
                _ => return self.fault("'%' in a tag needs two hexadecimal digits behind it"),
            }
        }
        match std::str::from_utf8(&bytes) {
            Ok(text) => out.push_str(text),
            Err(_) => return self.fault("the escapes in this tag spell no character"),
        }
        Ok(())
    }
}

pub(super) fn is_word(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || matches!(sign, '-' | '_')
}
