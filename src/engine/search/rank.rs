//! Which deferred tools a query finds, in which order: BM25 with the admission rule of the installed version.
//!
//! 0.19 takes every tool with a score above zero, and where there is none, those whose name contains the query. 0.22
//! takes only tools that have the query's rarest word (the *gate*) and, of a query with four or more words that occur
//! anywhere, at least half of those; the exact name is always taken and comes first.
//!
//! Scores are computed in the host's order of operations, so that not even a last digit decides differently.

use super::lexicon::{Document, Term};
use super::{Index, Protocol};
use crate::engine::pytext;

const K1: f64 = 1.5;
const B: f64 = 0.75;
/// 0.22 asks for half of the words from this many words on that occur anywhere.
const MANY_WORDS: usize = 4;

/// A tool that is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Place among the index's entries.
    pub entry: usize,
    pub score: f64,
}

/// What a query asks of each tool.
pub(super) struct Query {
    /// Words as they are typed, repeated ones included: each counts.
    pub terms: Vec<Term>,
    /// The rarest of `terms`, the first of equals; 0.22 takes no tool without it. None without words.
    pub gate: Option<usize>,
    /// Numbers of the distinct words that occur anywhere.
    pub answerable: Vec<u32>,
    /// How many of them a tool must have (0.22).
    pub required: usize,
    /// Trimmed and in lower case: the name that is always taken (0.22), the part of a name that is enough (0.19).
    pub name: String,
}

impl Index {
    /// The tools found, best first. `limit` is the number of tools wanted.
    pub fn search(&self, query: &str, limit: usize) -> Vec<Hit> {
        let mut hits = self.ranking(&self.query(query));
        hits.truncate(limit);
        hits
    }

    pub(super) fn query(&self, query: &str) -> Query {
        let terms = self.lexicon.terms(query);
        let mut answerable: Vec<u32> =
            terms.iter().filter(|term| self.frequency(term) > 0).filter_map(|term| term.number).collect();
        answerable.sort_unstable();
        answerable.dedup();
        let required = if answerable.len() < MANY_WORDS { 1 } else { answerable.len().div_ceil(2) };
        let mut gate: Option<(usize, f64)> = None;
        for (place, term) in terms.iter().enumerate() {
            let rarity = self.rarity(term);
            if gate.is_none_or(|(_, best)| rarity > best) {
                gate = Some((place, rarity));
            }
        }
        let name = match self.protocol {
            Protocol::Single => query.to_lowercase(),
            Protocol::Batch => pytext::strip(query).to_lowercase(),
        };
        Query { terms, gate: gate.map(|(place, _)| place), answerable, required, name }
    }

    /// Everything that is found, best first; equals in the order of the entries.
    pub(super) fn ranking(&self, query: &Query) -> Vec<Hit> {
        if query.terms.is_empty() {
            return Vec::new();
        }
        let weights: Vec<(u32, f64)> =
            query.terms.iter().filter_map(|term| Some((term.number?, self.rarity(term)))).collect();
        let mut hits: Vec<Hit> = (0..self.entries.len()).filter_map(|entry| self.hit(query, &weights, entry)).collect();
        if hits.is_empty() && self.protocol == Protocol::Single {
            let named = |entry: &usize| self.entries[*entry].name.as_str().to_lowercase().contains(&query.name);
            hits = (0..self.entries.len()).filter(named).map(|entry| Hit { entry, score: 0.1 }).collect();
        }
        // Stable, as Python's sort is.
        hits.sort_by(|left, right| right.score.total_cmp(&left.score));
        hits
    }

    fn hit(&self, query: &Query, weights: &[(u32, f64)], entry: usize) -> Option<Hit> {
        let document = &self.documents[entry];
        if self.protocol == Protocol::Batch {
            if self.is_named(query, entry) {
                return Some(Hit { entry, score: f64::INFINITY });
            }
            let gate = query.terms[query.gate?].number?;
            if document.count(gate) == 0 || self.matched(query, entry) < query.required {
                return None;
            }
        }
        let score = weights.iter().fold(0.0, |sum, (word, weight)| sum + self.share(document, *word, *weight));
        (self.protocol == Protocol::Batch || score > 0.0).then_some(Hit { entry, score })
    }

    /// Whether the query is the tool's name, whatever the case.
    pub(super) fn is_named(&self, query: &Query, entry: usize) -> bool {
        let name = self.entries[entry].name.as_str();
        // Lower case keeps the length of ASCII, which nearly all names are.
        if name.is_ascii() { name.eq_ignore_ascii_case(&query.name) } else { name.to_lowercase() == query.name }
    }

    /// How many of the answerable words a tool has.
    pub(super) fn matched(&self, query: &Query, entry: usize) -> usize {
        query.answerable.iter().filter(|word| self.documents[entry].count(**word) > 0).count()
    }

    /// In how many documents a word stands.
    pub(super) fn frequency(&self, term: &Term) -> u32 {
        term.number.and_then(|number| self.document_frequency.get(number as usize).copied()).unwrap_or(0)
    }

    /// BM25's inverse document frequency.
    pub(super) fn rarity(&self, term: &Term) -> f64 {
        let frequency = f64::from(self.frequency(term));
        (1.0 + (self.documents.len() as f64 - frequency + 0.5) / (frequency + 0.5)).ln()
    }

    /// What one word of the query adds to a tool's score.
    pub(super) fn share(&self, document: &Document, word: u32, rarity: f64) -> f64 {
        let count = f64::from(document.count(word));
        if count == 0.0 {
            return 0.0;
        }
        let norm = count + K1 * (1.0 - B + B * f64::from(document.length) / self.average_length.max(1.0));
        match self.protocol {
            Protocol::Single => rarity * (count * (K1 + 1.0) / norm),
            Protocol::Batch => rarity * count * (K1 + 1.0) / norm,
        }
    }
}
