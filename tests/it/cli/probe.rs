//! `probe`: servers that answer, and those that do not. The servers here are shell scripts: each says its lines whatever
//! it is asked, which is all that misbehaving takes.

#[cfg(feature = "real-hermes")]
mod npm;
mod remote;

use std::time::{Duration, Instant};

use super::{Ran, User};

const HELLO: &str = r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"prompts":{}},"serverInfo":{"name":"demo","version":"7"}}}"#;

/// A script that waits for a line before each of these answers.
fn answering(lines: &[&str]) -> String {
    let mut script = String::new();
    for line in lines {
        script.push_str(&format!("read -r _\ncat <<'END'\n{line}\nEND\n"));
    }
    script
}

/// The handshake, its notification, and then these answers to `tools/list`.
fn listing(pages: &[&str]) -> String {
    let mut script = answering(&[HELLO]);
    script.push_str("read -r _\n");
    for (number, page) in pages.iter().enumerate() {
        let answer = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{page}}}"#, number + 1);
        script.push_str(&answering(&[&answer]));
    }
    script.push_str("cat >/dev/null\n");
    script
}

/// A user whose servers are these scripts.
fn user(servers: &[(&str, &str)]) -> User {
    let user = User::with_config("").env("PATH", &std::env::var("PATH").unwrap());
    let mut config = String::from("mcp_servers:\n");
    for (name, script) in servers {
        let file = user.path(&format!("{name}.sh"));
        std::fs::write(&file, script).unwrap();
        config.push_str(&format!("  {name}: {{command: sh, args: ['{}']}}\n", file.display()));
    }
    user.config(&config)
}

fn probed(user: &User, words: &[&str]) -> (Ran, serde_json::Value) {
    let ran = user.run(&[&["probe", "--json"], words].concat());
    let json = ran.json();
    (ran, json)
}

