//! The outcome of asking a server for its tools.

use super::told::ToldTool;
use crate::engine::ids::ServerName;

/// One server, asked once. Every text in it is sanitised and free of the server's secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    pub server: ServerName,
    pub state: ProbeState,
    pub took_ms: u64,
    /// The last lines of a stdio server's stderr.
    pub said: Vec<String>,
    /// Lines on a stdio server's stdout that were no messages.
    pub noise_lines: u64,
}

/// How it went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeState {
    Ready(Listing),
    /// Why not, and what to do.
    Failed {
        why: String,
    },
    /// The server wants a login that only Hermes can make.
    NeedsLogin {
        why: String,
    },
    Cancelled,
}

impl ProbeState {
    /// The word in JSON.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Ready(_) => "ready",
            Self::Failed { .. } => "failed",
            Self::NeedsLogin { .. } => "needs-login",
            Self::Cancelled => "cancelled",
        }
    }

    /// The tools, where the server told them.
    pub fn listing(&self) -> Option<&Listing> {
        match self {
            Self::Ready(listing) => Some(listing),
            _ => None,
        }
    }
}

/// Everything a server told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Seconds since the epoch.
    pub taken_at: u64,
    /// From the start of the server to its last page.
    pub took_ms: u64,
    pub pages: u64,
    /// In the server's order, twins included.
    pub tools: Vec<ToldTool>,
    /// It says that it has resources, and prompts: Hermes adds tools for them.
    pub resources: bool,
    pub prompts: bool,
    /// Its name and version, as it calls itself.
    pub software: Option<String>,
    pub protocol: Option<String>,
    /// What was odd: rows that are no tools, a cursor that repeats, a list cut short.
    pub notes: Vec<String>,
}
