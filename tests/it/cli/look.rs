//! Verbs that look: their answers for people, for programs, and their manners.

use std::process::Stdio;

use super::User;

const CONFIG: &str = "\
platform_toolsets:
  cli: [web, file, terminl, todo, image_gen]
  telegram: [web, no_mcp]
mcp_servers:
  github: {command: npx, tools: {exclude: [create_issue]}}
  notes: {url: \"https://notes.invalid/mcp\"}
";

#[test]
fn list_says_state_rule_and_cost_in_json() {
    let user = User::with_config(CONFIG);
    let json = user.run(&["list", "--json"]).json();
    assert_eq!(json["schema"], "hermes-tools/list@1");
    assert_eq!((json["platform"].as_str(), json["surface"].as_str()), (Some("cli"), Some("cli")));
    assert_eq!(json["hermes"]["source"], "snapshot");
    let row = |name: &str| {
        let rows = json["toolsets"].as_array().unwrap();
        rows.iter().find(|row| row["toolset"] == name).unwrap_or_else(|| panic!("{name}")).clone()
    };
    assert_eq!((row("web")["enabled"].as_bool(), row("web")["rule"].as_str()), (Some(true), Some("listed")));
    assert_eq!((row("tts")["enabled"].as_bool(), row("tts")["rule"].as_str()), (Some(false), Some("not-listed")));
    let servers = json["servers"].as_array().unwrap();
    let github = servers.iter().find(|row| row["server"] == "github").unwrap();
    let tools = github["tools"].as_array().unwrap();
    let fate = |name: &str| tools.iter().find(|tool| tool["original"] == name).unwrap()["fate"].clone();
    assert_eq!(fate("create_issue"), "filtered");
    assert_eq!(github["transport"], "stdio");
    let notes = servers.iter().find(|row| row["server"] == "notes").unwrap();
    assert_eq!(notes["list"], serde_json::Value::Null);
}

#[test]
fn an_unknown_name_in_a_list_is_flagged_with_the_nearest_one() {
    let ran = User::with_config(CONFIG).run(&["list"]);
    assert!(ran.stdout.contains("terminl"), "{ran}");
    assert!(ran.stdout.contains("terminal"), "{ran}");
}

#[test]
fn plain_output_is_one_record_of_nine_fields_a_line() {
    let ran = User::with_config(CONFIG).run(&["list", "--plain"]);
    assert_eq!(ran.code, 0, "{ran}");
    for line in ran.stdout.lines() {
        assert_eq!(line.split('\t').count(), 9, "{line}");
    }
    assert!(ran.stdout.lines().any(|line| line.starts_with("server\ton\tgithub\tcreate_issue\tfiltered\t")), "{ran}");
}

#[test]
fn the_summary_has_a_line_for_each_platform_in_use() {
    let ran = User::with_config(CONFIG).run(&["--summary"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(ran.stdout.lines().count(), 2, "{ran}");
    let json = User::with_config(CONFIG).run(&["--summary", "--json"]).json();
    let platforms: Vec<_> = json["platforms"].as_array().unwrap().iter().map(|row| row["platform"].clone()).collect();
    assert_eq!(platforms, ["cli", "telegram"]);
}

#[test]
fn prompt_size_adds_up_to_the_byte() {
    for platform in ["cli", "telegram"] {
        let json = User::with_config(CONFIG).run(&["prompt-size", "--json", "--platform", platform]).json();
        let rows = json["toolsets_breakdown"].as_array().unwrap();
        let rows: u64 = rows.iter().map(|row| row["json_bytes"].as_u64().unwrap()).sum();
        let framing = json["framing_bytes"].as_u64().unwrap();
        assert_eq!(json["tools"]["json_bytes"].as_u64().unwrap(), rows + framing, "{json:#}");
        assert_eq!(framing, 2 * json["tools"]["count"].as_u64().unwrap());
        assert_eq!(json["certainty"], "estimated", "no Hermes was asked");
    }
}

#[test]
fn prompt_size_says_which_servers_it_cannot_count() {
    let ran = User::with_config(CONFIG).run(&["prompt-size", "--json"]);
    assert_eq!(ran.json()["mcp"]["missing"], serde_json::json!(["notes"]));
    assert_eq!(ran.json()["mcp"]["listed"], serde_json::json!(["github"]));
    let ran = User::with_config(CONFIG).run(&["prompt-size"]);
    assert!(ran.stderr.contains("not counted") && ran.stderr.contains("notes"), "{ran}");
}

#[test]
fn a_catalog_travels_through_a_file() {
    let user = User::new();
    assert_eq!(user.run(&["--sample", "catalog", "export", "out.json"]).code, 0);
    let ran = user.run(&["--catalog", "out.json", "catalog", "show", "--json"]);
    assert_eq!(ran.code, 0, "{ran}");
    let sample = user.run(&["--sample", "catalog", "show", "--json"]).json();
    assert_eq!(ran.json()["tools"], sample["tools"]);
    assert_eq!(ran.json()["definition_bytes"], sample["definition_bytes"]);
}

#[test]
fn doctor_checks_only_when_told_to() {
    let user = User::with_config(CONFIG);
    let ran = user.run(&["doctor"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(user.run(&["doctor", "--check"]).code, 4, "no Hermes was found, and that is trouble");
    let json = user.run(&["doctor", "--json", "--timings"]).json();
    assert_eq!(json["schema"], "hermes-tools/doctor@1");
    assert!(!json["timings"].as_array().unwrap().is_empty());
}

#[test]
fn wrong_words_are_exit_2_and_go_to_stderr() {
    let user = User::new();
    for words in [
        &["frobnicate"][..],
        &["list", "--plattform", "cli"],
        &["disable"],
        &["list", "--surface", "moon"],
        &["list", "--context", "0"],
        &["--sample", "--live", "list"],
        &["--summary", "list"],
    ] {
        let ran = user.run(words);
        assert_eq!(ran.code, 2, "{words:?}: {ran}");
        assert!(ran.stdout.is_empty() && !ran.stderr.is_empty(), "{words:?}: {ran}");
    }
}

#[test]
fn help_and_version_are_answers() {
    let user = User::new();
    for words in [&["--help"][..], &["--version"], &["help", "disable"]] {
        let ran = user.run(words);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{words:?}: {ran}");
    }
    assert!(user.run(&["--help"]).stdout.contains("Examples:"));
}

#[test]
fn without_a_terminal_the_ui_points_at_the_commands() {
    let ran = User::new().env("TERM", "xterm").run(&[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{ran}");
    assert!(ran.stderr.contains("hermes-tools list"), "{ran}");
}

#[test]
fn colour_is_only_there_when_asked_for_on_a_pipe() {
    let user = User::with_config(CONFIG);
    assert!(!user.run(&["list"]).stdout.contains('\u{1b}'));
    assert!(!user.run(&["list", "--color", "never"]).stdout.contains('\u{1b}'));
    let coloured = user.run(&["list", "--color", "always"]).stdout;
    assert!(coloured.contains("\u{1b}["), "{coloured}");
    // Colour carries nothing the words do not.
    let stripped = coloured.replace("\u{1b}[0m", "").replace("\u{1b}[1m", "").replace("\u{1b}[2m", "");
    let stripped = stripped.replace("\u{1b}[31m", "").replace("\u{1b}[32m", "");
    assert_eq!(stripped, user.run(&["list"]).stdout);
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let user = User::with_config(CONFIG);
    let mut child = user.command(&["list", "--json"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn completions_and_the_manual_are_made_from_the_same_words() {
    let user = User::new();
    for shell in ["bash", "zsh", "fish"] {
        let ran = user.run(&["completions", shell]);
        assert!(ran.code == 0 && ran.stdout.contains("prompt-size"), "{shell}: {ran}");
    }
    let ran = user.run(&["man"]);
    assert!(ran.code == 0 && ran.stdout.contains("prompt\\-size"), "{ran}");
}

#[test]
fn an_unknown_tokenizer_names_the_known_ones() {
    let ran = User::with_config(CONFIG).run(&["list", "--tokenizer", "abacus"]);
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.stderr.contains("o200k_base"), "{ran}");
}

#[test]
fn keys_are_the_live_ones_with_the_users_own() {
    let user = User::new();
    let bound = |user: &User, action: &str| {
        let json = user.run(&["keys", "--json"]).json();
        let keys = json["keys"].as_array().unwrap().iter().filter(|row| row["action"] == action);
        keys.map(|row| row["key"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert!(bound(&user, "toggle").contains(&"space".to_owned()));
    std::fs::create_dir_all(user.path(".config/hermes-tools")).unwrap();
    std::fs::write(user.path(".config/hermes-tools/config.toml"), "keys = 3\nbroken").unwrap();
    let ran = user.run(&["keys"]);
    assert!(ran.code == 0 && ran.stderr.contains("config.toml"), "{ran}");
}

#[test]
fn themes_are_listed_and_a_broken_one_of_the_users_says_why() {
    let user = User::new();
    std::fs::create_dir_all(user.path(".config/hermes-tools/themes")).unwrap();
    std::fs::write(user.path(".config/hermes-tools/themes/mine.toml"), "text = [").unwrap();
    let json = user.run(&["themes", "--json"]).json();
    let themes = json["themes"].as_array().unwrap();
    let theme = |name: &str| themes.iter().find(|row| row["theme"] == name).unwrap().clone();
    assert_eq!((theme("terminal")["default"].as_bool(), theme("terminal")["problem"].as_str()), (Some(true), None));
    assert_eq!(theme("mine")["embedded"], false);
    assert!(theme("mine")["problem"].is_string());
}

#[test]
fn words_that_are_refused_are_quoted_without_their_control_characters() {
    let user = User::new();
    let evil = "\u{1b}[2J\u{1b}]0;pwn\u{7}\u{202e}";
    let words: [&[&str]; 6] = [
        &[evil],
        &["list", "--context", evil],
        &["--surface", evil, "list"],
        &["--color", evil, "list"],
        &["completions", evil],
        &["list", &format!("--{evil}")],
    ];
    for words in words {
        let ran = user.run(words);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran}");
        assert!(ran.stderr.contains("\\u{202e}"), "{ran}");
        assert!(!ran.stderr.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{:?}", ran.stderr);
    }
}

#[test]
fn settings_are_quoted_without_their_control_characters() {
    let user = User::new();
    let folder = user.path(".config/hermes-tools");
    std::fs::create_dir_all(&folder).unwrap();
    let settings = r#"[keys]
toggle = ["\u001b[31m"]
"x\u001b" = "y"
quit = "\u202e"
[keys."p\u001b"]
"#;
    std::fs::write(folder.join("config.toml"), settings).unwrap();
    for words in [&["keys"][..], &["keys", "--json"]] {
        let ran = user.run(words);
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(ran.code == 0 && said.contains("31m") && said.contains("202e"), "{ran}");
        assert!(!said.contains(['\u{1b}', '\u{202e}']), "{said:?}");
    }
}
