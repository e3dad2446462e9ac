//! What a provider would refuse in the array as it is sent: names, their number, and tools that lose their name to
//! another. One refused name costs the whole request.

use super::Found;
use crate::engine::assembly::Fate;
use crate::engine::catalog::Catalog;
use crate::engine::meter::Figure;
use crate::engine::provider::Provider;
use crate::engine::report::{ServerRow, ToolRow, ToolsetRow};
use crate::engine::rules::Collision;
use crate::engine::server::{self, Server};
use crate::engine::value::Value;

/// Names of one finding that are spelled out.
const NAMED: usize = 3;

/// Looks at what is sent whole; deferred tools reach the provider as text only.
pub(super) fn findings(
    toolsets: &[ToolsetRow],
    servers: &[ServerRow],
    tools: Option<u64>,
    config: &Value,
    catalog: &Catalog,
    found: &mut Found,
) {
    let provider = Provider::of(catalog.facts());
    for row in toolsets.iter().filter(|row| row.on) {
        names(provider, &row.tools, &format!("toolset {}", row.key), found);
    }
    // Behind the bridge, or nothing of it is sent: no need to look at thousands of names.
    let sends = |row: &&ServerRow| row.on && (row.sent > 0 || row.meter.wire_bytes == Figure::Unknown);
    for row in servers.iter().filter(sends) {
        names(provider, &row.tools, &format!("mcp_servers.{}", row.name), found);
    }
    if let (Some(tools), Some(max)) = (tools, provider.max_tools)
        && tools > max
    {
        let text = format!(
            "{tools} tools are sent, and {} takes {max}: every request would be refused. Switch some off, or defer them.",
            provider.title
        );
        found.warn("tools", text);
    }
    collisions(servers, config, catalog, found);
}

fn names(provider: &Provider, tools: &[ToolRow], place: &str, found: &mut Found) {
    let refused = |tool: &ToolRow| {
        let why = (tool.fate == Fate::Eager).then(|| provider.refuses(tool.name.as_str())).flatten()?;
        Some((tool.name.as_str().to_owned(), why))
    };
    let mut refused = tools.iter().filter_map(refused);
    let Some((name, why)) = refused.next() else { return };
    let others: Vec<String> = refused.map(|(name, _)| name).collect();
    let also = match others.len() {
        0 => String::new(),
        count => {
            let named: Vec<String> = others.iter().take(NAMED - 1).map(|name| format!("'{name}'")).collect();
            let rest = count - named.len();
            let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
            format!(" So are {}{more}.", named.join(", "))
        }
    };
    let text =
        format!("{} refuses the name '{name}', which {why}, and the whole request with it.{also}", provider.title);
    found.warn(place, text);
}

/// Tools of servers that are on which ask for one name.
fn collisions(servers: &[ServerRow], config: &Value, catalog: &Catalog, found: &mut Found) {
    if catalog.collisions().is_empty() {
        return;
    }
    let configured = server::servers(config, catalog.rules());
    let admitted = |server: &str, original: &str| {
        let on = servers.iter().any(|row| row.on && row.name.as_str() == server);
        let own: Option<&Server> = configured.iter().find(|own| own.name.as_str() == server);
        on && own.is_some_and(|own| own.tools.admits(catalog.rules(), original))
    };
    for collision in catalog.collisions() {
        let owners: Vec<&(String, String)> =
            collision.owners.iter().filter(|(server, original)| admitted(server, original)).collect();
        let [(first, _), .., (last, _)] = owners.as_slice() else { continue };
        let named: Vec<String> =
            owners.iter().take(NAMED).map(|(server, original)| format!("'{original}' of {server}")).collect();
        let winner = match (catalog.rules().schema.collision, first == last) {
            (Collision::NoneOrFirst, true) => "none of them is registered".to_owned(),
            (Collision::NoneOrFirst, false) => format!("the one of {first} keeps it, if that server answers first"),
            (Collision::LaterWins, _) => format!("the last one registered keeps it, usually that of {last}"),
        };
        let text = format!("{} all become '{}': {winner}.", named.join(", "), collision.name);
        found.warn(&format!("mcp_servers.{first}"), text);
    }
}
