//! Tools of servers: such as people have, and such as use every keyword of JSON schema.

use hermes_tools::engine::catalog::{Definition, Tool};
use serde_json::Value as Json;
use serde_json::{Map, json};

use super::Dice;

fn mcp(server: &str, original: &str, function: Json) -> Tool {
    let name = format!("mcp__{server}__{original}");
    let mut parts = json!({ "name": name });
    for (key, value) in function.as_object().unwrap() {
        parts[key] = value.clone();
    }
    Tool {
        name: name.into(),
        toolset: format!("mcp-{server}").into(),
        server: Some(server.into()),
        original_name: Some(original.into()),
        definition: Definition::from_json(&json!({ "type": "function", "function": parts }).to_string()),
        available: true,
        unavailable_because: None,
    }
}

/// Servers such as people have, in words of many kinds and lengths.
pub(super) fn generated(count: usize) -> Vec<Tool> {
    const SERVERS: [&str; 7] = ["linear", "my-notes", "postgres_ro", "slack", "home.assistant", "jira2", "gmail"];
    const VERBS: [&str; 14] = [
        "list",
        "get",
        "create",
        "update",
        "delete",
        "search",
        "export",
        "watch",
        "runQuery",
        "send",
        "archive",
        "merge",
        "approve",
        "subscribe",
    ];
    const THINGS: [&str; 18] = [
        "issue",
        "issues",
        "email",
        "calendar-event",
        "row",
        "database.schema",
        "channel",
        "message",
        "thread",
        "incident",
        "light",
        "thermostat",
        "sprint",
        "pull_request",
        "repository",
        "invoice",
        "page",
        "attachment",
    ];
    const ENDINGS: [&str; 8] = [
        "",
        ".",
        " by id.",
        " for the current user! Pages are numbered.",
        " of a team, e.g. its own.\nReturns JSON.",
        " — naïve café, 東京 \u{1f600} «quoted».",
        " including universities, biologists and repositories being organized.",
        " when running; see http://example.com/docs?a=1&b=2#frag for generally useful information.",
    ];
    let mut dice = Dice::new("servers");
    let mut tools: Vec<Tool> = Vec::new();
    while tools.len() < count {
        let (server, verb, thing) = (*dice.of(&SERVERS), *dice.of(&VERBS), *dice.of(&THINGS));
        let original = format!("{verb}_{thing}_{}", tools.len() % 9);
        if tools.iter().any(|tool| tool.name.as_str() == format!("mcp__{server}__{original}")) {
            continue;
        }
        let about = format!("{verb} a {thing}{}", dice.of(&ENDINGS)).repeat(1 + dice.below(9));
        let mut properties = Map::new();
        for _ in 0..dice.below(6) {
            let key =
                format!("{}{}", dice.of(&THINGS).replace(['.', '-'], "_"), dice.of(&["", "_id", "Name", "_page"]));
            properties.insert(
                key,
                json!({"type": *dice.of(&["string", "integer", "boolean"]), "description": "What it is."}),
            );
        }
        let required: Vec<String> = properties.keys().filter(|_| dice.one_in(2)).cloned().collect();
        let parameters = json!({"type": "object", "properties": properties, "required": required});
        tools.push(mcp(
            server,
            &original,
            match dice.below(12) {
                0 => json!({"description": "", "parameters": parameters}),
                1 => json!({"parameters": parameters}),
                2 => json!({"description": about}),
                3 => json!({"description": about, "parameters": {"type": "object", "properties": {}}}),
                _ => json!({"description": about, "parameters": parameters}),
            },
        ));
    }
    tools
}

/// Tools whose schemas use every keyword.
pub(super) fn of_every_kind() -> Vec<Tool> {
    let object = |properties: Json| json!({"type": "object", "properties": properties});
    let schemas = [
        object(
            json!({"a": {"type": "string", "minLength": 1, "maxLength": 3, "pattern": "^a"}, "b": {"type": "integer", "minimum": 1, "maximum": 7}}),
        ),
        object(
            json!({"a": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 2.5, "multipleOf": 0.5}, "b": {"type": ["boolean", "null"]}}),
        ),
        json!({"type": "object", "properties": {"a": {"enum": ["x", 1, null]}, "b": {"const": "b"}}, "required": ["a"], "additionalProperties": false}),
        object(
            json!({"a": {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2, "uniqueItems": true}}),
        ),
        object(
            json!({"a": {"anyOf": [{"type": "integer"}, {"type": "object", "properties": {"k": {"type": "string"}}, "required": ["k"]}]}}),
        ),
        object(json!({"a": {"oneOf": [{"type": "number"}, {"type": "integer"}, {"type": "string", "maxLength": 2}]}})),
        object(
            json!({"a": {"type": "string", "nullable": true}, "b": {"nullable": true, "enum": ["q"]}, "c": {"type": ["integer", "string"], "nullable": true}}),
        ),
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/node"}}, "$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "v": {"type": "integer"}}, "required": ["v"]}}}),
        object(json!({"a": {"$ref": "https://example.com/x.json"}, "b": {"type": "integer"}})),
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": false}),
        json!({"type": "object", "properties": {"a": {}, "b": {}, "extra": {"type": "integer"}}, "dependentRequired": {"a": ["b"]}, "minProperties": 1, "maxProperties": 3}),
        object(json!({"a": {"not": {"type": "string"}}, "b": {"allOf": [{"type": "integer"}, {"minimum": 5}]}})),
        json!({"type": "object", "properties": {"a": {"type": "boolean"}, "b": {"type": "integer"}}, "if": {"properties": {"a": {"const": true}}}, "then": {"required": ["b"]}, "else": {"properties": {"b": {"minimum": 50}}}}),
        object(
            json!({"a": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": {"type": "boolean"}}}),
        ),
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "propertyNames": {"maxLength": 3, "pattern": "^[a-e]"}}),
        object(
            json!({"a": {"type": "object", "properties": {"rows": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": {"type": "string"}}}}}}),
        ),
        object(json!({"a": false, "b": true})),
        object(json!({"a": {"type": "array", "contains": {"type": "integer"}}})),
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {"a": {"type": "integer", "exclusiveMinimum": 1}}, "dependencies": {"a": ["b"]}}),
        json!({"$schema": "https://example.com/unknown", "type": "object", "properties": {"a": {"type": "integer"}}}),
        json!({"type": "object", "properties": {"a": {"type": "strin"}}}),
        json!({"type": "object", "properties": {"a": {"pattern": "("}}}),
        json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a", 5, "b"]}),
        json!({"type": "object", "required": "a"}),
        json!({"properties": {"a": {"type": "string", "format": "date"}, "b": {"type": "string", "format": "uri"}}}),
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "unevaluatedProperties": false}),
        json!({"type": "object", "properties": {"a": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "array", "items": {"type": "integer", "minimum": 3}}]}}}),
        json!({"type": "object", "properties": {"a": {"type": "string", "minLength": 2, "pattern": "^b", "enum": ["bb", "cc"]}}}),
    ];
    let tools = schemas.into_iter().enumerate();
    tools
        .map(|(number, schema)| {
            mcp("zoo", &format!("kind_{number:02}"), json!({"description": "Checks.", "parameters": schema}))
        })
        .collect()
}
