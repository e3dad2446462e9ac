//! Token counting, remembered on disk by content hash.
//!
//! Loading a vocabulary takes a tenth of a second and counting thousands of definitions some more, so both happen only
//! for definitions the memo does not hold. The memo is ours alone: a file nobody can read, or a broken one, costs only
//! time.

use std::collections::HashSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::engine::assembly::{Assembly, Sent};
use crate::engine::catalog::Catalog;
use crate::engine::meter::{ByContent, ContentHash, TokenCounts, compact};

/// A vocabulary we count with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tokenizer {
    O200kBase,
    Cl100kBase,
}

/// No vocabulary has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no tokenizer is called '{}'; there are o200k_base and cl100k_base", crate::engine::text::visible(name))]
pub struct UnknownTokenizer {
    pub name: String,
}

impl Tokenizer {
    pub const ALL: [Self; 2] = [Self::O200kBase, Self::Cl100kBase];

    /// # Errors
    /// For any name but those of [`Self::ALL`].
    pub fn named(name: &str) -> Result<Self, UnknownTokenizer> {
        Self::ALL
            .into_iter()
            .find(|tokenizer| tokenizer.name() == name)
            .ok_or_else(|| UnknownTokenizer { name: name.to_owned() })
    }

    /// The vocabulary of a model, and whether it really is that model's: others than OpenAI's publish none, and
    /// `o200k_base` stands in for an estimate.
    pub fn for_model(model: &str) -> (Self, bool) {
        let name = model.rsplit('/').next().unwrap_or(model).to_ascii_lowercase();
        let one_of = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
        if one_of(&["gpt-4o", "gpt-4.1", "gpt-4.5", "gpt-5", "gpt-oss", "chatgpt-4o", "codex"]) || is_reasoner(&name) {
            (Self::O200kBase, true)
        } else if one_of(&["gpt-4", "gpt-3.5"]) {
            (Self::Cl100kBase, true)
        } else {
            (Self::O200kBase, false)
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::O200kBase => "o200k_base",
            Self::Cl100kBase => "cl100k_base",
        }
    }

    /// Tokens of a text, special markers in it counted as ordinary text.
    pub fn count(self, text: &str) -> u32 {
        let vocabulary = match self {
            Self::O200kBase => tiktoken_rs::o200k_base_singleton(),
            Self::Cl100kBase => tiktoken_rs::cl100k_base_singleton(),
        };
        u32::try_from(vocabulary.count_ordinary(text)).unwrap_or(u32::MAX)
    }
}

/// `o1`, `o3-mini`, `o4-mini`: the letter, a digit, and nothing or a hyphen.
fn is_reasoner(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next() == Some('o')
        && letters.next().is_some_and(|letter| letter.is_ascii_digit())
        && matches!(letters.next(), None | Some('-'))
}

/// Counts compact texts, on all cores.
pub fn count(tokenizer: Tokenizer, items: &[(ContentHash, String)]) -> Vec<(ContentHash, u32)> {
    items.par_iter().map(|(hash, text)| (*hash, tokenizer.count(text))).collect()
}

/// Every definition of a catalog, and those of an array that Hermes worded otherwise, counted: from the memo where it
/// holds them, and remembered there otherwise. `tokenizer` is a name a person gave; without one the model decides.
///
/// # Errors
/// For a tokenizer nobody knows. A memo that cannot be read or written is no error.
pub fn counted(
    cache_dir: &Path,
    tokenizer: Option<&str>,
    model: Option<&str>,
    catalog: &Catalog,
    array: Option<&Assembly>,
) -> Result<TokenCounts, UnknownTokenizer> {
    let (of_model, exact) = Tokenizer::for_model(model.unwrap_or_default());
    let tokenizer = tokenizer.map_or(Ok(of_model), Tokenizer::named)?;
    let mut counts = load_memo(cache_dir, tokenizer);
    // Another vocabulary than the model's own gives an estimate, whoever chose it.
    counts.set_approximate(!exact || tokenizer != of_model);
    let missing = missing(&counts, catalog, array);
    if !missing.is_empty() {
        counts.extend(count(tokenizer, &missing));
        // Without a cache folder the next run counts again, and that is all.
        let _ = store_memo(cache_dir, tokenizer, &counts);
    }
    Ok(counts)
}

/// Counts what an array holds and nobody has counted, by the same tokenizer.
pub fn count_also(counts: &mut TokenCounts, catalog: &Catalog, array: &Assembly) {
    let Ok(tokenizer) = Tokenizer::named(&counts.tokenizer) else { return };
    let missing = reworded(counts, catalog, array).collect::<Vec<_>>();
    counts.extend(count(tokenizer, &missing));
}

