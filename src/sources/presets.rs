//! Presets in files: one JSON document each, in `presets/` of our configuration folder, to be read, copied and shared.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::engine::preset::{Preset, check_name};
use crate::engine::text::visible;

/// The format name a preset carries.
const FORMAT: &str = "hermes-tools/preset-file@1";

#[derive(Serialize, Deserialize)]
struct PresetText {
    format: String,
    #[serde(flatten)]
    preset: Preset,
}

/// Why a preset cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum PresetError {
    #[error("{0}")]
    Name(String),
    #[error("there is no preset '{name}'")]
    Missing { name: String },
    #[error("there is a preset '{name}' already")]
    Exists { name: String },
    #[error("{path}: {why}", path = .path.display())]
    Unreadable { path: PathBuf, why: String },
    #[error("{path}: {source}", path = .path.display())]
    Io { path: PathBuf, source: io::Error },
}

/// The names there are, sorted.
pub fn names(config_dir: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(config_dir.join("presets")) else { return Vec::new() };
    let name = |entry: std::fs::DirEntry| {
        let file = entry.file_name().into_string().ok()?;
        let name = file.strip_suffix(".json")?.to_owned();
        check_name(&name).is_ok().then_some(name)
    };
    let mut names: Vec<String> = entries.flatten().filter_map(name).collect();
    names.sort();
    names
}

/// Reads one.
pub fn load(config_dir: &Path, name: &str) -> Result<Preset, PresetError> {
    let path = place(config_dir, name)?;
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(PresetError::Missing { name: visible(name).into_owned() });
        }
        Err(source) => return Err(PresetError::Io { path, source }),
    };
    let unreadable = |why: String| PresetError::Unreadable { path: path.clone(), why };
    let read: PresetText = serde_json::from_str(&text)
        .map_err(|error| unreadable(format!("it is no preset: {}", visible(&error.to_string()))))?;
    if read.format != FORMAT {
        return Err(unreadable(format!("its format is not {FORMAT}")));
    }
    // The file's name counts: it may have been copied.
    Ok(Preset { name: name.to_owned(), ..read.preset })
}

/// Writes one, whole or not at all. `replace` allows for one of the same name.
pub fn store(config_dir: &Path, preset: &Preset, replace: bool) -> Result<PathBuf, PresetError> {
    let path = place(config_dir, &preset.name)?;
    if !replace && path.exists() {
        return Err(PresetError::Exists { name: preset.name.clone() });
    }
    let text = PresetText { format: FORMAT.to_owned(), preset: preset.clone() };
    let write = || -> io::Result<()> {
        let folder = config_dir.join("presets");
        std::fs::create_dir_all(&folder)?;
        let mut file = tempfile::NamedTempFile::new_in(&folder)?;
        file.write_all(&serde_json::to_vec_pretty(&text)?)?;
        file.write_all(b"\n")?;
        file.persist(&path).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(|source| PresetError::Io { path: path.clone(), source })?;
    Ok(path)
}

/// Deletes one.
pub fn remove(config_dir: &Path, name: &str) -> Result<(), PresetError> {
    let path = place(config_dir, name)?;
    std::fs::remove_file(&path).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => PresetError::Missing { name: visible(name).into_owned() },
        _ => PresetError::Io { path, source },
    })
}

fn place(config_dir: &Path, name: &str) -> Result<PathBuf, PresetError> {
    check_name(name).map_err(PresetError::Name)?;
    Ok(config_dir.join("presets").join(format!("{name}.json")))
}
