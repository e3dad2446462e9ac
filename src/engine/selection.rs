//! What is on for one platform, and which rule decided. Contract: Hermes' `_get_platform_tools`, both versions.
//!
//! Where Hermes stops with an error (`platform_toolsets` as a text, `mcp_servers` as a list) the section counts as
//! missing here, and [`super::findings`] says so.

mod words;

use serde::{Deserialize, Serialize};

use super::catalog::Catalog;
use super::ids::{PlatformKey, ToolName, ToolsetKey};
use super::rules::Rules;
use super::value::Value;

pub(crate) mod deny;
pub(crate) mod literal;
pub(crate) mod nearest;
mod resolve;
pub(crate) mod tables;

pub(crate) use resolve::NO_MCP;

/// The rule that decided about one name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "rule")]
pub enum Reason {
    /// Its own name is in `platform_toolsets.<p>`.
    Listed,
    /// A bundle in the list (or the platform's default bundle) covers its tools.
    Inherited { bundle: ToolsetKey, default: bool },
    /// xAI credentials exist.
    XaiCredentials,
    /// A plugin's toolset this platform's list was never asked about.
    PluginNotYetKnown,
    /// `context.engine` names an engine.
    ContextEngine,
    /// Not configurable, but the platform's default bundle has its tools.
    RecoveredNative,
    /// Root `toolsets: [kanban]` without a saved list.
    RootToolsets,
    /// Shipped recently and never offered to this platform's list.
    RecentlyShipped,
    /// A listed name that is no toolset Hermes knows: kept, and without effect.
    PassedThrough { nearest: Option<String> },
    /// MCP: no server is listed, so every enabled one counts.
    NoServerListed,
    /// MCP: this server is listed, so only listed ones count.
    ServerListed,

    /// Off: a list is saved and does not have it.
    NotListed,
    /// Off: the default bundle does not cover it.
    NotInDefault,
    /// Off unless chosen.
    DefaultOff,
    /// Off: exists on other platforms only.
    RestrictedTo { platforms: Vec<PlatformKey> },
    /// Off: a plugin's toolset the list was asked about and does not have.
    PluginDeclined,
    /// Off: named in `agent.disabled_toolsets`.
    Denied,
    /// Off: every tool is stripped by this entry of `agent.disabled_toolsets`.
    DeniedThrough { entry: String },
    /// Off, MCP: `no_mcp` is in the list.
    NoMcp,
    /// Off, MCP: other servers are listed.
    OtherServersListed,
    /// Off, MCP: `enabled` is false in `mcp_servers`.
    ServerDisabled,
    /// Off, MCP: the entry is no mapping.
    ServerMalformed { kind: String },
}

/// One name and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub key: ToolsetKey,
    pub on: bool,
    pub reason: Reason,
    /// True for an `mcp_servers` entry.
    pub is_server: bool,
}

/// How `platform_toolsets.<p>` was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saved {
    /// The key is missing or null: the default bundle counts.
    Absent,
    /// A real list, or text that counts as one.
    List(Vec<String>),
    /// Something else, which Hermes ignores: `kind` in a user's words.
    Ignored { kind: &'static str },
}

/// The resolved set of a platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    pub platform: PlatformKey,
    pub saved: Saved,
    /// Configurable toolsets in Hermes' order, then plugins', then other names that are on, then servers.
    pub entries: Vec<Entry>,
    /// Tools `agent.disabled_toolsets` strips at run time, whatever is ticked, each with the entry that does it.
    pub stripped: Vec<(ToolName, String)>,
}

impl Selection {
    /// The names that are on, sorted: what `_get_platform_tools` returns as a set.
    pub fn enabled(&self) -> Vec<&str> {
        let mut names: Vec<&str> =
            self.entries.iter().filter(|entry| entry.on).map(|entry| entry.key.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The entry of a name, a toolset's before a server's of the same name.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key.as_str() == key)
    }

    /// The entry of a toolset or any other name that is no server.
    pub fn toolset(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| !entry.is_server && entry.key.as_str() == key)
    }

    /// The entry of a server.
    pub fn server(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().rfind(|entry| entry.is_server && entry.key.as_str() == name)
    }

    pub fn is_on(&self, key: &str) -> bool {
        self.entry(key).is_some_and(|entry| entry.on)
    }
}

/// Resolves a platform as the installed Hermes does.
///
/// `config` is the user's own document (not merged with Hermes' defaults), under the catalog's dialect. Never fails: a
/// value of the wrong kind is read the way Hermes reads it.
pub fn select(config: &Value, catalog: &Catalog, platform: &PlatformKey) -> Selection {
    resolve::Resolver::new(config, catalog, platform).run()
}

/// Platforms that Hermes' own menu calls enabled, and those with a saved list, in the catalog's order; `cli` always.
pub fn platforms_in_use(catalog: &Catalog, config: &Value) -> Vec<PlatformKey> {
    let saved = platforms_with_a_key(config);
    let enabled = &catalog.facts().enabled_platforms;
    let used = |key: &PlatformKey| {
        key.as_str() == "cli" || enabled.contains(key) || saved.iter().any(|saved| saved == key.as_str())
    };
    let mut keys: Vec<PlatformKey> =
        catalog.document().platforms.iter().map(|platform| platform.key.clone()).filter(used).collect();
    if !keys.iter().any(|key| key.as_str() == "cli") {
        keys.insert(0, "cli".into());
    }
    for key in saved {
        if !keys.iter().any(|known| known.as_str() == key) {
            keys.push(key.into());
        }
    }
    keys
}

/// The keys of `platform_toolsets`, whatever they hold, in file order.
pub fn platforms_with_a_key(config: &Value) -> Vec<String> {
    let lists = config.get("platform_toolsets").and_then(Value::as_map).unwrap_or_default();
    lists.iter().map(|(key, _)| key.py_str().into_owned()).collect()
}

/// Reads `platform_toolsets.<p>`: a real list, on 0.22 also a text that spells one.
pub(crate) fn saved(config: &Value, rules: &Rules, platform: &PlatformKey) -> Saved {
    match config.at(&["platform_toolsets", platform.as_str()]) {
        None | Some(Value::Null) => Saved::Absent,
        Some(Value::Seq(items)) => Saved::List(items.iter().map(|item| item.py_str().into_owned()).collect()),
        Some(Value::Str(text)) if rules.list_literal_strings => {
            literal::list_items(text).map_or(Saved::Ignored { kind: "text" }, Saved::List)
        }
        Some(other) => Saved::Ignored { kind: other.kind() },
    }
}

#[cfg(test)]
mod tests;
