use serde_json::json;

use super::call::{Unchecked, Verdict};
use super::explain::{ByName, Outcome};
use super::replies::Limits;
use super::{Bridge, Entry, Index, Protocol, Source};
use crate::engine::assembly::settings::Settings;
use crate::engine::catalog::{Catalog, Definition};
use crate::engine::rules::Rules;
use crate::engine::testing::{config, document, with_server};

fn entry(name: &str, toolset: &str, description: &str, parameters: &[&str]) -> Entry {
    let properties: serde_json::Map<String, serde_json::Value> =
        parameters.iter().map(|name| ((*name).to_owned(), json!({"type": "string"}))).collect();
    let definition = json!({"type": "function", "function": {
        "name": name, "description": description,
        "parameters": {"type": "object", "properties": properties, "required": parameters}}});
    Entry {
        name: name.into(),
        source: if toolset.starts_with("mcp-") { Source::Mcp } else { Source::Plugin },
        source_name: toolset.into(),
        definition: Definition::from_json(&definition.to_string()),
    }
}

/// An account system that has everything but mail, as in the search that once gave five unrelated tools.
fn desk() -> Vec<Entry> {
    vec![
        entry("mcp__desk__close_incident", "mcp-desk", "Closes an incident and sends an email.", &["incident_id"]),
        entry("mcp__desk__create_issue", "mcp-desk", "Creates an issue.", &["title", "body"]),
        entry("mcp__desk__get_accounts", "mcp-desk", "Lists the accounts of a tenant.", &["tenant"]),
        entry("mcp__desk__list_issues", "mcp-desk", "Lists open issues by page.", &["page", "state"]),
        entry("mcp__desk__open_incident", "mcp-desk", "Opens an incident and sends an email.", &["title"]),
        entry("weather_ask", "weather", "Tells the weather of a place.", &["place"]),
    ]
}

fn found(index: &Index, query: &str) -> Vec<&'static str> {
    let hits = index.search(query, 5);
    let names = hits.iter().map(|hit| index.entries()[hit.entry].name.as_str());
    names.map(|name| &*name.to_owned().leak()).collect()
}

#[test]
fn older_hermes_lets_in_whatever_shares_a_word_and_newer_asks_for_the_rarest() {
    let old = Index::new(desk(), Protocol::Single);
    let new = Index::new(desk(), Protocol::Batch);
    assert_eq!(found(&old, "send gmail email"), ["mcp__desk__open_incident", "mcp__desk__close_incident"]);
    assert_eq!(found(&new, "send gmail email"), [""; 0]);
    let explanation = new.explain("send gmail email", 5, 5);
    assert_eq!(explanation.gate.map(|gate| explanation.words[gate].word.as_str()), Some("gmail"));
    assert_eq!(explanation.admitted, 0);
    let nearest = &explanation.standings[0];
    assert_eq!((nearest.outcome, nearest.matched), (Outcome::NoGate, 2), "send and email are there");
}

#[test]
fn newer_hermes_finds_other_forms_of_a_word() {
    let old = Index::new(desk(), Protocol::Single);
    let new = Index::new(desk(), Protocol::Batch);
    assert_eq!(found(&new, "issue"), ["mcp__desk__create_issue", "mcp__desk__list_issues"]);
    assert_eq!(found(&old, "issue"), ["mcp__desk__create_issue"]);
    assert_eq!(found(&new, "account lists"), ["mcp__desk__get_accounts"]);
}

#[test]
fn a_label_is_searched_in_newer_hermes_only() {
    let entries = || vec![entry("ask", "mcp-weather", "Tells it.", &[]), entry("tell", "mcp-clock", "Tells it.", &[])];
    assert_eq!(found(&Index::new(entries(), Protocol::Batch), "weather"), ["ask"]);
    assert_eq!(found(&Index::new(entries(), Protocol::Single), "weather"), [""; 0]);
}

#[test]
fn of_many_words_half_must_be_there() {
    let index = Index::new(desk(), Protocol::Batch);
    // All five occur somewhere; opening an incident has three of them, the weather one.
    let query = "open incident email weather page";
    let explanation = index.explain(query, 5, 9);
    assert_eq!((explanation.answerable, explanation.required), (5, 3));
    let gate = explanation.gate.map(|gate| explanation.words[gate].word.as_str());
    assert_eq!(gate, Some("weather"), "the first of those that stand in one tool");
    let weather = index.entries().iter().position(|entry| entry.name.as_str() == "weather_ask").unwrap();
    assert_eq!(index.why(query, 5, weather).outcome, Outcome::TooFewWords { matched: 1, required: 3 });
    assert_eq!(found(&index, query), [""; 0]);
    // Below four words one is enough.
    assert_eq!(found(&index, "weather page"), ["weather_ask"]);
}

