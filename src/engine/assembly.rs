//! The ordered tools array of one selection, with the fate of every tool.
//!
//! [`native`] builds it from the catalog, in microseconds: which tools are deferred ([`disclosure`]), how they are listed
//! ([`listing`]), and the bridge in the words of the installed Hermes ([`wording`]). It does not know how tools reword one
//! another, so its figures carry `~` until the worker has sent Hermes' own array for the same selection.

pub mod disclosure;
pub mod extent;
pub mod host;
pub mod line;
pub mod listing;
pub mod settings;
pub mod wording;

use serde::{Deserialize, Serialize};

use super::catalog::{Definition, Surface};
use super::ids::{PlatformKey, ToolName, ToolsetKey};

/// What becomes of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// In the array with its whole definition.
    Eager,
    /// Behind the bridge: only its line in the listing is sent.
    Deferred,
    /// Its availability check failed here.
    Unavailable,
    /// Its toolset is off, or it is stripped by `agent.disabled_toolsets`.
    Off,
    /// Its server's filter leaves it out.
    Filtered,
}

impl Fate {
    /// The word on screen and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Eager => "eager",
            Self::Deferred => "deferred",
            Self::Unavailable => "unavailable",
            Self::Off => "off",
            Self::Filtered => "filtered",
        }
    }
}

/// One entry of the array.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sent {
    pub name: ToolName,
    /// The row it is attributed to: the registry's toolset, or `(bridge)` for the three bridge tools, or
    /// `(unregistered)` for what is in no registry (memory-provider and context-engine tools).
    pub toolset: ToolsetKey,
    pub definition: Definition,
}

/// The row name of the bridge tools.
pub const BRIDGE: &str = "(bridge)";
/// The row name of tools in no registry.
pub const UNREGISTERED: &str = "(unregistered)";

/// An enabled tool that is not in the array.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Absent {
    pub name: ToolName,
    pub fate: Fate,
    #[serde(default)]
    pub why: Option<String>,
}

/// An array as Hermes built it for one question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assembly {
    pub platform: PlatformKey,
    pub surface: Surface,
    pub tools: Vec<Sent>,
    #[serde(default)]
    pub absent: Vec<Absent>,
    /// 0, 1 or 2, where this Hermes has tiers.
    #[serde(default)]
    pub tier: Option<u8>,
    /// full, names, mixed, groups or none, where this Hermes lists.
    #[serde(default)]
    pub form: Option<String>,
    /// Whether the bridge took over.
    #[serde(default)]
    pub activated: bool,
    #[serde(default)]
    pub context_tokens: Option<u64>,
}
