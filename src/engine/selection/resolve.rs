//! The steps of Hermes' `_get_platform_tools`, in its order, each noting why it added a name.

use std::collections::{BTreeMap, HashSet};

use super::deny::Deny;
use super::nearest::nearest;
use super::tables::{Bits, Row, Tables};
use super::{Entry, Reason, Saved, Selection, literal};
use crate::engine::catalog::{Catalog, Toolset};
use crate::engine::ids::{PlatformKey, ToolName, ToolsetKey};
use crate::engine::server;
use crate::engine::value::Value;

/// The sentinel that keeps every MCP server off a platform.
pub(crate) const NO_MCP: &str = "no_mcp";
/// What the legacy name `hermes` stands for.
const LEGACY_HERMES: [&str; 2] = ["hermes-cli", "hermes-api-server"];

/// A listed name that is resolved to tools, and the name a person wrote for it.
struct Bundle<'a> {
    written: &'a str,
    tools: &'a Bits,
}

/// A server as far as resolving needs it.
struct ServerState {
    name: String,
    enabled: bool,
    malformed: Option<&'static str>,
}

pub(super) struct Resolver<'a> {
    config: &'a Value,
    catalog: &'a Catalog,
    tables: &'a Tables,
    platform: &'a PlatformKey,
    saved: Saved,
    deny: Deny,
    servers: Vec<ServerState>,
    on: BTreeMap<String, Reason>,
    /// Why enabled servers are on, or every server is off.
    mcp: Reason,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(config: &'a Value, catalog: &'a Catalog, platform: &'a PlatformKey) -> Self {
        Self {
            config,
            catalog,
            tables: catalog.selection_tables(),
            platform,
            saved: super::saved(config, catalog.rules(), platform),
            deny: Deny::read(config, catalog.rules()),
            servers: servers(config, catalog),
            on: BTreeMap::new(),
            mcp: Reason::NoServerListed,
        }
    }

    pub(super) fn run(mut self) -> Selection {
        let default = self.catalog.default_toolset(self.platform.as_str());
        let written = match &self.saved {
            Saved::List(names) => names.clone(),
            Saved::Absent | Saved::Ignored { .. } => vec![default.to_string()],
        };
        // Each effective name with the name a person wrote.
        let legacy = self.catalog.rules().legacy_hermes_name;
        let mut names: Vec<(&str, &str)> = Vec::new();
        for name in &written {
            if legacy && name == "hermes" {
                names.extend(LEGACY_HERMES.map(|effective| (effective, name.as_str())));
            } else {
                names.push((name, name));
            }
        }
        let listed: HashSet<&str> = names.iter().map(|(name, _)| *name).collect();

        self.builtins(&names, &listed, &default);
        self.recover_natives(&default);
        self.plugins(&listed);
        if self.context_engine_active() && !(self.is_saved() && names.is_empty()) {
            self.add("context_engine", Reason::ContextEngine);
        }
        self.passed_through_and_servers(&names, &listed);
        if self.root_kanban() {
            self.add("kanban", Reason::RootToolsets);
        }
        let pruned = self.apply_deny();
        let stripped = self.stripped();
        Selection {
            platform: self.platform.clone(),
            entries: self.entries(&names, &listed, &pruned),
            saved: self.saved,
            stripped,
        }
    }

    fn is_saved(&self) -> bool {
        matches!(self.saved, Saved::List(_))
    }

    /// The first rule that added a name is its reason.
    fn add(&mut self, name: &str, reason: Reason) {
        self.on.entry(name.to_owned()).or_insert(reason);
    }

    fn row(&self, name: &str) -> Option<&'a Row> {
        self.tables.row(self.catalog, name)
    }

    fn is_configurable(&self, name: &str) -> bool {
        self.row(name).is_some_and(|row| row.configurable)
    }

    /// Whether the toolset may be on at this platform at all.
    fn allowed(&self, toolset: &Toolset) -> bool {
        toolset.restricted_to.as_ref().is_none_or(|platforms| platforms.contains(self.platform))
    }

    /// Whether a bundle leaves the toolset out although it covers it.
    fn kept_off(&self, toolset: &Toolset) -> bool {
        let own_name = toolset.key.as_str() == self.platform.as_str() && toolset.restricted_to.is_none();
        let token = toolset.key.as_str() == "homeassistant"
            && self.catalog.rules().hass_token_exempts
            && self.catalog.facts().hass_token;
        let native = self.is_saved()
            && toolset.restricted_to.as_ref().is_some_and(|platforms| platforms.contains(self.platform));
        toolset.default_off && !(own_name || token || native)
    }

    /// The configurable toolsets: listed by name, or covered by the bundles.
    fn builtins(&mut self, names: &[(&str, &str)], listed: &HashSet<&str>, default: &ToolsetKey) {
        let (catalog, tables) = (self.catalog, self.tables);
        let plugin_keys_count = catalog.rules().plugin_keys_are_explicit;
        let explicit = names
            .iter()
            .any(|(name, _)| self.is_configurable(name) || (plugin_keys_count && tables.is_plugin_key(name)));
        let bundles: Vec<Bundle<'_>> = names
            .iter()
            .filter(|(name, _)| {
                !explicit
                    || (!self.is_configurable(name)
                        && !tables.is_plugin_key(name)
                        && catalog.toolset(name).is_some_and(|toolset| toolset.in_static_table))
            })
            .filter_map(|(name, written)| Some(Bundle { written, tools: tables.resolve(catalog, name)? }))
            .collect();
        let mut covered = Bits::default();
        for bundle in &bundles {
            covered.add(bundle.tools);
        }
        for (toolset, row) in tables.rows(catalog) {
            if !row.configurable || !self.allowed(toolset) {
                continue;
            }
            if explicit && listed.contains(toolset.key.as_str()) {
                self.add(toolset.key.as_str(), Reason::Listed);
            }
            let inherited = !row.by_definition.is_empty() && row.by_definition.within(&covered);
            if inherited && !self.kept_off(toolset) {
                let from = bundles
                    .iter()
                    .find(|bundle| row.by_definition.within(bundle.tools))
                    .or_else(|| bundles.iter().find(|bundle| row.by_definition.meets(bundle.tools)))
                    .map_or_else(|| default.clone(), |bundle| bundle.written.into());
                self.add(toolset.key.as_str(), Reason::Inherited { bundle: from, default: !self.is_saved() });
            }
        }
        if explicit {
            self.recently_shipped(default);
        } else if catalog.facts().xai_credentials
            && catalog.toolset("x_search").is_none_or(|toolset| self.allowed(toolset))
        {
            self.add("x_search", Reason::XaiCredentials);
        }
    }

    /// Toolsets so new that their absence from a saved list says nothing.
    fn recently_shipped(&mut self, default: &ToolsetKey) {
        let catalog = self.catalog;
        let offered = self.config.at(&["known_builtin_toolsets", self.platform.as_str()]);
        let bundle = self.row(default.as_str()).map(|row| row.full.clone()).unwrap_or_default();
        for key in &catalog.rules().recently_shipped {
            let was_offered =
                offered.and_then(Value::as_seq).is_some_and(|items| items.iter().any(|item| item.py_str() == *key));
            let (Some(toolset), Some(row)) = (catalog.toolset(key), self.row(key)) else {
                continue;
            };
            let covered = !row.by_definition.is_empty() && row.by_definition.within(&bundle);
            if !was_offered && self.allowed(toolset) && covered {
                self.add(key, Reason::RecentlyShipped);
            }
        }
    }

    /// Toolsets without a row that the platform's default bundle has all tools of.
    fn recover_natives(&mut self, default: &ToolsetKey) {
        let (catalog, tables) = (self.catalog, self.tables);
        let universe = tables.resolve(catalog, default.as_str()).cloned().unwrap_or_default();
        let mut claimed = Bits::default();
        for name in self.on.keys() {
            if let Some(tools) = tables.resolve(catalog, name) {
                claimed.add(tools);
            }
        }
        for (toolset, row) in tables.rows(catalog) {
            let skipped = !toolset.in_static_table
                || row.configurable
                || row.plugin
                || row.platform_bundle
                || toolset.key.as_str().starts_with("hermes-")
                || (toolset.default_off && toolset.key.as_str() != self.platform.as_str())
                || toolset.has_includes
                || toolset.posture;
            let tools = &row.by_definition;
            if skipped
                || tools.is_empty()
                || !tools.within(&universe)
                || tools.within(&tables.configurable_tools)
                || tools.within(&claimed)
            {
                continue;
            }
            claimed.add(tools);
            self.add(toolset.key.as_str(), Reason::RecoveredNative);
        }
    }

    fn plugins(&mut self, listed: &HashSet<&str>) {
        for key in self.tables.plugin_keys() {
            let default_off = self.catalog.toolset(key.as_str()).is_some_and(|toolset| toolset.default_off);
            if listed.contains(key.as_str()) {
                self.add(key.as_str(), Reason::Listed);
            } else if !default_off && !self.plugin_known(key.as_str()) {
                self.add(key.as_str(), Reason::PluginNotYetKnown);
            }
        }
    }

    /// Whether `known_plugin_toolsets.<p>` names the plugin's toolset. A text there is a set of letters to Hermes.
    fn plugin_known(&self, key: &str) -> bool {
        match self.config.at(&["known_plugin_toolsets", self.platform.as_str()]) {
            Some(Value::Seq(items)) => items.iter().any(|item| item.as_str() == Some(key)),
            Some(Value::Map(entries)) => entries.iter().any(|(name, _)| name.as_str() == Some(key)),
            Some(Value::Str(text)) => key.chars().count() == 1 && text.contains(key),
            _ => false,
        }
    }

    fn context_engine_active(&self) -> bool {
        self.config.at(&["context", "engine"]).is_some_and(|engine| {
            let name = engine.py_str().to_lowercase();
            let name = literal::trim(&name);
            engine.is_truthy() && !name.is_empty() && name != "compressor"
        })
    }

    fn passed_through_and_servers(&mut self, names: &[(&str, &str)], listed: &HashSet<&str>) {
        let enabled: HashSet<String> =
            self.servers.iter().filter(|server| server.enabled).map(|server| server.name.clone()).collect();
        let mut allow_list = Vec::new();
        for (name, _) in names {
            let own = self.is_configurable(name)
                || self.tables.is_plugin_key(name)
                || self.tables.is_platform_bundle(name)
                || *name == NO_MCP && listed.contains(NO_MCP);
            if own {
                continue;
            }
            if enabled.contains(*name) {
                allow_list.push(*name);
            } else {
                let reason = self.passed_through(name);
                self.add(name, reason);
            }
        }
        if listed.contains(NO_MCP) {
            self.mcp = Reason::NoMcp;
        } else if allow_list.is_empty() {
            for name in &enabled {
                self.add(name, Reason::NoServerListed);
            }
        } else {
            self.mcp = Reason::OtherServersListed;
            for name in allow_list {
                self.add(name, Reason::ServerListed);
            }
        }
    }

    /// A listed name that is no row: known to Hermes all the same, or without effect.
    fn passed_through(&self, name: &str) -> Reason {
        let mcp_toolset = name.strip_prefix("mcp-").is_some_and(|server| self.is_server(server));
        if self.tables.knows(self.catalog, name) || mcp_toolset {
            return Reason::Listed;
        }
        if self.is_server(name) {
            return Reason::PassedThrough { nearest: None };
        }
        let toolsets = self.catalog.document().toolsets.iter().map(|toolset| toolset.key.as_str());
        let servers = self.servers.iter().map(|server| server.name.as_str());
        Reason::PassedThrough { nearest: nearest(name, toolsets.chain(servers).chain([NO_MCP])) }
    }

    fn is_server(&self, name: &str) -> bool {
        self.servers.iter().any(|server| server.name == name)
    }

    fn root_kanban(&self) -> bool {
        self.catalog.rules().root_kanban
            && !self.is_saved()
            && match self.config.get("toolsets") {
                Some(Value::Seq(items)) => items.iter().any(|item| item.as_str() == Some("kanban")),
                Some(Value::Map(entries)) => entries.iter().any(|(key, _)| key.as_str() == Some("kanban")),
                // Hermes asks whether the text has the word in it.
                Some(Value::Str(text)) => text.contains("kanban"),
                _ => false,
            }
    }

    /// Takes denied names out and, where the version prunes, toolsets that would send nothing. The pruned names with
    /// the entry that strips them.
    fn apply_deny(&mut self) -> BTreeMap<String, String> {
        let mut pruned = BTreeMap::new();
        if self.deny.names.is_empty() {
            return pruned;
        }
        let denied: HashSet<&str> = self.deny.names.iter().map(String::as_str).collect();
        self.on.retain(|name, _| !denied.contains(name.as_str()));
        if !self.catalog.rules().prune_stripped {
            return pruned;
        }
        let taken: Vec<(&str, &Bits)> = self
            .deny
            .names
            .iter()
            .filter_map(|name| Some((name.as_str(), self.tables.denied(self.catalog, name)?)))
            .collect();
        let mut all_taken = Bits::default();
        for (_, tools) in &taken {
            all_taken.add(tools);
        }
        let (catalog, tables) = (self.catalog, self.tables);
        self.on.retain(|name, _| {
            let valid = Tables::is_all(name) || tables.row(catalog, name).is_some_and(|row| row.valid);
            let Some(tools) = tables.resolve(catalog, name).filter(|tools| valid && !tools.is_empty()) else {
                return true;
            };
            let mut left = tools.clone();
            left.take_out(&all_taken);
            if !left.is_empty() {
                return true;
            }
            let by = taken
                .iter()
                .find(|(_, denied)| tools.within(denied))
                .or_else(|| taken.iter().find(|(_, denied)| tools.meets(denied)));
            pruned.insert(name.clone(), by.map(|(entry, _)| (*entry).to_owned()).unwrap_or_default());
            false
        });
        pruned
    }

    /// The tools of what is on that the deny list takes out of the array, each with the first entry that does.
    fn stripped(&self) -> Vec<(ToolName, String)> {
        if self.deny.tool_level.is_empty() {
            return Vec::new();
        }
        let mut left = Bits::default();
        for name in self.on.keys() {
            if let Some(tools) = self.tables.brought(self.catalog, name) {
                left.add(tools);
            }
        }
        let mut stripped = Vec::new();
        for entry in &self.deny.tool_level {
            if let Some(denied) = self.tables.denied(self.catalog, entry) {
                let taken = left.common(denied);
                stripped.extend(taken.iter().map(|number| (self.tables.tool(number).clone(), entry.clone())));
                left.take_out(&taken);
            }
        }
        self.stripped_servers(&mut stripped);
        stripped.sort();
        stripped
    }

    /// MCP tools of enabled servers, taken out by `mcp-<server>`, by the server's name, or by `all`.
    fn stripped_servers(&self, stripped: &mut Vec<(ToolName, String)>) {
        for server in self.servers.iter().filter(|server| self.on.contains_key(&server.name)) {
            let by = self.deny.tool_level.iter().find(|entry| {
                Tables::is_all(entry)
                    || entry.strip_prefix("mcp-") == Some(&server.name)
                    || **entry == server.name && self.row(entry).is_none_or(|row| !row.valid)
            });
            if let Some(entry) = by {
                let tools = self.catalog.tools_of_server(&server.name);
                stripped.extend(tools.map(|tool| (tool.name.clone(), entry.clone())));
            }
        }
    }

    fn entries(&self, names: &[(&str, &str)], listed: &HashSet<&str>, pruned: &BTreeMap<String, String>) -> Vec<Entry> {
        let mut entries = Vec::new();
        let mut placed: HashSet<&str> = HashSet::new();
        let rows = |plugins: bool| {
            self.tables
                .rows(self.catalog)
                .filter(move |(_, row)| if plugins { row.plugin && !row.configurable } else { row.configurable })
        };
        for (toolset, _) in rows(false).chain(rows(true)) {
            if placed.insert(toolset.key.as_str()) {
                entries.push(self.toolset_entry(toolset, listed, pruned));
            }
        }
        let servers: HashSet<&str> = self.servers.iter().map(|server| server.name.as_str()).collect();
        // What is on besides, and what is listed but taken out again.
        let others = self.on.keys().map(String::as_str).chain(names.iter().map(|(name, _)| *name));
        let mut others: Vec<&str> = others.collect();
        others.sort_unstable();
        for name in others {
            let reason = match (self.on.get(name), pruned.get(name)) {
                (Some(reason), _) => (true, reason.clone()),
                (None, Some(entry)) => (false, Reason::DeniedThrough { entry: entry.clone() }),
                (None, None) if self.deny.has(name) && !self.tables.is_platform_bundle(name) => (false, Reason::Denied),
                _ => continue,
            };
            let is_mcp = matches!(reason.1, Reason::NoServerListed | Reason::ServerListed);
            let only_server = servers.contains(name) && (is_mcp || !reason.0) && self.row(name).is_none();
            if name == NO_MCP || only_server || !placed.insert(name) {
                continue;
            }
            entries.push(Entry { key: name.into(), on: reason.0, reason: reason.1, is_server: false });
        }
        self.server_entries(&mut entries, pruned);
        entries
    }

    fn toolset_entry(&self, toolset: &Toolset, listed: &HashSet<&str>, pruned: &BTreeMap<String, String>) -> Entry {
        let key = toolset.key.as_str();
        let (on, reason) = if let Some(reason) = self.on.get(key) {
            (true, reason.clone())
        } else if self.deny.has(key) {
            (false, Reason::Denied)
        } else if let Some(entry) = pruned.get(key) {
            (false, Reason::DeniedThrough { entry: entry.clone() })
        } else if let Some(platforms) = toolset.restricted_to.as_ref().filter(|_| !self.allowed(toolset)) {
            (false, Reason::RestrictedTo { platforms: platforms.clone() })
        } else if self.tables.is_plugin_key(key) && !toolset.default_off && !listed.contains(key) {
            (false, Reason::PluginDeclined)
        } else if toolset.default_off && self.kept_off(toolset) {
            (false, Reason::DefaultOff)
        } else if self.is_saved() {
            (false, Reason::NotListed)
        } else {
            (false, Reason::NotInDefault)
        };
        Entry { key: toolset.key.clone(), on, reason, is_server: false }
    }

    fn server_entries(&self, entries: &mut Vec<Entry>, pruned: &BTreeMap<String, String>) {
        let mut placed = HashSet::new();
        for server in &self.servers {
            if !placed.insert(server.name.as_str()) {
                continue;
            }
            // Two keys can print alike (12306 and '12306'): one enabled of them is enough.
            let enabled = server.enabled || self.servers.iter().any(|other| other.enabled && other.name == server.name);
            let reason = match (&self.mcp, server.malformed) {
                (_, Some(kind)) if !enabled => Reason::ServerMalformed { kind: kind.into() },
                _ if !enabled => Reason::ServerDisabled,
                _ if self.deny.has(&server.name) => Reason::Denied,
                // A server with a toolset's name stands and falls with that toolset's tools.
                _ if pruned.contains_key(&server.name) => {
                    Reason::DeniedThrough { entry: pruned.get(&server.name).cloned().unwrap_or_default() }
                }
                (Reason::OtherServersListed, _) if self.on.get(&server.name) == Some(&Reason::ServerListed) => {
                    Reason::ServerListed
                }
                (reason, _) => reason.clone(),
            };
            let on = matches!(reason, Reason::NoServerListed | Reason::ServerListed);
            entries.push(Entry { key: server.name.as_str().into(), on, reason, is_server: true });
        }
    }
}

/// The config's servers in file order, then those that enabled plugins bring and the config does not name.
fn servers(config: &Value, catalog: &Catalog) -> Vec<ServerState> {
    let entries = server::entries(config);
    let mut servers: Vec<ServerState> = entries
        .iter()
        .map(|(key, entry)| {
            let is_map = entry.as_map().is_some();
            ServerState {
                name: key.py_str().into_owned(),
                enabled: is_map && server::is_enabled(entry, catalog.rules()),
                malformed: (!is_map).then(|| entry.kind()),
            }
        })
        .collect();
    for name in &catalog.facts().portable_servers {
        if !entries.iter().any(|(key, _)| key.as_str() == Some(name.as_str())) {
            servers.push(ServerState { name: name.to_string(), enabled: true, malformed: None });
        }
    }
    servers
}
