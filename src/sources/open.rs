//! Opening: everything that can be shown at once ([`open`]), and the same after asking Hermes ([`open_live`]). Used by
//! the command line and the UI alike. Neither writes into a Hermes home.
//!
//! The catalog is, in this order: the file named by `--catalog`, the stored snapshot of this home and surface, a stored
//! one of another surface, the embedded sample. Where the sample stands in for a real Hermes, nothing can be saved.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::engine::catalog::{Catalog, CatalogDocument, Surface};
use crate::engine::ids::PlatformKey;
use crate::engine::text::visible;
use crate::engine::value::Value;
use crate::engine::yaml::Document;

use super::config::{self, ConfigError, ConfigFile};
use super::home::{self, Chosen, Home, HomeError, HomeRequest};
use super::mcp::store;
use super::sample;
use super::sidecar::{self, Deadlines, Interpreter, LocateError, Worker, WorkerError};
use super::snapshot::{self, SnapshotError};

/// Where the catalog on show is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CatalogSource {
    /// Hermes answered in this run.
    Live,
    /// The last answer, kept under the cache folder, or a file given by `--catalog`.
    Snapshot,
    /// The embedded sample: no Hermes was found, or it was never asked.
    Sample,
}

impl CatalogSource {
    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Snapshot => "snapshot",
            Self::Sample => "sample",
        }
    }
}

/// A catalog and where it is from.
#[derive(Clone, Debug)]
pub struct LoadedCatalog {
    pub catalog: Arc<Catalog>,
    pub source: CatalogSource,
    /// Seconds since Hermes answered; `None` for the sample.
    pub age_s: Option<u64>,
    /// The install has changed since: Hermes should be asked again.
    pub stale: bool,
}

/// What to open.
#[derive(Clone, Debug, Default)]
pub struct OpenRequest {
    pub home: HomeRequest,
    /// The platform asked about; `None` is `cli`.
    pub platform: Option<PlatformKey>,
    /// `--catalog FILE`.
    pub catalog_file: Option<PathBuf>,
    /// `--surface`; else the one the platform's conversations have.
    pub surface: Option<Surface>,
    /// Our cache folder (snapshots, memo) and state folder (undo, recovery).
    pub cache_dir: PathBuf,
    pub state_dir: PathBuf,
    /// The launcher or interpreter to ask (`--hermes`, `HERMES_TOOLS_PYTHON`), and `PATH` to look for one.
    pub hermes: sidecar::LocateRequest,
    /// Seconds since the epoch, now.
    pub now_s: u64,
    /// Force the sample, whatever is installed.
    pub sample: bool,
    /// Variables that are set, look like a switch for tools, and are read by no Hermes.
    pub idle_variables: Vec<String>,
}

impl OpenRequest {
    /// The surface figures are about.
    pub fn surface(&self) -> Surface {
        self.surface.unwrap_or_else(|| Surface::of_platform(self.platform.as_ref().map_or("cli", PlatformKey::as_str)))
    }

    fn problems(&self) -> Vec<String> {
        let told = |name: &String| format!("{} is set, and no Hermes reads it: it switches nothing off", visible(name));
        self.idle_variables.iter().map(told).collect()
    }
}

/// What can be shown at once.
#[derive(Debug)]
pub struct Opened {
    pub home: Home,
    pub config: ConfigFile,
    pub catalog: LoadedCatalog,
    /// The Python behind the user's Hermes, found without starting it.
    pub interpreter: Result<Interpreter, LocateError>,
    /// What a person should know: no Hermes found, home missing, file unparsable. Plain sentences, sanitised.
    pub notices: Vec<String>,
}

impl Opened {
    /// The user's config as Hermes reads it. In place of a file Hermes cannot read counts what it runs on instead: its
    /// last readable copy (0.22), else nothing but its defaults.
    pub fn config_value(&self) -> Cow<'_, Value> {
        self.config.value()
    }
}

/// Why nothing can be shown.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error(transparent)]
    Home(#[from] HomeError),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Catalog(#[from] SnapshotError),
}

/// Whether Hermes is started when a usable snapshot exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Only where there is no snapshot, or one of another install.
    IfNeeded,
    Always,
}

/// What [`open_live`] found.
#[derive(Debug)]
pub struct Live {
    pub opened: Opened,
    /// Still running, for further questions, when Hermes was asked.
    pub worker: Option<Worker>,
    /// Why Hermes could not be asked, when it should have been.
    pub failure: Option<WorkerError>,
}

