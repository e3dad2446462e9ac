//! Resolution over the small made-up host. The real ones are compared in `tests/it/resolve.rs`.

use super::*;
use crate::engine::catalog::CatalogDocument;
use crate::engine::testing::{catalog_19, catalog_22, config, document, with_plugin, with_server};

const D: &str = "file memory terminal todo web";

fn enabled(json: &str, catalog: &Catalog, platform: &str) -> String {
    select(&config(json), catalog, &platform.into()).enabled().join(" ")
}

fn cli_list(list: &str, more: &str) -> String {
    format!(r#"{{"platform_toolsets": {{"cli": {list}}}{more}}}"#)
}

fn changed(rules: Rules, change: impl FnOnce(&mut CatalogDocument)) -> Catalog {
    let mut document = document(rules);
    change(&mut document);
    Catalog::new(document)
}

fn reason(json: &str, catalog: &Catalog, platform: &str, key: &str) -> (bool, Reason) {
    let selection = select(&config(json), catalog, &platform.into());
    let entry = selection.entry(key).unwrap_or_else(|| panic!("{key} has an entry"));
    (entry.on, entry.reason.clone())
}

#[test]
fn lists_of_every_shape_resolve_as_measured() {
    let (old, new) = (catalog_19(), catalog_22());
    let with = |names: &str| {
        let mut names: Vec<&str> = names.split_whitespace().collect();
        names.sort_unstable();
        names.join(" ")
    };
    for (list, on_old, on_new) in [
        ("null", with(&format!("kanban {D}")), with(D)),
        (r#""web""#, with(&format!("kanban {D}")), with(D)),
        ("5", with(&format!("kanban {D}")), with(D)),
        (r#"{"web": true}"#, with(&format!("kanban {D}")), with(D)),
        (r#""[\"web\",\"file\"]""#, with(&format!("kanban {D}")), with("file web")),
        (r#""[web, file]""#, with(&format!("kanban {D}")), with(D)),
        ("[]", with("kanban"), with("")),
        (r#"["web"]"#, with("kanban web"), with("web")),
        (r#"["web", "web"]"#, with("kanban web"), with("web")),
        (r#"["hermes-cli"]"#, with(&format!("kanban {D}")), with(D)),
        (r#"["hermes-cli", "video"]"#, with(&format!("kanban video {D}")), with(&format!("video {D}"))),
        (r#"["hermes"]"#, with("hermes kanban"), with(D)),
        (r#"["bogus"]"#, with("bogus kanban"), with("bogus")),
        (r#"["web", "bogus"]"#, with("bogus kanban web"), with("bogus web")),
        (r#"["all"]"#, with(&format!("all kanban {D}")), with(&format!("all {D}"))),
        (r#"["*"]"#, with(&format!("* kanban {D}")), with(&format!("* {D}"))),
        (r#"["debugging"]"#, with("debugging file kanban terminal web"), with("debugging file terminal web")),
        (r#"["web", "debugging"]"#, with("debugging file kanban terminal web"), with("debugging file terminal web")),
        (r#"["web", "guild"]"#, with("kanban web"), with("web")),
        (r#"["todo", null, 7, true]"#, with("7 None True kanban todo"), with("7 None True todo")),
        (r#"["web_tools"]"#, with("kanban web_tools"), with("web_tools")),
        (r#"["stt"]"#, with("kanban stt"), with("stt")),
    ] {
        assert_eq!(enabled(&cli_list(list, ""), &old, "cli"), on_old, "0.19: {list}");
        assert_eq!(enabled(&cli_list(list, ""), &new, "cli"), on_new, "0.22: {list}");
    }
}

#[test]
fn sections_of_the_wrong_kind_count_as_missing() {
    let new = catalog_22();
    for json in [
        "{}",
        r#"{"platform_toolsets": null}"#,
        r#"{"platform_toolsets": "web"}"#,
        r#"{"platform_toolsets": ["web"]}"#,
        r#"{"mcp_servers": "x"}"#,
        r#"{"mcp_servers": ["x"]}"#,
        r#"{"agent": "x"}"#,
        r#"{"agent": {"disabled_toolsets": 5}}"#,
        r#"{"context": "lcm"}"#,
        r#"{"known_plugin_toolsets": 7}"#,
        r#"{"toolsets": 5}"#,
    ] {
        assert_eq!(enabled(json, &new, "cli"), D, "{json}");
    }
    assert_eq!(select(&Value::Null, &new, &"cli".into()).enabled().join(" "), D);
}

#[test]
fn servers_are_all_on_until_one_is_listed() {
    let new = catalog_22();
    let servers = r#", "mcp_servers": {"gh": {"command": "x"}, "lin": {"url": "y"}, "sleeping": {"enabled": false},
        "12306": {"command": "z"}, "odd": "text"}"#;
    for (list, on) in [
        ("[]", "12306 gh lin"),
        (r#"["web"]"#, "12306 gh lin web"),
        (r#"["web", "gh"]"#, "gh web"),
        (r#"["web", "sleeping"]"#, "12306 gh lin sleeping web"),
        (r#"["web", "mcp-gh"]"#, "12306 gh lin mcp-gh web"),
        (r#"["web", 12306]"#, "12306 web"),
        (r#"["web", "no_mcp"]"#, "web"),
        (r#"["web", "no_mcp", "gh"]"#, "web"),
        (r#"["no_mcp"]"#, ""),
    ] {
        assert_eq!(enabled(&cli_list(list, servers), &new, "cli"), on, "{list}");
    }
    let selection = select(&config(&cli_list(r#"["web", "gh"]"#, servers)), &new, &"cli".into());
    let reasons: Vec<_> = selection.entries.iter().filter(|entry| entry.is_server).map(|entry| &entry.reason).collect();
    assert_eq!(
        reasons,
        [
            &Reason::ServerListed,
            &Reason::OtherServersListed,
            &Reason::ServerDisabled,
            &Reason::OtherServersListed,
            &Reason::ServerMalformed { kind: "text".into() },
        ]
    );
}

#[test]
fn a_listed_server_that_is_off_is_told_from_a_name_that_means_nothing() {
    let new = catalog_22();
    let servers = r#", "mcp_servers": {"sleeping": {"enabled": false}}"#;
    let json = cli_list(r#"["web", "sleeping", "wbe"]"#, servers);
    let selection = select(&config(&json), &new, &"cli".into());
    assert_eq!(selection.toolset("sleeping").map(|entry| entry.on), Some(true), "Hermes keeps the name");
    assert_eq!(selection.server("sleeping").map(|entry| entry.on), Some(false));
    let unknown = Reason::PassedThrough { nearest: Some("web".into()) };
    assert_eq!(reason(&json, &new, "cli", "wbe"), (true, unknown));
}

#[test]
fn bundles_bring_what_they_cover_except_default_off() {
    let new = catalog_22();
    let inherited = |bundle: &str, default| Reason::Inherited { bundle: bundle.into(), default };
    assert_eq!(reason("{}", &new, "cli", "web"), (true, inherited("hermes-cli", true)));
    assert_eq!(reason("{}", &new, "cli", "video"), (false, Reason::DefaultOff));
    let debugging = cli_list(r#"["debugging"]"#, "");
    assert_eq!(reason(&debugging, &new, "cli", "file"), (true, inherited("debugging", false)));
    assert_eq!(reason(&debugging, &new, "cli", "memory"), (false, Reason::NotListed));
    assert_eq!(reason(&cli_list(r#"["hermes"]"#, ""), &new, "cli", "web"), (true, inherited("hermes", false)));
    assert_eq!(enabled("{}", &new, "api-server"), "file terminal");
}

#[test]
fn restricted_toolsets_come_with_a_saved_bundle_on_their_own_platform_only() {
    let new = catalog_22();
    let native = r#"{"platform_toolsets": {"guild": ["hermes-guild"], "cli": ["hermes-guild"]}}"#;
    assert!(enabled(native, &new, "guild").contains("guild"));
    assert!(!enabled(native, &new, "cli").contains("guild"));
    assert!(!enabled("{}", &new, "guild").contains("guild"), "the bare default leaves it off");
    let only = Reason::RestrictedTo { platforms: vec!["guild".into()] };
    assert_eq!(reason("{}", &new, "cli", "guild"), (false, only));
}

#[test]
fn native_extras_are_recovered_whatever_is_listed() {
    let json = r#"{"platform_toolsets": {"feishu": ["web"]}}"#;
    assert_eq!(enabled(json, &catalog_22(), "feishu"), "doc web");
    assert_eq!(reason(json, &catalog_22(), "feishu", "doc"), (true, Reason::RecoveredNative));
    assert_eq!(enabled(json, &catalog_19(), "feishu"), "doc kanban web");
}

#[test]
fn platforms_outside_the_table_keep_their_bundle_name() {
    assert_eq!(enabled("{}", &catalog_22(), "irc"), "file hermes-irc memory terminal todo web");
    assert_eq!(enabled("{}", &catalog_22(), "foo"), "hermes-foo");
}

#[test]
fn plugins_are_on_until_the_platform_was_asked_about_them() {
    for rules in [Rules::v0_19(), Rules::v0_22()] {
        let catalog = changed(rules, |document| {
            with_plugin(document, "weather", false);
            with_plugin(document, "peers", true);
        });
        assert_eq!(reason("{}", &catalog, "cli", "weather"), (true, Reason::PluginNotYetKnown));
        assert_eq!(reason("{}", &catalog, "cli", "peers"), (false, Reason::DefaultOff));
        let known = cli_list(r#"["web"]"#, r#", "known_plugin_toolsets": {"cli": ["weather"]}"#);
        assert_eq!(reason(&known, &catalog, "cli", "weather"), (false, Reason::PluginDeclined));
        let listed = cli_list(r#"["hermes-cli", "peers"]"#, "");
        assert_eq!(reason(&listed, &catalog, "cli", "peers"), (true, Reason::Listed));
        assert!(select(&config(&listed), &catalog, &"cli".into()).is_on("web"));
        for odd in [r#"{"cli": null}"#, r#"{"cli": "weather"}"#, "null"] {
            let json = cli_list(r#"["web"]"#, &format!(r#", "known_plugin_toolsets": {odd}"#));
            assert_eq!(reason(&json, &catalog, "cli", "weather"), (true, Reason::PluginNotYetKnown), "{odd}");
        }
    }
}

#[test]
fn the_environment_counts_where_the_version_asks_it() {
    let with_key = changed(Rules::v0_22(), |document| document.facts.xai_credentials = true);
    assert_eq!(reason("{}", &with_key, "cli", "x_search"), (true, Reason::XaiCredentials));
    assert_eq!(reason(&cli_list(r#"["web"]"#, ""), &with_key, "cli", "x_search"), (false, Reason::DefaultOff));
    for (rules, on) in [(Rules::v0_19(), true), (Rules::v0_22(), false)] {
        let home = changed(rules, |document| {
            document.facts.hass_token = true;
            document.toolsets.iter_mut().filter(|toolset| toolset.key.as_str() == "video").for_each(|toolset| {
                toolset.key = "homeassistant".into();
            });
        });
        assert_eq!(select(&config("{}"), &home, &"cli".into()).is_on("homeassistant"), on);
    }
}

#[test]
fn a_context_engine_stays_unless_the_list_is_empty() {
    let new = catalog_22();
    let engine = r#", "context": {"engine": " LCM "}"#;
    assert_eq!(reason(&cli_list(r#"["web"]"#, engine), &new, "cli", "context_engine"), (true, Reason::ContextEngine));
    assert!(!enabled(&cli_list("[]", engine), &new, "cli").contains("context"));
    let default = r#", "context": {"engine": "Compressor"}"#;
    assert!(!enabled(&cli_list(r#"["web"]"#, default), &new, "cli").contains("context"));
}

#[test]
fn root_toolsets_add_kanban_only_where_nothing_is_saved() {
    let (old, new) = (catalog_19(), catalog_22());
    let root = r#"{"toolsets": ["kanban"]}"#;
    assert_eq!(reason(root, &new, "cli", "kanban"), (true, Reason::RootToolsets));
    assert_eq!(reason(root, &old, "cli", "kanban"), (true, Reason::RecoveredNative));
    assert_eq!(enabled(&cli_list("[]", r#", "toolsets": ["kanban"]"#), &new, "cli"), "");
}

#[test]
fn the_deny_list_is_read_as_each_version_reads_it() {
    let (old, new) = (catalog_19(), catalog_22());
    let deny = |value: &str| format!(r#"{{"agent": {{"disabled_toolsets": {value}}}}}"#);
    for (value, on_old, on_new) in [
        (r#"["memory"]"#, "file kanban terminal todo web", "file terminal todo web"),
        (r#""memory""#, "file kanban memory terminal todo web", "file terminal todo web"),
        (r#"" memory ""#, "file kanban memory terminal todo web", "file terminal todo web"),
        (r#""['memory', 'web']""#, "file kanban memory terminal todo web", "file terminal todo"),
        (r#"{"memory": 1}"#, "file kanban terminal todo web", D),
        (r#"["debugging"]"#, "file kanban memory terminal todo web", "memory todo"),
        (r#"["hermes-cli"]"#, "file kanban memory terminal todo web", D),
        (r#"["coding"]"#, "file kanban memory terminal todo web", D),
        (r#"["web_tools"]"#, "file kanban memory terminal todo web", "file memory terminal todo"),
        (r#"["all"]"#, "file kanban memory terminal todo web", ""),
        ("true", "file kanban memory terminal todo web", D),
        (r#"[12306, null]"#, "file kanban memory terminal todo web", D),
    ] {
        assert_eq!(enabled(&deny(value), &old, "cli"), on_old, "0.19: {value}");
        assert_eq!(enabled(&deny(value), &new, "cli"), on_new, "0.22: {value}");
    }
    let through = Reason::DeniedThrough { entry: "debugging".into() };
    assert_eq!(reason(&deny(r#"["debugging"]"#), &new, "cli", "web"), (false, through));
    assert_eq!(reason(&deny(r#"["memory"]"#), &new, "cli", "memory"), (false, Reason::Denied));
}

#[test]
fn tools_stripped_at_run_time_name_the_entry_that_strips_them() {
    let catalog = changed(Rules::v0_19(), |document| with_server(document, "gh", &["issues", "pulls"]));
    let json = r#"{"agent": {"disabled_toolsets": ["debugging", "mcp-gh", "bogus"]}, "mcp_servers": {"gh": {}}}"#;
    let selection = select(&config(json), &catalog, &"cli".into());
    assert!(selection.is_on("terminal") && selection.is_on("gh"), "names stay ticked in 0.19");
    let stripped: Vec<_> = selection.stripped.iter().map(|(tool, by)| format!("{tool} by {by}")).collect();
    assert_eq!(
        stripped,
        [
            "mcp__gh__issues by mcp-gh",
            "mcp__gh__pulls by mcp-gh",
            "read_file by debugging",
            "shell by debugging",
            "web_search by debugging",
        ]
    );
}

#[test]
fn a_server_named_like_a_toolset_switches_both_on() {
    let new = catalog_22();
    let json = cli_list(r#"["web"]"#, r#", "mcp_servers": {"memory": {"command": "x"}}"#);
    let selection = select(&config(&json), &new, &"cli".into());
    assert_eq!(selection.enabled(), ["memory", "web"]);
    assert_eq!(selection.toolset("memory").map(|entry| &entry.reason), Some(&Reason::NoServerListed));
    assert_eq!(selection.server("memory").map(|entry| entry.on), Some(true));
}

#[test]
fn a_toolset_that_shipped_recently_joins_saved_lists_that_never_saw_it() {
    let catalog = changed(Rules { recently_shipped: vec!["todo".into()], ..Rules::v0_22() }, |_| {});
    assert_eq!(reason(&cli_list(r#"["web"]"#, ""), &catalog, "cli", "todo"), (true, Reason::RecentlyShipped));
    let offered = cli_list(r#"["web"]"#, r#", "known_builtin_toolsets": {"cli": ["todo"]}"#);
    assert_eq!(reason(&offered, &catalog, "cli", "todo"), (false, Reason::NotListed));
}

#[test]
fn portable_servers_count_unless_the_config_names_them() {
    let catalog = changed(Rules::v0_22(), |document| document.facts.portable_servers = vec!["port".into()]);
    assert_eq!(enabled(&cli_list("[]", ""), &catalog, "cli"), "port");
    assert_eq!(enabled(&cli_list("[]", r#", "mcp_servers": {"port": {"enabled": false}}"#), &catalog, "cli"), "");
}

#[test]
fn a_server_with_a_toolsets_name_is_off_where_the_deny_list_strips_that_toolset() {
    let new = catalog_22();
    for (entry, server) in [("*", "memory"), ("all", "memory"), ("*", "hermes-cli")] {
        let json = format!(
            r#"{{"mcp_servers": {{"{server}": {{"command": "x"}}, "gh": {{"command": "x"}}}}, "agent": {{"disabled_toolsets": ["{entry}"]}}}}"#
        );
        let selection = select(&config(&json), &new, &"cli".into());
        assert_eq!(selection.enabled(), ["gh"], "{json}");
        let found = selection.server(server).map(|entry| (entry.on, entry.reason.clone()));
        assert_eq!(found, Some((false, Reason::DeniedThrough { entry: entry.into() })), "{json}");
    }
    // 0.19 takes out names only.
    let json = r#"{"mcp_servers": {"memory": {"command": "x"}}, "agent": {"disabled_toolsets": ["*"]}}"#;
    assert!(select(&config(json), &catalog_19(), &"cli".into()).is_on("memory"));
}
