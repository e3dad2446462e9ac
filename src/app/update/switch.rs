//! Switching, undo and redo: wishes into the draft, the plan checked at once, a refusal taken back with its reason.

use crate::app::derive::target_text;
use crate::app::effect::Effect;
use crate::app::state::State;
use crate::app::tree::Spot;
use crate::engine::draft::{Draft, Step, Target};

/// Begins to mark rows at the cursor, or ends it.
pub(super) fn mark(state: &mut State) {
    let report = &state.derived.now;
    state.tree.anchor = match state.tree.anchor.take() {
        Some(_) => None,
        None => state.tree.spot().map(|spot| spot.id(report)),
    };
}

pub(super) fn toggle(state: &mut State, effects: &mut Vec<Effect>) {
    if let Some(marked) = state.tree.marked(&state.derived.now) {
        state.tree.anchor = None;
        let spots: Vec<Spot> = state.tree.rows[marked].iter().map(|row| row.spot).collect();
        switch_all(state, &spots, "marked", effects);
        return;
    }
    let Some(spot) = state.tree.spot() else {
        state.warn("There is no row to switch.".into());
        return;
    };
    match state.target(spot) {
        Ok(target) => {
            let on = !is_on(state, spot, &target);
            wish(state, &[(target, on)], effects);
        }
        Err(reason) => state.warn(format!("{}.", sentence(&reason))),
    }
}

pub(super) fn toggle_everywhere(state: &mut State, effects: &mut Vec<Effect>) {
    let report = &state.derived.now;
    let name = match state.tree.spot() {
        Some(Spot::Server(idx) | Spot::ServerTool(idx, _)) => report.servers[idx].name.clone(),
        _ => {
            state.warn("Only a server has a switch for every platform; go to one below MCP servers.".into());
            return;
        }
    };
    let target = Target::Server(name);
    let on = !state.drafted_state(&target);
    if wish(state, &[(target.clone(), on)], effects) {
        state.inform(format!("{}.", sentence(&target_text(&target, on))), effects);
    }
}

/// What the row shows is what a switch turns around.
fn is_on(state: &State, spot: Spot, target: &Target) -> bool {
    let report = &state.derived.now;
    match spot {
        Spot::Toolset(idx) => report.toolsets[idx].on,
        Spot::Server(idx) => report.servers[idx].on,
        _ => state.drafted_state(target),
    }
}

/// Switches every shown row like the focused one, as one step.
pub(super) fn toggle_group(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(focus) = state.tree.spot() else { return };
    let same_group = |spot: Spot| match (focus, spot) {
        (Spot::Toolsets | Spot::Toolset(_) | Spot::Tool(..) | Spot::Bridge, Spot::Toolset(_)) => true,
        (Spot::Servers | Spot::Server(_) | Spot::NoMcp, Spot::Server(_)) => true,
        (Spot::ServerTool(server, _), Spot::ServerTool(other, _)) => server == other,
        _ => false,
    };
    let spots: Vec<Spot> =
        state.tree.rows.iter().filter(|row| row.hit && same_group(row.spot)).map(|row| row.spot).collect();
    switch_all(state, &spots, "shown", effects);
}

/// Switches rows as one step: all on, or all off when they are on. Headings, and rows without a switch, are passed over.
fn switch_all(state: &mut State, spots: &[Spot], which: &str, effects: &mut Vec<Effect>) {
    let mut wishes = Vec::new();
    let mut locked = 0;
    for spot in spots.iter().filter(|spot| spot.depth() > 0) {
        match state.target(*spot) {
            Ok(target) => wishes.push((is_on(state, *spot, &target), target)),
            Err(_) => locked += 1,
        }
    }
    if wishes.is_empty() {
        state.warn(format!("None of the {which} rows can be switched here."));
        return;
    }
    let on = !wishes.iter().all(|(is_on, _)| *is_on);
    let mut wishes: Vec<(Target, bool)> =
        wishes.into_iter().filter(|(is_on, _)| *is_on != on).map(|(_, target)| (target, on)).collect();
    let (granted, refused) = wish_all_possible(state, &mut wishes, effects);
    let word = if on { "on" } else { "off" };
    let mut text = format!("Switched {granted} of the {which} rows {word}");
    if locked > 0 {
        text.push_str(&format!("; {locked} cannot be switched here"));
    }
    match refused {
        Some((count, reason)) => state.warn(format!("{text}; {count} refused: {reason}.")),
        None => state.inform(format!("{text}."), effects),
    }
}

