//! Shapes of a JSON schema that somebody refuses.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Map, Value};

use super::{Rule, Seen};
use crate::engine::report::Severity;
use crate::engine::text::clip;

/// Values from which on a list of choices is weight worth a word.
const MANY_CHOICES: usize = 100;
/// Places that hold one schema.
const SCHEMAS: [&str; 9] =
    ["items", "contains", "propertyNames", "not", "if", "then", "else", "additionalItems", "unevaluatedItems"];
/// Places that hold a list of schemas.
const LISTS: [&str; 4] = ["anyOf", "oneOf", "allOf", "prefixItems"];
/// Places that hold schemas by name.
const MAPS: [&str; 5] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
const UNIONS: [&str; 5] = ["anyOf", "oneOf", "allOf", "enum", "not"];
const TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "object", "array", "null"];
/// References followed when looking for a circle. A schema with more is not looked at: the search is quadratic.
const MAX_REFS: usize = 500;

/// Looks at a schema; `place` is the JSON pointer to it. At most 128 levels deep, as it was read.
pub(super) fn look(schema: &Value, place: &str, seen: &mut Vec<Seen>) {
    let mut walk = Walk { root: schema, root_place: place, refs: Vec::new(), seen };
    walk.top(schema);
    walk.node(schema, place);
    walk.circles();
}

struct Walk<'a, 's> {
    root: &'a Value,
    root_place: &'a str,
    /// Each reference: where it stands, and the pointer it names, both from the root.
    refs: Vec<(String, String)>,
    seen: &'s mut Vec<Seen>,
}

impl Walk<'_, '_> {
    fn add(&mut self, rule: Rule, place: &str, text: impl Into<String>) {
        self.seen.push(Seen { rule, place: place.to_owned(), text: text.into(), severity: Severity::Note });
    }

    fn top(&mut self, schema: &Value) {
        let place = self.root_place;
        let Some(map) = schema.as_object() else { return };
        if map.get("type").and_then(Value::as_str) != Some("object") {
            self.add(
                Rule::TopLevelType,
                place,
                "The arguments of a tool are an object, and the schema does not say so.",
            );
        }
        for union in UNIONS.iter().filter(|union| map.contains_key(**union)) {
            self.add(Rule::TopLevelUnion, place, format!("'{union}' stands at the top of the schema."));
        }
    }

    fn node(&mut self, schema: &Value, place: &str) {
        let map = match schema {
            Value::Object(map) => map,
            Value::Bool(any) => {
                let means = if *any { "anything" } else { "nothing" };
                return self.add(
                    Rule::BooleanSchema,
                    place,
                    format!("`{any}` stands for a schema that takes {means}."),
                );
            }
            other => {
                return self.add(Rule::NoSchema, place, format!("{} stands where a schema belongs.", kind(other)));
            }
        };
        self.reference(map, place);
        self.kind_of_value(map, place);
        self.object(map, place);
        self.choices(map, place);
        for key in SCHEMAS {
            match map.get(key) {
                None => {}
                // These two are switches as often as schemas.
                Some(Value::Bool(_)) if key.ends_with("Items") => {}
                Some(Value::Array(list)) if key == "items" => self.list(list, &format!("{place}/{key}")),
                Some(schema) => self.node(schema, &format!("{place}/{key}")),
            }
        }
        for key in LISTS {
            match map.get(key) {
                None => {}
                Some(Value::Array(list)) => self.list(list, &format!("{place}/{key}")),
                Some(other) => {
                    let text = format!("'{key}' is {} where a list of schemas belongs.", kind(other));
                    self.add(Rule::NoSchema, place, text);
                }
            }
        }
        for key in MAPS {
            match map.get(key) {
                None => {}
                Some(Value::Object(members)) => {
                    for (name, schema) in members {
                        self.node(schema, &format!("{place}/{key}/{}", escaped(name)));
                    }
                }
                Some(other) => {
                    let text = format!("'{key}' is {} where schemas by name belong.", kind(other));
                    self.add(Rule::NoSchema, place, text);
                }
            }
        }
    }

    fn list(&mut self, list: &[Value], place: &str) {
        for (number, schema) in list.iter().enumerate() {
            self.node(schema, &format!("{place}/{number}"));
        }
    }

    fn reference(&mut self, map: &Map<String, Value>, place: &str) {
        let target = match map.get("$ref") {
            None => return,
            Some(Value::String(target)) => target.as_str(),
            Some(other) => {
                return self.add(Rule::DanglingRef, place, format!("'$ref' is {} where a text belongs.", kind(other)));
            }
        };
        let shown = clip(target, 80);
        let Some(pointer) = target.strip_prefix('#') else {
            let text = format!("'$ref' points outside the tool, to '{shown}', and nobody fetches that.");
            return self.add(Rule::OutsideRef, place, text);
        };
        // The name of an anchor: whether there is one is the reader's affair.
        if !pointer.is_empty() && !pointer.starts_with('/') {
            return;
        }
        if self.root.pointer(pointer).is_none() {
            return self.add(Rule::DanglingRef, place, format!("'$ref' points to '{shown}', which does not exist."));
        }
        let from = place.strip_prefix(self.root_place).unwrap_or(place);
        self.refs.push((from.to_owned(), pointer.to_owned()));
    }

