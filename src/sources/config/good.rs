//! What Hermes 0.22 runs on while its file cannot be read: the newest copy it kept of one it could read.

use std::path::{Path, PathBuf};

use crate::engine::rules::Dialect;
use crate::engine::yaml::Document;

use super::{file, parse};

/// A copy Hermes kept under `backups/config` when it read the file last.
#[derive(Clone, Debug)]
pub struct GoodCopy {
    pub path: PathBuf,
    pub document: Document,
}

/// The newest copy by name, as `load_newest_good_backup` of 0.22 chooses: an older one does not count where that one
/// is damaged or no mapping. 0.19 keeps none.
pub(super) fn newest(config: &Path, dialect: Dialect) -> Option<GoodCopy> {
    if dialect != Dialect::Ruamel {
        return None;
    }
    let prefix = format!("{}.good.", config.file_name()?.to_str()?);
    let entries = std::fs::read_dir(config.parent()?.join("backups/config")).ok()?;
    let copies = entries.filter_map(Result::ok).map(|entry| entry.path()).filter(|path| {
        path.is_file() && path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(&prefix))
    });
    let path = copies.max()?;
    let (bytes, _) = file::read(&path).ok()?;
    let document = parse(&bytes, dialect).ok()?;
    document.value().as_map()?;
    Some(GoodCopy { path, document })
}
