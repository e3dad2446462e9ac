use proptest::prelude::*;

use super::*;
use crate::engine::plan::apply;
use crate::engine::testing::{catalog_19, catalog_22, config};

fn applied(preset: &Preset, from: &Value, catalog: &Catalog) -> (Value, Vec<Unmet>) {
    let fit = preset.fit(from, catalog);
    let mut draft = Draft::default();
    draft.apply(&fit.wishes, |target| plan::state(from, catalog, target));
    let plan = plan::plan(from, catalog, &draft).expect("a fit can be planned");
    (apply(from, &plan.ops), fit.unmet)
}

#[test]
fn names_are_ones_a_file_can_have() {
    for good in ["work", "deep focus", "a_b-c.2", "Träume", "7"] {
        assert_eq!(check_name(good), Ok(()), "{good}");
    }
    let long = "x".repeat(MAX_NAME_CHARS + 1);
    for bad in ["", " x", "x ", ".hidden", "..", "-x", "a/b", "a\\b", "a\u{1b}[2J", "a\u{202e}b", "a\0", "a\nb", &long]
    {
        assert!(check_name(bad).is_err(), "{bad:?}");
    }
}

#[test]
fn a_server_that_comes_back_is_on_where_the_preset_has_it_and_nowhere_else() {
    let catalog = catalog_22();
    let servers = |old: bool| {
        format!(
            r#""mcp_servers": {{"gh": {{"command": "x"}}, "lin": {{"command": "x"}}, "old": {{"command": "x", "enabled": {old}}}}}"#
        )
    };
    let kept = config(&format!(
        r#"{{"platform_toolsets": {{"telegram": ["old", "web"], "cli": ["gh", "web"]}}, {}}}"#,
        servers(true)
    ));
    let from = config(&format!(
        r#"{{"platform_toolsets": {{"telegram": ["gh", "todo"], "cli": ["web"]}}, {}}}"#,
        servers(false)
    ));
    let platforms = ["telegram".into(), "cli".into()];
    let preset = Preset::of("p", &kept, &catalog, &platforms);
    let (after, unmet) = applied(&preset, &from, &catalog);
    assert_eq!(unmet, []);
    assert_eq!(Preset::of("p", &after, &catalog, &platforms), preset);
}

#[test]
fn what_is_gone_is_named_and_the_rest_is_made_so() {
    let catalog = catalog_22();
    let from = config(r#"{"platform_toolsets": {"cli": ["file"]}}"#);
    let on = On { toolsets: ["web".into(), "gone".into()].into(), servers: ["lost".into()].into() };
    let preset = Preset { name: "p".into(), platforms: [("cli".into(), on)].into() };
    let (after, unmet) = applied(&preset, &from, &catalog);
    let names: Vec<&str> = unmet.iter().map(|unmet| unmet.name.as_str()).collect();
    assert_eq!(names, ["gone", "lost"]);
    let now = Preset::of("p", &after, &catalog, &["cli".into()]);
    assert_eq!(now.platforms["cli"].toolsets, ["web".into()].into());
}

const NAMES: [&str; 14] = [
    "web",
    "terminal",
    "file",
    "video",
    "memory",
    "todo",
    "kanban",
    "hermes-cli",
    "debugging",
    "no_mcp",
    "gh",
    "lin",
    "old",
    "termnal",
];

fn lists() -> impl Strategy<Value = Option<Vec<&'static str>>> {
    prop::option::of(prop::collection::vec(prop::sample::select(&NAMES[..]), 0..6))
}

fn configs() -> impl Strategy<Value = String> {
    let servers = prop::collection::vec(prop::option::of(any::<bool>()), 3);
    let denied = prop::option::of(prop::sample::select(&["web", "memory", "debugging"][..]));
    (lists(), lists(), servers, denied).prop_map(|(cli, telegram, servers, denied)| {
        let mut config = serde_json::json!({});
        for (platform, list) in [("cli", cli), ("telegram", telegram)] {
            if let Some(list) = list {
                config["platform_toolsets"][platform] = serde_json::json!(list);
            }
        }
        for (name, enabled) in ["gh", "lin", "old"].iter().zip(servers) {
            config["mcp_servers"][name] = match enabled {
                Some(enabled) => serde_json::json!({"command": "x", "enabled": enabled}),
                None => serde_json::json!({"command": "x"}),
            };
        }
        if let Some(denied) = denied {
            config["agent"]["disabled_toolsets"] = serde_json::json!([denied]);
        }
        config.to_string()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]
    #[test]
    fn from_any_config_to_any_other_the_same_names_end_up_on(from in configs(), to in configs(), new in any::<bool>()) {
        let catalog = if new { catalog_22() } else { catalog_19() };
        let platforms = ["cli".into(), "telegram".into()];
        let (from, to) = (config(&from), config(&to));
        let preset = Preset::of("p", &to, &catalog, &platforms);
        let (after, unmet) = applied(&preset, &from, &catalog);
        let now = Preset::of("p", &after, &catalog, &platforms);
        for (platform, wanted) in &preset.platforms {
            let has = &now.platforms[platform];
            let toolsets = wanted.toolsets.symmetric_difference(&has.toolsets).map(ToolsetKey::as_str);
            let servers = wanted.servers.symmetric_difference(&has.servers).map(ServerName::as_str);
            for name in toolsets.chain(servers) {
                let told = unmet.iter().any(|unmet| unmet.platform == platform.as_str() && unmet.name == name);
                prop_assert!(told, "{name} on {platform}: {unmet:?}\n{after:?}");
            }
        }
    }
}
