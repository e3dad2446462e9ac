//! Moving: cursor, pages, opening rows, platforms.

use std::sync::Arc;

use crate::app::action::Action;
use crate::app::effect::Effect;
use crate::app::modal::Modal;
use crate::app::state::State;
use crate::app::tree::{RowId, Spot};
use crate::engine::ids::PlatformKey;

pub(super) fn act(state: &mut State, action: Action) {
    let page = state.viewport.list_rows.max(2) - 1;
    let last = state.tree.rows.len().saturating_sub(1);
    let at = state.tree.cursor;
    match action {
        Action::Down => go(state, at + 1),
        Action::Up => go(state, at.saturating_sub(1)),
        Action::PageDown => go(state, at + page),
        Action::PageUp => go(state, at.saturating_sub(page)),
        Action::HalfPageDown => go(state, at + page.div_ceil(2)),
        Action::HalfPageUp => go(state, at.saturating_sub(page.div_ceil(2))),
        Action::Top => go(state, 0),
        Action::Bottom => go(state, last),
        Action::Expand => expand(state),
        Action::Collapse => collapse(state),
        Action::ExpandAll => expand_all(state),
        Action::Open => open(state),
        Action::DetailDown => state.detail_scroll = state.detail_scroll.saturating_add(1),
        Action::DetailUp => state.detail_scroll = state.detail_scroll.saturating_sub(1),
        _ => {}
    }
}

fn go(state: &mut State, idx: usize) {
    let report = Arc::clone(&state.derived.now);
    let before = state.tree.cursor;
    state.tree.move_to(idx, &report);
    if state.tree.cursor != before {
        state.detail_scroll = 0;
    }
    state.tree.keep_visible(state.viewport.list_rows);
}

pub(super) fn click_hits(state: &State, row: usize) -> bool {
    row < state.viewport.list_rows && state.tree.top + row < state.tree.rows.len()
}

pub(super) fn click(state: &mut State, row: usize) {
    if click_hits(state, row) {
        go(state, state.tree.top + row);
    }
}

/// The wheel moves the view; the cursor follows only to stay on screen.
pub(super) fn scroll(state: &mut State, rows: isize) {
    let height = state.viewport.list_rows.max(1);
    let furthest = state.tree.rows.len().saturating_sub(height);
    state.tree.top = state.tree.top.saturating_add_signed(rows).min(furthest);
    let cursor = state.tree.cursor.clamp(state.tree.top, state.tree.top + height - 1);
    go(state, cursor);
}

/// The id under which a row's children are open.
fn foldable(state: &State, spot: Spot) -> Option<RowId> {
    let report = &state.derived.now;
    let tools = match spot {
        Spot::Toolset(idx) => report.toolsets[idx].tools.len(),
        Spot::Server(idx) => report.servers[idx].tools.len(),
        _ => 0,
    };
    (tools > 0).then(|| spot.id(report))
}

fn expand(state: &mut State) {
    let Some(spot) = state.tree.spot() else { return };
    if let Some(id) = foldable(state, spot)
        && state.filter.text.trim().is_empty()
        && state.tree.open.insert(id)
    {
        state.rebuild_rows();
        return;
    }
    go(state, state.tree.cursor + 1);
}

fn collapse(state: &mut State) {
    let Some(spot) = state.tree.spot() else { return };
    if let Some(id) = foldable(state, spot)
        && state.filter.text.trim().is_empty()
        && state.tree.open.remove(&id)
    {
        state.rebuild_rows();
        return;
    }
    if let Some(parent) = state.tree.parent_of(state.tree.cursor) {
        go(state, parent);
    }
}

fn expand_all(state: &mut State) {
    if state.tree.open.is_empty() {
        let report = Arc::clone(&state.derived.now);
        let toolsets = report.toolsets.iter().map(|row| RowId::Toolset(row.key.clone()));
        let servers = report.servers.iter().map(|row| RowId::Server(row.name.clone()));
        state.tree.open = toolsets.chain(servers).collect();
    } else {
        if matches!(state.tree.spot(), Some(Spot::Tool(..) | Spot::ServerTool(..)))
            && let Some(parent) = state.tree.parent_of(state.tree.cursor)
        {
            go(state, parent);
        }
        state.tree.open.clear();
    }
    state.rebuild_rows();
}

/// Enter: opens or closes a row with tools; on narrow screens shows the details.
fn open(state: &mut State) {
    let Some(spot) = state.tree.spot() else { return };
    if !state.viewport.detail_beside {
        state.detail_scroll = 0;
        state.modals.push(Modal::Detail);
        return;
    }
    match foldable(state, spot) {
        Some(id) if state.tree.open.contains(&id) => collapse(state),
        Some(_) => expand(state),
        None => {}
    }
}

pub(super) fn step_platform(state: &mut State, step: isize, effects: &mut Vec<Effect>) {
    // The platforms in use come round; the picker reaches the others.
    let keys: Vec<PlatformKey> =
        state.derived.elsewhere.iter().map(|(_, selection)| selection.platform.clone()).collect();
    let keys = if keys.len() > 1 { keys } else { state.platforms() };
    let Some(at) = keys.iter().position(|key| *key == state.platform) else { return };
    let next = at.checked_add_signed(step).unwrap_or(keys.len() - 1) % keys.len();
    show_platform(state, &keys[next], effects);
}

pub(super) fn show_platform(state: &mut State, platform: &PlatformKey, effects: &mut Vec<Effect>) {
    if state.platform == *platform {
        return;
    }
    let surface = state.surface();
    state.platform = platform.clone();
    state.detail_scroll = 0;
    state.derive_all();
    if state.surface() != surface && !state.place.sample {
        state.ask_for_catalog(effects);
    }
    state.ask_for_assembly(effects);
}
