//! How the tools of a selection are disclosed: at once, or some of them behind the bridge, and how those are listed.

use super::host::Host;
use super::listing::{Deferred, Form, Lister, Listing, Rung};
use super::settings::{Budget, Enabled, Settings};
use super::wording::Gaps;
use crate::engine::catalog::Catalog;
use crate::engine::meter::{Measure, grouped};
use crate::engine::rules::{Activation, Rules};

/// Why every tool is sent with its whole schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direct {
    /// This Hermes has no tool search.
    Absent,
    /// `tools.tool_search.enabled` is off.
    SwitchedOff,
    /// Nothing in the array may be deferred.
    NothingToDefer,
    /// What could be deferred weighs less than the threshold, both in estimated tokens (0.19).
    BelowThreshold { tokens: u64, threshold: u64 },
}

impl Direct {
    /// The name in JSON.
    pub fn rule(self) -> &'static str {
        match self {
            Self::Absent => "no-tool-search",
            Self::SwitchedOff => "switched-off",
            Self::NothingToDefer => "nothing-to-defer",
            Self::BelowThreshold { .. } => "below-threshold",
        }
    }
}

impl std::fmt::Display for Direct {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Absent => out.write_str("this Hermes has no tool search"),
            Self::SwitchedOff => out.write_str("tools.tool_search.enabled is off"),
            Self::NothingToDefer => out.write_str("nothing in the array may be deferred"),
            Self::BelowThreshold { tokens, threshold } => write!(
                out,
                "what could be deferred is ~{} tokens, below the threshold of {}",
                grouped(*tokens),
                grouped(*threshold)
            ),
        }
    }
}

/// What tool search does to one selection.
#[derive(Clone, Debug, PartialEq)]
pub struct Disclosure {
    /// None where the bridge is in the array.
    pub direct: Option<Direct>,
    /// Where this version has tiers: 0 without a bridge, 1 with a listing of tools, 2 without.
    pub tier: Option<u8>,
    pub listing: Listing,
    /// Number of deferred tools.
    pub deferred: u64,
    /// Of the listing; None where this version never lists.
    pub budget: Option<Budget>,
    /// `manage_connections` is in the array.
    pub connections: bool,
    pub settings: Settings,
}

/// The bridge's three definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bridge {
    pub search: Measure,
    pub describe: Measure,
    pub call: Measure,
}

impl Disclosure {
    /// Of an empty array.
    pub fn of_nothing(settings: Settings) -> Self {
        Self {
            direct: Some(Direct::NothingToDefer),
            tier: None,
            listing: Listing::NONE,
            deferred: 0,
            budget: None,
            connections: false,
            settings,
        }
    }

    /// Decides by what could be deferred. `connections`: `manage_connections` would be in the array.
    pub fn decide(
        catalog: &Catalog,
        settings: Settings,
        deferrable: &Deferred<'_>,
        connections: bool,
        context_tokens: Option<u64>,
    ) -> Self {
        let rules = catalog.rules();
        let host = catalog.host();
        let chars = || deferrable.compact_chars(&|place| catalog.measure_at(place).compact_chars);
        let active = settings.activates(rules, deferrable.tools, chars, context_tokens)
            || (rules.tiered_listing && connections && settings.enabled != Enabled::Off && deferrable.tools == 0);
        let direct = (!active).then(|| match rules.activation {
            Activation::Absent => Direct::Absent,
            _ if settings.enabled == Enabled::Off => Direct::SwitchedOff,
            _ if deferrable.tools == 0 => Direct::NothingToDefer,
            _ => Direct::BelowThreshold { tokens: chars().div_ceil(4), threshold: settings.threshold(context_tokens) },
        });
        let budget = rules.tiered_listing.then(|| settings.budget(context_tokens));
        let listing = match (&host.wording.lines, budget) {
            (Some(lines), Some(budget)) if active && settings.listing => {
                let line = |place| catalog.listing_line_at(place);
                let unavailable = &host.unavailable_sources;
                Lister { deferred: deferrable, lines, unavailable, line: &line, budget: budget.tokens }.choose()
            }
            _ => Listing::NONE,
        };
        let tier = rules.tiered_listing.then(|| if active { listing.form.tier() } else { 0 });
        let deferred = if active { deferrable.tools } else { 0 };
        Self { direct, tier, listing, deferred, budget, connections, settings }
    }

    /// How deferred tools are disclosed, in words.
    pub fn in_words(&self) -> String {
        if let Some(direct) = &self.direct {
            return format!("no bridge: {direct}");
        }
        let tier = self.tier.map_or_else(String::new, |tier| format!("tier {tier}, "));
        let form = self.listing.form.as_str();
        let budget = self.budget.map_or_else(String::new, |budget| {
            format!(", ~{} of {} tokens", grouped(self.listing.extent.tokens()), grouped(budget.tokens))
        });
        format!("{tier}{} deferred, listed as {form}{budget}", grouped(self.deferred))
    }

    /// Whether the bridge is in the array.
    pub fn is_active(&self) -> bool {
        self.direct.is_none()
    }

    /// Every form with what it would cost, the largest first; empty where nothing is listed.
    pub fn ladder(&self, catalog: &Catalog, deferred: &Deferred<'_>) -> Vec<Rung> {
        let (Some(lines), Some(budget)) = (&catalog.host().wording.lines, self.budget) else { return Vec::new() };
        if !self.is_active() {
            return Vec::new();
        }
        let line = |place| catalog.listing_line_at(place);
        let unavailable = &catalog.host().unavailable_sources;
        Lister { deferred, lines, unavailable, line: &line, budget: budget.tokens }.ladder()
    }

    /// The listing as it is embedded; empty where there is none.
    pub fn listing_text(&self, catalog: &Catalog, deferred: &Deferred<'_>) -> String {
        let (Some(lines), Some(budget)) = (&catalog.host().wording.lines, self.budget) else { return String::new() };
        if self.listing.form == Form::None {
            return String::new();
        }
        let line = |place| catalog.listing_line_at(place);
        let unavailable = &catalog.host().unavailable_sources;
        let entry = |place: usize| {
            let tool = &catalog.document().tools[place];
            (tool.name.as_str(), super::line::text(tool.name.as_str(), tool.definition.text()))
        };
        Lister { deferred, lines, unavailable, line: &line, budget: budget.tokens }.text(&self.listing, &entry)
    }

    /// What `tool_search` is rendered with.
    pub fn gaps(&self) -> Gaps {
        Gaps { form: self.listing.form, connections: self.connections, count: self.deferred }
    }

    /// What the bridge's definitions weigh; None without a bridge.
    pub fn bridge(&self, host: &Host) -> Option<Bridge> {
        if !self.is_active() {
            return None;
        }
        Some(Bridge {
            search: host.wording.search_measure(self.gaps(), self.listing.extent)?,
            describe: Measure::of_definition(&host.wording.describe),
            call: Measure::of_definition(&host.wording.call),
        })
    }
}

/// Whether a registered tool goes behind an active bridge: 0.19 defers all but its core tools; 0.22 first what `defer`
/// names, then all that is neither core nor tied to a desktop or a project.
pub fn is_deferrable(rules: &Rules, host: &Host, is_core: bool, name: &str, toolset: &str, named: bool) -> bool {
    if super::host::BRIDGE_TOOLS.contains(&name) {
        return false;
    }
    if rules.builtins_deferrable && named {
        return true;
    }
    if is_core {
        return false;
    }
    toolset.starts_with("mcp-") || !host.direct_toolsets.iter().any(|direct| direct.as_str() == toolset)
}
