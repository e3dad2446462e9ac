//! The JSON forms of a report: field names others rely on. Names are sanitised; a figure that is not known is null, and
//! one that is not exact has `"certainty": "estimated"` beside it.

use serde::Serialize;

use super::{Finding, Meter, PlatformReport, ServerRow, ToolRow, ToolsetRow, Totals, breakdown};
use crate::engine::assembly::{Assembly, Fate};
use crate::engine::catalog::{Facts, ListSource, ToolsetKind};
use crate::engine::meter::Figure;
use crate::engine::text::visible;

/// Which Hermes the answer is about, and how fresh it is.
#[derive(Clone, Debug, Serialize)]
pub struct HermesJson {
    pub version: String,
    /// The home on show, not the one a catalog file came from.
    pub home: String,
    pub profile: String,
    /// live, snapshot or sample.
    pub source: &'static str,
    /// Seconds since Hermes answered; null for the sample.
    pub age_s: Option<u64>,
}

/// `list`.
#[derive(Debug, Serialize)]
pub struct ListJson {
    schema: &'static str,
    hermes: HermesJson,
    platform: String,
    surface: &'static str,
    toolsets: Vec<ToolsetJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bridge: Option<ToolsetJson>,
    servers: Vec<ServerJson>,
    totals: TotalsJson,
    findings: Vec<Finding>,
}

