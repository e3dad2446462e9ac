//! The worker in two real Hermes installs: what it answers is what that Hermes does, and it leaves no trace.

mod counted;
mod trace;

use std::path::PathBuf;
use std::time::Duration;

use hermes_tools::engine::assembly::{Assembly, Fate};
use hermes_tools::engine::catalog::{Catalog, FORMAT, Surface};
use hermes_tools::engine::ids::PlatformKey;
use hermes_tools::engine::rules::Rules;
use hermes_tools::engine::selection::select;
use hermes_tools::engine::yaml::Document;
use hermes_tools::sources::sidecar::{AssembleRequest, Deadlines, Interpreter, LocateRequest, Worker, locate};

/// Both installs share two cores with their tests: patience is no part of what is tested.
const DEADLINES: Deadlines = Deadlines { start: Duration::from_secs(120), question: Duration::from_secs(120) };

/// Every kind of thing a config says about tools, in one text.
const CONFIG: &str = "\
platform_toolsets:
  cli: [web, terminal, file, todo, session_search, made_up]
  telegram: [hermes-telegram]
  discord: []
  slack: [no_mcp, memory]
  cron: null
agent:
  disabled_toolsets: [tts, safe]
mcp_servers:
  alpha:
    command: \"true\"
  beta:
    command: \"true\"
    enabled: false
";

/// An install and a fresh home.
struct Site {
    launcher: PathBuf,
    home: tempfile::TempDir,
}

impl Site {
    /// `v19` or `v22`, with this config.
    fn new(version: &str, config: &str) -> Self {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join("config.yaml"), config).unwrap();
        Self { launcher: crate::installs::launcher(version), home }
    }

    fn interpreter(&self) -> Interpreter {
        let named = LocateRequest { hermes_flag: Some(self.launcher.clone()), ..LocateRequest::default() };
        locate(&named).unwrap()
    }

    async fn worker(&self) -> Worker {
        Worker::start(&self.interpreter(), self.home.path(), DEADLINES).await.unwrap()
    }
}

fn array_of(platform: &str, config: Option<&str>) -> AssembleRequest {
    AssembleRequest {
        config_text: config.map(str::to_owned),
        platform: platform.into(),
        surface: Surface::of_platform(platform),
        context_tokens: None,
    }
}

fn names(assembly: &Assembly) -> Vec<&str> {
    assembly.tools.iter().map(|sent| sent.name.as_str()).collect()
}

async fn answers(version: &str) -> Catalog {
    let site = Site::new(version, CONFIG);
    let worker = site.worker().await;
    let hello = worker.hello();
    let home = PathBuf::from(&hello.hermes.home).canonicalize().unwrap();
    assert_eq!(home, site.home.path().canonicalize().unwrap());

    let document = worker.catalog(Surface::Cli).await.unwrap();
    assert_eq!(document.format, FORMAT);
    assert_eq!(document.problems, Vec::<String>::new());
    assert_eq!(document.hermes.version, hello.hermes.version);
    let catalog = Catalog::new(document);
    let registered: Vec<&str> = catalog.document().tools.iter().map(|tool| tool.name.as_str()).collect();
    assert!(registered.len() > 40, "{registered:?}");
    for tool in &catalog.document().tools {
        assert!(tool.definition.text().contains(&format!("\"name\": \"{}\"", tool.name)), "{}", tool.name);
        assert_eq!(tool.available, tool.unavailable_because.is_none(), "{}", tool.name);
    }
    for key in ["web", "terminal", "file", "todo"] {
        assert!(catalog.toolset(key).is_some_and(|toolset| toolset.configurable && !toolset.tools.is_empty()), "{key}");
    }
    assert!(catalog.toolset("hermes-cli").is_some_and(|bundle| bundle.in_static_table));

    resolves_as_the_engine(&worker, &catalog).await;
    builds_arrays(&worker).await;
    worker.stop().await;
    catalog
}

/// The referee and our own rules agree on every platform, for the saved file and for a text that is not on disk.
async fn resolves_as_the_engine(worker: &Worker, catalog: &Catalog) {
    let platforms: Vec<PlatformKey> =
        catalog.document().platforms.iter().map(|platform| platform.key.clone()).collect();
    assert!(platforms.len() > 15);
    let unsaved = CONFIG.replace("discord: []", "discord: [web, alpha]").replace("tts, safe", "todo");
    for (text, asked) in [(CONFIG, None), (CONFIG, Some(CONFIG)), (&unsaved, Some(unsaved.as_str())), ("", Some(""))] {
        let document = Document::parse(text, catalog.rules().dialect).unwrap();
        let theirs = worker.resolve(asked, &platforms).await.unwrap();
        for platform in &platforms {
            let ours = select(document.value(), catalog, platform);
            assert_eq!(ours.enabled(), theirs[platform], "{platform} of {text:?}");
        }
    }
}

