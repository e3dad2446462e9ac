//! What the model sees: the array tool by tool, what stands behind the bridge, and how far it is to another listing.

mod json;

pub use json::PreviewJson;

use super::{Inputs, ListingDetail, Meter, PlatformReport, ToolRow, array, listing};
use crate::engine::assembly::listing::Form;
use crate::engine::assembly::{Assembly, Fate};
use crate::engine::catalog::Definition;
use crate::engine::meter::Figure;
use foldhash::{HashMap, HashMapExt as _};

/// A tool of the selection, sent or not.
#[derive(Clone, Debug, PartialEq)]
pub struct PreviewRow {
    pub name: String,
    /// Its registry toolset.
    pub toolset: String,
    pub fate: Fate,
    pub why: Option<String>,
    pub meter: Meter,
    /// As it is sent; `None` for one that is not in the array.
    pub definition: Option<Definition>,
}

/// The way to another form of the listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub form: Form,
    /// Tokens the listing is too long for the larger form, or may still grow before it becomes the smaller one.
    pub tokens: u64,
}

/// The whole preview.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    pub array: Assembly,
    /// In the order of the array, then what is deferred, then what is unavailable, by name.
    pub rows: Vec<PreviewRow>,
    pub listing: ListingDetail,
    /// The next larger form, and how many tokens of the listing would have to go.
    pub larger: Option<Step>,
    /// The next smaller form, and after how many tokens more it comes.
    pub smaller: Option<Step>,
}

impl Preview {
    pub fn new(inputs: &Inputs<'_>, report: &PlatformReport) -> Self {
        let array = array(inputs, report);
        let listing = listing(inputs);
        let (larger, smaller) = steps(&listing);
        Self { rows: rows(inputs, report, &array), array, listing, larger, smaller }
    }

    /// The array as Python's `json.dumps(array, ensure_ascii=False)` prints it.
    pub fn raw(&self) -> String {
        raw(self.array.tools.iter().map(|sent| sent.definition.text()))
    }

    /// The same tools as Anthropic's API takes them.
    pub fn raw_anthropic(&self) -> String {
        let tools: Vec<String> = self.array.tools.iter().map(|sent| anthropic(&sent.definition)).collect();
        raw(tools.iter().map(String::as_str))
    }
}

/// A JSON array of texts with Python's separators.
fn raw<'t>(definitions: impl Iterator<Item = &'t str>) -> String {
    format!("[{}]", definitions.collect::<Vec<_>>().join(", "))
}

/// Name, description and input schema, in this order, in Python's spelling.
pub fn anthropic(definition: &Definition) -> String {
    #[derive(serde::Deserialize)]
    struct Tool<'t> {
        #[serde(borrow)]
        function: Function<'t>,
    }
    #[derive(serde::Deserialize)]
    struct Function<'t> {
        #[serde(borrow)]
        name: &'t serde_json::value::RawValue,
        #[serde(borrow, default)]
        description: Option<&'t serde_json::value::RawValue>,
        #[serde(borrow, default)]
        parameters: Option<&'t serde_json::value::RawValue>,
    }
    let Ok(Tool { function }) = serde_json::from_str::<Tool<'_>>(definition.text()) else {
        return definition.text().to_owned();
    };
    format!(
        r#"{{"name": {}, "description": {}, "input_schema": {}}}"#,
        function.name.get(),
        function.description.map_or("\"\"", |description| description.get()),
        function.parameters.map_or(r#"{"type": "object", "properties": {}}"#, |parameters| parameters.get()),
    )
}

fn rows(inputs: &Inputs<'_>, report: &PlatformReport, array: &Assembly) -> Vec<PreviewRow> {
    let mut known: HashMap<&str, &ToolRow> = HashMap::new();
    let toolsets = report.toolsets.iter().filter(|row| row.on).chain(&report.bridge);
    let servers = report.servers.iter().filter(|row| row.on).flat_map(|row| row.tools.iter());
    for row in toolsets.flat_map(|row| &row.tools).chain(servers) {
        // Of several rows the one that counts has the weight.
        let place = known.entry(row.name.as_str()).or_insert(row);
        if place.meter.wire_bytes == Figure::Exact(0) {
            *place = row;
        }
    }
    let sent = array.tools.iter().map(|sent| PreviewRow {
        name: sent.name.as_str().to_owned(),
        toolset: sent.toolset.as_str().to_owned(),
        fate: Fate::Eager,
        why: None,
        meter: known.get(sent.name.as_str()).map_or(Meter::UNKNOWN, |row| row.meter),
        definition: Some(sent.definition.clone()),
    });
    let absent = |fate: Fate| {
        let mut rows: Vec<&ToolRow> = known.values().filter(|row| row.fate == fate).copied().collect();
        rows.sort_by(|left, right| left.name.cmp(&right.name));
        rows.into_iter().map(move |row| PreviewRow {
            name: row.name.as_str().to_owned(),
            toolset: inputs.catalog.tool(row.name.as_str()).map_or_else(String::new, |tool| tool.toolset.to_string()),
            fate,
            why: row.why.as_deref().map(str::to_owned),
            meter: row.meter,
            definition: None,
        })
    };
    sent.chain(absent(Fate::Deferred)).chain(absent(Fate::Unavailable)).collect()
}

/// The steps up and down from the chosen form.
fn steps(listing: &ListingDetail) -> (Option<Step>, Option<Step>) {
    let Some(budget) = listing.disclosure.budget else { return (None, None) };
    let Some(at) = listing.ladder.iter().position(|rung| rung.fits) else { return (None, None) };
    if !listing.disclosure.settings.listing {
        return (None, None);
    }
    let larger = at.checked_sub(1).map(|above| {
        let rung = &listing.ladder[above];
        Step { form: rung.form, tokens: rung.extent.tokens().saturating_sub(budget.tokens) }
    });
    let smaller = listing
        .ladder
        .get(at + 1)
        .map(|rung| Step { form: rung.form, tokens: budget.tokens.saturating_sub(listing.ladder[at].extent.tokens()) });
    (larger, smaller)
}
