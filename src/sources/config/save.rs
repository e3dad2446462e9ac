//! Saving a plan, and taking it back.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::engine::plan::{Op, apply};
use crate::engine::text;
use crate::engine::value::Value;
use crate::engine::yaml::{Document, EditRefused, LoadError};

use super::replace::{self, Replaced};
use super::{ConfigFile, keep, last, load, parse, read, sha256, target};

/// A foreign writer that beats us this often is writing in a loop.
const MAX_RACES: usize = 50;

/// How often, and after how long, a changed file that does not parse is read again.
const MAX_TORN: usize = 10;
const TORN_WAIT: std::time::Duration = std::time::Duration::from_millis(5);

/// What a save needs to know beside the file.
#[derive(Clone, Copy, Debug)]
pub struct SaveContext<'a> {
    /// Why this home must not be written, if so.
    pub managed: Option<&'a str>,
    /// Our own folder, for the lock and the previous content.
    pub state_dir: &'a Path,
}

/// A save that was made.
#[derive(Clone, Debug)]
pub struct Saved {
    /// The file as it is now.
    pub file: ConfigFile,
    /// Someone else had changed other places since the file was loaded; the edit went into their text.
    pub reapplied: bool,
    pub undo: UndoToken,
}

/// What [`undo`] needs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UndoToken {
    path: PathBuf,
    pub(super) real: PathBuf,
    /// Where the previous content is; `None` if there was no file.
    pub(super) kept: Option<PathBuf>,
    pub(super) wrote: [u8; 32],
    dialect: crate::engine::rules::Dialect,
}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    #[error("this home is managed ({reason}): change it where it is managed")]
    Managed { reason: String },
    #[error("this is the sample: there is no file to save to")]
    InMemory,
    #[error("{path} is read-only", path = .path.display())]
    ReadOnly { path: PathBuf },
    #[error("{path}: Hermes cannot load this file ({error}); mend it first", path = .path.display())]
    Unparsable { path: PathBuf, error: LoadError },
    #[error("{path}: {source}", path = .path.display())]
    Refused { path: PathBuf, source: EditRefused },
    #[error("{path}: '{place}' was changed by someone else meanwhile (it was {before}, and is {now} now); nothing was written, look again",
        path = .path.display())]
    Conflict { path: PathBuf, place: String, before: &'static str, now: &'static str },
    #[error("{path} has been deleted meanwhile; nothing was written", path = .path.display())]
    Gone { path: PathBuf },
    #[error("{path} has been changed since it was saved; it cannot be taken back", path = .path.display())]
    ChangedSince { path: PathBuf },
    #[error("{path} cannot be written: its folder {folder} does not exist", path = .path.display(), folder = .folder.display())]
    NoFolder { path: PathBuf, folder: PathBuf },
    #[error("{path} is being written by someone else all the time; nothing was written, try again", path = .path.display())]
    Busy { path: PathBuf },
    #[error("{path} was being written over when that failed ({source}), and so did putting its content back; that is \
        kept in {kept}: make room, then take the save back (undo)", path = .path.display(), kept = .kept.display())]
    Torn { path: PathBuf, kept: PathBuf, source: io::Error },
    #[error("cannot {doing} {path}: {source}", path = .path.display())]
    Io { path: PathBuf, doing: &'static str, source: io::Error },
}

impl SaveError {
    /// Whether this protects data (exit code 3) rather than being a failure (1).
    pub fn is_refusal(&self) -> bool {
        !matches!(self, Self::Io { .. } | Self::Torn { .. } | Self::Busy { .. })
    }
}

