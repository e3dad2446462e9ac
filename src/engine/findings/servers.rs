//! What is odd about the entries of `mcp_servers`: settings Hermes cannot use, filters that do not say what was meant.

use super::Found;
use crate::engine::catalog::Catalog;
use crate::engine::rules::{EmptyInclude, Rules};
use crate::engine::selection::nearest::nearest;
use crate::engine::server::{self, Deciding, Server, Transport, glob};
use crate::engine::value::Value;

pub(super) fn findings(config: &Value, catalog: &Catalog, found: &mut Found) {
    let rules = catalog.rules();
    for (server, (_, entry)) in server::servers(config, rules).iter().zip(server::entries(config)) {
        let place = format!("mcp_servers.{}", server.name);
        if let Some(kind) = server.malformed {
            found.warn(&place, format!("This is {kind} where the server's settings are expected; Hermes skips it."));
            continue;
        }
        connection(server, entry, &place, found);
        switch(server, entry, &place, found);
        filter(server, entry, catalog, &format!("{place}.tools"), found);
        list(server, config, catalog, &place, found);
        if catalog.hides_server(server.name.as_str()) {
            let text = "A toolset has the same name, and to this Hermes the name stands for the toolset alone: none of the \
                        server's tools reaches the model. Rename the server.";
            found.warn(&place, text.into());
        } else if catalog.toolset_index(server.name.as_str()).is_some() {
            found.note(&place, "A toolset has the same name: switching the server on switches the toolset on.".into());
        }
    }
}

/// What is known of the list it told: refused as a whole, or told too late.
fn list(server: &Server, config: &Value, catalog: &Catalog, place: &str, found: &mut Found) {
    let Some(list) = catalog.server_list(server.name.as_str()).filter(|_| server.enabled) else { return };
    if let Some(why) = &list.refused {
        found.warn(place, format!("Hermes' MCP library takes none of its tools: {why}."));
    }
    let patience = discovery_timeout_s(config);
    if let Some(took_ms) = list.took_ms
        && took_ms as f64 > patience * 1000.0
    {
        let text = format!(
            "It took {:.1} s to tell its tools, and Hermes waits {patience} s for servers (mcp_discovery_timeout): the first \
             request of a conversation may go without them.",
            took_ms as f64 / 1000.0
        );
        found.note(place, text);
    }
}

/// Seconds Hermes waits for its servers before the first request.
fn discovery_timeout_s(config: &Value) -> f64 {
    let written = match config.get("mcp_discovery_timeout") {
        Some(Value::Int(text) | Value::Float(text) | Value::Str(text)) => text.trim().parse::<f64>().ok(),
        _ => None,
    };
    written.filter(|seconds| seconds.is_finite() && *seconds > 0.0).unwrap_or(1.5)
}

/// How the server is reached. Hermes hands these values on as they are, and what takes them is strict about kinds. No
/// value is shown: any of them can hold a secret.
fn connection(server: &Server, entry: &Value, place: &str, found: &mut Found) {
    if server.transport == Transport::Unknown {
        found.warn(place, "It has neither `command` nor `url`: Hermes can neither start nor reach it.".into());
    }
    for key in ["command", "url"] {
        let Some(value) = entry.get(key).filter(|value| value.is_truthy() && value.as_str().is_none()) else {
            continue;
        };
        let advice =
            if value.as_seq().is_some() { " Only the program goes here, its words go under `args`." } else { "" };
        let text = format!("This is {} where text is expected; Hermes cannot connect.{advice}", value.kind());
        found.warn(&format!("{place}.{key}"), text);
    }
    let useless = |what: &str, repair: &str| format!("{what}; Hermes cannot use it as it is. {repair}");
    let args = format!("{place}.args");
    match entry.get("args") {
        Some(Value::Null) => {
            let repair = "Write `[]`, or take the key away.";
            found.warn(&args, useless("This is empty where a list is expected", repair));
        }
        Some(Value::Seq(items)) => {
            if let Some(idx) = items.iter().position(|item| item.as_str().is_none()) {
                let what = format!("Item {} is {} where text is expected", idx + 1, items[idx].kind());
                found.warn(&args, useless(&what, "Put it in quotes, or take it away."));
            }
        }
        Some(value) => found.warn(&args, useless(&instead(value, "a list"), unquote(value, "Write a list."))),
        None => {}
    }
    for key in ["env", "headers"] {
        let place = format!("{place}.{key}");
        match entry.get(key) {
            Some(Value::Null) => found.note(&place, "This is empty; write a mapping, or take the key away.".into()),
            Some(Value::Map(entries)) => {
                for (name, value) in entries.iter().filter(|(_, value)| value.as_str().is_none()) {
                    let what = format!("'{}' is {} where text is expected", name.py_str(), value.kind());
                    found.warn(&place, useless(&what, "Put it in quotes, or take it away."));
                }
            }
            Some(value) if value.is_truthy() => {
                found.warn(&place, useless(&instead(value, "a mapping"), unquote(value, "Write a mapping.")));
            }
            _ => {}
        }
    }
}

