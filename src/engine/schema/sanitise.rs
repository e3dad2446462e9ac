//! What Hermes does to the parameters of every tool each time it builds the array, for providers that refuse parts of
//! JSON Schema.

mod property;

use super::node::{Map, Node, rewritten};
use super::union;
use crate::engine::rules::SchemaRules;
use property::Renames;

/// Taken off the outermost object.
const NOT_ON_TOP: [&str; 5] = ["allOf", "anyOf", "oneOf", "enum", "not"];
const TYPES: [&str; 7] = ["object", "string", "number", "integer", "boolean", "array", "null"];

/// The parameters as they are sent.
pub(super) fn sanitised<'a>(parameters: Map<'a>, rules: &SchemaRules) -> Map<'a> {
    let mut top = schema(parameters, rules);
    top.set("type", Node::text("object"));
    if !matches!(top.get("properties"), Some(Node::Map(_))) {
        top.set("properties", Node::Map(Map::default()));
    }
    if rules.required_always && !matches!(top.get("required"), Some(Node::List(_))) {
        top.set("required", Node::List(Vec::new()));
    }
    let Node::Map(mut top) = rewritten(Node::Map(top), &union::without_null) else { return Map::default() };
    for key in NOT_ON_TOP {
        top.take(key);
    }
    let Node::Map(top) = rewritten(Node::Map(top), &without_default_beside_reference) else { return Map::default() };
    top
}

fn without_default_beside_reference(mut map: Map<'_>) -> Map<'_> {
    if map.has("$ref") {
        map.take("default");
    }
    map
}

/// What stands where a schema belongs: an object is one, a text names a type or means any object.
fn position<'a>(node: Node<'a>, rules: &SchemaRules) -> Node<'a> {
    match node {
        Node::Text(text) => Node::Map(match TYPES.into_iter().find(|name| text == *name) {
            Some(name) if name != "object" => Map(vec![("type".into(), Node::text(name))]),
            _ => empty_object(rules),
        }),
        Node::List(items) => Node::List(items.into_iter().map(|item| position(item, rules)).collect()),
        Node::Map(map) => Node::Map(schema(map, rules)),
        Node::Word(_) => node,
    }
}

pub(super) fn empty_object<'a>(rules: &SchemaRules) -> Map<'a> {
    let mut object = Map(vec![("type".into(), Node::text("object")), ("properties".into(), Node::Map(Map::default()))]);
    if rules.required_always {
        object.set("required", Node::List(Vec::new()));
    }
    object
}

/// What the value of a keyword is.
enum Holds {
    /// A map from names to schemas.
    Named,
    /// 0.22's `dependencies`: by name a schema, or a list of names.
    NamedOrNames,
    /// A schema, or a list of them.
    Schema,
    /// Anything: it stays.
    Data,
}

/// By keyword and value, as 0.22 knows the keywords.
fn holds(key: &str, value: &Node<'_>) -> Holds {
    match (key, value) {
        ("properties" | "$defs" | "definitions" | "patternProperties" | "dependentSchemas", Node::Map(_)) => {
            Holds::Named
        }
        ("dependencies", Node::Map(_)) => Holds::NamedOrNames,
        (
            "items"
            | "additionalItems"
            | "additionalProperties"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "contains"
            | "propertyNames"
            | "not"
            | "if"
            | "then"
            | "else"
            | "anyOf"
            | "oneOf"
            | "allOf"
            | "prefixItems",
            _,
        ) => Holds::Schema,
        _ => Holds::Data,
    }
}

/// By keyword and value, as 0.19 does: whatever is a list or an object and is not known to be data.
fn holds_broadly(key: &str, value: &Node<'_>) -> Holds {
    match (key, value) {
        ("properties" | "$defs" | "definitions", Node::Map(_)) => Holds::Named,
        ("items" | "additionalProperties", _) => Holds::Schema,
        ("required" | "enum" | "examples", _) => Holds::Data,
        (_, Node::List(_) | Node::Map(_)) => Holds::Schema,
        _ => Holds::Data,
    }
}

