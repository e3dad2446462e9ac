//! `settings`: what is in force, and changes that touch one value.

use super::User;

const CONFIG: &str = "\
# mine
tools:
  tool_search:
    listing_max_tokens: 4000   # plenty
    threshold_pct: 0.01
model: {api_key: s3cret-key}
";

#[test]
fn what_is_in_force_is_told_with_its_meaning() {
    let ran = User::with_config(CONFIG).run(&["settings", "--json"]);
    let json = ran.json();
    assert_eq!((ran.code, json["schema"].as_str()), (0, Some("hermes-tools/settings@1")));
    let row = |key: &str| {
        let rows = json["settings"].as_array().unwrap();
        rows.iter().find(|row| row["setting"] == key).unwrap_or_else(|| panic!("{key}: {ran}")).clone()
    };
    assert_eq!(
        (&row("listing_max_tokens")["value"], &row("listing_max_tokens")["written"]),
        (&"4000".into(), &true.into())
    );
    assert_eq!((&row("enabled")["value"], &row("enabled")["written"]), (&"auto".into(), &false.into()));
    assert!(json["findings"].to_string().contains("threshold_pct"), "{ran}");
    let ran = User::with_config_of_0_19(CONFIG).run(&["settings"]);
    assert!(ran.stdout.contains("not read by this Hermes"), "{ran}");
}

#[test]
fn one_value_changes_and_nothing_else() {
    let user = User::with_config(CONFIG);
    let dry = user.run(&["settings", "set", "listing_max_tokens", "300", "--dry-run", "--json"]);
    let json = dry.json();
    assert_eq!((dry.code, user.config_text().as_str()), (0, CONFIG), "{dry}");
    assert_eq!((&json["plan"][0]["before"], &json["plan"][0]["after"]), (&4000.into(), &300.into()), "{dry}");
    assert!(json["totals"]["before"]["json_bytes"].as_u64() > Some(0));
    let ran = user.run(&["settings", "set", "tools.tool_search.listing_max_tokens", "300"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(user.config_text(), CONFIG.replace("4000", "300"));
    assert_eq!(user.run(&["settings", "set", "threshold_pct", "7.5"]).code, 0);
    assert_eq!(user.config_text(), CONFIG.replace("4000", "300").replace("0.01", "7.5"));
    assert_eq!(user.run(&["settings", "unset", "threshold_pct"]).code, 0);
    assert!(!user.config_text().contains("threshold_pct"));
    assert_eq!(user.run(&["settings", "set", "enabled", "off"]).code, 0);
    let preview = user.run(&["preview", "--json"]).json();
    assert_eq!(preview["tier"], 0, "{preview}");
    assert_eq!(user.run(&["undo"]).code, 0);
}

#[test]
fn what_is_wrong_is_said_where_it_is_typed() {
    let user = User::with_config(CONFIG);
    for (words, code, expected) in [
        (&["settings", "set", "listing_max_tokens", "5"][..], 2, "from 200 to 60000"),
        (&["settings", "set", "enabled", "maybe"], 2, "auto, on or off"),
        (&["settings", "set", "listing_max_token", "500"], 2, "did you mean 'listing_max_tokens'"),
        (&["settings", "set", "threshold_pct", "-3"], 2, "from 0 to 100"),
        (&["settings", "set", "threshold_pct", "0.5", "--dry-run"], 0, "does not decide when tool search starts"),
        (&["settings", "set", "defer", "no_such_tool", "--dry-run"], 0, "is no tool here"),
    ] {
        let ran = user.run(words);
        assert!(ran.code == code && ran.stderr.contains(expected), "{words:?}: {ran}");
        assert!(!ran.to_string().contains("s3cret"), "{ran}");
    }
    assert_eq!(user.config_text(), CONFIG);
    let shared = "base: &b {listing_max_tokens: 900}\ntools: {tool_search: *b}\n";
    let user = User::with_config(shared);
    let ran = user.run(&["settings", "set", "listing_max_tokens", "300"]);
    assert_eq!(
        user.run(&["settings", "--json"]).json()["settings"][3]["value"],
        if ran.code == 0 { "300" } else { "900" }
    );
    assert!(user.config_text().starts_with("base: &b {listing_max_tokens: 900}\n"), "{ran}");
}

#[test]
fn a_word_where_the_section_belongs_becomes_one_in_its_place_with_its_comment() {
    for (before, after) in [
        (
            "tools:\n  tool_search: \"off\" # I tried\n  other: 1\n",
            "tools:\n  tool_search: # I tried\n    enabled: false\n  other: 1\n",
        ),
        ("tools: {tool_search: \"off\", other: 1}\n", "tools: {tool_search: {enabled: false}, other: 1}\n"),
        ("tools: {tool_search: {enabled: off}}\n", "tools: {tool_search: {enabled: off}}\n"),
    ] {
        let user = User::with_config(before);
        let ran = user.run(&["settings", "set", "enabled", "off"]);
        assert_eq!((ran.code, user.config_text().as_str()), (0, after), "{ran}");
    }
}

#[test]
fn the_way_back_to_a_full_listing_is_told_and_leads_there() {
    let user = User::with_config("tools: {tool_search: {threshold_pct: 0.01}}\n");
    let effect = |user: &User| user.run(&["--context", "200000", "settings", "--json"]).json()["effect"].clone();
    let before = effect(&user);
    assert_ne!(before["form"], "full", "{before}");
    let settings = before["full_with"].as_object().unwrap_or_else(|| panic!("{before}")).clone();
    let shown = user.run(&["--context", "200000", "settings"]);
    for (key, value) in settings {
        let value = value.as_str().unwrap();
        assert!(shown.stdout.contains(&format!("hermes-tools settings set {key} {value}")), "{shown}");
        assert_eq!(user.run(&["settings", "set", &key, value]).code, 0);
    }
    let after = effect(&user);
    assert_eq!((&after["form"], &after["full_with"]), (&"full".into(), &serde_json::Value::Null), "{after}");
    let user =
        User::with_config("tools: {tool_search: {enabled: on, defer: []}}\nplatform_toolsets: {cli: [web, no_mcp]}\n");
    let ran = user.run(&["settings"]);
    assert!(ran.stderr.contains("nothing in this platform's array may be deferred"), "{ran}");
}
