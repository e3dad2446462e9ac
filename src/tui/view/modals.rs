//! Layers: lists one types into, questions, messages, details on narrow screens.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use crate::app::modal::{Ask, Modal, Picker, PickerKind};
use crate::app::notice::Severity;
use crate::app::state::State;
use crate::app::update::{Choice, Entry, entries};
use crate::engine::text::visible;
use crate::tui::keymap::Context;
use crate::tui::layout;
use crate::tui::widget::{frame, line};

use super::{Entries, Look, detail, panes, review, savings, sheet};

/// Draws the top layer; returns where its entries are and where the cursor belongs.
pub(super) fn draw(buffer: &mut Buffer, state: &State, look: &Look<'_>) -> (Entries, Option<Position>) {
    let whole = buffer.area;
    match state.modals.last() {
        None => (Entries::default(), None),
        Some(Modal::Picker(picker)) => draw_picker(buffer, state, look, picker),
        Some(Modal::Ask { ask, selected }) => draw_ask(buffer, state, look, *ask, *selected),
        Some(Modal::Review(changes)) => {
            let area = layout::layer(whole, 100, whole.height);
            (Entries::default(), review::draw(buffer, state, look, changes, area))
        }
        Some(Modal::Sheet(open)) => {
            let area = layout::layer(whole, 120, whole.height);
            (Entries::default(), sheet::draw(buffer, state, look, open, area))
        }
        Some(Modal::Settings(pane)) => {
            let area = layout::layer(whole, 100, whole.height);
            (Entries::default(), panes::draw_settings(buffer, state, look, pane, area))
        }
        Some(Modal::Lab(lab)) => {
            let area = layout::layer(whole, 110, whole.height);
            (Entries::default(), panes::draw_lab(buffer, state, look, lab, area))
        }
        Some(Modal::Advice { counsel, scroll }) => {
            let area = layout::layer(whole, 100, whole.height);
            (Entries::default(), panes::draw_advice(buffer, state, look, counsel, *scroll, area))
        }
        Some(Modal::Savings { scroll }) => {
            let area = layout::layer(whole, 120, whole.height);
            (Entries::default(), savings::draw(buffer, look, state.savings.rows.as_deref(), *scroll, area))
        }
        Some(Modal::Log { scroll }) => {
            let area = layout::layer(whole, 100, whole.height);
            let inside = frame::draw(buffer, area, "Messages of this session", "esc back", look.theme, look.glyphs);
            detail::draw_lines(buffer, inside, &log_lines(state, look, inside.width), *scroll, look);
            (Entries::default(), Some(Position::new(inside.x, inside.y)))
        }
        Some(Modal::Detail) => {
            let area = layout::layer(whole, 100, whole.height);
            let inside = frame::draw(buffer, area, "Details", "esc back", look.theme, look.glyphs);
            let lines = detail::lines(state, look, usize::from(inside.width));
            detail::draw_lines(buffer, inside, &lines, state.detail_scroll, look);
            (Entries::default(), Some(Position::new(inside.x, inside.y)))
        }
    }
}

fn log_lines(state: &State, look: &Look<'_>, cols: u16) -> detail::Lines {
    let mut lines = Vec::new();
    for notice in state.notices.log() {
        let style = match notice.severity {
            Severity::Info => look.theme.info,
            Severity::Warning => look.theme.warning,
            Severity::Error => look.theme.error,
        };
        lines.extend(line::wrap(&notice.text, usize::from(cols)).into_iter().map(|text| vec![(text, style)]));
    }
    if lines.is_empty() {
        lines.push(vec![("No messages yet.".to_owned(), look.theme.dim)]);
    }
    lines
}

fn title(picker: &Picker) -> &'static str {
    match picker.kind {
        PickerKind::Help => "Keys and what they do; type to find, enter runs",
        PickerKind::Palette => "Commands; type to find, enter runs",
        PickerKind::Platforms => "Show which platform?",
        PickerKind::Profiles => "Open which profile?",
        PickerKind::Themes => "Which colours?",
        PickerKind::Presets => "Which preset? Or type a new name",
    }
}

