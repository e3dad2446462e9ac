//! What the installed Hermes' tool search brings along, as data from its own code: defaults, which tools it defers, and
//! the wording of its bridge tools.

use serde::{Deserialize, Serialize};

use super::wording::Wording;
use crate::engine::ids::{ToolName, ToolsetKey};
use crate::engine::rules::{Activation, Rules};
use crate::engine::search::replies::Replies;

/// Settings that count where nothing is configured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Defaults {
    /// Percent of the window.
    pub threshold_pct: f64,
    pub search_default_limit: u32,
    pub max_search_limit: u32,
    /// Tokens; without meaning where nothing is listed.
    pub listing_max_tokens: u64,
}

impl Defaults {
    /// Those of 0.19 and 0.22.
    pub fn of(rules: &Rules) -> Self {
        let old = rules.activation != Activation::AnyDeferrable;
        Self {
            threshold_pct: if old { 10.0 } else { 5.0 },
            search_default_limit: 5,
            max_search_limit: if old { 20 } else { 25 },
            listing_max_tokens: 4000,
        }
    }
}

/// A declared server that is not available: it has a line in the listing though it has no tools (0.22).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnavailableSource {
    pub name: String,
    #[serde(default)]
    pub tool_count: Option<u64>,
    /// The reason, as it is listed.
    pub unavailable: String,
}

/// One Hermes' tool search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Host {
    pub defaults: Defaults,
    /// Built-in tools that are deferred where `defer` names none.
    #[serde(default)]
    pub default_defer: Vec<ToolName>,
    /// Toolsets whose tools are never deferred unless `defer` names them.
    #[serde(default)]
    pub direct_toolsets: Vec<ToolsetKey>,
    #[serde(default)]
    pub unavailable_sources: Vec<UnavailableSource>,
    pub wording: Wording,
    /// What the bridge tools answer.
    #[serde(default)]
    pub replies: Replies,
}

/// Names of the bridge tools, in the order they are sent.
pub const BRIDGE_TOOLS: [&str; 3] = ["tool_search", "tool_describe", "tool_call"];

/// The tool whose presence makes `tool_search` speak of connected accounts (0.22), and is reason enough for a bridge.
pub const CONNECTIONS: &str = "manage_connections";

impl Host {
    /// What is known of 0.19 and 0.22 without asking an installed one: their numbers and names, in our own wording.
    pub fn own(rules: &Rules) -> Self {
        Self {
            defaults: Defaults::of(rules),
            default_defer: if rules.builtins_deferrable {
                DEFAULT_DEFER.iter().map(|name| (*name).into()).collect()
            } else {
                Vec::new()
            },
            direct_toolsets: if rules.tiered_listing {
                DIRECT_TOOLSETS.iter().map(|key| (*key).into()).collect()
            } else {
                Vec::new()
            },
            unavailable_sources: Vec::new(),
            wording: Wording::own(rules.tiered_listing),
            replies: Replies::default(),
        }
    }
}

/// 0.22.2's own choice.
const DEFAULT_DEFER: [&str; 19] = [
    "computer_use",
    "session_search",
    "image_generate",
    "todo_list",
    "process_manage",
    "cronjob_manage",
    "browser_vault",
    "drive_preview",
    "gui_tour",
    "desktop_preview",
    "annotate_preview",
    "manage_catalog",
    "show_tip",
    "desktop_project",
    "close_terminal",
    "set_theme",
    "read_terminal",
    "read_window_below",
    "focus_pane",
];

const DIRECT_TOOLSETS: [&str; 4] = ["project", "desktop_ui", "catalog", "onboarding"];
