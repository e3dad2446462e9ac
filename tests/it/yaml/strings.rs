//! Awkward strings: names nobody would choose and somebody has, written by us and read by both loaders.

use hermes_tools::engine::plan::{NewValue, Op};
use hermes_tools::engine::rules::Dialect;
use hermes_tools::engine::value::Value;
use hermes_tools::engine::yaml::Document;

use super::corpus::DIALECTS;

/// Strings that mean something else than themselves when they stand bare, cannot stand bare, or hide.
pub(crate) fn awkward() -> Vec<String> {
    let mut strings: Vec<String> = [
        // Words, numbers and times of one dialect or the other.
        "no",
        "on",
        "y",
        "n",
        "N",
        "Yes",
        "yes",
        "off",
        "true",
        "False",
        "null",
        "Null",
        "~",
        "none",
        "None",
        "123",
        "-1",
        "+1",
        "1e3",
        "1.5",
        "0x1F",
        "0o17",
        "017",
        "0b1",
        "1_000",
        "1__2",
        ".inf",
        ".nan",
        "12:30:45",
        "1:30",
        "2024-01-01",
        "2024-01-01T10:00:00Z",
        // Nothing, blanks, and what ends in them.
        "",
        " ",
        " lead",
        "trail ",
        "tab\there",
        "x\ny",
        "x\n\ny\n",
        "\r",
        "\u{a0}",
        // Indicators, alone and in place.
        "a: b",
        "key:",
        ":",
        "a #b",
        "#x",
        "- dash",
        "-",
        "--",
        "?",
        "? q",
        "*a",
        "&a",
        "!t",
        "%p",
        "@at",
        "`tick",
        "|",
        ">",
        "a,b",
        "[x]",
        "{k}",
        "---",
        "...",
        "=",
        "<<",
        "it's",
        "say \"hi\"",
        "\"",
        "'",
        "\\",
        "a\\nb",
        "C:\\x",
        // Signs that end lines, hide, or are not allowed bare.
        "\u{2028}",
        "\u{2029}",
        "\u{85}",
        "\u{feff}",
        "\u{1}",
        "\0",
        "\u{7f}",
        "\u{1b}[2J",
        "\u{202e}x",
        "\u{200b}",
        // Other scripts.
        "ü",
        "工具",
        "🐍",
        "👨‍👩‍👧",
        "\u{10ffff}",
    ]
    .map(str::to_owned)
    .to_vec();
    strings.extend(["x".repeat(300), "long words ".repeat(30), format!("{}:", "k".repeat(200))]);
    strings
}

fn path(keys: &[&str]) -> Vec<String> {
    keys.iter().map(ToString::to_string).collect()
}

/// The text after one edit, and its value in both dialects.
fn edited(text: &str, dialect: Dialect, op: Op) -> Vec<Value> {
    let document = Document::parse(text, dialect).unwrap();
    let after = document.edit(std::slice::from_ref(&op)).unwrap_or_else(|error| panic!("{text:?} {op:?}: {error}"));
    DIALECTS
        .map(|reader| {
            let read = Document::parse(&after, reader);
            read.unwrap_or_else(|error| panic!("{after:?} under {reader:?}: {error}")).value().clone()
        })
        .to_vec()
}

#[test]
fn a_list_takes_any_string_as_an_item() {
    let lists = [
        "platform_toolsets:\n  cli:\n    - web\n",
        "platform_toolsets:\n  cli:\n  - web\nlater: 1\n",
        "platform_toolsets: {cli: [web]}\n",
        "platform_toolsets:\n  cli: [web]\n",
        "platform_toolsets:\n  cli: ['web']\n",
        "platform_toolsets:\n  cli: [\n    \"web\",\n  ]\n",
        "platform_toolsets:\r\n  cli:\r\n    - \"web\"\r\n",
    ];
    for text in lists {
        for name in awkward() {
            for dialect in DIALECTS {
                let list = path(&["platform_toolsets", "cli"]);
                let op = Op::EditList { path: list, remove: vec![], append: vec![name.clone(), "last".to_owned()] };
                for value in edited(text, dialect, op) {
                    let items = value.at(&["platform_toolsets", "cli"]).and_then(Value::as_seq).unwrap();
                    let expected = ["web", &name, "last"].map(|item| Value::Str(item.to_owned()));
                    assert_eq!(items, expected, "{name:?} in {text:?}");
                }
            }
        }
    }
}

#[test]
fn any_string_can_name_a_list_or_a_server() {
    let sections =
        ["", "mcp_servers:\n", "mcp_servers: {}\n", "mcp_servers: {a: {url: x}}\n", "mcp_servers:\n  a: {}\n"];
    for text in sections {
        for name in awkward() {
            for dialect in DIALECTS {
                let server = path(&["mcp_servers", &name, "enabled"]);
                for value in edited(text, dialect, Op::Set { path: server, value: NewValue::Bool(false) }) {
                    let entries = value.at(&["mcp_servers"]).and_then(Value::as_map).unwrap();
                    let (key, entry) = entries.last().unwrap();
                    assert_eq!(*key, Value::Str(name.clone()), "{text:?}");
                    assert_eq!(entry.get("enabled"), Some(&Value::Bool(false)), "{name:?} in {text:?}");
                }
            }
        }
    }
}

#[test]
fn a_name_found_in_the_file_is_edited_where_it_stands() {
    // What stands bare is compared as Hermes compares it: by Python's text of the key.
    for (written, name) in [("404", "404"), ("\"a: b\"", "a: b"), ("'#x'", "#x"), ("\"no\"", "no")] {
        let text = format!("mcp_servers:\n  {written}: {{command: npx}}\n  other: {{command: npx}}\n");
        for dialect in DIALECTS {
            let document = Document::parse(&text, dialect).unwrap();
            let op = Op::Set { path: path(&["mcp_servers", name, "enabled"]), value: NewValue::Bool(false) };
            let after = document.edit(&[op]).unwrap();
            assert_eq!(after, text.replacen("npx}", "npx, enabled: false}", 1), "{dialect:?}");
        }
    }
}
