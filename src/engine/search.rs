//! What a model gets back from the bridge: search, describe and call of deferred tools, as the installed Hermes answers
//! them, and why.
//!
//! [`Index`] ranks the deferred tools of one selection for a query and explains the ranking ([`explain`]). [`Bridge`]
//! gives the whole JSON text of an answer, in the host's own sentences ([`replies`]). An index keeps what depends on one
//! definition only (its words and their stems), so that replacing the set of deferred tools costs next to nothing.

mod arguments;
pub mod bridge;
pub mod call;
pub mod explain;
pub mod json;
mod lexicon;
mod loads;
mod object;
mod python;
mod rank;
pub mod replies;
mod schema;
mod text;

use std::sync::Arc;

use super::catalog::{Catalog, Definition, Tool};
use super::ids::{ToolName, ToolsetKey};

pub use bridge::Bridge;
pub use call::Verdict;
pub use explain::Explanation;
use lexicon::{Document, Lexicon};
pub use rank::Hit;
pub use replies::Protocol;
pub(crate) use text::Parts;

/// Where a deferred tool comes from, as search results say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Mcp,
    /// Any other registered toolset, built-in ones included.
    Plugin,
    /// In no registry.
    Other,
}

impl Source {
    /// The word in results.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Mcp => "mcp",
            Self::Plugin => "plugin",
            Self::Other => "other",
        }
    }
}

/// One deferred tool.
#[derive(Clone, Debug)]
pub struct Entry {
    pub name: ToolName,
    pub source: Source,
    /// The registry's toolset (`mcp-github`); empty where there is none.
    pub source_name: ToolsetKey,
    pub definition: Definition,
}

impl Entry {
    /// A registered tool.
    pub fn of(tool: &Tool) -> Self {
        let source = if tool.toolset.as_str().starts_with("mcp-") { Source::Mcp } else { Source::Plugin };
        Self { name: tool.name.clone(), source, source_name: tool.toolset.clone(), definition: tool.definition.clone() }
    }

    /// The heading it is listed under.
    pub fn label(&self) -> &str {
        super::assembly::listing::label(self.source_name.as_str())
    }
}

/// The deferred tools of one selection, searchable.
#[derive(Debug)]
pub struct Index {
    protocol: Protocol,
    lexicon: Lexicon,
    entries: Vec<Entry>,
    /// In step with `entries`.
    documents: Vec<Arc<Document>>,
    /// How many documents hold a word, by the word's number.
    document_frequency: Vec<u32>,
    average_length: f64,
}

impl Index {
    /// `entries` in the order of the array they are deferred from, which decides between equal scores.
    pub fn new(entries: Vec<Entry>, protocol: Protocol) -> Self {
        let mut index = Self {
            protocol,
            lexicon: Lexicon::new(protocol),
            entries: Vec::new(),
            documents: Vec::new(),
            document_frequency: Vec::new(),
            average_length: 0.0,
        };
        index.replace(entries);
        index
    }

    /// Tools of a catalog by their places in it.
    pub fn of(catalog: &Catalog, places: &[usize]) -> Self {
        let tools = &catalog.document().tools;
        let entries = places.iter().map(|place| Entry::of(&tools[*place])).collect();
        let rules = || Protocol::of(catalog.rules());
        Self::new(entries, catalog.host().replies.protocol.unwrap_or_else(rules))
    }

    /// Another set of deferred tools. Definitions that were there before are not read again.
    pub fn replace(&mut self, entries: Vec<Entry>) {
        self.lexicon.begin(entries.len());
        self.documents = entries.iter().map(|entry| self.lexicon.document(entry)).collect();
        self.document_frequency.clear();
        self.document_frequency.resize(self.lexicon.words(), 0);
        let mut length = 0u64;
        for document in &self.documents {
            length += u64::from(document.length);
            for (word, _) in &document.counts {
                self.document_frequency[*word as usize] += 1;
            }
        }
        self.average_length = length as f64 / self.documents.len().max(1) as f64;
        self.entries = entries;
    }

    pub fn protocol(&self) -> Protocol {
        self.protocol
    }

    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }
}

#[cfg(test)]
mod tests;
