//! `preview` as JSON.

use serde::Serialize;

use super::{Preview, Step};
use crate::engine::assembly::Fate;
use crate::engine::assembly::disclosure::Direct;
use crate::engine::assembly::listing::Form;
use crate::engine::report::PlatformReport;
use crate::engine::report::json::{TotalsJson, clean, meter_certainty};
use crate::engine::text::visible_lines;

/// The document.
#[derive(Debug, Serialize)]
pub struct PreviewJson {
    schema: &'static str,
    platform: String,
    surface: &'static str,
    /// 0, 1 or 2; null where this Hermes has no tiers.
    tier: Option<u8>,
    /// The bridge is in the array.
    bridge: bool,
    /// Why there is no bridge.
    #[serde(skip_serializing_if = "Option::is_none")]
    direct_because: Option<&'static str>,
    form: Form,
    /// Null where nothing is ever listed.
    budget: Option<BudgetJson>,
    listing: ListingJson,
    ladder: Vec<RungJson>,
    next: NextJson,
    tools: Vec<ToolJson>,
    totals: TotalsJson,
}

#[derive(Debug, Serialize)]
struct BudgetJson {
    tokens: u64,
    pct_leg: u64,
    cap_leg: u64,
}

#[derive(Debug, Serialize)]
struct ListingJson {
    text: String,
    tokens: u64,
    groups: Vec<GroupJson>,
}

#[derive(Debug, Serialize)]
struct GroupJson {
    label: String,
    tools: u64,
    /// full, names or summary; null where nothing is listed.
    mode: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct RungJson {
    form: Form,
    /// How many groups are only summed up.
    collapsed: usize,
    tokens: u64,
    bytes: u64,
    fits: bool,
}

#[derive(Debug, Serialize)]
struct NextJson {
    larger: Option<StepJson>,
    smaller: Option<StepJson>,
}

/// `tokens`: too many for the larger form, or left before the smaller one.
#[derive(Debug, Serialize)]
struct StepJson {
    form: Form,
    tokens: u64,
}

#[derive(Debug, Serialize)]
struct ToolJson {
    tool: String,
    toolset: String,
    fate: Fate,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// Of what is sent; a deferred tool's line in the listing.
    bytes: Option<u64>,
    schema_bytes: Option<u64>,
    tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certainty: Option<&'static str>,
}

impl PreviewJson {
    pub fn new(preview: &Preview, report: &PlatformReport) -> Self {
        let listing = &preview.listing;
        let disclosure = &listing.disclosure;
        Self {
            schema: "hermes-tools/preview@1",
            platform: clean(report.platform.as_str()),
            surface: report.surface.as_str(),
            tier: disclosure.tier,
            bridge: disclosure.is_active(),
            direct_because: disclosure.direct.map(Direct::rule),
            form: disclosure.listing.form,
            budget: disclosure.budget.map(|budget| BudgetJson {
                tokens: budget.tokens,
                pct_leg: budget.pct_leg,
                cap_leg: budget.cap_leg,
            }),
            listing: ListingJson {
                text: visible_lines(&listing.text).into_owned(),
                tokens: disclosure.listing.extent.tokens(),
                groups: listing
                    .groups
                    .iter()
                    .map(|group| GroupJson {
                        label: clean(&group.label),
                        tools: group.tools,
                        mode: group.mode.as_str(),
                    })
                    .collect(),
            },
            ladder: listing
                .ladder
                .iter()
                .map(|rung| RungJson {
                    form: rung.form,
                    collapsed: rung.collapsed,
                    tokens: rung.extent.tokens(),
                    bytes: rung.extent.bytes,
                    fits: rung.fits,
                })
                .collect(),
            next: NextJson { larger: preview.larger.map(StepJson::from), smaller: preview.smaller.map(StepJson::from) },
            tools: preview
                .rows
                .iter()
                .map(|row| ToolJson {
                    tool: clean(&row.name),
                    toolset: clean(&row.toolset),
                    fate: row.fate,
                    why: row.why.as_deref().map(clean),
                    bytes: row.meter.wire_bytes.value(),
                    schema_bytes: row.meter.schema_bytes.value(),
                    tokens: row.meter.tokens.value(),
                    certainty: meter_certainty(&row.meter),
                })
                .collect(),
            totals: (&report.totals).into(),
        }
    }
}

impl From<Step> for StepJson {
    fn from(step: Step) -> Self {
        Self { form: step.form, tokens: step.tokens }
    }
}
