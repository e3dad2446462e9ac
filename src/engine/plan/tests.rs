//! Plans over the small made-up host: the smallest edit, and what it must not touch.

use super::*;
use crate::engine::rules::Rules;
use crate::engine::selection::Selection;
use crate::engine::testing::{catalog_19, catalog_22, config, document, with_plugin};

fn toolset(platform: &str, key: &str) -> Target {
    Target::Toolset(platform.into(), key.into())
}

fn server_on(platform: &str, name: &str) -> Target {
    Target::ServerOn(platform.into(), name.into())
}

fn tool(server: &str, name: &str) -> Target {
    Target::ServerTool(server.into(), name.into())
}

fn wish(config: &Value, catalog: &Catalog, wishes: &[(Target, bool)]) -> Result<Plan, Refusal> {
    let mut draft = Draft::default();
    draft.apply(wishes, |target| state(config, catalog, target));
    plan(config, catalog, &draft)
}

/// The operations as JSON lines, bookkeeping left out.
fn ops(json: &str, catalog: &Catalog, wishes: &[(Target, bool)]) -> Vec<String> {
    match wish(&config(json), catalog, wishes) {
        Ok(plan) => plan
            .ops
            .iter()
            .filter(|op| !op.path()[0].starts_with("known_"))
            .map(|op| match op {
                Op::EditList { path, remove, append } => format!("{} -{remove:?} +{append:?}", path.join(".")),
                Op::Set { path, value } => format!("{} = {}", path.join("."), serde_json::to_string(value).unwrap()),
                Op::Remove { path } => format!("{} gone", path.join(".")),
            })
            .collect(),
        Err(refusal) => vec![format!("refused: {refusal}")],
    }
}

fn after(json: &str, catalog: &Catalog, platform: &str, wishes: &[(Target, bool)]) -> Selection {
    let config = config(json);
    let plan = wish(&config, catalog, wishes).expect("the wish can be granted");
    select(&apply(&config, &plan.ops), catalog, &platform.into())
}

fn consequences(json: &str, catalog: &Catalog, wishes: &[(Target, bool)]) -> Vec<String> {
    wish(&config(json), catalog, wishes).expect("the wish can be granted").consequences
}

