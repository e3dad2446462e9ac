//! Our own state folder: one lock per config file, and the contents that saves replaced.
//!
//! The contents may hold secrets: folders are 0700, files 0600, and only the newest [`KEPT`] per file stay.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::save::SaveError;
use super::sha256;

const KEPT: usize = 20;

/// Another save takes milliseconds; this long means something is wrong.
const PATIENCE: Duration = Duration::from_secs(5);

/// A name for everything we keep about one real file.
pub(super) fn key(file: &Path) -> String {
    hex(&sha256(file.as_os_str().as_encoded_bytes())[..8])
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(super) fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

pub(super) fn private_file(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options.open(path)
}

/// Keeps other instances of ours out until dropped.
pub(super) fn lock(state_dir: &Path, file: &Path) -> Result<File, SaveError> {
    let path = state_dir.join("locks").join(format!("{}.lock", key(file)));
    let failed = |source| SaveError::Io { path: path.clone(), doing: "lock", source };
    private_folder(&state_dir.join("locks")).map_err(failed)?;
    let lock = private_file(&path, OpenOptions::new().create(true).truncate(false).write(true)).map_err(failed)?;
    let started = Instant::now();
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(lock),
            Err(TryLockError::WouldBlock) if started.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(TryLockError::WouldBlock) => return Err(SaveError::Busy { path: file.to_owned() }),
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
    }
}

/// Stores the content a save is about to replace. Returns where.
pub(super) fn store(state_dir: &Path, file: &Path, bytes: &[u8]) -> Result<PathBuf, SaveError> {
    let folder = state_dir.join("undo").join(key(file));
    let failed = |source| SaveError::Io { path: folder.clone(), doing: "keep the previous content in", source };
    private_folder(&folder).map_err(failed)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    // Names sort by time; the hash keeps two saves of one instant apart.
    let path = folder.join(format!("{now:024}-{}.yaml", hex(&sha256(bytes)[..4])));
    let write = || -> io::Result<()> {
        let mut kept = private_file(&path, OpenOptions::new().create(true).truncate(true).write(true))?;
        kept.write_all(bytes)?;
        kept.sync_all()
    };
    write().map_err(failed)?;
    prune(&folder);
    Ok(path)
}

/// Drops the oldest contents. Failing to is no reason not to save.
fn prune(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut files: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    files.sort();
    let surplus = files.len().saturating_sub(KEPT);
    for path in &files[..surplus] {
        let _ = fs::remove_file(path);
    }
}
