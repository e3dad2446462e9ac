//! The embedded sample: a catalog in our own words and a small home, for newcomers and for tests.
//!
//! `tests/oracle/sample_catalog.py` writes the catalog: the toolsets, tools and platforms of Hermes 0.22 by their real
//! names, on a machine without keys or a browser, with three MCP servers of which one was never asked.
//! [`synthetic`] makes catalogs of any size for measuring.

use crate::engine::catalog::{
    CatalogDocument, Definition, FORMAT, HermesInfo, ListSource, ServerList, Surface, Tool, Toolset, ToolsetKind,
};
use crate::engine::ids::ServerName;

const CATALOG: &str = include_str!("sample/catalog.json");
const CONFIG: &str = include_str!("sample/config.yaml");

/// The sample catalog, as seen from the interactive command line.
#[expect(clippy::expect_used, reason = "the text is embedded, and a test reads it")]
pub fn catalog() -> CatalogDocument {
    serde_json::from_str(CATALOG).expect("the embedded sample is a catalog document")
}

/// The sample's `config.yaml`.
pub fn config_text() -> &'static str {
    CONFIG
}

/// Tools a server of a synthetic catalog has.
const TOOLS_A_SERVER: usize = 50;

/// The sample's platforms, toolsets and rules with this many MCP tools instead of its own, fifty to a server
/// (`server-000` and up), about 900 bytes each. The same every time.
pub fn synthetic(tools: usize) -> CatalogDocument {
    let sample = catalog();
    let mut document = CatalogDocument {
        format: FORMAT.into(),
        hermes: HermesInfo { home: "~/.hermes-synthetic".into(), ..sample.hermes.clone() },
        surface: Surface::Cli,
        server_lists: Vec::new(),
        ..sample
    };
    document.tools.retain(|tool| tool.server.is_none());
    document.toolsets.retain(|toolset| toolset.kind != ToolsetKind::Mcp);
    for first in (0..tools).step_by(TOOLS_A_SERVER) {
        let server = format!("server-{:03}", first / TOOLS_A_SERVER);
        let made: Vec<Tool> =
            (first..tools.min(first + TOOLS_A_SERVER)).map(|number| synthetic_tool(&server, number)).collect();
        document.toolsets.push(Toolset {
            key: format!("mcp-{server}").into(),
            label: server.clone(),
            description: String::new(),
            kind: ToolsetKind::Mcp,
            configurable: false,
            config_only: false,
            default_off: false,
            restricted_to: None,
            has_includes: false,
            posture: false,
            session_platforms: None,
            in_static_table: false,
            static_tools: Vec::new(),
            tools: made.iter().map(|tool| tool.name.clone()).collect(),
            denied_tools: made.iter().map(|tool| tool.name.clone()).collect(),
        });
        document.server_lists.push(ServerList {
            server: ServerName::from(server),
            source: ListSource::SchemaCache,
            written_at: Some(document.taken_at),
            stale: false,
            refused: None,
            took_ms: None,
            names: made.iter().filter_map(|tool| tool.original_name.as_deref().map(str::to_owned)).collect(),
        });
        document.tools.extend(made);
    }
    document
}

/// A config that has every server of [`synthetic`].
pub fn synthetic_config(tools: usize) -> String {
    let mut text = String::from("platform_toolsets:\n  cli: [web, file, terminal, memory]\nmcp_servers:\n");
    for server in 0..tools.div_ceil(TOOLS_A_SERVER) {
        text.push_str(&format!("  server-{server:03}:\n    command: server\n    args: [\"{server}\"]\n"));
    }
    text
}

