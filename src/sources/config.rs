//! The user's `config.yaml`: read, compared, replaced atomically. The only code that writes a user's file.

use std::path::{Path, PathBuf};

use crate::engine::rules::Dialect;
use crate::engine::yaml::{Document, LoadError, Place};

/// A config file as loaded.
#[derive(Clone, Debug)]
pub struct ConfigFile {
    /// As named; it may be a link.
    pub path: PathBuf,
    pub exists: bool,
    /// Parsed, or why Hermes cannot load it.
    pub document: Result<Document, LoadError>,
}

impl ConfigFile {
    /// Text that is in no file: the sample's.
    pub fn in_memory(path: PathBuf, text: &str, dialect: Dialect) -> Self {
        Self { path, exists: false, document: Document::parse(text, dialect) }
    }
}

/// Why a config file cannot be looked at.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("cannot read {path}: {source}", path = .path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
}

/// Reads a file; a missing one is an empty document.
pub fn load(path: &Path, dialect: Dialect) -> Result<ConfigFile, ConfigError> {
    let (bytes, exists) = match std::fs::read(path) {
        Ok(bytes) => (bytes, true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => (Vec::new(), false),
        Err(source) => return Err(ConfigError::Unreadable { path: path.to_owned(), source }),
    };
    let document = match String::from_utf8(bytes) {
        Ok(text) => Document::parse(&text, dialect),
        Err(_) => Err(LoadError { place: Place { line: 1, column: 1 }, message: "the file is not UTF-8".to_owned() }),
    };
    Ok(ConfigFile { path: path.to_owned(), exists, document })
}
