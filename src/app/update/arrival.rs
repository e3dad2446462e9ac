//! Answers from outside: catalogs, arrays, token counts, saves, profiles.

use std::sync::Arc;

use crate::app::effect::Effect;
use crate::app::message::Message;
use crate::app::modal::Modal;
use crate::app::state::{Confirmed, History, State};
use crate::engine::draft::{Draft, Target};
use crate::engine::yaml::Document;

use super::switch;

pub(super) fn arrived(state: &mut State, message: Message, effects: &mut Vec<Effect>) {
    match message {
        Message::CatalogArrived { generation, catalog, source, age_s, reread } => {
            if generation < state.generation && catalog.document().surface != state.surface() {
                return;
            }
            state.working = None;
            state.notices.news_are_old();
            if let Some(reread) = reread {
                state.document = reread.document;
                state.read_only = reread.read_only;
            }
            state.catalog = catalog;
            state.source = source;
            state.age_s = age_s;
            state.confirmed.clear();
            state.derive_all();
            effects.push(Effect::CountTokens { catalog: Arc::clone(&state.catalog), assembly: None });
            state.ask_for_assembly(effects);
        }
        Message::WorkerFailed { text } => {
            state.working = None;
            let stays = match state.source {
                crate::app::state::Source::Live => "What Hermes said before stays on screen.",
                crate::app::state::Source::Snapshot => "Going on with its last answer.",
                crate::app::state::Source::Sample => "Going on with the sample.",
            };
            state.fail(format!("{text}. {stays}"));
        }
        Message::AssemblyArrived { platform, surface, ops, outcome, generation: _ } => match outcome {
            Ok(assembly) => {
                let concerns_saved = ops.is_empty();
                let is_shown = platform == state.platform && surface == state.surface();
                if is_shown {
                    let (catalog, assembly) = (Arc::clone(&state.catalog), Some(Arc::clone(&assembly)));
                    effects.push(Effect::CountTokens { catalog, assembly });
                }
                state.remember(Confirmed { platform, surface, ops, assembly });
                if is_shown && concerns_saved {
                    state.derive_all();
                } else if is_shown {
                    state.derive_draft();
                }
            }
            Err(text) => state.warn(format!("Hermes could not confirm the figures: {text}.")),
        },
        Message::Ablated { generation, rows } if generation == state.savings.generation => {
            state.savings.rows = Some(rows.into());
        }
        Message::TokensCounted { counts } => {
            state.counts = counts;
            state.derive_all();
        }
        Message::Saved { document, reapplied } => saved(state, document, reapplied, effects),
        Message::SaveFailed { text } => {
            state.quit_after_save = false;
            if let Some(Modal::Review(review)) = state.modals.last_mut() {
                review.saving = false;
            }
            state.fail(format!("Not saved: {text}. The unsaved switches are kept."));
        }
        Message::SaveUndone { document } => {
            state.can_undo_save = false;
            take_document(state, document, effects);
            state.inform(format!("{} is as before the last save.", state.place.file), effects);
        }
        Message::Reloaded { document } => {
            take_document(state, document, effects);
            state.inform(format!("Read {} again.", state.place.file), effects);
        }
        Message::ReloadFailed { text } => state.fail(text),
        Message::Probed(probe) => super::probe::answered(state, *probe, effects),
        Message::PresetLoaded(preset) => super::pane::apply_preset(state, &preset, effects),
        Message::PresetKept { name, presets } => {
            state.presets = presets;
            state.inform(format!("Kept what is on as the preset {name}."), effects);
        }
        Message::PresetFailed { text } => state.fail(text),
        Message::ProfileOpened(start) => {
            let (theme, mouse, viewport) = (state.theme.clone(), state.mouse, state.viewport);
            let generation = state.generation + 1;
            *state = State::new(*start);
            (state.theme, state.mouse, state.viewport, state.generation) = (theme, mouse, viewport, generation);
            effects.append(&mut super::start(state));
            state.inform(format!("Profile {}.", state.place.profile), effects);
        }
        Message::ProfileFailed { text } => state.fail(text),
        Message::Copied { how: Ok(()) } => state.inform("Copied the command.".into(), effects),
        Message::Copied { how: Err(text) } => state.fail(text),
        // Handled before.
        _ => {}
    }
}

fn saved(state: &mut State, document: Arc<Document>, reapplied: bool, effects: &mut Vec<Effect>) {
    let count = state.draft.len();
    state.modals.retain(|modal| !matches!(modal, Modal::Review(_)));
    state.draft = Draft::default();
    state.history = History::default();
    state.can_undo_save = true;
    // The arrays confirmed for the draft are those of the new file; their edits are empty now.
    let planned = std::mem::take(&mut state.derived.plan.ops);
    let kept = if reapplied { None } else { state.confirmed(&planned) };
    state.confirmed.clear();
    if let Some(assembly) = kept {
        let (platform, surface) = (state.platform.clone(), state.surface());
        state.remember(Confirmed { platform, surface, ops: Vec::new(), assembly });
    }
    state.document = document;
    state.derive_all();
    switch::after_change(state, effects);
    if std::mem::take(&mut state.quit_after_save) {
        effects.push(Effect::Quit);
        return;
    }
    let also = if reapplied { " Someone else had changed the file; their changes are kept." } else { "" };
    state.inform(
        format!("Saved {count} {} to {}.{also}", if count == 1 { "switch" } else { "switches" }, state.place.file),
        effects,
    );
}

/// A new text of the file: the draft is kept as far as its wishes still can be granted.
fn take_document(state: &mut State, document: Arc<Document>, effects: &mut Vec<Effect>) {
    let wishes: Vec<(Target, bool)> = state.draft.wishes().map(|(target, on)| (target.clone(), on)).collect();
    state.document = document;
    state.draft = Draft::default();
    state.history = History::default();
    state.confirmed.clear();
    state.derive_all();
    if wishes.is_empty() {
        switch::after_change(state, effects);
    } else {
        state.recovered = wishes;
        switch::restore(state, effects);
    }
}
