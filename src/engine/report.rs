//! The rows and totals that the screen and the JSON show, from one place.
//!
//! On or off, and what it costs, are two different things: a toolset can be enabled and send nothing. Rows hold both.
//! Rows plus framing equal the total, always.

pub mod ablate;
mod array;
mod breakdown;
mod build;
mod compare;
mod deferral;
mod full;
mod groups;
pub mod json;
pub mod preview;
mod servers;
mod servers_table;
mod weigh;

pub use array::{BehindBridge, ListedGroup, ListingDetail, array, behind_bridge, listing};
pub use breakdown::{BreakdownRow, breakdown};
pub use build::platform;
pub use compare::{Delta, share, totals_delta};
pub use full::{ToFull, to_full};
pub(crate) use groups::Groups;
pub use servers_table::{ServerWeight, servers_table};

use std::borrow::Cow;
use std::sync::Arc;

use super::assembly::disclosure::Disclosure;
use super::assembly::{Assembly, Fate};
use super::catalog::{Catalog, ListSource, Surface, ToolsetKind};
use super::ids::{PlatformKey, ServerName, ToolName, ToolsetKey};
use super::meter::{Figure, TokenCounts};
use super::selection::{Reason, Selection};
use super::server::Transport;
use super::value::Value;

/// What a report is made from.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    pub catalog: &'a Catalog,
    /// The user's document, with the draft's operations applied for a draft's report.
    pub config: &'a Value,
    pub platform: &'a PlatformKey,
    pub surface: Surface,
    /// Hermes' own array for exactly this selection, when it has answered.
    pub assembly: Option<&'a Assembly>,
    pub counts: &'a TokenCounts,
    /// The model's window, when known or set by `--context`.
    pub context_tokens: Option<u64>,
}

/// What something weighs. `schema` is the definition whether or not it is sent; `wire` is what is sent: the definition,
/// or a deferred tool's line in the listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meter {
    pub schema_bytes: Figure,
    pub wire_bytes: Figure,
    /// Of what is sent, by Hermes' rule.
    pub est_tokens: Figure,
    /// Of what is sent, by the named tokenizer.
    pub tokens: Figure,
}

impl Meter {
    /// Nothing at all, surely.
    pub const ZERO: Self = Self {
        schema_bytes: Figure::Exact(0),
        wire_bytes: Figure::Exact(0),
        est_tokens: Figure::Exact(0),
        tokens: Figure::Exact(0),
    };
    /// Something, and nobody knows how much.
    pub const UNKNOWN: Self = Self {
        schema_bytes: Figure::Unknown,
        wire_bytes: Figure::Unknown,
        est_tokens: Figure::Unknown,
        tokens: Figure::Unknown,
    };
}

impl Meter {
    /// What is left without a part of it; never less than nothing.
    #[must_use]
    pub fn minus(self, part: Self) -> Self {
        let rest = |whole: Figure, part: Figure| match (whole.value(), part.value()) {
            (Some(whole_value), Some(part_value)) => {
                Figure::Exact(whole_value.saturating_sub(part_value)).no_surer_than(whole).no_surer_than(part)
            }
            _ => Figure::Unknown,
        };
        Self {
            schema_bytes: self.schema_bytes,
            wire_bytes: rest(self.wire_bytes, part.wire_bytes),
            est_tokens: rest(self.est_tokens, part.est_tokens),
            tokens: rest(self.tokens, part.tokens),
        }
    }
}

impl std::ops::Add for Meter {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            schema_bytes: self.schema_bytes + other.schema_bytes,
            wire_bytes: self.wire_bytes + other.wire_bytes,
            est_tokens: self.est_tokens + other.est_tokens,
            tokens: self.tokens + other.tokens,
        }
    }
}

/// One tool inside a toolset or server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolRow {
    /// The name it is sent under.
    pub name: ToolName,
    /// The server's own name, which filters use.
    pub original_name: Option<Arc<str>>,
    pub fate: Fate,
    /// Why it is not sent, in words.
    pub why: Option<Cow<'static, str>>,
    pub meter: Meter,
}

/// One toolset on one platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolsetRow {
    pub key: ToolsetKey,
    pub label: String,
    pub kind: ToolsetKind,
    pub on: bool,
    pub reason: Reason,
    /// False where no edit can switch it here (recovered extras, restricted, config-only), with the reason.
    pub locked: Option<String>,
    pub tools: Vec<ToolRow>,
    /// How many of its tools are in the array.
    pub sent: usize,
    /// Its heading in the listing of deferred tools; part of `meter`.
    pub heading: Meter,
    pub meter: Meter,
}

/// One MCP server on one platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerRow {
    pub name: ServerName,
    pub on: bool,
    pub reason: Reason,
    pub transport: Transport,
    /// Where the tool names are from, and since when (seconds since the epoch). `None`: no list known.
    pub list: Option<(ListSource, Option<u64>)>,
    pub stale: bool,
    /// Shared with other reports in which nothing about this server differs.
    pub tools: Arc<[ToolRow]>,
    pub sent: usize,
    /// Its heading in the listing of deferred tools; part of `meter`.
    pub heading: Meter,
    /// Unknown where no list is known.
    pub meter: Meter,
}

/// The whole array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    /// Tools in the array, bridge included.
    pub tools: Figure,
    pub json_bytes: Figure,
    /// Brackets and separators: two bytes a tool.
    pub framing_bytes: Figure,
    pub est_tokens: Figure,
    pub tokens: Figure,
    /// Toolsets on, of those that have a row.
    pub toolsets_on: usize,
    pub toolsets: usize,
    pub servers_on: usize,
    pub servers: usize,
    /// Enabled servers whose tools nobody knows yet, so that the figures cannot include them.
    pub servers_without_list: Vec<ServerName>,
}

/// How serious a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    Note,
    Warning,
    Error,
}

/// Something about the config a person should know: a name that means nothing, a deny nobody reads.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Finding {
    pub severity: Severity,
    /// Dotted place in config.yaml, such as `platform_toolsets.cli`.
    pub place: String,
    /// What it is and what to do, as one or two sentences. Already sanitised.
    pub text: String,
}

/// Everything to show about one platform.
#[derive(Clone, Debug, PartialEq)]
pub struct PlatformReport {
    pub platform: PlatformKey,
    pub surface: Surface,
    pub selection: Selection,
    pub toolsets: Vec<ToolsetRow>,
    pub servers: Vec<ServerRow>,
    /// The three bridge tools as one row, when they are sent.
    pub bridge: Option<ToolsetRow>,
    pub disclosure: Disclosure,
    pub totals: Totals,
    pub findings: Vec<Finding>,
    pub context_tokens: Option<u64>,
}
