//! Shapes of config.yaml found in the wild, by the binary: each is said at its place, in words, and stops nothing.

use serde_json::Value as Json;

use super::User;

/// What `list` finds odd: `place: text`, one a line.
fn told(user: &User) -> String {
    let ran = user.run(&["list", "--json"]);
    assert_eq!(ran.code, 0, "{ran}");
    let list = ran.json();
    let findings = list["findings"].as_array().unwrap().iter();
    let lines: Vec<String> =
        findings.map(|row| format!("{}: {}", row["place"].as_str().unwrap(), row["text"].as_str().unwrap())).collect();
    // The same for people, and in `doctor`.
    let human = user.run(&["list"]).stdout;
    let doctor = user.run(&["doctor"]).stdout;
    for line in &lines {
        assert!(human.contains(line) && doctor.contains(line), "{line}\n{human}\n{doctor}");
    }
    lines.join("\n")
}

fn row(user: &User, kind: &str, name: &str) -> Json {
    let list = user.run(&["list", "--json"]).json();
    let (rows, key) = if kind == "server" { (&list["servers"], "server") } else { (&list["toolsets"], "toolset") };
    let rows = rows.as_array().unwrap();
    rows.iter().find(|row| row[key] == name).unwrap_or_else(|| panic!("{name}: {list:#}")).clone()
}

fn is_on(user: &User, kind: &str, name: &str) -> bool {
    row(user, kind, name)["enabled"].as_bool().unwrap()
}

/// A version's user and every text that must be told; the empty text: nothing at all.
fn check(cases: &[(&str, &str, &str)]) {
    for (config, expected_old, expected_new) in cases {
        let users = [(User::with_config_of_0_19(config), expected_old), (User::with_config(config), expected_new)];
        for (user, expected) in users {
            let told = told(&user);
            assert!(if expected.is_empty() { told.is_empty() } else { told.contains(*expected) }, "{config}\n{told}");
            assert!(!told.contains("sk-leak"), "{config}\n{told}");
            assert_eq!(user.config_text(), *config, "looking rewrites nothing");
        }
    }
}

fn same(cases: &[(&str, &str)]) {
    check(&cases.iter().map(|(config, expected)| (*config, *expected, *expected)).collect::<Vec<_>>());
}

#[test]
fn something_else_than_a_list_is_said_with_its_repair() {
    let ignored = "platform_toolsets.cli: This is text where a list is expected; Hermes uses the platform's defaults.";
    let repaired = format!("{ignored} Write [hermes-cli, spotify], without quotes around it.");
    check(&[
        (
            "platform_toolsets: {cli: '[\"hermes-cli\",\"spotify\"]'}\n",
            &repaired,
            "platform_toolsets.cli: This is text that spells a list. This Hermes reads it, older ones do not. Write \
             [hermes-cli, spotify], without quotes around it.",
        ),
        ("platform_toolsets: {cli: \"[hermes-cli, spotify]\"}\n", &repaired, &repaired),
        ("platform_toolsets: {cli: 'hermes-cli, spotify'}\n", &repaired, &repaired),
    ]);
    same(&[
        ("platform_toolsets: {cli: hermes-cli}\n", "Write [hermes-cli], without quotes around it."),
        ("platform_toolsets: {cli: {}}\n", "platform_toolsets.cli: This is a mapping where a list is expected"),
        ("platform_toolsets: {cli: 5}\n", "platform_toolsets.cli: This is a number where a list is expected"),
        ("platform_toolsets: {cli: [[web]]}\n", "platform_toolsets.cli: Item 1 is a list where a name is expected"),
        ("platform_toolsets: {cli: [web, {k: sk-leak}]}\n", "Item 2 is a mapping where a name is expected"),
        ("platform_toolsets: {cli: [hermes-cli, null]}\n", "Item 2 is empty; Hermes reads it as the name 'None'."),
    ]);
}

