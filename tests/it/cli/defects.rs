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
