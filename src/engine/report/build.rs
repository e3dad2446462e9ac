//! From a selection to rows: who owns which tool, what becomes of it, what it weighs.
//!
//! A tool can be reached through several names that are on; it is sent once, so exactly one row owns it: its own
//! toolset's, else the first that holds it. The other rows say where it is counted.

use std::borrow::Cow;

use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};

use super::deferral::{Deferral, Scope};
use super::weigh::{self, Answer};
use super::{Inputs, Meter, PlatformReport, ServerRow, ToolRow, ToolsetRow, Totals, servers};
use crate::engine::assembly::host::BRIDGE_TOOLS;
use crate::engine::assembly::listing::label;
use crate::engine::assembly::{Absent, BRIDGE, Fate, Sent, UNREGISTERED};
use crate::engine::catalog::{Catalog, Tool, Toolset, ToolsetKind};
use crate::engine::findings::{findings, of_array};
use crate::engine::ids::{ToolName, ToolsetKey};
use crate::engine::meter::Figure;
use crate::engine::selection::{Entry, Reason, Selection, select};
use crate::engine::server;
use crate::engine::value::Value;
use crate::engine::yaml::masked_value;

/// Everything to show about one platform. Pure and quick: it runs on every key press that changes something.
pub fn platform(inputs: &Inputs<'_>) -> PlatformReport {
    let (selection, parts) = with_scope(inputs, |scope| {
        let deferral = Deferral::new(scope);
        let mut builder = Builder::new(scope, &deferral);
        let mut toolsets = builder.toolset_rows();
        let mut servers = servers::rows(&mut builder);
        let bridge = builder.bridge_row();
        builder.place_unclaimed(&mut toolsets, &mut servers);
        let totals = totals(inputs, &toolsets, &servers, bridge.as_ref(), builder.sent_tokens);
        (scope.selection.clone(), (toolsets, servers, bridge, totals, deferral.disclosure))
    });
    let (toolsets, servers, bridge, totals, disclosure) = parts;
    let mut findings = findings(inputs.config, inputs.catalog, inputs.platform, &selection);
    findings.extend(of_array(&toolsets, &servers, totals.tools.value(), inputs.config, inputs.catalog));
    PlatformReport {
        platform: inputs.platform.clone(),
        surface: inputs.surface,
        totals,
        findings,
        context_tokens: inputs.context_tokens,
        toolsets,
        servers,
        bridge,
        disclosure,
        selection,
    }
}

/// Resolves the platform and looks up who owns which tool.
pub(super) fn with_scope<T>(inputs: &Inputs<'_>, ask: impl FnOnce(&Scope<'_>) -> T) -> T {
    let selection = select(inputs.config, inputs.catalog, inputs.platform);
    let configured = server::servers(inputs.config, inputs.catalog.rules());
    let scope = Scope {
        inputs: *inputs,
        selection: &selection,
        configured: configured.iter().map(|server| (server.name.as_str(), server)).collect(),
        stripped: selection.stripped.iter().map(|(tool, entry)| (tool.as_str(), entry.as_str())).collect(),
        owners: owners(inputs.catalog, &selection),
    };
    ask(&scope)
}

/// What rows are built from, and what building them finds out.
pub(super) struct Builder<'a> {
    pub(super) scope: &'a Scope<'a>,
    pub(super) deferral: &'a Deferral<'a>,
    /// Hermes' array, when it has answered.
    answer: Option<Answer<'a>>,
    /// Headings of the listing no row has yet, by label.
    headings: HashMap<&'a str, Meter>,
    /// What rows have of the listing.
    listed: Meter,
    /// Names of the array that a row has.
    claimed: HashSet<&'a str>,
    /// Tokens of Hermes' array: surer than the sum of the rows, among which the listing's are shared out.
    sent_tokens: Figure,
}

impl<'a> Builder<'a> {
    fn new(scope: &'a Scope<'a>, deferral: &'a Deferral<'a>) -> Self {
        Self {
            deferral,
            answer: scope.inputs.assembly.map(Answer::new),
            headings: deferral.headings(scope.inputs.catalog),
            listed: Meter::ZERO,
            claimed: HashSet::new(),
            sent_tokens: Figure::Exact(0),
            scope,
        }
    }

    /// The heading of a registry toolset's tools, for the first row that asks.
    pub(super) fn heading(&mut self, toolset: &str) -> Meter {
        let heading = self.headings.remove(label(toolset)).unwrap_or(Meter::ZERO);
        self.listed = self.listed + heading;
        heading
    }

    /// Lines of the listing that a row has.
    pub(super) fn note(&mut self, lines: Meter) {
        self.listed = self.listed + lines;
    }

    fn toolset_rows(&mut self) -> Vec<ToolsetRow> {
        let entries = self.scope.selection.entries.iter().filter(|entry| !entry.is_server);
        entries.map(|entry| self.toolset_row(entry)).collect()
    }