/// Grants as many wishes as the planner does; says how many, and how many not with the first reason.
fn wish_all_possible(
    state: &mut State,
    wishes: &mut Vec<(Target, bool)>,
    effects: &mut Vec<Effect>,
) -> (usize, Option<(usize, String)>) {
    let mut refused: Option<(usize, String)> = None;
    while !wishes.is_empty() {
        let draft = with_wishes(state, wishes);
        match state.plan_of(&draft) {
            Ok(plan) => {
                accept(state, draft, plan, effects);
                break;
            }
            Err(refusal) => {
                let before = wishes.len();
                wishes.retain(|(target, _)| *target != refusal.target);
                let reason = refusal.to_string();
                if wishes.len() == before {
                    // The refusal is about an earlier wish: nothing of this step can be granted.
                    wishes.clear();
                }
                let dropped = before - wishes.len();
                refused = Some(refused.map_or((dropped, reason), |(count, first)| (count + dropped, first)));
            }
        }
    }
    (wishes.len(), refused)
}

/// One step. False when the planner refused; the reason is a notice then and the draft as before.
pub(super) fn wish(state: &mut State, wishes: &[(Target, bool)], effects: &mut Vec<Effect>) -> bool {
    let draft = with_wishes(state, wishes);
    match state.plan_of(&draft) {
        Ok(plan) => {
            accept(state, draft, plan, effects);
            true
        }
        Err(refusal) => {
            state.warn(format!("{}.", sentence(&refusal.to_string())));
            false
        }
    }
}

fn with_wishes(state: &State, wishes: &[(Target, bool)]) -> Draft {
    let mut draft = state.draft.clone();
    draft.apply(wishes, |target| state.saved_state(target));
    draft
}

fn accept(state: &mut State, draft: Draft, plan: crate::engine::plan::Plan, effects: &mut Vec<Effect>) {
    if draft != state.draft {
        state.history.undo += 1;
        state.history.redo = 0;
    }
    state.draft = draft;
    let consequences: Vec<String> =
        plan.consequences.iter().filter(|text| !state.derived.plan.consequences.contains(text)).cloned().collect();
    state.set_plan(plan);
    // An effect that happens off screen is announced.
    if !consequences.is_empty() {
        state.inform(consequences.join(" "), effects);
    }
    after_change(state, effects);
}

/// Brings kept wishes back as one step; those that no longer can be granted are told.
pub(super) fn restore(state: &mut State, effects: &mut Vec<Effect>) {
    let mut wishes = std::mem::take(&mut state.recovered);
    let (granted, refused) = wish_all_possible(state, &mut wishes, effects);
    match refused {
        Some((count, reason)) => {
            state.warn(format!("Brought {granted} switches back; {count} no longer possible: {reason}."));
        }
        None => state.inform(format!("Brought {granted} switches back."), effects),
    }
}

pub(super) fn undo(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(step) = state.draft.undo() else { return };
    state.history.undo = state.history.undo.saturating_sub(1);
    state.history.redo += 1;
    walked(state, "Undid", &step, effects);
}

pub(super) fn redo(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(step) = state.draft.redo() else { return };
    state.history.redo = state.history.redo.saturating_sub(1);
    state.history.undo += 1;
    walked(state, "Redid", &step, effects);
}

fn walked(state: &mut State, verb: &str, step: &Step, effects: &mut Vec<Effect>) {
    state.derive_draft();
    let text = match step.changes.as_slice() {
        [(target, before, after)] => {
            // Without a wish after it, the switch went back to what the file says: the other way round.
            let on = after.or(before.map(|on| !on)).unwrap_or(false);
            format!("{verb}: {}.", target_text(target, on))
        }
        changes => format!("{verb}: {} switches.", changes.len()),
    };
    state.inform(text, effects);
    after_change(state, effects);
}

/// What every change of the draft asks of the outside.
pub(super) fn after_change(state: &mut State, effects: &mut Vec<Effect>) {
    state.ask_for_assembly(effects);
    store_recovery(state, effects);
}

pub(super) fn store_recovery(state: &State, effects: &mut Vec<Effect>) {
    if !state.place.sample {
        let wishes = state.draft.wishes().map(|(target, on)| (target.clone(), on)).collect();
        effects.push(Effect::StoreRecovery { wishes });
    }
}

pub(super) fn forget(state: &mut State, effects: &mut Vec<Effect>) {
    state.draft.clear();
    state.history = crate::app::state::History::default();
    state.derive_draft();
    after_change(state, effects);
}

/// The first letter large, foreign names left alone otherwise.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
