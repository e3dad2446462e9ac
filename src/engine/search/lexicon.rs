//! Words as numbers, their stems, and the documents made of them; all remembered for as long as the index lives.

use std::sync::Arc;

use foldhash::{HashMap, HashMapExt as _};
use frostem::{Algorithm, Stemmer};

use super::{Entry, Protocol, text};
use crate::engine::catalog::Definition;
use crate::engine::ids::ToolsetKey;

/// One tool as ranking sees it.
#[derive(Debug)]
pub(super) struct Document {
    /// Number of words, repeated ones included.
    pub length: u32,
    /// Each word with how often it stands there, by the word's number.
    pub counts: Box<[(u32, u32)]>,
}

impl Document {
    /// How often a word stands there.
    pub(super) fn count(&self, word: u32) -> u32 {
        self.counts.binary_search_by_key(&word, |(word, _)| *word).map_or(0, |at| self.counts[at].1)
    }
}

/// A word of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Term {
    /// Lower case, as it was typed.
    pub word: String,
    /// What is looked up: the stem in 0.22, the word itself in 0.19.
    pub stem: String,
    /// None where no document ever had it.
    pub number: Option<u32>,
}

/// What is known of words and definitions.
pub(super) struct Lexicon {
    protocol: Protocol,
    stemmer: Stemmer,
    /// Numbers of stems.
    numbers: HashMap<Box<str>, u32>,
    /// Numbers of the stems of words as they stand in texts.
    seen: HashMap<Box<str>, u32>,
    documents: HashMap<(Definition, ToolsetKey), Arc<Document>>,
    /// The same by where the texts stand in memory: nearly always the very ones that were there before, and thousands of
    /// texts take longer to compare than to rank.
    remembered: HashMap<(usize, usize), Remembered>,
}

/// A document with the texts it was made of, which keeps their places from being used again.
struct Remembered {
    document: Arc<Document>,
    _definition: Definition,
    _source_name: ToolsetKey,
}

impl std::fmt::Debug for Lexicon {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Lexicon").field("words", &self.numbers.len()).finish_non_exhaustive()
    }
}

/// Definitions are forgotten when this many times more are remembered than are in use.
const MEMORY: usize = 4;

impl Lexicon {
    pub(super) fn new(protocol: Protocol) -> Self {
        Self {
            protocol,
            stemmer: Stemmer::new(Algorithm::English),
            numbers: HashMap::new(),
            seen: HashMap::new(),
            documents: HashMap::new(),
            remembered: HashMap::new(),
        }
    }

    /// Before a set of this many tools is read: what grew far beyond it is forgotten.
    pub(super) fn begin(&mut self, tools: usize) {
        if self.remembered.len() > MEMORY * tools.max(1_000) {
            *self = Self::new(self.protocol);
        }
    }

    /// Number of distinct words so far; all numbers are below it.
    pub(super) fn words(&self) -> usize {
        self.numbers.len()
    }

    /// A tool's document, remembered.
    pub(super) fn document(&mut self, entry: &Entry) -> Arc<Document> {
        let place = (entry.definition.text().as_ptr().addr(), entry.source_name.as_str().as_ptr().addr());
        if let Some(remembered) = self.remembered.get(&place) {
            return Arc::clone(&remembered.document);
        }
        let document = self.by_content(entry);
        let remembered = Remembered {
            document: Arc::clone(&document),
            _definition: entry.definition.clone(),
            _source_name: entry.source_name.clone(),
        };
        self.remembered.insert(place, remembered);
        document
    }

    fn by_content(&mut self, entry: &Entry) -> Arc<Document> {
        let key = (entry.definition.clone(), entry.source_name.clone());
        if let Some(document) = self.documents.get(&key) {
            return Arc::clone(document);
        }
        let mut numbers: Vec<u32> = Vec::with_capacity(48);
        text::each_word(entry, self.protocol, |word| numbers.push(self.number(word)));
        let length = numbers.len() as u32;
        numbers.sort_unstable();
        let counts = numbers.chunk_by(|left, right| left == right).map(|run| (run[0], run.len() as u32)).collect();
        let document = Arc::new(Document { length, counts });
        self.documents.insert(key, Arc::clone(&document));
        document
    }

    /// The words of a query.
    pub(super) fn terms(&self, query: &str) -> Vec<Term> {
        text::words(query)
            .map(|word| {
                let word = word.to_ascii_lowercase();
                let stem = self.stem(&word);
                let number = self.numbers.get(stem.as_str()).copied();
                Term { word, stem, number }
            })
            .collect()
    }

    fn number(&mut self, word: &str) -> u32 {
        if let Some(number) = self.seen.get(word) {
            return *number;
        }
        let stem = self.stem(&word.to_ascii_lowercase());
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(stem.into()).or_insert(next);
        self.seen.insert(word.into(), number);
        number
    }

    /// Snowball's English stem of a lower-case word in 0.22; 0.19 does not stem.
    fn stem(&self, word: &str) -> String {
        match self.protocol {
            Protocol::Single => word.to_owned(),
            Protocol::Batch => self.stemmer.stem(word).into_owned(),
        }
    }
}
