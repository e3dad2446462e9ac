//! From a selection to rows: who owns which tool, what becomes of it, what it weighs.
//!
//! A tool can be reached through several names that are on; it is sent once, so exactly one row owns it: its own
//! toolset's, else the first that holds it. The other rows say where it is counted.

use std::borrow::Cow;

use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};

use super::groups::Group;
use super::weigh::{self, Answer};
use super::{Inputs, Meter, PlatformReport, ServerRow, ToolRow, ToolsetRow, Totals, servers};
use crate::engine::assembly::bridge::{self, Load, Settings};
use crate::engine::assembly::{Absent, BRIDGE, Fate, Sent, UNREGISTERED};
use crate::engine::catalog::{Catalog, Tool, Toolset, ToolsetKind};
use crate::engine::findings::findings;
use crate::engine::ids::ToolName;
use crate::engine::meter::Figure;
use crate::engine::selection::{Entry, Reason, Selection, select};
use crate::engine::server::{self, Server};

/// The tool whose presence makes the bridge's texts longer.
pub(super) const CONNECTIONS: &str = "manage_connections";

/// Everything to show about one platform. Pure and quick: it runs on every key press that changes something.
pub fn platform(inputs: &Inputs<'_>) -> PlatformReport {
    let selection = select(inputs.config, inputs.catalog, inputs.platform);
    let configured = server::servers(inputs.config, inputs.catalog.rules());
    let mut builder = Builder::new(*inputs, &selection, &configured);
    let mut toolsets = builder.toolset_rows();
    let mut server_rows = servers::rows(&mut builder);
    let bridge = builder.bridge_row();
    builder.place_unclaimed(&mut toolsets, &mut server_rows);
    let totals = totals(inputs, &toolsets, &server_rows, bridge.as_ref());
    PlatformReport {
        platform: inputs.platform.clone(),
        surface: inputs.surface,
        toolsets,
        servers: server_rows,
        bridge,
        totals,
        findings: findings(inputs.config, inputs.catalog, inputs.platform, &selection),
        context_tokens: inputs.context_tokens,
        selection,
    }
}

/// What rows are built from, and what building them finds out.
pub(super) struct Builder<'a> {
    pub(super) inputs: Inputs<'a>,
    pub(super) selection: &'a Selection,
    /// Entries of `mcp_servers` by name.
    pub(super) configured: HashMap<&'a str, &'a Server>,
    /// Hermes' array, when it has answered.
    answer: Option<Answer<'a>>,
    settings: Settings,
    /// Tool search takes over, as far as we know.
    pub(super) bridge_active: bool,
    stripped: HashMap<&'a str, &'a str>,
    /// Which name that is on owns a tool that is no server's.
    owners: HashMap<&'a str, &'a str>,
    /// Tools behind the bridge, for its estimate.
    load: Load<'a>,
    /// `manage_connections` is sent, which makes the bridge's texts longer.
    connections_sent: bool,
    /// Names of the array that a row has.
    claimed: HashSet<&'a str>,
}

impl<'a> Builder<'a> {
    fn new(inputs: Inputs<'a>, selection: &'a Selection, configured: &'a [Server]) -> Self {
        let mut builder = Self {
            inputs,
            selection,
            configured: configured.iter().map(|server| (server.name.as_str(), server)).collect(),
            answer: inputs.assembly.map(Answer::new),
            settings: Settings::read(inputs.config, inputs.catalog.rules()),
            bridge_active: false,
            stripped: selection.stripped.iter().map(|(tool, entry)| (tool.as_str(), entry.as_str())).collect(),
            owners: owners(inputs.catalog, selection),
            load: Load::default(),
            connections_sent: false,
            claimed: HashSet::new(),
        };
        builder.bridge_active = match inputs.assembly {
            Some(assembly) => assembly.activated,
            None => builder.activates(),
        };
        builder
    }

