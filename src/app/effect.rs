//! What the outside is asked to do, as plain data, so that a test can see a save requested without doing it.

use std::sync::Arc;

use crate::engine::assembly::Assembly;
use crate::engine::catalog::{Catalog, Surface};
use crate::engine::draft::Target;
use crate::engine::ids::{PlatformKey, ServerName};
use crate::engine::meter::TokenCounts;
use crate::engine::plan::Op;
use crate::engine::preset::Preset;
use crate::engine::value::Value;
use crate::engine::yaml::Document;

/// One request. Those the terminal answers itself are at the end.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Start Hermes if it is not running and ask what exists on this surface.
    LoadCatalog {
        surface: Surface,
        generation: u64,
    },
    /// Ask Hermes for the array of this document after these edits. A newer generation replaces an older one.
    Assemble {
        generation: u64,
        platform: PlatformKey,
        surface: Surface,
        document: Arc<Document>,
        ops: Vec<Op>,
        context_tokens: Option<u64>,
    },
    /// Work out what switching off each thing would save, from this config on.
    Ablate {
        generation: u64,
        catalog: Arc<Catalog>,
        config: Arc<Value>,
        platform: PlatformKey,
        surface: Surface,
        counts: Arc<TokenCounts>,
        context_tokens: Option<u64>,
    },
    /// Count the tokens of definitions nobody counted yet, those Hermes reworded in an array included.
    CountTokens {
        catalog: Arc<Catalog>,
        assembly: Option<Arc<Assembly>>,
    },
    Save {
        ops: Vec<Op>,
    },
    UndoSave,
    /// Start or reach these servers and ask for their tools.
    Probe {
        servers: Vec<ServerName>,
    },
    /// Call that off, and end the server.
    CancelProbe {
        server: ServerName,
    },
    /// Read a preset, to put it into the draft.
    LoadPreset {
        name: String,
    },
    /// Keep a preset in a file; one of the same name is not written over.
    KeepPreset {
        preset: Preset,
    },
    SwitchProfile {
        name: String,
    },
    /// Read config.yaml again: an editor may have changed it.
    Reload,
    /// Keep the draft for the next start, or forget it when empty.
    StoreRecovery {
        wishes: Vec<(Target, bool)>,
    },
    /// Say so when a notice's time is over.
    ExpireNotice {
        id: u64,
        after_ms: u64,
    },
    /// Say so when a second interrupt no longer counts.
    DisarmInterrupt {
        generation: u64,
        after_ms: u64,
    },

    CopyText(String),
    OpenEditor,
    SetMouse(bool),
    SetTheme(String),
    Redraw,
    Suspend,
    Quit,
}
