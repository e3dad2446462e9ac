//! What was opened, as the UI starts from it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::app::message::Reread;
use crate::app::notice::Severity;
use crate::app::state::{Place, Source, Start};
use crate::engine::meter::TokenCounts;
use crate::engine::text::visible;
use crate::engine::yaml::Document;
use crate::sources::config::{self, ConfigFile};
use crate::sources::home::{self, Chosen, Home};
use crate::sources::open::{CatalogSource, LoadedCatalog, OpenRequest, Opened};

use crate::sources::mcp::Variables;
use crate::sources::presets;
use crate::sources::tokens::{self, Tokenizer};

use super::recovery;

/// How figures are made.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// `--tokenizer`; else the model's own, or a stand-in.
    pub tokenizer: Option<String>,
    /// `--context`.
    pub context_tokens: Option<u64>,
    /// Our configuration folder, for presets.
    pub config_dir: PathBuf,
    /// What `${VARIABLES}` of servers stand for.
    pub variables: Variables,
}

/// A home, its file and a catalog, with how they were asked for.
#[derive(Debug)]
pub struct Session {
    pub(super) request: OpenRequest,
    pub(super) home: Home,
    pub(super) config: ConfigFile,
    pub(super) catalog: LoadedCatalog,
    pub(super) interpreter: Option<crate::sources::sidecar::Interpreter>,
    pub(super) figures: Figures,
    notices: Vec<String>,
}

impl Session {
    pub fn new(opened: Opened, request: OpenRequest, figures: Figures) -> Self {
        Self {
            request,
            home: opened.home,
            config: opened.config,
            catalog: opened.catalog,
            interpreter: opened.interpreter.ok(),
            figures,
            notices: opened.notices,
        }
    }

    /// The file an editor would open; none for the sample.
    pub fn config_path(&self) -> Option<PathBuf> {
        (!self.is_sample()).then(|| self.config.path.clone())
    }

    fn is_sample(&self) -> bool {
        self.home.chosen == Chosen::Sample
    }

    /// A catalog of the sample beside a real home cannot plan edits of it.
    fn is_stand_in(&self) -> bool {
        !self.is_sample() && self.catalog.source == CatalogSource::Sample
    }

    /// The document, and why nothing can be saved, if so.
    fn base(&self) -> (Document, Option<String>) {
        let (document, unreadable) = self.document();
        let read_only = unreadable
            .or_else(|| self.home.managed.clone().filter(|_| !self.is_sample()))
            .or_else(|| self.is_stand_in().then(|| "Hermes has not said yet what exists".to_owned()));
        (document, read_only.map(|reason| visible(&reason).into_owned()))
    }

    /// Takes Hermes' answer. Where it replaces the sample's rules or another version's, the file is read again as this
    /// Hermes reads it.
    pub(super) fn take_catalog(&mut self, catalog: LoadedCatalog) -> Option<Reread> {
        let dialect = catalog.catalog.rules().dialect;
        let stood_in = self.is_stand_in();
        let reread = stood_in || self.catalog.catalog.rules().dialect != dialect;
        self.catalog = catalog;
        if stood_in {
            self.home.managed = home::managed(self.request.home.managed_env.as_deref(), &self.home.path);
        }
        if !reread || self.is_sample() {
            return None;
        }
        // A file that went away meanwhile is met at the save.
        if let Ok(config) = config::load(&self.config.path, dialect) {
            self.config = config;
        }
        let (document, read_only) = self.base();
        Some(Reread { document: Arc::new(document), read_only })
    }

    /// What the state begins with.
    pub fn start(&self) -> Start {
        let (document, read_only) = self.base();
        let sample = self.is_sample();
        let recovered = if sample { Vec::new() } else { recovery::load(&self.recovery_path()) };
        Start {
            place: self.place(),
            document: Arc::new(document),
            read_only,
            catalog: Arc::clone(&self.catalog.catalog),
            source: source_of(self.catalog.source),
            age_s: self.catalog.age_s,
            surface: self.request.surface,
            context_tokens: self.figures.context_tokens,
            platform: self.request.platform.clone(),
            notices: self.notices.iter().map(|text| (Severity::Info, text.clone())).collect(),
            recovered,
            counts: Arc::new(self.remembered_counts()),
            themes: Vec::new(),
            presets: presets::names(&self.figures.config_dir),
        }
    }

    /// What earlier runs counted with this tokenizer; the rest follows in the background.
    fn remembered_counts(&self) -> TokenCounts {
        let (of_model, exact) = Tokenizer::for_model(self.catalog.catalog.facts().model.as_deref().unwrap_or_default());
        let named = self.figures.tokenizer.as_deref().and_then(|name| Tokenizer::named(name).ok());
        let tokenizer = named.unwrap_or(of_model);
        let mut counts = tokens::load_memo(&self.request.cache_dir, tokenizer);
        counts.set_approximate(!exact || tokenizer != of_model);
        counts
    }

    /// The document, or what Hermes runs on instead (an empty one for its defaults) and why the file cannot be read.
    fn document(&self) -> (Document, Option<String>) {
        match &self.config.document {
            Ok(document) => (document.clone(), None),
            Err(error) => {
                let empty = ConfigFile::in_memory(PathBuf::new(), "", self.catalog.catalog.rules().dialect).document;
                let reason = format!("{} cannot be loaded: {error}", self.config.path.display());
                if let Some(document) = self.config.in_force() {
                    return (document.clone(), Some(reason));
                }
                match empty {
                    Ok(document) => (document, Some(reason)),
                    Err(error) => unreachable_empty(error),
                }
            }
        }
    }

    fn place(&self) -> Place {
        let path = if self.is_sample() {
            "sample config.yaml (nothing is written)".to_owned()
        } else {
            shortened(&self.config.path, self.request.home.user_home.as_deref())
        };
        let mut command_options = String::new();
        if let Some(home) = &self.request.home.home_flag {
            command_options = format!(" --hermes-home '{}'", home.display().to_string().replace('\'', r"'\''"));
        } else if self.home.chosen == Chosen::ProfileFlag {
            command_options = format!(" -p {}", self.home.profile);
        }
        Place {
            file: visible(&path).into_owned(),
            profile: visible(&self.home.profile).into_owned(),
            profiles: self.home.profiles.clone(),
            chosen: self.home.chosen.as_str(),
            sample: self.is_sample(),
            command_options,
        }
    }

    pub(super) fn recovery_path(&self) -> PathBuf {
        recovery::path(&self.request.state_dir, &self.config.path)
    }
}

#[expect(clippy::panic, reason = "an empty text is an empty document in both dialects")]
fn unreachable_empty(error: crate::engine::yaml::LoadError) -> ! {
    panic!("an empty document does not load: {error}")
}

/// `~/.hermes/config.yaml` for a path below the user's folder.
fn shortened(path: &Path, user_home: Option<&Path>) -> String {
    match user_home.and_then(|home| path.strip_prefix(home).ok()) {
        Some(below) => format!("~/{}", below.display()),
        None => path.display().to_string(),
    }
}

pub(super) fn source_of(source: CatalogSource) -> Source {
    match source {
        CatalogSource::Live => Source::Live,
        CatalogSource::Snapshot => Source::Snapshot,
        CatalogSource::Sample => Source::Sample,
    }
}
