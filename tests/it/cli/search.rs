//! `search` and `describe`: the answer as the model gets it, the reasons, and what is said without a bridge.

use serde_json::{Value as Json, json};

use hermes_tools::engine::catalog::Definition;
use hermes_tools::sources::sample;

use super::User;

const SERVERS: &str = "mcp_servers:\n  github:\n    command: github-server\n  filesystem:\n    command: files\n";

fn words(explained: &Json) -> Vec<(String, String)> {
    let words = explained["words"].as_array().unwrap().iter();
    words.map(|word| (word["word"].as_str().unwrap().into(), word["stem"].as_str().unwrap().into())).collect()
}

#[test]
fn a_search_gives_the_models_answer_and_explains_it() {
    let user = User::with_config(SERVERS);
    let ran = user.run(&["search", "create issues", "zebra", "--limit", "2", "--json"]);
    assert_eq!(ran.code, 0, "{ran}");
    let document = ran.json();
    assert_eq!(document["schema"], "hermes-tools/search@1");
    assert_eq!((&document["platform"], &document["active"]), (&json!("cli"), &json!(true)));
    assert_eq!(document["arguments"], json!({"queries": ["create issues", "zebra"], "limit": 2}));
    let result = &document["result"];
    let matches = result["results"][0]["matches"].as_array().unwrap();
    assert_eq!((matches.len(), &matches[0]), (2, &json!("mcp__github__create_issue")));
    assert_eq!(result["tools"].as_object().unwrap().len(), 2);
    assert_eq!(result["results"][1]["matches"], json!([]));
    let [explained, nothing] = document["explain"].as_array().unwrap().as_slice() else { panic!("{ran}") };
    assert_eq!(words(explained), [("create".into(), "creat".into()), ("issues".into(), "issu".into())]);
    let tools = explained["tools"].as_array().unwrap();
    assert_eq!((&tools[0]["tool"], &tools[0]["rank"]), (&matches[0], &json!(1)));
    assert!(tools.iter().any(|tool| tool["outcome"] == "no-gate-word" || tool["outcome"] == "beyond-limit"), "{ran}");
    assert_eq!((&nothing["admitted"], &nothing["words"][0]["gate"]), (&json!(0), &json!(true)));
}

#[test]
fn a_named_tool_is_told_why_it_lost() {
    let user = User::with_config(SERVERS);
    let ran = user.run(&["search", "create issues", "--why", "mcp__github__create_branch"]);
    assert_eq!(ran.code, 0, "{ran}");
    let line = ran.stdout.lines().find(|line| line.contains("mcp__github__create_branch")).unwrap();
    assert!(line.contains("lacks the rarest word"), "{ran}");
    let ran = user.run(&["search", "issue", "--why", "mcp__github__list_isues"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stderr.contains("mcp__github__list_issues"), "{ran}");
}

#[test]
fn without_a_bridge_the_answer_is_only_what_it_would_be() {
    let off = format!("{SERVERS}tools:\n  tool_search:\n    enabled: false\n");
    let user = User::with_config(&off);
    let ran = user.run(&["search", "issue", "--json"]);
    assert_eq!(ran.code, 0, "{ran}");
    let document = ran.json();
    assert_eq!((&document["active"], &document["result"]), (&json!(false), &Json::Null));
    assert_eq!(document["inactive_because"], "switched-off");
    assert!(document["would_be"]["results"].is_array(), "{ran}");
    assert!(ran.stderr.contains("tools.tool_search.enabled is off"), "{ran}");
}

#[test]
fn settings_limit_the_matches() {
    let config = format!("{SERVERS}tools:\n  tool_search:\n    search_default_limit: 3\n    max_search_limit: 4\n");
    let user = User::with_config(&config);
    let count = |words: &[&str]| {
        let answer = user.run(words).json();
        answer["result"]["results"][0]["matches"].as_array().unwrap().len()
    };
    assert_eq!(count(&["search", "file", "--json"]), 3);
    assert_eq!(count(&["search", "file", "--json", "--limit", "20"]), 4);
    assert_eq!(count(&["search", "file", "--json", "--limit", "-1"]), 1);
}

#[test]
fn hermes_0_19_takes_one_query_and_falls_back_to_names() {
    let user = User::with_config_of_0_19(&format!("{SERVERS}tools:\n  tool_search:\n    enabled: on\n"));
    let ran = user.run(&["search", "reate_issu", "--json"]);
    assert_eq!(ran.code, 0, "{ran}");
    let document = ran.json();
    assert_eq!(document["result"]["matches"][0]["name"], "mcp__github__create_issue");
    assert_eq!(document["explain"][0]["tools"][0]["by_name"], "contains");
    let ran = user.run(&["search", "create", "issue"]);
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.stderr.contains("quotes"), "{ran}");
}

