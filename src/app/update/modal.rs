//! Keys while a layer is open: lists one types into, questions, the review, the log; and the filter line.

use crate::app::action::Action;
use crate::app::derive::plain_label;
use crate::app::effect::Effect;
use crate::app::modal::{Ask, Modal, Picker, PickerKind};
use crate::app::sheet::{Page, Sheet};
use crate::app::state::{FilterLine, State};
use crate::engine::filter::{Filter, Owner, Subject};
use crate::engine::ids::PlatformKey;
use crate::engine::preset::check_name;

use super::{navigate, pane, save, switch};

/// What choosing an entry does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    Run(Action),
    Platform(PlatformKey),
    Profile(String),
    Theme(String),
    Preset(String),
    /// Keep what is on under this name.
    Keep(String),
}

/// One line of a list to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub choice: Choice,
    pub title: String,
    /// A sentence or a figure behind it.
    pub note: String,
    /// The one in use now.
    pub current: bool,
    /// Why choosing it does nothing now.
    pub unavailable: Option<String>,
}

/// The entries of a list that match what was typed, best first where something was typed.
pub fn entries(state: &State, picker: &Picker) -> Vec<Entry> {
    let all = all_entries(state, picker.kind);
    let query = picker.query.trim();
    if query.is_empty() {
        return all;
    }
    let mut filter = Filter::parse(query);
    let mut hits: Vec<(u32, Entry)> = all
        .into_iter()
        .filter_map(|entry| {
            let mut score =
                |name: &str| filter.score(&Subject { name, owner: Owner::Toolset(""), on: true, tokens: None });
            let title = score(&entry.title).map(|score| score * 2);
            let name = match &entry.choice {
                Choice::Run(action) => score(action.name()),
                _ => None,
            };
            let words = || entry.note.to_lowercase().contains(&query.to_lowercase()).then_some(1);
            let best = title.max(name).or_else(words)?;
            Some((best, entry))
        })
        .collect();
    hits.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    let mut found: Vec<Entry> = hits.into_iter().map(|(_, entry)| entry).collect();
    if picker.kind == PickerKind::Presets && !state.presets.iter().any(|name| name == query) {
        found.push(Entry {
            choice: Choice::Keep(query.to_owned()),
            title: query.to_owned(),
            note: "keep this name".into(),
            current: false,
            unavailable: check_name(query).err(),
        });
    }
    found
}

fn all_entries(state: &State, kind: PickerKind) -> Vec<Entry> {
    match kind {
        PickerKind::Help | PickerKind::Palette => Action::ALL
            .iter()
            .filter(|action| kind == PickerKind::Help || !matches!(action, Action::Palette | Action::Confirm))
            .map(|action| Entry {
                choice: Choice::Run(*action),
                title: action.title().into(),
                note: action.help().into(),
                current: false,
                unavailable: action.available_on_main(state).err(),
            })
            .collect(),
        PickerKind::Platforms => {
            let unsaved = state.unsaved_by_platform();
            let in_use =
                |key: &PlatformKey| state.derived.elsewhere.iter().any(|(_, selection)| selection.platform == *key);
            let mut keys = state.platforms();
            keys.sort_by_key(|key| !in_use(key));
            keys.into_iter()
                .map(|key| Entry {
                    title: platform_title(state, &key),
                    note: match (unsaved.get(&key), in_use(&key)) {
                        (Some(count), _) => format!("{count} unsaved"),
                        (None, true) => "in use".into(),
                        (None, false) => String::new(),
                    },
                    current: key == state.platform,
                    unavailable: None,
                    choice: Choice::Platform(key),
                })
                .collect()
        }
        PickerKind::Profiles => state
            .place
            .profiles
            .iter()
            .map(|profile| Entry {
                choice: Choice::Profile(profile.clone()),
                title: profile.clone(),
                note: String::new(),
                current: *profile == state.place.profile,
                unavailable: None,
            })
            .collect(),
        PickerKind::Presets => state
            .presets
            .iter()
            .map(|preset| Entry {
                choice: Choice::Preset(preset.clone()),
                title: preset.clone(),
                note: "switch to it".into(),
                current: false,
                unavailable: state.read_only.clone(),
            })
            .collect(),
        PickerKind::Themes => state
            .themes
            .iter()
            .map(|theme| Entry {
                choice: Choice::Theme(theme.clone()),
                title: theme.clone(),
                note: String::new(),
                current: *theme == state.theme,
                unavailable: None,
            })
            .collect(),
    }
}

