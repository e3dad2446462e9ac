//! The reference servers from npm, by every way they speak: the same tools, in the server's own order and text.

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{User, probed};

fn script(package: &str) -> PathBuf {
    let folder = std::env::var_os("HERMES_TOOLS_TEST_MCP").map_or_else(
        || PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cache/hermes-tools-tests/mcp"),
        PathBuf::from,
    );
    folder.join("node_modules/@modelcontextprotocol").join(package).join("dist/index.js")
}

/// A server that is ended with the test.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the reference server on a free port, in this mode.
fn serve(mode: &str) -> (Served, u16) {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let child = Command::new("node")
        .arg(script("server-everything"))
        .arg(mode)
        .env("PORT", port.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let served = Served(child);
    let deadline = Instant::now() + Duration::from_secs(60);
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(Instant::now() < deadline, "the server does not listen");
        std::thread::sleep(Duration::from_millis(50));
    }
    (served, port)
}

/// What the server says to a client that only reads lines: the text of its list.
fn told(package: &str, argument: &str) -> String {
    use std::io::{BufRead as _, BufReader, Write as _};
    let mut child = Command::new("node")
        .arg(script(package))
        .args((!argument.is_empty()).then_some(argument))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let hello = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"sampling":{},"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"t","version":"1"}}}"#;
    writeln!(stdin, "{hello}").unwrap();
    let answer = |lines: &mut dyn Iterator<Item = std::io::Result<String>>, id: u64| {
        let start = format!("\"id\":{id}");
        lines.map(Result::unwrap).find(|line| line.contains(&start)).unwrap()
    };
    answer(&mut lines, 0);
    writeln!(stdin, r#"{{"jsonrpc":"2.0","method":"notifications/initialized"}}"#).unwrap();
    writeln!(stdin, r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list"}}"#).unwrap();
    let list = answer(&mut lines, 1);
    let _served = Served(child);
    list
}

#[test]
fn what_reference_servers_tell_is_kept_to_the_byte_by_every_way() {
    let (_http, http) = serve("streamableHttp");
    let (_sse, sse) = serve("sse");
    let folder = std::env::temp_dir().canonicalize().unwrap().display().to_string();
    let config = format!(
        "mcp_servers:\n  stdio: {{command: node, args: ['{everything}']}}\n  http: {{url: 'http://127.0.0.1:{http}/mcp'}}\n\
         \x20 sse: {{url: 'http://127.0.0.1:{sse}/sse', transport: sse}}\n\
         \x20 files: {{command: node, args: ['{files}', '{folder}']}}\n  memory: {{command: node, args: ['{memory}']}}\n",
        everything = script("server-everything").display(),
        files = script("server-filesystem").display(),
        memory = script("server-memory").display(),
    );
    let user = User::with_config("").env("PATH", &std::env::var("PATH").unwrap()).config(&config);
    let (ran, json) = probed(&user, &[]);
    assert_eq!(ran.code, 0, "{ran}");
    let definitions = |at: usize| -> Vec<String> {
        let tools = json["servers"][at]["tools"].as_array().unwrap();
        tools.iter().map(|tool| tool["definition"].to_string()).collect()
    };
    assert!(definitions(0).len() > 10);
    assert_eq!(definitions(0), definitions(1), "stdio and streamable HTTP");
    assert_eq!(definitions(0), definitions(2), "stdio and SSE");
    for (at, package, argument) in
        [(0, "server-everything", ""), (3, "server-filesystem", folder.as_str()), (4, "server-memory", "")]
    {
        let list = told(package, argument);
        let mut from = 0;
        for definition in definitions(at) {
            let found = list[from..].find(&definition);
            from += found.unwrap_or_else(|| panic!("{package}: not as sent, or out of order: {definition}"));
        }
    }
}
