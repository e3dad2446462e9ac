//! The last save of each file, remembered between runs, so that it can be taken back later.

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

/// Drops the record of a save that was taken back.
pub(super) fn forget(state_dir: &Path, real: &Path) {
    let _ = std::fs::remove_file(record_path(state_dir, real));
}

fn record_path(state_dir: &Path, real: &Path) -> PathBuf {
    state_dir.join("undo").join(format!("{}.json", keep::key(real)))
}
