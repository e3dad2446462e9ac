//! Inputs on which `hermes tools` itself goes wrong: ours reads and switches them rightly under both rule sets.

use serde_json::Value as Json;

use super::User;

/// The same config under the rules of 0.19 and of 0.22.
fn both(config: &str) -> [User; 2] {
    [User::with_config_of_0_19(config), User::with_config(config)]
}

/// Names of the server's tools that its filter lets through.
fn admitted(user: &User, server: &str) -> Vec<String> {
    let list = user.run(&["list", "--json"]).json();
    let servers = list["servers"].as_array().unwrap();
    let row = servers.iter().find(|row| row["server"] == server).unwrap();
    let tools = row["tools"].as_array().unwrap().iter().filter(|tool| tool["fate"] != "filtered");
    tools.map(|tool| tool["tool"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_tool_named_in_include_goes_out_of_include() {
    // Hermes adds it to `exclude`, which counts for nothing beside `include`.
    for user in both("mcp_servers:\n  github: {command: npx, tools: {include: [get_issue, list_issues]}}\n") {
        let ran = user.run(&["disable", "github:get_issue"]);
        assert_eq!(ran.code, 0, "{ran}");
        assert_eq!(admitted(&user, "github"), ["mcp__github__list_issues"], "{}", user.config_text());
        assert!(user.config_text().contains("include: [list_issues]"), "{}", user.config_text());
        assert!(!user.config_text().contains("exclude"), "{}", user.config_text());
    }
}

#[test]
fn text_as_an_exclude_list_is_one_name_before_and_after_a_switch() {
    // Hermes saves its letters.
    for user in both("mcp_servers:\n  github: {command: npx, tools: {exclude: get_issue}}\n") {
        let before = admitted(&user, "github");
        assert!(before.len() > 2 && !before.contains(&"mcp__github__get_issue".to_owned()), "{before:?}");
        let ran = user.run(&["disable", "github:create_issue"]);
        assert_eq!(ran.code, 0, "{ran}");
        assert!(user.config_text().contains("exclude: [get_issue, create_issue]"), "{}", user.config_text());
        assert_eq!(admitted(&user, "github").len() + 1, before.len(), "{}", user.config_text());
        let ran = user.run(&["enable", "github:get_issue"]);
        assert_eq!(ran.code, 0, "{ran}");
        assert!(admitted(&user, "github").contains(&"mcp__github__get_issue".to_owned()), "{}", user.config_text());
    }
}

#[test]
fn a_pattern_is_written_as_the_names_it_stands_for() {
    // Hermes stores it as typed, and 0.19 knows no patterns.
    for user in both("mcp_servers:\n  github: {command: npx}\n") {
        let before = admitted(&user, "github");
        let ran = user.run(&["disable", "github:get_*"]);
        assert_eq!(ran.code, 0, "{ran}");
        let after = admitted(&user, "github");
        let gets = |names: &[String]| names.iter().filter(|name| name.starts_with("mcp__github__get_")).count();
        assert!(gets(&before) > 0 && gets(&after) == 0, "{after:?}");
        assert_eq!(after.len(), before.len() - gets(&before), "{after:?}");
        assert!(!user.config_text().contains('*'), "{}", user.config_text());
    }
}

#[test]
fn nothing_where_the_lists_of_platforms_belong_is_replaced() {
    // Hermes ends in a traceback and saves nothing.
    for user in both("platform_toolsets:\nother: kept # so\n") {
        let ran = user.run(&["disable", "web", "--platform", "telegram"]);
        assert_eq!(ran.code, 0, "{ran}");
        let list = user.run(&["list", "--json", "--platform", "telegram"]).json();
        let rows = list["toolsets"].as_array().unwrap();
        let enabled = |name: &str| rows.iter().find(|row| row["toolset"] == name).unwrap()["enabled"].clone();
        assert_eq!((enabled("web"), enabled("file")), (false.into(), true.into()), "{}", user.config_text());
        assert!(user.config_text().contains("\nother: kept # so\n"), "{}", user.config_text());
    }
}

#[test]
fn a_servers_tool_for_one_platform_is_refused_and_not_switched_everywhere() {
    let config = "mcp_servers:\n  github: {command: npx}\n";
    for user in both(config) {
        let ran = user.run(&["disable", "github:get_issue", "--platform", "telegram"]);
        assert_eq!(ran.code, 2, "{ran}");
        assert!(ran.stderr.contains("counts everywhere"), "{ran}");
        assert_eq!(user.config_text(), config);
    }
}

#[test]
fn a_server_that_is_nothing_is_refused_with_the_reason_and_its_tools_too() {
    let config = "mcp_servers:\n  broken:\n  github: {command: npx}\n";
    for user in both(config) {
        for words in [["enable", "broken"], ["enable", "broken:tool"]] {
            let ran = user.run(&words);
            assert_eq!(ran.code, 1, "{words:?}: {ran}");
            assert!(ran.stderr.contains("broken"), "{words:?}: {ran}");
            assert_eq!(user.config_text(), config, "{words:?}");
        }
        for words in [["disable", "broken"], ["disable", "broken:tool"]] {
            let ran = user.run(&words);
            assert_eq!((ran.code, ran.stdout.trim()), (0, "nothing to do: already off"), "{words:?}: {ran}");
            assert_eq!(user.config_text(), config, "{words:?}");
        }
    }
}

#[test]
fn text_as_an_include_list_is_one_name_and_neither_letters_nor_all() {
    for user in both("mcp_servers:\n  github: {command: npx, tools: {include: get_issue}}\n") {
        assert_eq!(admitted(&user, "github"), ["mcp__github__get_issue"]);
        let ran = user.run(&["enable", "github:create_issue"]);
        assert_eq!(ran.code, 0, "{ran}");
        assert!(user.config_text().contains("include: [get_issue, create_issue]"), "{}", user.config_text());
        let mut names = admitted(&user, "github");
        names.sort();
        assert_eq!(names, ["mcp__github__create_issue", "mcp__github__get_issue"]);
    }
}

#[test]
fn nothing_where_tools_or_a_server_belong_stops_no_switch() {
    for user in both("mcp_servers:\n  broken:\n  github: {command: npx, tools: }\n") {
        let list = user.run(&["list", "--json"]).json();
        let broken: &Json = &list["servers"][0];
        assert_eq!((&broken["server"], &broken["enabled"]), (&"broken".into(), &false.into()), "{list}");
        assert_eq!(broken["rule"], "server-malformed");
        let before = admitted(&user, "github");
        let ran = user.run(&["disable", "github:get_issue"]);
        assert_eq!(ran.code, 0, "{ran}");
        let after = admitted(&user, "github");
        assert_eq!(after.len() + 1, before.len(), "{ran}");
        assert!(!after.contains(&"mcp__github__get_issue".to_owned()), "{after:?}");
        assert!(user.config_text().contains("\n  broken:\n"), "{}", user.config_text());
    }
}

#[test]
fn toolsets_of_one_platform_only_are_listed_and_switched_there() {
    for user in both("platform_toolsets: {discord: [web]}\n") {
        let enabled = |user: &User| {
            let list = user.run(&["list", "--json", "--platform", "discord"]).json();
            let rows = list["toolsets"].as_array().unwrap();
            rows.iter().find(|row| row["toolset"] == "discord_admin").unwrap()["enabled"].clone()
        };
        assert_eq!(enabled(&user), false);
        let ran = user.run(&["enable", "discord_admin", "--platform", "discord"]);
        assert_eq!(ran.code, 0, "{ran}");
        assert_eq!(enabled(&user), true, "{}", user.config_text());
    }
}

#[test]
fn a_tool_is_switched_off_also_where_an_include_list_decides() {
    for user in
        both("mcp_servers:\n  github: {command: npx, tools: {include: [get_issue, list_issues], exclude: [fork]}}\n")
    {
        let ran = user.run(&["disable", "github:get_issue"]);
        assert_eq!(ran.code, 0, "{ran}");
        assert_eq!(admitted(&user, "github"), ["mcp__github__list_issues"], "{}", user.config_text());
        assert!(user.config_text().contains("include: [list_issues]"), "{}", user.config_text());
    }
}

#[test]
fn text_as_an_exclude_list_is_one_name_and_stays_whole() {
    for user in both("mcp_servers:\n  github: {command: npx, tools: {exclude: get_issue}}\n") {
        let before = admitted(&user, "github").len();
        let ran = user.run(&["disable", "github:list_issues"]);
        assert_eq!(ran.code, 0, "{ran}");
        assert!(user.config_text().contains("exclude: [get_issue, list_issues]"), "{}", user.config_text());
        assert_eq!(admitted(&user, "github").len(), before - 1);
        let ran = user.run(&["enable", "github:get_issue", "github:list_issues"]);
        assert_eq!((ran.code, admitted(&user, "github").len()), (0, before + 1), "{ran}");
    }
}

#[test]
fn a_pattern_on_the_command_line_means_the_tools_it_matches() {
    for user in both("mcp_servers:\n  github: {command: npx}\n") {
        let all = admitted(&user, "github");
        let ran = user.run(&["disable", "github:get_*"]);
        assert_eq!(ran.code, 0, "{ran}");
        let left = admitted(&user, "github");
        assert!(left.len() < all.len() && left.iter().all(|name| !name.contains("__get_")), "{left:?}");
        assert_eq!(left, all.into_iter().filter(|name| !name.contains("__get_")).collect::<Vec<_>>());
        assert!(!user.config_text().contains('*'), "0.19 would take it for a name: {}", user.config_text());
        let ran = user.run(&["disable", "github:zzz_*"]);
        assert_eq!(ran.code, 1, "a pattern without a match is an error: {ran}");
    }
}

#[test]
fn nothing_where_the_platforms_belong_stops_no_switch() {
    for text in
        ["platform_toolsets:\n", "platform_toolsets: ~ # none yet\nmodel: x\n", "platform_toolsets: {cli: null}\n"]
    {
        for user in both(text) {
            let ran = user.run(&["disable", "web"]);
            assert_eq!(ran.code, 0, "{text:?}: {ran}");
            let list = user.run(&["list", "--json"]).json();
            let rows = list["toolsets"].as_array().unwrap();
            let on: Vec<&str> =
                rows.iter().filter(|row| row["enabled"] == true).map(|row| row["toolset"].as_str().unwrap()).collect();
            assert!(!on.contains(&"web") && on.contains(&"file"), "{text:?}: {on:?}\n{}", user.config_text());
            assert_eq!(user.config_text().matches("platform_toolsets").count(), 1, "{}", user.config_text());
        }
    }
}

#[test]
fn a_platform_with_a_servers_tool_is_told_that_it_counts_everywhere() {
    for user in both("mcp_servers:\n  github: {command: npx}\n") {
        let ran = user.run(&["disable", "github:get_issue", "--platform", "telegram"]);
        // Never silently more than was asked for.
        assert!(ran.code != 0 || ran.to_string().contains("everywhere"), "{ran}");
        if ran.code != 0 {
            assert!(ran.stderr.contains("every platform") || ran.stderr.contains("everywhere"), "{ran}");
            assert!(!user.config_text().contains("get_issue"), "{}", user.config_text());
        }
    }
}

#[test]
fn a_server_that_is_nothing_cannot_be_switched_and_says_why() {
    let text = "mcp_servers:\n  broken:\n  odd: [x]\n  github: {command: npx}\n";
    for user in both(text) {
        for name in ["broken", "odd"] {
            for words in [&["enable", name][..], &["disable", name, "--platform", "cli"]] {
                let ran = user.run(words);
                let refused = ran.code == 1 && ran.stderr.contains("where its settings are expected");
                assert!(refused || ran.stdout.contains("already off"), "{words:?}: {ran}");
            }
        }
        assert_eq!(user.config_text(), text);
    }
}
