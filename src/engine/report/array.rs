//! The array itself, built from the catalog where Hermes has not built it, and what its listing looks like.

use std::collections::BTreeMap;

use super::deferral::Deferral;
use super::{Inputs, PlatformReport, ToolRow, build};
use crate::engine::assembly::disclosure::Disclosure;
use crate::engine::assembly::host::BRIDGE_TOOLS;
use crate::engine::assembly::listing::{Mode, Rung};
use crate::engine::assembly::{Absent, Assembly, BRIDGE, Fate, Sent};

/// The array a report is about, in the order it is sent: tools by name, then the bridge. Tools that are known by name
/// only are left out, as the report's totals leave them out.
pub fn array(inputs: &Inputs<'_>, report: &PlatformReport) -> Assembly {
    if let Some(assembly) = inputs.assembly {
        return assembly.clone();
    }
    let toolsets = report.toolsets.iter().filter(|row| row.on).flat_map(|row| &row.tools);
    let servers = report.servers.iter().filter(|row| row.on).flat_map(|row| row.tools.iter());
    // One tool may have several rows.
    let rows: BTreeMap<&str, &ToolRow> = toolsets.chain(servers).map(|row| (row.name.as_str(), row)).collect();
    let sent = rows.values().filter(|row| row.fate == Fate::Eager).filter_map(|row| {
        let tool = inputs.catalog.tool(row.name.as_str())?;
        Some(Sent { name: tool.name.clone(), toolset: tool.toolset.clone(), definition: tool.definition.clone() })
    });
    let mut tools: Vec<Sent> = sent.collect();
    let disclosure = &report.disclosure;
    if disclosure.is_active() {
        let wording = &inputs.catalog.host().wording;
        let search = wording.search(disclosure.gaps(), &listing(inputs).text);
        let definitions = [search, Some(wording.describe.clone()), Some(wording.call.clone())];
        tools.extend(BRIDGE_TOOLS.into_iter().zip(definitions).filter_map(|(name, definition)| {
            Some(Sent { name: name.into(), toolset: BRIDGE.into(), definition: definition? })
        }));
    }
    let left_out = |fate| matches!(fate, Fate::Deferred | Fate::Unavailable);
    let absent = rows.values().filter(|row| left_out(row.fate)).map(|row| Absent {
        name: row.name.clone(),
        fate: row.fate,
        why: row.why.as_deref().map(str::to_owned),
    });
    Assembly {
        platform: inputs.platform.clone(),
        surface: inputs.surface,
        tools,
        absent: absent.collect(),
        tier: disclosure.tier,
        form: disclosure.is_active().then(|| disclosure.listing.form.as_str().to_owned()),
        activated: disclosure.is_active(),
        context_tokens: inputs.context_tokens,
    }
}

/// One group of deferred tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedGroup {
    pub label: String,
    pub tools: u64,
    pub mode: Mode,
}

/// What stands behind the bridge of one selection, or would if it were there.
#[derive(Clone, Debug, PartialEq)]
pub struct BehindBridge {
    pub disclosure: Disclosure,
    /// Places in the catalog of the tools that may be deferred, in the order of the array.
    pub places: Vec<usize>,
}

/// The tools that are deferred, or would be if the bridge were there. Builds no text.
pub fn behind_bridge(inputs: &Inputs<'_>) -> BehindBridge {
    build::with_scope(inputs, |scope| {
        let Deferral { disclosure, deferred, .. } = Deferral::new(scope);
        let mut places: Vec<usize> = deferred.groups().values().flat_map(|group| group.members()).collect();
        places.sort_by_key(|place| &inputs.catalog.document().tools[*place].name);
        BehindBridge { disclosure, places }
    })
}

/// How deferred tools are listed, in full detail.
#[derive(Clone, Debug, PartialEq)]
pub struct ListingDetail {
    pub disclosure: Disclosure,
    /// As it stands in `tool_search`; empty where nothing is listed.
    pub text: String,
    /// Every form, the largest first.
    pub ladder: Vec<Rung>,
    pub groups: Vec<ListedGroup>,
    /// Names of the deferred tools, in order.
    pub deferred: Vec<String>,
    /// What may be deferred, whether or not it is, and its weight by Hermes' estimate.
    pub deferrable_tools: u64,
    pub deferrable_tokens: u64,
}

/// The listing of one selection. Builds its whole text: not for every key press.
pub fn listing(inputs: &Inputs<'_>) -> ListingDetail {
    build::with_scope(inputs, |scope| {
        let Deferral { disclosure, deferred, .. } = Deferral::new(scope);
        let catalog = inputs.catalog;
        let groups = deferred.groups().iter();
        let names = deferred.groups().values().flat_map(|group| group.members());
        let mut names: Vec<String> =
            names.map(|place| catalog.document().tools[place].name.as_str().to_owned()).collect();
        names.sort();
        ListingDetail {
            text: disclosure.listing_text(catalog, &deferred),
            ladder: disclosure.ladder(catalog, &deferred),
            groups: groups
                .map(|(label, group)| ListedGroup {
                    label: (*label).to_owned(),
                    tools: group.tools,
                    mode: disclosure.listing.mode(label),
                })
                .collect(),
            deferred: if disclosure.is_active() { names } else { Vec::new() },
            deferrable_tools: deferred.tools,
            deferrable_tokens: deferred.compact_chars(&|place| catalog.measure_at(place).compact_chars).div_ceil(4),
            disclosure,
        }
    })
}
