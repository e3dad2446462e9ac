//! Filter-as-you-type over row names: fuzzy, `!word` excludes, a few prefixes. Not the host's tool search.
//!
//! Words are combined with and. `is:on`, `is:off`, `server:NAME`, `toolset:NAME` and `>500` (tokens) narrow; any other
//! word must appear in the name, its letters in order. A word that is being typed and means nothing yet (`is:`, `>`)
//! filters nothing.

use nucleo_matcher::pattern::{Atom, AtomKind, CaseMatching, Normalization};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// What belongs to what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner<'a> {
    Toolset(&'a str),
    Server(&'a str),
}

/// One row, as far as a filter looks at it.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The name people read; a label may follow it.
    pub name: &'a str,
    pub owner: Owner<'a>,
    pub on: bool,
    /// Tokens of what is sent; `None` where unknown, which no limit admits.
    pub tokens: Option<u64>,
}

/// A parsed query.
pub struct Filter {
    words: Vec<Atom>,
    excluded: Vec<Atom>,
    owner: Option<(bool, String)>,
    on: Option<bool>,
    over_tokens: Option<u64>,
    matcher: Matcher,
    buffer: Vec<char>,
}

impl Filter {
    pub fn parse(query: &str) -> Self {
        let mut filter = Self {
            words: Vec::new(),
            excluded: Vec::new(),
            owner: None,
            on: None,
            over_tokens: None,
            matcher: Matcher::new(Config::DEFAULT),
            buffer: Vec::new(),
        };
        for word in query.split_whitespace() {
            filter.add(word);
        }
        filter
    }

    fn add(&mut self, word: &str) {
        if let Some(state) = word.strip_prefix("is:") {
            match state {
                "on" => self.on = Some(true),
                "off" => self.on = Some(false),
                _ => {}
            }
        } else if let Some(name) = word.strip_prefix("server:") {
            self.owner = Some((true, name.to_lowercase()));
        } else if let Some(name) = word.strip_prefix("toolset:") {
            self.owner = Some((false, name.to_lowercase()));
        } else if let Some(limit) = word.strip_prefix('>') {
            self.over_tokens = limit.replace([',', '_'], "").parse().ok().or(self.over_tokens);
        } else if let Some(excluded) = word.strip_prefix('!') {
            if !excluded.is_empty() {
                self.excluded.push(atom(excluded, AtomKind::Substring));
            }
        } else {
            self.words.push(atom(word, AtomKind::Fuzzy));
        }
    }

    /// True when the query narrows nothing.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
            && self.excluded.is_empty()
            && self.owner.is_none()
            && self.on.is_none()
            && self.over_tokens.is_none()
    }

    /// How well a row matches; `None` when it does not.
    pub fn score(&mut self, subject: &Subject<'_>) -> Option<u32> {
        if self.on.is_some_and(|on| on != subject.on) {
            return None;
        }
        if let Some(limit) = self.over_tokens
            && subject.tokens.is_none_or(|tokens| tokens <= limit)
        {
            return None;
        }
        if let Some((server, wanted)) = &self.owner {
            let (is_server, name) = match subject.owner {
                Owner::Toolset(name) => (false, name),
                Owner::Server(name) => (true, name),
            };
            if is_server != *server || !name.to_lowercase().contains(wanted.as_str()) {
                return None;
            }
        }
        let name = Utf32Str::new(subject.name, &mut self.buffer);
        if self.excluded.iter().any(|word| word.score(name, &mut self.matcher).is_some()) {
            return None;
        }
        let mut total = 0;
        for word in &self.words {
            total += u32::from(word.score(name, &mut self.matcher)?);
        }
        Some(total)
    }

    /// Which characters of a name the words matched, ascending: for underlining.
    pub fn positions(&mut self, name: &str) -> Vec<u32> {
        let name = Utf32Str::new(name, &mut self.buffer);
        let mut found = Vec::new();
        for word in &self.words {
            word.indices(name, &mut self.matcher, &mut found);
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

fn atom(word: &str, kind: AtomKind) -> Atom {
    Atom::new(word, CaseMatching::Smart, Normalization::Smart, kind, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str) -> Subject<'_> {
        Subject { name, owner: Owner::Server("github"), on: true, tokens: Some(400) }
    }

    fn hits(query: &str, subject: &Subject<'_>) -> bool {
        Filter::parse(query).score(subject).is_some()
    }

    #[test]
    fn letters_match_in_order_and_every_word_must() {
        assert!(hits("cris", &row("create_issue")));
        assert!(!hits("sirc", &row("create_issue")));
        assert!(hits("issue cre", &row("create_issue")));
        assert!(!hits("issue close", &row("create_issue")));
    }

    #[test]
    fn an_excluded_word_must_not_appear_as_a_whole() {
        assert!(!hits("!issue", &row("create_issue")));
        assert!(hits("!isu", &row("create_issue")), "exclusion is by substring, not fuzzy");
        assert!(hits("create !", &row("create_issue")), "a lone ! is not typed out yet");
    }

    #[test]
    fn states_owners_and_sizes_narrow() {
        assert!(hits("is:on", &row("x")) && !hits("is:off", &row("x")));
        assert!(hits("server:git", &row("x")) && !hits("toolset:git", &row("x")));
        assert!(hits(">399", &row("x")) && !hits(">400", &row("x")) && !hits(">1,000", &row("x")));
        assert!(!hits(">0", &Subject { tokens: None, ..row("x") }), "unknown is not over any limit");
        assert!(hits("is:", &row("x")) && hits(">", &row("x")), "half a prefix filters nothing");
    }

    #[test]
    fn matched_letters_are_known_for_underlining() {
        assert_eq!(Filter::parse("iss").positions("create_issue"), [7, 8, 9]);
    }

    #[test]
    fn a_closer_match_scores_higher() {
        let mut filter = Filter::parse("web");
        assert!(filter.score(&row("web")) > filter.score(&row("a_wide_eel_b")));
    }
}
