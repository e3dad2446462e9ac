//! The rows of MCP servers: registered tools, and names known only from a list or a filter.

use std::collections::HashSet;
use std::sync::Arc;

use super::build::{self, Builder};
use super::groups::{Group, Key};
use super::{Meter, ServerRow, ToolRow, weigh};
use crate::engine::assembly::Fate;
use crate::engine::assembly::listing::Mode;
use crate::engine::catalog::Tool;
use crate::engine::meter::Figure;
use crate::engine::selection::Entry;
use crate::engine::server::{self, Server, Transport};

/// What a filtered tool's row says.
const FILTERED: &str = "left out by the server's filter";

/// Every server of the selection, in its order.
pub(super) fn rows(builder: &mut Builder<'_>) -> Vec<ServerRow> {
    let entries = builder.scope.selection.entries.iter().filter(|entry| entry.is_server);
    entries.map(|entry| row(builder, entry)).collect()
}

fn row(builder: &mut Builder<'_>, entry: &Entry) -> ServerRow {
    let catalog = builder.scope.inputs.catalog;
    let name = entry.key.as_str();
    let server = builder.scope.configured.get(name).copied();
    let list = catalog.server_list(name);
    let shareable = builder.scope.is_shareable(name, &builder.deferral.named);
    let group = match catalog.groups_of(name).filter(|_| shareable) {
        Some(groups) => {
            let key = Key {
                on: entry.on,
                connects: builder.scope.connects_servers(),
                bridge_active: entry.on && builder.deferral.is_active(),
                modes: if entry.on { modes(builder, entry) } else { Vec::new() },
                filter: server.map(|server| server.tools.clone()),
                counts: if entry.on { builder.scope.inputs.counts.stamp() } else { 0 },
            };
            let group = groups.rows(key, || shared(builder, entry, server));
            builder.note(group.listed);
            group
        }
        None => Arc::new(own(builder, entry, server)),
    };
    let heading = if group.any_deferred { headings(builder, name) } else { Meter::ZERO };
    let mut meter = group.meter + heading;
    let known = list.is_some() || !catalog.tool_indices_of_server(name).is_empty();
    if !known && entry.on {
        meter = Meter::UNKNOWN;
    } else if !known {
        meter.schema_bytes = Figure::Unknown;
    }
    ServerRow {
        name: name.into(),
        on: entry.on,
        reason: entry.reason.clone(),
        transport: server.map_or(Transport::Unknown, |server| server.transport),
        list: list.map(|list| (list.source, list.written_at)),
        stale: list.is_some_and(|list| list.stale),
        tools: Arc::clone(&group.tools),
        sent: group.sent,
        heading,
        meter,
    }
}

