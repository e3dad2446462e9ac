//! Hermes' `cache/mcp_schema_cache.json` (0.22): what each server told when it was last registered.
//!
//! Only tools that passed the filter of that moment are in it. Schemas are kept as the server sent them; the tools Hermes
//! adds for resources and prompts are kept as registered, in Hermes' own words.

use super::node::{Map, Node, unescaped};
use super::{Definition, RawTool, Registered, Registration, finding, sanitise};
use crate::engine::pyjson::{self, JsonError};
use crate::engine::report::Severity;
use crate::engine::rules::SchemaRules;

/// Levels the file has around an input schema: itself, the server, its list, the tool.
const AROUND: usize = 4;

/// The tools Hermes adds to a server.
const ADDED: [&str; 4] = ["list_resources", "read_resource", "list_prompts", "get_prompt"];

/// One server's entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The `mcp_servers` key.
    pub server: String,
    /// Of the settings it was written under; 16 hexadecimal digits.
    pub fingerprint: Option<String>,
    /// Seconds since the epoch, where the server gave a time to live.
    pub written_at: Option<f64>,
    /// Milliseconds the server's answer holds.
    pub ttl_ms: Option<f64>,
    pub tools: Vec<RawTool>,
    /// A row that makes Hermes drop the whole entry.
    unusable: bool,
    /// JSON texts of the added tools' functions.
    added: Vec<String>,
}

/// Reads the file's text. Entries and rows that Hermes skips are skipped.
///
/// # Errors
/// Where the text is no JSON. Hermes then counts the file as empty.
pub fn entries(text: &str) -> Result<Vec<Entry>, JsonError> {
    let spelled = pyjson::python_text(text.trim_start_matches('\u{feff}'))?;
    let root = Node::read(&spelled, super::MAX_DEPTH + AROUND)
        .map_err(|super::node::TooDeep| JsonError { at: 0, message: "nested too deeply" })?;
    let Node::Map(servers) = root else { return Ok(Vec::new()) };
    let entries = servers.0.iter().filter_map(|(server, entry)| match entry {
        Node::Map(entry) => Some(read(server, entry)),
        _ => None,
    });
    Ok(entries.collect())
}

impl Entry {
    /// The definitions of the entry's tools and of those Hermes added. As [`super::definitions`], and an added tool
    /// gives way to a server's own of the same name.
    pub fn definitions(&self, rules: &SchemaRules) -> Registration {
        if self.unusable {
            let text = "A description in Hermes' cache is no text: Hermes takes no tool from this entry.";
            let findings = vec![finding(Severity::Error, &self.server, text)];
            return Registration { tools: Vec::new(), findings };
        }
        let mut found = super::definitions(&self.server, &self.tools, rules);
        for added in self.added.iter().filter_map(|function| added_tool(function, rules)) {
            if found.tools.iter().all(|tool| tool.name != added.name) {
                found.tools.push(added);
            }
        }
        found
    }
}

fn read(server: &str, entry: &Map<'_>) -> Entry {
    let rows = |key: &str| match entry.get(key) {
        Some(Node::List(rows)) => rows.as_slice(),
        _ => &[],
    };
    let maps = |key| {
        rows(key).iter().filter_map(|row| match row {
            Node::Map(map) => Some(map),
            _ => None,
        })
    };
    let number = |key| match entry.get(key) {
        Some(Node::Word(word)) => word.parse::<f64>().ok().filter(|number| number.is_finite()),
        _ => None,
    };
    let odd =
        |tool: &Map<'_>| tool.get("description").is_some_and(|told| told.is_truthy() && !matches!(told, Node::Text(_)));
    Entry {
        server: unescaped(server).into_owned(),
        fingerprint: text(entry.get("fingerprint")),
        written_at: number("written_at"),
        ttl_ms: number("ttl_ms"),
        tools: maps("tools").filter_map(raw_tool).collect(),
        unusable: maps("tools").any(odd),
        added: maps("utility_tools").filter_map(added_function).collect(),
    }
}

fn text(node: Option<&Node<'_>>) -> Option<String> {
    match node {
        Some(Node::Text(text)) if !text.is_empty() => Some(unescaped(text).into_owned()),
        _ => None,
    }
}

fn raw_tool(row: &Map<'_>) -> Option<RawTool> {
    let name = text(row.get("name"))?;
    let mut input_schema = String::new();
    match row.get("inputSchema") {
        Some(schema @ Node::Map(_)) => schema.print(&mut input_schema),
        _ => input_schema.push_str("{}"),
    }
    Some(RawTool { name, description: text(row.get("description")).unwrap_or_default(), input_schema })
}

fn added_function(row: &Map<'_>) -> Option<String> {
    let known = ADDED.iter().any(|key| row.get("handler_key").is_some_and(|named| named.is_text(key)));
    let Some(schema @ Node::Map(map)) = row.get("schema").filter(|_| known) else { return None };
    text(map.get("name"))?;
    let mut out = String::new();
    schema.print(&mut out);
    Some(out)
}

/// It is registered as it is; only the array's sanitising is left to do.
fn added_tool(function: &str, rules: &SchemaRules) -> Option<Registered> {
    let Ok(Node::Map(mut function)) = Node::read(function, super::MAX_DEPTH + AROUND) else { return None };
    let name = text(function.get("name"))?;
    let parameters = match function.get("parameters") {
        Some(Node::Map(parameters)) => sanitise::sanitised(parameters.clone(), rules),
        _ => sanitise::empty_object(rules),
    };
    function.set("parameters", Node::Map(parameters));
    let mut text = String::from("{\"type\": \"function\", \"function\": ");
    Node::Map(function).print(&mut text);
    text.push('}');
    Some(Registered { name: name.into(), original_name: None, definition: Definition::from_json(&text) })
}
