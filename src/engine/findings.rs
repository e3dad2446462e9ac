//! What a person should know about their config: names that mean nothing, values of the wrong kind, switches nobody
//! reads. A stock install has none.

mod limits;
mod lists;
mod servers;
mod tool_search;

use std::collections::HashSet;

use super::assembly::disclosure::Disclosure;
use super::catalog::Catalog;
use super::ids::PlatformKey;
use super::report::{Finding, ServerRow, Severity, ToolsetRow};
use super::selection::nearest::nearest;
use super::selection::{Entry, Reason, Saved, Selection, deny};
use super::server;
use super::text::visible;
use super::value::Value;

/// Looks at the sections that decide what is on. `selection` is the platform's, resolved from the same config.
pub fn findings(config: &Value, catalog: &Catalog, platform: &PlatformKey, selection: &Selection) -> Vec<Finding> {
    let mut found = Found(Vec::new());
    let place = format!("platform_toolsets.{platform}");
    sections(config, &mut found);
    stops(config, catalog, platform, selection, &mut found);
    lists::findings(config, catalog, platform, selection, &mut found);
    denied(config, catalog, selection, &mut found);
    nothing_left(catalog, selection, &place, &mut found);
    servers::findings(config, catalog, &mut found);
    tool_search::findings(config, catalog, &mut found);
    found.0
}

/// What a provider would refuse in the array of a platform. `tools`: how many are sent.
pub(super) fn of_array(
    toolsets: &[ToolsetRow],
    servers: &[ServerRow],
    tools: Option<u64>,
    config: &Value,
    catalog: &Catalog,
) -> Vec<Finding> {
    let mut found = Found(Vec::new());
    limits::findings(toolsets, servers, tools, config, catalog, &mut found);
    found.0
}

/// What is odd about the settings of tool search alone.
pub fn of_settings(config: &Value, catalog: &Catalog) -> Vec<Finding> {
    let mut found = Found(Vec::new());
    tool_search::findings(config, catalog, &mut found);
    found.0
}

/// What only shows once it is known which tools could be deferred.
pub fn of_disclosure(config: &Value, disclosure: &Disclosure) -> Vec<Finding> {
    let mut found = Found(Vec::new());
    tool_search::on_for_nothing(config, disclosure, &mut found);
    found.0
}

/// Findings with their text made harmless.
struct Found(Vec<Finding>);

impl Found {
    fn add(&mut self, severity: Severity, place: &str, text: &str) {
        self.0.push(Finding { severity, place: visible(place).into_owned(), text: visible(text).into_owned() });
    }

    fn warn(&mut self, place: &str, text: String) {
        self.add(Severity::Warning, place, &text);
    }

    /// Hermes itself does not get past the place.
    fn stop(&mut self, place: &str, kind: &str, expected: &str) {
        let text = format!("This is {kind} where {expected} is expected; Hermes stops with an error here.");
        self.add(Severity::Error, place, &text);
    }

    fn note(&mut self, place: &str, text: String) {
        self.add(Severity::Note, place, &text);
    }
}

fn sections(config: &Value, found: &mut Found) {
    if config.as_map().is_none() && !config.is_null() {
        let text =
            format!("The file is {} where settings by name are expected; Hermes uses its defaults.", config.kind());
        found.warn("config.yaml", text);
    }
    for key in ["platform_toolsets", "mcp_servers", "agent"] {
        mapping(config, key, found);
    }
    for path in [&["disabled_toolsets"][..], &["agent", "disabled_tools"], &["tools", "disabled_toolsets"]] {
        unread(config, path, "toolsets are denied under agent.disabled_toolsets", found);
    }
    for path in [&["enabled_toolsets"][..], &["agent", "enabled_toolsets"], &["tools", "enabled_toolsets"]] {
        unread(config, path, "what is on is listed under platform_toolsets, for each platform", found);
    }
}

/// A key that looks like a switch and is none.
fn unread(config: &Value, path: &[&str], instead: &str, found: &mut Found) {
    if config.at(path).is_some() {
        found.warn(&path.join("."), format!("Hermes reads no such key; {instead}."));
    }
}

fn mapping(config: &Value, key: &str, found: &mut Found) {
    if let Some(value) = config.get(key).filter(|value| value.is_truthy() && value.as_map().is_none()) {
        found.stop(key, value.kind(), "a mapping");
    }
}

