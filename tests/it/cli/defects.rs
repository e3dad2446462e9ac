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