/// One drawn line of a list: a section head or an entry.
enum Line<'a> {
    Section(&'static str),
    Entry(usize, &'a Entry),
}

fn draw_picker(buffer: &mut Buffer, state: &State, look: &Look<'_>, picker: &Picker) -> (Entries, Option<Position>) {
    let theme = look.theme;
    let entries = entries(state, picker);
    let wide = matches!(picker.kind, PickerKind::Help | PickerKind::Palette);
    let sections = picker.kind == PickerKind::Help && picker.query.trim().is_empty();
    let mut lines = Vec::new();
    let mut section = "";
    for (idx, entry) in entries.iter().enumerate() {
        if let (true, Choice::Run(action)) = (sections, &entry.choice)
            && action.group().title() != section
        {
            section = action.group().title();
            lines.push(Line::Section(section));
        }
        lines.push(Line::Entry(idx, entry));
    }
    let rows = u16::try_from(lines.len().max(1) + 3).unwrap_or(u16::MAX);
    let area = layout::layer(buffer.area, if wide { 100 } else { 50 }, rows.min(buffer.area.height));
    let note = format!("{} of {}", entries.len().min(picker.selected + 1), entries.len());
    let inside = frame::draw(buffer, area, title(picker), &note, theme, look.glyphs);
    if inside.height == 0 || inside.width == 0 {
        return (Entries::default(), None);
    }
    let field = Rect { height: 1, ..inside };
    let hint = if picker.query.is_empty() { "type to find" } else { "" };
    let end = line::draw(buffer, field, &[(" > ".to_owned(), theme.key), (picker.query.clone(), Style::new())]);
    line::draw(
        buffer,
        Rect { x: end, width: field.right().saturating_sub(end), ..field },
        &[(hint.to_owned(), theme.dim)],
    );
    let cursor = Position::new(end.min(inside.right().saturating_sub(1)), field.y);

    let body = Rect { y: inside.y + 1, height: inside.height - 1, ..inside };
    let height = usize::from(body.height);
    let selected =
        lines.iter().position(|line| matches!(line, Line::Entry(idx, _) if *idx == picker.selected)).unwrap_or(0);
    let first = (selected + 1).saturating_sub(height);
    if entries.is_empty() {
        let text = match (picker.kind, picker.query.is_empty()) {
            (PickerKind::Presets, true) => "  None yet; type a name to keep what is on.".to_owned(),
            _ => format!("  Nothing matches '{}'; backspace widens the search.", picker.query),
        };
        line::draw(buffer, Rect { height: 1.min(body.height), ..body }, &[(text, theme.dim)]);
    }
    for (row, drawn) in lines.iter().skip(first).take(height).enumerate() {
        let Ok(row) = u16::try_from(row) else { break };
        let at = Rect { y: body.y + row, height: 1, ..body };
        match drawn {
            Line::Section(title) => {
                line::draw(buffer, at, &[(format!(" {title}"), theme.heading)]);
            }
            Line::Entry(idx, entry) => {
                line::draw(buffer, at, &entry_pieces(look, entry, usize::from(at.width), wide));
                if *idx == picker.selected {
                    super::select_row(buffer, at, look);
                }
            }
        }
    }
    // Section heads shift rows; clicks are only taken where rows and entries run alike.
    let entries = if sections { Entries::default() } else { Entries { area: body, first } };
    (entries, Some(cursor))
}

fn entry_pieces(look: &Look<'_>, entry: &Entry, cols: usize, wide: bool) -> Vec<(String, Style)> {
    let theme = look.theme;
    let mark = if entry.current { " * " } else { "   " };
    let dim_if_not = |style: Style| if entry.unavailable.is_some() { theme.dim } else { style };
    let mut pieces = vec![(mark.to_owned(), theme.on)];
    if let Choice::Run(action) = &entry.choice {
        let keys = look.keymap.keys_of(*action, Context::List);
        let keys = if keys.is_empty() { look.keymap.keys_of(*action, Context::Text) } else { keys };
        pieces.push((line::left(&keys.join(" / "), 18, look.glyphs.more), dim_if_not(theme.key)));
    }
    let title_cols = if wide { 24 } else { cols.saturating_sub(16) };
    pieces.push((line::left(&visible(&entry.title), title_cols, look.glyphs.more), dim_if_not(Style::new())));
    let note = match &entry.unavailable {
        Some(reason) => format!("not now: {reason}"),
        None => entry.note.clone(),
    };
    let used: usize = pieces.iter().map(|(text, _)| line::width(text)).sum();
    pieces.push((line::clip(&note, cols.saturating_sub(used + 1), look.glyphs.more), theme.dim));
    pieces
}

fn ask_text(state: &State, ask: Ask) -> String {
    let count = state.draft.len();
    match ask {
        Ask::Quit => format!("{count} unsaved switches: {}.", names(state)),
        Ask::Recover => format!(
            "The last session ended with {} unsaved switches. The file was not changed by them.",
            state.recovered.len()
        ),
        Ask::LeaveProfile => {
            format!("{count} unsaved switches belong to profile {}: {}.", state.place.profile, names(state))
        }
        Ask::Discard => format!("{count} unsaved switches: {}.", names(state)),
    }
}

fn names(state: &State) -> String {
    let all: Vec<String> =
        state.draft.wishes().map(|(target, on)| crate::app::derive::target_text(target, on)).collect();
    let more = if all.len() > 6 { format!(", and {} more", all.len() - 6) } else { String::new() };
    format!("{}{more}", all[..all.len().min(6)].join(", "))
}

fn draw_ask(
    buffer: &mut Buffer,
    state: &State,
    look: &Look<'_>,
    ask: Ask,
    selected: usize,
) -> (Entries, Option<Position>) {
    let theme = look.theme;
    let cols = 64.min(buffer.area.width);
    let text = line::wrap(&visible(&ask_text(state, ask)), usize::from(cols.saturating_sub(4)));
    let answers = ask.answers();
    let rows = u16::try_from(text.len() + answers.len() + 3).unwrap_or(u16::MAX);
    let area = layout::layer(buffer.area, cols, rows);
    let inside = frame::draw(buffer, area, ask.title(), "enter chooses, esc back", theme, look.glyphs);
    // The answers are kept when room is short.
    let answer_rows = u16::try_from(answers.len()).unwrap_or(0).min(inside.height);
    let text_rows = usize::from(inside.height - answer_rows);
    for (row, text) in text.into_iter().take(text_rows).enumerate() {
        if let Ok(row) = u16::try_from(row) {
            line::draw(buffer, Rect { y: inside.y + row, height: 1, ..inside }, &[(format!(" {text}"), Style::new())]);
        }
    }
    let body = Rect { y: inside.bottom() - answer_rows, height: answer_rows, ..inside };
    let mut cursor = None;
    for (row, (letter, words)) in answers.iter().enumerate().take(usize::from(answer_rows)) {
        let Ok(offset) = u16::try_from(row) else { break };
        let at = Rect { y: body.y + offset, height: 1, ..body };
        line::draw(buffer, at, &[(format!("  {letter} "), theme.key), ((*words).to_owned(), Style::new())]);
        if row == selected {
            super::select_row(buffer, at, look);
            cursor = Some(Position::new((at.x + 2).min(at.right().saturating_sub(1)), at.y));
        }
    }
    (Entries { area: body, first: 0 }, cursor)
}