#[test]
fn the_exact_name_comes_first_whatever_else_matches() {
    let index = Index::new(desk(), Protocol::Batch);
    assert_eq!(found(&index, " MCP__desk__List_Issues ")[0], "mcp__desk__list_issues");
    let explanation = index.explain("mcp__desk__list_issues", 5, 0);
    assert_eq!(explanation.standings[0].by_name, Some(ByName::Exact));
}

#[test]
fn older_hermes_falls_back_to_a_part_of_the_name() {
    let index = Index::new(desk(), Protocol::Single);
    assert_eq!(found(&index, "ccount"), ["mcp__desk__get_accounts"]);
    let explanation = index.explain("ccount", 5, 0);
    assert_eq!(explanation.standings[0].by_name, Some(ByName::Contains));
    assert_eq!(found(&Index::new(desk(), Protocol::Batch), "ccount"), [""; 0]);
}

#[test]
fn shares_add_up_to_the_score_and_repeated_words_count_each_time() {
    for protocol in [Protocol::Single, Protocol::Batch] {
        let index = Index::new(desk(), protocol);
        let once = index.search("issue", 1)[0].score;
        let twice = index.search("issue issue", 1)[0].score;
        assert!((twice - 2.0 * once).abs() < 1e-12);
        for standing in index.explain("open incident title", 5, 5).standings {
            assert!((standing.score - standing.shares.iter().sum::<f64>()).abs() < 1e-12);
        }
    }
}

#[test]
fn another_set_of_tools_changes_frequencies_and_reads_nothing_again() {
    let mut index = Index::new(desk(), Protocol::Batch);
    index.replace(desk().into_iter().filter(|entry| !entry.name.as_str().contains("issue")).collect());
    assert_eq!(found(&index, "issue"), [""; 0], "a word that only tools outside the set have finds nothing");
    assert_eq!(index.explain("issue", 5, 5).words[0].tools, 0);
    index.replace(desk());
    let fresh = Index::new(desk(), Protocol::Batch);
    assert_eq!(index.search("issue title", 5), fresh.search("issue title", 5));
}

/// A bridge over one server's tools and the built-in ones of the small host.
struct Site {
    catalog: Catalog,
    settings: Settings,
    index: Index,
}

impl Site {
    fn new(rules: Rules, section: &str) -> Self {
        let mut document = document(rules);
        with_server(&mut document, "desk", &["close_incident", "list_issues"]);
        let catalog = Catalog::new(document);
        let config = config(&format!("{{\"tools\": {{\"tool_search\": {section}}}}}"));
        let settings = Settings::read(&config, catalog.host());
        let places =
            ["mcp__desk__close_incident", "mcp__desk__list_issues"].map(|name| catalog.tool_index(name).unwrap());
        let index = Index::of(&catalog, &places);
        Self { catalog, settings, index }
    }

    fn bridge(&self) -> Bridge<'_> {
        Bridge { index: &self.index, catalog: &self.catalog, settings: &self.settings, connections: false }
    }
}

