//! The whole state of the UI in one value.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::engine::assembly::Assembly;
use crate::engine::catalog::{Catalog, Surface};
use crate::engine::draft::{Draft, Target};
use crate::engine::ids::{PlatformKey, ServerName};
use crate::engine::meter::TokenCounts;
use crate::engine::plan::Op;
use crate::engine::report::PlatformReport;
use crate::engine::report::ablate::AblateRow;
use crate::engine::server::probe::Probe;
use crate::engine::yaml::Document;

use super::derive::Derived;
use super::message::Viewport;
use super::modal::Modal;
use super::notice::{Notices, Severity};
use super::tree::Tree;

/// Where the catalog on show is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Hermes answered in this run.
    Live,
    /// An earlier answer.
    Snapshot,
    /// The embedded sample.
    Sample,
}

/// Which file is on show, in words for the title. Sanitised already.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The config file, shortened with `~`.
    pub file: String,
    pub profile: String,
    pub profiles: Vec<String>,
    /// How the home was chosen.
    pub chosen: &'static str,
    /// The embedded sample: nothing on disk.
    pub sample: bool,
    /// Options the same home needs on the command line, such as `-p work`.
    pub command_options: String,
}

/// What a start or a profile switch brings.
#[derive(Clone, Debug)]
pub struct Start {
    pub place: Place,
    pub document: Arc<Document>,
    /// Why nothing can be switched here, if so.
    pub read_only: Option<String>,
    pub catalog: Arc<Catalog>,
    pub source: Source,
    pub age_s: Option<u64>,
    /// `--surface`; else each platform's own.
    pub surface: Option<Surface>,
    /// `--context`.
    pub context_tokens: Option<u64>,
    /// The platform to show first; `cli` where it exists.
    pub platform: Option<PlatformKey>,
    pub notices: Vec<(Severity, String)>,
    /// A draft kept by an earlier session.
    pub recovered: Vec<(Target, bool)>,
    pub counts: Arc<TokenCounts>,
    pub themes: Vec<String>,
    /// Names of presets.
    pub presets: Vec<String>,
}

/// How deep undo and redo go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct History {
    pub undo: usize,
    pub redo: usize,
}

impl History {
    pub fn can_undo(self) -> bool {
        self.undo > 0
    }

    pub fn can_redo(self) -> bool {
        self.redo > 0
    }
}

/// The line one types a filter into.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilterLine {
    pub text: String,
    /// The line has the keys.
    pub typing: bool,
}

/// An array Hermes confirmed for one set of edits.
pub(crate) struct Confirmed {
    pub platform: PlatformKey,
    pub surface: Surface,
    pub ops: Vec<Op>,
    pub assembly: Arc<Assembly>,
}

/// How many confirmed arrays are remembered: enough for undo and redo to be instant.
const CONFIRMED_KEPT: usize = 64;

/// What switching off each thing that is on would save.
#[derive(Clone, Debug, Default)]
pub struct Savings {
    /// The report they are about; another one means they are old.
    pub(crate) about: Option<Arc<PlatformReport>>,
    pub(crate) generation: u64,
    /// `None` while they are worked out.
    pub rows: Option<Arc<[AblateRow]>>,
}

/// How far the asking of a server is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    Waiting,
    Answered(Box<Probe>),
}

/// Everything the views read.
pub struct State {
    pub place: Place,
    /// The file as saved.
    pub document: Arc<Document>,
    pub read_only: Option<String>,
    pub catalog: Arc<Catalog>,
    pub source: Source,
    pub age_s: Option<u64>,
    pub platform: PlatformKey,
    /// `--surface`.
    pub forced_surface: Option<Surface>,
    pub forced_context: Option<u64>,
    pub draft: Draft,
    pub history: History,
    pub derived: Derived,
    pub tree: Tree,
    pub filter: FilterLine,
    pub detail_scroll: usize,
    pub modals: Vec<Modal>,
    pub notices: Notices,
    pub counts: Arc<TokenCounts>,
    pub viewport: Viewport,
    /// What runs outside, in words: shown while it does.
    pub working: Option<&'static str>,
    pub can_undo_save: bool,
    pub recovered: Vec<(Target, bool)>,
    /// A profile switch that waits for an answer.
    pub wanted_profile: Option<String>,
    /// Quit once the save that runs has succeeded.
    pub quit_after_save: bool,
    pub themes: Vec<String>,
    pub presets: Vec<String>,
    pub savings: Savings,
    /// Servers that were asked in this session.
    pub asked: BTreeMap<ServerName, Asked>,
    pub theme: String,
    pub mouse: bool,
    /// A first interrupt was pressed a moment ago.
    pub interrupt_armed: bool,
    /// Grows with each question put outside; an older answer is dropped.
    pub generation: u64,
    pub(crate) confirmed: Vec<Confirmed>,
}