#[test]
fn tools_come_as_the_server_told_them() {
    let odd = r#"{"inputSchema":{"z":1E5,"a":12345678901234567890123},"x-own":[],"name":"one"}"#;
    let page = format!(r#"{{"tools":[{odd},{{"name":"two"}},{{"name":5}}],"nextCursor":"c"}}"#);
    let user = user(&[("s", &listing(&[&page, r#"{"tools":[{"name":"three","inputSchema":true}]}"#]))]);
    let (ran, json) = probed(&user, &[]);
    assert_eq!(ran.code, 0, "{ran}");
    let server = &json["servers"][0];
    assert_eq!(
        (&server["state"], &server["pages"], &server["software"]),
        (&"ready".into(), &2.into(), &"demo 7".into())
    );
    let names: Vec<&str> =
        server["tools"].as_array().unwrap().iter().map(|tool| tool["tool"].as_str().unwrap()).collect();
    assert_eq!(names, ["one", "two", "three"]);
    assert!(ran.stdout.contains(odd), "{ran}");
    assert!(server["notes"].to_string().contains("row 3"), "{ran}");
}

#[test]
fn what_a_list_says_next_time_is_compared() {
    let first = listing(&[r#"{"tools":[{"name":"a"},{"name":"b","description":"1"}]}"#]);
    let user = user(&[("s", &first)]);
    let (ran, json) = probed(&user, &["--check"]);
    assert_eq!((ran.code, &json["servers"][0]["drift"]["appeared"]), (0, &serde_json::json!([])), "{ran}");
    let second = listing(&[r#"{"tools":[{"name":"c"},{"name":"b","description":"2"}]}"#]);
    std::fs::write(user.path("s.sh"), second).unwrap();
    let (ran, json) = probed(&user, &["--check"]);
    let expected = serde_json::json!({"appeared": ["c"], "vanished": ["a"], "changed": ["b"], "dead_filters": []});
    assert_eq!((ran.code, &json["servers"][0]["drift"]), (4, &expected), "{ran}");
    assert_eq!(user.run(&["probe"]).code, 0);
}

#[test]
fn every_way_to_misbehave_has_a_row_and_an_end() {
    let error = r#"{"jsonrpc":"2.0","id":0,"error":{"code":-1,"message":"no \u001b[31mthanks"}}"#;
    let refuses = format!(
        "{}read -r _\n{}",
        answering(&[HELLO]),
        answering(&[r#"{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"none today"}}"#])
    );
    let again = r#"{"tools":[{"name":"a"}],"nextCursor":"same"}"#;
    let banner = format!("printf 'hi\\n\\033[31mred\\n\\n\\377\\376\\n'\n{}", listing(&[r#"{"tools":[]}"#]));
    let deep =
        format!(r#"{{"tools":[{{"name":"deep","inputSchema":{}1{}}}]}}"#, "[".repeat(20_000), "]".repeat(20_000));
    let toolless = HELLO.replace(r#""tools":{},"#, "");
    let cases: &[(&str, &str, &str, &str)] = &[
        ("dead", "exit 7", "failed", "exit status: 7"),
        ("silent", "cat >/dev/null", "failed", "did not answer the handshake within 2 s"),
        (
            "deaf",
            &format!("{}read -r _\ncat >/dev/null", answering(&[HELLO])),
            "failed",
            "did not answer tools/list within 2 s",
        ),
        ("refuser", &answering(&[error]), "failed", "no \\\\x1b[31mthanks"),
        ("unlisted", &refuses, "failed", "none today"),
        ("nonsense", &answering(&[r#"{"jsonrpc":"2.0","id":0,"result":5}"#]), "failed", "answer"),
        ("listless", &listing(&[r#"{"tools":5}"#]), "failed", "no list"),
        ("stubborn", &format!("trap '' TERM\n{}sleep 100 & sleep 100", listing(&[r#"{"tools":[]}"#])), "ready", ""),
        ("circle", &listing(&[again, again]), "ready", "points back"),
        ("chatty", &banner, "ready", "noise_lines\":"),
        ("bottomless", &listing(&[&deep]), "ready", "deep"),
        ("toolless", &format!("{}cat >/dev/null", answering(&[&toolless])), "ready", "no tools"),
    ];
    let servers: Vec<(&str, &str)> = cases.iter().map(|(name, script, ..)| (*name, *script)).collect();
    let user = user(&servers);
    let begun = Instant::now();
    let (ran, json) = probed(&user, &["--timeout", "2", "--jobs", "12"]);
    assert!(begun.elapsed() < Duration::from_secs(40), "{:?}", begun.elapsed());
    assert_eq!(ran.code, 1, "{ran}");
    for (place, (name, _, state, words)) in cases.iter().enumerate() {
        let row = &json["servers"][place];
        assert_eq!((row["server"].as_str(), row["state"].as_str()), (Some(*name), Some(*state)), "{row}");
        assert!(row.to_string().contains(words), "{name}: {row}");
    }
    assert!(!ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'));
    assert!(!left_running(&user), "a server is still there");
}

/// Whether a process has one of the user's scripts among its arguments.
fn left_running(user: &User) -> bool {
    let folder = user.path("").display().to_string();
    std::fs::read_dir("/proc").unwrap().flatten().any(|entry| {
        std::fs::read(entry.path().join("cmdline")).is_ok_and(|words| String::from_utf8_lossy(&words).contains(&folder))
    })
}

#[test]
fn secrets_stay_where_they_were() {
    let script = "printf '%s %s\\n' \"$TOKEN\" \"$1\" >&2\nexit 1\n";
    let user = user(&[("s", script)]);
    let file = user.path("s.sh");
    let text = format!(
        "mcp_servers:\n  s:\n    command: sh\n    args: ['{}', '--api-key=pl4nted-argument']\n    env: {{TOKEN: '${{FROM_ENV}}'}}\n\
         \x20 t: {{url: 'http://u5er:pa55word@127.0.0.1:9/x?key=pl4nted-query', headers: {{Authorization: 'Bearer pl4nted-header'}}}}\n",
        file.display()
    );
    let user = user.config(&text).env("FROM_ENV", "pl4nted-variable");
    for words in [&["probe"][..], &["probe", "-v"], &["probe", "--json"]] {
        let ran = user.run(words);
        assert_eq!(ran.code, 1);
        assert!(ran.to_string().contains("***"), "{ran}");
        for secret in ["pl4nted", "pa55word"] {
            assert!(!ran.to_string().contains(secret), "{ran}");
        }
    }
}

#[test]
fn only_servers_that_are_there_are_asked() {
    let user = user(&[("alpha", &listing(&[r#"{"tools":[]}"#]))]);
    let ran = user.run(&["probe", "alpah"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("did you mean 'alpha'"), "{ran}");
    let config = user.config_text().replace("{command", "{enabled: false, command");
    let user = user.config(&config);
    let (ran, json) = probed(&user, &[]);
    assert_eq!((ran.code, &json["servers"]), (0, &serde_json::json!([])));
    assert!(ran.stderr.contains("no MCP server is on"), "{ran}");
    let (ran, json) = probed(&user, &["alpha"]);
    assert_eq!((ran.code, json["servers"].as_array().unwrap().len()), (0, 1));
}

#[test]
fn nothing_is_started_unless_it_is_asked() {
    let script = "touch \"$0.started\"\n";
    let user = user(&[("s", script)]);
    for words in
        [&["list"][..], &["preview"], &["prompt-size"], &["doctor"], &["--summary"], &["enable", "s", "--dry-run"]]
    {
        user.run(words);
    }
    assert!(!user.path("s.sh.started").exists());
    user.run(&["probe", "--timeout", "2"]);
    assert!(user.path("s.sh.started").exists());
}
