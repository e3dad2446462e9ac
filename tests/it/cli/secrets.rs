//! What is secret in a config never leaves it; what is hostile in a name does no harm.

use super::User;

const CONFIG: &str = "\
model:
  api_key: sk-leak-model
platform_toolsets:
  cli: [web, file, alpha]
# a note: sk-leak-comment
mcp_servers:
  alpha:
    command: run-alpha
    args: [--token, sk-leak-arg]
    env: {ALPHA_KEY: sk-leak-env, PLAIN: \"${SECRET_KEY}\"}
    enabled: true
  beta:
    url: https://user:sk-leak-login@h.invalid/mcp?apikey=sk-leak-url
    headers:
      Authorization: Bearer sk-leak-header
    tools:
      exclude: [one]
  gamma: {url: \"https://h.invalid/?k=sk-leak-flow\", enabled: true}
  broken: https://h.invalid/mcp?key=sk-leak-bare
other: sk-leak-last
";

#[test]
fn no_secret_of_the_config_is_ever_printed() {
    let user = User::with_config(CONFIG).env("SECRET_KEY", "sk-leak-expanded");
    let verbs: [&[&str]; 20] = [
        &["list"],
        &["list", "--tools", "-v"],
        &["list", "--plain"],
        &["list", "--json"],
        &["--summary", "--json"],
        &["prompt-size"],
        &["prompt-size", "--json"],
        &["search", "file", "--json"],
        &["describe", "terminal", "--json"],
        &["doctor"],
        &["doctor", "--json"],
        &["catalog", "show"],
        &["disable", "web", "--dry-run"],
        &["disable", "alpha", "--dry-run"],
        &["disable", "beta", "--dry-run", "--json"],
        &["disable", "gamma", "--dry-run"],
        &["disable", "beta:two", "--dry-run", "--json"],
        &["enable", "broken"],
        &["enable", "beta:one", "--json"],
        &["disable", "web", "gamma"],
    ];
    for words in verbs {
        let ran = user.run(words);
        let all = format!("{}{}", ran.stdout, ran.stderr);
        assert!(!all.contains("sk-leak"), "{words:?}: {ran}");
        assert!(!all.contains("run-alpha"), "{words:?}: {ran}");
    }
    assert!(user.config_text().contains("${SECRET_KEY}"), "the placeholder stays as written");
}

#[test]
fn a_broken_config_is_not_quoted_in_its_error() {
    for config in [
        "mcp_servers:\n  alpha:\n    env: {KEY: \"sk-leak-open\n    url: [sk-leak-two\n",
        "model:\n  api_key: !Passw0rd-sk-leak\n",
        "model:\n  api_key: !!int sk-leak\n",
        "model:\n  api_key: !!timestamp sk-leak\n",
        "model: {sk-leak, sk-leak, \"a\" \"sk-leak\"}\n",
    ] {
        let user = User::with_config(config);
        for words in [&["list"][..], &["disable", "web"], &["doctor"]] {
            let ran = user.run(words);
            assert!(!format!("{}{}", ran.stdout, ran.stderr).contains("sk-leak"), "{words:?}: {ran}");
        }
    }
}

#[test]
fn what_stands_beside_a_list_of_names_is_hidden_in_the_diff_and_the_plan() {
    let config = "\
platform_toolsets:
  api_key: sk-leak-key
  cli: [web, {token: sk-leak-item}]
mcp_servers:
  alpha:
    command: run
    tools:
      include: [one, two]
      env: {TOKEN: sk-leak-env}
      url: sk-leak-url
known_plugin_toolsets: {cli: [a], key: sk-leak-known}
";
    let user = User::with_config(config);
    for words in [&["disable", "web", "--dry-run"][..], &["disable", "alpha:one", "--dry-run"]] {
        for json in [&[][..], &["--json"]] {
            let ran = user.run(&[words, json].concat());
            assert_eq!(ran.code, 0, "{ran}");
            let changes = ran.stdout.split("@@").nth(2).unwrap_or(&ran.stdout);
            assert!(!changes.contains("sk-leak"), "{words:?}: {ran}");
        }
    }
}

#[test]
fn escapes_in_names_are_shown_and_not_sent_to_the_terminal() {
    let config = "platform_toolsets:\n  cli: [web, \"e\\e]0;title\\a\", \"rtl\\u202e\"]\nmcp_servers:\n  \"s\\e[2J\": {command: x}\n";
    let user = User::with_config(config);
    for words in [
        &["list", "--tools"][..],
        &["list", "--plain"],
        &["list", "--json"],
        &["doctor"],
        &["disable", "web", "--dry-run"],
        &["disable", "\u{1b}[31mno\u{202e}"],
    ] {
        let ran = user.run(words);
        let all = format!("{}{}", ran.stdout, ran.stderr);
        assert!(!all.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{words:?}: {ran}");
    }
}