impl State {
    /// The state before anything was asked: complete enough to draw.
    pub fn new(start: Start) -> Self {
        let platform = start.platform.clone().unwrap_or_else(|| first_platform(&start.catalog));
        let mut state = Self {
            derived: Derived::empty(&platform),
            place: start.place,
            document: start.document,
            read_only: start.read_only,
            catalog: start.catalog,
            source: start.source,
            age_s: start.age_s,
            platform,
            forced_surface: start.surface,
            forced_context: start.context_tokens,
            draft: Draft::default(),
            history: History::default(),
            tree: Tree::default(),
            filter: FilterLine::default(),
            detail_scroll: 0,
            modals: Vec::new(),
            notices: Notices::default(),
            counts: start.counts,
            viewport: Viewport { list_rows: 20, modal_rows: 16, detail_beside: true },
            working: None,
            can_undo_save: false,
            recovered: start.recovered,
            wanted_profile: None,
            quit_after_save: false,
            themes: start.themes,
            presets: start.presets,
            savings: Savings::default(),
            asked: BTreeMap::new(),
            theme: String::new(),
            mouse: true,
            interrupt_armed: false,
            generation: 0,
            confirmed: Vec::new(),
        };
        for (severity, text) in start.notices {
            state.notices.push(severity, text);
        }
        if let Some(reason) = &state.read_only {
            let text = format!("Read only: {reason}.");
            state.notices.push(Severity::Warning, text);
        }
        if !state.recovered.is_empty() {
            state.modals.push(Modal::Ask { ask: super::modal::Ask::Recover, selected: 0 });
        }
        state.derive_all();
        state
    }

    /// The surface figures are about.
    pub fn surface(&self) -> Surface {
        self.forced_surface.unwrap_or_else(|| Surface::of_platform(self.platform.as_str()))
    }

    /// The model's window in tokens, when known.
    pub fn context_tokens(&self) -> Option<u64> {
        self.forced_context.or(self.catalog.facts().context_tokens)
    }

    /// The label of the platform on show.
    pub fn platform_label(&self) -> String {
        self.catalog.platform(self.platform.as_str()).map_or_else(
            || self.platform.to_string(),
            |platform| super::derive::plain_label(&platform.label).to_owned(),
        )
    }

    /// Every platform one can look at: Hermes' own table, then others the file has a list for.
    pub fn platforms(&self) -> Vec<PlatformKey> {
        let mut keys: Vec<PlatformKey> =
            self.catalog.document().platforms.iter().map(|platform| platform.key.clone()).collect();
        for key in self.derived.saved_platforms.iter().chain([&self.platform]) {
            if !keys.contains(key) {
                keys.push(key.clone());
            }
        }
        keys
    }

    /// The confirmed array for these edits, if Hermes has answered.
    pub(crate) fn confirmed(&self, ops: &[Op]) -> Option<Arc<Assembly>> {
        let surface = self.surface();
        self.confirmed
            .iter()
            .find(|known| known.platform == self.platform && known.surface == surface && known.ops == ops)
            .map(|known| Arc::clone(&known.assembly))
    }

    pub(crate) fn remember(&mut self, confirmed: Confirmed) {
        self.confirmed.retain(|known| {
            (&known.platform, known.surface, &known.ops) != (&confirmed.platform, confirmed.surface, &confirmed.ops)
        });
        if self.confirmed.len() >= CONFIRMED_KEPT {
            self.confirmed.remove(0);
        }
        self.confirmed.push(confirmed);
    }

    /// How many unsaved wishes each platform has; wishes about servers everywhere are not among them.
    pub fn unsaved_by_platform(&self) -> HashMap<PlatformKey, usize> {
        let mut counts = HashMap::new();
        for (target, _) in self.draft.wishes() {
            if let Target::Toolset(platform, _) | Target::ServerOn(platform, _) | Target::NoMcp(platform) = target {
                *counts.entry(platform.clone()).or_insert(0) += 1;
            }
        }
        counts
    }
}

fn first_platform(catalog: &Catalog) -> PlatformKey {
    let platforms = &catalog.document().platforms;
    platforms
        .iter()
        .find(|platform| platform.key.as_str() == "cli")
        .or_else(|| platforms.first())
        .map_or_else(|| PlatformKey::from("cli"), |platform| platform.key.clone())
}
