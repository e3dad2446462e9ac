//! Text to tokens, with the loaders' own rules for indentation and for keys without `?`.
//!
//! A key is known as such only at its colon, so a token that could start one is held back until the colon comes, the
//! line ends or 1024 characters have passed; a `Key` token is then put before it. What the three grammars do differently
//! is asked of [`Grammar`] at the place where it matters.

mod cursor;
mod directive;
mod name;
mod quoted;
mod scalar;

use std::collections::VecDeque;

use self::cursor::Cursor;
use super::grammar::Grammar;
use super::token::{Fault, Scanned, Token, TokenKind};

/// Keys without `?` are no longer than this, in characters.
const MAX_KEY: usize = 1024;

/// A token that is a key if a colon follows.
#[derive(Clone, Copy, Debug)]
struct PossibleKey {
    /// Its number, counted from the first token of the text.
    token: usize,
    /// Nothing else could stand at this column.
    required: bool,
    start: usize,
    line: usize,
    column: usize,
    index: usize,
}

pub(super) struct Scanner<'a> {
    grammar: Grammar,
    cursor: Cursor<'a>,
    tokens: VecDeque<Token>,
    taken: usize,
    done: bool,
    /// The column of the innermost open block collection, -1 for none.
    indent: isize,
    indents: Vec<isize>,
    /// One slot for the text itself and one for each open bracket.
    keys: Vec<Option<PossibleKey>>,
    may_start_key: bool,
    /// The open brackets: true for `[`.
    brackets: Vec<bool>,
}

impl<'a> Scanner<'a> {
    /// `start` is where the text starts, behind a byte order mark.
    pub(super) fn new(text: &'a str, start: usize, grammar: Grammar) -> Self {
        Self {
            grammar,
            cursor: Cursor::new(text, start, grammar.is_libyaml()),
            tokens: VecDeque::new(),
            taken: 0,
            done: false,
            indent: -1,
            indents: Vec::new(),
            keys: vec![None],
            may_start_key: true,
            brackets: Vec::new(),
        }
    }

    /// Goes on by another grammar from the next token on.
    pub(super) fn switch_to(&mut self, grammar: Grammar) {
        self.grammar = grammar;
    }

    /// Whether U+0085, U+2028 or U+2029 ended a line outside quotes.
    pub(super) fn saw_odd_break(&self) -> bool {
        self.cursor.odd_break
    }

    /// The next token, left in place. The last one is `StreamEnd`, again and again.
    pub(super) fn peek(&mut self) -> Scanned<&Token> {
        while !self.done && self.needs_more()? {
            self.fetch()?;
        }
        let at = self.cursor.at();
        if self.tokens.is_empty() {
            self.tokens.push_back(Token { kind: TokenKind::StreamEnd, start: at, end: at });
        }
        self.tokens.front().ok_or(Fault { at, message: "the text ends too early" })
    }

    /// Takes the next token.
    pub(super) fn take(&mut self) -> Scanned<Token> {
        let at = self.peek()?.start;
        self.taken += 1;
        self.tokens.pop_front().ok_or(Fault { at, message: "the text ends too early" })
    }

    fn needs_more(&mut self) -> Scanned<bool> {
        if self.tokens.is_empty() {
            return Ok(true);
        }
        self.drop_stale_keys()?;
        Ok(self.keys.iter().flatten().any(|key| key.token == self.taken))
    }

    fn in_flow(&self) -> bool {
        self.keys.len() > 1
    }

    fn fault<T>(&self, message: &'static str) -> Scanned<T> {
        Err(Fault { at: self.cursor.at(), message })
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        self.tokens.push_back(Token { kind, start, end: self.cursor.at() });
    }

    fn push_mark(&mut self, kind: TokenKind, length: usize) {
        let start = self.cursor.at();
        self.cursor.skip(length);
        self.push(kind, start);
    }

