//! What switching one thing off would do, alone or in turn, and why it may do nothing.

use foldhash::HashMap;

use super::{Delta, Inputs, PlatformReport, ToolRow, totals_delta};
use crate::engine::assembly::{Assembly, BRIDGE, Fate};
use crate::engine::draft::{Draft, Target};
use crate::engine::meter::grouped;
use crate::engine::plan;
use crate::engine::text::visible;

mod json;

pub use json::{AblateJson, TargetJson};

/// Something that is on and can be switched off by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub target: Target,
    /// As it is listed; foreign.
    pub name: String,
    pub is_server: bool,
}

/// What a switch comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub enum Outcome {
    #[serde(rename = "tools+bytes")]
    ToolsAndBytes,
    #[serde(rename = "bytes")]
    Bytes,
    #[serde(rename = "nothing")]
    Nothing,
}

/// One switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AblateRow {
    /// Foreign.
    pub name: String,
    pub is_server: bool,
    /// Negative when something is saved.
    pub delta: Delta,
    pub outcome: Outcome,
    /// In words, sanitised.
    pub why: String,
}

impl AblateRow {
    /// A row for what no edit can switch off, with the reason.
    pub fn locked(candidate: &Candidate, reason: &str) -> Self {
        Self {
            name: candidate.name.clone(),
            is_server: candidate.is_server,
            delta: Delta { tools: Some(0), json_bytes: Some(0), est_tokens: Some(0), tokens: Some(0), sure: true },
            outcome: Outcome::Nothing,
            why: visible(reason).into_owned(),
        }
    }
}

/// Everything that is on here, in the order it is listed.
pub fn candidates(report: &PlatformReport) -> Vec<Candidate> {
    let platform = &report.platform;
    let toolsets = report.toolsets.iter().filter(|row| row.on && row.locked.is_none()).map(|row| Candidate {
        target: Target::Toolset(platform.clone(), row.key.clone()),
        name: row.key.to_string(),
        is_server: false,
    });
    let servers = report.servers.iter().filter(|row| row.on).map(|row| Candidate {
        target: Target::ServerOn(platform.clone(), row.name.clone()),
        name: row.name.to_string(),
        is_server: true,
    });
    toolsets.chain(servers).collect()
}

/// One side of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    pub report: &'a PlatformReport,
    /// The array, by Hermes or by us.
    pub array: &'a Assembly,
}

/// What switching a candidate off does, from the arrays before and after.
pub fn compare(candidate: &Candidate, before: Side<'_>, after: Side<'_>) -> AblateRow {
    let delta = totals_delta(&before.report.totals, &after.report.totals);
    let outcome = match (delta.tools, delta.json_bytes) {
        (Some(0), Some(0)) => Outcome::Nothing,
        (Some(0), _) => Outcome::Bytes,
        _ => Outcome::ToolsAndBytes,
    };
    let mut reasons = own_reasons(candidate, before.report);
    reasons.extend(listing_reason(before.report, after.report));
    reasons.extend(reworded(before.array, after.array));
    AblateRow {
        name: candidate.name.clone(),
        is_server: candidate.is_server,
        delta,
        outcome,
        why: visible(&reasons.join("; ")).into_owned(),
    }
}

/// What becomes of the candidate's own tools, and so what goes with them.
fn own_reasons(candidate: &Candidate, report: &PlatformReport) -> Vec<String> {
    let tools: &[ToolRow] = if candidate.is_server {
        report.servers.iter().find(|row| row.name.as_str() == candidate.name).map_or(&[], |row| &row.tools)
    } else {
        report.toolsets.iter().find(|row| row.key.as_str() == candidate.name).map_or(&[], |row| &row.tools)
    };
    let elsewhere = |tool: &&ToolRow| tool.why.as_deref().is_some_and(|why| why.starts_with("counted under "));
    let of = |fate: Fate| tools.iter().filter(move |tool| tool.fate == fate && !elsewhere(tool));
    let mut reasons = Vec::new();
    match of(Fate::Eager).count() {
        0 => {}
        1 => reasons.push("its tool leaves the array".to_owned()),
        many => reasons.push(format!("its {} tools leave the array", grouped(many as u64))),
    }
    match of(Fate::Deferred).count() {
        0 => {}
        1 => reasons.push("its tool is deferred: only its line in the listing goes".to_owned()),
        many => reasons.push(format!("{} tools are deferred: only what is listed of them goes", grouped(many as u64))),
    }
    let unavailable: Vec<&ToolRow> = of(Fate::Unavailable).collect();
    if let Some(first) = unavailable.first() {
        let why = first.why.as_deref().unwrap_or("a check failed");
        let all = unavailable.iter().all(|tool| tool.why == first.why);
        let and = if all { "" } else { ", and others" };
        reasons.push(match unavailable.len() {
            1 => format!("{} is unavailable here: {why}", first.name),
            many => format!("{} tools are unavailable here: {why}{and}", grouped(many as u64)),
        });
    }
    if let Some(stripped) = of(Fate::Off).find_map(|tool| tool.why.as_deref()) {
        reasons.push(stripped.to_owned());
    }
    if let Some(counted) = tools.iter().find(elsewhere) {
        reasons.push(format!("{}, which stays on", counted.why.as_deref().unwrap_or_default()));
    }
    if tools.is_empty() {
        reasons.push("no tool of it is known".to_owned());
    }
    reasons
}

