//! The view of what the model sees: the array with the draft's changes in it, the listing, and its budget.

use std::collections::BTreeMap;

use crate::engine::report::preview::{Preview, PreviewRow};

use super::state::State;

/// Pages of the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// Tool by tool.
    Array,
    /// The text inside `tool_search`.
    Listing,
    /// What the listing may take, and every form it could have.
    Budget,
}

impl Page {
    pub const ALL: [Self; 3] = [Self::Array, Self::Listing, Self::Budget];

    pub fn title(self) -> &'static str {
        match self {
            Self::Array => "array",
            Self::Listing => "listing",
            Self::Budget => "budget",
        }
    }
}

/// What the draft does to a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Same,
    /// It is sent, or deferred, and was not.
    New,
    /// It was, and is no more.
    Gone,
    /// Its fate, its definition or its bytes are others.
    Changed,
}

/// The open view.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    pub preview: Preview,
    /// Every tool of the array, deferred or unavailable, and what the draft takes out.
    pub rows: Vec<(Mark, PreviewRow)>,
    pub page: Page,
    pub selected: usize,
    /// First row on screen.
    pub first: usize,
    /// The selected tool's definition is shown below it.
    pub open: bool,
    /// Of the pages without a cursor.
    pub scroll: usize,
}

impl Sheet {
    pub fn of(state: &State) -> Self {
        let preview = state.preview_of_draft();
        let rows = match state.draft.is_empty() {
            true => preview.rows.iter().map(|row| (Mark::Same, row.clone())).collect(),
            false => marked(&state.preview_of_file(), &preview),
        };
        Self { preview, rows, page: Page::Array, selected: 0, first: 0, open: false, scroll: 0 }
    }

    /// The same view with newer figures.
    #[must_use]
    pub fn refreshed(&self, state: &State) -> Self {
        let fresh = Self::of(state);
        let selected = self.selected.min(fresh.rows.len().saturating_sub(1));
        Self { page: self.page, selected, first: self.first, open: self.open, scroll: self.scroll, ..fresh }
    }

    pub fn turn(&mut self, step: usize) {
        let at = Page::ALL.iter().position(|page| *page == self.page).unwrap_or(0);
        self.page = Page::ALL[(at + step) % Page::ALL.len()];
        self.scroll = 0;
    }

    /// Moves the cursor; `rows` fit on screen.
    pub fn select(&mut self, selected: usize, rows: usize) {
        self.selected = selected;
        self.open = false;
        self.keep_visible(rows);
    }

    /// Opens or closes the selected tool's definition, which then stands at the top.
    pub fn toggle(&mut self, rows: usize) {
        self.open = !self.open && self.rows.get(self.selected).is_some_and(|(_, row)| row.definition.is_some());
        if self.open {
            self.first = self.selected;
        }
        self.keep_visible(rows);
    }

    fn keep_visible(&mut self, rows: usize) {
        self.first = self.first.min(self.selected).max((self.selected + 1).saturating_sub(rows.max(1)));
    }

    /// What copying means here: the definition as it is sent, or the listing.
    pub fn copied(&self) -> Option<String> {
        match self.page {
            Page::Array => {
                let (_, row) = self.rows.get(self.selected)?;
                row.definition.as_ref().map(|definition| definition.text().to_owned())
            }
            Page::Listing | Page::Budget => Some(self.preview.listing.text.clone()).filter(|text| !text.is_empty()),
        }
    }
}

/// The draft's rows with what is new or other, and the file's rows that are gone, each in its place by name.
fn marked(before: &Preview, after: &Preview) -> Vec<(Mark, PreviewRow)> {
    let mut old: BTreeMap<&str, &PreviewRow> = before.rows.iter().map(|row| (row.name.as_str(), row)).collect();
    let mut rows: Vec<(Mark, PreviewRow)> = after
        .rows
        .iter()
        .map(|row| {
            let mark = match old.remove(row.name.as_str()) {
                None => Mark::New,
                Some(was) if was.fate != row.fate => Mark::Changed,
                Some(was) if was.definition != row.definition => Mark::Changed,
                Some(was) if was.meter.wire_bytes.value() != row.meter.wire_bytes.value() => Mark::Changed,
                Some(_) => Mark::Same,
            };
            (mark, row.clone())
        })
        .collect();
    // What is left was there and is no more.
    rows.extend(old.into_values().map(|row| (Mark::Gone, PreviewRow { definition: None, ..row.clone() })));
    rows
}
