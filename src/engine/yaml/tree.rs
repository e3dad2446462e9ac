//! The text as a tree of nodes with exact byte spans, because the splicer cuts at them.

use std::ops::Range;

use super::grammar::Grammar;
use super::lines::Lines;
use super::token::ScalarStyle;
use super::{LoadError, parse};

pub(super) type Id = usize;

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Scalar { text: String, style: ScalarStyle },
    Seq { items: Vec<Id>, flow: bool },
    Map { entries: Vec<(Id, Id)>, flow: bool },
    Alias { target: Id },
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// The content without `&anchor` and `!tag`. Empty, right behind the indicator, for a value that is not written.
    pub(super) span: Range<usize>,
    /// Where the properties start, or the content if there are none.
    pub(super) outer: usize,
    pub(super) anchored: bool,
    /// The full tag, `tag:yaml.org,2002:` spelled out.
    pub(super) tag: Option<String>,
}

impl Node {
    /// A value that is not written at all: `key:` and nothing else, not even a property.
    pub(super) fn is_absent(&self) -> bool {
        self.span.is_empty() && self.outer == self.span.start && self.is_plain()
    }

    pub(super) fn is_plain(&self) -> bool {
        matches!(self.kind, Kind::Scalar { style: ScalarStyle::Plain, .. })
    }

    /// A collection written with indentation rather than brackets.
    pub(super) fn is_block(&self) -> bool {
        matches!(self.kind, Kind::Seq { flow: false, .. } | Kind::Map { flow: false, .. })
    }
}

/// A parsed text: one document or none.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// `None`: only blanks and comments.
    pub(super) root: Option<Id>,
    /// Where a document without a root may get one: behind the text, or before `...`.
    pub(super) explicit_end: bool,
    /// Unicode line separators end lines here; spans are those of the replaced text, so the file is not edited.
    pub(super) odd_breaks: bool,
    /// What it was read by; the values depend on it too.
    pub(super) grammar: Grammar,
}

impl Tree {
    pub(super) fn node(&self, id: Id) -> &Node {
        &self.nodes[id]
    }

    /// The node an alias stands for, or the node itself.
    pub(super) fn resolve(&self, id: Id) -> Id {
        match self.nodes[id].kind {
            Kind::Alias { target } => target,
            _ => id,
        }
    }

    /// The node and everything under it, aliases not followed.
    pub(super) fn descendants(&self, id: Id) -> Vec<Id> {
        let mut found = vec![id];
        let mut next = 0;
        while let Some(&id) = found.get(next) {
            next += 1;
            match &self.nodes[id].kind {
                Kind::Seq { items, .. } => found.extend(items),
                Kind::Map { entries, .. } => found.extend(entries.iter().flat_map(|(key, value)| [*key, *value])),
                Kind::Scalar { .. } | Kind::Alias { .. } => {}
            }
        }
        found
    }

    /// Reads the text by one grammar.
    pub(super) fn parse(text: &str, grammar: Grammar) -> Result<Self, LoadError> {
        parse::parse(text, grammar).map_err(|fault| LoadError {
            place: Lines::of(text).place(text, fault.at),
            message: fault.message.to_owned(),
        })
    }
}
