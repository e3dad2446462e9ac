use crate::engine::assembly::host::Host;
use crate::engine::assembly::listing::Form;
use crate::engine::assembly::{Absent, Assembly, BRIDGE, Fate, Sent, UNREGISTERED};
use crate::engine::catalog::{Catalog, CatalogDocument, Definition, ListSource, ServerList, Surface};
use crate::engine::meter::{Figure, TokenCounts, compact};
use crate::engine::report::{Inputs, PlatformReport, ServerRow, ToolRow, ToolsetRow, platform};
use crate::engine::rules::Rules;
use crate::engine::testing::{config, document, with_server};

struct Case {
    catalog: Catalog,
    config: crate::engine::value::Value,
    counts: TokenCounts,
}

impl Case {
    fn new(document: CatalogDocument, json: &str) -> Self {
        Self { catalog: Catalog::new(document), config: config(json), counts: TokenCounts::default() }
    }

    fn report(&self, assembly: Option<&Assembly>) -> PlatformReport {
        let report = platform(&Inputs {
            catalog: &self.catalog,
            config: &self.config,
            platform: &"cli".into(),
            surface: Surface::Cli,
            assembly,
            counts: &self.counts,
            context_tokens: Some(200_000),
        });
        assert_adds_up(&report);
        report
    }
}

/// Rows plus framing equal the total, and so do the tools counted; held by every test here.
fn assert_adds_up(report: &PlatformReport) {
    let known = report.servers.iter().filter(|row| row.meter.wire_bytes != Figure::Unknown);
    let toolsets = report.toolsets.iter().chain(&report.bridge);
    let bytes: u64 = toolsets
        .clone()
        .map(|row| row.meter)
        .chain(known.clone().map(|row| row.meter))
        .map(|meter| meter.wire_bytes.value().unwrap())
        .sum();
    let sent: usize = toolsets.map(|row| row.sent).chain(known.map(|row| row.sent)).sum();
    assert_eq!(report.totals.tools.value(), Some(sent as u64));
    assert_eq!(report.totals.json_bytes.value().unwrap(), bytes + report.totals.framing_bytes.value().unwrap());
}

fn toolset<'a>(report: &'a PlatformReport, key: &str) -> &'a ToolsetRow {
    report.toolsets.iter().find(|row| row.key.as_str() == key).unwrap()
}

fn server<'a>(report: &'a PlatformReport, name: &str) -> &'a ServerRow {
    report.servers.iter().find(|row| row.name.as_str() == name).unwrap()
}

fn fates(tools: &[ToolRow]) -> Vec<(&str, Fate)> {
    tools.iter().map(|tool| (tool.name.as_str(), tool.fate)).collect()
}

