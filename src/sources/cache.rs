//! Files of our own cache folder: only their owner may read them, and each is there whole or not at all.

use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// Writes a cache file, replacing the last one, in a folder that is made when it is missing (0700; the file 0600).
/// Nothing is synced: what a power cut may lose is asked again.
pub(super) fn write(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    parts.iter().try_for_each(|part| file.write_all(part))?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// A short name for anything, usable as a file name: 32 hex digits.
pub(super) fn digest<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        // Lengths keep `ab, c` and `a, bc` apart.
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// A home by the folder it really is, so that two ways to it are one.
pub(super) fn real(home: &Path) -> PathBuf {
    home.canonicalize().unwrap_or_else(|_| home.to_owned())
}
