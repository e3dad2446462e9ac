//! Wishes about whole servers: `mcp_servers.<s>.enabled`.

use super::edits::Edits;
use super::{Refusal, quoted};
use crate::engine::catalog::Catalog;
use crate::engine::draft::Target;
use crate::engine::ids::ServerName;
use crate::engine::selection::nearest::nearest;
use crate::engine::server::{self, Server};
use crate::engine::value::Value;

/// Whether any entry of the name is enabled.
pub(super) fn is_enabled(config: &Value, catalog: &Catalog, name: &ServerName) -> bool {
    let entries = server::entries(config);
    let mut own = entries.iter().filter(|(key, _)| key.py_str() == name.as_str()).peekable();
    if own.peek().is_none() {
        return catalog.facts().portable_servers.contains(name);
    }
    own.any(|(_, entry)| entry.as_map().is_some() && server::is_enabled(entry, catalog.rules()))
}

/// Switches a server on or off everywhere.
pub(super) fn switch(
    edits: &mut Edits<'_>,
    catalog: &Catalog,
    target: &Target,
    name: &ServerName,
    on: bool,
) -> Result<(), Refusal> {
    let config = edits.value();
    if is_enabled(&config, catalog, name) == on {
        return Ok(());
    }
    entry(&config, catalog, target, name)?;
    edits.switch(&["mcp_servers", name.as_str(), "enabled"], on);
    Ok(())
}

/// The config's own, well-formed entry of a server, or why there is none to edit.
pub(super) fn entry(config: &Value, catalog: &Catalog, target: &Target, name: &ServerName) -> Result<Server, Refusal> {
    let servers = server::servers(config, catalog.rules());
    let shown = quoted(name.as_str());
    let refuse = |reason: String, instead: String| Err(Refusal { target: target.clone(), reason, instead });
    let mut own = servers.iter().filter(|server| server.name == *name);
    let Some(found) = own.next() else {
        if catalog.facts().portable_servers.contains(name) {
            return refuse(
                format!("the server {shown} comes with a plugin and has no entry in mcp_servers"),
                "disable the plugin, or keep the server off one platform".into(),
            );
        }
        let names = servers.iter().map(|server| server.name.as_str());
        let instead = nearest(name.as_str(), names).map_or_else(
            || "add it to mcp_servers first".to_owned(),
            |near| format!("did you mean {}?", quoted(&near)),
        );
        return refuse(format!("there is no server {shown} in mcp_servers"), instead);
    };
    if own.next().is_some() {
        return refuse(
            format!("two keys of mcp_servers read {shown}"),
            "rename one of them, so that it is clear which is meant".into(),
        );
    }
    if let Some(kind) = found.malformed {
        return refuse(
            format!("mcp_servers.{} is {kind} where its settings are expected", shown.trim_matches('\'')),
            "write the server's settings as a mapping first".into(),
        );
    }
    Ok(found.clone())
}