/// What makes Hermes stop with an error only when it comes to look there: each version looks at other places.
fn stops(config: &Value, catalog: &Catalog, platform: &PlatformKey, selection: &Selection, found: &mut Found) {
    let (rules, tables) = (catalog.rules(), catalog.selection_tables());
    let no_list = |value: &&Value| value.is_truthy() && !matches!(value, Value::Seq(_) | Value::Str(_) | Value::Map(_));
    if !tables.plugin_keys().is_empty() {
        mapping(config, "known_plugin_toolsets", found);
        let place = format!("known_plugin_toolsets.{platform}");
        match config.at(&["known_plugin_toolsets", platform.as_str()]) {
            Some(Value::Seq(items)) => {
                if let Some(item) = items.iter().find(|item| matches!(item, Value::Seq(_) | Value::Map(_))) {
                    found.stop(&place, &format!("a list with {} in it", item.kind()), "a list of names");
                }
            }
            Some(value) if no_list(&value) => found.stop(&place, value.kind(), "a list"),
            _ => {}
        }
    }
    let Saved::List(names) = &selection.saved else {
        if let Some(value) = config.get("toolsets").filter(no_list)
            && rules.root_kanban
        {
            found.stop("toolsets", value.kind(), "a list");
        }
        return denied_stops(config, catalog, found, no_list);
    };
    let by_name = |name: &String| {
        tables.is_plugin_key(name) && rules.plugin_keys_are_explicit
            || tables.row(catalog, name).is_some_and(|row| row.configurable)
    };
    if rules.plugin_keys_are_explicit && names.iter().any(by_name) {
        mapping(config, "known_builtin_toolsets", found);
    }
    denied_stops(config, catalog, found, no_list);
}

fn denied_stops(config: &Value, catalog: &Catalog, found: &mut Found, no_list: impl Fn(&&Value) -> bool) {
    if let Some(value) = config.at(&["agent", "disabled_toolsets"]).filter(no_list)
        && !catalog.rules().disabled_may_be_text
    {
        found.stop("agent.disabled_toolsets", value.kind(), "a list");
    }
}

fn denied(config: &Value, catalog: &Catalog, selection: &Selection, found: &mut Found) {
    let place = "agent.disabled_toolsets";
    let tables = catalog.selection_tables();
    let value = config.at(&["agent", "disabled_toolsets"]);
    if value.is_some_and(|value| value.as_str().is_some_and(|text| !text.is_empty()))
        && !catalog.rules().disabled_may_be_text
    {
        found.warn(place, "This is text where a list is expected; this Hermes denies nothing by it.".into());
        return;
    }
    odd_items(value, place, found);
    let odd: HashSet<String> = odd_names(value);
    let servers: HashSet<String> = server::entries(config).iter().map(|(key, _)| key.py_str().into_owned()).collect();
    for name in deny::Deny::read(config, catalog.rules()).names {
        let count = selection.stripped.iter().filter(|(_, entry)| *entry == name).count();
        if count > 0 {
            found.warn(
                place,
                format!("'{name}' strips {count} tools of toolsets that are on for {}.", selection.platform),
            );
        }
        let server = name.strip_prefix("mcp-").unwrap_or(&name);
        if !odd.contains(&name) && !tables.knows(catalog, &name) && !servers.contains(server) {
            let keys = catalog.document().toolsets.iter().map(|toolset| toolset.key.as_str());
            let advice = nearest(&name, keys).map(|near| format!(" Did you mean '{near}'?")).unwrap_or_default();
            found.warn(place, format!("'{name}' denies nothing.{advice}"));
        }
    }
}

/// Items of a list of names that are no names: told by their place in it, never by what is inside.
fn odd_items(list: Option<&Value>, place: &str, found: &mut Found) {
    for (idx, item) in list.and_then(Value::as_seq).unwrap_or_default().iter().enumerate() {
        match item {
            Value::Null => {
                found.warn(place, format!("Item {} is empty; Hermes reads it as the name 'None'.", idx + 1));
            }
            Value::Seq(_) | Value::Map(_) => {
                let text =
                    format!("Item {} is {} where a name is expected; it stands for nothing.", idx + 1, item.kind());
                found.warn(place, text);
            }
            _ => {}
        }
    }
}

/// The names Hermes makes of such items.
fn odd_names(list: Option<&Value>) -> HashSet<String> {
    let items = list.and_then(Value::as_seq).unwrap_or_default().iter();
    let odd = items.filter(|item| matches!(item, Value::Null | Value::Seq(_) | Value::Map(_)));
    odd.map(|item| item.py_str().into_owned()).collect()
}

/// An agent that answers without any tool looks healthy everywhere else: the list is green, requests are empty.
fn nothing_left(catalog: &Catalog, selection: &Selection, place: &str, found: &mut Found) {
    let Saved::List(names) = &selection.saved else { return stripped_bare(catalog, selection, found) };
    if !names.is_empty() && selection.entries.iter().filter(|entry| entry.on).all(is_without_effect) {
        let text = format!("None of these names brings a tool: no tool reaches the model on {}.", selection.platform);
        found.add(Severity::Error, place, &text);
    } else {
        stripped_bare(catalog, selection, found);
    }
}