#[test]
fn the_limit_is_the_settings_and_never_beyond_their_maximum() {
    let site = Site::new(Rules::v0_22(), r#"{"search_default_limit": 3, "max_search_limit": 8}"#);
    for (limit, wanted) in [
        (json!(null), 3),
        (json!(2), 2),
        (json!(99), 8),
        (json!(-1), 1),
        (json!("4"), 4),
        (json!("x"), 3),
        (json!(2.9), 2),
        (json!(true), 1),
        (json!([1]), 3),
    ] {
        assert_eq!(site.bridge().limit(&json!({"limit": limit})), wanted, "{limit}");
    }
    assert_eq!(site.bridge().limit(&json!({})), 3);
}

#[test]
fn results_are_the_versions_own_object() {
    let new = Site::new(Rules::v0_22(), "{}");
    assert_eq!(
        new.bridge().search(&json!({"queries": ["incidents", " "]})).text,
        r#"{"queries": ["incidents"], "total_available": 2, "results": [{"query": "incidents", "matches": ["mcp__desk__close_incident"]}], "tools": {"mcp__desk__close_incident": {"source": "mcp", "source_name": "mcp-desk", "description": "", "required": []}}}"#
    );
    let old = Site::new(Rules::v0_19(), "{}");
    assert_eq!(
        old.bridge().search(&json!({"query": " incident "})).text,
        r#"{"query": "incident", "total_available": 2, "matches": [{"name": "mcp__desk__close_incident", "source": "mcp", "source_name": "mcp-desk", "description": ""}]}"#
    );
    assert_eq!(
        old.bridge().describe(&json!({"name": "mcp__desk__list_issues"})).text,
        r#"{"name": "mcp__desk__list_issues", "description": "", "parameters": {}}"#
    );
    let described = new.bridge().describe(&json!({"names": ["shell", "mcp__desk__list_issues", "nobody"]}));
    assert!(described.own_words, "this catalog brings no sentences of Hermes");
    let described: serde_json::Value = serde_json::from_str(&described.text).unwrap();
    assert_eq!(described["tools"], json!({"mcp__desk__list_issues": {"description": "", "parameters": {}}}));
    assert_eq!(described["not_found"], json!(["nobody"]));
    assert_eq!(described["errors"].as_object().unwrap().keys().collect::<Vec<_>>(), ["shell"]);
}

#[test]
fn a_query_without_a_match_offers_the_sources() {
    let site = Site::new(Rules::v0_22(), "{}");
    let answer = site.bridge().search(&json!({"queries": ["zebra"]}));
    let answer: serde_json::Value = serde_json::from_str(&answer.text).unwrap();
    assert_eq!(answer["results"][0]["available_sources"], json!([{"name": "desk", "tool_count": 2}]));
    assert!(answer["results"][0]["hint"].is_string());
}

#[test]
fn too_many_queries_and_names_are_refused() {
    let site = Site::new(Rules::v0_22(), "{}");
    let Limits { queries, names, .. } = Limits::default();
    let many = |count: usize| vec!["issue"; count];
    assert!(!site.bridge().search(&json!({"queries": many(queries)})).text.starts_with("{\"error\""));
    assert!(site.bridge().search(&json!({"queries": many(queries + 1)})).text.starts_with("{\"error\""));
    let named = |count: usize| (0..count).map(|number| format!("tool_{number}")).collect::<Vec<_>>();
    assert!(!site.bridge().describe(&json!({"names": named(names)})).text.starts_with("{\"error\""));
    assert!(site.bridge().describe(&json!({"names": named(names + 1)})).text.starts_with("{\"error\""));
    // Names count once.
    assert!(!site.bridge().describe(&json!({"names": many(names + 1)})).text.starts_with("{\"error\""));
    for nothing in [json!({}), json!({"queries": []}), json!({"queries": [" ", null]}), json!({"queries": 7})] {
        assert!(site.bridge().search(&nothing).text.starts_with("{\"error\""), "{nothing}");
    }
}

#[test]
fn a_call_is_let_through_only_to_a_deferred_tool_of_this_conversation() {
    let site = Site::new(Rules::v0_22(), "{}");
    let call = |name: &str, arguments: serde_json::Value| {
        site.bridge().call(&json!({"calls": [{"name": name, "arguments": arguments}]}))
    };
    let accepted = |verdict: &Verdict| matches!(verdict, Verdict::Accepted { .. });
    assert!(accepted(&call("mcp__desk__list_issues", json!({}))));
    assert!(accepted(&call("mcp__desk__list_issues", json!(" "))), "blank text is no arguments");
    for (name, arguments) in [
        ("shell", json!({})),
        ("list_issues", json!({})),
        ("tool_call", json!({})),
        ("", json!({})),
        ("mcp__desk__list_issues", json!("{")),
        ("mcp__desk__list_issues", json!([1])),
    ] {
        assert!(matches!(call(name, arguments.clone()), Verdict::Refused(_)), "{name} {arguments}");
    }
    let Verdict::Refused(answer) = call("list_issues", json!({})) else { panic!("let through") };
    assert!(answer.text.contains("mcp__desk__list_issues"), "{}", answer.text);
    let older = Site::new(Rules::v0_19(), "{}");
    let verdict = older.bridge().call(&json!({"name": "mcp__desk__list_issues", "arguments": {"a": 1}}));
    assert_eq!(
        verdict,
        Verdict::Accepted {
            tool: "mcp__desk__list_issues".to_owned(),
            arguments: json!({"a": 1}),
            unchecked: Some(Unchecked::ByVersion)
        }
    );
}

#[test]
fn stems_are_those_of_the_stemmer_hermes_has() {
    let index = Index::new(Vec::new(), Protocol::Batch);
    let pairs = include_str!("../../../tests/data/stems.txt");
    let differ: Vec<&str> = pairs
        .lines()
        .filter(|pair| pair.split_once(' ').is_none_or(|(word, stem)| index.explain(word, 1, 0).words[0].stem != stem))
        .collect();
    assert_eq!(differ, [""; 0]);
    assert!(pairs.lines().count() >= 2_000);
}