/// Why the server's filter leaves a registered tool out, if it does.
fn filtered(builder: &Builder<'_>, server: Option<&Server>, tool: &Tool) -> Option<&'static str> {
    (!admits(builder, server, tool.original_name.as_deref())).then_some(FILTERED)
}

/// How the listing shows the server's tools, by registry toolset.
fn modes(builder: &Builder<'_>, entry: &Entry) -> Vec<Mode> {
    let tools = &builder.scope.inputs.catalog.document().tools;
    let parts = builder.scope.parts(entry, &builder.deferral.named);
    parts.parts.iter().map(|(first, _)| builder.deferral.mode(tools[*first].toolset.as_str())).collect()
}

/// The headings above the server's tools in the listing; nearly always one.
fn headings(builder: &mut Builder<'_>, server: &str) -> Meter {
    let catalog = builder.scope.inputs.catalog;
    catalog
        .toolset_samples_of_server(server)
        .iter()
        .fold(Meter::ZERO, |sum, place| sum + builder.heading(catalog.document().tools[*place].toolset.as_str()))
}

/// Rows that depend on the catalog and the server's own settings alone.
fn shared(builder: &Builder<'_>, entry: &Entry, server: Option<&Server>) -> Group {
    let catalog = builder.scope.inputs.catalog;
    let mut listed = Meter::ZERO;
    let registered = catalog.tool_indices_of_server(entry.key.as_str()).iter().map(|idx| {
        let tool = &catalog.document().tools[*idx];
        let (fate, why) = builder.fate(*idx, entry.on, filtered(builder, server, tool));
        let mut meter = weigh::by_catalog(&builder.scope.inputs, *idx, fate);
        if fate == Fate::Deferred {
            let line = builder.line(*idx);
            listed = listed + line;
            meter = meter + line;
        }
        build::row(tool, fate, why, meter)
    });
    let rows: Vec<ToolRow> = registered.collect();
    Group { listed, ..summed(builder, entry, server, rows) }
}

/// Rows that look at Hermes' answer or at what is stripped, for this report only.
fn own(builder: &mut Builder<'_>, entry: &Entry, server: Option<&Server>) -> Group {
    let catalog = builder.scope.inputs.catalog;
    let mut rows = Vec::new();
    for idx in catalog.tool_indices_of_server(entry.key.as_str()) {
        let filtered = filtered(builder, server, &catalog.document().tools[*idx]);
        rows.push(builder.tool_row(*idx, entry.on, filtered));
    }
    summed(builder, entry, server, rows)
}

/// Adds the rows of what is known by name only, and the sums.
fn summed(builder: &Builder<'_>, entry: &Entry, server: Option<&Server>, mut rows: Vec<ToolRow>) -> Group {
    let mut meter = rows.iter().fold(Meter::ZERO, |sum, row| sum + row.meter);
    let sent = rows.iter().filter(|row| row.fate == Fate::Eager).count();
    for original in unregistered(builder, server, entry.key.as_str()) {
        let row = unmeasured(builder, entry, server, original);
        // The sum leaves out what a filter leaves out; the rest makes it unknown.
        if row.fate != Fate::Filtered {
            meter = meter + row.meter;
        }
        rows.push(row);
    }
    let any_deferred = rows.iter().any(|row| row.fate == Fate::Deferred);
    Group { tools: rows.into(), meter, sent, any_deferred, listed: Meter::ZERO }
}

fn admits(builder: &Builder<'_>, server: Option<&Server>, original: Option<&str>) -> bool {
    let Some(server) = server else { return true };
    original.is_none_or(|original| server.tools.admits(builder.scope.inputs.catalog.rules(), original))
}

/// Names on the server's list or in its filter that no registered tool has: what was filtered out when the list was
/// written can only be switched on again if it has a row.
fn unregistered<'b>(builder: &Builder<'b>, server: Option<&'b Server>, name: &str) -> Vec<&'b str> {
    let catalog = builder.scope.inputs.catalog;
    let list = catalog.server_list(name);
    // The usual case at a glance: no filter, and the list is what is registered.
    if server.is_none_or(|server| server.tools.include.is_none() && server.tools.exclude.is_none()) {
        let listed = list.map_or(&[][..], |list| &list.names);
        let registered = catalog.tools_of_server(name).filter_map(|tool| tool.original_name.as_deref());
        if registered.eq(listed.iter().map(String::as_str)) {
            return Vec::new();
        }
    }
    let mut listed: Vec<&'b str> = list.into_iter().flat_map(|list| &list.names).map(String::as_str).collect();
    let filter = server.map(|server| &server.tools);
    let excluded = filter.and_then(|filter| filter.exclude.as_ref()).into_iter().flatten();
    let included = filter.and_then(|filter| filter.include.as_ref()).into_iter().flatten();
    // Where a list is known, an included name that is not on it is no tool of this server.
    let included = included.filter(|_| list.is_none());
    let plain =
        |entry: &&String| !builder.scope.inputs.catalog.rules().filter_globs || !entry.contains(['*', '?', '[']);
    listed.extend(excluded.chain(included).filter(plain).map(String::as_str));
    let mut known: HashSet<&str> =
        catalog.tools_of_server(name).filter_map(|tool| tool.original_name.as_deref()).collect();
    listed.retain(|original| known.insert(original));
    listed
}

/// A tool known by name only.
fn unmeasured(builder: &Builder<'_>, entry: &Entry, server: Option<&Server>, original: &str) -> ToolRow {
    let admitted = admits(builder, server, Some(original));
    let fate = match (admitted, entry.on) {
        (false, _) => Fate::Filtered,
        (true, false) => Fate::Off,
        (true, true) if builder.deferral.is_active() => Fate::Deferred,
        (true, true) => Fate::Eager,
    };
    let meter =
        if fate == Fate::Eager { Meter::UNKNOWN } else { Meter { schema_bytes: Figure::Unknown, ..Meter::ZERO } };
    ToolRow {
        name: server::registered_name(entry.key.as_str(), original).into(),
        original_name: Some(original.into()),
        fate,
        why: (!admitted).then_some(FILTERED.into()),
        meter,
    }
}
