//! Somebody else's YAML: read as the installed Hermes reads it, edited without touching another byte.
//!
//! A scanner and a parser of our own, because each Hermes takes texts that another refuses ([`grammar`]), and because
//! the splicer needs every node's exact span. Pure: text in, text out; files are [`crate::sources::config`]'s.

mod diff;
mod edit;
mod grammar;
mod lines;
mod load;
mod mask;
mod number;
mod parse;
mod place;
mod quote;
mod resolve;
mod scan;
mod splice;
mod time;
mod token;
mod tree;
mod twice;

use std::sync::Arc;

pub use self::diff::diff;
use self::grammar::Grammar;
pub use self::mask::{masked, masked_value};
use self::tree::Tree;
pub use self::twice::Twice;
use super::plan::Op;
use super::rules::Dialect;
use super::value::Value;

/// A place in the text, one-based, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

/// Why Hermes cannot load the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {}, column {}: {message}", place.line, place.column)]
pub struct LoadError {
    pub place: Place,
    pub message: String,
}

/// Why the text cannot be edited safely.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditRefused {
    #[error("line {}: {reason}", place.line)]
    Unsafe { place: Place, reason: String },
    #[error("the edited text does not read back as planned ({0})")]
    ReadBack(String),
}

/// A parsed file. Holds its own text.
#[derive(Clone, Debug)]
pub struct Document {
    text: String,
    dialect: Dialect,
    value: Value,
    tree: Arc<Tree>,
}

impl Document {
    /// Reads text as that dialect's loader does: its errors are errors here, with the place.
    pub fn parse(text: &str, dialect: Dialect) -> Result<Self, LoadError> {
        let (tree, value) = read(text, dialect)?;
        Ok(Self { text: text.to_owned(), dialect, value, tree: Arc::new(tree) })
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The root value; an empty document is an empty mapping.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The same text as another dialect reads it.
    pub fn value_under(&self, dialect: Dialect) -> Result<Value, LoadError> {
        if dialect == self.dialect { Ok(self.value.clone()) } else { read(&self.text, dialect).map(|(_, value)| value) }
    }

    /// The one-based line a path's key stands on, for messages.
    pub fn line_of(&self, path: &[String]) -> Option<usize> {
        use place::Target;
        let at = match place::walk(&self.text, &self.tree, self.dialect, path).target {
            Target::Here(entry) => self.tree.node(entry.key).outer,
            // The last of two is the one that counts.
            Target::Twice { second, .. } => self.tree.node(second).outer,
            _ => return None,
        };
        Some(lines::Lines::of(&self.text).place(&self.text, at).line)
    }

    /// Keys that stand twice in one mapping among the sections that decide what is on. Where a loader takes that, the
    /// last one counts.
    pub fn twice(&self) -> Vec<Twice> {
        twice::find(&self.text, &self.tree, self.dialect)
    }

    /// The text after the operations. Everything outside them is byte for byte the same; the result is read again under
    /// both dialects and must equal [`super::plan::apply`], else it is refused.
    pub fn edit(&self, ops: &[Op]) -> Result<String, EditRefused> {
        edit::edit(self, ops)
    }
}

/// The text as a dialect's loader takes it: by the first of its grammars whose reading can be loaded.
fn read(text: &str, dialect: Dialect) -> Result<(Tree, Value), LoadError> {
    load::check_characters(text)?;
    first(dialect, |grammar| {
        let tree = Tree::parse(text, grammar)?;
        let value = load::load(text, &tree, dialect)?;
        Ok((tree, value))
    })
}

/// The nodes alone, of a text that may hold what cannot be loaded.
fn tree(text: &str, dialect: Dialect) -> Result<Tree, LoadError> {
    read(text, dialect).map(|(tree, _)| tree).or_else(|_| first(dialect, |grammar| Tree::parse(text, grammar)))
}

/// Tries a dialect's grammars. Hermes shows the last one's error, so that is the one to give.
fn first<T>(dialect: Dialect, read: impl Fn(Grammar) -> Result<T, LoadError>) -> Result<T, LoadError> {
    let mut result = Err(LoadError { place: Place { line: 1, column: 1 }, message: "no grammar reads it".into() });
    for grammar in Grammar::of(dialect) {
        result = read(*grammar);
        if result.is_ok() {
            break;
        }
    }
    result
}