fn sent(name: &str, toolset: &str, description: &str) -> Sent {
    let json = format!(r#"{{"type": "function", "function": {{"name": "{name}", "description": "{description}"}}}}"#);
    Sent { name: name.into(), toolset: toolset.into(), definition: Definition::from_json(&json) }
}

fn assembly(tools: Vec<Sent>) -> Assembly {
    Assembly {
        platform: "cli".into(),
        surface: Surface::Cli,
        tools,
        absent: Vec::new(),
        tier: None,
        form: None,
        activated: false,
        context_tokens: None,
    }
}

#[test]
fn on_and_sent_are_two_things() {
    let mut document = document(Rules::v0_22());
    let shell = document.tools.iter_mut().find(|tool| tool.name.as_str() == "shell").unwrap();
    shell.available = false;
    shell.unavailable_because = Some("no shell is installed".to_owned());
    let report = Case::new(document, r#"{"platform_toolsets": {"cli": ["web", "terminal"]}}"#).report(None);
    let terminal = toolset(&report, "terminal");
    assert!(terminal.on);
    assert_eq!((terminal.sent, terminal.meter.wire_bytes), (0, Figure::Exact(0)));
    assert_eq!(fates(&terminal.tools), [("shell", Fate::Unavailable)]);
    assert_eq!(terminal.tools[0].why.as_deref(), Some("check failed: no shell is installed"));
    assert!(terminal.tools[0].meter.schema_bytes.value().unwrap() > 40, "what it would weigh is known all the same");
    let memory = toolset(&report, "memory");
    assert!(!memory.on);
    assert_eq!(fates(&memory.tools), [("note", Fate::Off)]);
    assert!(matches!(report.totals.json_bytes, Figure::Estimated(_)), "a native sum carries a tilde");
    assert_eq!((report.totals.toolsets_on, report.totals.toolsets), (2, 11));
}

#[test]
fn a_stripped_tool_is_off_and_says_by_what() {
    let text = r#"{"platform_toolsets": {"cli": ["web", "file"]}, "agent": {"disabled_toolsets": ["search"]}}"#;
    let report = Case::new(document(Rules::v0_19()), text).report(None);
    let web = toolset(&report, "web");
    assert!(web.on, "0.19 keeps the name ticked");
    assert_eq!(fates(&web.tools), [("web_search", Fate::Off)]);
    assert_eq!(web.tools[0].why.as_deref(), Some("stripped by `search` in agent.disabled_toolsets"));
    assert_eq!(web.sent, 0);
}

#[test]
fn a_tool_reached_through_two_names_is_counted_once() {
    let text = r#"{"platform_toolsets": {"cli": ["web", "search"]}}"#;
    let report = Case::new(document(Rules::v0_22()), text).report(None);
    assert_eq!(toolset(&report, "web").sent, 1);
    assert_eq!(toolset(&report, "search").sent, 0);
    assert_eq!(report.totals.tools, Figure::Estimated(1));
}

#[test]
fn servers_show_what_is_sent_filtered_and_unknown() {
    let mut document = document(Rules::v0_22());
    with_server(&mut document, "gh", &["read", "write"]);
    let list = |server: &str, names: &[&str]| ServerList {
        server: server.into(),
        source: ListSource::SchemaCache,
        written_at: Some(7),
        stale: false,
        refused: None,
        took_ms: None,
        names: names.iter().map(|name| (*name).to_owned()).collect(),
    };
    document.server_lists = vec![list("gh", &["read", "write"])];
    let text = r#"{"platform_toolsets": {"cli": ["web"]}, "tools": {"tool_search": false}, "mcp_servers": {
        "gh": {"command": "x", "tools": {"exclude": ["write", "gone"]}},
        "lin": {"url": "https://x"},
        "off": {"command": "x", "enabled": false}}}"#;
    let report = Case::new(document, text).report(None);
    let gh = server(&report, "gh");
    let expected =
        [("mcp__gh__read", Fate::Eager), ("mcp__gh__write", Fate::Filtered), ("mcp__gh__gone", Fate::Filtered)];
    assert_eq!(fates(&gh.tools), expected, "an excluded name keeps a row, so that it can be switched on again");
    assert_eq!(gh.sent, 1);
    assert_eq!(gh.list, Some((ListSource::SchemaCache, Some(7))));
    assert!(matches!(gh.meter.wire_bytes, Figure::Exact(_)), "a server's definitions are sent as they are");
    let lin = server(&report, "lin");
    assert!(lin.on && lin.list.is_none());
    assert_eq!(lin.meter.wire_bytes, Figure::Unknown, "never zero");
    assert_eq!(report.totals.servers_without_list, ["lin".into()]);
    assert!(!server(&report, "off").on);
    assert_eq!((report.totals.servers_on, report.totals.servers), (2, 3));
    assert_eq!(report.totals.tools, Figure::Estimated(2));
}

