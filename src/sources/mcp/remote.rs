//! A server somewhere else: streamable HTTP, and the older way of one long stream of events.
//!
//! Redirects are followed on the same host alone, so that no header goes to a place the file does not name.

use std::sync::Once;

use futures::{Stream, StreamExt as _};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use reqwest::{Client, Response, StatusCode, Url};
use serde_json::value::RawValue;
use sse_stream::{Sse, SseStream};
use tokio::sync::mpsc;

use super::endpoint::Remote;
use super::stdio::MAX_MESSAGE_BYTES;
use super::wire::{Fault, Link, Seen, link};

const SESSION: &str = "mcp-session-id";
const VERSION: &str = "mcp-protocol-version";
const MAX_REDIRECTS: usize = 5;
const EVENTS: &str = "text/event-stream";

/// Connects by streamable HTTP. Nothing is sent before the first message is.
///
/// # Errors
/// In words, where no connection could ever be made.
pub(super) fn http(remote: &Remote, seen: &Seen) -> Result<Link, String> {
    let (link, to_send, received) = link();
    let poster = Poster { client: client(remote)?, remote: remote.clone_parts(), session: None, seen: seen.clone() };
    tokio::spawn(poster.run(to_send, received));
    Ok(link)
}

/// Connects by one long stream of events, whose first tells where to send messages.
///
/// # Errors
/// In words, where no connection could ever be made.
pub(super) fn sse(remote: &Remote, seen: &Seen) -> Result<Link, String> {
    let (link, to_send, received) = link();
    tokio::spawn(stream(client(remote)?, remote.clone_parts(), to_send, received, seen.clone()));
    Ok(link)
}

/// The address and headers of every request.
struct Parts {
    url: Url,
    headers: reqwest::header::HeaderMap,
}

impl Remote {
    fn clone_parts(&self) -> Parts {
        Parts { url: self.url.clone(), headers: self.headers.clone() }
    }
}

fn client(remote: &Remote) -> Result<Client, String> {
    static PROVIDER: Once = Once::new();
    // An error means that someone else installed one, which serves as well.
    PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
    let stays = reqwest::redirect::Policy::custom(|attempt| match attempt.previous().first().map(Url::origin) {
        _ if attempt.previous().len() > MAX_REDIRECTS => attempt.error("too many redirects"),
        Some(origin) if origin != attempt.url().origin() => attempt.error("it redirects to another host"),
        _ => attempt.follow(),
    });
    let builder = Client::builder()
        .redirect(stays)
        .danger_accept_invalid_certs(remote.any_certificate)
        .user_agent(concat!("hermes-tools/", env!("CARGO_PKG_VERSION")));
    builder.build().map_err(|_| "its connection cannot be prepared: no TLS roots were found".to_owned())
}

/// Posts one message after the other; answers come back as one text or as a stream of them.
struct Poster {
    client: Client,
    remote: Parts,
    session: Option<HeaderValue>,
    seen: Seen,
}

impl Poster {
    async fn run(mut self, mut messages: mpsc::UnboundedReceiver<String>, received: mpsc::Sender<String>) {
        while let Some(message) = messages.recv().await {
            if let Err(fault) = self.post(message, &received).await {
                self.seen.fail(fault);
                break;
            }
        }
        self.leave().await;
    }

    async fn post(&mut self, message: String, received: &mpsc::Sender<String>) -> Result<(), Fault> {
        let wants_answer = is_request(&message);
        let mut request = self
            .client
            .post(self.remote.url.clone())
            .headers(self.remote.headers.clone())
            .header(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"))
            .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
            .body(message);
        if let Some(session) = &self.session {
            request = request.header(SESSION, session.clone());
        }
        if let Some(version) = self.seen.hello().protocol.and_then(|version| HeaderValue::from_str(&version).ok()) {
            request = request.header(VERSION, version);
        }
        let response = accepted(request.send().await.map_err(|error| broken(&error))?)?;
        if let Some(session) = response.headers().get(SESSION) {
            self.session = Some(session.clone());
        }
        if !wants_answer {
            return Ok(());
        }
        if kind(&response) == EVENTS {
            // The stream may stay open long after the answer; other messages must not wait for its end.
            tokio::spawn(forward(response, received.clone(), self.seen.clone()));
            return Ok(());
        }
        let text = body(response).await?;
        if text.trim_start().starts_with('{') {
            // An error means that nobody listens any more.
            let _ = received.send(text).await;
            return Ok(());
        }
        Err(Fault::Failed("what answers at its address is no MCP server".to_owned()))
    }

    /// Says goodbye, as servers that keep sessions want it.
    async fn leave(self) {
        let Some(session) = self.session else { return };
        let request = self.client.delete(self.remote.url).headers(self.remote.headers).header(SESSION, session);
        let _ = tokio::time::timeout(std::time::Duration::from_millis(500), request.send()).await;
    }
}

fn is_request(message: &str) -> bool {
    #[derive(serde::Deserialize)]
    struct Ids<'a> {
        #[serde(borrow)]
        id: Option<&'a RawValue>,
        #[serde(borrow)]
        method: Option<&'a RawValue>,
    }
    serde_json::from_str::<Ids<'_>>(message).is_ok_and(|ids| ids.id.is_some() && ids.method.is_some())
}