    fn toolset_row(&mut self, entry: &'a Entry) -> ToolsetRow {
        let toolset = self.scope.inputs.catalog.toolset(entry.key.as_str());
        let mut tools = Vec::new();
        let mut meter = Meter::ZERO;
        let mut heading = Meter::ZERO;
        let mut sent = 0;
        for (name, idx) in members(self.scope.inputs.catalog, entry.key.as_str()) {
            let owner = self.scope.owners.get(name.as_str()).copied();
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
                None => {
                    let row = self.tool_row(idx, entry.on, None);
                    if row.fate == Fate::Deferred {
                        heading =
                            heading + self.heading(self.scope.inputs.catalog.document().tools[idx].toolset.as_str());
                    }
                    row
                }
            };
            sent += usize::from(row.fate == Fate::Eager && elsewhere.is_none());
            meter = meter + row.meter;
            tools.push(row);
        }
        // What stands inside an item that is no name may be a secret.
        let nested = nested_item(self.scope.inputs, entry);
        let key = nested.map_or_else(|| entry.key.clone(), hidden_key);
        ToolsetRow {
            label: toolset
                .map(|toolset| toolset.label.clone())
                .filter(|label| !label.is_empty())
                .unwrap_or_else(|| key.to_string()),
            key,
            kind: toolset.map_or(ToolsetKind::Bundle, |toolset| toolset.kind),
            on: entry.on,
            reason: entry.reason.clone(),
            locked: nested.map_or_else(
                || locked(entry, toolset),
                |item| Some(format!("it is {} where a name is expected; take it out in config.yaml", item.kind())),
            ),
            tools,
            sent,
            heading,
            meter: meter + heading,
        }
    }

    /// The row of a registered tool under a name that is on or off. `filtered`: why its server leaves it out.
    pub(super) fn tool_row(&mut self, idx: usize, on: bool, filtered: Option<&'static str>) -> ToolRow {
        let tool = &self.scope.inputs.catalog.document().tools[idx];
        let name = tool.name.as_str();
        let entry = on.then(|| self.answer.as_ref().and_then(|answer| answer.sent.get(name).copied())).flatten();
        if let Some(sent) = entry {
            let meter = self.claim(sent);
            return row(tool, Fate::Eager, None, meter);
        }
        let (fate, why) = self.fate(idx, on, filtered);
        let mut meter = weigh::by_catalog(&self.scope.inputs, idx, fate);
        if fate == Fate::Deferred {
            let line = self.line(idx);
            self.note(line);
            meter = meter + line;
        }
        row(tool, fate, why, meter)
    }

    /// The weight of an entry of Hermes' array, for the one row that has it.
    fn claim(&mut self, sent: &'a Sent) -> Meter {
        let meter = weigh::confirmed(&self.scope.inputs, sent);
        self.claimed.insert(sent.name.as_str());
        self.sent_tokens = self.sent_tokens + meter.tokens;
        meter
    }

    fn sent_row(&mut self, sent: &'a Sent) -> ToolRow {
        let tool = self.scope.inputs.catalog.tool(sent.name.as_str());
        let original_name = tool.and_then(|tool| tool.original_name.clone());
        ToolRow { name: sent.name.clone(), original_name, fate: Fate::Eager, why: None, meter: self.claim(sent) }
    }

    /// What a deferred tool takes of the listing.
    pub(super) fn line(&self, idx: usize) -> Meter {
        let catalog = self.scope.inputs.catalog;
        let mode = self.deferral.mode(catalog.document().tools[idx].toolset.as_str());
        self.deferral.line(catalog, idx, mode)
    }

    pub(super) fn fate(
        &self,
        idx: usize,
        on: bool,
        filtered: Option<&'static str>,
    ) -> (Fate, Option<Cow<'static, str>>) {
        let catalog = self.scope.inputs.catalog;
        let tool = &catalog.document().tools[idx];
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
        if tool.server.is_some() && !self.scope.connects_servers() {
            return (Fate::Unavailable, Some("`hermes prompt-size` connects no server".into()));
        }
        if tool.server.as_ref().is_some_and(|server| catalog.hides_server(server.as_str())) {
            return (Fate::Unavailable, Some("the toolset of the same name hides it from Hermes".into()));
        }
        // Hashing every name of thousands would be most of the work, and nearly always nothing is stripped.
        let stripped = if self.scope.stripped.is_empty() { None } else { self.scope.stripped.get(tool.name.as_str()) };
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
                None => (Fate::Unavailable, Some("Hermes leaves it out here".into())),
            };
        }
        if !tool.available {
            (Fate::Unavailable, Some(failed()))
        } else if self.deferral.is_active() && self.deferral.named.defers(catalog, idx) {
            (Fate::Deferred, None)
        } else {
            (Fate::Eager, None)
        }
    }

    /// The row of a tool that another row owns: shown, not counted again.
    fn counted_elsewhere(&self, idx: usize, owner: &str) -> ToolRow {
        let tool = &self.scope.inputs.catalog.document().tools[idx];
        let (fate, _) = match self.answer.as_ref().map(|answer| answer.sent.contains_key(tool.name.as_str())) {
            Some(true) => (Fate::Eager, None),
            _ => self.fate(idx, true, None),
        };
        let schema_bytes = weigh::by_catalog(&self.scope.inputs, idx, fate).schema_bytes;
        row(tool, fate, Some(format!("counted under {owner}").into()), Meter { schema_bytes, ..Meter::ZERO })
    }

    /// The three bridge tools: Hermes' own, or what they weigh by estimate.
    fn bridge_row(&mut self) -> Option<ToolsetRow> {
        let mut tools = Vec::new();
        if let Some(assembly) = self.scope.inputs.assembly {
            for sent in assembly.tools.iter().filter(|sent| sent.toolset.as_str() == BRIDGE) {
                tools.push(self.sent_row(sent));
            }
        } else if let Some(bridge) = self.deferral.disclosure.bridge(self.scope.inputs.catalog.host()) {
            let measures = [bridge.search, bridge.describe, bridge.call];
            tools.extend(BRIDGE_TOOLS.into_iter().zip(measures).map(|(name, measure)| ToolRow {
                name: name.into(),
                original_name: None,
                fate: Fate::Eager,
                why: None,
                meter: Meter {
                    schema_bytes: Figure::Estimated(measure.bytes),
                    wire_bytes: Figure::Estimated(measure.bytes),
                    est_tokens: Figure::Estimated(measure.est_tokens),
                    tokens: Figure::Estimated(measure.est_tokens),
                },
            }));
        }
        // What stands in the listing is counted with the tools it is about.
        let search = tools.iter_mut().find(|row| row.name.as_str() == BRIDGE_TOOLS[0]);
        if let Some(search) = search {
            search.meter = search.meter.minus(self.listed);
        }
        (!tools.is_empty()).then(|| extra_row(BRIDGE, ToolsetKind::Builtin, tools))
    }

    /// Gives what Hermes sends and no row has a row: its server's, its registry toolset's, or `(unregistered)`.
    fn place_unclaimed(&mut self, toolsets: &mut Vec<ToolsetRow>, servers: &mut [ServerRow]) {
        let Some(assembly) = self.scope.inputs.assembly else { return };
        for sent in &assembly.tools {
            if self.claimed.contains(sent.name.as_str()) {
                continue;
            }
            let tool = self.sent_row(sent);
            let key = weigh::own_row(sent);
            let server =
                key.strip_prefix("mcp-").and_then(|name| servers.iter_mut().find(|row| row.name.as_str() == name));
            if let Some(row) = server {
                // Hermes knows more of this server than its list told us.
                row.sent += 1;
                let others = row.tools.iter().filter(|known| known.name != tool.name).cloned();
                row.tools = others.chain([tool.clone()]).collect();
                row.meter = row.tools.iter().fold(row.heading, |sum, tool| sum + tool.meter);
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
                    let kind =
                        self.scope.inputs.catalog.toolset(key).map_or(ToolsetKind::Builtin, |toolset| toolset.kind);
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

/// The list or mapping that stands among a platform's names and was read as this one.
fn nested_item<'a>(inputs: Inputs<'a>, entry: &Entry) -> Option<&'a Value> {
    if !matches!(entry.reason, Reason::PassedThrough { .. }) {
        return None;
    }
    let items = inputs.config.at(&["platform_toolsets", inputs.platform.as_str()])?.as_seq()?;
    let mut nested = items.iter().filter(|item| matches!(item, Value::Seq(_) | Value::Map(_)));
    nested.find(|item| item.py_str() == entry.key.as_str())
}

/// What it is, as Python prints it, with what is inside hidden.
fn hidden_key(item: &Value) -> ToolsetKey {
    let hidden = masked_value(&[], &Value::Seq(vec![item.clone()]));
    hidden.as_seq().and_then(|items| items.first()).map(Value::to_string).unwrap_or_default().as_str().into()
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

fn totals(
    inputs: &Inputs<'_>,
    toolsets: &[ToolsetRow],
    servers: &[ServerRow],
    bridge: Option<&ToolsetRow>,
    sent_tokens: Figure,
) -> Totals {
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
        tokens: if inputs.assembly.is_some() { as_sure(sent_tokens) } else { as_sure(sum.tokens) },
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
        heading: Meter::ZERO,
        meter: tools.iter().fold(Meter::ZERO, |sum, tool| sum + tool.meter),
        tools,
    }
}

#[cfg(test)]
mod tests;
