//! Plain scalars, and those behind `|` and `>`.

use super::super::grammar::Grammar;
use super::super::token::{Fault, ScalarStyle, Scanned, Token, TokenKind};
use super::Scanner;

/// What a block scalar keeps of the line ends behind it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomp {
    Strip,
    Clip,
    Keep,
}

impl Scanner<'_> {
    pub(super) fn plain_scalar(&mut self) -> Scanned<()> {
        let start = self.cursor.at();
        let mut end = start;
        let mut text = String::new();
        let mut between = String::new();
        let mut breaks = false;
        let least = self.indent + 1;
        loop {
            if self.cursor.column() == 0 && self.cursor.is_document_mark() || self.cursor.byte(0) == Some(b'#') {
                break;
            }
            let run = self.cursor.at();
            while !self.ends_plain()? {
                self.cursor.advance();
            }
            if self.cursor.at() > run {
                text.push_str(&between);
                text.push_str(self.cursor.since(run));
                end = self.cursor.at();
                breaks = false;
            } else if !self.grammar.is_libyaml() {
                break;
            }
            // libyaml keeps what it read between words where a run is empty; it ends there all the same.
            match self.plain_blanks(least)? {
                Some((blanks, broke)) => {
                    between = blanks;
                    breaks |= broke;
                }
                None => break,
            }
            if !self.in_flow() && self.cursor.column() < least {
                break;
            }
        }
        if breaks {
            self.may_start_key = true;
        }
        self.tokens.push_back(Token { kind: TokenKind::Scalar { text, style: ScalarStyle::Plain }, start, end });
        Ok(())
    }

    /// Whether a plain scalar ends at the cursor, or pauses at a blank.
    fn ends_plain(&self) -> Scanned<bool> {
        if self.cursor.is_blank_or_end(0) {
            return Ok(true);
        }
        let (sign, flow) = (self.cursor.byte(0), self.in_flow());
        if sign == Some(b':') {
            let next = self.cursor.byte(1);
            let ends = self.cursor.is_blank_or_end(1);
            let unexpected = match self.grammar {
                Grammar::Libyaml2 => matches!(next, Some(b',' | b'?' | b'[' | b']' | b'{' | b'}')),
                Grammar::Libyaml1 => !ends,
                Grammar::Ruamel | Grammar::Ruamel12 => false,
            };
            if flow && unexpected {
                return self.fault("a ':' without a blank behind it; quote the text");
            }
            return Ok(ends);
        }
        let question = sign == Some(b'?') && matches!(self.grammar, Grammar::Libyaml1 | Grammar::Ruamel);
        Ok(flow && (question || matches!(sign, Some(b',' | b'[' | b']' | b'{' | b'}'))))
    }

    /// What stands between two words of a plain scalar, folded, and whether a line ended there; `None` if nothing does.
    fn plain_blanks(&mut self, least: isize) -> Scanned<Option<(String, bool)>> {
        let start = self.cursor.at();
        let mut blanks = "";
        let mut first = None;
        let mut others = String::new();
        loop {
            // ruamel.yaml ends a plain scalar at a tab and at a document's end.
            let tab = self.cursor.byte(0) == Some(b'\t');
            if !self.grammar.is_libyaml()
                && (tab || first.is_some() && self.cursor.column() == 0 && self.cursor.is_document_mark())
            {
                break;
            }
            if self.cursor.is_blank(0) {
                if first.is_some() && tab && self.cursor.column() < least {
                    return self.fault("a tab where only spaces can indent");
                }
                self.cursor.advance();
                if first.is_none() {
                    blanks = self.cursor.since(start);
                }
            } else if let Some(sign) = self.cursor.take_break() {
                match first {
                    None => first = Some(sign),
                    Some(_) => others.push(sign),
                }
            } else {
                break;
            }
        }
        Ok(match first {
            None if blanks.is_empty() => None,
            None => Some((blanks.to_owned(), false)),
            Some('\n') if others.is_empty() => Some((" ".to_owned(), true)),
            Some('\n') => Some((others, true)),
            Some(sign) => Some((format!("{sign}{others}"), true)),
        })
    }

    pub(super) fn block_scalar(&mut self) -> Scanned<()> {
        let start = self.cursor.at();
        let folded = self.cursor.byte(0) == Some(b'>');
        self.cursor.advance();
        let (chomp, increment) = self.block_header()?;
        let mut end = self.cursor.at();
        self.cursor.take_break();
        let mut breaks = String::new();
        let mut break_at = None;
        let ruamel = !self.grammar.is_libyaml();
        let least = if ruamel && increment.is_none() { self.indent + 1 } else { (self.indent + 1).max(1) };
        let indent = match increment {
            Some(step) if ruamel => least + step - 1,
            Some(step) => self.indent.max(0) + step,
            None => self.block_indent(&mut breaks, &mut break_at)?.max(least),
        };
        self.block_breaks(indent, &mut breaks, &mut break_at)?;
        let mut text = String::new();
        let mut last_break = String::new();
        let mut was_blank = false;
        while self.cursor.column() == indent && !self.cursor.is_end() {
            let is_blank = self.cursor.is_blank(0);
            if folded && last_break == "\n" && !was_blank && !is_blank {
                if breaks.is_empty() {
                    text.push(' ');
                }
            } else {
                text.push_str(&last_break);
            }
            text.push_str(&std::mem::take(&mut breaks));
            was_blank = is_blank;
            let line = self.cursor.at();
            self.cursor.skip_line_rest();
            text.push_str(self.cursor.since(line));
            end = self.cursor.at();
            break_at = None;
            last_break = self.cursor.take_break().map(String::from).unwrap_or_default();
            self.block_breaks(indent, &mut breaks, &mut break_at)?;
            if ruamel && least == 0 && self.cursor.column() == 0 && self.cursor.is_document_mark() {
                break;
            }
        }
        if chomp != Chomp::Strip {
            text.push_str(&last_break);
        }
        if chomp == Chomp::Keep {
            text.push_str(&breaks);
            end = break_at.unwrap_or(end);
        }
        let style = if folded { ScalarStyle::Folded } else { ScalarStyle::Literal };
        self.tokens.push_back(Token { kind: TokenKind::Scalar { text, style }, start, end });
        Ok(())
    }

    /// The signs behind `|` or `>`, up to the end of the line.
    fn block_header(&mut self) -> Scanned<(Chomp, Option<isize>)> {
        let wrong = "only '+', '-' and a digit can stand behind '|' or '>'";
        let (mut chomp, mut increment) = (None, None);
        for _ in 0..2 {
            match self.cursor.byte(0) {
                Some(sign @ (b'+' | b'-')) if chomp.is_none() => {
                    chomp = Some(if sign == b'+' { Chomp::Keep } else { Chomp::Strip });
                }
                Some(b'0') if increment.is_none() => return self.fault(wrong),
                Some(digit) if increment.is_none() && digit.is_ascii_digit() => {
                    increment = Some(isize::from(digit - b'0'));
                }
                _ => break,
            }
            self.cursor.advance();
        }
        let blank = |scanner: &Self| {
            scanner.cursor.byte(0) == Some(b' ') || scanner.grammar.is_libyaml() && scanner.cursor.is_blank(0)
        };
        let mut has_blank = self.grammar.is_libyaml();
        while blank(self) {
            has_blank = true;
            self.cursor.advance();
        }
        if has_blank && self.cursor.byte(0) == Some(b'#') {
            self.cursor.skip_line_rest();
        }
        if !self.cursor.is_break_or_end(0) {
            return self.fault(wrong);
        }
        Ok((chomp.unwrap_or(Chomp::Clip), increment))
    }

    /// The greatest column that blank lines and the first line reach by spaces: the indentation, if none was given.
    fn block_indent(&mut self, breaks: &mut String, break_at: &mut Option<usize>) -> Scanned<isize> {
        let mut greatest = 0;
        let mut first = None;
        loop {
            while self.cursor.byte(0) == Some(b' ') {
                self.cursor.advance();
                greatest = self.cursor.column().max(greatest);
            }
            if self.grammar.is_libyaml() && self.cursor.byte(0) == Some(b'\t') {
                return self.fault("a tab where only spaces can indent");
            }
            let (at, column) = (self.cursor.at(), self.cursor.column());
            match self.cursor.take_break() {
                Some(sign) => breaks.push(sign),
                None => break,
            }
            *break_at = Some(at);
            first.get_or_insert(column);
        }
        if !self.grammar.is_libyaml() && first.is_some_and(|first| first > 0 && greatest > first) {
            return self.fault("the first line of the text is indented less than a later one");
        }
        Ok(greatest)
    }

    /// Over line ends and the indentation of the next line.
    fn block_breaks(&mut self, indent: isize, breaks: &mut String, break_at: &mut Option<usize>) -> Scanned<()> {
        loop {
            while self.cursor.column() < indent && self.cursor.byte(0) == Some(b' ') {
                self.cursor.advance();
            }
            if self.grammar.is_libyaml() && self.cursor.column() < indent && self.cursor.byte(0) == Some(b'\t') {
                return Err(Fault { at: self.cursor.at(), message: "a tab where only spaces can indent" });
            }
            let at = self.cursor.at();
            match self.cursor.take_break() {
                Some(sign) => breaks.push(sign),
                None => return Ok(()),
            }
            *break_at = Some(at);
        }
    }
}