    fn fetch(&mut self) -> Scanned<()> {
        self.skip_to_token();
        self.drop_stale_keys()?;
        self.close_blocks(self.cursor.column());
        let Some(sign) = self.cursor.byte(0) else { return self.stream_end() };
        let at_margin = self.cursor.column() == 0;
        match sign {
            b'%' if at_margin => self.directive(),
            b'-' if at_margin && self.cursor.is_document_mark() => self.document_mark(TokenKind::DocumentStart),
            b'.' if at_margin && self.cursor.is_document_mark() => self.document_mark(TokenKind::DocumentEnd),
            b'[' => self.open_flow(TokenKind::FlowSeqStart),
            b'{' => self.open_flow(TokenKind::FlowMapStart),
            b']' => self.close_flow(TokenKind::FlowSeqEnd),
            b'}' => self.close_flow(TokenKind::FlowMapEnd),
            b',' => self.flow_entry(),
            b'-' if self.cursor.is_blank_or_end(1) => self.block_entry(),
            b'?' if self.in_flow() || self.cursor.is_blank_or_end(1) => self.explicit_key(),
            b':' if self.is_colon() => self.colon(),
            b'*' | b'&' => {
                self.save_key()?;
                self.may_start_key = false;
                self.anchor_or_alias()
            }
            b'!' => {
                self.save_key()?;
                self.may_start_key = false;
                self.tag()
            }
            b'|' | b'>' if !self.in_flow() => {
                self.forget_key()?;
                self.may_start_key = true;
                self.block_scalar()
            }
            b'\'' | b'"' => {
                self.save_key()?;
                self.may_start_key = false;
                self.quoted_scalar()
            }
            _ if self.starts_plain(sign) => {
                self.save_key()?;
                self.may_start_key = false;
                self.plain_scalar()
            }
            b'\t' => self.fault("a tab where only spaces can indent"),
            b'@' | b'`' => self.fault("'@' and '`' are reserved; quote text that starts with one"),
            b'%' => self.fault("text cannot start with '%' here; quote it"),
            b'|' | b'>' => self.fault("text inside brackets cannot start with '|' or '>'; quote it"),
            _ => self.fault("this character cannot start anything here; quote the text"),
        }
    }

    /// Whether a `:` is one, and not the start of text. Brackets make it one, but in YAML 1.2 not every time.
    fn is_colon(&self) -> bool {
        if self.cursor.is_blank_or_end(1) {
            return true;
        }
        let behind_colon = self.tokens.back().is_some_and(|token| token.kind == TokenKind::Value);
        match self.brackets.last() {
            None => false,
            Some(list) => !(self.grammar.is_yaml12() && (*list || behind_colon)),
        }
    }

    fn starts_plain(&self, sign: u8) -> bool {
        match sign {
            b':' if self.grammar.is_yaml12() && self.in_flow() => !self.cursor.is_blank(1),
            // A dash before a blank has been taken for a list item already.
            b'-' => true,
            b'?' | b':' => !self.in_flow(),
            b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\'' | b'"' | b'%' | b'@'
            | b'`' => false,
            _ => !self.cursor.is_blank_or_end(0),
        }
    }

    /// Over blanks, comments and line ends. A tab is a blank only where it cannot be taken for indentation.
    fn skip_to_token(&mut self) {
        loop {
            if self.grammar.is_libyaml() && self.cursor.column() == 0 && self.cursor.is_byte_order_mark() {
                self.cursor.advance();
            }
            let tabs = self.in_flow() || self.grammar.is_libyaml() && !self.may_start_key;
            while self.cursor.byte(0) == Some(b' ') || tabs && self.cursor.byte(0) == Some(b'\t') {
                self.cursor.advance();
            }
            if self.cursor.byte(0) == Some(b'#') {
                self.cursor.skip_line_rest();
            }
            if self.cursor.take_break().is_none() {
                return;
            }
            if !self.in_flow() {
                self.may_start_key = true;
            }
        }
    }

    // Keys without `?`.

    fn drop_stale_keys(&mut self) -> Scanned<()> {
        let (line, index) = (self.cursor.line(), self.cursor.index());
        for slot in &mut self.keys {
            if let Some(key) = slot
                && (key.line != line || index - key.index > MAX_KEY)
            {
                if key.required {
                    return Err(Fault { at: key.start, message: "a key without its ':'" });
                }
                *slot = None;
            }
        }
        Ok(())
    }

    fn save_key(&mut self) -> Scanned<()> {
        if !self.may_start_key {
            return Ok(());
        }
        self.forget_key()?;
        let key = PossibleKey {
            token: self.taken + self.tokens.len(),
            required: !self.in_flow() && self.indent == self.cursor.column(),
            start: self.cursor.at(),
            line: self.cursor.line(),
            column: self.cursor.column() as usize,
            index: self.cursor.index(),
        };
        if let Some(slot) = self.keys.last_mut() {
            *slot = Some(key);
        }
        Ok(())
    }

