//! The native array beside Hermes' own functions: generated catalogs of one to four thousand tools, every setting.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use hermes_tools::engine::catalog::{Catalog, CatalogDocument, Definition, Surface, Tool, Toolset, ToolsetKind};
use hermes_tools::engine::meter::TokenCounts;
use hermes_tools::engine::report::{self, Inputs};
use hermes_tools::engine::value::Value;
use hermes_tools::engine::yaml::Document;
use hermes_tools::sources::sidecar::{Deadlines, LocateRequest, Worker, locate};
use sha2::{Digest, Sha256};

/// Catalogs for each version.
const CASES: u64 = 260;

/// A fixed sequence: the same catalogs every time.
struct Sequence(u64);

impl Sequence {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }
}

/// The installed functions, in one process.
struct Host {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
    _home: tempfile::TempDir,
}

impl Host {
    fn start(version: &str) -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut child = Command::new(crate::installs::folder(version).join("bin/python"))
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", home.path())
            .env("HERMES_HOME", home.path())
            .args(["-P", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/assembly.py")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let questions = child.stdin.take().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Self { child, questions, answers, _home: home }
    }

    fn ask(&mut self, question: &serde_json::Value) -> serde_json::Value {
        writeln!(self.questions, "{question}").unwrap();
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the installed Hermes says of itself.
async fn catalog_of(version: &str) -> CatalogDocument {
    let home = tempfile::tempdir().unwrap();
    let launcher = Some(crate::installs::launcher(version));
    let interpreter = locate(&LocateRequest { hermes_flag: launcher, ..LocateRequest::default() }).unwrap();
    let patience = Deadlines { start: Duration::from_secs(120), question: Duration::from_secs(120) };
    let worker = Worker::start(&interpreter, home.path(), patience).await.unwrap();
    let document = worker.catalog(Surface::Cli).await.unwrap();
    worker.stop().await;
    assert!(document.tool_search.is_some(), "the wording is Hermes' own: {:?}", document.problems);
    document
}

const WORDS: &[&str] = &[
    "Reads",
    "the",
    "file",
    "e.g.",
    "i.e.",
    "etc.",
    "v1.2",
    "and",
    "it's",
    "\"quoted\"",
    "back\\slash",
    "—",
    "…",
    "漢字",
    "🙂",
    "naïve",
    "end.",
    "really!",
    "why?",
    "a,",
    "b;",
    "c:",
    "\u{a0}",
    "\u{2028}",
    "\u{1c}",
    "\t",
    "\n\n",
    "\u{1b}[31m",
    "\u{200b}",
    "x.",
    "Fetc.",
    "E.G.",
    "\u{7f}",
    "\u{1}",
    "ﬁ",
    "`code`",
    "⟦count⟧",
    "⟦label⟧",
];

const LABELS: &[&str] = &[
    "mcp-github",
    "mcp-Zed",
    "mcp-a b",
    "mcp-",
    "mcp-ünïcode",
    "mcp-⟦count⟧",
    "weather",
    "terminal",
    "desktop_ui",
    "project",
    "session_search",
    "mcp-12",
    "mcp-linear",
    "mcp-jira",
    "browser-use",
];

fn description(random: &mut Sequence) -> String {
    match random.below(12) {
        0 => String::new(),
        1 => "x".repeat(random.below(200)),
        2 => (0..700).map(|_| random.pick(WORDS).to_owned()).collect::<Vec<_>>().join(" "),
        _ => (0..random.below(25)).map(|_| random.pick(WORDS).to_owned()).collect::<Vec<_>>().join(" "),
    }
}

/// Definitions by name, each with its registry toolset. Some have the names of Hermes' own core and deferred tools.
fn tools(random: &mut Sequence, own: &[(String, String)]) -> Vec<(String, String, String)> {
    let count = match random.below(20) {
        0 => 1,
        1..=12 => 1 + random.below(40),
        13..=18 => 1 + random.below(400),
        _ => 1000 + random.below(3000),
    };
    let groups = if random.below(4) == 0 { 1 } else { 1 + random.below(LABELS.len()) };
    let mut found = std::collections::BTreeMap::new();
    for number in 0..count {
        let mut toolset = LABELS[random.below(groups)];
        let name = match random.below(14) {
            0 if groups > 1 => {
                let (name, own_toolset) = &own[random.below(own.len())];
                toolset = own_toolset;
                name.clone()
            }
            1 => format!("{toolset}_{number}"),
            2 => "n".repeat(1 + random.below(80)),
            _ => format!("mcp__{}__tool_{number}", toolset.trim_start_matches("mcp-")),
        };
        let mut function = serde_json::json!({ "name": name, "description": description(random) });
        if random.below(4) > 0 {
            function["parameters"] = serde_json::json!({
                "type": "object", "properties": { "description": { "type": "string", "description": "no, this" } },
            });
        }
        if random.below(30) == 0 {
            function.as_object_mut().unwrap().remove("description");
        }
        let definition = serde_json::json!({ "type": "function", "function": function }).to_string();
        found.insert(name, (toolset.to_owned(), definition));
    }
    found.into_iter().map(|(name, (toolset, definition))| (name, toolset, definition)).collect()
}

/// `tools.tool_search` as YAML flow text, which is JSON or close to it.
fn settings(random: &mut Sequence) -> String {
    match random.below(12) {
        0 => return "null".to_owned(),
        1 => return "true".to_owned(),
        2 => return "false".to_owned(),
        3 => return "\"off\"".to_owned(),
        _ => {}
    }
    let mut entries = Vec::new();
    let enabled = ["true", "false", "\"on\"", "\" AUTO \"", "1", "null", "\"yes\"", "\"perhaps\"", "\"auto\""];
    if random.below(2) == 0 {
        entries.push(format!("\"enabled\": {}", random.pick(&enabled)));
    }
    let pct = ["0", "0.5", "1", "5", "10", "33.3", "100", "250", "-3", "\"2\"", "\"x\"", "null", "true", "0.07"];
    if random.below(2) == 0 {
        entries.push(format!("\"threshold_pct\": {}", random.pick(&pct)));
    }
    match random.below(4) {
        0 => entries
            .push(format!("\"listing_max_tokens\": {}", random.pick(&["5", "\"300\"", "99999", "null", "2.9e2"]))),
        1 => {}
        _ => {
            let most = if random.below(3) == 0 { 59_800 } else { 2_500 };
            entries.push(format!("\"listing_max_tokens\": {}", 200 + random.below(most)));
        }
    }
    if random.below(6) == 0 {
        entries.push(format!("\"listing\": {}", random.pick(&["\"off\"", "false", "\"on\"", "\"auto\"", "0"])));
    }
    if random.below(3) == 0 {
        let names = [
            "[]",
            "\"terminal\"",
            "[\"terminal\", \" web_search \", \"\", 7]",
            "[\"mcp__github__tool_1\", \"tool_search\"]",
            "null",
            "{}",
            "[\"manage_connections\", \"read_file\"]",
        ];
        entries.push(format!("\"defer\": {}", random.pick(&names)));
    }
    format!("{{{}}}", entries.join(", "))
}

fn toolset(key: &str, names: &[&str]) -> Toolset {
    let names: Vec<_> = names.iter().map(|name| (*name).into()).collect();
    Toolset {
        key: key.into(),
        label: key.to_owned(),
        description: String::new(),
        kind: ToolsetKind::Builtin,
        configurable: true,
        config_only: false,
        default_off: false,
        restricted_to: None,
        session_platforms: None,
        has_includes: false,
        posture: false,
        in_static_table: true,
        static_tools: names.clone(),
        denied_tools: names.clone(),
        tools: names,
    }
}

/// Whether our array for generated tools is the host's, to the byte.
async fn compare(version: &str) {
    let base = catalog_of(version).await;
    let mut host = Host::start(version);
    let mut random = Sequence(19 + version.len() as u64);
    let own: Vec<_> =
        base.tools.iter().map(|tool| (tool.name.as_str().to_owned(), tool.toolset.as_str().to_owned())).collect();
    let mut forms = std::collections::BTreeSet::new();
    for case in 0..CASES {
        let tools = tools(&mut random, &own);
        let section = settings(&mut random);
        let context = match random.below(3) {
            0 => None,
            1 => Some(1000 + random.next() % 100_000),
            _ => Some(200_000 + random.next() % 1_000_000),
        };
        let question = serde_json::json!({
            "tools": tools.iter().map(|(_, toolset, definition)| serde_json::json!({
                "toolset": toolset,
                "definition": serde_json::from_str::<serde_json::Value>(definition).unwrap(),
            })).collect::<Vec<_>>(),
            "settings": serde_json::from_str::<serde_json::Value>(&section).unwrap(),
            "context": context,
        });
        let theirs = host.ask(&question);

        let names: Vec<&str> = tools.iter().map(|(name, _, _)| name.as_str()).collect();
        let document = CatalogDocument {
            toolsets: vec![toolset("made", &names)],
            tools: tools
                .iter()
                .map(|(name, toolset, definition)| Tool {
                    name: name.as_str().into(),
                    toolset: toolset.as_str().into(),
                    server: None,
                    original_name: None,
                    definition: Definition::from_json(definition),
                    available: true,
                    unavailable_because: None,
                })
                .collect(),
            ..base.clone()
        };
        let catalog = Catalog::new(document);
        let text = format!("platform_toolsets: {{cli: [made]}}\ntools: {{tool_search: {section}}}\n");
        let config: Value = Document::parse(&text, catalog.rules().dialect).unwrap().value().clone();
        let counts = TokenCounts::default();
        let inputs = Inputs {
            catalog: &catalog,
            config: &config,
            platform: &"cli".into(),
            surface: Surface::Cli,
            assembly: None,
            counts: &counts,
            context_tokens: context,
        };
        let report = report::platform(&inputs);
        let ours = report::array(&inputs, &report);
        let what = format!("{version}, case {case}: {section}, window {context:?}, {} tools", tools.len());
        let ours_names: Vec<&str> = ours.tools.iter().map(|sent| sent.name.as_str()).collect();
        assert_eq!(ours.activated, theirs["activated"].as_bool().unwrap(), "{what}");
        assert_eq!(serde_json::json!(ours_names), theirs["names"], "{what}");
        if catalog.rules().tiered_listing {
            assert_eq!(u64::from(ours.tier.unwrap()), theirs["tier"].as_u64().unwrap(), "{what}");
            assert_eq!(ours.form.as_deref().unwrap_or("none"), theirs["form"], "{what}");
        }
        let listing = report::listing(&inputs).text;
        assert!(theirs["search"].as_str().unwrap_or_default().ends_with(&listing), "{what}\n{listing}\n{theirs}");
        let definitions: Vec<&str> = ours.tools.iter().map(|sent| sent.definition.text()).collect();
        let array = format!("[{}]", definitions.join(", "));
        assert_eq!(report.totals.json_bytes.value(), Some(array.len() as u64), "{what}: rows and framing");
        let sha256: String = Sha256::digest(array.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(sha256, theirs["sha256"], "{what}");
        forms.insert(format!("{}{}", theirs["form"].as_str().unwrap(), theirs["activated"]));
    }
    let expected = if base.rules.tiered_listing { 6 } else { 2 };
    assert_eq!(forms.len(), expected, "every form was met: {forms:?}");
}

#[tokio::test]
async fn generated_catalogs_are_assembled_as_0_19_does() {
    compare("v19").await;
}

#[tokio::test]
async fn generated_catalogs_are_assembled_as_0_22_does() {
    compare("v22").await;
}
