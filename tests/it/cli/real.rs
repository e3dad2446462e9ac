//! Against the two real Hermes versions: what our verbs say and write is what Hermes then says.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use super::{Ran, User, tree};

const CONFIG: &str = "\
# kept
platform_toolsets:
  cli: [web, terminal, file, todo, memory, session_search, skills]
  telegram: [hermes-telegram]
agent:
  disabled_toolsets: [tts]
mcp_servers:
  alpha:
    command: \"true\"
    enabled: false
";

/// The installs, oldest first: `(name, launcher)`.
fn installs() -> [(&'static str, PathBuf); 2] {
    ["v19", "v22"].map(|name| (name, crate::installs::launcher(name)))
}

/// A user who has that Hermes.
struct Owner {
    user: User,
    launcher: PathBuf,
}

impl Owner {
    fn new(launcher: PathBuf, config: &str) -> Self {
        Self { user: User::new().config(config), launcher }
    }

    fn ours(&self, words: &[&str]) -> Ran {
        let launcher = self.launcher.display().to_string();
        let ran = self.user.run(&[&["--hermes", &launcher], words].concat());
        assert_eq!(ran.code, 0, "{words:?}: {ran}");
        ran
    }

    fn hermes(&self, words: &[&str]) -> String {
        let output = Command::new(&self.launcher)
            .args(words)
            .env_clear()
            .env("HOME", self.user.path("."))
            .env("HERMES_HOME", self.user.hermes())
            .env("PATH", "/usr/bin:/bin")
            .output()
            .unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Row by row what `hermes tools list` says is on.
    fn hermes_rows(&self, platform: &str) -> BTreeMap<String, bool> {
        let text = self.hermes(&["tools", "list", "--platform", platform]);
        let rows = text.lines().filter_map(|line| {
            let mut words = line.split_whitespace();
            let on = match (words.next()?, words.next()?) {
                ("✓", "enabled") => true,
                ("✗", "disabled") => false,
                _ => return None,
            };
            Some((words.next()?.to_owned(), on))
        });
        rows.collect()
    }

    /// The same rows as our `list` says.
    fn our_rows(&self, platform: &str, like: &BTreeMap<String, bool>) -> BTreeMap<String, bool> {
        let json = self.ours(&["list", "--json", "--platform", platform]).json();
        let rows = json["toolsets"].as_array().unwrap().iter();
        rows.map(|row| (row["toolset"].as_str().unwrap().to_owned(), row["enabled"].as_bool().unwrap()))
            .filter(|(key, _)| like.contains_key(key))
            .collect()
    }
}

#[test]
fn hermes_lists_what_our_switches_wrote() {
    for (name, launcher) in installs() {
        let owner = Owner::new(launcher, CONFIG);
        owner.ours(&["disable", "web", "todo"]);
        owner.ours(&["enable", "tts", "vision"]);
        owner.ours(&["disable", "terminal", "--platform", "telegram"]);
        for platform in ["cli", "telegram"] {
            let theirs = owner.hermes_rows(platform);
            assert!(theirs.len() > 15, "{name} {platform}: {theirs:?}");
            assert_eq!(owner.our_rows(platform, &theirs), theirs, "{name} {platform}\n{}", owner.user.config_text());
        }
        let theirs = owner.hermes_rows("cli");
        assert_eq!(
            [theirs["web"], theirs["todo"], theirs["tts"], theirs["vision"]],
            [false, false, true, true],
            "{name}"
        );
        let telegram = owner.hermes_rows("telegram");
        assert_eq!((telegram["terminal"], telegram["file"]), (false, true), "{name}");
        assert!(owner.user.config_text().starts_with("# kept\n"), "{name}");
    }
}

#[test]
fn prompt_size_of_the_inspect_surface_is_hermes_own() {
    for (name, launcher) in installs() {
        for config in ["", "platform_toolsets:\n  cli: [web, file, terminal]\n"] {
            let owner = Owner::new(launcher.clone(), config);
            let ours = owner.ours(&["prompt-size", "--surface", "inspect", "--json"]).json();
            let theirs: serde_json::Value = serde_json::from_str(&owner.hermes(&["prompt-size", "--json"])).unwrap();
            assert_eq!(ours["tools"], theirs["tools"], "{name} {config:?}");
            if let Some(rows) = theirs["toolsets_breakdown"].as_array() {
                let mut rows = rows.clone();
                for row in &mut rows {
                    if row["toolset"] == "(unknown)" {
                        row["toolset"] = "(bridge)".into();
                    }
                }
                assert_eq!(ours["toolsets_breakdown"].as_array().unwrap(), &rows, "{name} {config:?}");
            }
        }
    }
}

#[test]
fn hermes_is_asked_once_and_its_answer_kept() {
    for (name, launcher) in installs() {
        let owner = Owner::new(launcher, CONFIG);
        let source = |words: &[&str]| owner.ours(words).json()["hermes"]["source"].clone();
        assert_eq!(source(&["list", "--json"]), "live", "{name}");
        assert_eq!(source(&["list", "--json"]), "snapshot", "{name}");
        assert_eq!(source(&["list", "--json", "--live"]), "live", "{name}");
        let config = tree(&owner.user.hermes()).into_iter().find(|(path, _)| path.ends_with("config.yaml"));
        assert_eq!(config.unwrap().1, CONFIG.as_bytes(), "{name}");
    }
}

#[test]
fn doctor_finds_no_platform_resolved_differently() {
    for (name, launcher) in installs() {
        let json = Owner::new(launcher, CONFIG).ours(&["doctor", "--json"]).json();
        assert_eq!(json["worker_error"], serde_json::Value::Null, "{name}");
        assert!(json["platforms_compared"].as_u64().unwrap() > 10, "{name}");
        assert_eq!(json["divergences"], serde_json::json!([]), "{name}");
    }
}

#[test]
fn ablation_of_a_fresh_home_finds_what_was_measured_by_hand() {
    let (name, launcher) = installs()[1].clone();
    let owner = Owner::new(launcher, "");
    let json = owner.ours(&["ablate", "--surface", "inspect", "--json"]).json();
    let rows = json["rows"].as_array().unwrap();
    let row = |toolset: &str| rows.iter().find(|row| row["toolset"] == toolset).unwrap_or_else(|| panic!("{toolset}"));
    for (toolset, bytes, outcome, why) in [
        ("todo", -81, "bytes", "deferred"),
        ("session_search", -102, "bytes", "deferred"),
        ("cronjob", 0, "nothing", "unavailable here"),
        ("image_gen", 0, "nothing", "unavailable here"),
        ("computer_use", 0, "nothing", "unavailable here"),
        ("web", row("web")["bytes_delta"].as_i64().unwrap(), "tools+bytes", "changes the text of execute_code"),
    ] {
        let row = row(toolset);
        assert_eq!(row["bytes_delta"], bytes, "{name} {row}");
        assert_eq!(row["outcome"], outcome, "{name} {row}");
        assert!(row["why"].as_str().unwrap().contains(why), "{name} {row}");
        assert_eq!(row["tools_delta"] == 0, outcome != "tools+bytes", "{name} {row}");
    }
    let theirs: serde_json::Value = serde_json::from_str(&owner.hermes(&["prompt-size", "--json"])).unwrap();
    assert_eq!(json["baseline"]["json_bytes"], theirs["tools"]["json_bytes"]);
    // Hermes itself agrees with what one switch saves.
    owner.ours(&["disable", "todo"]);
    let after: serde_json::Value = serde_json::from_str(&owner.hermes(&["prompt-size", "--json"])).unwrap();
    let saved = theirs["tools"]["json_bytes"].as_i64().unwrap() - after["tools"]["json_bytes"].as_i64().unwrap();
    assert_eq!(saved, 81);
    let listing = owner.ours(&["prompt-size", "--surface", "inspect", "--json"]).json()["listing"].clone();
    let session = listing.as_array().unwrap().iter().find(|row| row["toolset"] == "session_search").unwrap().clone();
    assert_eq!(session["json_bytes"], 102);
}

#[test]
fn a_stock_install_has_no_odd_tool_under_any_provider() {
    for (name, launcher) in installs() {
        let owner = Owner::new(launcher, "");
        for provider in ["openai", "anthropic", "google"] {
            let json = owner.ours(&["lint", "--all", "--provider", provider, "--json"]).json();
            assert!(json["looked_at"].as_u64().unwrap() > 60, "{name}");
            assert_eq!((&json["warnings"], &json["twins"]), (&0.into(), &serde_json::json!([])), "{name}: {json}");
        }
    }
}
