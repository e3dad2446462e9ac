//! The last catalog Hermes gave, kept under our cache folder per home and surface; and catalogs in files.
//!
//! A kept catalog is three parts, for speed: a line that says what it is, the document with its definitions left out,
//! and the definitions, one a line, exactly as they are sent. Reading them needs no rewriting, because we wrote them.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::engine::catalog::{CatalogDocument, Definition, FORMAT, Surface};

use super::cache;

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

/// The format name a kept catalog carries.
const KEPT_FORMAT: &str = "hermes-tools/snapshot@1";

/// The first line of a kept catalog.
#[derive(Serialize, Deserialize)]
struct Head {
    format: String,
    stamp: String,
    home: PathBuf,
    surface: Surface,
    /// Bytes of the document, and of the definitions after it.
    document: usize,
    definitions: usize,
}

/// Keeps a catalog, replacing the last one of the same home and surface.
///
/// # Errors
/// When the file cannot be written.
pub fn store(cache_dir: &Path, stamp: &str, document: &CatalogDocument) -> Result<(), SnapshotError> {
    let home = cache::real(Path::new(&document.hermes.home));
    let path = place(cache_dir, &home, document.surface);
    let failed = |source| SnapshotError::Io { path: path.clone(), source };
    let mut definitions = String::new();
    for tool in &document.tools {
        definitions.push_str(tool.definition.text());
        definitions.push('\n');
    }
    let mut bare = document.clone();
    let left_out = Definition::from_json("null");
    bare.tools.iter_mut().for_each(|tool| tool.definition = left_out.clone());
    let bare = serde_json::to_vec(&bare).map_err(std::io::Error::from).map_err(failed)?;
    let head = Head {
        format: KEPT_FORMAT.to_owned(),
        stamp: stamp.to_owned(),
        home,
        surface: document.surface,
        document: bare.len(),
        definitions: definitions.len(),
    };
    let head = serde_json::to_vec(&head).map_err(std::io::Error::from).map_err(failed)?;
    cache::write(&path, &[&head, b"\n", &bare, definitions.as_bytes()]).map_err(failed)
}

/// The kept catalog of a home and surface; `None` when there is none yet.
///
/// # Errors
/// When there is one that cannot be read, with the reason.
pub fn load(cache_dir: &Path, home: &Path, surface: Surface) -> Result<Option<Stored>, SnapshotError> {
    let home = cache::real(home);
    let path = place(cache_dir, &home, surface);
    let text = match std::fs::read(&path) {
        Ok(bytes) => String::from_utf8(bytes)
            .map_err(|_| SnapshotError::Unreadable { path: path.clone(), why: "it is not UTF-8".to_owned() })?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(SnapshotError::Io { path, source }),
    };
    match parse(&text, &home, surface) {
        Ok(stored) => Ok(Some(stored)),
        Err(why) => Err(SnapshotError::Unreadable { path, why }),
    }
}

fn place(cache_dir: &Path, home: &Path, surface: Surface) -> PathBuf {
    let home = cache::digest([home.as_os_str().as_encoded_bytes()]);
    cache_dir.join("catalogs").join(format!("{home}-{}.snapshot", surface.as_str()))
}

fn parse(text: &str, home: &Path, surface: Surface) -> Result<Stored, String> {
    let (head, rest) = text.split_once('\n').ok_or("it has no first line")?;
    let format: Format = serde_json::from_str(head).map_err(|error| format!("its first line: {error}"))?;
    if format.format.as_deref() != Some(KEPT_FORMAT) {
        return Err(format!("its format is not {KEPT_FORMAT}"));
    }
    let head: Head = serde_json::from_str(head).map_err(|error| format!("its first line: {error}"))?;
    if head.home != home || head.surface != surface {
        return Err("it is of another home or surface".to_owned());
    }
    if head.document.checked_add(head.definitions) != Some(rest.len()) {
        return Err("it is not as long as it says".to_owned());
    }
    let (document, definitions) = rest.split_at_checked(head.document).ok_or("its parts do not fit")?;
    let mut document: CatalogDocument = serde_json::from_str(document).map_err(|error| error.to_string())?;
    if document.format != FORMAT {
        return Err(format!("its catalog is no {FORMAT}"));
    }
    let mut lines = definitions.lines();
    for tool in &mut document.tools {
        tool.definition = lines.next().and_then(Definition::from_python_text).ok_or_else(|| {
            format!("the definition of {} is missing", crate::engine::text::visible(tool.name.as_str()))
        })?;
    }
    match lines.next() {
        None => Ok(Stored { document, stamp: head.stamp }),
        Some(_) => Err("it has more definitions than tools".to_owned()),
    }
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

#[cfg(test)]
mod tests;