fn is_without_effect(entry: &Entry) -> bool {
    matches!(entry.reason, Reason::PassedThrough { .. })
}

fn stripped_bare(catalog: &Catalog, selection: &Selection, found: &mut Found) {
    let stripped: HashSet<&str> = selection.stripped.iter().map(|(name, _)| name.as_str()).collect();
    let mut tools = selection
        .entries
        .iter()
        .filter(|entry| entry.on && !entry.is_server)
        .filter_map(|entry| catalog.toolset(entry.key.as_str()))
        .flat_map(|toolset| &toolset.tools)
        .peekable();
    if tools.peek().is_some() && tools.all(|tool| stripped.contains(tool.as_str())) {
        let mut entries: Vec<&str> = selection.stripped.iter().map(|(_, entry)| entry.as_str()).collect();
        entries.dedup();
        let text = format!(
            "{} strips every tool that is on: no built-in tool reaches the model on {}.",
            entries.iter().map(|entry| format!("'{entry}'")).collect::<Vec<_>>().join(", "),
            selection.platform
        );
        found.add(Severity::Error, "agent.disabled_toolsets", &text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::selection::select;
    use crate::engine::testing::{catalog_22, config};

    fn texts(json: &str) -> Vec<String> {
        let (config, catalog) = (config(json), catalog_22());
        let selection = select(&config, &catalog, &"cli".into());
        let found = findings(&config, &catalog, &"cli".into(), &selection);
        found.into_iter().map(|finding| format!("{}: {}", finding.place, finding.text)).collect()
    }

    #[test]
    fn a_stock_config_has_none() {
        assert!(texts("{}").is_empty());
        assert!(
            texts(r#"{"platform_toolsets": {"cli": ["hermes-cli", "gh"]}, "mcp_servers": {"gh": {"command": "x"}}}"#)
                .is_empty()
        );
    }

    #[test]
    fn a_platform_without_any_tool_is_an_error_that_names_the_cause() {
        let told = texts(r#"{"platform_toolsets": {"cli": ["hermes-clu"]}}"#);
        assert!(told.iter().any(|text| text.contains("no tool reaches the model on cli")), "{told:?}");
        let told = texts(r#"{"platform_toolsets": {"cli": []}}"#);
        assert!(told.is_empty(), "an empty list is a choice: {told:?}");
    }

    #[test]
    fn what_means_nothing_is_told_with_the_nearest_name_and_without_secrets() {
        for (json, expected) in [
            (
                r#"{"platform_toolsets": {"cli": ["wbe", "web"]}}"#,
                "platform_toolsets.cli: 'wbe' switches nothing on. Did you mean 'web'?",
            ),
            (r#"{"platform_toolsets": {"cli": "web"}}"#, "platform_toolsets.cli: This is text where a list"),
            (r#"{"platform_toolsets": {"cli": ["web", null]}}"#, "platform_toolsets.cli: Item 2 is empty"),
            (r#"{"platform_toolsets": {"cli": ["web", "web"]}}"#, "platform_toolsets.cli: 'web' is listed twice."),
            (
                r#"{"agent": {"disabled_toolsets": ["termnal"]}}"#,
                "agent.disabled_toolsets: 'termnal' denies nothing. Did you mean 'terminal'?",
            ),
            (r#"{"disabled_toolsets": ["web"]}"#, "disabled_toolsets: Hermes reads no such key"),
            (
                r#"{"mcp_servers": {"gh": "https://u:secret@h.invalid"}}"#,
                "mcp_servers.gh: This is text where the server's settings",
            ),
            (
                r#"{"mcp_servers": {"gh": {"command": "x", "disabled": true}}}"#,
                "mcp_servers.gh: Hermes does not read `disabled`",
            ),
            (r#"{"mcp_servers": "x"}"#, "mcp_servers: This is text where a mapping"),
            (r#"{"mcp_servers": {"gh": {"command": "x", "args": null}}}"#, "mcp_servers.gh.args: This is empty"),
            (
                r#"{"mcp_servers": {"gh": {"command": "x", "args": "[\"secret\"]"}}}"#,
                "mcp_servers.gh.args: This is text where a list",
            ),
            (
                r#"{"mcp_servers": {"gh": {"command": "x", "enabled": "nope"}}}"#,
                "mcp_servers.gh.enabled: Hermes does not know",
            ),
            (
                r#"{"mcp_servers": {"gh": {"command": "x", "tools": {"include": []}}}}"#,
                "mcp_servers.gh.tools.include: To this Hermes an empty list means nothing",
            ),
        ] {
            let told = texts(json);
            assert!(told.len() == 1 && told[0].starts_with(expected), "{json}: {told:?}");
            assert!(!told[0].contains("secret"));
        }
    }
}