#[test]
fn a_listed_toolset_is_taken_out_and_the_rest_stays() {
    let json = r#"{"platform_toolsets": {"cli": ["web", "bogus", 12306, "memory", null, "web"]}}"#;
    assert_eq!(ops(json, &catalog_22(), &[(toolset("cli", "web"), false)]), ["platform_toolsets.cli -[0, 5] +[]"]);
    assert_eq!(ops(json, &catalog_22(), &[(toolset("cli", "file"), true)]), [r#"platform_toolsets.cli -[] +["file"]"#]);
}

#[test]
fn a_missing_list_becomes_the_resolved_one() {
    for json in ["{}", r#"{"platform_toolsets": null}"#, r#"{"platform_toolsets": {"cli": null}}"#] {
        assert_eq!(
            ops(json, &catalog_22(), &[(toolset("cli", "web"), false)]),
            [r#"platform_toolsets.cli = ["file","memory","terminal","todo"]"#],
            "{json}"
        );
    }
    assert_eq!(
        after("{}", &catalog_22(), "cli", &[(toolset("cli", "web"), false)]).enabled(),
        ["file", "memory", "terminal", "todo"]
    );
}

#[test]
fn a_value_hermes_ignores_is_replaced_and_told() {
    let json = r#"{"platform_toolsets": {"cli": "web"}}"#;
    let wishes = [(toolset("cli", "web"), false)];
    assert_eq!(ops(json, &catalog_22(), &wishes), [r#"platform_toolsets.cli = ["file","memory","terminal","todo"]"#]);
    assert!(
        consequences(json, &catalog_22(), &wishes)
            .contains(&"platform_toolsets.cli was text, which Hermes ignores; it becomes a list.".to_owned())
    );
}

#[test]
fn text_that_spells_a_list_keeps_its_names() {
    let json = r#"{"platform_toolsets": {"cli": "[\"web\", \"bogus\", \"file\"]"}}"#;
    assert_eq!(
        ops(json, &catalog_22(), &[(toolset("cli", "web"), false)]),
        [r#"platform_toolsets.cli = ["bogus","file"]"#]
    );
}

#[test]
fn a_bundle_is_kept_on_enable_and_spelled_out_on_disable() {
    let json = r#"{"platform_toolsets": {"cli": ["hermes-cli", "bogus"]}}"#;
    assert_eq!(
        ops(json, &catalog_22(), &[(toolset("cli", "video"), true)]),
        [r#"platform_toolsets.cli -[] +["video"]"#]
    );
    let wishes = [(toolset("cli", "memory"), false)];
    assert_eq!(
        ops(json, &catalog_22(), &wishes),
        [r#"platform_toolsets.cli -[0] +["file", "terminal", "todo", "web"]"#]
    );
    assert!(consequences(json, &catalog_22(), &wishes)[0].contains("spells out what 'hermes-cli' stood for"));
    let debugging = r#"{"platform_toolsets": {"cli": ["web", "debugging"]}}"#;
    assert_eq!(
        ops(debugging, &catalog_22(), &[(toolset("cli", "web"), false)]),
        [r#"platform_toolsets.cli -[0, 1] +["file", "terminal"]"#]
    );
}

#[test]
fn the_legacy_name_is_spelled_out_too() {
    let json = r#"{"platform_toolsets": {"cli": ["hermes"]}}"#;
    assert_eq!(
        ops(json, &catalog_22(), &[(toolset("cli", "web"), false)]),
        [r#"platform_toolsets.cli -[0] +["file", "memory", "terminal", "todo"]"#]
    );
}

#[test]
fn what_a_composite_list_gave_by_itself_survives_an_append() {
    let mut made = document(Rules::v0_22());
    made.facts.xai_credentials = true;
    let catalog = Catalog::new(made);
    let json = r#"{"platform_toolsets": {"cli": ["hermes-cli"]}}"#;
    let now = after(json, &catalog, "cli", &[(toolset("cli", "video"), true)]);
    assert!(now.is_on("x_search") && now.is_on("video"), "x_search only comes by itself while no toolset is listed");
}

#[test]
fn enabling_takes_the_name_out_of_the_deny_list() {
    let json = r#"{"agent": {"disabled_toolsets": ["web", "memory"]}, "platform_toolsets": {"cli": ["web"], "telegram": ["web"]}}"#;
    let wishes = [(toolset("cli", "web"), true)];
    assert_eq!(ops(json, &catalog_22(), &wishes), ["agent.disabled_toolsets -[0] +[]"]);
    assert_eq!(consequences(json, &catalog_22(), &wishes), ["Besides, on 'telegram': 'web' switched on."]);
    for text in ["memory", "['memory']"] {
        let json = format!(r#"{{"agent": {{"disabled_toolsets": "{text}"}}}}"#);
        assert_eq!(ops(&json, &catalog_22(), &[(toolset("cli", "memory"), true)])[0], "agent.disabled_toolsets = []");
    }
    let through = r#"{"agent": {"disabled_toolsets": ["debugging"]}}"#;
    assert_eq!(
        ops(through, &catalog_22(), &[(toolset("cli", "web"), true)]),
        [
            "refused: 'debugging' under agent.disabled_toolsets strips every tool of 'web'; take 'debugging' out of that list first"
        ]
    );
}

#[test]
fn bookkeeping_appends_what_is_missing_and_replaces_null() {
    let mut made = document(Rules::v0_22());
    with_plugin(&mut made, "weather", false);
    let catalog = Catalog::new(made);
    let json = r#"{"platform_toolsets": {"cli": ["web"]}, "known_plugin_toolsets": null,
        "known_builtin_toolsets": {"cli": ["web", "own"]}}"#;
    let config = config(json);
    let plan = wish(&config, &catalog, &[(toolset("cli", "file"), true)]).expect("granted");
    let after = apply(&config, &plan.ops);
    let list = |section: &str| after.at(&[section, "cli"]).map(ToString::to_string).unwrap_or_default();
    assert_eq!(list("known_plugin_toolsets"), "['weather']");
    assert!(list("known_builtin_toolsets").starts_with("['web', 'own', 'context_engine', 'file'"));
    assert_eq!(
        list("platform_toolsets"),
        "['web', 'file', 'weather']",
        "a plugin's toolset that was on by being new is listed, or it would go off"
    );
}

#[test]
fn a_plugin_can_be_switched_off() {
    let mut made = document(Rules::v0_19());
    with_plugin(&mut made, "weather", false);
    let catalog = Catalog::new(made);
    let wishes = [(toolset("cli", "weather"), false)];
    for json in ["{}", r#"{"platform_toolsets": {"cli": ["hermes-cli"]}}"#] {
        let now = after(json, &catalog, "cli", &wishes);
        assert!(!now.is_on("weather") && now.is_on("web"), "{json}");
    }
}

#[test]
fn what_no_list_can_say_is_refused_with_the_rule() {
    let (old, new) = (catalog_19(), catalog_22());
    let cases = [
        (&old, "{}", toolset("cli", "kanban"), false, "'kanban' comes with cli whatever its list says"),
        (
            &new,
            r#"{"context": {"engine": "lcm"}, "platform_toolsets": {"cli": ["web"]}}"#,
            toolset("cli", "context_engine"),
            false,
            "because context.engine names an engine",
        ),
        (&new, "{}", toolset("cli", "guild"), true, "'guild' exists on guild only"),
        (&new, "{}", toolset("cli", "stt"), true, "has settings but no tools"),
        (&new, "{}", toolset("cli", "termnal"), true, "did you mean 'terminal'?"),
        (&new, "{}", toolset("cli", "hermes-telegram"), true, "a platform's whole bundle"),
        (&new, r#"{"platform_toolsets": "x"}"#, toolset("cli", "web"), false, "platform_toolsets is text"),
        (&new, r#"{"mcp_servers": {"gh": "url"}}"#, Target::Server("gh".into()), true, "is text where its settings"),
        (&new, "{}", Target::Server("gh".into()), true, "there is no server 'gh'"),
    ];
    for (catalog, json, target, on, expected) in cases {
        let told = ops(json, catalog, &[(target, on)]).join("");
        assert!(told.starts_with("refused") && told.contains(expected), "{told}");
    }
}

const SERVERS: &str = r#""mcp_servers": {"gh": {}, "lin": {}, "sleeping": {"enabled": "no"}, "12306": {}}"#;

#[test]
fn a_server_is_switched_by_its_own_key() {
    let json = format!("{{{SERVERS}}}");
    assert_eq!(ops(&json, &catalog_22(), &[(Target::Server("gh".into()), false)]), ["mcp_servers.gh.enabled = false"]);
    assert_eq!(
        ops(&json, &catalog_22(), &[(Target::Server("sleeping".into()), true)]),
        ["mcp_servers.sleeping.enabled = true"]
    );
}

#[test]
fn a_server_is_kept_off_one_platform_by_listing_the_others() {
    let new = catalog_22();
    let listed = |list: &str| format!(r#"{{"platform_toolsets": {{"cli": {list}}}, {SERVERS}}}"#);
    for (list, target, on, expected) in [
        (r#"["web"]"#, "gh", false, r#"platform_toolsets.cli -[] +["lin", "12306"]"#),
        (r#"["web", "gh", "lin"]"#, "gh", false, "platform_toolsets.cli -[1] +[]"),
        (r#"["web", "gh"]"#, "gh", false, r#"platform_toolsets.cli -[1] +["no_mcp"]"#),
        (r#"["web", "gh"]"#, "lin", true, r#"platform_toolsets.cli -[] +["lin"]"#),
        ("null", "gh", false, r#"platform_toolsets.cli = ["hermes-cli","lin","12306"]"#),
        (
            r#"["web", "no_mcp"]"#,
            "gh",
            true,
            "refused: `no_mcp` keeps every MCP server off cli; switch no_mcp off for cli first",
        ),
    ] {
        assert_eq!(ops(&listed(list), &new, &[(server_on("cli", target), on)]), [expected], "{list}");
    }
    let only = r#"{"platform_toolsets": {"cli": ["web"]}, "mcp_servers": {"gh": {}}}"#;
    assert_eq!(ops(only, &new, &[(server_on("cli", "gh"), false)]), [r#"platform_toolsets.cli -[] +["no_mcp"]"#]);
}

#[test]
fn enabling_a_sleeping_server_on_one_platform_tells_where_else_it_appears() {
    let json = format!(
        r#"{{"platform_toolsets": {{"cli": ["web", "gh"], "telegram": ["no_mcp"], "irc": ["gh"], "guild": ["web"]}}, {SERVERS}}}"#
    );
    let wishes = [(server_on("cli", "sleeping"), true)];
    assert_eq!(
        ops(&json, &catalog_22(), &wishes),
        ["mcp_servers.sleeping.enabled = true", r#"platform_toolsets.cli -[] +["sleeping"]"#]
    );
    assert_eq!(consequences(&json, &catalog_22(), &wishes), ["Besides, on 'guild': 'sleeping' switched on."]);
}

#[test]
fn switching_a_listed_server_off_tells_what_its_platform_gains() {
    let json = format!(r#"{{"platform_toolsets": {{"cli": ["web", "gh"]}}, {SERVERS}}}"#);
    let told = consequences(&json, &catalog_22(), &[(Target::Server("gh".into()), false)]);
    assert!(
        told.iter().any(|line| line.contains("'cli'") && line.contains("'12306', ") && line.contains("'lin'")),
        "{told:?}"
    );
}

#[test]
fn the_sentinel_has_its_own_switch() {
    let json = format!(r#"{{"platform_toolsets": {{"cli": ["web", "no_mcp"]}}, {SERVERS}}}"#);
    let sentinel = Target::NoMcp("cli".into());
    assert_eq!(ops(&json, &catalog_22(), &[(sentinel.clone(), false)]), ["platform_toolsets.cli -[1] +[]"]);
    assert_eq!(
        ops(&format!("{{{SERVERS}}}"), &catalog_22(), &[(sentinel.clone(), true)]),
        [r#"platform_toolsets.cli = ["hermes-cli","no_mcp"]"#]
    );
    let both = [(sentinel, false), (server_on("cli", "gh"), true), (server_on("cli", "lin"), false)];
    let now = after(&json, &catalog_22(), "cli", &both);
    assert_eq!(now.enabled(), ["12306", "gh", "web"]);
    let toolset_only = ops(&json, &catalog_22(), &[(toolset("cli", "file"), true)]);
    assert_eq!(toolset_only, [r#"platform_toolsets.cli -[] +["file"]"#], "no_mcp stays: T6 and contract 2.6");
}

#[test]
fn a_bare_default_that_a_saved_bundle_would_widen_is_spelled_out() {
    let json = format!("{{{SERVERS}}}");
    let now = after(&json, &catalog_22(), "guild", &[(Target::NoMcp("guild".into()), true)]);
    assert!(!now.is_on("guild"), "[hermes-guild] would bring the guild tools");
    assert!(now.is_on("web") && !now.is_on("gh"));
}

fn filtered(tools: &str) -> String {
    format!(r#"{{"mcp_servers": {{"gh": {{"tools": {tools}}}}}}}"#)
}

/// T1: with `include` set, a disable takes the name out of it; an ignored `exclude` stays.
#[test]
fn a_tool_is_switched_in_the_list_that_decides() {
    let new = catalog_22();
    for (tools, name, on, expected) in [
        (r#"{"include": ["a", "b"], "exclude": ["z"]}"#, "a", false, "mcp_servers.gh.tools.include -[0] +[]"),
        (r#"{"include": ["a"], "exclude": ["c"]}"#, "c", true, r#"mcp_servers.gh.tools.include -[] +["c"]"#),
        (r#"{"exclude": ["a", "b"]}"#, "a", true, "mcp_servers.gh.tools.exclude -[0] +[]"),
        (r#"{"exclude": ["a"]}"#, "b", false, r#"mcp_servers.gh.tools.exclude -[] +["b"]"#),
        // T2 and T3: text is one name.
        (r#"{"exclude": "abc"}"#, "b", false, r#"mcp_servers.gh.tools.exclude = ["abc","b"]"#),
        (r#"{"exclude": "abc"}"#, "abc", true, "mcp_servers.gh.tools.exclude = []"),
        (r#"{"include": "abc"}"#, "b", true, r#"mcp_servers.gh.tools.include = ["abc","b"]"#),
        (r#"{"include": ["a"]}"#, "a", false, "mcp_servers.gh.tools.include -[0] +[]"),
        // T4: null is absent.
        ("null", "a", false, r#"mcp_servers.gh.tools.exclude = ["a"]"#),
        (r#"{"include": null, "exclude": null}"#, "a", false, r#"mcp_servers.gh.tools.exclude = ["a"]"#),
        (r#"{"include": {"a": 1}}"#, "a", false, r#"mcp_servers.gh.tools.exclude = ["a"]"#),
    ] {
        assert_eq!(ops(&filtered(tools), &new, &[(tool("gh", name), on)]), [expected], "{tools}");
    }
    let none_left = consequences(&filtered(r#"{"include": ["a"]}"#), &new, &[(tool("gh", "a"), false)]);
    assert_eq!(none_left, ["No tool of the server 'gh' is left."]);
}

#[test]
fn the_last_included_tool_cannot_go_where_empty_means_all() {
    let told = ops(&filtered(r#"{"include": ["a"]}"#), &catalog_19(), &[(tool("gh", "a"), false)]);
    assert!(told[0].contains("an empty list would mean all; switch the server off instead"), "{told:?}");
}

/// T5: a pattern is named, never spelled out, and means nothing to 0.19.
#[test]
fn patterns_are_left_alone() {
    let excluded = filtered(r#"{"exclude": ["get_*", "get_a"]}"#);
    let told = ops(&excluded, &catalog_22(), &[(tool("gh", "get_a"), true)]);
    assert!(told[0].starts_with("refused: the pattern 'get_*'"), "{told:?}");
    assert_eq!(
        ops(&excluded, &catalog_19(), &[(tool("gh", "get_a"), true)]),
        ["mcp_servers.gh.tools.exclude -[1] +[]"]
    );
    let included = filtered(r#"{"include": ["get_*"]}"#);
    assert!(ops(&included, &catalog_22(), &[(tool("gh", "get_a"), false)])[0].contains("pattern 'get_*'"));
    assert_eq!(
        ops(&included, &catalog_22(), &[(tool("gh", "put"), true)]),
        [r#"mcp_servers.gh.tools.include -[] +["put"]"#]
    );
}

#[test]
fn malformed_filters_are_refused() {
    for tools in [r#""a""#, r#"["a"]"#, "7"] {
        let told = ops(&filtered(tools), &catalog_22(), &[(tool("gh", "a"), true)]);
        assert!(told[0].contains("registers none of its tools"), "{tools}: {told:?}");
    }
    for tools in ["[]", "0", "\"\""] {
        let told = ops(&filtered(tools), &catalog_22(), &[(tool("gh", "a"), false)]);
        assert!(told[0].contains("remove that key first"), "{tools}: {told:?}");
    }
    let null = r#"{"mcp_servers": {"gh": null}}"#;
    assert!(ops(null, &catalog_22(), &[(tool("gh", "a"), true)])[0].starts_with("refused"));
}

#[test]
fn several_wishes_share_one_edit_of_a_list() {
    let json = r#"{"platform_toolsets": {"cli": ["web", "file"]}}"#;
    let wishes = [(toolset("cli", "web"), false), (toolset("cli", "memory"), true), (toolset("cli", "video"), true)];
    assert_eq!(ops(json, &catalog_22(), &wishes), [r#"platform_toolsets.cli -[0] +["memory", "video"]"#]);
}

#[test]
fn wishing_the_saved_state_back_plans_nothing() {
    let config = config(r#"{"platform_toolsets": {"cli": ["web"]}}"#);
    let catalog = catalog_22();
    let mut draft = Draft::default();
    let baseline = |target: &Target| state(&config, &catalog, target);
    draft.apply(&[(toolset("cli", "web"), false)], baseline);
    draft.apply(&[(toolset("cli", "web"), true)], baseline);
    assert_eq!(plan(&config, &catalog, &draft), Ok(Plan::default()));
    draft.undo();
    assert_eq!(plan(&config, &catalog, &draft).map(|plan| plan.ops.len()), Ok(2), "the list and what was offered");
}

#[test]
fn an_emptied_list_keeps_the_context_engine() {
    let json = r#"{"context": {"engine": "lcm"}, "platform_toolsets": {"cli": ["web"]}}"#;
    let now = after(json, &catalog_22(), "cli", &[(toolset("cli", "web"), false)]);
    assert_eq!(now.enabled(), ["context_engine"]);
}

#[test]
fn settings_are_written_where_they_belong_and_taken_out_again() {
    use crate::engine::assembly::settings::Settings;
    use crate::engine::setting::Setting;
    let catalog = catalog_22();
    let changed = |json: &str, wishes: &[(Setting, Option<&str>)]| {
        let config = config(json);
        let mut draft = Draft::default();
        for (setting, typed) in wishes {
            let value = typed.map(|typed| setting.parse(typed).unwrap());
            draft.apply(&[(Target::Setting(*setting, value), true)], |target| state(&config, &catalog, target));
        }
        let plan = plan(&config, &catalog, &draft).unwrap();
        (apply(&config, &plan.ops), plan.ops.len(), draft.len())
    };
    let tokens = [(Setting::ListingMaxTokens, Some("900"))];
    for json in [
        "{}",
        r#"{"tools": null}"#,
        r#"{"tools": {"tool_search": null}}"#,
        r#"{"tools": {"tool_search": true}}"#,
        r#"{"tools": {"tool_search": "off"}}"#,
        r#"{"tools": {"tool_search": {"listing_max_tokens": "many"}}}"#,
    ] {
        let (after, ..) = changed(json, &tokens);
        let settings = Settings::read(&after, catalog.host());
        assert_eq!((settings.listing_max_tokens, Setting::Enabled.shown(&settings)), (900, "auto".into()), "{json}");
    }
    // A plain `false` means off, and goes on doing so.
    let (after, ..) = changed(r#"{"tools": {"tool_search": false}}"#, &tokens);
    assert_eq!(Setting::Enabled.shown(&Settings::read(&after, catalog.host())), "off");
    let (after, ..) = changed(r#"{"tools": {"tool_search": false}}"#, &[(Setting::Enabled, None)]);
    assert_eq!(Setting::Enabled.shown(&Settings::read(&after, catalog.host())), "auto");
    // The last wish about a setting counts, and the saved state back is no wish.
    let json = r#"{"tools": {"tool_search": {"listing_max_tokens": 900, "defer": ["a", " b ", "a"]}}}"#;
    let back = [(Setting::ListingMaxTokens, Some("300")), (Setting::ListingMaxTokens, Some("900"))];
    assert_eq!(changed(json, &back).1, 0);
    assert_eq!(changed(json, &back).2, 0);
    let (after, ops, _) = changed(json, &[(Setting::Defer, Some("b, c"))]);
    assert_eq!((Settings::read(&after, catalog.host()).defer, ops), (Some(vec!["b".to_owned(), "c".to_owned()]), 1));
    let (after, ..) = changed(json, &[(Setting::Defer, Some("none")), (Setting::ListingMaxTokens, None)]);
    let settings = Settings::read(&after, catalog.host());
    assert_eq!((settings.defer, settings.listing_max_tokens), (Some(Vec::new()), 4000));
}

#[test]
fn a_setting_in_other_words_is_no_edit_and_one_that_would_not_count_is_refused() {
    use crate::engine::setting::Setting;
    let new = catalog_22();
    let set = |name: &str, typed: &str| {
        let setting = Setting::named(name).unwrap();
        Target::Setting(setting, Some(setting.parse(typed).unwrap()))
    };
    let search = |section: &str| format!(r#"{{"tools": {{"tool_search": {section}}}}}"#);
    for (section, name, typed) in [
        (r#"{"enabled": " Off "}"#, "enabled", "off"),
        ("false", "enabled", "off"),
        (r#"{"listing": "yes"}"#, "listing", "on"),
        (r#"{"listing_max_tokens": "900"}"#, "listing_max_tokens", "900"),
    ] {
        assert_eq!(ops(&search(section), &new, &[(set(name, typed), true)]), Vec::<String>::new(), "{section}");
    }
    // What Hermes reads as something else is worth writing over.
    let clamped = ops(&search(r#"{"listing_max_tokens": 5}"#), &new, &[(set("listing_max_tokens", "200"), true)]);
    assert_eq!(clamped, ["tools.tool_search.listing_max_tokens = 200"]);
    let unknown = ops(&search(r#"{"enabled": "never"}"#), &new, &[(set("enabled", "auto"), true)]);
    assert_eq!(unknown, [r#"tools.tool_search.enabled = "auto""#]);
    let told = ops(&search(r#"{"max_search_limit": 3}"#), &new, &[(set("search_default_limit", "4"), true)]);
    assert!(told[0].contains("search_default_limit as 3; raise max_search_limit first"), "{told:?}");
    // Python's `int` cannot take it, and Hermes answers with every default.
    let infinite = apply(&config(&search(r#"{"max_search_limit": 1}"#)), &[]);
    let Value::Map(mut root) = infinite else { panic!("a mapping") };
    root[0].1 = Value::Map(vec![(
        Value::Str("tool_search".into()),
        Value::Map(vec![(Value::Str("max_search_limit".into()), Value::Float("inf".into()))]),
    )]);
    let told = wish(&Value::Map(root), &new, &[(set("enabled", "off"), true)]).map_err(|refusal| refusal.to_string());
    assert!(told.is_err_and(|told| told.contains("correct the other values under tools.tool_search first")));
    let told = consequences(&search(r#""off""#), &new, &[(set("enabled", "off"), true)]);
    assert_eq!(told, ["tools.tool_search was text, which Hermes ignores; it becomes a mapping."]);
}