    /// Whether tool search takes over, by what could be deferred.
    fn activates(&self) -> bool {
        let catalog = self.inputs.catalog;
        let own = self.owners.keys().filter_map(|name| catalog.tool_index(name));
        let servers = self.selection.entries.iter().filter(|entry| entry.is_server && entry.on);
        let mcp = servers.flat_map(|entry| {
            let filter = self.configured.get(entry.key.as_str()).map(|server| &server.tools);
            catalog.tool_indices_of_server(entry.key.as_str()).iter().copied().filter(move |idx| {
                let original = catalog.document().tools[*idx].original_name.as_deref();
                filter.zip(original).is_none_or(|(filter, original)| filter.admits(catalog.rules(), original))
            })
        });
        let (mut tools, mut chars) = (0, 0);
        for idx in own.chain(mcp) {
            let tool = &catalog.document().tools[idx];
            if tool.deferrable && tool.available && !self.stripped.contains_key(tool.name.as_str()) {
                tools += 1;
                chars += catalog.measure_at(idx).compact_chars;
                // Newer Hermes defers as soon as there is one; only a threshold needs the sum.
                if self.settings.activates(catalog.rules(), tools, chars, self.inputs.context_tokens) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether rows of this server may be shared with other reports: they depend on its own settings alone.
    pub(super) fn is_shareable(&self, server: &str) -> bool {
        let catalog = self.inputs.catalog;
        let of_server = |name: &str| {
            catalog.tool(name).and_then(|tool| tool.server.as_ref()).is_some_and(|owner| owner.as_str() == server)
        };
        self.answer.is_none() && !self.stripped.keys().any(|name| of_server(name))
    }

    /// Takes a server's rows made before or just now into the estimate of the bridge.
    pub(super) fn note(&mut self, group: &Group) {
        let tools = &self.inputs.catalog.document().tools;
        for part in &group.parts {
            if let Some(first) = part.first() {
                self.load.add_part(tools[first].toolset.as_str(), part);
            }
        }
        self.connections_sent |= group.connections_sent;
    }

    fn toolset_rows(&mut self) -> Vec<ToolsetRow> {
        let entries = self.selection.entries.iter().filter(|entry| !entry.is_server);
        entries.map(|entry| self.toolset_row(entry)).collect()
    }

    fn toolset_row(&mut self, entry: &'a Entry) -> ToolsetRow {
        let toolset = self.inputs.catalog.toolset(entry.key.as_str());
        let mut tools = Vec::new();
        let mut meter = Meter::ZERO;
        let mut sent = 0;
        for (name, idx) in members(self.inputs.catalog, entry.key.as_str()) {
            let owner = self.owners.get(name.as_str()).copied();
            let elsewhere = owner.filter(|owner| *owner != entry.key.as_str());
            // A passed-through bundle repeats what other rows show; a configurable row always shows its tools.
            if elsewhere.is_some() && toolset.is_none_or(|toolset| !toolset.configurable) {
                continue;
            }
            let Some(idx) = idx else {
                tools.push(unmeasured(name, entry.on));
                continue;
            };
            let row = match elsewhere {
                Some(owner) => self.counted_elsewhere(idx, owner),
                None => self.tool_row(idx, entry.on, None),
            };
            sent += usize::from(row.fate == Fate::Eager && elsewhere.is_none());
            meter = meter + row.meter;
            tools.push(row);
        }
        ToolsetRow {
            key: entry.key.clone(),
            label: toolset
                .map(|toolset| toolset.label.clone())
                .filter(|label| !label.is_empty())
                .unwrap_or_else(|| entry.key.to_string()),
            kind: toolset.map_or(ToolsetKind::Bundle, |toolset| toolset.kind),
            on: entry.on,
            reason: entry.reason.clone(),
            locked: locked(entry, toolset),
            tools,
            sent,
            meter,
        }
    }

    /// The row of a registered tool under a name that is on or off. `filtered`: why its server leaves it out.
    pub(super) fn tool_row(&mut self, idx: usize, on: bool, filtered: Option<&'static str>) -> ToolRow {
        let tool = &self.inputs.catalog.document().tools[idx];
        let name = tool.name.as_str();
        let entry = on.then(|| self.answer.as_ref().and_then(|answer| answer.sent.get(name).copied())).flatten();
        if let Some(sent) = entry {
            self.claimed.insert(sent.name.as_str());
            return row(tool, Fate::Eager, None, weigh::confirmed(&self.inputs, sent));
        }
        let (fate, why) = self.fate(tool, on, filtered);
        match fate {
            // Hermes' own array has its own bridge.
            Fate::Deferred if self.answer.is_some() => {}
            Fate::Deferred => self.load.add(tool.toolset.as_str(), self.inputs.catalog.listing_line_at(idx)),
            Fate::Eager if name == CONNECTIONS => self.connections_sent = true,
            _ => {}
        }
        row(tool, fate, why, weigh::by_catalog(&self.inputs, idx, fate))
    }

    pub(super) fn fate(
        &self,
        tool: &Tool,
        on: bool,
        filtered: Option<&'static str>,
    ) -> (Fate, Option<Cow<'static, str>>) {
        if let Some(why) = filtered {
            return (Fate::Filtered, Some(why.into()));
        }
        let failed = || {
            let because = tool.unavailable_because.as_deref().filter(|because| !because.is_empty());
            because.map_or_else(|| "check failed".into(), |because| Cow::from(format!("check failed: {because}")))
        };
        if !on {
            // Worth knowing before it is switched on: it would send nothing.
            return (Fate::Off, (!tool.available).then(failed));
        }
        // Hashing every name of thousands would be most of the work, and nearly always nothing is stripped.
        let stripped = if self.stripped.is_empty() { None } else { self.stripped.get(tool.name.as_str()) };
        if let Some(entry) = stripped {
            return (Fate::Off, Some(format!("stripped by `{entry}` in agent.disabled_toolsets").into()));
        }
        if let Some(answer) = &self.answer {
            return match answer.absent.get(tool.name.as_str()) {
                Some(Absent { fate, why, .. }) => {
                    let why = why.clone().map(Cow::from).or_else(|| (*fate == Fate::Unavailable).then(failed));
                    (*fate, why)
                }
                None if !tool.available => (Fate::Unavailable, Some(failed())),
                None if tool.deferrable && self.bridge_active => (Fate::Deferred, None),
                None => (Fate::Unavailable, Some("Hermes leaves it out here".into())),
            };
        }
        if !tool.available {
            (Fate::Unavailable, Some(failed()))
        } else if tool.deferrable && self.bridge_active {
            (Fate::Deferred, None)
        } else {
            (Fate::Eager, None)
        }
    }

    /// The row of a tool that another row owns: shown, not counted again.
    fn counted_elsewhere(&self, idx: usize, owner: &str) -> ToolRow {
        let tool = &self.inputs.catalog.document().tools[idx];
        let (fate, _) = match self.answer.as_ref().map(|answer| answer.sent.contains_key(tool.name.as_str())) {
            Some(true) => (Fate::Eager, None),
            _ => self.fate(tool, true, None),
        };
        let schema_bytes = weigh::by_catalog(&self.inputs, idx, fate).schema_bytes;
        row(tool, fate, Some(format!("counted under {owner}").into()), Meter { schema_bytes, ..Meter::ZERO })
    }

    /// The three bridge tools: Hermes' own, or what they weigh by estimate.
    fn bridge_row(&mut self) -> Option<ToolsetRow> {
        let mut tools = Vec::new();
        if let Some(assembly) = self.inputs.assembly {
            for sent in assembly.tools.iter().filter(|sent| sent.toolset.as_str() == BRIDGE) {
                self.claimed.insert(sent.name.as_str());
                tools.push(sent_row(&self.inputs, sent));
            }
        } else if self.bridge_active {
            let catalog = self.inputs.catalog;
            let line = |idx| catalog.listing_line_at(idx);
            let context = self.inputs.context_tokens;
            let bridge = self.load.bridge(catalog.rules(), &self.settings, context, self.connections_sent, &line);
            tools = [
                ("tool_search", bridge.search_bytes),
                ("tool_describe", bridge.describe_bytes),
                ("tool_call", bridge.call_bytes),
            ]
            .map(|(name, bytes)| ToolRow {
                name: name.into(),
                original_name: None,
                fate: Fate::Eager,
                why: None,
                meter: Meter {
                    schema_bytes: Figure::Estimated(bytes),
                    wire_bytes: Figure::Estimated(bytes),
                    est_tokens: Figure::Estimated(bridge::est_tokens(bytes)),
                    tokens: Figure::Estimated(bridge::est_tokens(bytes)),
                },
            })
            .to_vec();
        }
        (!tools.is_empty()).then(|| extra_row(BRIDGE, ToolsetKind::Builtin, tools))
    }

    /// Gives what Hermes sends and no row has a row: its server's, its registry toolset's, or `(unregistered)`.
    fn place_unclaimed(&self, toolsets: &mut Vec<ToolsetRow>, servers: &mut [ServerRow]) {
        let Some(assembly) = self.inputs.assembly else { return };
        for sent in assembly.tools.iter().filter(|sent| !self.claimed.contains(sent.name.as_str())) {
            let tool = sent_row(&self.inputs, sent);
            let key = weigh::own_row(sent);
            let server =
                key.strip_prefix("mcp-").and_then(|name| servers.iter_mut().find(|row| row.name.as_str() == name));
            if let Some(row) = server {
                // Hermes knows more of this server than its list told us.
                row.sent += 1;
                let others = row.tools.iter().filter(|known| known.name != tool.name).cloned();
                row.tools = others.chain([tool.clone()]).collect();
                row.meter = row.tools.iter().fold(Meter::ZERO, |sum, tool| sum + tool.meter);
                continue;
            }
            // Registry toolsets such as `browser-cdp` have no row of their own: the row that shows the tool has it.
            let shows = toolsets
                .iter_mut()
                .find(|row| row.key.as_str() == key || row.tools.iter().any(|known| known.name == sent.name));
            match shows {
                Some(row) => {
                    row.sent += 1;
                    row.tools.retain(|known| known.name != tool.name);
                    row.meter = row.meter + tool.meter;
                    row.tools.push(tool);
                }
                None => {
                    let kind = self.inputs.catalog.toolset(key).map_or(ToolsetKind::Builtin, |toolset| toolset.kind);
                    toolsets.push(extra_row(key, kind, vec![tool]));
                }
            }
        }
    }
}

/// Who owns each tool that is on and is no enabled server's.
fn owners<'a>(catalog: &'a Catalog, selection: &'a Selection) -> HashMap<&'a str, &'a str> {
    use std::collections::hash_map::Entry as Place;
    let mut owners: HashMap<&str, &str> = HashMap::new();
    let on = || selection.entries.iter().filter(|entry| entry.on && !entry.is_server);
    let configurable = |entry: &&Entry| catalog.toolset(entry.key.as_str()).is_some_and(|toolset| toolset.configurable);
    let server_rows: HashSet<&str> =
        selection.entries.iter().filter(|entry| entry.is_server && entry.on).map(|entry| entry.key.as_str()).collect();
    for entry in on().filter(configurable).chain(on().filter(|entry| !configurable(entry))) {
        let key = entry.key.as_str();
        for (name, idx) in members(catalog, key) {
            let tool = idx.map(|idx| &catalog.document().tools[idx]);
            let server = tool.and_then(|tool| tool.server.as_ref());
            if server.is_some_and(|server| server_rows.contains(server.as_str())) {
                continue;
            }
            let own = tool.is_some_and(|tool| tool.toolset.as_str() == key);
            match owners.entry(name.as_str()) {
                Place::Occupied(mut owner) if own => {
                    owner.insert(key);
                }
                Place::Occupied(_) => {}
                Place::Vacant(place) => {
                    place.insert(key);
                }
            }
        }
    }
    owners
}

/// The tools a name stands for, each with its place where it is registered. `all` and `*` stand for every toolset that
/// is not tied to a session platform.
fn members<'a>(catalog: &'a Catalog, key: &str) -> Vec<(&'a ToolName, Option<usize>)> {
    let toolsets = &catalog.document().toolsets;
    let of = |place: usize| toolsets[place].tools.iter().zip(catalog.members_at(place).iter().copied());
    if let Some(place) = catalog.toolset_index(key) {
        return of(place).collect();
    }
    if matches!(key, "all" | "*") {
        let free = (0..toolsets.len()).filter(|place| toolsets[*place].session_platforms.is_none());
        let mut seen = HashSet::new();
        return free.flat_map(of).filter(|(name, _)| seen.insert(name.as_str())).collect();
    }
    let legacy = catalog.document().legacy_toolsets.get(key).into_iter().flatten();
    legacy.map(|name| (name, catalog.tool_index(name.as_str()))).collect()
}

/// Why no edit can switch a row here.
fn locked(entry: &Entry, toolset: Option<&Toolset>) -> Option<String> {
    if toolset.is_some_and(|toolset| toolset.config_only) {
        return Some("only settings: it has no tools to switch".to_owned());
    }
    match &entry.reason {
        Reason::RestrictedTo { platforms } => {
            let names: Vec<&str> = platforms.iter().map(|platform| platform.as_str()).collect();
            Some(format!("exists on {} only", names.join(", ")))
        }
        Reason::RecoveredNative => Some("comes with this platform, whatever is listed".to_owned()),
        Reason::Inherited { default: true, .. } if toolset.is_none_or(|toolset| !toolset.configurable) => {
            Some("the platform's own bundle".to_owned())
        }
        _ => None,
    }
}

fn totals(inputs: &Inputs<'_>, toolsets: &[ToolsetRow], servers: &[ServerRow], bridge: Option<&ToolsetRow>) -> Totals {
    let known = |row: &&ServerRow| {
        row.list.is_some() || row.sent > 0 || row.tools.iter().any(|tool| tool.fate != Fate::Filtered)
    };
    let missing = |row: &ServerRow| row.on && row.meter.wire_bytes == Figure::Unknown;
    let counted = servers.iter().filter(|row| !missing(row));
    let rows = toolsets.iter().chain(bridge).map(|row| (row.sent, row.meter));
    let (tools, sum) = rows
        .chain(counted.map(|row| (row.sent, row.meter)))
        .fold((0, Meter::ZERO), |(tools, sum), (sent, meter)| (tools + sent as u64, sum + meter));
    let without_list: Vec<_> =
        servers.iter().filter(|row| row.on && (missing(row) || !known(row))).map(|row| row.name.clone()).collect();
    let sure = if inputs.assembly.is_some() { Figure::Confirmed(0) } else { Figure::Estimated(0) };
    let as_sure = |figure: Figure| figure.no_surer_than(sure);
    // An empty array is two brackets; each entry after the first adds a comma and a blank.
    let framing = as_sure(Figure::Exact((2 * tools).max(2)));
    let has_row =
        |row: &&ToolsetRow| inputs.catalog.toolset(row.key.as_str()).is_some_and(|toolset| toolset.configurable);
    Totals {
        tools: as_sure(Figure::Exact(tools)),
        json_bytes: as_sure(sum.wire_bytes) + framing,
        framing_bytes: framing,
        est_tokens: as_sure(sum.est_tokens),
        tokens: as_sure(sum.tokens),
        toolsets_on: toolsets.iter().filter(has_row).filter(|row| row.on).count(),
        toolsets: toolsets.iter().filter(has_row).count(),
        servers_on: servers.iter().filter(|row| row.on).count(),
        servers: servers.len(),
        servers_without_list: without_list,
    }
}

pub(super) fn row(tool: &Tool, fate: Fate, why: Option<Cow<'static, str>>, meter: Meter) -> ToolRow {
    ToolRow { name: tool.name.clone(), original_name: tool.original_name.clone(), fate, why, meter }
}

/// A name a toolset lists and the registry does not know.
fn unmeasured(name: &ToolName, on: bool) -> ToolRow {
    let (fate, why) =
        if on { (Fate::Unavailable, Some("not registered in this Hermes".into())) } else { (Fate::Off, None) };
    ToolRow {
        name: name.clone(),
        original_name: None,
        fate,
        why,
        meter: Meter { schema_bytes: Figure::Unknown, ..Meter::ZERO },
    }
}

fn sent_row(inputs: &Inputs<'_>, sent: &Sent) -> ToolRow {
    let original_name = inputs.catalog.tool(sent.name.as_str()).and_then(|tool| tool.original_name.clone());
    let meter = weigh::confirmed(inputs, sent);
    ToolRow { name: sent.name.clone(), original_name, fate: Fate::Eager, why: None, meter }
}

/// A row that no list holds: it is there because something is sent.
fn extra_row(key: &str, kind: ToolsetKind, tools: Vec<ToolRow>) -> ToolsetRow {
    let why = match key {
        BRIDGE => "Hermes adds it while tools are deferred",
        UNREGISTERED => "Hermes' own additions, outside every toolset",
        _ => "sent, though no name in the list stands for it",
    };
    ToolsetRow {
        key: key.into(),
        label: key.to_owned(),
        kind,
        on: true,
        reason: Reason::RecoveredNative,
        locked: Some(why.to_owned()),
        sent: tools.len(),
        meter: tools.iter().fold(Meter::ZERO, |sum, tool| sum + tool.meter),
        tools,
    }
}

#[cfg(test)]
mod tests;
