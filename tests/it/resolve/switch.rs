//! Switched like Hermes: a draft becomes a plan, the plan edits the text, and the real Hermes, loading the new text,
//! resolves exactly the planned set.

use hermes_tools::engine::catalog::Catalog;
use hermes_tools::engine::draft::{Draft, Target};
use hermes_tools::engine::plan::{apply, plan, state};
use hermes_tools::engine::selection::select;
use hermes_tools::engine::yaml::Document;

use super::oracle::{Host, Setting, Version};

const AT_LEAST: usize = 40;

/// Configs to start from.
const STARTS: &[&str] = &[
    "",
    "# mine\nmodel:\n  default: x  # keep\n",
    "platform_toolsets:\n  cli: [web, file, bogus]\n  telegram:\n    - hermes-telegram\n",
    "platform_toolsets:\n  cli:\n  - hermes-cli   # everything\n  - gh\nmcp_servers:\n  gh: {command: x}\n  lin: {command: x}\n",
    "platform_toolsets: {cli: null}\nmcp_servers:\n  gh: {command: x}\n  lin: {command: x}\n  sleeping: {command: x, enabled: false}\n",
    "platform_toolsets:\n  cli: web\n  telegram: [web, no_mcp]\nmcp_servers:\n  gh: {command: x}\n",
    "platform_toolsets:\n  cli: '[\"web\", \"file\"]'\nagent:\n  disabled_toolsets: [memory, web]\n",
    "platform_toolsets:\nknown_plugin_toolsets:\nagent:\n  disabled_toolsets: \"['memory']\"\n",
    "platform_toolsets:\n  cli: [debugging, no_mcp]\nmcp_servers:\n  gh: {command: x}\n  12306: {command: x}\n",
    "platform_toolsets:\n  cli: [web, todo, null, 12306]\ncontext: {engine: lcm}\nmcp_servers:\n  gh: {command: x}\n  12306: {command: x}\n",
    "platform_toolsets:\n  discord: [hermes-discord]\n  feishu: [web]\n  cli: [hermes]\n",
    "toolsets: [kanban]\nknown_builtin_toolsets: {cli: [web]}\n",
];

fn wishes() -> Vec<Vec<(Target, bool)>> {
    let toolset = |platform: &str, key: &str, on| (Target::Toolset(platform.into(), key.into()), on);
    let server_on = |platform: &str, name: &str, on| (Target::ServerOn(platform.into(), name.into()), on);
    vec![
        vec![toolset("cli", "web", false)],
        vec![toolset("cli", "memory", false)],
        vec![toolset("cli", "memory", true)],
        vec![toolset("cli", "video", true), toolset("cli", "web", false)],
        vec![toolset("telegram", "browser", false)],
        vec![toolset("discord", "discord", true)],
        vec![toolset("discord", "web", false)],
        vec![toolset("feishu", "terminal", true), toolset("feishu", "web", false)],
        vec![server_on("cli", "gh", false)],
        vec![server_on("cli", "gh", false), server_on("cli", "lin", false)],
        vec![server_on("cli", "sleeping", true)],
        vec![(Target::Server("gh".into()), false)],
        vec![(Target::NoMcp("cli".into()), true)],
        vec![(Target::NoMcp("cli".into()), false), toolset("cli", "file", false)],
    ]
}

fn check(version: Version) {
    let mut host = Host::start(version, Setting::Plain);
    let catalog = Catalog::new(host.catalog());
    let mut switched = 0;
    let mut listed = 0;
    for start in STARTS {
        let document = Document::parse(start, catalog.rules().dialect).unwrap();
        for wishes in wishes() {
            let mut draft = Draft::default();
            draft.apply(&wishes, |target| state(document.value(), &catalog, target));
            // A wish that is met already, or that names a server this config has not, plans nothing.
            let Ok(planned) = plan(document.value(), &catalog, &draft) else { continue };
            if planned.ops.is_empty() {
                continue;
            }
            let text =
                document.edit(&planned.ops).unwrap_or_else(|refused| panic!("{refused}: {:?}\n{start}", planned.ops));
            let after = apply(document.value(), &planned.ops);
            for platform in ["cli", "telegram", "discord", "feishu"] {
                let ours = select(&after, &catalog, &platform.into());
                let theirs = host.resolve(&text, platform).unwrap();
                assert_eq!(ours.enabled(), theirs, "{version:?}, {platform}, {wishes:?}:\n{text}");
            }
            for (target, on) in draft.wishes() {
                let granted = match target {
                    Target::Toolset(platform, name) => has(&host.resolve(&text, platform.as_str()), name.as_str()),
                    Target::ServerOn(platform, name) => has(&host.resolve(&text, platform.as_str()), name.as_str()),
                    Target::Server(name) => has(&host.servers(&text), name.as_str()),
                    // On means that no server is left.
                    Target::NoMcp(platform) if on => !has(&host.resolve(&text, platform.as_str()), "gh"),
                    Target::NoMcp(_) | Target::ServerTool(..) | Target::Setting(..) => on,
                };
                assert_eq!(granted, on, "{version:?}, {target:?}:\n{text}");
            }
            switched += 1;
            // The command of Hermes itself, now and then: each run starts a process.
            if switched % 12 == 1 {
                listed += check_list(&mut host, &catalog, &after, &text);
            }
        }
    }
    assert!(switched >= AT_LEAST, "only {switched} edits were checked");
    assert!(listed >= 100, "only {listed} rows of `hermes tools list` were compared");
}

