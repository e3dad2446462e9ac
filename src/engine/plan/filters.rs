//! Wishes about single tools of a server: `mcp_servers.<s>.tools.include` and `exclude`, by the version's precedence.
//!
//! Names are edited in the list that decides; the other list and every pattern stay as they are.

use super::edits::Edits;
use super::{Refusal, quoted, servers};
use crate::engine::catalog::Catalog;
use crate::engine::draft::Target;
use crate::engine::ids::ServerName;
use crate::engine::rules::EmptyInclude;
use crate::engine::server::{Deciding, ToolFilter};
use crate::engine::value::Value;

/// Lets a tool through or keeps it out.
pub(super) fn switch(
    edits: &mut Edits<'_>,
    catalog: &Catalog,
    target: &Target,
    server: &ServerName,
    tool: &str,
    on: bool,
) -> Result<(), Refusal> {
    let rules = catalog.rules();
    let filter = servers::entry(&edits.value(), catalog, target, server)?.tools;
    let place = quoted(server.as_str());
    let refuse = |reason: String, instead: String| Err(Refusal { target: target.clone(), reason, instead });
    if let Some(kind) = filter.malformed {
        return refuse(
            format!("the key `tools` of server {place} is {kind}, so Hermes registers none of its tools"),
            "write `tools` as a mapping with `include` or `exclude` first".into(),
        );
    }
    if filter.admits(rules, tool) == on {
        return Ok(());
    }
    let section = edits.original(&["mcp_servers", server.as_str(), "tools"]);
    if let Some(odd) = section.filter(|tools| !tools.is_null() && tools.as_map().is_none()) {
        return refuse(
            format!("the key `tools` of server {place} is {} where `include` or `exclude` is expected", odd.kind()),
            "remove that key first".into(),
        );
    }
    let (key, listed) = match filter.deciding(rules) {
        Deciding::Include => ("include", on),
        Deciding::Exclude | Deciding::Nothing => ("exclude", !on),
    };
    let path = ["mcp_servers", server.as_str(), "tools", key];
    let reading = one_name(edits.original(&path));
    let list = edits.list(&path, || reading);
    if listed {
        list.add(tool);
        return Ok(());
    }
    list.remove(|name| name == tool);
    let empty = list.is_empty();
    if let Some(pattern) = remaining_pattern(&filter, catalog, tool) {
        return refuse(
            format!("the pattern {} under tools.{key} of server {place} matches {}", quoted(pattern), quoted(tool)),
            "change the pattern in config.yaml; patterns are never spelled out here".into(),
        );
    }
    if key == "include" && empty && rules.empty_include == EmptyInclude::All {
        return refuse(
            format!(
                "{} is the last tool under tools.include of server {place}, and an empty list would mean all",
                quoted(tool)
            ),
            "switch the server off instead".into(),
        );
    }
    Ok(())
}

/// A pattern that goes on matching the tool when its own name is taken out of the deciding list.
fn remaining_pattern<'a>(filter: &'a ToolFilter, catalog: &Catalog, tool: &str) -> Option<&'a str> {
    filter.pattern_for(catalog.rules(), tool)
}

/// A text is one name; every other kind that is no list counts for nothing.
fn one_name(value: Option<&Value>) -> Vec<String> {
    value.and_then(Value::as_str).map(str::to_owned).into_iter().collect()
}
