//! What is odd about a platform's own list.

use std::collections::HashSet;

use super::{Found, odd_items, odd_names};
use crate::engine::catalog::Catalog;
use crate::engine::ids::PlatformKey;
use crate::engine::selection::tables::Row;
use crate::engine::selection::{NO_MCP, Reason, Saved, Selection, literal};
use crate::engine::server;
use crate::engine::value::Value;

pub(super) fn findings(
    config: &Value,
    catalog: &Catalog,
    platform: &PlatformKey,
    selection: &Selection,
    found: &mut Found,
) {
    let place = format!("platform_toolsets.{platform}");
    let value = config.at(&["platform_toolsets", platform.as_str()]);
    match (&selection.saved, value) {
        (Saved::Ignored { kind }, value) => {
            let repair = value.and_then(Value::as_str).map(repair).unwrap_or_default();
            let text = format!("This is {kind} where a list is expected; Hermes uses the platform's defaults.{repair}");
            found.warn(&place, text);
        }
        (Saved::List(_), Some(Value::Str(text))) => {
            let repair = repair(text);
            found.note(
                &place,
                format!("This is text that spells a list. This Hermes reads it, older ones do not.{repair}"),
            );
        }
        _ => {}
    }
    odd_items(value, &place, found);
    let odd = odd_names(value);
    let mut seen = HashSet::new();
    for item in value.and_then(Value::as_seq).unwrap_or_default() {
        let name = item.py_str().into_owned();
        if !odd.contains(&name) && !seen.insert(name.clone()) {
            found.note(&place, format!("'{name}' is listed twice."));
        }
    }
    for entry in selection.entries.iter().filter(|entry| !entry.is_server && !odd.contains(entry.key.as_str())) {
        if let Reason::PassedThrough { nearest } = &entry.reason {
            let advice = nearest.as_ref().map(|near| format!(" Did you mean '{near}'?")).unwrap_or_default();
            found.warn(&place, format!("'{}' switches nothing on.{advice}", entry.key));
        }
    }
    let Saved::List(names) = &selection.saved else { return };
    closed(config, names, &place, found);
    in_part(catalog, names, selection, &place, found);
}

/// How to write a text as the list it was meant to be.
fn repair(text: &str) -> String {
    let names = literal::list_items(text).unwrap_or_else(|| {
        let words = literal::trim(text).trim_start_matches('[').trim_end_matches(']').split(',');
        words
            .map(|word| word.trim_matches(|sign: char| sign.is_whitespace() || sign == '"' || sign == '\'').to_owned())
            .collect()
    });
    let is_name = |name: &String| {
        !name.is_empty() && name.len() <= 64 && name.chars().all(|sign| sign.is_alphanumeric() || "-_.".contains(sign))
    };
    if names.iter().all(is_name) {
        format!(" Write [{}], without quotes around it.", names.join(", "))
    } else {
        String::new()
    }
}

/// `no_mcp` beside names of servers: the names count for nothing.
fn closed(config: &Value, names: &[String], place: &str, found: &mut Found) {
    if !names.iter().any(|name| name == NO_MCP) {
        return;
    }
    for (key, _) in server::entries(config) {
        let server = key.py_str();
        if names.iter().any(|name| *name == server) {
            found.warn(place, format!("'{server}' is listed in vain: `{NO_MCP}` keeps every server off."));
        }
    }
}

/// Names that bring some tools of a toolset and not all: Hermes then counts the toolset as off.
fn in_part(catalog: &Catalog, names: &[String], selection: &Selection, place: &str, found: &mut Found) {
    let tables = catalog.selection_tables();
    for name in names {
        let Some(bundle) = tables.row(catalog, name).filter(|row| !row.configurable && !row.plugin) else { continue };
        let part =
            |row: &Row| (row.by_definition.common(&bundle.full).iter().count(), row.by_definition.iter().count());
        let parts: Vec<String> = selection
            .entries
            .iter()
            .filter(|entry| !entry.on && matches!(entry.reason, Reason::NotListed))
            .filter_map(|entry| Some((entry, tables.row(catalog, entry.key.as_str())?)))
            .map(|(entry, row)| (entry, part(row)))
            .filter(|(_, (some, all))| 0 < *some && some < all)
            .map(|(entry, (some, all))| format!("{} ({some} of {all} tools)", entry.key))
            .collect();
        if !parts.is_empty() {
            found.note(
                place,
                format!("'{name}' covers toolsets only in part, and they stay off: {}.", parts.join(", ")),
            );
        }
    }
}
