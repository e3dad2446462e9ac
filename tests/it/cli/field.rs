//! Configs that were found in the wild, and what a person is told about each.

use super::{Ran, User};

fn listed(config: &str, platform: &str) -> Ran {
    User::with_config(config).run(&["list", "--platform", platform])
}

/// Names that are on, toolsets and servers.
fn on(user: &User, platform: &str) -> Vec<String> {
    let json = user.run(&["list", "--json", "--platform", platform]).json();
    let rows = |rows: &str, name: &str| -> Vec<String> {
        let rows = json[rows].as_array().unwrap().iter().filter(|row| row["enabled"] == true);
        rows.map(|row| row[name].as_str().unwrap().to_owned()).collect()
    };
    [rows("toolsets", "toolset"), rows("servers", "server")].concat()
}

#[test]
fn a_config_that_leaves_nothing_says_so_and_names_the_entry() {
    let ran = listed("platform_toolsets: {cli: [terminal, file]}\nagent: {disabled_toolsets: [debugging]}\n", "cli");
    assert!(ran.stdout.contains("no tool reaches the model on cli"), "{ran}");
    assert!(ran.stdout.contains("debugging"), "the entry that takes them away: {ran}");
    let ran = listed("platform_toolsets: {telegram: [hermes-telegrm]}\n", "telegram");
    for words in ["Did you mean 'hermes-telegram'?", "no tool reaches the model on telegram"] {
        assert!(ran.stdout.contains(words), "{words}: {ran}");
    }
}

#[test]
fn denials_nobody_reads_are_found() {
    let user = User::with_config("disabled_toolsets: [terminal]\nagent: {disabled_toolsets: [termnal]}\n")
        .env("HERMES_DISABLED_TOOLSETS", "terminal");
    let ran = user.run(&["list"]);
    for words in ["reads no such key", "'termnal' denies nothing. Did you mean 'terminal'?"] {
        assert!(ran.stdout.contains(words), "{words}: {ran}");
    }
    assert!(ran.stderr.contains("HERMES_DISABLED_TOOLSETS is set, and no Hermes reads it"), "{ran}");
    assert!(on(&user, "cli").contains(&"terminal".to_owned()));
}

#[test]
fn an_old_name_means_what_its_version_makes_of_it() {
    let config = "platform_toolsets: {cli: [hermes]}\n";
    assert!(on(&User::with_config(config), "cli").len() > 10, "0.22 reads it as its bundle");
    let user = User::with_config_of_0_19(config);
    let ran = user.run(&["list"]);
    assert!(ran.stdout.contains("'hermes' switches nothing on"), "{ran}");
    assert!(ran.stdout.contains("no tool reaches the model on cli"), "{ran}");
}

#[test]
fn lists_of_the_wrong_kind_are_read_as_hermes_reads_them_and_flagged() {
    let defaults = on(&User::with_config("{}\n"), "cli");
    for (value, words) in [
        ("hermes-cli", "This is text where a list is expected"),
        ("{}", "This is a mapping where a list is expected"),
        ("5", "where a list is expected"),
    ] {
        let user = User::with_config(&format!("platform_toolsets: {{cli: {value}}}\n"));
        let ran = user.run(&["list"]);
        assert!(ran.stdout.contains(words), "{value}: {ran}");
        assert_eq!(on(&user, "cli"), defaults, "{value}");
    }
    let literal = "platform_toolsets: {cli: '[\"web\", \"spotify\"]'}\n";
    assert_eq!(on(&User::with_config(literal), "cli"), ["web", "spotify"]);
    assert_eq!(on(&User::with_config_of_0_19(literal), "cli"), defaults, "0.19 takes it for text");
    let ran = listed("platform_toolsets: {cli: [[web], {a: b}, web, null, 007, 1e3, yes]}\n", "cli");
    for words in ["Item 1 is a list", "Item 2 is a mapping", "Item 4 is empty", "'7'", "'1000.0'", "'True'"] {
        assert!(ran.stdout.contains(words), "{words}: {ran}");
    }
}

#[test]
fn one_listed_server_shuts_the_others_out_and_that_is_said_first() {
    let servers = "mcp_servers: {alpha: {command: x}, beta: {command: y}}\n";
    let of = |list: &str| on(&User::with_config(&format!("platform_toolsets: {{cli: [{list}]}}\n{servers}")), "cli");
    let has = |on: &[String], name: &str| on.iter().any(|known| known == name);
    assert!(has(&of("web"), "alpha") && has(&of("web"), "beta"));
    assert!(has(&of("web, alpha"), "alpha") && !has(&of("web, alpha"), "beta"));
    assert!(!has(&of("web, no_mcp"), "alpha"));
    let user = User::with_config(&format!("platform_toolsets: {{cli: [web]}}\n{servers}"));
    let ran = user.run(&["disable", "beta", "--platform", "cli", "--dry-run"]);
    assert!(ran.stdout.contains("+") && ran.stdout.contains("alpha"), "what the allow-list then holds: {ran}");
}