fn platform_title(state: &State, key: &PlatformKey) -> String {
    match state.catalog.platform(key.as_str()) {
        Some(platform) if platform.label != key.as_str() => format!("{} ({key})", plain_label(&platform.label)),
        _ => key.to_string(),
    }
}

impl Action {
    /// Availability once the list this is asked from has closed.
    fn available_on_main(self, state: &State) -> Result<(), String> {
        match self {
            Self::Confirm => Ok(()),
            _ => self.available(state),
        }
    }
}

/// Takes an action while a layer is open. False lets the main screen have it.
pub(super) fn act(state: &mut State, action: Action, effects: &mut Vec<Effect>) -> bool {
    // These work everywhere and mean the same.
    if matches!(action, Action::Redraw | Action::Suspend | Action::Mouse | Action::Interrupt | Action::Back) {
        return false;
    }
    let page = state.viewport.modal_rows.max(2) - 1;
    let Some(mut top) = state.modals.pop() else { return false };
    let is_same_help = |picker: &Picker| {
        matches!((picker.kind, action), (PickerKind::Help, Action::Help) | (PickerKind::Palette, Action::Palette))
    };
    match &mut top {
        Modal::Picker(picker) if is_same_help(picker) => return true,
        Modal::Picker(picker) => {
            if matches!(action, Action::Confirm | Action::Open) {
                let choice = entries(state, picker).into_iter().nth(picker.selected).map(|entry| entry.choice);
                choose(state, choice, effects);
                return true;
            }
            let count = entries(state, picker).len();
            picker.selected = moved(picker.selected, count, page, action);
        }
        Modal::Ask { ask, selected } => {
            if matches!(action, Action::Confirm | Action::Open | Action::Toggle) {
                let letter = ask.answers().get(*selected).map(|(letter, _)| *letter);
                let ask = *ask;
                if let Some(letter) = letter {
                    answer(state, ask, letter, effects);
                }
                return true;
            }
            let step = match action {
                Action::Expand => Action::Down,
                Action::Collapse => Action::Up,
                other => other,
            };
            *selected = moved(*selected, ask.answers().len(), page, step);
        }
        Modal::Review(review) => {
            if matches!(action, Action::Confirm | Action::Review | Action::Open) {
                state.modals.push(top);
                save::save(state, effects);
                return true;
            }
            if action == Action::Copy {
                effects.push(Effect::CopyText(save::command_text(state)));
            }
            review.scroll = scrolled(review.scroll, page, action);
        }
        Modal::Sheet(sheet) => {
            if matches!(action, Action::Preview | Action::Quit) {
                return true;
            }
            if action == Action::Review {
                state.modals.push(top);
                return false;
            }
            turn(state, sheet, page, action, effects);
        }
        Modal::Settings(pane) => {
            if matches!(action, Action::Settings | Action::Quit) {
                return true;
            }
            if matches!(action, Action::Undo | Action::Redo | Action::Review) && pane.typed.is_none() {
                state.modals.push(top);
                return false;
            }
            let mut pane = std::mem::take(pane);
            pane::set(state, &mut pane, page, action, effects);
            pane.refresh(state);
            top = Modal::Settings(pane);
        }
        Modal::Lab(lab) => match action {
            Action::Confirm | Action::Open => lab.describe(state),
            action => {
                let selected = moved(lab.selected, lab.rows(), page, action);
                if selected != lab.selected {
                    (lab.selected, lab.described) = (selected, None);
                }
            }
        },
        Modal::Advice { counsel, scroll } => {
            if matches!(action, Action::Advice | Action::Open | Action::Quit) {
                return true;
            }
            match (action, counsel.nudge) {
                (Action::Copy, Some(nudge)) => effects.push(Effect::CopyText(nudge.to_owned())),
                (Action::Copy, None) => state.warn("There is no text to copy here.".into()),
                _ => *scroll = scrolled(*scroll, page, action),
            }
        }
        Modal::Savings { scroll } => {
            if matches!(action, Action::Savings | Action::Open | Action::Quit) {
                return true;
            }
            *scroll = scrolled(*scroll, page, action);
        }
        Modal::Log { scroll } => {
            if matches!(action, Action::Log | Action::Open | Action::Quit) {
                return true;
            }
            *scroll = scrolled(*scroll, page, action);
        }
        Modal::Detail => {
            if matches!(action, Action::Open | Action::Quit | Action::Collapse) {
                return true;
            }
            if matches!(action, Action::Toggle | Action::ToggleEverywhere | Action::Undo | Action::Redo) {
                state.modals.push(top);
                return false;
            }
            state.detail_scroll = scrolled(state.detail_scroll, page, action);
        }
    }
    state.modals.push(top);
    true
}