/// Opens what is on disk. Starts no process.
pub fn open(request: &OpenRequest) -> Result<Opened, OpenError> {
    if request.sample {
        return Ok(sample_home("--sample".to_owned(), request));
    }
    let home = home::find(&request.home)?;
    let interpreter = sidecar::locate(&request.hermes);
    let mut problems = request.problems();
    let catalog = match &request.catalog_file {
        Some(path) => Some(loaded(snapshot::read_file(path)?, CatalogSource::Snapshot, request.now_s)),
        None => stored(request, &home.path, interpreter.as_ref().ok(), &mut problems),
    };
    let Some(catalog) = catalog else {
        let why = no_catalog_reason(&home, interpreter.as_ref().err());
        if !home.exists {
            return Ok(Opened { interpreter, ..sample_home(why, request) });
        }
        return with_sample_catalog(home, interpreter, why, problems);
    };
    with_catalog(home, interpreter, catalog, problems, request.surface())
}

/// Opens, and asks Hermes where that is needed; keeps its answer as the new snapshot. A Hermes that does not answer is
/// no error: what is on disk is shown, with a notice.
pub async fn open_live(request: &OpenRequest, ask: Ask, deadlines: Deadlines) -> Result<Live, OpenError> {
    let opened = open(request)?;
    let settled = opened.catalog.source == CatalogSource::Snapshot && !opened.catalog.stale && ask == Ask::IfNeeded;
    if request.sample || request.catalog_file.is_some() || settled {
        return Ok(Live { opened, worker: None, failure: None });
    }
    let home = home::find(&request.home)?;
    let Ok(interpreter) = opened.interpreter.clone() else {
        return Ok(Live { opened, worker: None, failure: None });
    };
    if !home.exists {
        return Ok(Live { opened, worker: None, failure: None });
    }
    let lists = store::told(&request.cache_dir, &home.path, &opened.config_value());
    let stamp = stamp(&interpreter, &request.cache_dir, &home.path);
    match Worker::start_with_catalog(&interpreter, &home.path, request.surface(), &lists, deadlines).await {
        Ok((worker, document)) => {
            let mut problems = request.problems();
            if let Err(error) = snapshot::store(&request.cache_dir, &stamp, &document) {
                problems.push(format!("the answer of Hermes could not be kept: {}", visible(&error.to_string())));
            }
            let catalog = loaded(document, CatalogSource::Live, request.now_s);
            let opened = with_catalog(home, Ok(interpreter), catalog, problems, request.surface())?;
            Ok(Live { opened, worker: Some(worker), failure: None })
        }
        Err(error) => {
            let mut opened = opened;
            opened.notices.insert(0, format!("Hermes could not be asked: {}", visible(&error.to_string())));
            Ok(Live { opened, worker: None, failure: Some(error) })
        }
    }
}

/// Starts Hermes' Python on a home and tells it the lists of servers.
pub async fn start_worker(
    interpreter: &Interpreter,
    home: &Path,
    config: &Value,
    cache_dir: &Path,
    deadlines: Deadlines,
) -> Result<Worker, WorkerError> {
    let worker = Worker::start(interpreter, home, deadlines).await?;
    let lists = store::told(cache_dir, home, config);
    if !lists.is_empty() {
        worker.tell(&lists).await?;
    }
    Ok(worker)
}

/// Changes when another Hermes, or another list of a server, would give another answer.
pub fn stamp(interpreter: &Interpreter, cache_dir: &Path, home: &Path) -> String {
    match store::stamp(cache_dir, home) {
        Some(lists) => format!("{}+{lists}", interpreter.stamp),
        None => interpreter.stamp.clone(),
    }
}

fn loaded(document: CatalogDocument, source: CatalogSource, now_s: u64) -> LoadedCatalog {
    LoadedCatalog {
        age_s: Some(now_s.saturating_sub(document.taken_at)),
        catalog: Arc::new(Catalog::new(document)),
        source,
        stale: false,
    }
}

/// The snapshot of the wanted surface, or of the first other surface that has one.
fn stored(
    request: &OpenRequest,
    home: &Path,
    interpreter: Option<&Interpreter>,
    problems: &mut Vec<String>,
) -> Option<LoadedCatalog> {
    let wanted = request.surface();
    let others = Surface::ALL.into_iter().filter(|surface| *surface != wanted);
    std::iter::once(wanted).chain(others).find_map(|surface| {
        let stored = match snapshot::load(&request.cache_dir, home, surface) {
            Ok(stored) => stored?,
            Err(error) => {
                problems.push(format!("a stored snapshot is not used: {}", visible(&error.to_string())));
                return None;
            }
        };
        let changed = |interpreter| stamp(interpreter, &request.cache_dir, home) != stored.stamp;
        let stale = surface != wanted || interpreter.is_some_and(changed);
        Some(LoadedCatalog { stale, ..loaded(stored.document, CatalogSource::Snapshot, request.now_s) })
    })
}

