//! A model on loopback that says hello to everything and keeps what it was sent.
//!
//! It speaks as much of OpenAI's chat completions, streamed or not, as a conversation of one turn needs.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

/// The window it claims to have, in tokens; what the homes say too.
pub(super) const WINDOW: u64 = 131_072;

/// The model; it listens until it goes.
pub(super) struct Model {
    address: SocketAddr,
    heard: Arc<Heard>,
}

/// Request bodies in the order of arrival, exactly as they came.
type Heard = Mutex<Vec<String>>;

/// The one field of a request that is looked at, as it stands in the body.
#[derive(Deserialize)]
struct Request {
    tools: Option<Box<RawValue>>,
    #[serde(default)]
    stream: bool,
}

impl Model {
    pub(super) fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let heard = Arc::new(Heard::default());
        let keeper = Arc::clone(&heard);
        std::thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                // The model itself and this thread hold it; when only this thread does, nobody listens any more.
                if Arc::strong_count(&keeper) == 1 {
                    return;
                }
                let keeper = Arc::clone(&keeper);
                // A client that hangs up half-way is none of the model's concern.
                std::thread::spawn(move || serve(connection, &keeper).ok());
            }
        });
        Self { address, heard }
    }

    /// The `model` section of a config that talks to it.
    pub(super) fn section(&self) -> String {
        format!(
            "model:\n  default: stub-model\n  provider: custom\n  base_url: http://{}/v1\n  api_key: x\n  context_length: {WINDOW}\n",
            self.address
        )
    }

    /// Forgets what was sent so far.
    pub(super) fn forget(&self) {
        self.heard.lock().unwrap().clear();
    }

    /// The `tools` of the first request that has some, byte for byte as sent. Other requests (a title for the
    /// conversation) carry none.
    pub(super) fn tools(&self) -> Option<String> {
        tools_in(&self.heard.lock().unwrap())
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.heard = Arc::default();
        // Wakes the listener, which finds itself alone.
        drop(TcpStream::connect(self.address));
    }
}

fn tools_in(bodies: &[String]) -> Option<String> {
    bodies.iter().find_map(|body| {
        let request: Request = serde_json::from_str(body).ok()?;
        request.tools.map(|tools| tools.get().to_owned()).filter(|tools| tools != "[]")
    })
}

/// One request, one answer.
fn serve(mut connection: TcpStream, heard: &Heard) -> std::io::Result<()> {
    let mut reader = BufReader::new(connection.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let posted = line.starts_with("POST ");
    let mut length = 0;
    loop {
        line.clear();
        reader.read_line(&mut line)?;
        let header = line.trim_end().to_ascii_lowercase();
        if header.is_empty() {
            break;
        }
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let body = String::from_utf8(body).unwrap();
    let streamed = serde_json::from_str::<Request>(&body).is_ok_and(|request| request.stream);
    let (kind, answer) = match (posted, streamed) {
        (false, _) => ("application/json", models()),
        (true, false) => ("application/json", completion()),
        (true, true) => ("text/event-stream", stream()),
    };
    if posted {
        heard.lock().unwrap().push(body);
    }
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        answer.len()
    );
    connection.write_all(head.as_bytes())?;
    connection.write_all(answer.as_bytes())
}

fn models() -> String {
    json!({ "object": "list", "data": [{ "id": "stub-model", "object": "model", "context_length": WINDOW }] })
        .to_string()
}

fn usage() -> serde_json::Value {
    json!({ "prompt_tokens": 10, "completion_tokens": 1, "total_tokens": 11 })
}

fn completion() -> String {
    let choice = json!({ "index": 0, "message": { "role": "assistant", "content": "hello" }, "finish_reason": "stop" });
    json!({ "id": "stub", "object": "chat.completion", "created": 1, "model": "stub-model", "choices": [choice], "usage": usage() })
        .to_string()
}

fn stream() -> String {
    let said = json!({ "index": 0, "delta": { "role": "assistant", "content": "hello" }, "finish_reason": null });
    let ended = json!({ "index": 0, "delta": {}, "finish_reason": "stop" });
    let mut events = String::new();
    for (choice, usage) in [(said, serde_json::Value::Null), (ended, usage())] {
        let chunk = json!({ "id": "stub", "object": "chat.completion.chunk", "created": 1, "model": "stub-model", "choices": [choice], "usage": usage });
        events += &format!("data: {chunk}\n\n");
    }
    events + "data: [DONE]\n\n"
}
