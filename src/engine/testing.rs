//! A small made-up host for unit tests: every shape that resolving and planning must tell apart, in a few rows.
//!
//! Core tools are in every `hermes-*` bundle. `kanban` is a recovered extra under the 0.19 rules and a configurable,
//! default-off toolset under the 0.22 rules, as in the real ones.

use super::catalog::{
    Catalog, CatalogDocument, Definition, FORMAT, Facts, HermesInfo, Platform, Surface, Tool, Toolset, ToolsetKind,
};
use super::ids::PlatformKey;
use super::rules::Rules;
use super::value::Value;

const CORE: [&str; 7] = ["web_search", "shell", "read_file", "note", "plan", "board_add", "video_look"];

/// A config from JSON text; JSON is what these tests' values look like after loading.
pub(crate) fn config(json: &str) -> Value {
    value(&serde_json::from_str(json).expect("a test's config is JSON"))
}

fn value(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(on) => Value::Bool(*on),
        serde_json::Value::Number(number) if number.is_f64() => Value::Float(number.to_string()),
        serde_json::Value::Number(number) => Value::Int(number.to_string()),
        serde_json::Value::String(text) => Value::Str(text.clone()),
        serde_json::Value::Array(items) => Value::Seq(items.iter().map(value).collect()),
        serde_json::Value::Object(entries) => {
            Value::Map(entries.iter().map(|(key, item)| (Value::Str(key.clone()), value(item))).collect())
        }
    }
}

pub(crate) fn catalog_19() -> Catalog {
    Catalog::new(document(Rules::v0_19()))
}

pub(crate) fn catalog_22() -> Catalog {
    Catalog::new(document(Rules::v0_22()))
}

fn row(key: &str, kind: ToolsetKind, tools: &[&str]) -> Toolset {
    let tools: Vec<_> = tools.iter().map(|name| (*name).into()).collect();
    Toolset {
        key: key.into(),
        label: key.to_uppercase(),
        description: String::new(),
        kind,
        configurable: false,
        config_only: false,
        default_off: false,
        restricted_to: None,
        session_platforms: None,
        has_includes: false,
        posture: false,
        in_static_table: true,
        static_tools: tools.clone(),
        denied_tools: tools.clone(),
        tools,
    }
}

fn configurable(key: &str, tools: &[&str]) -> Toolset {
    Toolset { configurable: true, ..row(key, ToolsetKind::Builtin, tools) }
}

fn bundle(key: &str, more: &[&str]) -> Toolset {
    let tools: Vec<&str> = CORE.iter().chain(more).copied().collect();
    Toolset { denied_tools: more.iter().map(|name| (*name).into()).collect(), ..row(key, ToolsetKind::Bundle, &tools) }
}

/// The small host under some rules, to be changed by a test that needs more.
pub(crate) fn document(rules: Rules) -> CatalogDocument {
    let new = rules.known_builtin_toolsets;
    let off = |toolset: Toolset| Toolset { default_off: true, ..toolset };
    let guild = |toolset| Toolset { restricted_to: Some(vec!["guild".into()]), ..off(toolset) };
    let mut toolsets = vec![
        configurable("web", &["web_search"]),
        configurable("terminal", &["shell"]),
        configurable("file", &["read_file"]),
        off(configurable("video", &["video_look"])),
        off(configurable("x_search", &["x_look"])),
        Toolset { config_only: true, in_static_table: false, ..configurable("stt", &[]) },
        configurable("memory", &["note"]),
        configurable("context_engine", &[]),
        configurable("todo", &["plan"]),
        guild(configurable("guild", &["guild_read"])),
    ];
    let kanban = row("kanban", ToolsetKind::Builtin, &["board_add"]);
    toolsets.push(if new { off(Toolset { configurable: true, ..kanban }) } else { kanban });
    toolsets.extend([
        row("search", ToolsetKind::Builtin, &["web_search"]),
        row("doc", ToolsetKind::Builtin, &["doc_read"]),
        Toolset { has_includes: true, ..row("debugging", ToolsetKind::Bundle, &["web_search", "shell", "read_file"]) },
        Toolset {
            posture: true,
            denied_tools: Vec::new(),
            ..row("coding", ToolsetKind::Bundle, &["shell", "read_file", "note"])
        },
        bundle("hermes-cli", &[]),
        bundle("hermes-telegram", &[]),
        bundle("hermes-guild", &["guild_read"]),
        bundle("hermes-feishu", &["doc_read"]),
        Toolset { denied_tools: Vec::new(), ..row("hermes-api-server", ToolsetKind::Bundle, &["shell", "read_file"]) },
        Toolset { in_static_table: false, ..bundle("hermes-irc", &["irc_send"]) },
    ]);
    let platform = |key: &str, builtin| Platform {
        key: key.into(),
        label: key.to_uppercase(),
        default_toolset: format!("hermes-{key}").as_str().into(),
        builtin,
    };
    CatalogDocument {
        format: FORMAT.into(),
        hermes: HermesInfo {
            version: if new { "0.22.2" } else { "0.19.0" }.into(),
            release_date: None,
            python: None,
            home: "/home/demo/.hermes".into(),
        },
        surface: Surface::Cli,
        taken_at: 0,
        rules,
        facts: Facts { enabled_platforms: vec![PlatformKey::from("cli")], ..Facts::default() },
        platforms: vec![
            platform("cli", true),
            platform("telegram", true),
            platform("guild", true),
            platform("feishu", true),
            platform("api-server", true),
            platform("irc", false),
        ],
        tools: toolsets
            .iter()
            .filter(|toolset| toolset.kind == ToolsetKind::Builtin)
            .flat_map(|toolset| toolset.tools.iter().map(|name| tool(name.as_str(), toolset.key.as_str(), None)))
            .collect(),
        toolsets,
        core_tools: CORE.iter().map(|name| (*name).into()).collect(),
        plugin_toolsets: Vec::new(),
        legacy_toolsets: [("web_tools".into(), vec!["web_search".into()])].into_iter().collect(),
        server_lists: Vec::new(),
        tool_search: None,
        problems: Vec::new(),
    }
}

fn tool(name: &str, toolset: &str, server: Option<(&str, &str)>) -> Tool {
    Tool {
        name: name.into(),
        toolset: toolset.into(),
        server: server.map(|(server, _)| server.into()),
        original_name: server.map(|(_, original)| original.into()),
        definition: Definition::from_json(&format!(r#"{{"type": "function", "function": {{"name": "{name}"}}}}"#)),
        available: true,
        unavailable_because: None,
    }
}

/// Adds a server's tools, as the schema cache would have them.
pub(crate) fn with_server(document: &mut CatalogDocument, server: &str, originals: &[&str]) {
    for original in originals {
        let name = format!("mcp__{server}__{original}");
        document.tools.push(tool(&name, &format!("mcp-{server}"), Some((server, original))));
    }
}

/// Adds a plugin's toolset with one tool.
pub(crate) fn with_plugin(document: &mut CatalogDocument, key: &str, default_off: bool) {
    let name = format!("{key}_ask");
    document.toolsets.push(Toolset {
        configurable: true,
        default_off,
        in_static_table: false,
        static_tools: Vec::new(),
        ..row(key, ToolsetKind::Plugin, &[&name])
    });
    document.plugin_toolsets.push(key.into());
    document.tools.push(tool(&name, key, None));
}