fn no_catalog_reason(home: &Home, locate: Option<&LocateError>) -> String {
    match locate {
        _ if !home.exists => format!(
            "there is no Hermes home at {} yet (chosen by {}); start `hermes` once, or name a home with --hermes-home",
            visible(&home.path.display().to_string()),
            home.chosen.as_str()
        ),
        Some(error) => visible(&error.to_string()).into_owned(),
        None => "this home's Hermes has not answered yet".to_owned(),
    }
}

fn sample_catalog() -> LoadedCatalog {
    LoadedCatalog {
        catalog: Arc::new(Catalog::new(sample::catalog())),
        source: CatalogSource::Sample,
        age_s: None,
        stale: false,
    }
}

/// The sample with its own config: there is no file, and nothing can be saved.
fn sample_home(why: String, request: &OpenRequest) -> Opened {
    let catalog = sample_catalog();
    let path = PathBuf::from("(sample)");
    let home = Home {
        root: path.clone(),
        profile: home::DEFAULT_PROFILE.to_owned(),
        chosen: Chosen::Sample,
        profiles: vec![home::DEFAULT_PROFILE.to_owned()],
        exists: false,
        managed: Some("this is the embedded sample, there is no file to change; --dry-run shows the edit".to_owned()),
        managed_scope: None,
        path,
    };
    Opened {
        config: ConfigFile::in_memory(home.config_path(), sample::config_text(), catalog.catalog.rules().dialect),
        home,
        catalog,
        interpreter: sidecar::locate(&request.hermes),
        notices: vec![format!("{why}: showing the embedded sample, whose figures are not yours")],
    }
}

/// A real home whose Hermes nobody could ask: its own config against the sample's tools, for looking only.
fn with_sample_catalog(
    home: Home,
    interpreter: Result<Interpreter, LocateError>,
    why: String,
    problems: Vec<String>,
) -> Result<Opened, OpenError> {
    let read_only = format!("{why}; the sample's rules may not be those of your Hermes, so nothing is written");
    let home = Home { managed: home.managed.clone().or(Some(read_only)), ..home };
    let surface = Surface::Cli;
    let mut opened = with_catalog(home, interpreter, sample_catalog(), problems, surface)?;
    opened.notices.insert(0, format!("{why}: showing the sample's tools, whose figures are not yours"));
    Ok(opened)
}

fn with_catalog(
    home: Home,
    interpreter: Result<Interpreter, LocateError>,
    catalog: LoadedCatalog,
    mut notices: Vec<String>,
    surface: Surface,
) -> Result<Opened, OpenError> {
    let config = config::load(&home.config_path(), catalog.catalog.rules().dialect)?;
    let taken_for = catalog.catalog.document().surface;
    if catalog.source == CatalogSource::Snapshot && taken_for != surface {
        notices.push(format!(
            "availability is as on surface {}, not {}: Hermes has not been asked about that one; --live asks it",
            taken_for.as_str(),
            surface.as_str()
        ));
    } else if catalog.stale {
        notices.push("Hermes has changed since it was last asked; --live asks it again".to_owned());
    }
    if let Err(error) = &config.document {
        let instead = match &config.last_good {
            Some(copy) => {
                format!("runs on the last copy it could read ({})", visible(&copy.path.display().to_string()))
            }
            None => "uses its defaults instead".to_owned(),
        };
        notices.push(format!(
            "{}:{}:{}: {}; Hermes cannot read this file and {instead}, so nothing is saved until it is repaired",
            visible(&config.path.display().to_string()),
            error.place.line,
            error.place.column,
            visible(&error.message)
        ));
    }
    for twice in config.document.iter().flat_map(Document::twice) {
        let (first, last) = twice.lines;
        notices.push(format!(
            "{} stands twice in {}, on line {first} and on line {last}: Hermes reads the last one only",
            visible(&twice.path),
            visible(&config.path.display().to_string()),
        ));
    }
    if let Some(scope) = &home.managed_scope {
        notices.push(format!(
            "an administrator's file {} is in force: values set there win over yours",
            visible(&scope.display().to_string())
        ));
    }
    Ok(Opened { home, config, catalog, interpreter, notices })
}
