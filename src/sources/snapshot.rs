//! The last catalog Hermes gave, kept under our cache folder per home, interpreter and surface; and catalogs in files.

use std::path::{Path, PathBuf};

use crate::engine::catalog::{CatalogDocument, Surface};

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
    Err(SnapshotError::Unreadable { path: path.to_owned(), why: "not built yet".into() })
}

/// Writes a catalog document to a file (`catalog export`), atomically.
pub fn write_file(path: &Path, document: &CatalogDocument) -> Result<(), SnapshotError> {
    let _ = document;
    Err(SnapshotError::Unreadable { path: path.to_owned(), why: "not built yet".into() })
}