#[test]
fn deferral_moves_tools_behind_an_estimated_bridge() {
    let mut document = document(Rules::v0_22());
    with_server(&mut document, "gh", &["read", "write"]);
    let text = r#"{"platform_toolsets": {"cli": ["web"]}, "mcp_servers": {"gh": {"command": "x"}}}"#;
    let report = Case::new(document.clone(), text).report(None);
    assert_eq!(
        fates(&server(&report, "gh").tools),
        [("mcp__gh__read", Fate::Deferred), ("mcp__gh__write", Fate::Deferred)]
    );
    // Heading and two bare lines, each with a line feed of two bytes, are the server's; the rest is the bridge's.
    let row = server(&report, "gh");
    assert_eq!(row.heading.wire_bytes, Figure::Estimated(2 + "gh tools (2):".len() as u64));
    let lines = (2 + "- mcp__gh__read".len()) + (2 + "- mcp__gh__write".len());
    assert_eq!(row.meter.wire_bytes, row.heading.wire_bytes + Figure::Estimated(lines as u64));
    let disclosure = &report.disclosure;
    assert_eq!((disclosure.tier, disclosure.listing.form, disclosure.deferred), (Some(1), Form::Full, 2));
    let host = Host::own(&Rules::v0_22());
    let whole = disclosure.bridge(&host).unwrap();
    let all = whole.search.bytes + whole.describe.bytes + whole.call.bytes;
    let bridge = report.bridge.as_ref().unwrap();
    assert_eq!(bridge.meter.wire_bytes + row.meter.wire_bytes, Figure::Estimated(all));
    assert_eq!(report.totals.tools, Figure::Estimated(4));

    let older = CatalogDocument { rules: Rules::v0_19(), ..document };
    let report = Case::new(older, text).report(None);
    assert_eq!(server(&report, "gh").sent, 2, "two small tools stay below 0.19's threshold");
    assert_eq!(report.bridge, None);
}

#[test]
fn hermes_own_array_replaces_every_estimate() {
    let mut document = document(Rules::v0_22());
    with_server(&mut document, "gh", &["read"]);
    let text =
        r#"{"platform_toolsets": {"cli": ["web", "file", "terminal"]}, "mcp_servers": {"gh": {"command": "x"}}}"#;
    let array = Assembly {
        activated: true,
        absent: vec![
            Absent { name: "shell".into(), fate: Fate::Unavailable, why: Some("check failed: gone".into()) },
            Absent { name: "mcp__gh__read".into(), fate: Fate::Deferred, why: None },
        ],
        ..assembly(vec![
            sent("read_file", "file", "reworded, and longer than the catalog says"),
            sent("web_search", "web", "é"),
            sent("tool_search", BRIDGE, "x"),
            sent("recall", UNREGISTERED, "a memory provider's"),
            sent("odd", "(unknown)", "Hermes' word for the same"),
            sent("mcp__gh__new", "mcp-gh", "not on our list"),
        ])
    };
    let report = Case::new(document, text).report(Some(&array));
    let texts: usize = array.tools.iter().map(|sent| sent.definition.text().len()).sum();
    assert_eq!(report.totals.json_bytes, Figure::Confirmed((texts + 12) as u64));
    assert_eq!(report.totals.tools, Figure::Confirmed(6));
    let reworded = array.tools[0].definition.text().len() as u64;
    assert_eq!(toolset(&report, "file").meter.wire_bytes, Figure::Confirmed(reworded));
    assert_eq!(toolset(&report, "terminal").tools[0].why.as_deref(), Some("check failed: gone"));
    assert_eq!(toolset(&report, UNREGISTERED).sent, 2);
    assert_eq!(report.bridge.as_ref().unwrap().sent, 1);
    let gh = server(&report, "gh");
    assert_eq!(fates(&gh.tools), [("mcp__gh__read", Fate::Deferred), ("mcp__gh__new", Fate::Eager)]);
    assert_eq!(gh.sent, 1);
}