fn schema<'a>(map: Map<'a>, rules: &SchemaRules) -> Map<'a> {
    let renames = if rules.properties_renamed { Renames::of(&map) } else { Renames::default() };
    let lifted = if rules.required_flags_lifted { flagged(&map, &renames) } else { Vec::new() };
    let mut out = Map(Vec::with_capacity(map.0.len() + 2));
    for (key, value) in map.0 {
        let held = if rules.literals_kept { holds(&key, &value) } else { holds_broadly(&key, &value) };
        let value = match (key.as_ref(), held, value) {
            ("type", _, Node::List(kinds)) => {
                one_type(&kinds, &mut out);
                continue;
            }
            // The object around it has read the flag.
            ("required", _, value) if rules.required_flags_lifted && value.is_bool() => continue,
            ("required", _, Node::List(names)) => {
                Node::List(names.into_iter().map(|name| renames.name(name)).collect())
            }
            ("properties", Holds::Named, Node::Map(named)) => {
                let named = named.0.into_iter().map(|(name, value)| (renames.key(name), position(value, rules)));
                Node::Map(Map(named.collect()))
            }
            (_, Holds::Named, Node::Map(named)) => Node::Map(named.map(|value| position(value, rules))),
            (_, Holds::NamedOrNames, Node::Map(named)) => Node::Map(named.map(|value| match value {
                Node::Map(map) => Node::Map(schema(map, rules)),
                names => names,
            })),
            (_, Holds::Schema, value) => position(value, rules),
            (_, _, value) => value,
        };
        match key.as_ref() {
            // A list of types may have put these before.
            "anyOf" => out.set("anyOf", value),
            "nullable" => out.set("nullable", value),
            _ => out.0.push((key, value)),
        }
    }
    if !lifted.is_empty() {
        let mut names = match out.get("required") {
            Some(Node::List(names)) => names.clone(),
            _ => Vec::new(),
        };
        let new: Vec<Node<'_>> = lifted.into_iter().filter(|name| !names.contains(name)).collect();
        names.extend(new);
        out.set("required", Node::List(names));
    }
    if out.get("type").is_some_and(|kind| kind.is_text("object")) {
        complete(&mut out, rules);
    }
    out
}

/// An object has properties and requires only what it has.
fn complete(object: &mut Map<'_>, rules: &SchemaRules) {
    if !matches!(object.get("properties"), Some(Node::Map(_))) {
        object.set("properties", Node::Map(Map::default()));
    }
    let known = match (object.get("properties"), object.get("required")) {
        (Some(Node::Map(properties)), Some(Node::List(names))) => Some(properties.known(names)),
        _ => None,
    };
    match known {
        Some(known) if rules.required_always || !known.is_empty() => object.set("required", Node::List(known)),
        Some(_) => drop(object.take("required")),
        None if rules.required_always => object.set("required", Node::List(Vec::new())),
        None => {}
    }
}

/// A list of types becomes one type, or a union of types where several are left beside null.
fn one_type<'a>(kinds: &[Node<'a>], out: &mut Map<'a>) {
    let null = kinds.iter().any(|kind| kind.is_text("null"));
    let others: Vec<&Node<'a>> =
        kinds.iter().filter(|kind| matches!(kind, Node::Text(_)) && !kind.is_text("null")).collect();
    match *others {
        [] => return out.set("type", Node::text(if null { "null" } else { "object" })),
        [only] => out.set("type", only.clone()),
        _ => {
            let union = others.into_iter().map(|kind| Node::Map(Map(vec![("type".into(), kind.clone())])));
            out.set("anyOf", Node::List(union.collect()));
        }
    }
    if null {
        out.set_absent("nullable", Node::Word("true"));
    }
}

/// The properties that carry `required: true` themselves, under the names they are sent by.
fn flagged<'a>(map: &Map<'a>, renames: &Renames<'a>) -> Vec<Node<'a>> {
    let Some(Node::Map(properties)) = map.get("properties") else { return Vec::new() };
    let has_flag = |value: &Node<'_>| matches!(value, Node::Map(map) if map.get("required").is_some_and(Node::is_true));
    let flagged = properties.0.iter().filter(|(_, value)| has_flag(value));
    flagged.map(|(key, _)| Node::Text(renames.key(key.clone()))).collect()
}
