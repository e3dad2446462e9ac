//! A JSON value that keeps what a value type loses: the order of keys and the spelling of numbers and texts.
//!
//! It is read from text that [`crate::engine::pyjson::python_text`] wrote, borrows from it, and prints the same text again. Texts and
//! keys stay escaped as they are spelled between their quotes: equal values have equal spellings, and nearly nobody
//! looks inside.

use std::borrow::Cow;

use foldhash::{HashSet, HashSetExt as _};

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node<'a> {
    /// What stands between the quotes.
    Text(Cow<'a, str>),
    /// A number, or `true`, `false`, `null`, `NaN`, `Infinity`.
    Word(&'a str),
    List(Vec<Self>),
    Map(Map<'a>),
}

/// An object: its members in order, each key once.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Map<'a>(pub(super) Vec<(Cow<'a, str>, Node<'a>)>);

/// The text is nested more deeply than asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooDeep;

impl<'a> Node<'a> {
    /// Reads text in Python's spelling, up to `depth` levels of lists and objects.
    pub(super) fn read(python_text: &'a str, depth: usize) -> Result<Self, TooDeep> {
        Reader { text: python_text, at: 0 }.value(depth)
    }

    pub(super) fn text(text: &'static str) -> Self {
        Self::Text(text.into())
    }

    pub(super) fn is_text(&self, expected: &str) -> bool {
        matches!(self, Self::Text(text) if text == expected)
    }

    pub(super) fn is_true(&self) -> bool {
        matches!(self, Self::Word("true"))
    }

    pub(super) fn is_bool(&self) -> bool {
        matches!(self, Self::Word("true" | "false"))
    }

    /// Truth as Python sees it: null, false, zero and everything empty count as false.
    pub(super) fn is_truthy(&self) -> bool {
        match self {
            Self::Text(text) => !text.is_empty(),
            Self::Word(word) => !matches!(*word, "null" | "false" | "0" | "0.0" | "-0.0"),
            Self::List(items) => !items.is_empty(),
            Self::Map(map) => !map.0.is_empty(),
        }
    }

    /// Appends the value as Python prints it.
    pub(super) fn print(&self, out: &mut String) {
        match self {
            Self::Text(text) => quoted(out, text),
            Self::Word(word) => out.push_str(word),
            Self::List(items) => {
                out.push('[');
                for (idx, item) in items.iter().enumerate() {
                    out.push_str(if idx > 0 { ", " } else { "" });
                    item.print(out);
                }
                out.push(']');
            }
            Self::Map(map) => {
                out.push('{');
                for (idx, (key, value)) in map.0.iter().enumerate() {
                    out.push_str(if idx > 0 { ", " } else { "" });
                    quoted(out, key);
                    out.push_str(": ");
                    value.print(out);
                }
                out.push('}');
            }
        }
    }
}

impl<'a> Map<'a> {
    pub(super) fn get(&self, key: &str) -> Option<&Node<'a>> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Puts a value in the place its key has, or last.
    pub(super) fn set(&mut self, key: &'static str, value: Node<'a>) {
        match self.0.iter_mut().find(|(name, _)| name == key) {
            Some((_, old)) => *old = value,
            None => self.0.push((key.into(), value)),
        }
    }

    pub(super) fn set_absent(&mut self, key: &'static str, value: Node<'a>) {
        if !self.has(key) {
            self.0.push((key.into(), value));
        }
    }

    /// Takes a member out, if it is there.
    pub(super) fn take(&mut self, key: &str) -> Option<Node<'a>> {
        let at = self.0.iter().position(|(name, _)| name == key)?;
        Some(self.0.remove(at).1)
    }

    /// The same keys with other values.
    pub(super) fn map(self, mut change: impl FnMut(Node<'a>) -> Node<'a>) -> Self {
        Self(self.0.into_iter().map(|(key, value)| (key, change(value))).collect())
    }

    /// The items of a list that are texts and keys of this map.
    pub(super) fn known(&self, names: &[Node<'a>]) -> Vec<Node<'a>> {
        let mut known: HashSet<&str> = HashSet::new();
        if self.0.len() > 16 {
            known.extend(self.0.iter().map(|(key, _)| key.as_ref()));
        }
        let is_known = |name: &str| if known.is_empty() { self.has(name) } else { known.contains(name) };
        names.iter().filter(|name| matches!(name, Node::Text(text) if is_known(text))).cloned().collect()
    }
}

/// Changes every object of a value, the innermost first.
pub(super) fn rewritten<'a>(node: Node<'a>, change: &impl Fn(Map<'a>) -> Map<'a>) -> Node<'a> {
    match node {
        Node::List(items) => Node::List(items.into_iter().map(|item| rewritten(item, change)).collect()),
        Node::Map(map) => Node::Map(change(map.map(|value| rewritten(value, change)))),
        other => other,
    }
}

/// The characters a spelling between quotes stands for.
pub(super) fn unescaped<'a>(spelled: &'a str) -> Cow<'a, str> {
    if !spelled.contains('\\') {
        return spelled.into();
    }
    // The escapes are the few Python writes, all of them JSON.
    serde_json::from_str(&format!("\"{spelled}\"")).map_or(spelled.into(), Cow::<'a, str>::Owned)
}

fn quoted(out: &mut String, spelled: &str) {
    out.push('"');
    out.push_str(spelled);
    out.push('"');
}

/// Walks text whose shape is known, so nothing is checked but the depth.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn value(&mut self, depth: usize) -> Result<Node<'a>, TooDeep> {
        match self.peek() {
            b'"' => Ok(Node::Text(self.string().into())),
            opening @ (b'{' | b'[') => {
                let depth = depth.checked_sub(1).ok_or(TooDeep)?;
                self.at += 1;
                if opening == b'[' { self.list(depth) } else { self.map(depth) }
            }
            _ => {
                let start = self.at;
                while !matches!(self.peek(), b',' | b'}' | b']' | b'\0') {
                    self.at += 1;
                }
                Ok(Node::Word(&self.text[start..self.at]))
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Node<'a>, TooDeep> {
        let mut items = Vec::new();
        while !self.closed(b']') {
            items.push(self.value(depth)?);
        }
        Ok(Node::List(items))
    }

    fn map(&mut self, depth: usize) -> Result<Node<'a>, TooDeep> {
        let mut members = Vec::new();
        while !self.closed(b'}') {
            let key = self.string().into();
            self.at += ": ".len();
            members.push((key, self.value(depth)?));
        }
        Ok(Node::Map(Map(members)))
    }

    /// Steps over the closing bracket, or over the comma between two members. The end of the text closes everything.
    fn closed(&mut self, bracket: u8) -> bool {
        match self.peek() {
            b'\0' => true,
            b',' => {
                self.at += ", ".len();
                false
            }
            byte => {
                self.at += usize::from(byte == bracket);
                byte == bracket
            }
        }
    }

    /// From a quote to after the closing one; what is between them.
    fn string(&mut self) -> &'a str {
        let bytes = self.text.as_bytes();
        let start = self.at + 1;
        let mut end = start;
        while let Some(byte) = bytes.get(end).filter(|byte| **byte != b'"') {
            end += if *byte == b'\\' { 2 } else { 1 };
        }
        self.at = end + 1;
        self.text.get(start..end).unwrap_or_default()
    }

    /// The byte here; NUL, which JSON never holds bare, at the end.
    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or_default()
    }
}
