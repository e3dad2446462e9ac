//! The user's `config.yaml`: read, compared, replaced atomically. The only code that writes a user's file.

use std::path::PathBuf;

use crate::engine::yaml::{Document, LoadError};

/// A config file as loaded.
#[derive(Clone, Debug)]
pub struct ConfigFile {
    /// As named; it may be a link.
    pub path: PathBuf,
    pub exists: bool,
    /// Parsed, or why Hermes cannot load it.
    pub document: Result<Document, LoadError>,
}
