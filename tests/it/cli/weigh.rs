//! `preview` and `ablate`: what is sent, how it is disclosed, and what a switch would really save.

use super::User;

const CONFIG: &str = "\
platform_toolsets:
  cli: [web, file, terminal, todo, session_search, image_gen]
mcp_servers:
  github: {command: npx, tools: {exclude: [create_issue]}}
";

fn number(json: &serde_json::Value) -> i64 {
    json.as_i64().unwrap_or_else(|| panic!("{json} is no number"))
}

#[test]
fn the_preview_adds_up_to_the_raw_array() {
    let user = User::with_config(CONFIG);
    let raw = user.run(&["preview", "--raw"]);
    assert_eq!(raw.code, 0, "{raw}");
    let array: Vec<serde_json::Value> = serde_json::from_str(&raw.stdout).unwrap();
    let json = user.run(&["preview", "--json"]).json();
    assert_eq!(json["totals"]["json_bytes"], raw.stdout.len());
    assert_eq!(json["totals"]["tools"], array.len());
    let tools = json["tools"].as_array().unwrap();
    let names: Vec<_> = tools.iter().filter(|tool| tool["fate"] == "eager").map(|tool| tool["tool"].clone()).collect();
    let sent: Vec<_> = array.iter().map(|tool| tool["function"]["name"].clone()).collect();
    assert_eq!(names, sent, "in the order they are sent");
    assert_eq!(sent[sent.len() - 3..], ["tool_search", "tool_describe", "tool_call"]);
    let text = json["listing"]["text"].as_str().unwrap();
    let description = array[array.len() - 3]["function"]["description"].as_str().unwrap();
    assert!(description.ends_with(text), "{description}\n{text}");
    assert!(text.contains("todo tools (1):\n- todo_list"), "{text}");
}

#[test]
fn the_preview_says_which_form_fits_and_how_far_it_is_to_the_next() {
    let budget = |tokens: u64| {
        let config = format!("{CONFIG}tools: {{tool_search: {{listing_max_tokens: {tokens}}}}}\n");
        User::with_config(&config).run(&["preview", "--json"]).json()
    };
    let roomy = budget(4000);
    assert_eq!((roomy["tier"].as_u64(), roomy["form"].as_str()), (Some(1), Some("full")), "{roomy:#}");
    assert_eq!(roomy["next"]["larger"], serde_json::Value::Null);
    let used = number(&roomy["listing"]["tokens"]);
    assert_eq!(number(&roomy["next"]["smaller"]["tokens"]), 4000 - used);
    let ladder = roomy["ladder"].as_array().unwrap();
    let fits = ladder.iter().find(|rung| rung["fits"] == true).unwrap();
    assert_eq!((fits["form"].as_str(), fits["tokens"].as_i64()), (Some("full"), Some(used)));

    let tight = budget(200);
    assert_eq!(tight["budget"]["tokens"], 200);
    let form = tight["form"].as_str().unwrap();
    assert_ne!(form, "full", "{tight:#}");
    let above = &tight["next"]["larger"];
    let rung = |form: &serde_json::Value| {
        tight["ladder"]
            .as_array()
            .unwrap()
            .iter()
            .rfind(|rung| rung["form"] == *form && rung["fits"] == false)
            .unwrap()
            .clone()
    };
    assert_eq!(number(&above["tokens"]), number(&rung(&above["form"])["tokens"]) - 200);
}

#[test]
fn without_a_bridge_the_preview_says_why() {
    let config = format!("{CONFIG}tools: {{tool_search: {{enabled: off}}}}\n");
    let user = User::with_config(&config);
    let json = user.run(&["preview", "--json"]).json();
    assert_eq!((json["tier"].as_u64(), json["direct_because"].as_str()), (Some(0), Some("switched-off")));
    assert!(json["tools"].as_array().unwrap().iter().all(|tool| tool["fate"] != "deferred"));
    let ran = user.run(&["preview"]);
    assert!(ran.stdout.contains("no bridge: tools.tool_search.enabled is off"), "{ran}");
}

#[test]
fn the_raw_array_has_two_shapes_of_the_same_tools() {
    let user = User::with_config(CONFIG);
    let openai: Vec<serde_json::Value> = serde_json::from_str(&user.run(&["preview", "--raw"]).stdout).unwrap();
    let anthropic = user.run(&["preview", "--raw", "--format", "anthropic"]);
    let anthropic: Vec<serde_json::Value> = serde_json::from_str(&anthropic.stdout).unwrap();
    assert_eq!(openai.len(), anthropic.len());
    for (theirs, ours) in openai.iter().zip(&anthropic) {
        assert_eq!(theirs["function"]["name"], ours["name"]);
        assert_eq!(theirs["function"]["description"], ours["description"]);
        assert_eq!(theirs["function"]["parameters"], ours["input_schema"]);
    }
}