#[test]
fn nothing_where_a_section_belongs_reads_as_absent_and_is_replaced_by_the_first_save() {
    for config in ["platform_toolsets:\n", "platform_toolsets: {cli: null}\n", "known_plugin_toolsets: ~\n", "agent:\n"]
    {
        for user in [User::with_config_of_0_19(config), User::with_config(config)] {
            assert_eq!(told(&user), "", "{config}");
            assert!(is_on(&user, "toolset", "web"), "{config}");
            let ran = user.run(&["disable", "web"]);
            assert_eq!(ran.code, 0, "{config}: {ran}");
            assert!(!is_on(&user, "toolset", "web") && is_on(&user, "toolset", "file"), "{}", user.config_text());
        }
    }
}

#[test]
fn keys_that_deny_nothing_are_said_with_the_one_that_does() {
    let deny = "Hermes reads no such key; toolsets are denied under agent.disabled_toolsets.";
    let list = "Hermes reads no such key; what is on is listed under platform_toolsets, for each platform.";
    for (config, expected) in [
        ("disabled_toolsets: [terminal]\n", format!("disabled_toolsets: {deny}")),
        ("tools: {disabled_toolsets: [terminal]}\n", format!("tools.disabled_toolsets: {deny}")),
        ("agent: {disabled_tools: [terminal]}\n", format!("agent.disabled_tools: {deny}")),
        ("tools: {enabled_toolsets: [web]}\n", format!("tools.enabled_toolsets: {list}")),
        ("enabled_toolsets: [web]\n", format!("enabled_toolsets: {list}")),
    ] {
        same(&[(config, &expected)]);
        let user = User::with_config(config);
        assert!(is_on(&user, "toolset", "terminal"), "{config}");
    }
    same(&[
        ("agent: {disabled_toolsets: [termnal]}\n", "'termnal' denies nothing. Did you mean 'terminal'?"),
        ("agent: {disabled_toolsets: [null]}\n", "agent.disabled_toolsets: Item 1 is empty"),
        (
            "agent: {disabled_toolsets: [{terminal: true}]}\n",
            "agent.disabled_toolsets: Item 1 is a mapping where a name",
        ),
    ]);
    check(&[(
        "agent: {disabled_toolsets: terminal}\n",
        "agent.disabled_toolsets: This is text where a list is expected; this Hermes denies nothing by it.",
        "",
    )]);
}

#[test]
fn a_variable_that_denies_nothing_is_said() {
    let user = User::with_config("{}\n").env("HERMES_DISABLED_TOOLSETS", "terminal");
    for words in [&["list"][..], &["doctor"], &["disable", "web"]] {
        let ran = user.run(words);
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(said.contains("HERMES_DISABLED_TOOLSETS is set, and no Hermes reads it"), "{ran}");
    }
    assert!(is_on(&user, "toolset", "terminal"));
}

#[test]
fn what_denying_a_composite_strips_is_named_by_version() {
    for composite in ["debugging", "safe"] {
        let config = format!("platform_toolsets: {{cli: [web]}}\nagent: {{disabled_toolsets: [{composite}]}}\n");
        let old = User::with_config_of_0_19(&config);
        assert!(is_on(&old, "toolset", "web"), "0.19 leaves the name");
        let told = told(&old);
        assert!(told.contains(&format!("'{composite}' strips")), "{told}");
        assert!(told.contains("no built-in tool reaches the model on cli"), "{told}");
        let new = User::with_config(&config);
        let web = row(&new, "toolset", "web");
        assert_eq!((&web["enabled"], web["rule"].as_str()), (&false.into(), Some("denied-through")), "{web}");
        assert!(
            web["why"].as_str().unwrap_or_default().contains(composite) || web.to_string().contains(composite),
            "{web}"
        );
    }
}

#[test]
fn a_bundles_name_in_the_deny_list_that_leaves_no_tool_is_an_error() {
    let config = "platform_toolsets: {cli: [hermes-cli]}\nagent: {disabled_toolsets: [all]}\n";
    let user = User::with_config_of_0_19(config);
    let list = user.run(&["list", "--json"]).json();
    assert_eq!(list["totals"]["tools"], 0, "{list:#}");
    let told = told(&user);
    assert!(told.contains("'all' strips every tool that is on: no built-in tool reaches the model on cli."), "{told}");
}

