//! Everything that can happen: a wish, typed text, the mouse, and answers from outside.

use std::sync::Arc;

use crate::engine::assembly::Assembly;
use crate::engine::catalog::{Catalog, Surface};
use crate::engine::ids::PlatformKey;
use crate::engine::meter::TokenCounts;
use crate::engine::plan::Op;
use crate::engine::preset::Preset;
use crate::engine::report::ablate::AblateRow;
use crate::engine::server::probe::Probe;
use crate::engine::yaml::Document;

use super::action::Action;
use super::state::{Source, Start};

/// Rows that fit, as the layout gives them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Viewport {
    pub list_rows: usize,
    /// Rows inside a modal.
    pub modal_rows: usize,
    /// False where details need an overlay.
    pub detail_beside: bool,
}

/// One thing that happened.
#[derive(Clone, Debug)]
pub enum Message {
    Act(Action),
    /// A printable key while a text field has the keys.
    Typed(char),
    Pasted(String),
    Erased,
    ErasedWord,
    Viewport(Viewport),
    /// A click on a row, counted from the first row of the list.
    RowClicked(usize),
    /// A click on a row's box.
    BoxClicked(usize),
    /// A click on an entry of the open list or question.
    EntryClicked(usize),
    /// The wheel over the list: rows, down is positive.
    ListScrolled(isize),
    DetailScrolled(isize),

    CatalogArrived {
        generation: u64,
        catalog: Arc<Catalog>,
        source: Source,
        age_s: Option<u64>,
        /// The file again, where this Hermes reads it otherwise than what stood in for it, and whether it may be saved.
        reread: Option<Reread>,
    },
    /// Hermes could not be asked; what failed and what to do.
    WorkerFailed {
        text: String,
    },
    AssemblyArrived {
        generation: u64,
        platform: PlatformKey,
        surface: Surface,
        ops: Vec<Op>,
        outcome: Result<Arc<Assembly>, String>,
    },
    Ablated {
        generation: u64,
        rows: Vec<AblateRow>,
    },
    TokensCounted {
        counts: Arc<TokenCounts>,
    },
    /// The file holds the planned text; `reapplied` when someone else had changed it meanwhile.
    Saved {
        document: Arc<Document>,
        reapplied: bool,
    },
    SaveFailed {
        text: String,
    },
    SaveUndone {
        document: Arc<Document>,
    },
    Reloaded {
        document: Arc<Document>,
    },
    ReloadFailed {
        text: String,
    },
    /// A server that was asked has answered, or not; what it told is kept.
    Probed(Box<Probe>),
    PresetLoaded(Box<Preset>),
    /// The names there are now.
    PresetKept {
        name: String,
        presets: Vec<String>,
    },
    PresetFailed {
        text: String,
    },
    ProfileOpened(Box<Start>),
    ProfileFailed {
        text: String,
    },
    Copied {
        how: Result<(), String>,
    },
    NoticeExpired {
        id: u64,
    },
    InterruptDisarmed {
        generation: u64,
    },
}

/// The file as another Hermes reads it.
#[derive(Clone, Debug)]
pub struct Reread {
    pub document: Arc<Document>,
    /// Why nothing can be saved, if so.
    pub read_only: Option<String>,
}
