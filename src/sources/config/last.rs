//! The last save of each file, remembered between runs, so that it can be taken back later; also one that was cut off
//! while it wrote over a file.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::save::UndoToken;
use super::{keep, target};

/// What [`super::undo`] needs to take back the last save of a file, if we made one and it was not taken back.
pub fn last_save(path: &Path, state_dir: &Path) -> Option<UndoToken> {
    let real = target::real(path).ok()?;
    let record = std::fs::read(record_path(state_dir, &real)).ok()?;
    serde_json::from_slice(&record).ok()
}

/// Keeps the token. A save stands even where it cannot be remembered: it is then merely not taken back by a later run.
pub(super) fn remember(state_dir: &Path, token: &UndoToken) {
    let path = record_path(state_dir, &token.real);
    let Ok(record) = serde_json::to_vec(token) else { return };
    let write = || -> std::io::Result<()> {
        keep::private_folder(&state_dir.join("undo"))?;
        let mut file = keep::private_file(&path, OpenOptions::new().create(true).truncate(true).write(true))?;
        file.write_all(&record)
    };
    if write().is_err() {
        forget(state_dir, &token.real);
    }
}

/// Remembers a save before it writes over its file, and the bytes it writes: a kill in the middle leaves a mixture of
/// both, which [`written_halfway`] tells from somebody else's change.
pub(super) fn begin(state_dir: &Path, token: &UndoToken, new: &[u8]) -> std::io::Result<()> {
    keep::private_folder(&state_dir.join("undo"))?;
    let path = unfinished_path(state_dir, &token.real);
    let mut file = keep::private_file(&path, OpenOptions::new().create(true).truncate(true).write(true))?;
    file.write_all(new)?;
    file.sync_all()?;
    remember(state_dir, token);
    Ok(())
}

/// The record as it is, for [`put_back`] when the save that replaced it comes to nothing.
pub(super) fn record(state_dir: &Path, real: &Path) -> Option<Vec<u8>> {
    std::fs::read(record_path(state_dir, real)).ok()
}

/// Makes an earlier [`record`] the last save again.
pub(super) fn put_back(state_dir: &Path, real: &Path, record: Option<&[u8]>) {
    finish(state_dir, real);
    let earlier = record.and_then(|record| serde_json::from_slice::<UndoToken>(record).ok());
    match earlier {
        Some(token) => remember(state_dir, &token),
        None => forget(state_dir, real),
    }
}

/// The write that [`begin`] announced is over.
pub(super) fn finish(state_dir: &Path, real: &Path) {
    let _ = std::fs::remove_file(unfinished_path(state_dir, real));
}

/// Whether the file's bytes are what a write from `before` to the announced ones, or the way back, leaves when it is
/// cut off.
pub(super) fn written_halfway(state_dir: &Path, real: &Path, now: &[u8], before: &[u8]) -> bool {
    std::fs::read(unfinished_path(state_dir, real))
        .is_ok_and(|new| is_cut_off(now, &new, before) || is_cut_off(now, before, &new))
}

/// The first bytes of `new`, the rest still `old`.
fn is_cut_off(now: &[u8], new: &[u8], old: &[u8]) -> bool {
    let written = now.iter().zip(new).take_while(|(one, other)| one == other).count();
    now[written..] == *old.get(written..).unwrap_or_default()
}

/// Drops the record of a save that was taken back.
pub(super) fn forget(state_dir: &Path, real: &Path) {
    finish(state_dir, real);
    let _ = std::fs::remove_file(record_path(state_dir, real));
}

fn unfinished_path(state_dir: &Path, real: &Path) -> PathBuf {
    state_dir.join("undo").join(format!("{}.unfinished", keep::key(real)))
}

fn record_path(state_dir: &Path, real: &Path) -> PathBuf {
    state_dir.join("undo").join(format!("{}.json", keep::key(real)))
}

#[cfg(test)]
mod tests {
    use super::is_cut_off;

    #[test]
    fn a_mixture_is_told_from_somebody_elses_change() {
        let (old, new) = (b"cli: [web, file]\nx: 1\n".as_slice(), b"cli: [file]\nx: 1\nmore: true\n".as_slice());
        for written in 0..=new.len() {
            let now = [&new[..written], old.get(written..).unwrap_or_default()].concat();
            assert!(is_cut_off(&now, new, old), "{written}");
        }
        assert!(!is_cut_off(b"cli: [file]\nx: 2\n", new, old));
        assert!(!is_cut_off(b"", new, old));
    }
}