#[test]
fn legacy_and_misspelt_bundles_are_said_with_the_nearest_name() {
    check(&[("platform_toolsets: {cli: [hermes]}\n", "no tool reaches the model on cli", "")]);
    same(&[(
        "platform_toolsets: {cli: [hermes-clu]}\n",
        "'hermes-clu' switches nothing on. Did you mean 'hermes-cli'?",
    )]);
    let old = User::with_config_of_0_19("platform_toolsets: {cli: [hermes, kanban]}\n");
    assert!(told(&old).contains("'hermes' switches nothing on."), "{}", told(&old));
}

#[test]
fn numbers_are_names_and_keep_their_spelling() {
    let config = "platform_toolsets: {cli: [web, 12306, no_mcp, 007, 1e3, yes]}\nmcp_servers:\n  404: {command: x}\n";
    for user in [User::with_config_of_0_19(config), User::with_config(config)] {
        let told = told(&user);
        for name in ["'12306' switches nothing on.", "'7' switches nothing on.", "switches nothing on."] {
            assert!(told.contains(name), "{told}");
        }
        assert!(!is_on(&user, "server", "404"), "no_mcp");
        let ran = user.run(&["disable", "no_mcp", "--platform", "cli"]);
        assert_eq!(ran.code, 0, "{ran}");
        assert!(user.config_text().contains("12306, 007, 1e3, yes]"), "{}", user.config_text());
        assert!(is_on(&user, "server", "404"), "{}", user.config_text());
        let ran = user.run(&["disable", "404"]);
        assert_eq!(ran.code, 0, "{ran}");
        assert!(user.config_text().contains("\n  404: {command: x, enabled: false}\n"), "{}", user.config_text());
    }
}

#[test]
fn servers_listed_beside_no_mcp_are_listed_in_vain() {
    same(&[(
        "platform_toolsets: {cli: [web, no_mcp, alpha]}\nmcp_servers: {alpha: {command: x}}\n",
        "platform_toolsets.cli: 'alpha' is listed in vain: `no_mcp` keeps every server off.",
    )]);
}

#[test]
fn a_server_that_cannot_be_reached_is_said_and_the_next_ones_are_there() {
    let cases = [
        ("\"https://sk-leak.invalid/mcp\"", "mcp_servers.odd: This is text where the server's settings are expected"),
        ("", "mcp_servers.odd: This is nothing (null) where the server's settings are expected"),
        ("[sk-leak]", "mcp_servers.odd: This is a list where the server's settings are expected"),
        ("{}", "mcp_servers.odd: It has neither `command` nor `url`"),
        ("{url: null}", "mcp_servers.odd: It has neither `command` nor `url`"),
        ("{args: [x]}", "mcp_servers.odd: It has neither `command` nor `url`"),
        ("{command: [npx, sk-leak]}", "mcp_servers.odd.command: This is a list where text is expected"),
        ("{url: 5}", "mcp_servers.odd.url: This is a number where text is expected"),
        ("{command: x, args: }", "mcp_servers.odd.args: This is empty where a list is expected"),
        ("{command: x, args: ~}", "mcp_servers.odd.args: This is empty where a list is expected"),
        (
            "{command: x, args: '[\"--db\",\"sk-leak\"]'}",
            "mcp_servers.odd.args: This is text where a list is expected; Hermes cannot use it as it is. Take away the \
             quotes around the brackets.",
        ),
        ("{command: x, args: [8080]}", "mcp_servers.odd.args: Item 1 is a number where text is expected"),
        ("{command: x, env: }", "mcp_servers.odd.env: This is empty"),
        ("{command: x, env: {PORT: 8080}}", "mcp_servers.odd.env: 'PORT' is a number where text is expected"),
        ("{command: x, env: [sk-leak]}", "mcp_servers.odd.env: This is a list where a mapping is expected"),
        ("{url: \"https://h.invalid\", headers: }", "mcp_servers.odd.headers: This is empty"),
        (
            "{url: \"https://h.invalid\", headers: '{\"X-Key\":\"sk-leak\"}'}",
            "mcp_servers.odd.headers: This is text where a mapping is expected; Hermes cannot use it as it is. Take away \
             the quotes around the brackets.",
        ),
        ("{command: x, disabled: true}", "mcp_servers.odd: Hermes does not read `disabled`; write `enabled: false`."),
        ("{command: x, tools: web}", "mcp_servers.odd.tools: This is text; Hermes registers none"),
    ];
    for (entry, expected) in cases {
        let config = format!("mcp_servers:\n  odd: {entry}\n  good: {{command: x}}\n");
        same(&[(&config, expected)]);
        assert!(is_on(&User::with_config(&config), "server", "good"), "{entry}");
    }
}