/// Keys of the view of what the model sees.
fn turn(state: &mut State, sheet: &mut Sheet, page: usize, action: Action, effects: &mut Vec<Effect>) {
    // The page's own head line takes one row.
    let rows = page;
    match action {
        Action::NextPage => sheet.turn(1),
        Action::PreviousPage => sheet.turn(2),
        Action::Copy => match sheet.copied() {
            Some(text) => effects.push(Effect::CopyText(text)),
            None => state.warn("There is nothing to copy here.".into()),
        },
        Action::Confirm | Action::Toggle if sheet.page == Page::Array => sheet.toggle(rows),
        _ if sheet.page == Page::Array => {
            let selected = moved(sheet.selected, sheet.rows.len(), page, action);
            if selected != sheet.selected {
                sheet.select(selected, rows);
            }
        }
        _ => sheet.scroll = scrolled(sheet.scroll, page, action),
    }
}

pub(super) fn moved(selected: usize, count: usize, page: usize, action: Action) -> usize {
    let last = count.saturating_sub(1);
    match action {
        Action::Down if selected >= last => 0,
        Action::Down => selected + 1,
        Action::Up if selected == 0 => last,
        Action::Up => selected - 1,
        Action::PageDown | Action::HalfPageDown => (selected + page).min(last),
        Action::PageUp | Action::HalfPageUp => selected.saturating_sub(page),
        Action::Top => 0,
        Action::Bottom => last,
        _ => selected.min(last),
    }
}

fn scrolled(scroll: usize, page: usize, action: Action) -> usize {
    match action {
        Action::Down | Action::DetailDown => scroll.saturating_add(1),
        Action::Up | Action::DetailUp => scroll.saturating_sub(1),
        Action::PageDown => scroll.saturating_add(page),
        Action::PageUp => scroll.saturating_sub(page),
        Action::HalfPageDown => scroll.saturating_add(page.div_ceil(2)),
        Action::HalfPageUp => scroll.saturating_sub(page.div_ceil(2)),
        Action::Top => 0,
        // The view clamps to the last page.
        Action::Bottom => usize::from(u16::MAX),
        _ => scroll,
    }
}

fn choose(state: &mut State, choice: Option<Choice>, effects: &mut Vec<Effect>) {
    match choice {
        None => {}
        Some(Choice::Run(action)) => super::act(state, action, effects),
        Some(Choice::Platform(platform)) => navigate::show_platform(state, &platform, effects),
        Some(Choice::Theme(theme)) => {
            state.theme.clone_from(&theme);
            effects.push(Effect::SetTheme(theme));
        }
        Some(Choice::Preset(name)) => effects.push(Effect::LoadPreset { name }),
        Some(Choice::Keep(name)) => match check_name(&name) {
            Ok(()) => effects.push(Effect::KeepPreset { preset: pane::kept(state, &name) }),
            Err(reason) => state.warn(format!("{reason}.")),
        },
        Some(Choice::Profile(profile)) if profile == state.place.profile => {}
        Some(Choice::Profile(profile)) => {
            if state.draft.is_empty() {
                effects.push(Effect::SwitchProfile { name: profile });
            } else {
                state.wanted_profile = Some(profile);
                state.modals.push(Modal::Ask { ask: Ask::LeaveProfile, selected: 0 });
            }
        }
    }
}

