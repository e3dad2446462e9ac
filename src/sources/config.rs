//! The user's `config.yaml`: read, compared, replaced atomically. The only code that writes a user's file.
//!
//! [`load`] reads and never writes. [`save`] makes the operations of a plan in the text that is on disk *now*, and
//! keeps what was there before, so that [`undo`] can put it back. Nothing is written into a Hermes home but the file
//! itself (and, for an instant, a temporary file beside it).

mod attributes;
mod base;
mod good;
mod keep;
mod last;
mod replace;
mod save;
mod target;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::engine::rules::Dialect;
use crate::engine::value::Value;
use crate::engine::yaml::{Document, LoadError, Place};

use super::file;

pub use self::base::{base, forget_base, is_at_base, keep_base};
pub use self::good::GoodCopy;
pub use self::last::last_save;
pub use self::save::{SaveContext, SaveError, Saved, UndoToken, save, undo};

/// A config file as loaded.
#[derive(Clone, Debug)]
pub struct ConfigFile {
    /// As named; it may be a link.
    pub path: PathBuf,
    pub exists: bool,
    /// Parsed, or why Hermes cannot load it.
    pub document: Result<Document, LoadError>,
    /// What Hermes runs on instead of a file it cannot load, where it kept a copy; else its defaults.
    pub last_good: Option<GoodCopy>,
    /// What was on disk; `None` for a missing file and for text that is in no file.
    pub fingerprint: Option<Fingerprint>,
    dialect: Dialect,
    in_memory: bool,
}

/// Tells one state of a file from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    pub sha256: [u8; 32],
    pub len: u64,
    /// Nanoseconds since the epoch, 0 where the system does not say.
    pub modified_ns: u128,
    /// The inode, 0 where there is none.
    pub inode: u64,
}

impl Fingerprint {
    fn of(bytes: &[u8], metadata: &std::fs::Metadata) -> Self {
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(metadata);
        #[cfg(not(unix))]
        let inode = 0;
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        Self {
            sha256: sha256(bytes),
            len: bytes.len() as u64,
            modified_ns: modified.map_or(0, |since| since.as_nanos()),
            inode,
        }
    }
}

fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

impl ConfigFile {
    /// Text that is in no file: the sample's. It cannot be saved.
    pub fn in_memory(path: PathBuf, text: &str, dialect: Dialect) -> Self {
        let document = Document::parse(text, dialect);
        Self { path, exists: false, document, last_good: None, fingerprint: None, dialect, in_memory: true }
    }

    /// The settings Hermes runs on; `None` for its defaults.
    pub fn in_force(&self) -> Option<&Document> {
        self.document.as_ref().ok().or_else(|| self.last_good.as_ref().map(|copy| &copy.document))
    }

    /// The same as a value.
    pub fn value(&self) -> Cow<'_, Value> {
        match self.in_force() {
            Some(document) => Cow::Borrowed(document.value()),
            None => Cow::Owned(Value::empty_map()),
        }
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
    let unreadable = |source| ConfigError::Unreadable { path: path.to_owned(), source };
    let (document, fingerprint) = match read(path).map_err(unreadable)? {
        None => (Document::parse("", dialect), None),
        Some((bytes, fingerprint)) => (parse(&bytes, dialect), Some(fingerprint)),
    };
    let exists = fingerprint.is_some();
    let last_good = if document.is_err() { good::newest(path, dialect) } else { None };
    Ok(ConfigFile { path: path.to_owned(), exists, document, last_good, fingerprint, dialect, in_memory: false })
}

/// The bytes of a file and their fingerprint; `None` if there is none.
fn read(path: &Path) -> std::io::Result<Option<(Vec<u8>, Fingerprint)>> {
    match file::read(path) {
        Ok((bytes, metadata)) => {
            let fingerprint = Fingerprint::of(&bytes, &metadata);
            Ok(Some((bytes, fingerprint)))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn parse(bytes: &[u8], dialect: Dialect) -> Result<Document, LoadError> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Document::parse(text, dialect),
        Err(error) => {
            let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
            Err(LoadError { place: Place { line, column }, message: "the file is not UTF-8".to_owned() })
        }
    }
}
