//! `ablate` as JSON.

use serde::Serialize;

use super::{AblateRow, Outcome};
use crate::engine::report::json::{certainty, clean};
use crate::engine::report::{Delta, PlatformReport, Totals};

/// The document.
#[derive(Debug, Serialize)]
pub struct AblateJson {
    schema: &'static str,
    platform: String,
    surface: &'static str,
    baseline: BaselineJson,
    rows: Vec<RowJson>,
    /// The switch that saves most by itself.
    best: Option<String>,
    /// Each after all before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    cumulative: Option<Vec<RowJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<TargetJson>,
}

#[derive(Debug, Serialize)]
struct BaselineJson {
    tools: Option<u64>,
    json_bytes: Option<u64>,
    tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certainty: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct RowJson {
    toolset: String,
    kind: &'static str,
    tools_delta: Option<i64>,
    bytes_delta: Option<i64>,
    tokens_delta: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certainty: Option<&'static str>,
    outcome: Outcome,
    why: String,
}

/// As few switches as reach a number of tokens.
#[derive(Debug, Serialize)]
pub struct TargetJson {
    pub tokens: u64,
    pub reached: bool,
    pub switch_off: Vec<String>,
    /// With these switched off.
    pub tokens_after: Option<u64>,
}

impl AblateJson {
    pub fn new(
        report: &PlatformReport,
        rows: &[AblateRow],
        cumulative: Option<&[AblateRow]>,
        target: Option<TargetJson>,
    ) -> Self {
        Self {
            schema: "hermes-tools/ablate@1",
            platform: clean(report.platform.as_str()),
            surface: report.surface.as_str(),
            baseline: (&report.totals).into(),
            rows: rows.iter().map(RowJson::from).collect(),
            best: super::best(rows).map(|row| clean(&row.name)),
            cumulative: cumulative.map(|rows| rows.iter().map(RowJson::from).collect()),
            target,
        }
    }
}

impl From<&Totals> for BaselineJson {
    fn from(totals: &Totals) -> Self {
        Self {
            tools: totals.tools.value(),
            json_bytes: totals.json_bytes.value(),
            tokens: totals.tokens.value(),
            certainty: certainty(&[totals.tools, totals.json_bytes, totals.tokens]),
        }
    }
}

impl From<&AblateRow> for RowJson {
    fn from(row: &AblateRow) -> Self {
        let Delta { tools, json_bytes, tokens, sure, .. } = row.delta;
        Self {
            toolset: clean(&row.name),
            kind: if row.is_server { "server" } else { "toolset" },
            tools_delta: tools,
            bytes_delta: json_bytes,
            tokens_delta: tokens,
            certainty: (!sure).then_some("estimated"),
            outcome: row.outcome,
            why: row.why.clone(),
        }
    }
}
