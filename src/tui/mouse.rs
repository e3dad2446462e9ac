//! Where a click or the wheel lands, pure. Cells outside the frame mean nothing: terminals do report them.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use crate::app::action::Action;
use crate::app::message::Message;
use crate::app::state::State;

use super::view::Drawn;

/// Rows the wheel moves.
const WHEEL_ROWS: isize = 3;
/// Columns of a row that hold mark and box, from the left; deeper boxes are found by their indent.
const BOX_COLS: u16 = 5;

/// What a mouse event asks for.
#[derive(Clone, Debug)]
pub(super) enum Asked {
    Message(Message),
    /// The divider was dragged: the list's share of the width in percent.
    Split(u16),
}

/// What an event means on what was drawn last.
pub(super) fn asked(event: &MouseEvent, state: &State, drawn: &Drawn, dragging: &mut bool) -> Option<Asked> {
    let at = Position::new(event.column, event.row);
    let areas = &drawn.areas;
    if !areas.frame.contains(at) {
        return None;
    }
    let wheel = match event.kind {
        MouseEventKind::ScrollDown => Some(WHEEL_ROWS),
        MouseEventKind::ScrollUp => Some(-WHEEL_ROWS),
        _ => None,
    };
    if !state.modals.is_empty() {
        return in_layer(event, at, wheel, state, drawn).map(Asked::Message);
    }
    if let Some(rows) = wheel {
        let message =
            if areas.detail.contains(at) { Message::DetailScrolled(rows) } else { Message::ListScrolled(rows) };
        return Some(Asked::Message(message));
    }
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) if areas.divider.contains(at) => {
            *dragging = true;
            None
        }
        MouseEventKind::Drag(MouseButton::Left) if *dragging => {
            let share = u32::from(event.column) * 100 / u32::from(areas.frame.width.max(1));
            Some(Asked::Split(u16::try_from(share).unwrap_or(60).clamp(30, 80)))
        }
        MouseEventKind::Up(_) => {
            *dragging = false;
            None
        }
        MouseEventKind::Down(MouseButton::Left) => click(at, state, drawn).map(Asked::Message),
        _ => None,
    }
}

fn click(at: Position, state: &State, drawn: &Drawn) -> Option<Message> {
    let areas = &drawn.areas;
    if areas.list.contains(at) {
        let row = usize::from(at.y - areas.list.y);
        let spot = state.tree.rows.get(state.tree.top + row)?.spot;
        let indent = u16::try_from(2 * spot.depth().saturating_sub(1)).unwrap_or(0);
        let offset = at.x - areas.list.x;
        let on_box = spot.depth() > 0 && (indent..indent + BOX_COLS).contains(&offset);
        return Some(if on_box { Message::BoxClicked(row) } else { Message::RowClicked(row) });
    }
    if areas.header.contains(at) {
        return Some(Message::Act(Action::PickPlatform));
    }
    let hint = drawn.hints.iter().find(|(area, _)| area.contains(at))?;
    Some(Message::Act(hint.1))
}

fn in_layer(event: &MouseEvent, at: Position, wheel: Option<isize>, state: &State, drawn: &Drawn) -> Option<Message> {
    if let Some(rows) = wheel {
        state.modals.last()?;
        let action = if rows > 0 { Action::Down } else { Action::Up };
        return Some(Message::Act(action));
    }
    let is_click = matches!(event.kind, MouseEventKind::Down(MouseButton::Left));
    let entries = &drawn.entries;
    (is_click && entries.area.contains(at))
        .then(|| Message::EntryClicked(entries.first + usize::from(at.y - entries.area.y)))
}
