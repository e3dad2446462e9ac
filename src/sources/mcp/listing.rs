//! The conversation with a server: hello, and its tools page by page, as far as that makes sense.

use std::collections::HashSet;

use rmcp::RoleClient;
use rmcp::model::{ClientCapabilities, ClientConfig, Implementation, PaginatedRequestParams};
use rmcp::service::{RunningService, ServiceError, ServiceExt};

use crate::engine::server::probe::Listing;
use crate::engine::server::told;

use super::secrets::Secrets;
use super::wire::{Link, Seen, Wire};

/// A server with more pages than this, or more text, does not mean to end.
const MAX_PAGES: u64 = 1_000;
const MAX_LIST_BYTES: usize = 256 * 1024 * 1024;

/// A list that changes while it is read is read again, but not for ever.
const MAX_READINGS: u32 = 2;

/// Why there is no list, in words that are not yet cleared of secrets.
pub(super) enum Trouble {
    /// The other end went away.
    Gone(&'static str),
    Other(String),
}

impl From<String> for Trouble {
    fn from(text: String) -> Self {
        Self::Other(text)
    }
}

pub(super) type Session = RunningService<RoleClient, ClientConfig>;

/// The handshake.
pub(super) async fn hello(link: Link, seen: &Seen, capabilities: ClientCapabilities) -> Result<Session, Trouble> {
    let mut us = Implementation::default();
    us.name = "hermes-tools".into();
    us.version = env!("CARGO_PKG_VERSION").into();
    let config = ClientConfig::new(capabilities, us);
    use rmcp::service::ClientInitializeError as Error;
    config.serve(Wire::new(link, seen.clone())).await.map_err(|error| match error {
        Error::ConnectionClosed(_) => Trouble::Gone("it ended before it answered the handshake"),
        Error::TransportError { .. } => Trouble::Gone("it ended in the handshake"),
        Error::JsonRpcError(error) => Trouble::Other(format!("it refused the handshake: {}", error.message)),
        Error::NoCompatibleProtocolVersion { server_supported, .. } => {
            Trouble::Other(format!("it speaks no version of the protocol that we know: {server_supported:?}"))
        }
        _ => Trouble::Other("its answer to the handshake is none".to_owned()),
    })
}

/// Every tool.
pub(super) async fn list(session: &Session, seen: &Seen, secrets: &Secrets, taken_at: u64) -> Result<Listing, Trouble> {
    let hello = seen.hello();
    let about = |text: String| secrets.cleared(&text);
    let mut listing = Listing {
        taken_at,
        resources: hello.resources,
        prompts: hello.prompts,
        software: hello.software.map(about),
        protocol: hello.protocol.map(about),
        ..Listing::default()
    };
    if !hello.tools {
        listing.notes.push("it says that it has no tools, so Hermes asks for none".to_owned());
        return Ok(listing);
    }
    for reading in 1..=MAX_READINGS {
        seen.take_changes();
        read_pages(session, seen, secrets, &mut listing).await?;
        match seen.take_changes() {
            0 => break,
            _ if reading == MAX_READINGS => {
                listing.notes.push("it kept saying that its list changes while it was read".to_owned());
            }
            _ => {}
        }
    }
    Ok(listing)
}

async fn read_pages(session: &Session, seen: &Seen, secrets: &Secrets, listing: &mut Listing) -> Result<(), Trouble> {
    listing.tools.clear();
    listing.notes.clear();
    listing.pages = 0;
    let (mut cursor, mut cursors, mut bytes) = (None::<String>, HashSet::new(), 0_usize);
    let (mut odd, mut hidden) = (Vec::new(), 0_usize);
    loop {
        let request = cursor.as_ref().map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor.clone())));
        session.list_tools(request).await.map_err(failure)?;
        let text = seen.take_page().ok_or_else(|| "its answer to tools/list is none".to_owned())?;
        listing.pages += 1;
        bytes += text.len();
        let mut page = told::page(&text)?;
        for tool in &mut page.tools {
            let cleared = secrets.hidden(&tool.text);
            if *cleared != *tool.text {
                (tool.text, tool.name) = (cleared.into(), secrets.hidden(&tool.name));
                hidden += 1;
            }
        }
        odd.extend(page.odd.into_iter().map(|row| match listing.pages {
            1 => row,
            page => format!("page {page}, {row}"),
        }));
        listing.tools.append(&mut page.tools);
        let Some(next) = page.next_cursor else { break };
        if !cursors.insert(next.clone()) {
            listing
                .notes
                .push(format!("page {} points back to a page it has sent: its list was cut there", listing.pages));
            break;
        }
        if listing.pages == MAX_PAGES || bytes > MAX_LIST_BYTES {
            listing.notes.push(format!("its list does not end: cut after {} pages", listing.pages));
            break;
        }
        cursor = Some(next);
    }
    if hidden > 0 {
        listing.notes.push(format!("{hidden} of its tools hold a value it was given as a secret: hidden here"));
    }
    let more = odd.len().saturating_sub(5);
    listing.notes.extend(odd.into_iter().take(5).map(|row| format!("{row}: left out")));
    if more > 0 {
        listing.notes.push(format!("{more} more rows are no tools: left out"));
    }
    Ok(())
}

fn failure(error: ServiceError) -> Trouble {
    match error {
        ServiceError::McpError(error) => Trouble::Other(format!("it refused to list its tools: {}", error.message)),
        ServiceError::TransportClosed | ServiceError::TransportSend(_) => {
            Trouble::Gone("it ended before it had listed its tools")
        }
        _ => Trouble::Other("its answer to tools/list is none".to_owned()),
    }
}
