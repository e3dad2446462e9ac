//! Smaller views with a state of their own: the settings of tool search, the search lab, advice.

use std::sync::Arc;

use crate::engine::advice::{self, Assumptions, Counsel};
use crate::engine::assembly::disclosure::Disclosure;
use crate::engine::assembly::settings::Settings;
use crate::engine::report::preview::Step;
use crate::engine::report::{self, ToFull};
use crate::engine::search::explain::Outcome;
use crate::engine::search::{Bridge, Explanation, Index, Protocol, json};
use crate::engine::setting::Setting;

use super::state::State;

/// The settings of tool search, one a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingsPane {
    pub selected: usize,
    /// What is being typed, while a field is open.
    pub typed: Option<String>,
    /// What was wrong with the last thing typed. Sanitised.
    pub problem: Option<String>,
    /// The way to the next larger form of the listing.
    pub larger: Option<Step>,
    /// The settings that give a full listing.
    pub to_full: Option<ToFull>,
}

impl SettingsPane {
    pub fn of(state: &State) -> Self {
        let mut pane = Self::default();
        pane.refresh(state);
        pane
    }

    /// Works out again what the settings come to.
    pub(crate) fn refresh(&mut self, state: &State) {
        self.larger = state.preview_of_draft().larger;
        self.to_full = Some(report::to_full(&state.inputs_of_draft()));
    }

    pub fn setting(&self) -> Setting {
        Setting::ALL[self.selected.min(Setting::ALL.len() - 1)]
    }
}

/// Tools to name that were not found.
const LOSERS: usize = 5;

/// What a query finds among the deferred tools of the draft.
#[derive(Clone, Debug)]
pub struct Lab {
    pub query: String,
    /// Where nothing is deferred: what there is instead of a bridge.
    pub disclosure: Disclosure,
    pub explanation: Option<Explanation>,
    pub selected: usize,
    /// What the bridge describes the selected tool with, while that is open.
    pub described: Option<String>,
    pub limit: usize,
    pub index: Arc<Index>,
    settings: Settings,
}

/// The index follows from the rest.
impl PartialEq for Lab {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.index, &other.index)
            && (&self.query, self.selected, &self.described) == (&other.query, other.selected, &other.described)
    }
}

impl Lab {
    pub fn of(state: &State) -> Self {
        let behind = report::behind_bridge(&state.inputs_of_draft());
        let settings = Settings::read(&state.derived.planned, state.catalog.host());
        Self {
            query: String::new(),
            disclosure: behind.disclosure,
            explanation: None,
            selected: 0,
            described: None,
            limit: settings.search_default_limit as usize,
            index: Arc::new(Index::of(&state.catalog, &behind.places)),
            settings,
        }
    }

    /// Searches for what is typed.
    pub fn search(&mut self) {
        let query = self.query.trim();
        self.explanation = (!query.is_empty()).then(|| self.index.explain(query, self.limit, LOSERS));
        self.selected = 0;
        self.described = None;
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.explanation.as_ref().map_or(0, |explanation| explanation.standings.len())
    }

    /// Name, whether it is found, and why, of a row.
    pub fn row(&self, place: usize) -> Option<(&str, Option<usize>, String)> {
        let explanation = self.explanation.as_ref()?;
        let standing = explanation.standings.get(place)?;
        let rank = match standing.outcome {
            Outcome::Found { rank } => Some(rank),
            _ => None,
        };
        Some((self.index.entries()[standing.entry].name.as_str(), rank, json::why(explanation, standing)))
    }

    /// Opens or closes what `tool_describe` says about the selected tool.
    pub fn describe(&mut self, state: &State) {
        if self.described.take().is_some() {
            return;
        }
        let Some(name) = self.row(self.selected).map(|(name, ..)| name.to_owned()) else { return };
        let arguments = match self.index.protocol() {
            Protocol::Batch => serde_json::json!({ "names": [name] }),
            Protocol::Single => serde_json::json!({ "name": name }),
        };
        let bridge = Bridge {
            index: &self.index,
            catalog: &state.catalog,
            settings: &self.settings,
            connections: self.disclosure.connections,
        };
        self.described = Some(bridge.describe(&arguments).text);
    }
}

/// Advice for the platform on show, with the draft.
pub fn counsel(state: &State) -> Counsel {
    let inputs = state.inputs_of_draft();
    let assumed = Assumptions { turns: 20, tokens_per_second: None, price_per_mtok: None };
    advice::counsel(&inputs, &state.derived.now, &report::listing(&inputs), assumed)
}
