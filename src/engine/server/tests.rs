//! Server entries of every shape found in configs, under both rule sets.

use super::*;

fn text(value: &str) -> Value {
    Value::Str(value.into())
}

fn map(entries: &[(&str, Value)]) -> Value {
    Value::Map(entries.iter().map(|(key, value)| (text(key), value.clone())).collect())
}

fn filter(include: Option<Value>, exclude: Option<Value>) -> ToolFilter {
    let mut entries = Vec::new();
    entries.extend(include.map(|value| ("include", value)));
    entries.extend(exclude.map(|value| ("exclude", value)));
    entries.push(("resources", Value::Bool(true)));
    ToolFilter::read(Some(&map(&entries)))
}

fn list(items: &[&str]) -> Value {
    Value::Seq(items.iter().map(|item| text(item)).collect())
}

#[test]
fn only_false_words_and_zero_switch_a_server_off() {
    let (old, new) = (Rules::v0_19(), Rules::v0_22());
    for (value, on_old, on_new) in [
        (Value::Bool(false), false, false),
        (Value::Int("0".into()), false, false),
        (Value::Float("0.0".into()), true, false),
        (text(" No "), false, false),
        (text("OFF"), false, false),
        (text("0"), false, false),
        (text("disabled"), true, true),
        (text(""), true, true),
        (text("${FLAG}"), true, true),
        (Value::Null, true, true),
        (Value::Int("-1".into()), true, true),
        (Value::Seq(Vec::new()), true, true),
    ] {
        let entry = map(&[("command", text("npx")), ("enabled", value.clone())]);
        assert_eq!(is_enabled(&entry, &old), on_old, "0.19: {value:?}");
        assert_eq!(is_enabled(&entry, &new), on_new, "0.22: {value:?}");
    }
    assert!(is_enabled(&map(&[("disabled", Value::Bool(true))]), &new), "`disabled` is not read");
}

#[test]
fn an_empty_include_means_all_before_and_nothing_now() {
    let empty = filter(Some(list(&[])), None);
    assert!(empty.admits(&Rules::v0_19(), "any"));
    assert!(!empty.admits(&Rules::v0_22(), "any"));
    let empty_with_exclude = filter(Some(list(&[])), Some(list(&["b"])));
    assert!(!empty_with_exclude.admits(&Rules::v0_19(), "b"));
}

#[test]
fn include_wins_over_exclude() {
    let both = filter(Some(list(&["a", "b"])), Some(list(&["b"])));
    for rules in [Rules::v0_19(), Rules::v0_22()] {
        assert!(both.admits(&rules, "b"));
        assert!(!both.admits(&rules, "c"));
    }
}

#[test]
fn text_is_one_name_and_null_is_absent() {
    for rules in [Rules::v0_19(), Rules::v0_22()] {
        assert!(filter(Some(text("abc")), None).admits(&rules, "abc"));
        assert!(!filter(Some(text("abc")), None).admits(&rules, "a"));
        assert!(!filter(None, Some(text("abc"))).admits(&rules, "abc"));
        assert!(filter(Some(Value::Null), None).admits(&rules, "x"));
        assert!(filter(Some(map(&[("a", Value::Null)])), None).admits(&rules, "x"), "a mapping is ignored");
    }
}

#[test]
fn globs_count_from_0_22_only() {
    let excluded = filter(None, Some(list(&["*_radar_*"])));
    assert!(excluded.admits(&Rules::v0_19(), "x_radar_y"));
    assert!(!excluded.admits(&Rules::v0_22(), "x_radar_y"));
    assert_eq!(excluded.pattern_for(&Rules::v0_22(), "x_radar_y"), Some("*_radar_*"));
    assert_eq!(excluded.pattern_for(&Rules::v0_19(), "x_radar_y"), None);
}

#[test]
fn integer_members_count_as_text() {
    let include = filter(Some(Value::Seq(vec![Value::Int("7".into()), Value::Null])), None);
    assert!(include.admits(&Rules::v0_22(), "7"));
    assert!(include.admits(&Rules::v0_22(), "None"));
}

#[test]
fn malformed_rows_do_not_hide_the_ones_after_them() {
    let config = map(&[(
        "mcp_servers",
        Value::Map(vec![
            (text("broken"), text("https://example.invalid/mcp")),
            (text("nothing"), Value::Null),
            (text("rows"), Value::Seq(Vec::new())),
            (text("bare"), map(&[])),
            (text("nourl"), map(&[("url", Value::Null)])),
            (Value::Int("12306".into()), map(&[("command", text("x"))])),
            (text("web"), map(&[("url", text("https://h")), ("transport", text("sse")), ("tools", text("a"))])),
        ]),
    )]);
    let read = servers(&config, &Rules::v0_22());
    let shape: Vec<_> =
        read.iter().map(|row| (row.name.as_str(), row.malformed.is_some(), row.enabled, row.transport)).collect();
    assert_eq!(
        shape,
        [
            ("broken", true, false, Transport::Unknown),
            ("nothing", true, false, Transport::Unknown),
            ("rows", true, false, Transport::Unknown),
            ("bare", false, true, Transport::Unknown),
            ("nourl", false, true, Transport::Unknown),
            ("12306", false, true, Transport::Stdio),
            ("web", false, true, Transport::Sse),
        ]
    );
    assert!(!read[6].tools.admits(&Rules::v0_22(), "a"), "`tools` as text registers nothing");
    assert!(servers(&map(&[("mcp_servers", Value::Null)]), &Rules::v0_22()).is_empty());
    assert!(servers(&map(&[("mcp_servers", text("x"))]), &Rules::v0_22()).is_empty());
}