#[derive(Debug, Serialize)]
struct ToolsetJson {
    toolset: String,
    label: String,
    kind: ToolsetKind,
    enabled: bool,
    rule: &'static str,
    /// The rule in words.
    reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    locked: Option<String>,
    /// Tools of it in the array.
    sent: usize,
    tools: Vec<ToolJson>,
    /// Its heading in the listing of deferred tools, part of `bytes`.
    heading_bytes: Option<u64>,
    /// Of what is sent.
    bytes: Option<u64>,
    tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certainty: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct ToolJson {
    tool: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    original: Option<String>,
    fate: Fate,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    schema_bytes: Option<u64>,
    wire_bytes: Option<u64>,
    tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certainty: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct ServerJson {
    server: String,
    enabled: bool,
    rule: &'static str,
    reason: String,
    transport: &'static str,
    /// Null: nobody knows this server's tools.
    list: Option<ServerListJson>,
    sent: usize,
    tools: Vec<ToolJson>,
    /// Its heading in the listing of deferred tools, part of `bytes`.
    heading_bytes: Option<u64>,
    bytes: Option<u64>,
    tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certainty: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct ServerListJson {
    source: ListSource,
    age_s: Option<u64>,
    stale: bool,
}

/// The whole array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TotalsJson {
    tools: Option<u64>,
    json_bytes: Option<u64>,
    framing_bytes: Option<u64>,
    est_tokens: Option<u64>,
    tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certainty: Option<&'static str>,
}

/// `prompt-size`.
#[derive(Debug, Serialize)]
pub struct PromptSizeJson {
    schema: &'static str,
    platform: String,
    surface: &'static str,
    model: Option<String>,
    tools: CountJson,
    framing_bytes: Option<u64>,
    toolsets_breakdown: Vec<BreakdownJson>,
    /// What deferred tools take of the bridge's row: their lines and headings.
    listing: Vec<ListedJson>,
    est_tokens: Option<u64>,
    tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certainty: Option<&'static str>,
    mcp: McpJson,
}

#[derive(Debug, Serialize)]
struct CountJson {
    count: Option<u64>,
    json_bytes: Option<u64>,
}

#[derive(Debug, Serialize)]
struct BreakdownJson {
    toolset: String,
    tool_count: usize,
    json_bytes: u64,
}

/// A toolset's or server's part of the listing.
#[derive(Debug, Serialize)]
struct ListedJson {
    toolset: String,
    /// Tools that are deferred.
    tool_count: usize,
    json_bytes: Option<u64>,
}

/// Servers that are on, by whether their tools are known and so counted.
#[derive(Debug, Serialize)]
struct McpJson {
    listed: Vec<String>,
    missing: Vec<String>,
}

impl ListJson {
    /// `now_s` is seconds since the epoch, for the age of server lists.
    pub fn new(report: &PlatformReport, hermes: HermesJson, now_s: u64) -> Self {
        Self {
            schema: "hermes-tools/list@1",
            hermes,
            platform: clean(report.platform.as_str()),
            surface: report.surface.as_str(),
            toolsets: report.toolsets.iter().map(ToolsetJson::from).collect(),
            bridge: report.bridge.as_ref().map(ToolsetJson::from),
            servers: report.servers.iter().map(|row| ServerJson::new(row, now_s)).collect(),
            totals: (&report.totals).into(),
            findings: report.findings.clone(),
        }
    }
}

impl From<&ToolsetRow> for ToolsetJson {
    fn from(row: &ToolsetRow) -> Self {
        Self {
            toolset: clean(row.key.as_str()),
            label: clean(&row.label),
            kind: row.kind,
            enabled: row.on,
            rule: row.reason.rule(),
            reason: row.reason.to_string(),
            locked: row.locked.as_deref().map(clean),
            sent: row.sent,
            tools: row.tools.iter().map(ToolJson::from).collect(),
            heading_bytes: row.heading.wire_bytes.value(),
            bytes: row.meter.wire_bytes.value(),
            tokens: row.meter.tokens.value(),
            certainty: meter_certainty(&row.meter),
        }
    }
}

impl From<&ToolRow> for ToolJson {
    fn from(row: &ToolRow) -> Self {
        Self {
            tool: clean(row.name.as_str()),
            original: row.original_name.as_deref().map(clean),
            fate: row.fate,
            why: row.why.as_deref().map(clean),
            schema_bytes: row.meter.schema_bytes.value(),
            wire_bytes: row.meter.wire_bytes.value(),
            tokens: row.meter.tokens.value(),
            certainty: meter_certainty(&row.meter),
        }
    }
}

impl ServerJson {
    fn new(row: &ServerRow, now_s: u64) -> Self {
        Self {
            server: clean(row.name.as_str()),
            enabled: row.on,
            rule: row.reason.rule(),
            reason: row.reason.to_string(),
            transport: row.transport.as_str(),
            list: row.list.map(|(source, written)| ServerListJson {
                source,
                age_s: written.map(|written| now_s.saturating_sub(written)),
                stale: row.stale,
            }),
            sent: row.sent,
            tools: row.tools.iter().map(ToolJson::from).collect(),
            heading_bytes: row.heading.wire_bytes.value(),
            bytes: row.meter.wire_bytes.value(),
            tokens: row.meter.tokens.value(),
            certainty: meter_certainty(&row.meter),
        }
    }
}

impl From<&Totals> for TotalsJson {
    fn from(totals: &Totals) -> Self {
        Self {
            tools: totals.tools.value(),
            json_bytes: totals.json_bytes.value(),
            framing_bytes: totals.framing_bytes.value(),
            est_tokens: totals.est_tokens.value(),
            tokens: totals.tokens.value(),
            certainty: certainty(&[totals.tools, totals.json_bytes, totals.tokens]),
        }
    }
}

impl PromptSizeJson {
    /// Rows are Hermes' own attribution of the array; rows and framing add up to the total. What deferred tools have of
    /// the bridge's row stands in `listing`.
    pub fn new(report: &PlatformReport, array: &Assembly, facts: &Facts) -> Self {
        let totals = &report.totals;
        let rows = breakdown(array).into_iter().map(|row| BreakdownJson {
            toolset: clean(row.toolset.as_str()),
            tool_count: row.tool_count,
            json_bytes: row.json_bytes,
        });
        let toolsets =
            report.toolsets.iter().filter(|row| row.on).map(|row| (row.key.as_str(), &row.tools[..], row.heading));
        let servers =
            report.servers.iter().filter(|row| row.on).map(|row| (row.name.as_str(), &row.tools[..], row.heading));
        let listing = toolsets.chain(servers).filter_map(|(name, tools, heading)| {
            let deferred = || tools.iter().filter(|tool| tool.fate == Fate::Deferred);
            let lines = deferred().map(|tool| tool.meter.wire_bytes).sum::<Figure>() + heading.wire_bytes;
            (deferred().count() > 0).then(|| ListedJson {
                toolset: clean(name),
                tool_count: deferred().count(),
                json_bytes: lines.value(),
            })
        });
        let on = report.servers.iter().filter(|row| row.on);
        Self {
            schema: "hermes-tools/prompt-size@1",
            platform: clean(report.platform.as_str()),
            surface: report.surface.as_str(),
            model: facts.model.as_deref().map(clean),
            tools: CountJson { count: totals.tools.value(), json_bytes: totals.json_bytes.value() },
            framing_bytes: totals.framing_bytes.value(),
            toolsets_breakdown: rows.collect(),
            listing: listing.collect(),
            est_tokens: totals.est_tokens.value(),
            tokens: totals.tokens.value(),
            certainty: certainty(&[totals.tools, totals.json_bytes, totals.tokens]),
            mcp: McpJson {
                listed: on.filter(|row| row.list.is_some()).map(|row| clean(row.name.as_str())).collect(),
                missing: totals.servers_without_list.iter().map(|name| clean(name.as_str())).collect(),
            },
        }
    }
}

pub(super) fn meter_certainty(meter: &Meter) -> Option<&'static str> {
    certainty(&[meter.wire_bytes, meter.tokens])
}

/// The word beside figures of which at least one is an estimate.
pub(super) fn certainty(figures: &[Figure]) -> Option<&'static str> {
    figures.iter().any(|figure| matches!(figure, Figure::Estimated(_))).then_some("estimated")
}

pub(super) fn clean(text: &str) -> String {
    visible(text).into_owned()
}
