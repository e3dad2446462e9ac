//! Servers behind an address: what a stranger at the door may meet there.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::{User, probed};

/// A place on loopback that answers every request by its path, and remembers the heads it was sent.
struct Place {
    port: u16,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Place {
    fn start(answer: impl Fn(&str, &str, &mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let heads = Arc::new(Mutex::new(Vec::new()));
        let (answer, seen) = (Arc::new(answer), Arc::clone(&heads));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answer, seen) = (Arc::clone(&answer), Arc::clone(&seen));
                std::thread::spawn(move || serve(stream, &*answer, &seen));
            }
        });
        Self { port, heads }
    }

    fn heads(&self) -> String {
        self.heads.lock().unwrap().join("\n")
    }
}

/// One request a connection is enough.
fn serve(mut stream: TcpStream, answer: &dyn Fn(&str, &str, &mut TcpStream), seen: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line == "\r\n" {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    if reader.read_exact(&mut body).is_err() {
        return;
    }
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    seen.lock().unwrap().push(head);
    answer(&path, &String::from_utf8_lossy(&body), &mut stream);
}

fn reply(stream: &mut TcpStream, status: &str, more: &str, body: &str) {
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\n{more}content-length: {length}\r\nconnection: close\r\n\r\n");
    let _ = stream.write_all(format!("{head}{body}").as_bytes());
}

const JSON: &str = "content-type: application/json\r\n";

/// A well-behaved server of two tools on two pages.
fn good(body: &str, stream: &mut TcpStream) {
    let message: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
    let id = message["id"].clone();
    let result = match message["method"].as_str().unwrap_or_default() {
        "initialize" => {
            serde_json::json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "good", "version": "1"}})
        }
        "tools/list" if message["params"]["cursor"].is_null() => {
            serde_json::json!({"tools": [{"name": "one"}], "nextCursor": "b"})
        }
        "tools/list" => serde_json::json!({"tools": [{"name": "two"}]}),
        _ => return reply(stream, "202 Accepted", "", ""),
    };
    let answer = serde_json::json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string();
    reply(stream, "200 OK", &format!("{JSON}mcp-session-id: s-1\r\n"), &answer);
}

#[test]
fn every_answer_of_a_remote_place_has_a_row_and_an_end() {
    let elsewhere = Place::start(|_, body, stream| good(body, stream));
    let other = elsewhere.port;
    let place = Place::start(move |path, body, stream| match path {
        "/good" => good(body, stream),
        "/events" => {
            let message: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
            if message["method"] != "initialize" {
                return good(body, stream);
            }
            let answer = serde_json::json!({"jsonrpc": "2.0", "id": message["id"], "result": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "e", "version": "1"}}});
            let event = format!(": hello\r\n\r\nevent: message\r\ndata: {answer}\r\n\r\n");
            reply(stream, "200 OK", "content-type: text/event-stream\r\n", &event);
        }
        "/login" => reply(stream, "401 Unauthorized", "www-authenticate: Bearer realm=\"x\"\r\n", ""),
        "/refused" => reply(stream, "401 Unauthorized", "", "no"),
        "/scope" => reply(stream, "403 Forbidden", "www-authenticate: Bearer error=\"insufficient_scope\"\r\n", ""),
        "/error" => reply(stream, "500 Internal Server Error", "", "key=pl4nted-query"),
        "/page" => reply(stream, "200 OK", "content-type: text/html\r\n", "<html>hi\u{1b}[2J</html>"),
        "/loop" => reply(stream, "307 Temporary Redirect", "location: /loop\r\n", ""),
        "/away" => reply(stream, "307 Temporary Redirect", &format!("location: http://127.0.0.1:{other}/good\r\n"), ""),
        "/stays" => reply(stream, "307 Temporary Redirect", "location: /good\r\n", ""),
        "/silent" => std::thread::sleep(Duration::from_secs(20)),
        "/half" => {
            let _ = stream
                .write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{\"json");
        }
        "/sse-away" => {
            let event = format!("event: endpoint\ndata: http://127.0.0.1:{other}/good\n\n");
            reply(stream, "200 OK", "content-type: text/event-stream\r\n", &event);
        }
        _ => reply(stream, "404 Not Found", "", ""),
    });
    let cases = [
        ("good", "ready", ""),
        ("events", "ready", ""),
        ("stays", "ready", ""),
        ("login", "needs-login", "hermes mcp login login"),
        ("refused", "needs-login", "401"),
        ("scope", "needs-login", "403"),
        ("error", "failed", "500"),
        ("page", "failed", "no MCP server"),
        ("loop", "failed", "sends us elsewhere"),
        ("away", "failed", "another host"),
        ("silent", "failed", "within 2 s"),
        ("half", "failed", "broke"),
        ("missing", "failed", "404"),
        ("sse-away", "failed", "another host"),
    ];
    let mut config = String::from("mcp_servers:\n");
    for (name, ..) in cases {
        let sse = if name.starts_with("sse") { ", transport: sse" } else { "" };
        config.push_str(&format!(
            "  {name}: {{url: 'http://127.0.0.1:{}/{name}'{sse}, headers: {{X-Key: pl4nted-header}}}}\n",
            place.port
        ));
    }
    let user = User::with_config("").config(&config);
    let begun = Instant::now();
    let (ran, json) = probed(&user, &["--timeout", "2", "--jobs", "14"]);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    for (at, (name, state, words)) in cases.iter().enumerate() {
        let row = &json["servers"][at];
        assert_eq!((row["server"].as_str(), row["state"].as_str()), (Some(*name), Some(*state)), "{row}");
        assert!(row["reason"].as_str().unwrap_or_default().contains(words), "{name}: {row}");
        if *state == "ready" {
            let names: Vec<_> = row["tools"].as_array().unwrap().iter().map(|tool| tool["tool"].clone()).collect();
            assert_eq!(names, ["one", "two"], "{row}");
        }
    }
    assert!(!ran.to_string().contains("pl4nted") && !ran.to_string().contains('\u{1b}'), "{ran}");
    assert!(place.heads().contains("pl4nted-header"));
    assert!(elsewhere.heads().is_empty(), "no header may go to a host the file does not name");
    assert!(place.heads().contains("DELETE /good"), "a session is left as it was taken");
}
