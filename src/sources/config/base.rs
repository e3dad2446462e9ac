//! What a config file was before presets were applied to it, so that it can be put back byte for byte.
//!
//! Presets that follow one another have one base: the file as the person last left it. An edit of anybody else ends it.

use std::io;
use std::path::{Path, PathBuf};

use super::save::{Saved, UndoToken};
use super::{keep, sha256, target};

/// Remembers what a save replaced as the base, unless it replaced what an earlier preset had made of one.
///
/// # Errors
/// Where it cannot be kept; the save stands, and `undo` takes it back.
pub fn keep_base(saved: &Saved, state_dir: &Path) -> io::Result<()> {
    let mut token = saved.undo.clone();
    let replaced = token.kept.as_ref().map(std::fs::read).transpose()?;
    let earlier = read(state_dir, &token.real);
    token.kept = match (earlier, replaced) {
        (Some(earlier), Some(replaced)) if earlier.wrote == sha256(&replaced) => earlier.kept,
        (_, None) => None,
        (_, Some(replaced)) => {
            let path = place(state_dir, &token.real, "yaml");
            write(state_dir, &path, &replaced)?;
            Some(path)
        }
    };
    write(state_dir, &place(state_dir, &token.real, "json"), &serde_json::to_vec(&token)?)
}

/// What [`super::undo`] needs to put the base back, where a preset stands on one.
pub fn base(path: &Path, state_dir: &Path) -> Option<UndoToken> {
    read(state_dir, &target::real(path).ok()?)
}

/// Whether the file is as the base is: another way than ours led back to it.
pub fn is_at_base(path: &Path, state_dir: &Path) -> bool {
    let Some(token) = base(path, state_dir) else { return false };
    let now = std::fs::read(&token.real).ok();
    now == token.kept.and_then(|kept| std::fs::read(kept).ok())
}

/// The base has been put back.
pub fn forget_base(path: &Path, state_dir: &Path) {
    if let Ok(real) = target::real(path) {
        for kind in ["json", "yaml"] {
            let _ = std::fs::remove_file(place(state_dir, &real, kind));
        }
    }
}

fn read(state_dir: &Path, real: &Path) -> Option<UndoToken> {
    serde_json::from_slice(&std::fs::read(place(state_dir, real, "json")).ok()?).ok()
}

fn place(state_dir: &Path, real: &Path, kind: &str) -> PathBuf {
    state_dir.join("presets").join(format!("{}.{kind}", keep::key(real)))
}

fn write(state_dir: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    keep::private_folder(&state_dir.join("presets"))?;
    // A temporary file is private from its first byte on.
    let mut file = tempfile::NamedTempFile::new_in(state_dir.join("presets"))?;
    io::Write::write_all(&mut file, bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