/// How the rest is disclosed otherwise.
fn listing_reason(before: &PlatformReport, after: &PlatformReport) -> Option<String> {
    let (was, is) = (&before.disclosure, &after.disclosure);
    match (was.is_active(), is.is_active()) {
        (true, true) if was.connections != is.connections => {
            Some("tool_search no longer speaks of connected accounts".to_owned())
        }
        (true, false) => Some("nothing is deferred any more, so the bridge goes too".to_owned()),
        (false, true) => Some("the bridge appears".to_owned()),
        (true, true) if was.listing.form != is.listing.form => {
            Some(format!("the listing becomes {} instead of {}", is.listing.form.as_str(), was.listing.form.as_str()))
        }
        _ => None,
    }
}

/// Other tools whose text depends on what is in the array.
fn reworded(before: &Assembly, after: &Assembly) -> Option<String> {
    let old: HashMap<&str, &str> =
        before.tools.iter().map(|sent| (sent.name.as_str(), sent.definition.text())).collect();
    let changed: Vec<&str> = after
        .tools
        .iter()
        .filter(|sent| sent.toolset.as_str() != BRIDGE)
        .filter(|sent| old.get(sent.name.as_str()).is_some_and(|text| *text != sent.definition.text()))
        .map(|sent| sent.name.as_str())
        .collect();
    let new: Vec<&str> = after
        .tools
        .iter()
        .map(|sent| sent.name.as_str())
        .filter(|name| !old.contains_key(name) && before.absent.iter().any(|absent| absent.name.as_str() == *name))
        .collect();
    let mut parts = Vec::new();
    if !changed.is_empty() {
        parts.push(format!("it changes the text of {}", changed.join(", ")));
    }
    if !new.is_empty() {
        parts.push(format!("{} {} sent whole instead", new.join(", "), if new.len() == 1 { "is" } else { "are" }));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Every candidate off alone, from the catalog: no Hermes is asked, so rewordings are not known and figures are estimates.
pub fn natively(inputs: &Inputs<'_>) -> Vec<AblateRow> {
    let report = super::platform(inputs);
    let before = super::array(inputs, &report);
    let row = |one: &Candidate| {
        let mut draft = Draft::default();
        draft.apply(&[(one.target.clone(), false)], |target| plan::state(inputs.config, inputs.catalog, target));
        let plan = match plan::plan(inputs.config, inputs.catalog, &draft) {
            Ok(plan) => plan,
            Err(refusal) => return AblateRow::locked(one, &refusal.reason),
        };
        let config = plan::apply(inputs.config, &plan.ops);
        let inputs = Inputs { config: &config, assembly: None, ..*inputs };
        let after = super::platform(&inputs);
        let array = super::array(&inputs, &after);
        compare(one, Side { report: &report, array: &before }, Side { report: &after, array: &array })
    };
    candidates(&report).iter().map(row).collect()
}

/// The row that saves most tokens, or bytes where tokens are not known.
pub fn best(rows: &[AblateRow]) -> Option<&AblateRow> {
    rows.iter().filter(|row| row.outcome != Outcome::Nothing).min_by_key(|row| saving(row))
}

fn saving(row: &AblateRow) -> i64 {
    row.delta.tokens.or(row.delta.json_bytes).unwrap_or(0)
}

/// Candidates in the order in which as few of them as possible reach a target: what saves most first.
pub fn by_saving(rows: &[AblateRow]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows.len()).filter(|idx| rows[*idx].outcome != Outcome::Nothing).collect();
    order.sort_by_key(|idx| saving(&rows[*idx]));
    order
}