#[test]
fn filters_that_do_not_say_what_was_meant_are_said() {
    let config = |tools: &str| format!("mcp_servers:\n  github: {{command: npx, tools: {{{tools}}}}}\n");
    for (tools, old, new) in [
        ("include: []", "an empty list means no filter", "an empty list means nothing"),
        ("include: null", "", ""),
        ("include: get_issue", "This is text; it counts as a list of one name.", "it counts as a list of one name."),
        ("include: 'get_issue, list_issues'", "counts as one name, commas", "counts as one name, commas"),
        ("exclude: {a: b}", "This is a mapping where a list of names", "This is a mapping where a list of names"),
        ("include: [get_issue, null]", "include: Item 2 is empty", "include: Item 2 is empty"),
        ("include: [get_isue]", "Did you mean 'get_issue'?", "Did you mean 'get_issue'?"),
        ("exclude: [\"get_*\"]", "'get_*' is a pattern, and this Hermes knows none", ""),
        ("exclude: [\"GET_*\"]", "is a pattern, and this Hermes knows none", "'GET_*' matches none of the tools known"),
        ("include: [get_issue], exclude: [get_issue]", "`include` wins", "`include` wins"),
    ] {
        check(&[(&config(tools), old, new)]);
    }
}

#[test]
fn a_key_that_stands_twice_is_read_as_hermes_does_with_both_places() {
    for (config, path, lines) in [
        ("mcp_servers: {a: {command: x}}\nmcp_servers: {b: {command: x}}\n", "mcp_servers", (1, 2)),
        ("mcp_servers:\n  b: {command: x, enabled: false}\n  b: {command: x}\n", "mcp_servers.b", (2, 3)),
        (
            "mcp_servers: {b: {command: x}}\nplatform_toolsets:\n  cli: [web]\n  cli: [file]\n",
            "platform_toolsets.cli",
            (3, 4),
        ),
    ] {
        // Before 0.22 the last one counts.
        let old = User::with_config_of_0_19(config);
        let ran = old.run(&["list"]);
        let said =
            format!("{path} stands twice in [USER]/.hermes/config.yaml, on line {} and on line {}", lines.0, lines.1);
        assert!(ran.code == 0 && ran.stderr.contains(&said), "{ran}");
        assert!(is_on(&old, "server", "b"), "{ran}");
        // From then on the file is refused, at the second place.
        let new = User::with_config(config);
        let ran = new.run(&["list"]);
        assert!(ran.stderr.contains(&format!("config.yaml:{}:", lines.1)), "{ran}");
        let ran = new.run(&["disable", "web"]);
        assert_eq!((ran.code, new.config_text().as_str()), (3, config), "{ran}");
    }
}

#[test]
fn what_is_inside_an_item_that_is_no_name_is_hidden_and_what_it_is_shows() {
    let config = "platform_toolsets:\n  cli: [{a: sk-leak, b: [sk-leak]}, [sk-leak], web, null, 007, 1e3, yes]\n";
    for user in [User::with_config_of_0_19(config), User::with_config(config)] {
        for words in
            [&["list"][..], &["list", "--json"], &["list", "--plain"], &["doctor"], &["disable", "web", "--dry-run"]]
        {
            let ran = user.run(words);
            assert!(ran.code == 0 && !ran.to_string().contains("sk-leak"), "{words:?}: {ran}");
        }
        let ran = user.run(&["list"]);
        for name in ["{'a': '…', 'b': ['…']}", "['…']", "None", "7", "True"] {
            let row = ran.stdout.lines().find(|line| line.starts_with(&format!("on     {name} ")));
            assert!(row.is_some_and(|row| row.contains("listed, but no toolset is called that")), "{name}: {ran}");
        }
    }
}
