//! Bytes and tokens of things, with how sure we are as part of the type.
//!
//! *bytes* is the UTF-8 length of Python's `json.dumps(x, ensure_ascii=False)`. *est. tokens* is Hermes' rule:
//! compact characters divided by four, rounded up. *tokens* needs a tokenizer and comes from [`TokenCounts`].

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::ops::Add;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::catalog::Definition;
use super::pyjson;

/// A number and how sure it is. Adding keeps the weaker of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Counted on the bytes themselves.
    Exact(u64),
    /// Ours and Hermes' own answer for this very selection agree, or it is Hermes' answer.
    Confirmed(u64),
    /// A native sum that depends on things not asked yet: shown with `~`.
    Estimated(u64),
    /// Not known: shown as a dash, never as zero.
    Unknown,
}

impl Figure {
    pub fn value(self) -> Option<u64> {
        match self {
            Self::Exact(value) | Self::Confirmed(value) | Self::Estimated(value) => Some(value),
            Self::Unknown => None,
        }
    }

    /// The same number, no surer than `other` is.
    #[must_use]
    pub fn no_surer_than(self, other: Self) -> Self {
        if self.rank() >= other.rank() {
            return self;
        }
        match (self.value(), other) {
            (Some(value), Self::Confirmed(_)) => Self::Confirmed(value),
            (Some(value), Self::Estimated(_)) => Self::Estimated(value),
            _ => Self::Unknown,
        }
    }

    /// False where the screen needs `~` or a dash.
    pub fn is_sure(self) -> bool {
        matches!(self, Self::Exact(_) | Self::Confirmed(_))
    }

    fn rank(self) -> u8 {
        match self {
            Self::Exact(_) => 0,
            Self::Confirmed(_) => 1,
            Self::Estimated(_) => 2,
            Self::Unknown => 3,
        }
    }
}

impl std::fmt::Display for Figure {
    /// For people: `45,420`, `~45,420` where not sure, a dash where unknown.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.value() {
            None => out.write_str("-"),
            Some(value) => write!(out, "{}{}", if self.is_sure() { "" } else { "~" }, grouped(value)),
        }
    }
}

/// Thousands set apart: `1,234,567`.
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

impl Add for Figure {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let (Some(left), Some(right)) = (self.value(), other.value()) else { return Self::Unknown };
        let sum = left + right;
        match self.rank().max(other.rank()) {
            0 => Self::Exact(sum),
            1 => Self::Confirmed(sum),
            _ => Self::Estimated(sum),
        }
    }
}

impl std::iter::Sum for Figure {
    fn sum<I: Iterator<Item = Self>>(figures: I) -> Self {
        figures.fold(Self::Exact(0), Add::add)
    }
}

/// The first half of the SHA-256 of a compact text: what token counts are remembered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ContentHash(pub [u8; 16]);

impl Hash for ContentHash {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [a, b, c, d, e, f, g, h, ..] = self.0;
        state.write_u64(u64::from_le_bytes([a, b, c, d, e, f, g, h]));
    }
}

/// Takes the leading half of a [`ContentHash`] as it is: nothing is gained by hashing a hash.
#[derive(Clone, Copy, Debug, Default)]
pub struct Leading(u64);

impl Hasher for Leading {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, leading: u64) {
        self.0 = leading;
    }
}

/// A table from content to something.
pub type ByContent<T> = HashMap<ContentHash, T, BuildHasherDefault<Leading>>;

impl ContentHash {
    pub fn of(text: &str) -> Self {
        let digest = Sha256::digest(text.as_bytes());
        let mut half = [0; 16];
        half.copy_from_slice(&digest[..16]);
        Self(half)
    }
}

/// What can be said of a definition without a tokenizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    pub bytes: u64,
    /// Characters of the compact form.
    pub compact_chars: u64,
    pub est_tokens: u64,
}

impl Measure {
    pub fn of_definition(definition: &Definition) -> Self {
        Self::new(definition.text().len() as u64, pyjson::compact_chars(definition.text()))
    }

    pub(crate) fn new(bytes: u64, compact_chars: u64) -> Self {
        Self { bytes, compact_chars, est_tokens: compact_chars.div_ceil(4) }
    }
}

/// The text that is tokenized, and what its count is remembered by.
pub fn compact(definition: &Definition) -> (ContentHash, String) {
    let text = pyjson::compact_text(definition.text()).unwrap_or_else(|_| definition.text().to_owned());
    (ContentHash::of(&text), text)
}

/// Tokens per compact text, for one tokenizer.
#[derive(Clone, Debug, Default)]
pub struct TokenCounts {
    /// Name of the tokenizer, such as `o200k_base`.
    pub tokenizer: String,
    counts: ByContent<u32>,
    approximate: bool,
    stamp: u64,
}

impl TokenCounts {
    pub fn new(tokenizer: &str, counts: ByContent<u32>) -> Self {
        Self { tokenizer: tokenizer.to_owned(), counts, approximate: false, stamp: next_stamp() }
    }

    /// Whether the model has no public tokenizer and another one stands in, so that every count is an estimate.
    pub fn is_approximate(&self) -> bool {
        self.approximate
    }

    pub fn set_approximate(&mut self, approximate: bool) {
        self.approximate = approximate;
        self.stamp = next_stamp();
    }

    /// Adds counts; a later one of the same text wins.
    pub fn extend(&mut self, counts: impl IntoIterator<Item = (ContentHash, u32)>) {
        self.counts.extend(counts);
        self.stamp = next_stamp();
    }

    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    pub fn contains(&self, hash: ContentHash) -> bool {
        self.counts.contains_key(&hash)
    }

    /// What is counted, in no order.
    pub fn counts(&self) -> &ByContent<u32> {
        &self.counts
    }

    /// Differs between any two counts that may answer differently; zero where nothing is counted.
    pub fn stamp(&self) -> u64 {
        if self.counts.is_empty() { 0 } else { self.stamp }
    }

    /// Unknown while it is still being counted.
    pub fn of(&self, hash: ContentHash) -> Figure {
        match self.counts.get(&hash) {
            None => Figure::Unknown,
            Some(count) if self.approximate => Figure::Estimated(u64::from(*count)),
            Some(count) => Figure::Exact(u64::from(*count)),
        }
    }
}

fn next_stamp() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}