#[test]
fn an_empty_array_still_has_its_brackets() {
    let report = Case::new(document(Rules::v0_22()), r#"{"platform_toolsets": {"cli": []}}"#).report(None);
    assert_eq!(report.totals.json_bytes, Figure::Estimated(2));
    let report =
        Case::new(document(Rules::v0_22()), r#"{"platform_toolsets": {"cli": []}}"#).report(Some(&assembly(vec![])));
    assert_eq!(report.totals.json_bytes, Figure::Confirmed(2));
}

#[test]
fn tokens_are_unknown_until_counted_and_each_tool_has_its_own() {
    let text = r#"{"platform_toolsets": {"cli": ["web", "file"]}}"#;
    let mut case = Case::new(document(Rules::v0_22()), text);
    assert_eq!(case.report(None).totals.tokens, Figure::Unknown);
    for (tool, tokens) in [("web_search", 20), ("read_file", 2000)] {
        let hash = compact(&case.catalog.tool(tool).unwrap().definition).0;
        case.counts.extend([(hash, tokens)]);
    }
    let report = case.report(None);
    assert_eq!(toolset(&report, "web").meter.tokens, Figure::Estimated(20));
    assert_eq!(toolset(&report, "file").meter.tokens, Figure::Estimated(2000));
    assert_eq!(report.totals.tokens, Figure::Estimated(2020));
}

#[test]
fn rows_nobody_can_switch_say_why() {
    let report = Case::new(document(Rules::v0_22()), "{}").report(None);
    assert_eq!(toolset(&report, "guild").locked.as_deref(), Some("exists on guild only"));
    assert!(toolset(&report, "stt").locked.is_some());
    assert_eq!(toolset(&report, "web").locked, None);
}

#[test]
fn a_server_named_like_a_toolset_is_counted_as_its_version_sends_it() {
    let case = |rules: Rules| {
        let mut document = document(rules);
        with_server(&mut document, "memory", &["open"]);
        if !document.rules.toolsets_hide_servers {
            let memory = document.toolsets.iter_mut().find(|toolset| toolset.key.as_str() == "memory").unwrap();
            memory.tools.push("mcp__memory__open".into());
        }
        Case::new(document, r#"{"mcp_servers": {"memory": {"command": "x"}}}"#)
    };
    let report = case(Rules::v0_19()).report(None);
    assert_eq!(fates(&server(&report, "memory").tools), [("mcp__memory__open", Fate::Unavailable)]);
    assert_eq!(server(&report, "memory").meter.wire_bytes.value(), Some(0));
    let report = case(Rules::v0_22()).report(None);
    assert_eq!(fates(&server(&report, "memory").tools), [("mcp__memory__open", Fate::Deferred)]);
    assert!(toolset(&report, "memory").tools.iter().any(|tool| tool.why.is_some() || tool.fate == Fate::Eager));
}

#[test]
fn what_the_provider_would_refuse_is_said() {
    let mut document = document(Rules::v0_19());
    let names: Vec<String> = (0..140).map(|number| format!("tool{number}")).collect();
    with_server(&mut document, "many", &names.iter().map(String::as_str).collect::<Vec<_>>());
    with_server(&mut document, "gh", &["read"]);
    document.tools.last_mut().unwrap().name = "mcp__gh__re.ad".into();
    document.server_lists =
        [("gh", vec!["read-file", "read_file", "read.file"]), ("g-h", vec!["x"]), ("g_h", vec!["x"])]
            .map(|(server, names)| ServerList {
                server: server.into(),
                source: ListSource::Probe,
                written_at: None,
                stale: false,
                refused: None,
                took_ms: None,
                names: names.into_iter().map(str::to_owned).collect(),
            })
            .into();
    let config = |more: &str| {
        format!(
            r#"{{"mcp_servers": {{"many": {{"command": "x"}}, "gh": {{"command": "x"{more}}}, "g-h": {{"command": "x"}}, "g_h": {{"command": "x"}}}},
                "tools": {{"tool_search": {{"enabled": false}}}}}}"#
        )
    };
    let texts = |json: &str| -> Vec<String> {
        let report = Case::new(document.clone(), json).report(None);
        report.findings.into_iter().map(|finding| format!("{}: {}", finding.place, finding.text)).collect()
    };
    let told = texts(&config(""));
    let says = |told: &[String], words: &str| told.iter().any(|text| text.contains(words));
    for words in [
        "takes 128",
        "mcp_servers.gh: OpenAI's API refuses the name 'mcp__gh__re.ad'",
        "all become 'mcp__gh__read_file'",
        "'x' of g-h, 'x' of g_h all become 'mcp__g_h__x'",
    ] {
        assert!(says(&told, words), "{words}: {told:#?}");
    }
    let told = texts(&config(r#", "tools": {"include": ["read_file"]}"#));
    assert!(!says(&told, "mcp__gh__read_file"), "what a filter leaves out takes no name: {told:#?}");
}
