//! Which home a run is about, and homes that are not what they should be.

use super::{User, tree};

const WEB: &str = "platform_toolsets:\n  cli: [web]\n";
const FILE: &str = "platform_toolsets:\n  cli: [file]\n";

/// `(home, toolsets that are on)` as `list --json` says.
fn opened(user: &User, words: &[&str]) -> (String, Vec<String>) {
    let ran = user.run(&[&["list", "--json"], words].concat());
    assert_eq!(ran.code, 0, "{ran}");
    let json = ran.json();
    let on = json["toolsets"].as_array().unwrap().iter().filter(|row| row["enabled"] == true);
    let on = on.map(|row| row["toolset"].as_str().unwrap().to_owned()).collect();
    (json["hermes"]["home"].as_str().unwrap().to_owned(), on)
}

fn profile(user: &User, name: &str, config: &str) {
    let home = user.hermes().join("profiles").join(name);
    std::fs::create_dir_all(&home).unwrap();
    std::fs::write(home.join("config.yaml"), config).unwrap();
}

#[test]
fn the_default_home_counts_without_any_word() {
    let user = User::with_config(WEB);
    let (home, on) = opened(&user, &[]);
    assert_eq!(home, "[USER]/.hermes");
    assert!(on.contains(&"web".to_owned()) && !on.contains(&"file".to_owned()), "{on:?}");
}

#[test]
fn the_environment_a_flag_and_a_profile_choose_other_homes() {
    let user = User::with_config(WEB);
    profile(&user, "coder", FILE);
    std::fs::create_dir(user.path("other")).unwrap();
    let other = user.path("other").display().to_string();
    assert_eq!(opened(&user, &["-p", "coder"]).0, "[USER]/.hermes/profiles/coder");
    assert_eq!(opened(&user, &["--profile", "default"]).0, "[USER]/.hermes");
    assert_eq!(opened(&user, &["--hermes-home", "other"]).0, "[USER]/other");
    let user = user.env("HERMES_HOME", &other);
    assert_eq!(opened(&user, &[]).0, "[USER]/other");
}