fn instead(value: &Value, expected: &str) -> String {
    format!("This is {} where {expected} is expected", value.kind())
}

/// What to do about a value of the wrong kind; text in brackets was meant to be what is in the quotes.
fn unquote(value: &Value, otherwise: &'static str) -> &'static str {
    let is_bracketed = value.as_str().is_some_and(|text| text.trim_start().starts_with(['[', '{']));
    if is_bracketed { "Take away the quotes around the brackets." } else { otherwise }
}

/// Words `enabled` is read by; any other text counts as on.
const ENABLED_WORDS: [&str; 8] = ["true", "1", "yes", "on", "false", "0", "no", "off"];

fn switch(server: &Server, entry: &Value, place: &str, found: &mut Found) {
    if let Some(word) = entry.get("enabled").and_then(Value::as_str)
        && !ENABLED_WORDS.contains(&word.trim().to_lowercase().as_str())
    {
        found.warn(&format!("{place}.enabled"), format!("Hermes does not know the word '{word}': it counts as on."));
    }
    if entry.get("disabled").is_some_and(Value::is_truthy) && server.enabled {
        found.warn(place, "Hermes does not read `disabled`; write `enabled: false`.".into());
    }
}

fn filter(server: &Server, entry: &Value, catalog: &Catalog, place: &str, found: &mut Found) {
    let rules = catalog.rules();
    if let Some(kind) = server.tools.malformed {
        found.warn(place, format!("This is {kind}; Hermes registers none of the server's tools."));
        return;
    }
    if server.tools.include.as_ref().is_some_and(Vec::is_empty) {
        let meaning = match rules.empty_include {
            EmptyInclude::All => "no filter: every tool counts",
            EmptyInclude::Nothing => "nothing: none of the server's tools is registered",
        };
        found.note(&format!("{place}.include"), format!("To this Hermes an empty list means {meaning}."));
    }
    if server.tools.include.as_ref().is_some_and(|list| !list.is_empty()) && server.tools.exclude.is_some() {
        found.note(place, "`include` and `exclude` are both set: `include` wins.".into());
    }
    for key in ["include", "exclude"] {
        let place = format!("{place}.{key}");
        let value = entry.at(&["tools", key]);
        super::odd_items(value, &place, found);
        match value {
            None | Some(Value::Null | Value::Seq(_)) => {}
            Some(Value::Str(text)) if text.contains(',') || text.trim_start().starts_with('[') => {
                let text =
                    "This is text and counts as one name, commas and brackets included. Write a list, without quotes.";
                found.warn(&place, text.into());
            }
            Some(Value::Str(_)) => found.note(&place, "This is text; it counts as a list of one name.".into()),
            Some(value) => {
                found.warn(
                    &place,
                    format!("This is {} where a list of names is expected; Hermes ignores it.", value.kind()),
                );
            }
        }
    }
    entries_in_vain(server, entry, catalog, rules, place, found);
}

/// Entries of the deciding list that match no tool: patterns where there are none, names the known tools do not have.
fn entries_in_vain(server: &Server, entry: &Value, catalog: &Catalog, rules: &Rules, place: &str, found: &mut Found) {
    let (key, list) = match server.tools.deciding(rules) {
        Deciding::Nothing => return,
        Deciding::Include => ("include", &server.tools.include),
        Deciding::Exclude => ("exclude", &server.tools.exclude),
    };
    let place = format!("{place}.{key}");
    let known = catalog.server_list(server.name.as_str()).is_some();
    let odd = super::odd_names(entry.at(&["tools", key]));
    let tools = || catalog.tools_of_server(server.name.as_str()).filter_map(|tool| tool.original_name.as_deref());
    for name in list.iter().flatten().filter(|name| !odd.contains(*name)) {
        let pattern = glob::is_pattern(name);
        let matches = |tool: &str| tool == name || pattern && rules.filter_globs && glob::matches(name, tool);
        if pattern && !rules.filter_globs {
            let text =
                format!("'{name}' is a pattern, and this Hermes knows none: it stands for a tool of just that name.");
            found.warn(&place, text);
        } else if known && !tools().any(matches) {
            let advice = nearest(name, tools()).map(|near| format!(" Did you mean '{near}'?")).unwrap_or_default();
            found.note(&place, format!("'{name}' matches none of the tools known of this server.{advice}"));
        }
    }
}
