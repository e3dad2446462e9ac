//! The whole frame, from state to cells. Parts read the state, change nothing, calculate nothing; only [`paint`] tells
//! the state how much room there is before they draw.
//!
//! Each part is told where it may draw; only the rows that are on screen are built.

mod detail;
mod header;
mod list;
mod modals;
mod panes;
mod review;
mod savings;
mod sheet;
mod status;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};

use crate::app::message::Message;
use crate::app::state::State;
use crate::app::update;

use super::glyphs::{self, Glyphs};
use super::keymap::{Context, Key, Keymap};
use super::layout::{self, Areas};
use super::theme::{self, Theme};
use super::widget::line;

/// How things are drawn, beside the state.
pub struct Look<'a> {
    pub(super) theme: &'a Theme,
    pub(super) glyphs: &'a Glyphs,
    pub(super) keymap: &'a Keymap,
    /// NO_COLOR: attributes stay, colours go.
    pub(super) no_color: bool,
    /// Keys of a sequence pressed so far.
    pub(super) pending: &'a [Key],
    /// The list's share of the width in percent; `None` leaves it to the width.
    pub(super) split: Option<u16>,
}

impl<'a> Look<'a> {
    /// Unicode, in colour, nothing pressed, the divider where it is by default.
    pub fn new(theme: &'a Theme, keymap: &'a Keymap) -> Self {
        Self { theme, glyphs: &glyphs::UNICODE, keymap, no_color: false, pending: &[], split: None }
    }
}

/// Where an entry of an open layer was drawn, for the mouse: first row, how many, and the index of the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entries {
    pub area: Rect,
    pub first: usize,
}

/// What the caller needs after a draw.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    pub(super) areas: Areas,
    pub(super) entries: Entries,
    /// Where the terminal's own cursor belongs: the focused row or field.
    pub cursor: Option<Position>,
    /// The keys on the hint line with their columns.
    pub(super) hints: Vec<(Rect, crate::app::action::Action)>,
}

/// One frame: tells the state how much room it has, so that the cursor is on screen, then draws it.
pub fn paint(buffer: &mut Buffer, state: &mut State, look: &Look<'_>) -> Drawn {
    let split = look.split.unwrap_or_else(|| layout::default_split(buffer.area.width));
    let viewport = layout::viewport(&areas(state, buffer.area, split));
    if viewport != state.viewport {
        // Room is no reason to do anything outside.
        let _ = update::update(state, Message::Viewport(viewport));
    }
    draw(buffer, state, look)
}

/// How many lines the notices want.
fn notice_lines(state: &State) -> u16 {
    u16::try_from(state.notices.shown().len()).unwrap_or(3)
}

/// The layout for a size.
fn areas(state: &State, frame: Rect, split: u16) -> Areas {
    layout::areas(frame, notice_lines(state), split)
}

/// Draws everything.
fn draw(buffer: &mut Buffer, state: &State, look: &Look<'_>) -> Drawn {
    let frame = buffer.area;
    let split = look.split.unwrap_or_else(|| layout::default_split(frame.width));
    let mut drawn = Drawn { areas: areas(state, frame, split), ..Drawn::default() };
    buffer.set_style(frame, look.theme.base);
    if layout::is_too_small(frame) {
        draw_too_small(buffer, state, look);
        drawn.cursor = (frame.width > 0 && frame.height > 0).then_some(Position::new(frame.x, frame.y));
    } else {
        header::draw(buffer, state, look, &drawn.areas);
        drawn.cursor = list::draw(buffer, state, look, &drawn.areas);
        detail::draw_beside(buffer, state, look, &drawn.areas);
        drawn.hints = status::draw(buffer, state, look, &drawn.areas);
        if !state.modals.is_empty() {
            dim_all(buffer, look);
            (drawn.entries, drawn.cursor) = modals::draw(buffer, state, look);
            drawn.hints.clear();
        }
    }
    if look.no_color {
        theme::strip_colors(buffer);
    }
    drawn
}

fn draw_too_small(buffer: &mut Buffer, state: &State, look: &Look<'_>) {
    let quit = look.keymap.keys_of(crate::app::action::Action::Quit, Context::List);
    let quit = quit.first().map_or("ctrl-c", String::as_str);
    let unsaved = if state.draft.is_empty() { String::new() } else { format!(" {} unsaved.", state.draft.len()) };
    let text = format!("Too small: {}x{} needed.{unsaved} {quit} quits", layout::MIN_COLS, layout::MIN_ROWS);
    for (row, text) in line::wrap(&text, usize::from(buffer.area.width)).into_iter().enumerate() {
        let Ok(row) = u16::try_from(row) else { break };
        let area = Rect { y: row, height: 1, ..buffer.area };
        if row >= buffer.area.height {
            break;
        }
        line::draw(buffer, area, &[(text, look.theme.warning)]);
    }
}

/// What lies below a layer stays readable but steps back.
fn dim_all(buffer: &mut Buffer, look: &Look<'_>) {
    buffer.set_style(buffer.area, Style::new().remove_modifier(Modifier::BOLD | Modifier::REVERSED));
    buffer.set_style(buffer.area, look.theme.dim);
}

/// Applies the focused row's style over everything in it, so that no coloured piece can vanish.
fn select_row(buffer: &mut Buffer, area: Rect, look: &Look<'_>) {
    let area = area.intersection(buffer.area);
    for position in area.positions() {
        let cell = &mut buffer[position];
        let keeps = cell.modifier & Modifier::UNDERLINED;
        cell.set_style(Style::reset().patch(look.theme.selected).add_modifier(keeps));
    }
}

#[cfg(test)]
mod tests;
