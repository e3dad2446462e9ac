//! What Hermes does to an input schema when it registers a tool of a server: references into `$defs`, unions with
//! null taken apart, objects made whole.

use std::borrow::Cow;

use super::node::{Map, Node, rewritten};
use super::union;
use crate::engine::rules::SchemaRules;

/// Maps of named schemas, which are no schemas themselves. Looked at by 0.22 only.
const SCHEMA_MAPS: [&str; 5] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/// The schema as it is registered. An empty one is an object without properties.
pub(super) fn normalised<'a>(schema: Map<'a>, rules: &SchemaRules) -> Map<'a> {
    if schema.0.is_empty() {
        return Map(vec![("type".into(), Node::text("object")), ("properties".into(), Node::Map(Map::default()))]);
    }
    let mut node = rewritten(with_local_definitions(Node::Map(schema)), &union::without_null);
    if rules.const_unions_folded {
        node = rewritten(node, &union::as_enum);
    }
    match repaired(node, rules, true) {
        Node::Map(map) => map,
        // An object stays an object through every step above.
        _ => Map::default(),
    }
}

/// `definitions` becomes `$defs`, and references into it follow. A property of that name keeps it.
fn with_local_definitions(node: Node<'_>) -> Node<'_> {
    let map = match node {
        Node::List(items) => return Node::List(items.into_iter().map(with_local_definitions).collect()),
        Node::Map(map) => map,
        other => return other,
    };
    let mut out = Map(Vec::with_capacity(map.0.len()));
    for (key, value) in map.0 {
        match (key.as_ref(), value) {
            ("properties" | "patternProperties", Node::Map(named)) => {
                out.0.push((key, Node::Map(named.map(with_local_definitions))));
            }
            // Both keywords may be there: the later one wins, in the place of the first.
            ("definitions" | "$defs", value) => out.set("$defs", with_local_definitions(value)),
            (_, value) => out.0.push((key, with_local_definitions(value))),
        }
    }
    if let Some(Node::Text(reference)) = out.get("$ref")
        && let Some(name) = reference.strip_prefix("#/definitions/")
    {
        let moved = Cow::Owned(format!("#/$defs/{name}"));
        out.set("$ref", Node::Text(moved));
    }
    Node::Map(out)
}

/// Objects get a type and properties, and require only what they have.
fn repaired<'a>(node: Node<'a>, rules: &SchemaRules, root: bool) -> Node<'a> {
    let map = match node {
        Node::List(items) => {
            return Node::List(items.into_iter().map(|item| repaired(item, rules, false)).collect());
        }
        Node::Map(map) => map,
        other => return other,
    };
    let members = map.0.into_iter().map(|(key, value)| match value {
        Node::Map(named) if rules.fragments_kept && SCHEMA_MAPS.contains(&key.as_ref()) => {
            (key, Node::Map(named.map(|schema| repaired(schema, rules, false))))
        }
        value => (key, repaired(value, rules, false)),
    });
    let mut map = Map(members.collect());
    if rules.fragments_kept && !root && !map.has("properties") && !map.has("type") {
        return Node::Map(map);
    }
    if !map.get("type").is_some_and(Node::is_truthy) && (map.has("properties") || map.has("required")) {
        map.set("type", Node::text("object"));
    }
    if map.get("type").is_some_and(|kind| kind.is_text("object")) {
        if !matches!(map.get("properties"), Some(Node::Map(_))) {
            map.set("properties", Node::Map(Map::default()));
        }
        let known = match (map.get("properties"), map.get("required")) {
            (Some(Node::Map(properties)), Some(Node::List(names))) => Some((properties.known(names), names.len())),
            _ => None,
        };
        match known {
            Some((known, _)) if rules.required_always => map.set("required", Node::List(known)),
            None if rules.required_always => map.set("required", Node::List(Vec::new())),
            Some((known, named)) if known.len() != named => {
                if known.is_empty() {
                    map.take("required");
                } else {
                    map.set("required", Node::List(known));
                }
            }
            _ => {}
        }
    }
    Node::Map(map)
}