fn answer(state: &mut State, ask: Ask, letter: char, effects: &mut Vec<Effect>) {
    match (ask, letter) {
        (Ask::Quit, 's') => {
            save::review(state);
            state.quit_after_save = matches!(state.modals.last(), Some(Modal::Review(_)));
        }
        (Ask::Quit, 'y') => {
            switch::forget(state, effects);
            effects.push(Effect::Quit);
        }
        (Ask::Recover, 'y') => switch::restore(state, effects),
        (Ask::Recover, 'n') => {
            state.recovered.clear();
            switch::store_recovery(state, effects);
        }
        (Ask::LeaveProfile, 'y') => {
            if let Some(name) = state.wanted_profile.take() {
                switch::forget(state, effects);
                effects.push(Effect::SwitchProfile { name });
            }
        }
        (Ask::Discard, 'y') => {
            let count = state.draft.len();
            switch::forget(state, effects);
            state.inform(format!("Forgot {count} unsaved switches."), effects);
        }
        _ => {}
    }
}

/// Text goes to the list's search line, answers a question, or narrows the rows.
pub(super) fn type_text(state: &mut State, text: &str, effects: &mut Vec<Effect>) {
    state.notices.key_pressed();
    state.interrupt_armed = false;
    // A search line is one line; a pasted newline would hide what follows.
    let text: String = text.chars().filter(|letter| !letter.is_control()).collect();
    match state.modals.last_mut() {
        Some(Modal::Picker(picker)) => {
            picker.query.push_str(&text);
            picker.selected = 0;
        }
        Some(Modal::Lab(lab)) => {
            lab.query.push_str(&text);
            lab.search();
        }
        Some(Modal::Settings(pane)) => {
            if let Some(typed) = &mut pane.typed {
                typed.push_str(&text);
                pane.problem = None;
            }
        }
        Some(Modal::Ask { ask, .. }) => {
            let ask = *ask;
            let letter = text.chars().next().map(|letter| letter.to_ascii_lowercase());
            if let Some((letter, _)) = ask.answers().iter().find(|(known, _)| Some(*known) == letter) {
                state.modals.pop();
                answer(state, ask, *letter, effects);
            }
        }
        Some(_) => {}
        None if state.filter.typing => {
            state.filter.text.push_str(&text);
            state.rebuild_rows();
        }
        None => {}
    }
}

pub(super) fn erase(state: &mut State, word: bool) {
    let shorten = |text: &mut String| {
        if word {
            let kept = text.trim_end().rfind(' ').map_or(0, |at| at + 1);
            text.truncate(kept);
        } else {
            use unicode_segmentation::UnicodeSegmentation;
            let kept = text.grapheme_indices(true).next_back().map_or(0, |(at, _)| at);
            text.truncate(kept);
        }
    };
    match state.modals.last_mut() {
        Some(Modal::Picker(picker)) => {
            shorten(&mut picker.query);
            picker.selected = 0;
        }
        Some(Modal::Lab(lab)) => {
            shorten(&mut lab.query);
            lab.search();
        }
        Some(Modal::Settings(pane)) => {
            if let Some(typed) = &mut pane.typed {
                shorten(typed);
            }
        }
        Some(_) => {}
        None if state.filter.typing && state.filter.text.is_empty() => state.filter = FilterLine::default(),
        None if state.filter.typing => {
            shorten(&mut state.filter.text);
            state.rebuild_rows();
        }
        None => {}
    }
}

/// A click on an entry chooses it.
pub(super) fn click(state: &mut State, idx: usize, effects: &mut Vec<Effect>) {
    let fits = match state.modals.last() {
        Some(Modal::Picker(picker)) => idx < entries(state, picker).len(),
        Some(Modal::Ask { ask, .. }) => idx < ask.answers().len(),
        _ => false,
    };
    if !fits {
        return;
    }
    match state.modals.last_mut() {
        Some(Modal::Picker(picker)) => picker.selected = idx,
        Some(Modal::Ask { selected, .. }) => *selected = idx,
        _ => {}
    }
    act(state, Action::Confirm, effects);
}
