//! The way between `rmcp` and a server, on which answers to `tools/list` are taken off as text.
//!
//! A client that reads a list into types of its own refuses all of it for one odd tool, and rewrites the rest. So `rmcp`
//! is handed an empty list in its place, and never sees a tool.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::RoleClient;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::sync::mpsc;

/// What passes between us and the process or the place behind a server.
pub(super) struct Link {
    /// Messages to the server.
    pub(super) outgoing: mpsc::UnboundedSender<String>,
    /// Messages from it; ends when it is gone.
    pub(super) incoming: mpsc::Receiver<String>,
}

/// Both ends of a link: ours, and that of the tasks which move bytes.
pub(super) fn link() -> (Link, mpsc::UnboundedReceiver<String>, mpsc::Sender<String>) {
    let (outgoing, to_send) = mpsc::unbounded_channel();
    let (received, incoming) = mpsc::channel(64);
    (Link { outgoing, incoming }, to_send, received)
}

/// What was seen on the way.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen(Arc<Mutex<SeenState>>);

#[derive(Debug, Default)]
struct SeenState {
    initialize: Option<Box<str>>,
    list: Option<Box<str>>,
    page: Option<String>,
    hello: Option<Hello>,
    noise: u64,
    changes: u64,
    fault: Option<Fault>,
}

/// What a server says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Hello {
    pub(super) protocol: Option<String>,
    pub(super) software: Option<String>,
    pub(super) tools: bool,
    pub(super) resources: bool,
    pub(super) prompts: bool,
}

/// Why a link ended, where whoever moves the bytes knows it better than the protocol does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    NeedsLogin(String),
    Failed(String),
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
}

impl Seen {
    fn with<T>(&self, act: impl FnOnce(&mut SeenState) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The text of the last `result` of `tools/list`, once.
    pub(super) fn take_page(&self) -> Option<String> {
        self.with(|seen| seen.page.take())
    }

    pub(super) fn hello(&self) -> Hello {
        self.with(|seen| seen.hello.clone().unwrap_or_default())
    }

    /// Messages that were none.
    pub(super) fn noise(&self) -> u64 {
        self.with(|seen| seen.noise)
    }

    /// How often the server said that its list changed, since the last time this was asked.
    pub(super) fn take_changes(&self) -> u64 {
        self.with(|seen| std::mem::take(&mut seen.changes))
    }

    /// The first fault counts: others follow from it.
    pub(super) fn fail(&self, fault: Fault) {
        self.with(|seen| {
            seen.fault.get_or_insert(fault);
        });
    }

    pub(super) fn fault(&self) -> Option<Fault> {
        self.with(|seen| seen.fault.clone())
    }

    fn note_sent(&self, text: &str) {
        let Ok(Envelope { id: Some(id), method: Some(method), .. }) = serde_json::from_str(text) else { return };
        self.with(|seen| match &*method {
            "initialize" => seen.initialize = Some(id.get().into()),
            "tools/list" => seen.list = Some(id.get().into()),
            _ => {}
        });
    }

    /// A message for `rmcp`; `None` for what is none.
    fn read(&self, text: &str) -> Option<RxJsonRpcMessage<RoleClient>> {
        let envelope: Envelope<'_> = match serde_json::from_str(text) {
            Ok(envelope) => envelope,
            Err(_) => {
                self.with(|seen| seen.noise += 1);
                return None;
            }
        };
        if envelope.method.as_deref() == Some("notifications/tools/list_changed") {
            self.with(|seen| seen.changes += 1);
            return None;
        }
        let mut replaced = None;
        if let (Some(id), Some(result)) = (envelope.id, envelope.result) {
            self.with(|seen| {
                if seen.list.as_deref() == Some(id.get()) {
                    seen.page = Some(result.get().to_owned());
                    seen.list = None;
                    replaced = Some(format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{"tools":[]}}}}"#, id.get()));
                } else if seen.initialize.as_deref() == Some(id.get()) && seen.hello.is_none() {
                    seen.hello = Some(hello(result.get()));
                }
            });
        }
        let message = serde_json::from_str(replaced.as_deref().unwrap_or(text));
        if message.is_err() {
            self.with(|seen| seen.noise += 1);
        }
        message.ok()
    }
}

#[derive(Deserialize)]
struct HelloText<'a> {
    #[serde(borrow, rename = "protocolVersion")]
    protocol: Option<&'a RawValue>,
    #[serde(borrow)]
    capabilities: Option<Capabilities<'a>>,
    #[serde(borrow, rename = "serverInfo")]
    info: Option<Info<'a>>,
}

#[derive(Deserialize)]
struct Capabilities<'a> {
    #[serde(borrow)]
    tools: Option<&'a RawValue>,
    #[serde(borrow)]
    resources: Option<&'a RawValue>,
    #[serde(borrow)]
    prompts: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Info<'a> {
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    #[serde(borrow)]
    version: Option<&'a RawValue>,
}

fn hello(result: &str) -> Hello {
    let Ok(hello) = serde_json::from_str::<HelloText<'_>>(result) else { return Hello::default() };
    let text = |value: Option<&RawValue>| value.and_then(|value| serde_json::from_str::<String>(value.get()).ok());
    let has = |value: Option<&RawValue>| value.is_some_and(|value| value.get() != "null");
    let software = hello.info.and_then(|info| {
        let name = text(info.name)?;
        Some(text(info.version).map_or_else(|| name.clone(), |version| format!("{name} {version}")))
    });
    let capabilities = hello.capabilities.as_ref();
    Hello {
        protocol: text(hello.protocol),
        software,
        tools: has(capabilities.and_then(|capabilities| capabilities.tools)),
        resources: has(capabilities.and_then(|capabilities| capabilities.resources)),
        prompts: has(capabilities.and_then(|capabilities| capabilities.prompts)),
    }
}

/// A link as `rmcp` wants it.
pub(super) struct Wire {
    outgoing: Option<mpsc::UnboundedSender<String>>,
    incoming: mpsc::Receiver<String>,
    seen: Seen,
}

impl Wire {
    pub(super) fn new(link: Link, seen: Seen) -> Self {
        Self { outgoing: Some(link.outgoing), incoming: link.incoming, seen }
    }
}

/// The other end is gone.
#[derive(Debug, thiserror::Error)]
#[error("the connection is closed")]
pub(super) struct Closed;

impl Transport<RoleClient> for Wire {
    type Error = Closed;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Closed>> + Send + 'static {
        let sent = serde_json::to_string(&message).map_err(|_| Closed).and_then(|text| {
            self.seen.note_sent(&text);
            self.outgoing.as_ref().ok_or(Closed)?.send(text).map_err(|_| Closed)
        });
        std::future::ready(sent)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            let text = self.incoming.recv().await?;
            if let Some(message) = self.seen.read(&text) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Closed> {
        self.outgoing = None;
        self.incoming.close();
        Ok(())
    }
}
