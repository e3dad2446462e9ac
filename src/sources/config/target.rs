//! Which file a save writes: links followed, folders checked, and whether we may.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::save::SaveError;

/// Links followed before we give up, as the kernel counts them.
const MAX_LINKS: usize = 40;

/// The real file behind `path`, which need not exist; its folder does.
pub(super) fn real(path: &Path) -> Result<PathBuf, SaveError> {
    let mut current = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&current) {
            Ok(next) => {
                current = current.parent().unwrap_or(Path::new(".")).join(next);
            }
            // No link, or not there.
            Err(_) => return in_real_folder(path, &current),
        }
    }
    Err(SaveError::Io {
        path: path.to_owned(),
        doing: "follow the links of",
        source: io::Error::other("they go round"),
    })
}

fn in_real_folder(named: &Path, file: &Path) -> Result<PathBuf, SaveError> {
    let folder = match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let name = file.file_name().unwrap_or_default();
    match fs::canonicalize(folder) {
        Ok(real) => Ok(real.join(name)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(SaveError::NoFolder { path: named.to_owned(), folder: folder.to_owned() })
        }
        Err(source) => Err(SaveError::Io { path: named.to_owned(), doing: "find the folder of", source }),
    }
}

/// Refuses what is marked as not to be written, for root too: a file or folder whose mode has no write bit is somebody's
/// wish.
pub(super) fn check_writable(file: &Path) -> Result<(), SaveError> {
    let folder = file.parent().unwrap_or(Path::new("."));
    for path in [folder, file] {
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound && path == file => continue,
            Err(source) => return Err(SaveError::Io { path: path.to_owned(), doing: "look at", source }),
        };
        if metadata.permissions().readonly() || !may_write(path) {
            return Err(SaveError::ReadOnly { path: path.to_owned() });
        }
        if path == file && !metadata.is_file() {
            return Err(SaveError::Io {
                path: path.to_owned(),
                doing: "write",
                source: io::Error::other("it is no file"),
            });
        }
    }
    Ok(())
}

#[cfg(unix)]
fn may_write(path: &Path) -> bool {
    rustix::fs::accessat(rustix::fs::CWD, path, rustix::fs::Access::WRITE_OK, rustix::fs::AtFlags::EACCESS).is_ok()
}

#[cfg(not(unix))]
fn may_write(_path: &Path) -> bool {
    true
}