#[test]
fn numbers_as_names_stay_as_they_are_written() {
    let config = "platform_toolsets:\n  cli: [web, 12306, no_mcp, 007]\nmcp_servers:\n  404: {command: x}\n";
    let user = User::with_config(config);
    // Names that mean nothing pass through, as Hermes passes them through.
    assert_eq!(on(&user, "cli"), ["web", "12306", "7"]);
    let ran = user.run(&["enable", "file"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert!(user.config_text().contains("[web, 12306, no_mcp, 007, file]"), "{}", user.config_text());
    let ran = user.run(&["enable", "404", "--platform", "cli"]);
    assert!(ran.code == 1 && ran.stderr.contains("no_mcp"), "the sentinel is never cleared behind one's back: {ran}");
}

#[test]
fn malformed_servers_are_rows_with_a_reason_and_hide_nobody() {
    let config = "mcp_servers:\n  text: 'https://h.invalid/mcp?key=s3cret'\n  nothing:\n  list: [x]\n  empty: {}\n  nowhere: {url: null}\n  bare: {command: x, args: , env: ~, headers: }\n  json: {command: x, args: '[\"--db\"]', headers: '{\"X-Key\": \"s3cret\"}'}\n  unread: {command: x, disabled: true}\n  good: {command: x}\n";
    let user = User::with_config(config);
    let ran = user.run(&["list"]);
    for (server, words) in [
        ("text", "This is text where the server's settings are expected"),
        ("nothing", "where the server's settings are expected"),
        ("list", "This is a list where"),
        ("empty", "neither `command` nor `url`"),
        ("nowhere", "neither `command` nor `url`"),
        ("bare.args", "This is empty"),
        ("json.args", "This is text where a list is expected"),
        ("json.headers", "This is text where a mapping is expected"),
        ("unread", "does not read `disabled`"),
    ] {
        let place = format!("mcp_servers.{server}: ");
        assert!(ran.stdout.lines().any(|line| line.contains(&place) && line.contains(words)), "{server}: {ran}");
    }
    assert!(on(&user, "cli").contains(&"good".to_owned()) && !ran.to_string().contains("s3cret"), "{ran}");
}

#[test]
fn a_file_hermes_cannot_read_is_said_with_its_place_and_never_saved() {
    for (config, place) in [
        ("mcp_servers:\n  alpha: {command: x}\nmcp_servers:\n  beta: {}\n", "3:1: this key stands on line 1"),
        ("a: 1\n  b: 2\n", ":2:"),
        ("a:\n\tb: 2\n", ":2:1: a tab"),
        ("a: \"never closed\nb: 1\n", ":1:4: a quote that is never closed"),
        ("a: 1\n---\nb: 2\n", ":2:1: a second document"),
        ("a: 1\0b\n", ":1:5:"),
    ] {
        let user = User::with_config(config);
        let ran = user.run(&["list"]);
        assert!(ran.stderr.contains(place) && ran.stderr.contains("cannot read this file"), "{config:?}: {ran}");
        let ran = user.run(&["disable", "web"]);
        assert_eq!((ran.code, user.config_text().as_str()), (3, config), "{ran}");
    }
    let ran = User::with_config_of_0_19("mcp_servers: {alpha: {command: x}}\nmcp_servers: {beta: {command: y}}\n")
        .run(&["list"]);
    assert!(ran.stdout.contains("beta") && !ran.stdout.contains("alpha"), "0.19 keeps the last of two: {ran}");
}

#[test]
fn odd_files_that_hermes_reads_are_read() {
    for config in [
        "",
        "# only\n",
        "\u{feff}a: 1\n",
        "note: hi (>w<) there\nx: a|b\ny: \"has # inside\"\nz: it's\n",
        "a: \"\\U0001F4A5\"\n",
    ] {
        let user = User::with_config(config);
        let before = on(&user, "cli");
        let ran = user.run(&["disable", "web"]);
        assert_eq!(ran.code, 0, "{config:?}: {ran}");
        assert!(user.config_text().starts_with(config.trim_end_matches('\n')), "{}", user.config_text());
        assert_eq!(on(&user, "cli").len(), before.len() - 1, "{config:?}");
    }
    let user = User::with_config("- a\n- b\n");
    let ran = user.run(&["list"]);
    assert!(ran.stdout.contains("The file is a list where settings by name are expected"), "{ran}");
    assert_eq!(user.run(&["disable", "web"]).code, 3);
    assert_eq!(user.config_text(), "- a\n- b\n");
}