/// Makes the operations in the file as it is on disk now.
///
/// Where others changed it since it was loaded, the operations go into their text, provided that every place they
/// touch still has the value it had.
pub fn save(file: &ConfigFile, ops: &[Op], context: &SaveContext<'_>) -> Result<Saved, SaveError> {
    if let Some(reason) = context.managed {
        return Err(SaveError::Managed { reason: text::visible(reason).into_owned() });
    }
    if file.in_memory {
        return Err(SaveError::InMemory);
    }
    let loaded = match &file.document {
        Ok(document) => document,
        Err(error) => return Err(SaveError::Unparsable { path: file.path.clone(), error: error.clone() }),
    };
    let real = target::real(&file.path)?;
    let failed = |doing: &'static str| {
        let path = real.clone();
        move |source| SaveError::Io { path, doing, source }
    };
    let _lock = keep::lock(context.state_dir, &real)?;
    target::check_writable(&real)?;
    replace::sweep(&real);
    let mut torn = 0;
    for _ in 0..MAX_RACES {
        let now = read(&real).map_err(failed("read"))?.map(|(bytes, _)| bytes);
        if now.is_none() && file.exists {
            return Err(SaveError::Gone { path: file.path.clone() });
        }
        let bytes = now.as_deref().unwrap_or_default();
        let reapplied = bytes != loaded.text().as_bytes();
        let text = if reapplied {
            let current = match parse(bytes, file.dialect) {
                Ok(current) => current,
                // Perhaps they are in the middle of writing.
                Err(_) if torn < MAX_TORN => {
                    torn += 1;
                    std::thread::sleep(TORN_WAIT);
                    continue;
                }
                Err(error) => return Err(SaveError::Unparsable { path: file.path.clone(), error }),
            };
            let open = still_wanted(&file.path, loaded, &current, ops)?;
            edited(&file.path, &current, &open)?
        } else {
            edited(&file.path, loaded, ops)?
        };
        let kept = now.as_deref().map(|bytes| keep::store(context.state_dir, &real, bytes)).transpose()?;
        let undo = UndoToken {
            path: file.path.clone(),
            real: real.clone(),
            kept,
            wrote: sha256(text.as_bytes()),
            dialect: file.dialect,
        };
        if now.as_deref() != Some(text.as_bytes()) {
            match write(context.state_dir, &undo, now.as_deref(), text.as_bytes()) {
                Ok(Replaced::Done) => {}
                Ok(Replaced::Torn(source)) => {
                    return Err(SaveError::Torn { path: real, kept: undo.kept.unwrap_or_default(), source });
                }
                outcome => {
                    // What was kept was never replaced.
                    if let Some(kept) = undo.kept {
                        let _ = std::fs::remove_file(kept);
                    }
                    outcome.map_err(failed("write"))?;
                    continue;
                }
            }
        }
        last::remember(context.state_dir, &undo);
        last::finish(context.state_dir, &real);
        return Ok(Saved { file: reload(&file.path, file.dialect)?, reapplied, undo });
    }
    Err(SaveError::Busy { path: file.path.clone() })
}

/// Replaces the content, remembering the save first where a kill could cut it in half. The record of an earlier save
/// stays when this one comes to nothing.
fn write(state_dir: &Path, undo: &UndoToken, now: Option<&[u8]>, text: &[u8]) -> io::Result<Replaced> {
    let earlier = last::record(state_dir, &undo.real);
    let outcome = replace::replace(&undo.real, now, text, &|| last::begin(state_dir, undo, text));
    if !matches!(outcome, Ok(Replaced::Done | Replaced::Torn(_))) {
        last::put_back(state_dir, &undo.real, earlier.as_deref());
    }
    outcome
}