/// Remembers counts for the next run.
///
/// # Errors
/// When the file cannot be written.
pub fn keep(cache_dir: &Path, counts: &TokenCounts) -> std::io::Result<()> {
    match Tokenizer::named(&counts.tokenizer) {
        Ok(tokenizer) => store_memo(cache_dir, tokenizer, counts),
        Err(_) => Ok(()),
    }
}

/// Entries of an array that the catalog does not have as they are sent, without a count.
fn reworded<'a>(
    counts: &'a TokenCounts,
    catalog: &'a Catalog,
    array: &'a Assembly,
) -> impl Iterator<Item = (ContentHash, String)> + 'a {
    let of_catalog =
        |sent: &&Sent| catalog.tool(sent.name.as_str()).is_some_and(|tool| tool.definition == sent.definition);
    let sent = array.tools.iter().filter(move |sent| !of_catalog(sent)).map(|sent| compact(&sent.definition));
    sent.filter(|(hash, _)| !counts.contains(*hash))
}

/// The compact texts that have no count yet, each once.
pub fn missing(counts: &TokenCounts, catalog: &Catalog, array: Option<&Assembly>) -> Vec<(ContentHash, String)> {
    let tools = &catalog.document().tools;
    let mut wanted: Vec<(ContentHash, String)> = (0..tools.len())
        .into_par_iter()
        .filter(|idx| !counts.contains(catalog.hash_at(*idx)))
        .map(|idx| compact(&tools[idx].definition))
        .collect();
    wanted.extend(array.into_iter().flat_map(|array| reworded(counts, catalog, array)));
    let mut seen = HashSet::new();
    wanted.retain(|(hash, _)| seen.insert(*hash));
    wanted
}

/// First bytes of a memo; the number changes with the format.
const MAGIC: &[u8] = b"hermes-tools tokens 1\n";
/// A hash and its count.
const RECORD: usize = 20;
/// Counts kept: four megabytes of them.
const MAX_RECORDS: usize = 200_000;

fn memo_path(cache_dir: &Path, tokenizer: Tokenizer) -> PathBuf {
    cache_dir.join(format!("tokens-{}.bin", tokenizer.name()))
}

/// What was counted before. Empty where there is no memo, or a broken one.
pub fn load_memo(cache_dir: &Path, tokenizer: Tokenizer) -> TokenCounts {
    let bytes = std::fs::read(memo_path(cache_dir, tokenizer)).unwrap_or_default();
    let counts = parse_memo(&bytes).unwrap_or_default();
    TokenCounts::new(tokenizer.name(), counts)
}

fn parse_memo(bytes: &[u8]) -> Option<ByContent<u32>> {
    let (body, checksum) = bytes.split_last_chunk::<32>()?;
    let records = body.strip_prefix(MAGIC)?;
    if Sha256::digest(body)[..] != checksum[..] || records.len() % RECORD != 0 {
        return None;
    }
    records
        .chunks_exact(RECORD)
        .map(|record| {
            let (hash, count) = record.split_first_chunk::<16>()?;
            Some((ContentHash(*hash), u32::from_le_bytes(count.try_into().ok()?)))
        })
        .collect()
}

