//! `enable`, `disable`, `undo`: the smallest edit, all or nothing, and what is refused.

use super::User;

const CONFIG: &str = "\
# mine
platform_toolsets:
  cli:
    - web   # look things up
    - file
    - terminal
  telegram: [web, todo]
known_plugin_toolsets: {cli: [a2a], telegram: [a2a]}
known_builtin_toolsets: {}
mcp_servers:
  github:
    command: npx
    tools:
      exclude: [create_repository]
  notes: {url: \"https://notes.invalid/mcp\"}
";

/// The lines that are in one text and not in the other, `-` before those taken out and `+` before those put in.
fn changed(before: &str, after: &str) -> Vec<String> {
    let diff = similar::TextDiff::from_lines(before, after);
    let lines = diff.iter_all_changes().filter_map(|change| match change.tag() {
        similar::ChangeTag::Equal => None,
        similar::ChangeTag::Delete => Some(format!("-{}", change.value().trim_end())),
        similar::ChangeTag::Insert => Some(format!("+{}", change.value().trim_end())),
    });
    lines.collect()
}

fn without_bookkeeping(lines: Vec<String>) -> Vec<String> {
    let mut lines = lines;
    lines.retain(|line| !line.contains("known_builtin_toolsets") && !line.contains("cli: [browser,"));
    lines
}

#[test]
fn a_toolset_is_taken_out_of_its_list_and_nothing_else_is_touched() {
    let user = User::with_config(CONFIG);
    let ran = user.run(&["disable", "web", "--platform", "cli"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert!(ran.stdout.contains("web on cli"), "{ran}");
    let changed = changed(CONFIG, &user.config_text());
    assert!(changed.contains(&"-    - web   # look things up".to_owned()), "{changed:?}");
    let removed: Vec<_> = changed.iter().filter(|line| line.starts_with('-')).collect();
    assert!(removed.iter().all(|line| line.contains("web") || line.contains("known_builtin")), "{removed:?}");
    assert!(user.config_text().contains("  telegram: [web, todo]\n"));
}

#[test]
fn a_dry_run_shows_the_edit_and_writes_nothing() {
    let user = User::with_config(CONFIG);
    let ran = user.run(&["disable", "web", "--dry-run"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert!(ran.stdout.contains("-    - web   # look things up"), "{ran}");
    assert!(ran.stdout.contains("not saved"), "{ran}");
    assert_eq!(user.config_text(), CONFIG);
    let json = user.run(&["disable", "web", "--dry-run", "--json"]).json();
    assert_eq!(json["schema"], "hermes-tools/disable@1");
    assert_eq!(json["saved"], false);
    assert_eq!(json["plan"][0]["path"], "platform_toolsets.cli");
    assert_eq!(json["plan"][0]["before"], serde_json::json!(["web", "file", "terminal"]));
    assert_eq!(json["plan"][0]["after"], serde_json::json!(["file", "terminal"]));
    let totals = &json["totals"];
    assert!(totals["after"]["json_bytes"].as_u64() < totals["before"]["json_bytes"].as_u64(), "{totals}");
    assert_eq!(user.config_text(), CONFIG);
}

#[test]
fn disable_then_enable_ends_where_it_began() {
    let user = User::with_config(CONFIG);
    for verb in ["disable", "enable"] {
        let ran = user.run(&[verb, "github:create_issue"]);
        assert_eq!(ran.code, 0, "{ran}");
    }
    assert_eq!(user.config_text(), CONFIG);
}

#[test]
fn what_is_so_already_is_said_and_not_written() {
    let user = User::with_config(CONFIG);
    let ran = user.run(&["enable", "web"]);
    assert_eq!((ran.code, ran.stdout.trim()), (0, "nothing to do: already on"), "{ran}");
    assert_eq!(user.config_text(), CONFIG);
}

#[test]
fn undo_brings_back_the_bytes_and_refuses_when_someone_wrote_since() {
    let user = User::with_config(CONFIG);
    assert_eq!(user.run(&["disable", "web"]).code, 0);
    assert_ne!(user.config_text(), CONFIG);
    let ran = user.run(&["undo"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(user.config_text(), CONFIG);
    assert_eq!(user.run(&["disable", "web"]).code, 0);
    let theirs = format!("{}\nother: 1\n", user.config_text());
    let user = user.config(&theirs);
    let ran = user.run(&["undo"]);
    assert_eq!(ran.code, 3, "{ran}");
    assert_eq!(user.config_text(), theirs);
}

#[test]
fn one_name_that_fails_leaves_the_file_alone() {
    let user = User::with_config(CONFIG);
    let ran = user.run(&["disable", "web", "fiel"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stderr.contains("did you mean file?"), "{ran}");
    assert!(ran.stderr.contains("nothing was written"), "{ran}");
    assert_eq!(user.config_text(), CONFIG);
}

#[test]
fn keep_going_switches_what_works_and_still_fails() {
    let user = User::with_config(CONFIG);
    let ran = user.run(&["disable", "web", "fiel", "--keep-going"]);
    assert_eq!(ran.code, 1, "{ran}");
    let changed = changed(CONFIG, &user.config_text());
    assert!(changed.contains(&"-    - web   # look things up".to_owned()), "{changed:?}");
}

#[test]
fn several_platforms_are_switched_in_one_save() {
    let user = User::with_config(CONFIG);
    let ran = user.run(&["disable", "web", "--platform", "cli", "--platform", "telegram"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert!(user.config_text().contains("telegram: [todo]"), "{}", user.config_text());
    let user = User::with_config(CONFIG);
    let ran = user.run(&["disable", "web", "--platform", "all", "--json"]);
    let platforms =
        ran.json()["platforms"].as_array().unwrap().iter().map(|row| row["platform"].clone()).collect::<Vec<_>>();
    assert_eq!(platforms, ["cli", "telegram"], "{ran}");
}

#[test]
fn a_server_is_switched_everywhere_or_on_one_platform() {
    let user = User::with_config(CONFIG);
    assert_eq!(user.run(&["disable", "notes"]).code, 0);
    let text = user.config_text();
    assert!(text.contains("notes: {url: \"https://notes.invalid/mcp\", enabled: false}"), "{text}");
    let user = User::with_config(CONFIG);
    let ran = user.run(&["disable", "notes", "--platform", "telegram"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert!(user.config_text().contains("telegram: [web, todo, github]"), "{}", user.config_text());
}

#[test]
fn a_servers_tool_cannot_be_switched_for_one_platform() {
    let user = User::with_config(CONFIG);
    let ran = user.run(&["disable", "github:create_issue", "--platform", "telegram"]);
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.stderr.contains("counts everywhere"), "{ran}");
    assert_eq!(user.config_text(), CONFIG);
}

#[test]
fn a_pattern_stands_for_the_names_known_now_and_is_never_written() {
    let user = User::with_config(CONFIG);
    let ran = user.run(&["disable", "github:list_*"]);
    assert_eq!(ran.code, 0, "{ran}");
    let text = user.config_text();
    assert!(text.contains("list_issues") && !text.contains('*'), "{text}");
    let ran = user.run(&["disable", "github:zzz*"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stderr.contains("matches no tool known of"), "{ran}");
}

#[test]
fn a_tool_disabled_beside_an_include_list_really_goes() {
    // Hermes 0.19 and 0.22 add it to `exclude`, which counts for nothing while `include` is set.
    let config = "mcp_servers:\n  github:\n    command: npx\n    tools: {include: [get_issue, list_issues]}\n";
    let user = User::with_config(config);
    assert_eq!(user.run(&["disable", "github:get_issue"]).code, 0);
    assert!(user.config_text().contains("include: [list_issues]"), "{}", user.config_text());
}

#[test]
fn a_name_that_is_a_toolset_and_a_server_has_to_be_told_apart() {
    let config = "platform_toolsets: {cli: [web, memory]}\nmcp_servers:\n  memory: {command: npx}\n";
    let user = User::with_config(config);
    let ran = user.run(&["disable", "memory"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stderr.contains("toolset:memory or mcp:memory"), "{ran}");
    let ran = user.run(&["disable", "mcp:memory"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert!(user.config_text().contains("memory: {command: npx, enabled: false}"), "{}", user.config_text());
}

#[test]
fn a_builtin_tool_is_explained_to_be_part_of_its_toolset() {
    let ran = User::with_config(CONFIG).run(&["disable", "read_file"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stderr.contains("one tool of the toolset file"), "{ran}");
}

#[test]
fn a_tool_is_understood_by_the_name_the_model_sees() {
    let user = User::with_config(CONFIG);
    let ran = user.run(&["disable", "mcp__github__create_issue"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert!(user.config_text().contains("exclude: [create_repository, create_issue]"), "{}", user.config_text());
}

#[test]
fn an_unknown_platform_is_an_error_with_the_nearest_one() {
    let user = User::with_config(CONFIG);
    let ran = user.run(&["disable", "web", "--platform", "telegrm"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stderr.contains("did you mean telegram?"), "{ran}");
    assert_eq!(user.config_text(), CONFIG);
}

#[test]
fn a_toolset_of_another_platform_is_refused_with_the_reason() {
    let user = User::with_config(CONFIG);
    let ran = user.run(&["enable", "discord", "--platform", "cli"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stderr.contains("discord"), "{ran}");
    assert_eq!(user.config_text(), CONFIG);
}

#[test]
fn values_of_the_wrong_kind_are_replaced_once_and_never_crash() {
    // 0.19 and 0.22 end in a traceback when these are saved.
    for config in [
        "platform_toolsets:\n",
        "platform_toolsets: {cli: null}\n",
        "platform_toolsets: {cli: {}}\n",
        "",
        "known_plugin_toolsets: ~\n",
    ] {
        let user = User::with_config(config);
        let ran = user.run(&["disable", "web"]);
        assert_eq!(ran.code, 0, "{config:?}: {ran}");
        let list = user.run(&["list", "--json"]).json();
        let web = list["toolsets"].as_array().unwrap().iter().find(|row| row["toolset"] == "web").unwrap().clone();
        assert_eq!(web["enabled"], false, "{config:?}\n{}", user.config_text());
        let file = list["toolsets"].as_array().unwrap().iter().find(|row| row["toolset"] == "file").unwrap().clone();
        assert_eq!(file["enabled"], true, "{config:?}\n{}", user.config_text());
    }
}

#[test]
fn text_where_a_filter_list_belongs_stays_one_name() {
    // Hermes splits it into letters when it saves.
    let config = "mcp_servers:\n  github: {command: npx, tools: {exclude: create_issue}}\n";
    let user = User::with_config(config);
    assert_eq!(user.run(&["disable", "github:get_issue"]).code, 0);
    assert!(user.config_text().contains("exclude: [create_issue, get_issue]"), "{}", user.config_text());
}

#[test]
fn names_and_numbers_nobody_knows_stay_where_they_are() {
    let config = "platform_toolsets:\n  cli: [web, 12306, mystery, no_mcp]\n";
    let user = User::with_config(config);
    assert_eq!(user.run(&["disable", "web"]).code, 0);
    assert!(user.config_text().contains("cli: [12306, mystery, no_mcp]"), "{}", user.config_text());
}

#[test]
fn no_mcp_is_a_switch_of_its_own() {
    let user = User::with_config(CONFIG);
    assert_eq!(user.run(&["enable", "no_mcp", "--platform", "telegram"]).code, 0);
    assert!(user.config_text().contains("telegram: [web, todo, no_mcp]"), "{}", user.config_text());
    let ran = user.run(&["enable", "github", "--platform", "telegram"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stderr.contains("no_mcp"), "{ran}");
}

#[test]
fn an_empty_include_list_means_what_the_version_says() {
    let config = "mcp_servers:\n  github: {command: npx, tools: {include: [get_issue]}}\n";
    let user = User::with_config(config);
    assert_eq!(user.run(&["disable", "github:get_issue"]).code, 0);
    assert!(user.config_text().contains("include: []"), "{}", user.config_text());
    // Before 0.22 an empty list lets every tool through.
    let user = User::with_config_of_0_19(config);
    let ran = user.run(&["disable", "github:get_issue"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert_eq!(user.config_text(), config);
}

#[test]
fn an_edit_that_would_spread_through_an_alias_is_refused_or_kept_apart() {
    let config = "shared: &list [web, file]\nplatform_toolsets:\n  cli: *list\n  telegram: *list\n";
    let user = User::with_config(config);
    let ran = user.run(&["disable", "web"]);
    let telegram = user.run(&["list", "--platform", "telegram", "--json"]).json();
    let web = telegram["toolsets"].as_array().unwrap().iter().find(|row| row["toolset"] == "web").unwrap().clone();
    assert_eq!(web["enabled"], true, "{ran}\n{}", user.config_text());
    assert!(ran.code == 3 && user.config_text() == config || ran.code == 0, "{ran}");
}

#[test]
fn a_key_written_twice_at_the_edited_place_is_refused() {
    let config = "platform_toolsets:\n  cli: [web]\nplatform_toolsets:\n  cli: [web, file]\n";
    let user = User::with_config_of_0_19(config);
    let ran = user.run(&["disable", "web"]);
    assert_eq!(ran.code, 3, "{ran}");
    assert_eq!(user.config_text(), config);
}

#[test]
fn a_read_only_file_is_refused() {
    let user = User::with_config(CONFIG);
    let mut permissions = std::fs::metadata(user.config_path()).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(user.config_path(), permissions).unwrap();
    let ran = user.run(&["disable", "web"]);
    assert_eq!(ran.code, 3, "{ran}");
    assert_eq!(user.config_text(), CONFIG);
}

#[test]
fn the_sample_can_be_tried_without_a_file_to_write() {
    let user = User::new();
    let ran = user.run(&["--sample", "disable", "web", "--dry-run"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert!(ran.stdout.contains("-    - web"), "{ran}");
    assert_eq!(user.run(&["--sample", "disable", "web"]).code, 3);
}

#[test]
fn bookkeeping_aside_only_the_named_place_changes() {
    let user = User::with_config(CONFIG);
    assert_eq!(user.run(&["enable", "tts"]).code, 0);
    let changed = without_bookkeeping(changed(CONFIG, &user.config_text()));
    assert_eq!(changed, ["+    - tts"], "{}", user.config_text());
}

#[test]
fn a_plan_in_json_keeps_the_kinds_of_items() {
    let user =
        User::with_config("platform_toolsets:\n  cli: [web, 12306, 1.5, true, null, 2024-01-01, {a: b, c: [1]}]\n");
    let ran = user.run(&["disable", "web", "--dry-run", "--json"]);
    assert_eq!(ran.code, 0, "{ran}");
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let edit = answer["plan"].as_array().unwrap().iter().find(|edit| edit["path"] == "platform_toolsets.cli").unwrap();
    let before = serde_json::json!(["web", 12306, 1.5, true, null, "2024-01-01", {"a": "…", "c": ["…"]}]);
    assert_eq!(edit["before"], before, "what is inside an item is hidden");
    assert_eq!(edit["after"].as_array().unwrap(), &before.as_array().unwrap()[1..]);
}
