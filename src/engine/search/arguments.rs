//! Arguments as the host repairs them before it looks at the schema (0.22): numbers, truth values, lists and objects that
//! came as text, and single values where a list belongs.

use std::borrow::Cow;

use serde_json::{Map, Value as Json};

use super::loads::loads;
use super::python::is_truthy;
use crate::engine::pytext;

/// The schema is of a shape on which the host's repair stops, leaving the arguments as they were.
struct Odd;

/// How deep unions may refer to one another.
const MAX_DEPTH: usize = 64;

/// The arguments, repaired where that is unambiguous.
pub(super) fn repaired(parameters: &Json, arguments: &Map<String, Json>) -> Map<String, Json> {
    let mut repaired = arguments.clone();
    match repair(parameters, &mut repaired) {
        Ok(()) => repaired,
        Err(Odd) => arguments.clone(),
    }
}

fn repair(parameters: &Json, arguments: &mut Map<String, Json>) -> Result<(), Odd> {
    let properties = match parameters.get("properties") {
        Some(Json::Object(properties)) => properties,
        Some(other) if is_truthy(other) => return Err(Odd),
        _ => return Ok(()),
    };
    for (key, value) in arguments.iter_mut() {
        let Some(schema) = properties.get(key).filter(|schema| is_truthy(schema)) else { continue };
        let schema = local(schema, parameters);
        if !schema.is_object() {
            return Err(Odd);
        }
        let expected = schema.get("type");
        let is_array = expected.is_some_and(|kind| kind == "array");
        if is_array && !value.is_null() && !value.is_array() {
            let parsed = match &*value {
                Json::String(text) => coerced(text, expected, &schema)?,
                _ => None,
            };
            *value = parsed.unwrap_or_else(|| Json::Array(vec![value.clone()]));
            continue;
        }
        let Json::String(text) = &*value else {
            let is_object = expected.is_some_and(|kind| kind == "object");
            if (is_array && value.is_array()) || (is_object && value.is_object()) {
                *value = unpacked(value, &schema, parameters);
            }
            continue;
        };
        if !expected.is_some_and(is_truthy) && !allows_null(&schema) {
            continue;
        }
        if let Some(coerced) = coerced(text, expected, &schema)? {
            let is_container = coerced.is_array() || coerced.is_object();
            *value = if is_container { unpacked(&coerced, &schema, parameters) } else { coerced };
        }
    }
    Ok(())
}

/// A text as the type that is expected; None where it stays text.
fn coerced(text: &str, expected: Option<&Json>, schema: &Json) -> Result<Option<Json>, Odd> {
    let trimmed = pytext::strip(text).to_lowercase();
    if allows_null(schema) && trimmed == "null" {
        return Ok(Some(Json::Null));
    }
    let kind = match expected {
        Some(Json::Array(kinds)) => {
            for kind in kinds {
                if let Some(value) = coerced(text, Some(kind), schema)? {
                    return Ok(Some(value));
                }
            }
            return Ok(None);
        }
        Some(Json::String(kind)) => kind.as_str(),
        Some(Json::Object(_)) => return Err(Odd),
        _ => return Ok(None),
    };
    Ok(match kind {
        "integer" => number(text, true),
        "number" => number(text, false),
        "boolean" => match trimmed.as_str() {
            "true" => Some(Json::Bool(true)),
            "false" => Some(Json::Bool(false)),
            _ => None,
        },
        "array" => loads(text).ok().filter(Json::is_array),
        "object" => loads(text).ok().filter(Json::is_object),
        "null" if trimmed == "null" => Some(Json::Null),
        _ => None,
    })
}

/// A number a text spells; None for what is no number, or not whole where only whole ones count.
fn number(text: &str, whole_only: bool) -> Option<Json> {
    /// Whole numbers below it are exact.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let float = pytext::float(text).filter(|float| float.is_finite())?;
    if float.fract() == 0.0 {
        return if float.abs() <= EXACT { Some((float as i64).into()) } else { Some(float.into()) };
    }
    (!whole_only).then(|| float.into())
}

fn allows_null(schema: &Json) -> bool {
    let is_null = |schema: &Json| schema.get("type").is_some_and(|kind| kind == "null");
    is_null(schema)
        || schema.get("type").and_then(Json::as_array).is_some_and(|kinds| kinds.iter().any(|kind| kind == "null"))
        || schema.get("nullable") == Some(&Json::Bool(true))
        || ["anyOf", "oneOf"]
            .iter()
            .any(|union| schema.get(union).and_then(Json::as_array).is_some_and(|ways| ways.iter().any(is_null)))
}

/// The value with lists and objects that came as text inside it, where the schema expects such.
fn unpacked(value: &Json, schema: &Json, root: &Json) -> Json {
    if !schema.is_object() {
        return value.clone();
    }
    let schema = local(schema, root);
    let parsed = match value {
        Json::String(text) => {
            let text = pytext::strip(text);
            let list = text.starts_with('[') && accepts(&schema, "array", root, 0);
            let object = text.starts_with('{') && accepts(&schema, "object", root, 0);
            match loads(text) {
                Ok(parsed) if (list && parsed.is_array()) || (object && parsed.is_object()) => parsed,
                _ => return value.clone(),
            }
        }
        other => other.clone(),
    };
    match parsed {
        Json::Array(items) => match schema.get("items") {
            Some(of_items) if of_items.is_object() => {
                Json::Array(items.iter().map(|item| unpacked(item, of_items, root)).collect())
            }
            _ => Json::Array(items),
        },
        Json::Object(mut members) => {
            if let Some(properties) = schema.get("properties").and_then(Json::as_object) {
                for (key, of_member) in properties.iter().filter(|(_, schema)| schema.is_object()) {
                    if let Some(member) = members.get_mut(key) {
                        *member = unpacked(member, of_member, root);
                    }
                }
            }
            Json::Object(members)
        }
        other => other,
    }
}

