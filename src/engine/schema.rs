//! From a tool as an MCP server tells it to the definition Hermes sends.
//!
//! Two things happen to a tool in Hermes. When it is registered, it gets its name, its description and a normalised
//! input schema ([`normalise`]); when an array is built, the parameters of every tool are sanitised ([`sanitise`]). Both
//! are done here for both versions, by [`SchemaRules`], and the result is the text Python's
//! `json.dumps(definition, ensure_ascii=False)` prints. That text is compared byte for byte with real installs.
//!
//! The tools for resources and prompts that Hermes adds by itself come from its cache ([`cache`]) with Hermes' own
//! words; nothing is made up where it has none.

pub mod cache;
mod name;
mod node;
mod normalise;
mod sanitise;
mod union;

use std::sync::Arc;

use foldhash::{HashMap, HashMapExt as _};

use super::catalog::Definition;
use super::ids::ToolName;
use super::pyjson;
use super::report::{Finding, Severity};
use super::rules::{Collision, SchemaRules};
use super::text::visible;
pub use name::registered_name;
use node::{Map, Node};

/// Levels of lists and objects in an input schema. Hermes' MCP library reads an answer of 200 levels, of which a list
/// of tools takes three around each schema; it refuses a deeper answer as a whole.
pub const MAX_DEPTH: usize = 197;

/// A tool as its server tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawTool {
    /// The server's own name.
    pub name: String,
    /// Empty where the server has none.
    pub description: String,
    /// JSON text as received. Anything but an object stands for an object without properties.
    pub input_schema: String,
}

/// A tool under the name it is sent by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    pub name: ToolName,
    /// The server's own name; `None` for the tools Hermes adds to a server.
    pub original_name: Option<Arc<str>>,
    pub definition: Definition,
}

/// What becomes of a server's tools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Registration {
    /// In the server's order; the array is sorted by name later.
    pub tools: Vec<Registered>,
    pub findings: Vec<Finding>,
}

/// The definitions of a server's tools. Give only those its filter admits: a tool that is filtered out takes no name.
/// A tool whose schema cannot be read is left out with a finding, and so is one that loses its name to another.
pub fn definitions(server: &str, tools: &[RawTool], rules: &SchemaRules) -> Registration {
    let mut found = Registration::default();
    for tool in tools {
        match definition(server, tool, rules) {
            Ok(tool) => found.tools.push(tool),
            Err(finding) => found.findings.push(finding),
        }
    }
    let lost = one_per_name(&mut found.tools, rules);
    found.findings.extend(lost.into_iter().map(|(name, originals)| collision(server, &name, &originals)));
    found
}

/// The definition of one tool.
///
/// # Errors
/// A finding where the schema is no JSON or too deep for Hermes' MCP library.
pub fn definition(server: &str, tool: &RawTool, rules: &SchemaRules) -> Result<Registered, Finding> {
    let unreadable = |why: &str| {
        let text = format!("The input schema of '{}' cannot be used ({why}): Hermes gets no tool of it.", tool.name);
        finding(Severity::Error, server, &text)
    };
    let spelled = pyjson::python_text(&tool.input_schema).map_err(|error| unreadable(&error.to_string()))?;
    let schema = Node::read(&spelled, MAX_DEPTH)
        .map_err(|node::TooDeep| unreadable(&format!("more than {MAX_DEPTH} levels deep")))?;
    let schema = match schema {
        Node::Map(map) => map,
        _ => Map::default(),
    };
    let parameters = sanitise::sanitised(normalise::normalised(schema, rules), rules);
    let name = registered_name(server, &tool.name, rules);
    let mut text = String::with_capacity(spelled.len() + tool.description.len() + 160);
    text.push_str("{\"type\": \"function\", \"function\": {\"name\": ");
    pyjson::push_text(&mut text, &name);
    text.push_str(", \"description\": ");
    pyjson::push_text(&mut text, &name::description(server, &tool.name, &tool.description, rules));
    text.push_str(", \"parameters\": ");
    Node::Map(parameters).print(&mut text);
    text.push_str("}}");
    let definition = Definition::from_python_text(&text).unwrap_or_else(|| Definition::from_json(&text));
    Ok(Registered { name: name.into(), original_name: Some(tool.name.as_str().into()), definition })
}

/// Leaves one tool for each name, or none, and tells which names were asked for by several of the server's own tools,
/// with their original names. The same tool told twice is no collision.
fn one_per_name(tools: &mut Vec<Registered>, rules: &SchemaRules) -> Vec<(ToolName, Vec<String>)> {
    let mut owners: HashMap<ToolName, Vec<usize>> = HashMap::with_capacity(tools.len());
    for (idx, tool) in tools.iter().enumerate() {
        owners.entry(tool.name.clone()).or_default().push(idx);
    }
    let mut lost = Vec::new();
    let mut keep = vec![true; tools.len()];
    for (name, owners) in owners.iter().filter(|(_, owners)| owners.len() > 1) {
        let original = |idx: &usize| tools[*idx].original_name.clone();
        let same = owners.iter().all(|idx| original(idx) == original(&owners[0]));
        let kept = match rules.collision {
            Collision::LaterWins => owners.last(),
            Collision::NoneOrFirst if same => owners.first(),
            Collision::NoneOrFirst => None,
        };
        for idx in owners {
            keep[*idx] = Some(idx) == kept;
        }
        if !same {
            let originals = owners.iter().filter_map(original).map(|name| name.to_string()).collect();
            lost.push((owners[0], name.clone(), originals));
        }
    }
    let mut kept = keep.into_iter();
    tools.retain(|_| kept.next().unwrap_or(true));
    lost.sort();
    lost.into_iter().map(|(_, name, originals)| (name, originals)).collect()
}

fn collision(server: &str, name: &ToolName, originals: &[String]) -> Finding {
    let quoted: Vec<String> = originals.iter().map(|name| format!("'{name}'")).collect();
    let text = format!("{} ask for the same name, '{name}', which only one can have.", quoted.join(" and "));
    finding(Severity::Warning, server, &text)
}

fn finding(severity: Severity, server: &str, text: &str) -> Finding {
    let place = visible(&format!("mcp_servers.{server}")).into_owned();
    Finding { severity, place, text: visible(text).into_owned() }
}

#[cfg(test)]
mod tests;