    fn kind_of_value(&mut self, map: &Map<String, Value>, place: &str) {
        let says = |key: &&str| map.contains_key(*key);
        match map.get("type") {
            None => {
                let otherwise =
                    ["$ref", "anyOf", "oneOf", "allOf", "not", "enum", "const", "if", "properties", "items"];
                if !otherwise.iter().any(says) {
                    self.add(Rule::MissingType, place, "No type is said, so that any value is taken.");
                }
            }
            Some(Value::String(name)) if TYPES.contains(&name.as_str()) => {}
            Some(Value::Array(names)) if !names.is_empty() => {
                let known = |name: &Value| name.as_str().is_some_and(|name| TYPES.contains(&name));
                if !names.iter().all(known) {
                    self.add(Rule::UnknownType, place, "Its list of types holds one that JSON schema does not know.");
                }
            }
            Some(Value::String(name)) => {
                let text = format!("The type '{}' is none that JSON schema knows.", clip(name, 40));
                self.add(Rule::UnknownType, place, text);
            }
            Some(other) => self.add(Rule::UnknownType, place, format!("Its type is {}.", kind(other))),
        }
        if map.get("type").and_then(Value::as_str) == Some("array") && !says(&"items") && !says(&"prefixItems") {
            self.add(Rule::ArrayWithoutItems, place, "A list that does not say what is in it ('items').");
        }
    }

    fn object(&mut self, map: &Map<String, Value>, place: &str) {
        let properties = map.get("properties").and_then(Value::as_object);
        for name in properties.into_iter().flat_map(Map::keys).filter(|name| !is_plain_name(name)) {
            let text = format!(
                "The parameter name '{}' has more than 64 characters, or others than letters, digits, '_', '.' and '-'.",
                clip(name, 80)
            );
            self.add(Rule::PropertyName, place, text);
        }
        match map.get("additionalProperties") {
            None | Some(Value::Bool(_)) => {}
            // An empty one means what `true` means.
            Some(Value::Object(schema)) if schema.is_empty() => {}
            Some(schema @ Value::Object(_)) => self.node(schema, &format!("{place}/additionalProperties")),
            Some(other) => {
                let text = format!("'additionalProperties' is {}; it is a schema, true or false.", kind(other));
                self.add(Rule::AdditionalProperties, place, text);
            }
        }
        match map.get("required") {
            None => {}
            Some(Value::Array(names)) => {
                let unknown = |name: &&Value| {
                    !name.as_str().is_some_and(|name| properties.is_some_and(|known| known.contains_key(name)))
                };
                // In a part of a union the names are those of the whole.
                if let Some(name) = names.iter().find(unknown).filter(|_| properties.is_some()) {
                    let name =
                        name.as_str().map_or_else(|| kind(name).to_owned(), |name| format!("'{}'", clip(name, 60)));
                    self.add(Rule::Required, place, format!("'required' names {name}, which is no parameter."));
                }
            }
            Some(other) => {
                self.add(
                    Rule::NoSchema,
                    place,
                    format!("'required' is {} where a list of names belongs.", kind(other)),
                );
            }
        }
    }

    fn choices(&mut self, map: &Map<String, Value>, place: &str) {
        let values = match map.get("enum") {
            None => return,
            Some(Value::Array(values)) => values,
            Some(other) => {
                return self.add(Rule::NoSchema, place, format!("'enum' is {} where a list belongs.", kind(other)));
            }
        };
        if values.is_empty() {
            self.add(Rule::EnumKind, place, "'enum' is empty, so that no value is taken.");
        } else if let Some(odd) = values.iter().find(|value| value.as_str().is_none_or(str::is_empty)) {
            let odd = if odd.is_string() { "an empty text" } else { kind(odd) };
            self.add(Rule::EnumKind, place, format!("'enum' holds {odd}."));
        }
        if values.len() >= MANY_CHOICES {
            let bytes = serde_json::to_string(values).map_or(0, |text| text.len());
            let text = format!("'enum' holds {} values in {bytes} bytes, sent with every call.", values.len());
            self.add(Rule::GiantEnum, place, text);
        }
    }

    /// References that lead back to where they stand.
    fn circles(&mut self) {
        if self.refs.len() > MAX_REFS {
            return;
        }
        let inside = |place: &str, target: &str| {
            place.strip_prefix(target).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (_, target) in &self.refs {
            next.entry(target).or_insert_with(|| {
                self.refs.iter().filter(|(place, _)| inside(place, target)).map(|(_, to)| to.as_str()).collect()
            });
        }
        let leads_back = |target: &str| {
            let mut known = HashSet::new();
            let mut open: Vec<&str> = next.get(target).cloned().unwrap_or_default();
            while let Some(at) = open.pop() {
                if at == target {
                    return true;
                }
                if known.insert(at) {
                    open.extend(next.get(at).into_iter().flatten());
                }
            }
            false
        };
        let circular: Vec<&str> = next.keys().copied().filter(|target| leads_back(target)).collect();
        if let Some(first) = circular.first() {
            let text = match circular.len() {
                1 => format!("'#{first}' refers to itself."),
                more => format!("'#{first}' and {} others refer to themselves or each other.", more - 1),
            };
            let place = format!("{}{first}", self.root_place);
            self.add(Rule::RecursiveRef, &place, text);
        }
    }
}

/// What Anthropic's API takes as the name of a parameter.
fn is_plain_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    (1..=64).contains(&name.len()) && name.bytes().all(plain)
}

/// A name as a part of a JSON pointer.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    }
}