#[test]
fn describe_gives_the_schema_and_names_what_is_missing() {
    let user = User::with_config(SERVERS);
    let ran = user.run(&["describe", "mcp__github__create_issue", "terminal", "nobody", "--json"]);
    assert_eq!(ran.code, 0, "{ran}");
    let document = ran.json();
    assert_eq!(document["schema"], "hermes-tools/describe@1");
    let result = &document["result"];
    assert!(result["tools"]["mcp__github__create_issue"]["parameters"]["properties"].is_object(), "{ran}");
    assert_eq!(result["not_found"], json!(["nobody"]));
    assert!(result["errors"]["terminal"].is_string(), "{ran}");
    assert_eq!(document["certainty"], "estimated", "a catalog without Hermes' sentences says so");
}

#[test]
fn a_call_that_would_be_refused_is_exit_4() {
    let user = User::with_config(SERVERS);
    let call = |given: &str| user.run(&["describe", "mcp__github__create_issue", "--call", given, "--json"]);
    let ran = call(r#"{"owner": "o", "repo": "r", "title": "t"}"#);
    assert_eq!((ran.code, &ran.json()["call"]["accepted"]), (0, &json!(true)), "{ran}");
    let paths = r#"{"paths": "[\"a\"]"}"#;
    let ran = user.run(&["describe", "mcp__filesystem__read_multiple_files", "--call", paths, "--json"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(ran.json()["call"]["repaired"], json!({"paths": ["a"]}), "a list that came as text");
    let ran = call(r#"{"owner": "o"}"#);
    assert_eq!(ran.code, 4, "{ran}");
    let document = ran.json();
    assert_eq!(document["call"]["accepted"], json!(false));
    assert_eq!(document["call"]["result"]["constraint"], "required");
    let ran = call(r#"{"owner": "o", "repo": "r", "title": 5}"#);
    assert_eq!((ran.code, &ran.json()["call"]["result"]["path"]), (4, &json!("arguments.title")), "{ran}");
    let ran = call("{'owner': 'o'}");
    assert!(ran.json()["call"]["result"]["error"].as_str().unwrap().contains("line 1 column 2 (char 1)"), "{ran}");
    let ran = user.run(&["describe", "a", "b", "--call", "{}"]);
    assert_eq!(ran.code, 2, "{ran}");
}

#[test]
fn hostile_definitions_and_queries_reach_no_terminal() {
    let mut document = sample::catalog();
    let tool = document.tools.iter_mut().find(|tool| tool.name.as_str() == "mcp__github__create_issue").unwrap();
    let hostile = tool.definition.text().replacen(
        "\"description\": \"",
        "\"description\": \"\\u001b]0;x\\u0007\u{202e}\u{9b}31m ",
        1,
    );
    tool.definition = Definition::from_json(&hostile);
    let user = User::with_catalog(&document).config(SERVERS);
    for words in [
        &["search", "create issue"][..],
        &["search", "create issue \u{1b}[31m\u{202e}", "--explain"],
        &["search", "create issue \u{1b}[31m\u{202e}", "--json"],
        &["describe", "mcp__github__create_issue", "no\u{202e}body"],
        &["describe", "mcp__github__create_issue", "no\u{202e}body", "--json"],
        &["describe", "mcp__github__create_issue", "--call", "{\"\u{202e}\": \"\u{9b}\"}", "--json"],
        &["describe", "mcp__github__create_issue", "--call", "\u{202e}"],
    ] {
        let ran = user.run(words);
        let all = format!("{}{}", ran.stdout, ran.stderr);
        assert!(!all.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']), "{words:?}: {ran}");
    }
    // What is spelled out reads back as it was.
    let answer = user.run(&["describe", "mcp__github__create_issue", "--json"]).json();
    let description = answer["result"]["tools"]["mcp__github__create_issue"]["description"].as_str().unwrap();
    assert!(description.starts_with("\u{1b}]0;x\u{7}\u{202e}\u{9b}31m "), "{description:?}");
}