fn has(names: &Result<Vec<String>, String>, name: &str) -> bool {
    names.as_ref().unwrap().iter().any(|known| known == name)
}

/// Compares the rows of `hermes tools list`; the number of rows.
fn check_list(host: &mut Host, catalog: &Catalog, after: &hermes_tools::engine::value::Value, text: &str) -> usize {
    host.resolve(text, "cli").unwrap();
    let printed = host.tools_list("cli");
    let ours = select(after, catalog, &"cli".into());
    let mut rows = 0;
    for line in printed.lines() {
        let mut words = line.split_whitespace();
        let on = match (words.next(), words.next()) {
            (Some("✓"), Some("enabled")) => true,
            (Some("✗"), Some("disabled")) => false,
            _ => continue,
        };
        let key = words.next().unwrap();
        assert_eq!(ours.toolset(key).is_some_and(|entry| entry.on), on, "{key} in `hermes tools list`:\n{text}");
        rows += 1;
    }
    rows
}

#[test]
fn switched_configs_resolve_as_planned_in_0_19() {
    check(Version::V19);
}

#[test]
fn switched_configs_resolve_as_planned_in_0_22() {
    check(Version::V22);
}

/// Filters of every shape, before and after switching single tools: `admits` equals what Hermes registers.
fn check_filters(version: Version) {
    let tools = ["get_a", "get_b", "put", "Get_c", "abc", "a_radar_b"];
    let filters = [
        "{}",
        "{tools: }",
        "{tools: {}}",
        "{tools: {include: [get_a, put]}}",
        "{tools: {include: []}}",
        "{tools: {include: [], exclude: [put]}}",
        "{tools: {include: put, exclude: [put]}}",
        "{tools: {include: null, exclude: [get_a]}}",
        "{tools: {exclude: abc}}",
        "{tools: {exclude: ['get_*']}}",
        "{tools: {include: ['get_?', '[ab]*']}}",
        "{tools: {exclude: ['*_radar_*', '[!g]*']}}",
        "{tools: {include: {put: 1}}}",
        "{tools: {exclude: [7, null, put]}}",
    ];
    let mut host = Host::start(version, Setting::Plain);
    let catalog = Catalog::new(host.catalog());
    let mut switched = 0;
    for filter in filters {
        let text = format!("mcp_servers:\n  gh: {filter}\n");
        let document = Document::parse(&text, catalog.rules().dialect).unwrap();
        let admitted = |value: &hermes_tools::engine::value::Value| -> Vec<String> {
            let is_admitted = |tool: &&&str| state(value, &catalog, &Target::ServerTool("gh".into(), (**tool).into()));
            tools.iter().filter(is_admitted).map(|tool| (*tool).to_owned()).collect()
        };
        assert_eq!(admitted(document.value()), host.admitted(&text, "gh", &tools).unwrap(), "{version:?}: {filter}");
        for tool in tools {
            let target = Target::ServerTool("gh".into(), tool.into());
            let wished = !state(document.value(), &catalog, &target);
            let mut draft = Draft::default();
            draft.apply(&[(target, wished)], |target| state(document.value(), &catalog, target));
            let Ok(planned) = plan(document.value(), &catalog, &draft) else { continue };
            let edited = document.edit(&planned.ops).unwrap();
            let theirs = host.admitted(&edited, "gh", &tools).unwrap();
            let mut expected = admitted(document.value());
            expected.retain(|name| name != tool);
            if wished {
                expected.push(tool.to_owned());
            }
            expected.sort();
            let mut sorted = theirs.clone();
            sorted.sort();
            assert_eq!(sorted, expected, "{version:?}: {filter}, {tool} {wished}:\n{edited}");
            switched += 1;
        }
    }
    assert!(switched >= AT_LEAST, "only {switched} tools were switched");
}

#[test]
fn switched_tools_are_registered_as_planned_in_0_19() {
    check_filters(Version::V19);
}

#[test]
fn switched_tools_are_registered_as_planned_in_0_22() {
    check_filters(Version::V22);
}
