//! Opening: everything that can be shown at once, without asking Hermes. Used by the command line and the UI alike.

use std::path::PathBuf;
use std::sync::Arc;

use crate::engine::catalog::{Catalog, Surface};

use super::config::ConfigFile;
use super::home::{Home, HomeRequest};

/// Where the catalog on show is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CatalogSource {
    /// Hermes answered in this run.
    Live,
    /// The last answer, kept under the cache folder, or a file given by `--catalog`.
    Snapshot,
    /// The embedded sample: no Hermes was found.
    Sample,
}

/// A catalog and where it is from.
#[derive(Clone, Debug)]
pub struct LoadedCatalog {
    pub catalog: Arc<Catalog>,
    pub source: CatalogSource,
    /// Seconds since Hermes answered; `None` for the sample.
    pub age_s: Option<u64>,
}

/// What to open.
#[derive(Clone, Debug, Default)]
pub struct OpenRequest {
    pub home: HomeRequest,
    /// `--catalog FILE`.
    pub catalog_file: Option<PathBuf>,
    /// `--surface`; else the one the platform's conversations have.
    pub surface: Option<Surface>,
    /// Our cache folder (snapshots, memo) and state folder (undo, recovery).
    pub cache_dir: PathBuf,
    pub state_dir: PathBuf,
    /// The launcher or interpreter to ask (`--hermes`, `HERMES_TOOLS_PYTHON`), and `PATH` to look for one.
    pub hermes: super::sidecar::LocateRequest,
    /// Seconds since the epoch, now.
    pub now_s: u64,
    /// Force the sample, whatever is installed.
    pub sample: bool,
}

/// What can be shown at once.
#[derive(Debug)]
pub struct Opened {
    pub home: Home,
    pub config: ConfigFile,
    pub catalog: LoadedCatalog,
    /// What a person should know: no Hermes found, home missing, file unparsable. Plain sentences, sanitised.
    pub notices: Vec<String>,
}
