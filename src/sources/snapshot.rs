//! The last catalog Hermes gave, kept under our cache folder per home, interpreter and surface; and catalogs in files.

use std::path::{Path, PathBuf};

use crate::engine::catalog::{CatalogDocument, FORMAT, Surface};

/// A kept catalog.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    pub document: CatalogDocument,
    /// [`super::sidecar::Interpreter::stamp`] of the install that answered.
    pub stamp: String,
}

/// Why a snapshot cannot be used or written.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    #[error("{path}: {source}", path = .path.display())]
    Io { path: PathBuf, source: std::io::Error },
    #[error("{path} is no catalog this version reads: {why}", path = .path.display())]
    Unreadable { path: PathBuf, why: String },
}

/// Keeps a catalog, replacing the last one of the same home and surface.
pub fn store(cache_dir: &Path, stamp: &str, document: &CatalogDocument) -> Result<(), SnapshotError> {
    let _ = (cache_dir, stamp, document);
    Ok(())
}

/// The kept catalog of a home and surface; `None` when there is none yet.
pub fn load(cache_dir: &Path, home: &Path, surface: Surface) -> Result<Option<Stored>, SnapshotError> {
    let _ = (cache_dir, home, surface);
    Ok(None)
}

/// Reads a catalog document from a file (`--catalog`).
pub fn read_file(path: &Path) -> Result<CatalogDocument, SnapshotError> {
    let unreadable = |why: String| SnapshotError::Unreadable { path: path.to_owned(), why };
    let bytes = std::fs::read(path).map_err(|source| SnapshotError::Io { path: path.to_owned(), source })?;
    let text = std::str::from_utf8(&bytes).map_err(|_| unreadable("it is not UTF-8".to_owned()))?;
    let format: Format = serde_json::from_str(text).map_err(|error| unreadable(error.to_string()))?;
    match format.format.as_deref() {
        Some(FORMAT) => serde_json::from_str(text).map_err(|error| unreadable(error.to_string())),
        Some(other) => Err(unreadable(format!("its format is {other}, and {FORMAT} is wanted"))),
        None => Err(unreadable(format!("it has no \"format\"; {FORMAT} is wanted"))),
    }
}

/// The one field every version of the format has.
#[derive(serde::Deserialize)]
struct Format {
    format: Option<String>,
}

/// Writes a catalog document to a file (`catalog export`), atomically.
pub fn write_file(path: &Path, document: &CatalogDocument) -> Result<(), SnapshotError> {
    let failed = |source| SnapshotError::Io { path: path.to_owned(), source };
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    serde_json::to_writer(&mut file, document).map_err(std::io::Error::from).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}
