//! What the README says, held to what the program does.

use std::collections::BTreeMap;

use hermes_tools::app::action::Action;
use hermes_tools::tui::keymap::{Context, Keymap};

fn readme() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap()
}

/// The text between two marks.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let start = text.find(from).unwrap_or_else(|| panic!("README has no mark {from}")) + from.len();
    let end = text[start..].find(to).unwrap_or_else(|| panic!("README has no mark {to}")) + start;
    text[start..end].trim()
}

/// The keys of the list and of everywhere, one row an action, in the key map's order.
fn key_table() -> String {
    let mut order: Vec<Action> = Vec::new();
    let mut keys: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
    for (context, key, action) in Keymap::default().bindings() {
        if matches!(context, Context::List | Context::Global) {
            if !order.contains(&action) {
                order.push(action);
            }
            keys.entry(action.name()).or_default().push(format!("`{key}`"));
        }
    }
    let rows = order.iter().map(|action| format!("| {} | {} |", keys[action.name()].join(" "), action.title()));
    ["| keys | what they do |".to_owned(), "|---|---|".to_owned()]
        .into_iter()
        .chain(rows)
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn the_readme_key_table_is_the_key_map() {
    let readme = readme();
    let written = between(&readme, "<!-- keys: generated, held by a test -->", "<!-- /keys -->");
    assert_eq!(written, key_table(), "put this between the marks of README.md:\n{}", key_table());
}

#[test]
fn the_readme_names_every_verb() {
    let out = std::process::Command::new(env!("CARGO_BIN_EXE_hermes-tools")).arg("--help").output().unwrap();
    let help = String::from_utf8(out.stdout).unwrap();
    let verbs = between(&help, "Commands:\n", "\n\nOptions:");
    let readme = readme();
    let table = between(&readme, "<!-- verbs: held by a test -->", "\n\n");
    for line in verbs.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   ")) {
        let verb = line.split_whitespace().next().unwrap();
        assert!(verb == "help" || table.contains(&format!("`{verb}`")), "README does not name the verb {verb}");
    }
}

#[test]
fn the_readme_names_every_theme() {
    let readme = readme();
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/themes")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(readme.contains(&name), "README does not name the theme {name}");
    }
}
