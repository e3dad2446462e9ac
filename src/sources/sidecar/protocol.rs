//! What is said on the worker's stdin and stdout: one JSON object a line, requests numbered, answers by number.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::engine::assembly::Assembly;
use crate::engine::catalog::{HermesInfo, Surface};
use crate::engine::ids::{PlatformKey, ServerName};

/// The worker's first answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    pub hermes: HermesInfo,
    pub python_version: String,
    /// The worker's process.
    pub pid: u32,
    /// What this Hermes can be asked, by name: `tool_search`, `tiered_listing`, `mcp_schema_cache`, ...
    #[serde(default)]
    pub capabilities: BTreeMap<String, bool>,
}

/// Which array to build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AssembleRequest {
    /// The text of a `config.yaml` that need not be on disk; `None` asks about the saved one.
    pub config_text: Option<String>,
    pub platform: PlatformKey,
    pub surface: Surface,
    /// The model's window in tokens; `None` takes what Hermes knows without asking the network.
    pub context_tokens: Option<u64>,
}

/// What a server told us.
#[derive(Clone, Debug, Serialize)]
pub struct Told {
    pub server: ServerName,
    /// Seconds since the epoch.
    pub taken_at: u64,
    /// How long it took to tell.
    pub took_ms: u64,
    /// Told under other settings than the file has now.
    pub stale: bool,
    pub resources: bool,
    pub prompts: bool,
    /// Why Hermes' MCP library takes none of it, where that is known without asking it.
    pub refused: Option<String>,
    /// Each as sent.
    pub tools: Vec<Box<RawValue>>,
}

/// The array, and the names that were on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AssembleAnswer {
    /// Sorted, as `_get_platform_tools` resolves them.
    pub enabled: Vec<String>,
    pub assembly: Assembly,
}
