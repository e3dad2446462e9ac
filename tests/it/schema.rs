//! Sent like Hermes: what becomes of the tools of MCP servers, by our own rules, against the functions of real installs
//! that convert, sanitise and register them, byte for byte, over thousands of hostile schemas.

mod generate;

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use hermes_tools::engine::rules::{Rules, SchemaRules};
use hermes_tools::engine::schema::{self, RawTool};

/// Servers asked about and tools of each.
const SERVERS: u64 = 200;
const TOOLS: usize = 20;

#[derive(serde::Deserialize)]
struct Answer {
    definitions: Vec<Option<String>>,
    registered: Vec<String>,
}

fn compare(version: &str, rules: &SchemaRules) {
    let home = tempfile::tempdir().unwrap();
    let mut oracle = Command::new(crate::installs::folder(version).join("bin/python"))
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", home.path())
        .env("HERMES_HOME", home.path())
        .args(["-P", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/schema.py")])
        .current_dir(home.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut questions = oracle.stdin.take().unwrap();
    let mut answers = BufReader::new(oracle.stdout.take().unwrap());
    let mut compared = 0;
    for seed in 0..SERVERS {
        let (server, tools) = generate::server(seed, TOOLS);
        let asked = tools.iter().map(|tool| {
            serde_json::json!({ "name": tool.name, "description": tool.description, "input_schema": tool.input_schema })
        });
        writeln!(questions, "{}", serde_json::json!({ "server": server, "tools": asked.collect::<Vec<_>>() })).unwrap();
        let mut line = String::new();
        answers.read_line(&mut line).unwrap();
        let theirs: Answer = serde_json::from_str(&line).unwrap();
        for (tool, theirs) in tools.iter().zip(theirs.definitions) {
            compared += usize::from(same(tool, &server, rules, theirs.as_deref()));
        }
        let mut ours: Vec<String> = schema::definitions(&server, &tools, rules)
            .tools
            .into_iter()
            .map(|tool| tool.name.as_str().to_owned())
            .collect();
        ours.sort();
        assert_eq!(ours, theirs.registered, "{version}, seed {seed}");
    }
    drop(questions);
    oracle.wait().unwrap();
    assert!(compared >= 3_000, "{version}: only {compared} definitions were compared");
}

/// Whether Hermes has a definition for the tool; ours is the same then.
fn same(tool: &RawTool, server: &str, rules: &SchemaRules, theirs: Option<&str>) -> bool {
    let ours = schema::definition(server, tool, rules).unwrap();
    let Some(theirs) = theirs else { return false };
    assert_eq!(ours.definition.text(), theirs, "of {}", tool.input_schema);
    true
}

#[test]
fn definitions_are_those_of_0_19() {
    compare("v19", &Rules::v0_19().schema);
}

#[test]
fn definitions_are_those_of_0_22() {
    compare("v22", &Rules::v0_22().schema);
}