async fn builds_arrays(worker: &Worker) {
    let saved = worker.assemble(&array_of("cli", None)).await.unwrap();
    assert!(saved.enabled.iter().any(|name| name == "terminal"));
    assert!(names(&saved.assembly).contains(&"terminal"));
    assert!(!names(&saved.assembly).contains(&"memory"), "memory is not listed");
    let repeated = worker.assemble(&array_of("cli", Some(CONFIG))).await.unwrap();
    assert_eq!(repeated, saved, "the same text, saved or not, is the same array");

    let without = CONFIG.replace("terminal, file, ", "");
    let fewer = worker.assemble(&array_of("cli", Some(&without))).await.unwrap();
    assert!(!fewer.enabled.iter().any(|name| name == "terminal"));
    assert!(!names(&fewer.assembly).contains(&"terminal"));
    // A tool is either sent or not.
    for array in [&saved.assembly, &fewer.assembly] {
        for absent in &array.absent {
            assert!(!names(array).contains(&absent.name.as_str()), "{}", absent.name);
            assert!(absent.fate != Fate::Unavailable || absent.why.is_some(), "{} without a reason", absent.name);
        }
    }
    let after = worker.assemble(&array_of("cli", None)).await.unwrap();
    assert_eq!(after, saved, "a question leaves nothing behind");

    let nothing = worker.assemble(&array_of("discord", None)).await.unwrap();
    assert!(names(&nothing.assembly).len() < names(&saved.assembly).len());
}

#[tokio::test]
async fn hermes_0_19_answers() {
    let catalog = answers("v19").await;
    assert_eq!(catalog.document().hermes.version, "0.19.0");
    // Each field is an answer of the installed code; the ones we know it by must be the same.
    assert_eq!(catalog.rules(), &Rules::v0_19());
    assert!(catalog.document().server_lists.is_empty());
}

#[tokio::test]
async fn hermes_0_22_answers() {
    let catalog = answers("v22").await;
    assert_eq!(catalog.rules(), &Rules::v0_22());
}

/// 0.22 keeps what servers said; their tools are in the catalog and behind the bridge, and no server is started.
#[tokio::test]
async fn cached_tools_of_servers_are_catalogued_and_deferred() {
    let site = Site::new("v22", "mcp_servers:\n  alpha:\n    command: touch\n    args: [started]\n");
    let cache = site.home.path().join("cache");
    std::fs::create_dir(&cache).unwrap();
    let entry = serde_json::json!({ "alpha": {
        "fingerprint": "0000000000000000", "written_at": 1_700_000_000,
        "tools": [
            { "name": "fetch-page", "description": "Fetches a page.", "inputSchema": { "type": "object", "properties": { "url": { "type": "string" } } } },
            { "name": "store", "description": "Stores a page.", "inputSchema": { "type": "object", "properties": {} } },
        ],
        "utility_tools": [],
    }});
    std::fs::write(cache.join("mcp_schema_cache.json"), entry.to_string()).unwrap();
    let worker = site.worker().await;
    let document = worker.catalog(Surface::Cli).await.unwrap();
    let list = document.server_lists.iter().find(|list| list.server.as_str() == "alpha").unwrap();
    assert_eq!((list.names.as_slice(), list.stale), (["fetch-page".to_owned(), "store".to_owned()].as_slice(), true));
    let tool = document.tools.iter().find(|tool| tool.original_name.as_deref() == Some("fetch-page")).unwrap();
    assert_eq!(tool.server.as_ref().map(|server| server.as_str()), Some("alpha"));
    assert_eq!(tool.name.as_str(), "mcp__alpha__fetch_page");
    assert!(tool.available);

    let answer = worker.assemble(&array_of("cli", None)).await.unwrap();
    assert!(answer.assembly.activated);
    let fate = answer.assembly.absent.iter().find(|absent| absent.name == tool.name).map(|absent| absent.fate);
    assert_eq!(fate, Some(Fate::Deferred));
    let off = worker
        .assemble(&array_of("cli", Some("mcp_servers: {alpha: {command: touch, enabled: false}}")))
        .await
        .unwrap();
    assert!(off.assembly.absent.iter().all(|absent| absent.name != tool.name || absent.fate != Fate::Deferred));
    worker.stop().await;
}
