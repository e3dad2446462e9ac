use super::cache;
use super::*;
use crate::engine::rules::Rules;

fn v19() -> SchemaRules {
    Rules::v0_19().schema
}

fn v22() -> SchemaRules {
    Rules::v0_22().schema
}

fn tool(name: &str, schema: &str) -> RawTool {
    RawTool { name: name.into(), description: "Told.".into(), input_schema: schema.into() }
}

fn parameters(schema: &str, rules: &SchemaRules) -> String {
    let sent = definition("s", &tool("t", schema), rules).unwrap();
    let text = sent.definition.text();
    let before = r#"{"type": "function", "function": {"name": "mcp__s__t", "description": "Told.", "parameters": "#;
    text.strip_prefix(before).and_then(|rest| rest.strip_suffix("}}")).unwrap().to_owned()
}

/// An object whose properties are these, as 0.19 sends it.
fn object(properties: &str) -> String {
    format!(r#"{{"type": "object", "properties": {{{properties}}}}}"#)
}

/// As 0.22 sends it.
fn whole(properties: &str) -> String {
    format!(r#"{{"type": "object", "properties": {{{properties}}}, "required": []}}"#)
}

#[test]
fn the_pairs_measured_on_both_versions_hold() {
    let union = r#""a": {"type": "string", "nullable": true, "title": "A", "default": null}"#;
    let several = r#""a": {"anyOf": [{"type": "number"}, {"type": "string"}], "nullable": true}"#;
    for (schema, old, new) in [
        ("{}", object(""), whole("")),
        ("null", object(""), whole("")),
        (
            &object(r#""a": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": null, "title": "A"}"#),
            object(union),
            whole(union),
        ),
        (&object(r#""a": {"type": ["number", "string", "null"]}"#), object(several), whole(several)),
        (
            r##"{"type": "object", "definitions": {"T": {"type": "string"}}, "properties": {"t": {"$ref": "#/definitions/T", "default": "x"}, "definitions": {"type": "string"}}}"##,
            r##"{"type": "object", "$defs": {"T": {"type": "string"}}, "properties": {"t": {"$ref": "#/$defs/T"}, "definitions": {"type": "string"}}}"##.into(),
            r##"{"type": "object", "$defs": {"T": {"type": "string"}}, "properties": {"t": {"$ref": "#/$defs/T"}, "definitions": {"type": "string"}}, "required": []}"##.into(),
        ),
        (
            r#"{"type": "object", "properties": {}, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}"#,
            object(""),
            whole(""),
        ),
        (
            &object(r#""p": {"type": "object", "properties": {"a": {}}, "required": [], "oneOf": [{"required": ["a"]}]}"#),
            object(r#""p": {"type": "object", "properties": {"a": {}}, "oneOf": [{"type": "object", "properties": {}}]}"#),
            whole(r#""p": {"type": "object", "properties": {"a": {}}, "required": [], "oneOf": [{"required": ["a"]}]}"#),
        ),
        (
            r#"{"type": "object", "properties": {"a b": {}, "$x": {}, "_x": {}}, "required": ["a b"]}"#,
            r#"{"type": "object", "properties": {"a b": {}, "$x": {}, "_x": {}}, "required": ["a b"]}"#.into(),
            r#"{"type": "object", "properties": {"a_b": {}, "_x_2": {}, "_x": {}}, "required": ["a_b"]}"#.into(),
        ),
        (
            &object(r#""c": {"anyOf": [{"const": "r"}, {"const": "g"}]}"#),
            object(r#""c": {"anyOf": [{"const": "r"}, {"const": "g"}]}"#),
            whole(r#""c": {"type": "string", "enum": ["r", "g"]}"#),
        ),
        (
            r#"{"properties": {"a": {}}, "required": ["a", "zz"]}"#,
            r#"{"properties": {"a": {}}, "required": ["a"], "type": "object"}"#.into(),
            r#"{"properties": {"a": {}}, "required": ["a"], "type": "object"}"#.into(),
        ),
        (
            &object(r#""a": {"type": "string", "required": true}"#),
            object(r#""a": {"type": "string", "required": true}"#),
            r#"{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}"#.into(),
        ),
        (
            &object(r#""a": {"type": "array", "default": ["path", "string"]}"#),
            object(r#""a": {"type": "array", "default": [{"type": "object", "properties": {}}, {"type": "string"}]}"#),
            whole(r#""a": {"type": "array", "default": ["path", "string"]}"#),
        ),
        (
            &object(r#""properties": {"type": "string"}"#),
            object(r#""properties": {"type": "string"}, "type": {"type": "object", "properties": {}}"#),
            whole(r#""properties": {"type": "string"}"#),
        ),
    ] {
        assert_eq!(parameters(schema, &v19()), old, "0.19 of {schema}");
        assert_eq!(parameters(schema, &v22()), new, "0.22 of {schema}");
    }
}

#[test]
fn numbers_texts_and_repeated_keys_are_spelled_as_python_spells_them() {
    let schema = r#"{"x": 1e-7, "y": 1.50, "z": 123456789012345678901234567890, "é": "\u00e9\/", "n": NaN, "x": 2.0}"#;
    let expected = r#"{"x": 2.0, "y": 1.5, "z": 123456789012345678901234567890, "é": "é/", "n": NaN, "type": "object", "properties": {}"#;
    assert_eq!(parameters(schema, &v19()), format!("{expected}}}"));
    assert_eq!(parameters(schema, &v22()), format!("{expected}, \"required\": []}}"));
}

#[test]
fn a_schema_hermes_cannot_get_is_a_finding_and_no_crash() {
    let nested = |levels: usize| format!(r#"{{"a":{}{}}}"#, "[".repeat(levels - 1), "]".repeat(levels - 1));
    for rules in [v19(), v22()] {
        assert!(definition("s", &tool("t", &nested(MAX_DEPTH)), &rules).is_ok());
        for bad in [nested(MAX_DEPTH + 1), nested(10_000), "{".into(), r#"{"a": "\ud800"}"#.into()] {
            let told = definitions("s", &[tool("t", &bad), tool("u", "{}")], &rules);
            assert_eq!(told.tools.len(), 1, "the other tool stays");
            assert_eq!(told.findings[0].place, "mcp_servers.s");
            assert_eq!(told.findings[0].severity, Severity::Error);
        }
    }
}

#[test]
fn names_hold_letters_digits_and_underscores_and_are_cut_by_0_22_only() {
    assert_eq!(registered_name("a-b", "ü.x/1", &v22()), "mcp__a_b____x_1");
    let long = "x".repeat(70);
    assert_eq!(registered_name("s", &long, &v19()).len(), 78);
    assert_eq!(registered_name("s", &long, &v22()), format!("mcp__s__{}_{}", "x".repeat(47), "add48f34"));
    assert_eq!(registered_name("s", &"y".repeat(56), &v22()).len(), 64, "as long as allowed, and not cut");
}

#[test]
fn a_description_is_made_up_of_the_names_where_there_is_none_and_tags_go_in_0_22() {
    let sent = |told: &str, rules: &SchemaRules| name::description("my s", "t-1", told, rules);
    assert_eq!(sent("", &v19()), "MCP tool t-1 from my s");
    let scotland = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}";
    let smuggled = format!("a\u{e0041}\u{e007f}b{scotland}c\u{1f3f4}\u{e007f}d\u{1f3f4}\u{e0061}");
    assert_eq!(sent(&smuggled, &v19()), smuggled);
    assert_eq!(sent(&smuggled, &v22()), format!("ab{scotland}c\u{1f3f4}d\u{1f3f4}"));
}

#[test]
fn of_two_tools_with_one_name_the_later_or_neither_is_registered() {
    let tools = [tool("a-b", "{}"), tool("c", "{}"), tool("a.b", "{}"), tool("c", r#"{"title": "later"}"#)];
    let told = |rules: &SchemaRules| {
        let found = definitions("s", &tools, rules);
        let kept = found.tools.iter().map(|tool| tool.original_name.clone().unwrap().to_string()).collect::<Vec<_>>();
        let later = found.tools.iter().filter(|tool| tool.definition.text().contains("later")).count();
        let texts = found.findings.into_iter().map(|finding| finding.text).collect::<Vec<_>>();
        assert_eq!(texts, ["'a-b' and 'a.b' ask for the same name, 'mcp__s__a_b', which only one can have."]);
        (kept.join(" "), later)
    };
    assert_eq!(told(&v19()), ("a.b c".into(), 1));
    assert_eq!(told(&v22()), ("c".into(), 0));
}

#[test]
fn the_cache_gives_raw_tools_and_those_hermes_added() {
    let text = r#"{
        "gh": {"fingerprint": "00ff", "ttl_ms": 5, "written_at": 1700000000.5, "tools": [
            {"name": "find", "description": "Finds.", "inputSchema": {"properties": {"q": {"type": "string"}}}},
            {"name": "", "inputSchema": {}}, 7, {"name": "bare", "inputSchema": null}],
          "utility_tools": [
            {"handler_key": "read_resource", "schema": {"name": "mcp__gh__read_resource", "description": "Reads.",
              "parameters": {"type": "object", "properties": {"uri": {"type": "string"}}, "required": ["uri"]}}},
            {"handler_key": "list_prompts", "schema": {"name": "mcp__gh__find", "parameters": {}}},
            {"handler_key": "unknown", "schema": {"name": "x"}}]},
        "odd": {"tools": [{"name": "n", "description": 5}]},
        "not an entry": []
    }"#;
    let entries = cache::entries(text).unwrap();
    let [gh, odd] = entries.as_slice() else { panic!("{entries:?}") };
    assert_eq!((gh.server.as_str(), gh.fingerprint.as_deref()), ("gh", Some("00ff")));
    assert_eq!((gh.ttl_ms, gh.written_at), (Some(5.0), Some(1_700_000_000.5)));
    let found = gh.definitions(&v22());
    let texts: Vec<&str> = found.tools.iter().map(|tool| tool.definition.text()).collect();
    assert_eq!(
        texts,
        [
            r#"{"type": "function", "function": {"name": "mcp__gh__find", "description": "Finds.", "parameters": {"properties": {"q": {"type": "string"}}, "type": "object", "required": []}}}"#,
            r#"{"type": "function", "function": {"name": "mcp__gh__bare", "description": "MCP tool bare from gh", "parameters": {"type": "object", "properties": {}, "required": []}}}"#,
            r#"{"type": "function", "function": {"name": "mcp__gh__read_resource", "description": "Reads.", "parameters": {"type": "object", "properties": {"uri": {"type": "string"}}, "required": ["uri"]}}}"#,
        ]
    );
    let odd = odd.definitions(&v22());
    assert!(odd.tools.is_empty() && odd.findings.len() == 1);
    assert!(cache::entries("{").is_err() && cache::entries("[]").is_ok_and(|entries| entries.is_empty()));
}
