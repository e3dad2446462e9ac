use super::*;
use crate::engine::testing::config;

fn read(json: &str) -> Result<Endpoint, EndpointError> {
    let environment = [("KEY", "sekretvalue"), ("PATH", "/bin"), ("XDG_DATA_HOME", "/d"), ("AWS_SECRET", "no")];
    let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    Endpoint::read(&config(json), &Variables::new(environment, Some("/home/demo".into()), "/w".into()), &Rules::v0_22())
}

fn launched(json: &str) -> Launch {
    match read(json).unwrap().way {
        Way::Stdio(launch) => launch,
        _ => panic!("{json} is no stdio server"),
    }
}

#[test]
fn a_child_gets_what_hermes_gives_it_and_nothing_else() {
    let launch = launched(
        r#"{"command": " ~/bin/x ", "args": ["-k", "${KEY}", 5], "env": {"A": "${KEY}", "B": 1}, "cwd": "~/w"}"#,
    );
    assert_eq!(launch.command, "/home/demo/bin/x");
    assert_eq!(launch.args, ["-k", "sekretvalue", "5"]);
    let mut names: Vec<&str> = launch.environment.keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["A", "B", "PATH", "XDG_DATA_HOME"]);
    assert_eq!(launch.environment["A"], "sekretvalue");
    assert_eq!(launch.folder.as_deref(), Some(std::path::Path::new("/home/demo/w")));
}

#[test]
fn every_kind_of_broken_entry_is_named() {
    let table = [
        (r#""https://h.invalid/mcp""#, "its entry is text"),
        ("null", "its entry is"),
        ("[]", "its entry is"),
        ("{}", "neither"),
        (r#"{"url": null}"#, "neither"),
        (r#"{"command": 5}"#, "\"command\" is"),
        (r#"{"command": "x", "args": "[\"--db\"]"}"#, "text where a list is expected"),
        (r#"{"command": "x", "args": 5}"#, "\"args\" is"),
        (r#"{"command": "x", "env": []}"#, "\"env\" is"),
        (r#"{"command": "x\u0000"}"#, "NUL"),
        (r#"{"command": "x", "env": {"A=B": "1"}}"#, "unusable name"),
        (r#"{"url": "ftp://h.invalid"}"#, "no http or https"),
        (r#"{"url": "no address"}"#, "no address"),
        (r#"{"url": "http://h.invalid", "headers": "{\"X-Key\": \"v\"}"}"#, "text where a mapping"),
        (r#"{"url": "http://h.invalid", "headers": {"a b": "v"}}"#, "no name of a header"),
        (r#"{"url": "http://h.invalid", "headers": {"a": "v\nw"}}"#, "cannot be sent"),
        (r#"{"url": "http://h.invalid/${NOPE}"}"#, "${NOPE} is not set"),
        (r#"{"url": "http://h.invalid", "headers": {"a": "${NOPE}"}}"#, "${NOPE} is not set"),
    ];
    for (json, expected) in table {
        let error = read(json).unwrap_err().to_string();
        assert!(error.contains(expected), "{json}: {error}");
    }
}

#[test]
fn empty_things_are_nothing() {
    let endpoint = read(r#"{"command": "x", "args": null, "env": null}"#).unwrap();
    assert!(endpoint.notes[0].contains("0.19"));
    assert!(matches!(endpoint.way, Way::Stdio(Launch { args, .. }) if args.is_empty()));
    assert!(matches!(read(r#"{"url": "http://h.invalid", "headers": null}"#).unwrap().way, Way::Http(_)));
    assert!(matches!(read(r#"{"url": "http://h.invalid", "transport": "sse"}"#).unwrap().way, Way::Sse(_)));
}

#[test]
fn secrets_are_known_and_never_printed() {
    let endpoint = read(
        r#"{"url": "https://ann:hunter22@h.invalid/mcp?key=k3yk3y", "headers": {"Authorization": "Bearer t0k3n", "X": "${KEY}"}}"#,
    )
    .unwrap();
    let text = "ann hunter22 k3yk3y t0k3n sekretvalue";
    assert_eq!(endpoint.secrets.cleared(text), "ann *** *** *** ***");
    for secret in text.split(' ').skip(1) {
        assert!(!format!("{endpoint:?}").contains(secret));
    }
}

#[test]
fn patience_is_the_entrys() {
    let patience = |json| read(json).unwrap().patience.as_secs();
    assert_eq!(patience(r#"{"command": "x"}"#), 60);
    assert_eq!(patience(r#"{"command": "x", "connect_timeout": 5}"#), 5);
    assert_eq!(patience(r#"{"command": "x", "connect_timeout": -5}"#), 60);
    assert_eq!(patience(r#"{"command": "x", "connect_timeout": 1e9}"#), 3600);
}

#[test]
fn a_server_is_offered_what_hermes_offers() {
    let offered = |more: &str| {
        let capabilities = read(&format!(r#"{{"command": "x"{more}}}"#)).unwrap().capabilities;
        serde_json::to_string(&capabilities).unwrap()
    };
    assert_eq!(offered(""), r#"{"sampling":{},"elicitation":{"form":{},"url":{}}}"#);
    assert_eq!(offered(r#", "sampling": {"enabled": false}"#), r#"{"elicitation":{"form":{},"url":{}}}"#);
    assert_eq!(
        offered(r#", "elicitation": {"enabled": false}, "sampling": {"expose_client_tools": true}"#),
        r#"{"sampling":{"tools":{}}}"#
    );
}