#[test]
fn ablation_says_what_goes_and_why_nothing_does() {
    let user = User::with_config(CONFIG);
    let json = user.run(&["ablate", "--json", "--cumulative"]).json();
    let rows = json["rows"].as_array().unwrap();
    let row = |name: &str| rows.iter().find(|row| row["toolset"] == name).unwrap_or_else(|| panic!("{name}"));
    assert_eq!(row("web")["outcome"], "tools+bytes");
    assert_eq!(row("todo")["outcome"], "bytes");
    assert_eq!(number(&row("todo")["tools_delta"]), 0);
    assert!(row("todo")["why"].as_str().unwrap().contains("deferred"), "{}", row("todo"));
    assert_eq!(row("image_gen")["outcome"], "nothing");
    assert!(row("image_gen")["why"].as_str().unwrap().contains("unavailable here"), "{}", row("image_gen"));
    assert_eq!(row("github")["kind"], "server");

    // Alone it saves what its row of `list` weighs, and two bytes of framing for each tool that is sent.
    let list = user.run(&["list", "--json"]).json();
    let web = list["toolsets"].as_array().unwrap().iter().find(|row| row["toolset"] == "web").unwrap().clone();
    assert_eq!(number(&row("web")["bytes_delta"]), -number(&web["bytes"]) - 2 * number(&web["sent"]));

    let steps = json["cumulative"].as_array().unwrap();
    let saved: i64 = steps.iter().map(|step| number(&step["bytes_delta"])).sum();
    let left = number(&json["baseline"]["json_bytes"]) + saved;
    assert_eq!(left, 2, "everything off one after the other leaves an empty array");
    assert_eq!(user.config_text(), CONFIG, "nothing is written");
}

#[test]
fn a_target_is_reached_with_few_switches_or_said_to_be_out_of_reach() {
    let user = User::with_config(CONFIG);
    let json = user.run(&["ablate", "--json", "--target-tokens", "1200"]).json();
    let target = &json["target"];
    assert_eq!(target["reached"], true, "{json:#}");
    assert!(number(&target["tokens_after"]) <= 1200);
    // One switch fewer would not do: the last one is needed.
    let off: Vec<&str> = target["switch_off"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(off.first().copied(), json["best"].as_str());
    let already = user.run(&["ablate", "--json", "--target-tokens", "1000000"]).json();
    assert_eq!(already["target"]["switch_off"], serde_json::json!([]));
}

/// The topics of advice that warn.
fn warnings(json: &serde_json::Value) -> Vec<&str> {
    let lines = json["advice"].as_array().unwrap().iter();
    lines.filter(|line| line["severity"] == "warning").map(|line| line["topic"].as_str().unwrap()).collect()
}

#[test]
fn a_stock_set_up_gets_no_warning_and_its_tax_is_the_array_times_the_turns() {
    let user = User::with_config("");
    let json = user.run(&["advise", "--json", "--price-per-mtok", "3"]).json();
    assert_eq!(warnings(&json), Vec::<&str>::new(), "{json:#}");
    let size = user.run(&["prompt-size", "--json"]).json();
    let tokens = size["tokens"].as_i64().unwrap();
    let tax = &json["tax"];
    assert_eq!((number(&tax["turns"]), number(&tax["tokens_per_turn"])), (20, tokens));
    assert_eq!(number(&tax["tokens_uncached"]), 20 * tokens);
    assert_eq!(number(&tax["tokens_cached"]), tokens + 19 * tokens / 10);
    let money = tax["money_uncached"].as_f64().unwrap();
    assert!((money - 20.0 * tokens as f64 * 3e-6).abs() < 1e-9, "{money}");
    assert_eq!(json["detour"]["round_trips"], 2);
}

#[test]
fn advice_warns_of_what_costs_and_names_the_setting() {
    let advise = |config: &str| User::with_config(config).run(&["advise", "--json", "--context", "20000"]).json();
    let deferred = advise("tools: {tool_search: {defer: [terminal, todo_list]}}\n");
    assert!(warnings(&deferred).contains(&"defer"), "{deferred:#}");
    assert!(warnings(&deferred).contains(&"window"), "the array fills more than a sixth of 20,000: {deferred:#}");
    let off = advise(&format!("{CONFIG}tools: {{tool_search: {{enabled: off}}}}\n"));
    assert!(warnings(&off).contains(&"load"), "{off:#}");
    assert_eq!(off["detour"], serde_json::Value::Null);
    let usage = User::with_config("").run(&["advise", "--tokens-per-second", "0"]);
    assert_eq!(usage.code, 2, "{usage}");
}

#[test]
fn servers_are_set_side_by_side_and_unknown_ones_are_not_nothing() {
    let config = "mcp_servers:\n  github: {command: x, tools: {exclude: [create_issue]}}\n  lin: {url: 'http://u:s3cret@h.invalid'}\n";
    let user = super::User::with_config(config);
    let ran = user.run(&["servers", "--json"]);
    let json = ran.json();
    assert_eq!(json["schema"], "hermes-tools/servers@1");
    let github = &json["servers"][0];
    assert_eq!((github["tools"].as_u64(), github["filtered"].as_u64()), (Some(25), Some(1)), "{ran}");
    let (est, mean) = (github["est_tokens"].as_u64().unwrap(), github["mean_est_tokens"].as_u64().unwrap());
    assert_eq!(mean, est / 25);
    assert!(github["share"]["128k"].as_str().unwrap().ends_with('%'));
    assert_eq!(json["servers"][1]["tools"], serde_json::Value::Null);
    let ran = user.run(&["servers", "--by-cost", "--turns", "5"]);
    assert!(ran.code == 0 && ran.stdout.contains("5 turns") && ran.stderr.contains("hermes-tools probe"), "{ran}");
    assert!(!ran.to_string().contains("s3cret"), "{ran}");
}
