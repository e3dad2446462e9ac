use proptest::prelude::*;

use super::{MAX_DEPTH, compact_chars, compact_text, is_python_text, python_text};

/// `tests/oracle/pyjson_table.py` wrote it with CPython 3.11.
const TABLE: &str = include_str!("../../../tests/data/pyjson/table.json");

#[test]
fn prints_every_text_of_the_table_as_cpython_does() {
    let rows: Vec<(String, Option<String>, Option<String>)> = serde_json::from_str(TABLE).unwrap();
    assert!(rows.len() > 1200, "the table is complete");
    for (text, default, compact) in rows {
        assert_eq!(python_text(&text).ok(), default, "default separators of {text:?}");
        assert_eq!(compact_text(&text).ok(), compact, "compact separators of {text:?}");
    }
}

#[test]
fn what_python_would_spell_otherwise_is_told_at_a_glance() {
    for same in
        [r#"{"a": [1, true, null, "e\n\"x\\"], "b": {"a": 10}}"#, "[]", "{}", "\"1,2\"", r#"[{"a": 1}, {"a": 1}]"#]
    {
        assert!(is_python_text(same), "{same}");
        assert_eq!(python_text(same).as_deref(), Ok(same));
    }
    for other in [
        "[1,2]",
        "[1,  2]",
        "{\"a\":1}",
        "{\"a\" : 1}",
        "[ 1]",
        "[1 ]",
        "[1.50]",
        "1e5",
        "1E5",
        "-0",
        r#""\u00e9""#,
        r#""\/""#,
        r#"{"a": 1, "b": 2, "a": 3}"#,
        r#"{"a": {"b": 1}, "a": 3}"#,
        "{\n}",
    ] {
        assert!(!is_python_text(other), "{other}");
    }
}

#[test]
fn says_where_a_text_goes_wrong() {
    for (text, at) in [("[1,]", 3), ("{\"a\":01}", 6), ("\"\\ud800\"", 1), ("[\"ab", 1), ("", 0), ("[1] 2", 4)] {
        assert_eq!(python_text(text).unwrap_err().at, at, "{text}");
    }
}

#[test]
fn depth_ends_in_an_error_and_never_in_a_crash() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert_eq!(python_text(&nested(MAX_DEPTH)), Ok(nested(MAX_DEPTH)));
    assert_eq!(python_text(&nested(MAX_DEPTH + 1)).unwrap_err().message, "nested too deeply");
    assert!(python_text(&"{\"a\":".repeat(1_000_000)).is_err());
}

/// Any JSON text, with doubled keys and all kinds of numbers.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<i64>().prop_map(|number| number.to_string()),
        any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(|number| format!("{number:e}")),
        any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap()),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(|items| format!("[{}]", items.join(" ,"))),
            prop::collection::vec(("[a-c]{1,2}", inner), 0..6).prop_map(|members| {
                let members: Vec<_> = members.iter().map(|(key, value)| format!("\"{key}\" :{value}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

proptest! {
    #[test]
    fn rewriting_again_changes_nothing(text in json()) {
        let once = python_text(&text).unwrap();
        prop_assert_eq!(python_text(&once).unwrap(), once.clone());
        prop_assert_eq!(python_text(&compact_text(&text).unwrap()).unwrap(), once);
    }

    #[test]
    fn a_text_kept_at_a_glance_is_the_one_python_writes(text in json()) {
        for text in [&text, &python_text(&text).unwrap(), &text.replace(" ,", ", ").replace(" :", ": ")] {
            prop_assert!(!is_python_text(text) || python_text(text).as_ref() == Ok(text), "{}", text);
        }
    }

    #[test]
    fn compact_characters_are_counted_without_building_the_text(text in json()) {
        let compact = compact_text(&text).unwrap();
        prop_assert_eq!(compact_chars(&python_text(&text).unwrap()), compact.chars().count() as u64);
    }

    #[test]
    fn no_text_makes_it_panic(text in any::<String>()) {
        let _ = (python_text(&text), compact_text(&text));
    }

    #[test]
    fn shortest_floats_read_back(number in any::<f64>().prop_filter("finite", |number| number.is_finite())) {
        let text = python_text(&format!("{number:e}")).unwrap();
        // An exponent of zero keeps the text a float: `1e0` is one, `1` is not.
        prop_assert!(text.contains(['.', 'e']));
        prop_assert_eq!(text.parse::<f64>().unwrap().to_bits(), number.to_bits());
    }
}

#[test]
fn indenting_changes_nothing_but_blanks() {
    let text = r#"{"a": [1, {"b": {}, "c": []}], "d \" , [": "e: {f}, \\", "g": null}"#;
    let lines = super::indented(text);
    assert_eq!(lines[..4], ["{", "  \"a\": [", "    1,", "    {"]);
    assert!(lines.iter().any(|line| line == r#"  "d \" , [": "e: {f}, \\","#), "{lines:?}");
    assert_eq!(super::python_text(&lines.join("\n")), super::python_text(text));
}
