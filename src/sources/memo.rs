//! Arrays the worker built, remembered on disk for a few minutes, so that the next run needs no Python.
//!
//! An answer counts only for exactly its question. What Hermes looks at outside of the home (network, other programs)
//! can change without a trace in files, hence the age limit.

use std::fmt::Write as _;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::engine::catalog::Surface;
use crate::engine::ids::PlatformKey;

use super::cache;
use super::sidecar::AssembleAnswer;

/// Everything an array depends on, as far as files tell.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// [`super::sidecar::Interpreter::stamp`].
    pub stamp: &'a str,
    pub home: &'a Path,
    pub platform: &'a PlatformKey,
    pub surface: Surface,
    /// The text of the config asked about.
    pub config_text: &'a str,
    pub context_tokens: Option<u64>,
}

/// The format name a remembered answer carries.
const FORMAT: &str = "hermes-tools/assembly@1";

/// How long an answer counts, in seconds.
const MAX_AGE_S: u64 = 600;

/// How many answers are kept.
const MAX_ANSWERS: usize = 64;

/// Files of a home, besides the config, that decide what an array holds.
const LOOKED_AT: [&str; 4] = [".env", "auth.json", "cache/mcp_schema_cache.json", "plugins"];

#[derive(Serialize, Deserialize)]
struct Remembered<A> {
    format: String,
    asked_at: u64,
    answer: A,
}

/// The remembered answer, if it is at most ten minutes old and nothing it depends on has changed. `now_s` is in seconds
/// since the epoch.
pub fn load(cache_dir: &Path, question: &Question<'_>, now_s: u64) -> Option<AssembleAnswer> {
    let bytes = std::fs::read(place(cache_dir, question)).ok()?;
    let remembered: Remembered<AssembleAnswer> = serde_json::from_slice(&bytes).ok()?;
    let fresh = remembered.asked_at <= now_s && now_s - remembered.asked_at <= MAX_AGE_S;
    (remembered.format == FORMAT && fresh).then_some(remembered.answer)
}

/// Remembers an answer. Old and surplus ones are removed.
///
/// # Errors
/// When the file cannot be written.
pub fn store(cache_dir: &Path, question: &Question<'_>, now_s: u64, answer: &AssembleAnswer) -> std::io::Result<()> {
    let path = place(cache_dir, question);
    let remembered = Remembered { format: FORMAT.to_owned(), asked_at: now_s, answer };
    cache::write(&path, &[&serde_json::to_vec(&remembered)?])?;
    forget(&folder(cache_dir), now_s);
    Ok(())
}

fn folder(cache_dir: &Path) -> PathBuf {
    cache_dir.join("assemblies")
}

fn place(cache_dir: &Path, question: &Question<'_>) -> PathBuf {
    let home = cache::real(question.home);
    let mut files = String::new();
    for name in LOOKED_AT {
        if let Ok(data) = home.join(name).metadata() {
            let _ = writeln!(files, "{name} {} {}.{}", data.len(), data.mtime(), data.mtime_nsec());
        }
    }
    let key = cache::digest([
        question.stamp.as_bytes(),
        home.as_os_str().as_encoded_bytes(),
        question.platform.as_str().as_bytes(),
        question.surface.as_str().as_bytes(),
        question.config_text.as_bytes(),
        format!("{:?}", question.context_tokens).as_bytes(),
        files.as_bytes(),
    ]);
    folder(cache_dir).join(format!("{key}.json"))
}

/// Removes what is too old, then the oldest beyond the limit. A file somebody else removed meanwhile is no matter.
fn forget(folder: &Path, now_s: u64) {
    let mut kept: Vec<((i64, i64), PathBuf)> = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(data) = entry.metadata() else { continue };
        if now_s.saturating_sub(data.mtime().unsigned_abs()) > MAX_AGE_S {
            let _ = std::fs::remove_file(entry.path());
        } else {
            kept.push(((data.mtime(), data.mtime_nsec()), entry.path()));
        }
    }
    kept.sort();
    for (_, path) in kept.iter().rev().skip(MAX_ANSWERS) {
        let _ = std::fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests;