/// Whether a schema permits a type, by itself or in one of its alternatives.
fn accepts(schema: &Json, kind: &str, root: &Json, depth: usize) -> bool {
    if !schema.is_object() || depth > MAX_DEPTH {
        return false;
    }
    let schema = local(schema, root);
    let named = match schema.get("type") {
        Some(Json::String(only)) => only == kind,
        Some(Json::Array(kinds)) => kinds.iter().any(|each| each == kind),
        _ => false,
    };
    named
        || ["anyOf", "oneOf", "allOf"].iter().any(|union| {
            let ways = schema.get(union).and_then(Json::as_array);
            ways.is_some_and(|ways| ways.iter().any(|way| accepts(way, kind, root, depth + 1)))
        })
}

/// What a `$ref` within the document stands for, with what stands beside it; the schema itself where there is none, or
/// one that leads nowhere.
fn local<'s>(schema: &'s Json, root: &'s Json) -> Cow<'s, Json> {
    let mut seen: Vec<&str> = Vec::new();
    let mut chain: Vec<&'s Json> = vec![schema];
    let mut at = schema;
    while let Some(reference) = at.get("$ref").and_then(Json::as_str).filter(|reference| !seen.contains(reference)) {
        seen.push(reference);
        match target(reference, root).filter(|target| target.is_object()) {
            Some(target) => {
                chain.push(target);
                at = target;
            }
            None => break,
        }
    }
    let [only] = chain.as_slice() else {
        // The last one counts most; what stands beside a reference fills in what it lacks.
        let mut combined = chain.pop().and_then(Json::as_object).cloned().unwrap_or_default();
        for schema in chain.into_iter().rev() {
            for (key, value) in schema.as_object().into_iter().flatten().filter(|(key, _)| *key != "$ref") {
                if !combined.contains_key(key) {
                    combined.insert(key.clone(), value.clone());
                }
            }
        }
        return Cow::Owned(Json::Object(combined));
    };
    Cow::Borrowed(only)
}

/// What `#/…` points to.
pub(super) fn target<'s>(reference: &str, root: &'s Json) -> Option<&'s Json> {
    let pointer = percent_decoded(reference.strip_prefix('#')?)?;
    root.pointer(&pointer)
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let code = match (first, after) {
            (b'%', [high, low, ..]) => {
                let digit = |byte: &u8| char::from(*byte).to_digit(16);
                digit(high).zip(digit(low)).and_then(|(high, low)| u8::try_from(high * 16 + low).ok())
            }
            _ => None,
        };
        match code {
            Some(code) => {
                bytes.push(code);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::repaired;

    fn repair(parameters: Json, arguments: Json) -> Json {
        Json::Object(repaired(&parameters, arguments.as_object().unwrap()))
    }

    #[test]
    fn text_becomes_what_the_schema_names() {
        let parameters = json!({"properties": {
            "count": {"type": "integer"}, "ratio": {"type": "number"}, "on": {"type": "boolean"},
            "tags": {"type": "array", "items": {"type": "string"}}, "way": {"type": "object"},
            "either": {"type": ["integer", "string"]}, "none": {"type": "string", "nullable": true},
            "text": {"type": "string"}, "free": {}}});
        let given = json!({"count": "5.0", "ratio": "2.5", "on": " TRUE ", "tags": "[\"a\"]", "way": "{\"x\": 1}",
            "either": "7", "none": "null", "text": "5", "free": "5", "unknown": "5"});
        let wanted = json!({"count": 5, "ratio": 2.5, "on": true, "tags": ["a"], "way": {"x": 1},
            "either": 7, "none": null, "text": "5", "free": "5", "unknown": "5"});
        assert_eq!(repair(parameters.clone(), given), wanted);
        let kept = json!({"count": "5.5", "on": "yes", "way": "[1]", "ratio": "inf"});
        assert_eq!(repair(parameters.clone(), kept.clone()), kept);
        assert_eq!(repair(parameters.clone(), json!({"tags": "a, b"})), json!({"tags": ["a, b"]}));
        assert_eq!(repair(parameters.clone(), json!({"tags": 7})), json!({"tags": [7]}));
        assert_eq!(repair(parameters, json!({"tags": null})), json!({"tags": null}));
    }

    #[test]
    fn nested_text_is_parsed_only_where_a_container_belongs() {
        let parameters = json!({"properties": {"rows": {"type": "array", "items": {"$ref": "#/$defs/row"}}},
            "$defs": {"row": {"type": "object", "properties": {
                "cells": {"anyOf": [{"type": "null"}, {"type": "array"}]}, "note": {"type": "string"}}}}});
        let given = json!({"rows": ["{\"cells\": \"[1]\", \"note\": \"[1]\"}", "[1]", 5]});
        let wanted = json!({"rows": [{"cells": [1], "note": "[1]"}, "[1]", 5]});
        assert_eq!(repair(parameters, given), wanted);
    }

    #[test]
    fn references_that_go_round_end() {
        let parameters = json!({"properties": {"a": {"$ref": "#/properties/b"}, "b": {"$ref": "#/properties/a"},
            "c": {"$ref": "#/nowhere", "type": "integer"}}});
        assert_eq!(repair(parameters, json!({"a": "1", "b": "1", "c": "1"})), json!({"a": "1", "b": "1", "c": 1}));
    }
}