fn synthetic_tool(server: &str, number: usize) -> Tool {
    const VERBS: [&str; 8] = ["list", "get", "create", "update", "delete", "search", "export", "watch"];
    const THINGS: [&str; 9] =
        ["invoice", "ticket", "customer", "deployment", "alert", "document", "calendar_entry", "payment", "device"];
    let (verb, thing) = (VERBS[number % VERBS.len()], THINGS[number / VERBS.len() % THINGS.len()]);
    let original = format!("{verb}_{thing}_{number}");
    // Server names here hold only letters, digits and hyphens; Hermes turns the hyphens into underscores.
    let name = format!("mcp__{}__{original}", server.replace('-', "_"));
    let fields: Vec<String> = (0..4 + number % 5)
        .map(|field| {
            let about = format!("Field {field} of the {thing}: what {verb} needs to know about it, in plain words.");
            format!(r#""field_{field}": {{"type": "string", "description": "{about}"}}"#)
        })
        .collect();
    let definition = format!(
        r#"{{"type": "function", "function": {{"name": "{name}", "description": "Tool number {number} of {server}: {verb} one {thing} or several.", "parameters": {{"type": "object", "properties": {{{}}}, "required": ["field_0"]}}}}}}"#,
        fields.join(", ")
    );
    Tool {
        name: name.into(),
        toolset: format!("mcp-{server}").into(),
        server: Some(server.into()),
        original_name: Some(original.into()),
        definition: Definition::from_json(&definition),
        available: true,
        unavailable_because: None,
    }
}

#[cfg(test)]
mod tests {
    use super::{catalog, config_text, synthetic, synthetic_config};
    use crate::engine::catalog::{Catalog, FORMAT};
    use crate::engine::selection::select;
    use crate::engine::value::Value;
    use crate::engine::yaml::Document;

    fn config(catalog: &Catalog, text: &str) -> Value {
        Document::parse(text, catalog.rules().dialect).unwrap().value().clone()
    }

    #[test]
    fn the_sample_is_a_whole_catalog() {
        let document = catalog();
        assert_eq!(document.format, FORMAT);
        let catalog = Catalog::new(document);
        assert_eq!(catalog.configurable().count(), 27);
        assert_eq!(catalog.tools_of_server("github").count(), 26);
        assert_eq!(catalog.tools_of_server("filesystem").count(), 14);
        assert_eq!(catalog.server_list("notes"), None);
        for toolset in &catalog.document().toolsets {
            for name in toolset.tools.iter().chain(&toolset.denied_tools) {
                assert!(catalog.tool(name.as_str()).is_some(), "{name} of {} is defined", toolset.key);
            }
        }
        for name in &catalog.document().core_tools {
            assert!(catalog.tool(name.as_str()).is_some(), "core tool {name}");
        }
        let tools = &catalog.document().tools;
        assert!(tools.iter().all(|tool| tool.available == tool.unavailable_because.is_none()));
        assert!(tools.iter().all(|tool| tool.definition.text().contains(&format!("\"name\": \"{}\"", tool.name))));
    }

    #[test]
    fn the_sample_home_shows_every_kind_of_state() {
        let catalog = Catalog::new(catalog());
        let config = config(&catalog, config_text());
        let cli = select(&config, &catalog, &"cli".into());
        assert!(cli.is_on("web") && cli.is_on("notes") && !cli.is_on("kanban"));
        assert!(!cli.is_on("image_gen"), "denied by agent.disabled_toolsets");
        let telegram = select(&config, &catalog, &"telegram".into());
        assert!(telegram.is_on("github") && !telegram.is_on("filesystem"));
        assert!(!select(&config, &catalog, &"webhook".into()).is_on("github"), "no_mcp");
    }

    #[test]
    fn synthetic_catalogs_have_the_size_asked_for_and_repeat() {
        let document = synthetic(120);
        assert_eq!(document.tools.iter().filter(|tool| tool.server.is_some()).count(), 120);
        assert_eq!(document.server_lists.len(), 3);
        assert_eq!(document, synthetic(120));
        let catalog = Catalog::new(document);
        let config = config(&catalog, &synthetic_config(120));
        assert!(select(&config, &catalog, &"cli".into()).is_on("server-002"));
        let bytes: u64 = catalog.tools_of_server("server-001").map(|tool| tool.definition.text().len() as u64).sum();
        assert!((600..1200).contains(&(bytes / 50)), "{bytes} bytes for 50 tools");
    }
}