/// Remembers counts, together with what another run has remembered meanwhile. The file is replaced at once and whole.
///
/// # Errors
/// When the cache folder cannot be made or written.
pub fn store_memo(cache_dir: &Path, tokenizer: Tokenizer, counts: &TokenCounts) -> std::io::Result<()> {
    std::fs::create_dir_all(cache_dir)?;
    let others = load_memo(cache_dir, tokenizer);
    // Ours first: they are the ones in use when there are too many.
    let others = others.counts().iter().filter(|(hash, _)| !counts.contains(**hash));
    let mut bytes = MAGIC.to_vec();
    for (hash, count) in counts.counts().iter().chain(others).take(MAX_RECORDS) {
        bytes.extend(hash.0);
        bytes.extend(count.to_le_bytes());
    }
    let checksum = Sha256::digest(&bytes);
    bytes.extend(checksum);
    let mut file = tempfile::NamedTempFile::new_in(cache_dir)?;
    file.write_all(&bytes)?;
    file.persist(memo_path(cache_dir, tokenizer))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::meter::Figure;
    use crate::sources::sample;

    #[test]
    fn the_vocabularies_count_as_published() {
        // Known splits: "tiktoken is great!" is six tokens in cl100k_base and o200k_base alike.
        for tokenizer in Tokenizer::ALL {
            assert_eq!(tokenizer.count("tiktoken is great!"), 6);
            assert_eq!(tokenizer.count(""), 0);
            assert!(tokenizer.count("<|endoftext|>") > 1, "a marker in a description is only text");
        }
        // The newer vocabulary knows other scripts better.
        let text = "ファイルを読み込み、その内容を返します。";
        assert!(Tokenizer::O200kBase.count(text) < Tokenizer::Cl100kBase.count(text));
    }

    #[test]
    fn models_are_counted_with_their_own_vocabulary_where_it_is_public() {
        for (model, expected) in [
            ("gpt-5", (Tokenizer::O200kBase, true)),
            ("openai/gpt-4o-mini", (Tokenizer::O200kBase, true)),
            ("o3-mini", (Tokenizer::O200kBase, true)),
            ("gpt-4-turbo", (Tokenizer::Cl100kBase, true)),
            ("gpt-3.5-turbo", (Tokenizer::Cl100kBase, true)),
            ("anthropic/claude-opus-4", (Tokenizer::O200kBase, false)),
            ("olmo-2", (Tokenizer::O200kBase, false)),
            ("", (Tokenizer::O200kBase, false)),
        ] {
            assert_eq!(Tokenizer::for_model(model), expected, "{model}");
        }
        assert!(Tokenizer::named("p50k").unwrap_err().to_string().contains("o200k_base"));
    }

    #[test]
    fn everything_is_counted_once_and_then_remembered() {
        let dir = tempfile::tempdir().unwrap();
        let catalog = Catalog::new(sample::catalog());
        let counts = counted(dir.path(), None, Some("gpt-5"), &catalog, None).unwrap();
        let first = &catalog.document().tools[0].definition;
        let expected = u64::from(Tokenizer::O200kBase.count(&compact(first).1));
        assert_eq!(counts.of(catalog.hash_at(0)), Figure::Exact(expected));
        let remembered = load_memo(dir.path(), Tokenizer::O200kBase);
        assert_eq!(remembered.counts(), counts.counts());
        assert!(missing(&remembered, &catalog, None).is_empty());
        let guessed = counted(dir.path(), None, Some("some-llama"), &catalog, None).unwrap();
        assert_eq!(guessed.of(catalog.hash_at(0)), Figure::Estimated(expected));
        let named = counted(dir.path(), Some("cl100k_base"), Some("gpt-5"), &catalog, None).unwrap();
        assert_eq!((named.tokenizer.as_str(), named.is_approximate()), ("cl100k_base", true));
    }

    #[test]
    fn a_broken_memo_is_no_memo() {
        let dir = tempfile::tempdir().unwrap();
        let mut counts = TokenCounts::default();
        counts.extend([(ContentHash::of("a"), 7)]);
        store_memo(dir.path(), Tokenizer::Cl100kBase, &counts).unwrap();
        let path = memo_path(dir.path(), Tokenizer::Cl100kBase);
        let whole = std::fs::read(&path).unwrap();
        for broken in [&whole[..whole.len() - 1], &whole[1..], b"", b"nonsense", &[whole.as_slice(), b"x"].concat()] {
            std::fs::write(&path, broken).unwrap();
            assert!(load_memo(dir.path(), Tokenizer::Cl100kBase).is_empty());
        }
        let mut flipped = whole.clone();
        flipped[MAGIC.len() + 17] ^= 1;
        std::fs::write(&path, flipped).unwrap();
        assert!(load_memo(dir.path(), Tokenizer::Cl100kBase).is_empty());
    }

    #[test]
    fn two_runs_keep_what_each_of_them_counted() {
        let dir = tempfile::tempdir().unwrap();
        for (text, count) in [("a", 1), ("b", 2)] {
            let mut counts = TokenCounts::default();
            counts.extend([(ContentHash::of(text), count)]);
            store_memo(dir.path(), Tokenizer::O200kBase, &counts).unwrap();
        }
        let counts = load_memo(dir.path(), Tokenizer::O200kBase);
        assert_eq!((counts.counts()[&ContentHash::of("a")], counts.counts()[&ContentHash::of("b")]), (1, 2));
    }

    #[test]
    fn an_unwritable_cache_folder_costs_only_time() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        std::fs::write(&file, "").unwrap();
        let catalog = Catalog::new(sample::synthetic(3));
        let counts = counted(&file.join("cache"), None, Some("gpt-5"), &catalog, None).unwrap();
        assert!(matches!(counts.of(catalog.hash_at(0)), Figure::Exact(_)));
    }
}
