//! `preset`: kept, applied, and the file put back byte for byte.

use std::os::unix::fs::PermissionsExt as _;

use super::User;

const CONFIG: &str = "\
# mine
platform_toolsets:
  cli: [web, file,   todo]   # short
  telegram:
  - \"memory\"
mcp_servers:
  github: {command: x, env: {TOKEN: s3cret-value}}
  linear: {command: y, enabled: no}
";

fn on(user: &User, platform: &str) -> Vec<String> {
    let ran = user.run(&["list", "--json", "--platform", platform]);
    let json = ran.json();
    let rows = |rows: &str, name: &str| -> Vec<String> {
        let rows = json[rows].as_array().unwrap().iter().filter(|row| row["enabled"] == true);
        rows.map(|row| row[name].as_str().unwrap().to_owned()).collect()
    };
    let mut on = [rows("toolsets", "toolset"), rows("servers", "server")].concat();
    on.sort();
    on
}

fn ok(user: &User, words: &[&str]) -> String {
    let ran = user.run(words);
    assert_eq!(ran.code, 0, "{words:?}: {ran}");
    ran.stdout
}

#[test]
fn the_file_comes_back_byte_for_byte() {
    let user = User::with_config(CONFIG);
    std::fs::set_permissions(user.config_path(), std::fs::Permissions::from_mode(0o640)).unwrap();
    let before = [on(&user, "cli"), on(&user, "telegram")];
    ok(&user, &["preset", "save", "all day"]);
    ok(&user, &["disable", "web", "todo"]);
    ok(&user, &["enable", "linear"]);
    ok(&user, &["disable", "memory", "--platform", "telegram"]);
    let changed = user.config_text();
    let dry = user.run(&["preset", "apply", "all day", "--dry-run"]);
    assert!(dry.stdout.contains("not saved: --dry-run") && !dry.to_string().contains("s3cret"), "{dry}");
    assert_eq!(user.config_text(), changed);
    ok(&user, &["preset", "apply", "all day"]);
    assert_eq!([on(&user, "cli"), on(&user, "telegram")], before);
    assert_ne!(user.config_text(), changed);
    ok(&user, &["preset", "restore"]);
    assert_eq!(user.config_text(), changed);
    assert_eq!(std::fs::metadata(user.config_path()).unwrap().permissions().mode() & 0o777, 0o640);
    let again = user.run(&["preset", "restore"]);
    assert_eq!(again.code, 1, "{again}");
}

#[test]
fn presets_that_follow_one_another_have_one_base() {
    let user = User::with_config(CONFIG);
    ok(&user, &["preset", "save", "a"]);
    ok(&user, &["disable", "web"]);
    ok(&user, &["preset", "save", "b", "--platform", "cli"]);
    ok(&user, &["enable", "terminal"]);
    let base = user.config_text();
    for name in ["a", "b", "a"] {
        ok(&user, &["preset", "apply", name]);
    }
    ok(&user, &["preset", "restore"]);
    assert_eq!(user.config_text(), base);
    ok(&user, &["preset", "apply", "b"]);
    ok(&user, &["undo"]);
    assert_eq!(user.config_text(), base);
    ok(&user, &["preset", "restore"]);
    assert_eq!(user.config_text(), base);
}

#[test]
fn what_someone_else_changed_since_is_not_lost() {
    let user = User::with_config(CONFIG);
    ok(&user, &["preset", "save", "a"]);
    ok(&user, &["disable", "web"]);
    ok(&user, &["preset", "apply", "a"]);
    let text = format!("{}theirs: 1\n", user.config_text());
    std::fs::write(user.config_path(), &text).unwrap();
    let ran = user.run(&["preset", "restore"]);
    assert_eq!((ran.code, user.config_text()), (3, text), "{ran}");
}

#[test]
fn one_platform_of_a_preset_can_be_applied() {
    let user = User::with_config(CONFIG);
    ok(&user, &["preset", "save", "a", "--platform", "cli", "--platform", "telegram"]);
    ok(&user, &["disable", "web"]);
    ok(&user, &["disable", "memory", "--platform", "telegram"]);
    ok(&user, &["preset", "apply", "a", "--platform", "telegram"]);
    assert!(on(&user, "telegram").contains(&"memory".to_owned()) && !on(&user, "cli").contains(&"web".to_owned()));
    let ran = user.run(&["preset", "apply", "a", "--platform", "cron"]);
    assert_eq!(ran.code, 2, "{ran}");
}

#[test]
fn names_and_files_of_presets_are_looked_at_closely() {
    let user = User::with_config(CONFIG);
    for name in ["../x", "a/b", ".x", "", "a\u{1b}[2J"] {
        let ran = user.run(&["preset", "save", name]);
        assert_eq!(ran.code, 2, "{name:?}: {ran}");
        assert!(!ran.stderr.contains('\u{1b}'));
    }
    ok(&user, &["preset", "save", "work"]);
    assert_eq!(user.run(&["preset", "save", "work"]).code, 1);
    ok(&user, &["preset", "save", "work", "--replace"]);
    let ran = user.run(&["preset", "apply", "wrok"]);
    assert!(ran.code == 1 && ran.stderr.contains("did you mean 'work'"), "{ran}");
    assert_eq!(user.run(&["preset", "list", "--json"]).json()["presets"], serde_json::json!(["work"]));
    let shown = user.run(&["preset", "show", "work", "--json"]).json();
    assert_eq!(shown["platforms"][0]["platform"], "cli");
    let file = user.path(".config/hermes-tools/presets/work.json");
    assert!(!std::fs::read_to_string(&file).unwrap().contains("s3cret"));
    std::fs::write(&file, "{\"format\": \"other\u{202e}\"}").unwrap();
    let ran = user.run(&["preset", "apply", "work"]);
    assert!(ran.code == 1 && ran.stderr.contains("work.json") && !ran.stderr.contains('\u{202e}'), "{ran}");
    ok(&user, &["preset", "delete", "work"]);
    assert_eq!(user.run(&["preset", "delete", "work"]).code, 1);
}

#[test]
fn what_is_gone_is_said_and_the_rest_is_made_so() {
    let user = User::with_config(CONFIG);
    ok(&user, &["preset", "save", "a"]);
    let text = CONFIG.replace("  github: {command: x, env: {TOKEN: s3cret-value}}\n", "").replace("web, ", "");
    let user = user.config(&text);
    let ran = user.run(&["preset", "apply", "a"]);
    assert!(ran.code == 1 && ran.to_string().contains("github"), "{ran}");
    assert!(on(&user, "cli").contains(&"web".to_owned()));
}
