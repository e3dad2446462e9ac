//! The rows of MCP servers: registered tools, and names known only from a list or a filter.

use std::collections::{HashMap, HashSet};

use super::build::Builder;
use super::{Meter, ServerRow, ToolRow};
use crate::engine::assembly::{Fate, bridge};
use crate::engine::meter::Figure;
use crate::engine::selection::Entry;
use crate::engine::server::{Server, Transport, servers};

/// What a filtered tool's row says.
const FILTERED: &str = "left out by the server's filter";

/// Every server of the selection, in its order.
pub(super) fn rows<'a>(builder: &mut Builder<'a>) -> Vec<ServerRow> {
    let inputs = builder.inputs;
    let configured = servers(inputs.config, inputs.catalog.rules());
    let by_name: HashMap<&str, &Server> = configured.iter().map(|server| (server.name.as_str(), server)).collect();
    let entries = builder.selection.entries.iter().filter(|entry| entry.is_server);
    entries.map(|entry| row(builder, entry, by_name.get(entry.key.as_str()).copied())).collect()
}

fn row(builder: &mut Builder<'_>, entry: &Entry, server: Option<&Server>) -> ServerRow {
    let inputs = builder.inputs;
    let catalog = inputs.catalog;
    let name = entry.key.as_str();
    let list = catalog.server_list(name);
    let registered = catalog.tool_indices_of_server(name);
    let mut tools = Vec::with_capacity(registered.len());
    let mut sent = 0;
    let mut meter = Meter::ZERO;
    for idx in registered {
        let tool = &catalog.document().tools[*idx];
        let admitted = admits(builder, server, tool.original_name.as_deref());
        let row = builder.tool_row(*idx, entry.on, (!admitted).then_some(FILTERED));
        sent += usize::from(row.fate == Fate::Eager);
        meter = meter + row.meter;
        tools.push(row);
    }
    for original in unregistered(builder, server, name) {
        let row = unmeasured(builder, entry, server, original);
        // The sum leaves out what a filter leaves out; the rest makes it unknown.
        if row.fate != Fate::Filtered {
            meter = meter + row.meter;
        }
        tools.push(row);
    }
    let known = list.is_some() || !registered.is_empty();
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
        tools,
        sent,
        meter,
    }
}

fn admits(builder: &Builder<'_>, server: Option<&Server>, original: Option<&str>) -> bool {
    let Some(server) = server else { return true };
    original.is_none_or(|original| server.tools.admits(builder.inputs.catalog.rules(), original))
}

/// Names on the server's list or in its filter that no registered tool has: what was filtered out when the list was
/// written can only be switched on again if it has a row.
fn unregistered<'b>(builder: &Builder<'b>, server: Option<&'b Server>, name: &str) -> Vec<&'b str> {
    let catalog = builder.inputs.catalog;
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
    let plain = |entry: &&String| !builder.inputs.catalog.rules().filter_globs || !entry.contains(['*', '?', '[']);
    listed.extend(excluded.chain(included).filter(plain).map(String::as_str));
    let mut known: HashSet<&str> =
        catalog.tools_of_server(name).filter_map(|tool| tool.original_name.as_deref()).collect();
    listed.retain(|original| known.insert(original));
    listed
}

/// A tool known by name only.
fn unmeasured(builder: &mut Builder<'_>, entry: &Entry, server: Option<&Server>, original: &str) -> ToolRow {
    let admitted = admits(builder, server, Some(original));
    let fate = match (admitted, entry.on) {
        (false, _) => Fate::Filtered,
        (true, false) => Fate::Off,
        (true, true) if builder.bridge_active => Fate::Deferred,
        (true, true) => Fate::Eager,
    };
    let meter =
        if fate == Fate::Eager { Meter::UNKNOWN } else { Meter { schema_bytes: Figure::Unknown, ..Meter::ZERO } };
    ToolRow {
        name: bridge::mcp_tool_name(entry.key.as_str(), original).into(),
        original_name: Some(original.to_owned()),
        fate,
        why: (!admitted).then(|| FILTERED.to_owned()),
        meter,
    }
}
