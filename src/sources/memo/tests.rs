use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{MAX_ANSWERS, Question, load, store};
use crate::engine::assembly::{Assembly, Sent};
use crate::engine::catalog::{Definition, Surface};
use crate::engine::ids::PlatformKey;
use crate::sources::sidecar::AssembleAnswer;

fn answer(name: &str) -> AssembleAnswer {
    let definition = Definition::from_json(&format!(r#"{{"name": "{name}", "n": 1e-07}}"#));
    AssembleAnswer {
        enabled: vec!["web".into()],
        assembly: Assembly {
            platform: "cli".into(),
            surface: Surface::Cli,
            tools: vec![Sent { name: name.into(), toolset: "web".into(), definition }],
            absent: Vec::new(),
            tier: Some(1),
            form: Some("full".into()),
            activated: true,
            context_tokens: Some(200_000),
        },
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

struct Ground {
    cache: tempfile::TempDir,
    home: tempfile::TempDir,
    cli: PlatformKey,
}

impl Ground {
    fn new() -> Self {
        Self { cache: tempfile::tempdir().unwrap(), home: tempfile::tempdir().unwrap(), cli: "cli".into() }
    }

    fn question(&self) -> Question<'_> {
        Question {
            stamp: "one",
            home: self.home.path(),
            platform: &self.cli,
            surface: Surface::Cli,
            config_text: "a: 1\n",
            context_tokens: None,
        }
    }

    fn files(&self) -> Vec<std::path::PathBuf> {
        fs::read_dir(self.cache.path().join("assemblies")).unwrap().map(|entry| entry.unwrap().path()).collect()
    }
}

#[test]
fn an_answer_counts_for_ten_minutes() {
    let ground = Ground::new();
    let (question, now) = (ground.question(), now());
    assert_eq!(load(ground.cache.path(), &question, now), None);
    store(ground.cache.path(), &question, now, &answer("a")).unwrap();
    assert_eq!(load(ground.cache.path(), &question, now), Some(answer("a")));
    assert_eq!(load(ground.cache.path(), &question, now + 600), Some(answer("a")));
    assert_eq!(load(ground.cache.path(), &question, now + 601), None);
    assert_eq!(load(ground.cache.path(), &question, now - 1), None, "a clock set back proves nothing");
}

#[test]
fn whatever_an_array_depends_on_makes_another_question() {
    let ground = Ground::new();
    let (cache, now) = (ground.cache.path(), now());
    store(cache, &ground.question(), now, &answer("a")).unwrap();
    let (telegram, elsewhere) = ("telegram".into(), Path::new("/"));
    let base = ground.question();
    let others = [
        Question { stamp: "two", ..base },
        Question { home: elsewhere, ..base },
        Question { platform: &telegram, ..base },
        Question { surface: Surface::Cron, ..base },
        Question { config_text: "a: 2\n", ..base },
        Question { context_tokens: Some(0), ..base },
    ];
    for other in &others {
        assert_eq!(load(cache, other, now), None, "{other:?}");
    }
    for name in [".env", "auth.json", "cache/mcp_schema_cache.json", "plugins/mine/plugin.yaml"] {
        store(cache, &ground.question(), now, &answer(name)).unwrap();
        let path = ground.home.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "new").unwrap();
        assert_eq!(load(cache, &ground.question(), now), None, "{name} was written");
    }
}

#[test]
fn only_the_owner_may_read_and_damage_is_no_answer() {
    let ground = Ground::new();
    let (question, now) = (ground.question(), now());
    store(ground.cache.path(), &question, now, &answer("a")).unwrap();
    let files = ground.files();
    assert_eq!(files.len(), 1);
    assert_eq!(files[0].metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let folder = ground.cache.path().join("assemblies");
    assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    let good = fs::read_to_string(&files[0]).unwrap();
    for bad in ["", "{}", &good[..good.len() - 1], &good.replace("assembly@1", "assembly@2")] {
        fs::write(&files[0], bad).unwrap();
        assert_eq!(load(ground.cache.path(), &question, now), None);
    }
}

#[test]
fn the_folder_stays_small() {
    let ground = Ground::new();
    let now = now();
    let text = |number: usize| format!("n: {number}\n");
    for number in 0..MAX_ANSWERS + 6 {
        let text = text(number);
        let question = Question { config_text: &text, ..ground.question() };
        store(ground.cache.path(), &question, now, &answer("a")).unwrap();
    }
    assert_eq!(ground.files().len(), MAX_ANSWERS);
    let old = SystemTime::now() - Duration::from_secs(700);
    for path in ground.files() {
        fs::File::options().write(true).open(path).unwrap().set_modified(old).unwrap();
    }
    store(ground.cache.path(), &ground.question(), now, &answer("a")).unwrap();
    assert_eq!(ground.files().len(), 1, "only the new one is left");
}
