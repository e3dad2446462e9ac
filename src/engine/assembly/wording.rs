//! The texts of the bridge tools as templates: definitions with a gap for the number of deferred tools and one for the
//! listing, and the lines a listing is made of.

mod own;

use serde::{Deserialize, Serialize};

use super::extent::Extent;
use super::listing::Form;
use crate::engine::catalog::Definition;
use crate::engine::meter::Measure;
use crate::engine::pyjson;

/// Where the number of deferred tools belongs.
const COUNT: &str = "⟦count⟧";
/// Where the listing belongs.
const LISTING: &str = "⟦listing⟧";
/// Where the name of a group belongs.
const LABEL: &str = "⟦label⟧";

/// One way `tool_search` is worded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Search {
    pub form: Form,
    /// `manage_connections` is in the array.
    #[serde(default)]
    pub connections: bool,
    /// At least one tool is deferred.
    #[serde(default)]
    pub deferred: bool,
    /// `⟦count⟧` and `⟦listing⟧` stand where they belong.
    pub definition: Definition,
}

/// The lines of a listing (0.22).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lines {
    /// The first one.
    pub header: String,
    /// Above a group's tools; `⟦label⟧` and `⟦count⟧` stand where they belong.
    pub heading: String,
    /// Instead of a group's tools.
    pub summary: String,
}

/// The words of one Hermes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wording {
    pub search: Vec<Search>,
    pub describe: Definition,
    pub call: Definition,
    /// None where nothing is ever listed (0.19).
    #[serde(default)]
    pub lines: Option<Lines>,
    /// Our own words, not Hermes': what is measured with them is an estimate.
    #[serde(default)]
    pub own: bool,
}

/// What `tool_search` is rendered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gaps {
    pub form: Form,
    pub connections: bool,
    /// Number of deferred tools.
    pub count: u64,
}

impl Wording {
    /// `tool_search` with both gaps filled. `None` where this Hermes has no such wording.
    pub fn search(&self, gaps: Gaps, listing: &str) -> Option<Definition> {
        let template = self.template(gaps)?.definition.text();
        let listing = serde_json::to_string(listing).ok().and_then(|json| pyjson::python_text(&json).ok())?;
        let filled = template.replace(COUNT, &gaps.count.to_string());
        Definition::from_python_text(&filled.replace(LISTING, &listing[1..listing.len() - 1]))
    }

    /// The measure of the same without building it.
    pub fn search_measure(&self, gaps: Gaps, listing: Extent) -> Option<Measure> {
        let text = self.template(gaps)?.definition.text();
        let digits = u64::from(gaps.count.checked_ilog10().unwrap_or(0)) + 1;
        // How often each gap stands in the text, and what fills it, in bytes and characters.
        let filled = |gap: &str, bytes: u64, chars: u64| {
            let times = text.matches(gap).count() as u64;
            (times * gap.len() as u64, times * gap.chars().count() as u64, times * bytes, times * chars)
        };
        let count = filled(COUNT, digits, digits);
        let list = filled(LISTING, listing.bytes, listing.json_chars());
        Some(Measure::new(
            text.len() as u64 + count.2 + list.2 - count.0 - list.0,
            pyjson::compact_chars(text) + count.3 + list.3 - count.1 - list.1,
        ))
    }

    /// The bridge in our own words, for the sample and for catalogs that bring none. `listed`: as newer Hermes has it.
    pub fn own(listed: bool) -> Self {
        own::wording(listed)
    }

    fn template(&self, gaps: Gaps) -> Option<&Search> {
        // One wording serves forms that differ only in what is listed, so the nearest is taken.
        let fits = |search: &&Search| search.deferred == (gaps.count > 0) && search.connections == gaps.connections;
        let of_form = |search: &&Search| search.form == gaps.form;
        self.search
            .iter()
            .filter(fits)
            .find(of_form)
            .or_else(|| self.search.iter().filter(|search| !search.connections).find(of_form))
            .or_else(|| self.search.iter().find(fits))
            .or_else(|| self.search.first())
    }
}

impl Lines {
    /// The heading above a group, or the summary that stands for it.
    pub fn heading(&self, label: &str, count: u64) -> String {
        fill(&self.heading, label, count)
    }

    pub fn summary(&self, label: &str, count: u64) -> String {
        fill(&self.summary, label, count)
    }

    /// How much room a heading takes. It is asked for every group at every key press, so no text is built.
    pub fn heading_extent(&self, label: Extent, count: u64) -> Extent {
        filled(&self.heading, label, count)
    }

    pub fn summary_extent(&self, label: Extent, count: u64) -> Extent {
        filled(&self.summary, label, count)
    }
}

fn fill(template: &str, label: &str, count: u64) -> String {
    // The label last: it is foreign, and may spell the other gap.
    template.replace(COUNT, &count.to_string()).replace(LABEL, label)
}

fn filled(template: &str, label: Extent, count: u64) -> Extent {
    let digits = u64::from(count.checked_ilog10().unwrap_or(0)) + 1;
    let number = Extent { chars: digits, bytes: digits, escapes: 0 };
    let mut extent = Extent::of(template);
    for (gap, filling) in [(COUNT, number), (LABEL, label)] {
        let times = template.matches(gap).count() as u64;
        extent = extent.minus(Extent::of(gap).times(times)).plus(filling.times(times));
    }
    extent
}