#[test]
fn the_sticky_profile_is_followed_and_a_dangling_one_is_an_error() {
    let user = User::with_config(WEB);
    profile(&user, "coder", FILE);
    std::fs::write(user.hermes().join("active_profile"), "coder\n").unwrap();
    let (home, on) = opened(&user, &[]);
    assert_eq!(home, "[USER]/.hermes/profiles/coder");
    assert!(on.contains(&"file".to_owned()), "{on:?}");
    std::fs::write(user.hermes().join("active_profile"), "gone\n").unwrap();
    let ran = user.run(&["list"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stderr.contains("'gone' no longer exists"), "{ran}");
    assert!(ran.stderr.contains("known profiles: default, coder"), "{ran}");
}

#[test]
fn a_profile_nobody_made_is_an_error_and_nothing_is_created() {
    let user = User::with_config(WEB);
    let before = tree(&user.hermes());
    let ran = user.run(&["list", "-p", "nobody"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stderr.contains("profile 'nobody' does not exist"), "{ran}");
    assert_eq!(tree(&user.hermes()), before);
}

#[test]
fn without_hermes_and_home_the_sample_is_shown_and_said_to_be_one() {
    let user = User::new();
    std::fs::remove_dir(user.hermes()).unwrap();
    let ran = user.run(&["list", "--json"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(ran.json()["hermes"]["source"], "sample");
    assert!(ran.stderr.contains("there is no Hermes home at [USER]/.hermes yet"), "{ran}");
    assert!(ran.stderr.contains("sample"), "{ran}");
    assert!(!user.hermes().exists());
}

#[test]
fn a_home_whose_hermes_cannot_be_asked_is_shown_but_not_written() {
    let user = User::new().config(WEB);
    let ran = user.run(&["list", "--json"]);
    assert_eq!((ran.code, ran.json()["hermes"]["source"].as_str()), (0, Some("sample")), "{ran}");
    assert!(ran.stderr.contains("no `hermes` on PATH"), "{ran}");
    let ran = user.run(&["disable", "web"]);
    assert_eq!(ran.code, 3, "{ran}");
    assert_eq!(user.config_text(), WEB);
}

#[test]
fn looking_writes_nothing_into_the_home() {
    let user = User::with_config(WEB);
    let before = tree(&user.hermes());
    for words in [&["list"][..], &["--summary"], &["doctor"], &["prompt-size"], &["catalog", "show"]] {
        let ran = user.run(words);
        assert_eq!(ran.code, 0, "{words:?}: {ran}");
    }
    assert_eq!(tree(&user.hermes()), before);
}

#[test]
fn a_file_where_the_home_should_be_is_said_plainly() {
    let user = User::with_config(WEB);
    let file = user.path("catalog.json").display().to_string();
    let ran = user.run(&["list", "--hermes-home", &file]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stderr.contains("catalog.json is a file, not a folder"), "{ran}");
}

#[test]
fn a_managed_install_is_not_written() {
    let user = User::with_config(WEB).env("HERMES_MANAGED", "true");
    let ran = user.run(&["disable", "web"]);
    assert_eq!(ran.code, 3, "{ran}");
    assert!(ran.stderr.contains("managed by NixOS"), "{ran}");
    assert_eq!(user.config_text(), WEB);
    let ran = user.run(&["disable", "web", "--dry-run"]);
    assert_eq!(ran.code, 0, "a dry run may look: {ran}");
}

#[test]
fn an_administrators_file_is_pointed_out() {
    let user = User::with_config(WEB);
    std::fs::create_dir(user.path("scope")).unwrap();
    std::fs::write(user.path("scope/config.yaml"), "agent: {}\n").unwrap();
    let scope = user.path("scope").display().to_string();
    let ran = user.env("HERMES_MANAGED_DIR", &scope).run(&["list"]);
    assert!(ran.stderr.contains("[USER]/scope/config.yaml is in force"), "{ran}");
}

#[test]
fn a_config_hermes_cannot_read_is_shown_as_defaults_with_the_place_and_never_written() {
    let broken = "platform_toolsets:\n  cli: [web\nmodel: x\n";
    let user = User::with_config(broken);
    let ran = user.run(&["list", "--json"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert!(ran.stderr.contains("[USER]/.hermes/config.yaml:"), "{ran}");
    assert!(ran.stderr.contains("Hermes cannot read this file"), "{ran}");
    let ran = user.run(&["disable", "web"]);
    assert_eq!(ran.code, 3, "{ran}");
    assert!(ran.stderr.contains("[USER]/.hermes/config.yaml:"), "{ran}");
    assert_eq!(user.config_text(), broken);
}

#[test]
fn in_place_of_an_unreadable_config_counts_the_newest_copy_hermes_0_22_kept() {
    let broken = "platform_toolsets:\n  cli: [web\nmodel: x\n";
    let is_on = |user: &User, toolset: &str| {
        let ran = user.run(&["list", "--json"]);
        let rows = ran.json()["toolsets"].as_array().unwrap().clone();
        let row = rows.iter().find(|row| row["toolset"] == toolset).unwrap();
        (row["enabled"].as_bool().unwrap(), ran.stderr)
    };
    for (user, keeps) in [(User::with_config(broken), true), (User::with_config_of_0_19(broken), false)] {
        let by_default = is_on(&user, "terminal").0;
        assert!(by_default, "terminal is on by default");
        let folder = user.hermes().join("backups/config");
        std::fs::create_dir_all(&folder).unwrap();
        let copies = [
            ("config.yaml.good.20260101-000000", "platform_toolsets:\n  cli: [terminal]\n"),
            ("config.yaml.good.20260102-000000", "platform_toolsets:\n  cli: [web]\n"),
            ("config.yaml.setup.20260103-000000", "platform_toolsets:\n  cli: [terminal]\n"),
        ];
        for (name, text) in copies {
            std::fs::write(folder.join(name), text).unwrap();
        }
        let (terminal, said) = is_on(&user, "terminal");
        assert_eq!(terminal, !keeps, "{said}");
        assert_eq!(said.contains("config.yaml.good.20260102-000000"), keeps, "{said}");
        // A damaged copy is passed over for the defaults, not for an older one.
        std::fs::write(folder.join(copies[1].0), "- a\n").unwrap();
        assert!(is_on(&user, "terminal").0);
        assert_eq!(user.run(&["disable", "web"]).code, 3);
        assert_eq!(user.config_text(), broken);
    }
}

#[test]
fn a_broken_catalog_file_is_an_error_with_its_path() {
    let user = User::with_config(WEB);
    std::fs::write(user.path("catalog.json"), "{\"format\": \"something/else@9\"}").unwrap();
    let ran = user.run(&["list"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stderr.contains("[USER]/catalog.json"), "{ran}");
}