    fn forget_key(&mut self) -> Scanned<()> {
        match self.keys.last_mut().and_then(Option::take) {
            Some(key) if key.required => Err(Fault { at: key.start, message: "a key without its ':'" }),
            _ => Ok(()),
        }
    }

    // Indentation.

    fn open_block(&mut self, column: isize) -> bool {
        if self.in_flow() || self.indent >= column {
            return false;
        }
        self.indents.push(self.indent);
        self.indent = column;
        true
    }

    fn close_blocks(&mut self, column: isize) {
        if self.in_flow() {
            return;
        }
        while self.indent > column {
            self.indent = self.indents.pop().unwrap_or(-1);
            self.push(TokenKind::BlockEnd, self.cursor.at());
        }
    }

    /// Leaves every block collection; what stands at the margin is about the whole document.
    fn close_all(&mut self) -> Scanned<()> {
        self.close_blocks(-1);
        self.forget_key()?;
        self.may_start_key = false;
        Ok(())
    }

    // Tokens.

    fn stream_end(&mut self) -> Scanned<()> {
        self.close_all()?;
        self.done = true;
        self.keys = vec![None];
        self.push(TokenKind::StreamEnd, self.cursor.at());
        Ok(())
    }

    fn document_mark(&mut self, kind: TokenKind) -> Scanned<()> {
        self.close_all()?;
        self.push_mark(kind, 3);
        Ok(())
    }

    fn open_flow(&mut self, kind: TokenKind) -> Scanned<()> {
        self.save_key()?;
        self.keys.push(None);
        self.brackets.push(kind == TokenKind::FlowSeqStart);
        self.may_start_key = true;
        self.push_mark(kind, 1);
        Ok(())
    }

    fn close_flow(&mut self, kind: TokenKind) -> Scanned<()> {
        self.forget_key()?;
        if self.in_flow() {
            self.keys.pop();
            self.brackets.pop();
        }
        self.may_start_key = false;
        self.push_mark(kind, 1);
        Ok(())
    }

    fn flow_entry(&mut self) -> Scanned<()> {
        self.forget_key()?;
        self.may_start_key = true;
        self.push_mark(TokenKind::FlowEntry, 1);
        Ok(())
    }

    fn block_entry(&mut self) -> Scanned<()> {
        if !self.in_flow() {
            if !self.may_start_key {
                return self.fault("a list item cannot start here");
            }
            if self.open_block(self.cursor.column()) {
                self.push(TokenKind::BlockSeqStart, self.cursor.at());
            }
        }
        self.forget_key()?;
        self.may_start_key = true;
        self.push_mark(TokenKind::BlockEntry, 1);
        Ok(())
    }

    fn explicit_key(&mut self) -> Scanned<()> {
        if !self.in_flow() {
            if !self.may_start_key {
                return self.fault("a key cannot start here");
            }
            if self.open_block(self.cursor.column()) {
                self.push(TokenKind::BlockMapStart, self.cursor.at());
            }
        }
        self.forget_key()?;
        self.may_start_key = !self.in_flow();
        self.push_mark(TokenKind::Key, 1);
        Ok(())
    }

    fn colon(&mut self) -> Scanned<()> {
        if let Some(key) = self.keys.last_mut().and_then(Option::take) {
            let place = key.token.saturating_sub(self.taken).min(self.tokens.len());
            let mark = |kind| Token { kind, start: key.start, end: key.start };
            self.tokens.insert(place, mark(TokenKind::Key));
            if self.open_block(key.column as isize) {
                self.tokens.insert(place, mark(TokenKind::BlockMapStart));
            }
            self.may_start_key = false;
        } else {
            if !self.in_flow() {
                if !self.may_start_key {
                    return self.fault("a second ':' on the line, or one where no value can be; quote the text");
                }
                if self.open_block(self.cursor.column()) {
                    self.push(TokenKind::BlockMapStart, self.cursor.at());
                }
            }
            self.may_start_key = !self.in_flow();
        }
        self.push_mark(TokenKind::Value, 1);
        Ok(())
    }
}
