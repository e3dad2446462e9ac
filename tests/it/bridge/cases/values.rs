//! Arguments by chance: values that fit a schema, mostly.

use serde_json::{Map, Value as Json, json};

use super::Dice;

/// A value that fits a schema, mostly.
pub(super) fn value_for(schema: &Json, root: &Json, dice: &mut Dice, depth: usize) -> Json {
    if dice.one_in(5) || depth > 4 {
        return anything(dice);
    }
    if let Some(pointer) = schema["$ref"].as_str().and_then(|reference| reference.strip_prefix('#')) {
        return root.pointer(pointer).map_or(Json::Null, |target| value_for(target, root, dice, depth + 1));
    }
    for union in ["anyOf", "oneOf", "allOf"] {
        if let Some(ways) = schema[union].as_array() {
            let way = dice.of(ways).clone();
            return value_for(&way, root, dice, depth + 1);
        }
    }
    if let Some(values) = schema["enum"].as_array() {
        return dice.of(values).clone();
    }
    let kind = match &schema["type"] {
        Json::Array(kinds) => dice.of(kinds).clone(),
        kind => kind.clone(),
    };
    match kind.as_str() {
        Some("string") => json!(dice.of(&["", "a", "ab", "abc-1", "null", "a much longer text than that", "é", "[1]"])),
        Some("integer") => {
            dice.of(&[json!(0), json!(1), json!(7), json!(100), json!("5"), json!(2.0), json!("x"), json!(-3)]).clone()
        }
        Some("number") => {
            dice.of(&[json!(0.5), json!(1), json!(2.5e3), json!("0.25"), json!(-1.0), json!(1e20)]).clone()
        }
        Some("boolean") => dice.of(&[json!(true), json!(false), json!("True"), json!("no"), json!(1)]).clone(),
        Some("null") => Json::Null,
        Some("array") => {
            let count = dice.below(4);
            let items = (0..count).map(|_| value_for(&schema["items"], root, dice, depth + 1)).collect::<Vec<_>>();
            if dice.one_in(6) { json!(json!(items).to_string()) } else { json!(items) }
        }
        Some("object") => {
            let mut members = Map::new();
            for (key, schema) in schema["properties"].as_object().into_iter().flatten() {
                if !dice.one_in(3) {
                    members.insert(key.clone(), value_for(schema, root, dice, depth + 1));
                }
            }
            if dice.one_in(6) {
                members.insert("more".to_owned(), anything(dice));
            }
            if dice.one_in(8) { json!(Json::Object(members).to_string()) } else { Json::Object(members) }
        }
        _ => anything(dice),
    }
}

pub(super) fn anything(dice: &mut Dice) -> Json {
    dice.of(&[
        json!(null),
        json!(true),
        json!(0),
        json!(12.5),
        json!("text"),
        json!("it's \"odd\" \u{200b}\n"),
        json!(["a", 1, null]),
        json!({"k": [1, {"n": 1.0}]}),
        json!([]),
        json!({}),
        json!("null"),
        json!(1e-7),
    ])
    .clone()
}