/// Puts back what was there before a save, if the file still has what the save wrote, or the part of it that was
/// written when the save was cut off. Returns the file as it is then.
pub fn undo(token: &UndoToken, context: &SaveContext<'_>) -> Result<ConfigFile, SaveError> {
    if let Some(reason) = context.managed {
        return Err(SaveError::Managed { reason: text::visible(reason).into_owned() });
    }
    let failed = |path: &Path, doing: &'static str| {
        let path = path.to_owned();
        move |source| SaveError::Io { path, doing, source }
    };
    let changed = || SaveError::ChangedSince { path: token.path.clone() };
    let _lock = keep::lock(context.state_dir, &token.real)?;
    target::check_writable(&token.real)?;
    let (now, _) = read(&token.real).map_err(failed(&token.real, "read"))?.ok_or_else(changed)?;
    let before = match &token.kept {
        Some(kept) => Some(std::fs::read(kept).map_err(failed(kept, "read"))?),
        None => None,
    };
    let whole = sha256(&now) == token.wrote;
    if !whole {
        let halfway = |before: &[u8]| last::written_halfway(context.state_dir, &token.real, &now, before);
        if !before.as_deref().is_some_and(halfway) {
            return Err(changed());
        }
    }
    // The bytes of a save that was cut off are known already.
    let begin = || if whole { last::begin(context.state_dir, token, &now) } else { Ok(()) };
    let done = match &before {
        Some(before) => replace::replace(&token.real, Some(&now), before, &begin),
        None => replace::remove(&token.real, &now),
    };
    match done.map_err(failed(&token.real, "write"))? {
        Replaced::Done => {
            last::forget(context.state_dir, &token.real);
            reload(&token.path, token.dialect)
        }
        Replaced::Torn(source) => {
            let kept = token.kept.clone().unwrap_or_default();
            Err(SaveError::Torn { path: token.real.clone(), kept, source })
        }
        Replaced::Raced => Err(changed()),
    }
}

fn reload(path: &Path, dialect: crate::engine::rules::Dialect) -> Result<ConfigFile, SaveError> {
    load(path, dialect).map_err(|super::ConfigError::Unreadable { path, source }| SaveError::Io {
        path,
        doing: "read back",
        source,
    })
}

fn edited(path: &Path, document: &Document, ops: &[Op]) -> Result<String, SaveError> {
    document.edit(ops).map_err(|source| SaveError::Refused { path: path.to_owned(), source })
}

/// The operations still to be made in a text someone else changed: all whose place is as it was. A place that already
/// has the planned value needs nothing; any other change is a conflict.
fn still_wanted(path: &Path, loaded: &Document, current: &Document, ops: &[Op]) -> Result<Vec<Op>, SaveError> {
    let planned = apply(loaded.value(), ops);
    let mut open = Vec::new();
    for op in ops {
        let keys: Vec<&str> = op.path().iter().map(String::as_str).collect();
        let (before, now) = (loaded.value().at(&keys), current.value().at(&keys));
        if before == now {
            open.push(op.clone());
        } else if now != planned.at(&keys) {
            let kind = |value: Option<&Value>| value.map_or("missing", Value::kind);
            let place = text::visible(&keys.join(".")).into_owned();
            return Err(SaveError::Conflict { path: path.to_owned(), place, before: kind(before), now: kind(now) });
        }
    }
    Ok(open)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::plan::NewValue;
    use crate::engine::rules::Dialect;

    #[test]
    fn a_save_that_was_cut_off_while_writing_over_the_file_can_be_taken_back() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (path, state_dir) = (folder.path().join("config.yaml"), folder.path().join("state"));
        let (before, after) = ("web: true\nmore: 1\n", "web: false\nmore: 1\n");
        std::fs::write(&path, before).expect("writes");
        std::fs::hard_link(&path, folder.path().join("other")).expect("links");
        let context = SaveContext { managed: None, state_dir: &state_dir };
        let file = load(&path, Dialect::Ruamel).expect("loads");
        let op = Op::Set { path: vec!["web".into()], value: NewValue::Bool(false) };
        let saved = save(&file, &[op], &context).expect("saves");
        let real = target::real(&path).expect("is there");
        for written in 0..=after.len() {
            // As a kill leaves it: announced, and written up to here.
            last::begin(&state_dir, &saved.undo, after.as_bytes()).expect("announces");
            let torn = [&after[..written], before.get(written..).unwrap_or_default()].concat();
            std::fs::write(&path, &torn).expect("writes");
            let token = last::last_save(&path, &state_dir).expect("the save is remembered");
            undo(&token, &context).expect("takes it back");
            assert_eq!(std::fs::read_to_string(&path).expect("reads"), before, "cut off at {written}");
            assert!(last::last_save(&path, &state_dir).is_none(), "it can be taken back once");
        }
        // The same bytes without an announced write are somebody else's.
        std::fs::write(&path, "web: fals").expect("writes");
        last::finish(&state_dir, &real);
        assert!(matches!(undo(&saved.undo, &context), Err(SaveError::ChangedSince { .. })));
    }
}
