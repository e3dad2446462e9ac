//! Why a query finds what it finds: its words, the rarest of them, who is let in, and each word's part in each score.

use super::rank::Query;
use super::{Hit, Index, Protocol};

/// A word of the query.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    /// As it was typed, in lower case.
    pub word: String,
    /// What is looked up.
    pub stem: String,
    /// How many deferred tools have it.
    pub tools: u32,
    /// What one occurrence is worth, before lengths count.
    pub rarity: f64,
}

/// What became of one tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// In the answer; 1 is the best.
    Found { rank: usize },
    /// Let in, but behind the limit.
    BeyondLimit { rank: usize },
    /// It has none of the query's words.
    NoWord,
    /// It has other words, but not the rarest (0.22).
    NoGate,
    /// It has the rarest word, but too few of the others (0.22).
    TooFewWords { matched: usize, required: usize },
}

/// How a tool was let in past the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByName {
    /// The query is its name (0.22).
    Exact,
    /// No tool had a word of the query, and this name contains it (0.19).
    Contains,
}

/// One tool against the query.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Place among the index's entries.
    pub entry: usize,
    pub outcome: Outcome,
    pub by_name: Option<ByName>,
    /// Sum of `shares`; what its words are worth even where it is not let in.
    pub score: f64,
    /// What each word of the query adds, in step with [`Explanation::words`].
    pub shares: Vec<f64>,
    /// How often each word stands in the tool's text.
    pub counts: Vec<u32>,
    /// How many of the words that occur anywhere it has.
    pub matched: usize,
}

/// Why a query finds what it finds.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    pub query: String,
    pub words: Vec<Word>,
    /// The rarest word, by its place in `words`: no tool without it is found (0.22).
    pub gate: Option<usize>,
    /// How many distinct words occur anywhere, and how many of them a tool must have (0.22).
    pub answerable: usize,
    pub required: usize,
    /// How many tools are let in, those beyond the limit included.
    pub admitted: usize,
    /// The tools found, best first, then the best of those that were not.
    pub standings: Vec<Standing>,
}

impl Index {
    /// Explains a query. `limit`: as in the search; `losers`: how many tools to name that are not found.
    pub fn explain(&self, query: &str, limit: usize, losers: usize) -> Explanation {
        let asked = self.query(query);
        let ranking = self.ranking(&asked);
        let mut standings: Vec<Standing> = Vec::new();
        for place in 0..ranking.len().min(limit + losers) {
            standings.push(self.standing(&asked, &ranking, limit, ranking[place].entry));
        }
        let room = (limit + losers).saturating_sub(standings.len()).min(losers);
        let ranked: std::collections::HashSet<usize> = ranking.iter().map(|hit| hit.entry).collect();
        let mut rest: Vec<Standing> = (0..self.entries.len())
            .filter(|entry| !ranked.contains(entry) && asked.terms.iter().any(|term| self.counts(term, *entry) > 0))
            .map(|entry| self.standing(&asked, &ranking, limit, entry))
            .collect();
        rest.sort_by(|left, right| right.score.total_cmp(&left.score));
        rest.truncate(room);
        standings.extend(rest);
        Explanation {
            query: query.to_owned(),
            words: asked
                .terms
                .iter()
                .map(|term| Word {
                    word: term.word.clone(),
                    stem: term.stem.clone(),
                    tools: self.frequency(term),
                    rarity: self.rarity(term),
                })
                .collect(),
            gate: asked.gate.filter(|_| self.protocol == Protocol::Batch),
            answerable: asked.answerable.len(),
            required: if self.protocol == Protocol::Batch { asked.required } else { 1 },
            admitted: ranking.len(),
            standings,
        }
    }

    /// What became of one tool, by its place among the entries.
    pub fn why(&self, query: &str, limit: usize, entry: usize) -> Standing {
        let asked = self.query(query);
        self.standing(&asked, &self.ranking(&asked), limit, entry)
    }

    fn counts(&self, term: &super::lexicon::Term, entry: usize) -> u32 {
        term.number.map_or(0, |number| self.documents[entry].count(number))
    }

    fn standing(&self, query: &Query, ranking: &[Hit], limit: usize, entry: usize) -> Standing {
        let document = &self.documents[entry];
        let counts: Vec<u32> = query.terms.iter().map(|term| self.counts(term, entry)).collect();
        let shares: Vec<f64> = query
            .terms
            .iter()
            .map(|term| term.number.map_or(0.0, |number| self.share(document, number, self.rarity(term))))
            .collect();
        let matched = self.matched(query, entry);
        let rank = ranking.iter().position(|hit| hit.entry == entry).map(|place| place + 1);
        let has_gate = query.gate.is_some_and(|gate| counts[gate] > 0);
        let outcome = match rank {
            Some(rank) if rank <= limit => Outcome::Found { rank },
            Some(rank) => Outcome::BeyondLimit { rank },
            None if counts.iter().all(|count| *count == 0) => Outcome::NoWord,
            None if !has_gate => Outcome::NoGate,
            None => Outcome::TooFewWords { matched, required: query.required },
        };
        let by_name = match self.protocol {
            Protocol::Batch if rank.is_some() && self.is_named(query, entry) => Some(ByName::Exact),
            Protocol::Single if rank.is_some() && counts.iter().all(|count| *count == 0) => Some(ByName::Contains),
            _ => None,
        };
        Standing { entry, outcome, by_name, score: shares.iter().sum(), shares, counts, matched }
    }
}