/// The events of a stream, until it ends.
async fn forward(response: Response, received: mpsc::Sender<String>, seen: Seen) {
    let mut events = std::pin::pin!(events(response));
    while let Some(event) = events.next().await {
        let Ok(event) = event else {
            seen.fail(Fault::Failed("its stream of events broke".to_owned()));
            return;
        };
        if let Some(text) = event.data.filter(|text| !text.trim().is_empty())
            && received.send(text).await.is_err()
        {
            return;
        }
    }
}

async fn stream(
    client: Client,
    remote: Parts,
    mut messages: mpsc::UnboundedReceiver<String>,
    received: mpsc::Sender<String>,
    seen: Seen,
) {
    let opened = client
        .get(remote.url.clone())
        .headers(remote.headers.clone())
        .header(ACCEPT, HeaderValue::from_static(EVENTS))
        .send()
        .await
        .map_err(|error| broken(&error))
        .and_then(accepted);
    let response = match opened {
        Ok(response) if kind(&response) == EVENTS => response,
        Ok(_) => return seen.fail(Fault::Failed("what answers at its address sends no events".to_owned())),
        Err(fault) => return seen.fail(fault),
    };
    let mut events = std::pin::pin!(events(response));
    let mut place = None;
    loop {
        tokio::select! {
            event = events.next() => match event {
                Some(Ok(event)) if event.event.as_deref() == Some("endpoint") => {
                    let told = event.data.as_deref().map(str::trim).unwrap_or_default();
                    match remote.url.join(told).ok().filter(|place| place.origin() == remote.url.origin()) {
                        Some(found) => place = Some(found),
                        None => return seen.fail(Fault::Failed("it wants its messages at another host".to_owned())),
                    }
                }
                Some(Ok(event)) => {
                    if let Some(text) = event.data.filter(|text| !text.trim().is_empty())
                        && received.send(text).await.is_err()
                    {
                        return;
                    }
                }
                Some(Err(_)) => return seen.fail(Fault::Failed("its stream of events broke".to_owned())),
                None => return,
            },
            // Nothing can be sent before the place is known.
            message = messages.recv(), if place.is_some() => {
                let (Some(message), Some(place)) = (message, place.clone()) else { return };
                let post = client
                    .post(place)
                    .headers(remote.headers.clone())
                    .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
                    .body(message);
                if let Err(fault) = post.send().await.map_err(|error| broken(&error)).and_then(accepted) {
                    return seen.fail(fault);
                }
            }
        }
    }
}

fn kind(response: &Response) -> String {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// A body that is not longer than a message may be.
async fn body(response: Response) -> Result<String, Fault> {
    let mut bytes = Vec::new();
    let mut parts = response.bytes_stream();
    while let Some(part) = parts.next().await {
        bytes.extend_from_slice(&part.map_err(|error| broken(&error))?);
        if bytes.len() > MAX_MESSAGE_BYTES {
            return Err(too_long());
        }
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn too_long() -> Fault {
    Fault::Failed(format!("it sent a message of more than {} MB", MAX_MESSAGE_BYTES >> 20))
}

/// The events of a body, none of which may be longer than a message may be: what comes between two empty lines counts.
fn events(response: Response) -> impl Stream<Item = Result<Sse, sse_stream::Error>> {
    let mut held = 0_usize;
    let bytes = response.bytes_stream().map(move |part| {
        let part = part.map_err(std::io::Error::other)?;
        held = match part.windows(2).rposition(|pair| pair == b"\n\n" || pair == b"\r\r" || pair == b"\n\r") {
            Some(end) => part.len() - end,
            None => held + part.len(),
        };
        if held > MAX_MESSAGE_BYTES { Err(std::io::Error::other("too long")) } else { Ok(part) }
    });
    SseStream::from_bytes_stream(bytes)
}

/// A response that means what it should.
fn accepted(response: Response) -> Result<Response, Fault> {
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let asks = response.headers().contains_key(WWW_AUTHENTICATE);
    Err(match status {
        StatusCode::UNAUTHORIZED if asks => Fault::NeedsLogin("it wants a login (401)".to_owned()),
        StatusCode::UNAUTHORIZED => {
            Fault::NeedsLogin("it refuses us (401): a login or another header is missing".to_owned())
        }
        StatusCode::FORBIDDEN if asks => Fault::NeedsLogin("the login it was given is not enough (403)".to_owned()),
        StatusCode::NOT_FOUND => Fault::Failed("nothing is at its address (404); check \"url\"".to_owned()),
        StatusCode::METHOD_NOT_ALLOWED => {
            Fault::Failed("its address takes no messages (405); an older server wants \"transport: sse\"".to_owned())
        }
        StatusCode::TOO_MANY_REQUESTS => Fault::Failed("it takes no more requests now (429)".to_owned()),
        status => Fault::Failed(format!("it answered {}", status.as_u16())),
    })
}

/// Why a request did not come through: the innermost reason, without the address.
fn broken(error: &reqwest::Error) -> Fault {
    let mut reason: &dyn std::error::Error = error;
    while let Some(inner) = reason.source() {
        reason = inner;
    }
    let text = match reason.to_string() {
        text if text.contains("InvalidContentType") => "what answers there speaks no TLS; is it http?".to_owned(),
        text => text,
    };
    Fault::Failed(match () {
        () if error.is_redirect() => format!("it sends us elsewhere: {text}"),
        () if error.is_connect() => format!("it cannot be reached: {text}"),
        () => format!("the connection broke: {text}"),
    })
}
