//! Screens as text at four sizes, every screen at every small size, and what colour must not decide.
//!
//! Keys go through the real key map: a script is words such as `down`, `space`, `ctrl-s`, and `/web` typed as letters.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::style::Color;

use super::*;
use crate::app::effect::Effect;
use crate::app::modal::Modal;
use crate::app::update::{self, tests::sample_state};
use crate::engine::report::{Inputs, ablate};
use crate::tui::input::{self, Pending};
use crate::tui::mouse::{self, Asked};
use crate::tui::{figure, theme};

fn events(word: &str) -> Vec<KeyEvent> {
    let event = |code, modifiers| KeyEvent::new(code, modifiers);
    let named = match word {
        "space" => Some(KeyCode::Char(' ')),
        "enter" => Some(KeyCode::Enter),
        "esc" => Some(KeyCode::Esc),
        "down" => Some(KeyCode::Down),
        "up" => Some(KeyCode::Up),
        "right" => Some(KeyCode::Right),
        "left" => Some(KeyCode::Left),
        "end" => Some(KeyCode::End),
        "tab" => Some(KeyCode::Tab),
        "pgdn" => Some(KeyCode::PageDown),
        "backspace" => Some(KeyCode::Backspace),
        _ => None,
    };
    if let Some(code) = named {
        return vec![event(code, KeyModifiers::NONE)];
    }
    if let Some(letter) = word.strip_prefix("ctrl-").and_then(|rest| rest.chars().next()) {
        return vec![event(KeyCode::Char(letter), KeyModifiers::CONTROL)];
    }
    word.chars().map(|letter| event(KeyCode::Char(letter), KeyModifiers::NONE)).collect()
}

fn press(state: &mut State, script: &str) -> Vec<Effect> {
    let keymap = Keymap::default();
    let mut pending = Pending::default();
    let mut effects = Vec::new();
    for event in script.split_whitespace().flat_map(events) {
        if let Some(message) = input::key(&event, state, &keymap, &mut pending) {
            effects.extend(update::update(state, message));
        }
    }
    effects
}

/// Does what is asked of the outside where it is only calculating.
fn answer(state: &mut State, effects: Vec<Effect>) {
    // The newest question alone counts.
    let newest = effects.into_iter().rev().find(|effect| matches!(effect, Effect::Ablate { .. }));
    if let Some(Effect::Ablate { generation, catalog, config, platform, surface, counts, context_tokens }) = newest {
        let inputs = Inputs {
            catalog: &catalog,
            config: &config,
            platform: &platform,
            surface,
            assembly: None,
            counts: &counts,
            context_tokens,
        };
        let rows = ablate::natively(&inputs);
        let _ = update::update(state, Message::Ablated { generation, rows });
    }
}

fn painted(state: &mut State, width: u16, height: u16, theme: &Theme, no_color: bool) -> (Buffer, Drawn) {
    let frame = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(frame);
    let keymap = Keymap::default();
    let look = Look { no_color, ..Look::new(theme, &keymap) };
    let drawn = paint(&mut buffer, state, &look);
    (buffer, drawn)
}

fn text(buffer: &Buffer) -> String {
    let mut text = String::new();
    for y in 0..buffer.area.height {
        let mut line = String::new();
        let mut skip = 0;
        for x in 0..buffer.area.width {
            if skip > 0 {
                skip -= 1;
                continue;
            }
            let symbol = buffer[(x, y)].symbol();
            skip = line::width(symbol).saturating_sub(1);
            line.push_str(symbol);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn screen(state: &mut State, width: u16, height: u16) -> String {
    text(&painted(state, width, height, &theme::fallback(), false).0)
}

/// Sizes where the layout differs.
const SIZES: [(u16, u16); 4] = [(40, 12), (80, 24), (120, 40), (200, 50)];

#[test]
fn the_main_screen_at_four_sizes() {
    for (width, height) in SIZES {
        let mut state = sample_state();
        insta::assert_snapshot!(format!("main_{width}x{height}"), screen(&mut state, width, height));
    }
}

#[test]
fn a_draft_with_an_open_row_at_four_sizes() {
    for (width, height) in SIZES {
        let mut state = sample_state();
        let _ = screen(&mut state, width, height);
        press(&mut state, "down space right down");
        insta::assert_snapshot!(format!("draft_{width}x{height}"), screen(&mut state, width, height));
    }
}

#[test]
fn layers_as_text() {
    for (name, script) in [
        ("review", "down space ctrl-s"),
        ("help", "?"),
        ("palette_found", ": undo"),
        ("platforms", "P"),
        ("quit_question", "down space q"),
        ("filter", "/ fi"),
        ("filter_nothing", "/ zzqq"),
        ("log", "down space u L"),
        ("sees_array", "p"),
        ("sees_definition", "p down enter"),
        ("sees_listing", "p tab"),
        ("sees_budget", "p tab tab"),
        ("sees_draft", "down space down down down space p"),
        ("savings", "s"),
        ("marked", "v down down"),
        ("settings", "t down down down"),
        ("settings_changed", "t down down down left left left left left left"),
        ("settings_typed", "t down down down enter 5 enter"),
        ("lab", "f list space issues"),
        ("lab_described", "f list space issues enter"),
        ("advice", "A"),
        ("presets", "S"),
        ("presets_new", "S night"),
    ] {
        let mut state = sample_state();
        let _ = screen(&mut state, 100, 30);
        let effects = press(&mut state, script);
        answer(&mut state, effects);
        insta::assert_snapshot!(format!("layer_{name}"), screen(&mut state, 100, 30));
    }
}

/// Every screen one can be on.
const SCREENS: [&str; 28] = [
    "",
    "down space",
    "right down down",
    "end",
    "?",
    ": und",
    "P",
    "O",
    "T",
    "down space ctrl-s",
    "down space q",
    "L",
    "/ git",
    "/ zzqq",
    "p",
    "p enter down",
    "p tab",
    "p tab tab",
    "down space p end enter",
    "s",
    "t",
    "t down left enter x y z",
    "f",
    "f list space issues enter",
    "A",
    "S",
    "S new",
    "v down down",
];

#[test]
fn every_screen_draws_at_every_small_size() {
    for script in SCREENS {
        let mut state = sample_state();
        let effects = press(&mut state, script);
        answer(&mut state, effects);
        for width in 1..=60 {
            for height in 1..=20 {
                let (_, drawn) = painted(&mut state, width, height, &theme::fallback(), true);
                let frame = Rect::new(0, 0, width, height);
                if let Some(cursor) = drawn.cursor {
                    assert!(frame.contains(cursor), "{script:?} at {width}x{height}: cursor at {cursor}");
                }
            }
        }
    }
}

#[test]
fn an_empty_frame_is_no_panic() {
    let mut state = sample_state();
    for (width, height) in [(0, 0), (0, 5), (5, 0)] {
        painted(&mut state, width, height, &theme::fallback(), false);
    }
}

#[test]
fn the_details_overlay_a_narrow_screen_and_leave_a_wide_one() {
    let mut state = sample_state();
    let _ = screen(&mut state, 60, 20);
    press(&mut state, "enter");
    assert_eq!(state.modals, [Modal::Detail]);
    let _ = screen(&mut state, 120, 40);
    assert!(state.modals.is_empty(), "there is room beside the list now");
}

#[test]
fn a_resize_keeps_cursor_filter_and_draft() {
    let mut state = sample_state();
    press(&mut state, "down space / b enter");
    let _ = screen(&mut state, 120, 40);
    let before = state.tree.spot();
    let _ = screen(&mut state, 40, 8);
    let _ = screen(&mut state, 10, 2);
    let _ = screen(&mut state, 120, 40);
    assert_eq!((state.tree.spot(), state.draft.len(), state.filter.text.as_str()), (before, 1, "b"));
}

#[test]
fn without_colour_the_focused_row_is_reversed_in_every_cell_and_no_colour_is_left() {
    let mut state = sample_state();
    for (name, _) in theme::EMBEDDED.iter().filter(|(name, _)| ["terminal", "mono", "colour-blind"].contains(name)) {
        let theme = theme::ThemeSet::with_user([]).load(name).unwrap_or_default();
        let (buffer, drawn) = painted(&mut state, 100, 30, &theme, true);
        assert!(buffer.content.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset), "{name}");
        let row = drawn.cursor.map(|cursor| cursor.y).unwrap_or_default();
        for x in 0..drawn.areas.list.width - 1 {
            assert!(buffer[(x, row)].modifier.contains(Modifier::REVERSED), "{name}: column {x}");
        }
    }
}

#[test]
fn the_focused_row_looks_the_same_over_coloured_pieces() {
    let theme = theme::ThemeSet::with_user([]).load("harbour-dark").unwrap_or_default();
    let mut state = sample_state();
    let (buffer, drawn) = painted(&mut state, 120, 30, &theme, false);
    let row = drawn.cursor.map(|cursor| cursor.y).unwrap_or_default();
    let colors: std::collections::HashSet<_> =
        (0..drawn.areas.list.width - 1).map(|x| (buffer[(x, row)].fg, buffer[(x, row)].bg)).collect();
    assert_eq!(colors.len(), 1, "{colors:?}");
}

#[test]
fn matched_letters_are_underlined_even_on_the_focused_row_without_colour() {
    let mut state = sample_state();
    press(&mut state, "/ web");
    let (buffer, _) = painted(&mut state, 100, 30, &theme::fallback(), true);
    let underlined = buffer.content.iter().filter(|cell| cell.modifier.contains(Modifier::UNDERLINED)).count();
    assert!(underlined >= 3 + 3, "the filter's own text and the name: {underlined}");
}

#[test]
fn the_cursor_is_on_the_focused_row_or_in_the_field() {
    let mut state = sample_state();
    press(&mut state, "down down");
    let (_, drawn) = painted(&mut state, 100, 30, &theme::fallback(), false);
    let expected = u16::try_from(state.tree.cursor - state.tree.top).unwrap_or_default() + drawn.areas.list.y;
    assert_eq!(drawn.cursor.map(|cursor| cursor.y), Some(expected));
    press(&mut state, "? abc");
    let (buffer, drawn) = painted(&mut state, 100, 30, &theme::fallback(), false);
    let Some(cursor) = drawn.cursor else { panic!("no cursor in the field") };
    assert_eq!(buffer[(cursor.x - 1, cursor.y)].symbol(), "c");
}

#[test]
fn a_released_key_does_nothing() {
    let mut state = sample_state();
    let keymap = Keymap::default();
    let mut release = KeyEvent::new(KeyCode::Char(' '), KeyModifiers::NONE);
    release.kind = KeyEventKind::Release;
    assert!(input::key(&release, &state, &keymap, &mut Pending::default()).is_none());
    press(&mut state, "down space");
    assert_eq!(state.draft.len(), 1);
}

#[test]
fn a_key_that_does_not_continue_a_sequence_still_counts() {
    let mut state = sample_state();
    press(&mut state, "gj");
    let moved = state.tree.cursor;
    press(&mut state, "gg");
    assert_eq!((moved, state.tree.cursor), (2, 0));
}

#[test]
fn pasting_into_the_list_runs_no_keys() {
    let mut state = sample_state();
    assert!(input::paste("q u i t".into(), &state).is_none());
    press(&mut state, "/");
    let pasted = input::paste("we\nb".into(), &state);
    let Some(message) = pasted else { panic!("the filter takes text") };
    let _ = update::update(&mut state, message);
    assert_eq!(state.filter.text, "web", "a search line has no line breaks");
}

fn mouse(state: &mut State, drawn: &Drawn, kind: MouseEventKind, column: u16, row: u16) -> Vec<Effect> {
    let event = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
    match mouse::asked(&event, state, drawn, &mut false) {
        Some(Asked::Message(message)) => update::update(state, message),
        _ => Vec::new(),
    }
}

#[test]
fn a_click_on_a_box_switches_and_one_on_the_name_only_selects() {
    let mut state = sample_state();
    let (_, drawn) = painted(&mut state, 100, 30, &theme::fallback(), false);
    let left = MouseEventKind::Down(MouseButton::Left);
    let row = drawn.areas.list.y + 3;
    mouse(&mut state, &drawn, left, 12, row);
    assert_eq!((state.tree.cursor, state.draft.len()), (3, 0));
    mouse(&mut state, &drawn, left, 2, row);
    assert_eq!((state.tree.cursor, state.draft.len()), (3, 1));
}

#[test]
fn a_click_on_a_hint_runs_it() {
    let mut state = sample_state();
    let (_, drawn) = painted(&mut state, 100, 30, &theme::fallback(), false);
    let Some((area, _)) = drawn.hints.iter().find(|(_, action)| *action == crate::app::action::Action::Help) else {
        panic!("no hint for help")
    };
    mouse(&mut state, &drawn, MouseEventKind::Down(MouseButton::Left), area.x, area.y);
    assert!(matches!(state.modals.last(), Some(Modal::Picker(_))));
}

#[test]
fn the_mouse_outside_the_frame_means_nothing() {
    for script in SCREENS {
        let mut state = sample_state();
        press(&mut state, script);
        let (_, drawn) = painted(&mut state, 60, 20, &theme::fallback(), false);
        let (_, small) = painted(&mut state, 35, 7, &theme::fallback(), false);
        for drawn in [drawn, small] {
            for (column, row) in [(60, 5), (5, 20), (60, 20), (u16::MAX, u16::MAX), (35, 7), (59, 19)] {
                for kind in [
                    MouseEventKind::Down(MouseButton::Left),
                    MouseEventKind::ScrollDown,
                    MouseEventKind::ScrollUp,
                    MouseEventKind::Moved,
                    MouseEventKind::Drag(MouseButton::Left),
                ] {
                    let _ = mouse(&mut state, &drawn, kind, column, row);
                }
            }
        }
    }
}

#[test]
fn hostile_names_reach_no_cell_as_control_characters() {
    let mut state = crate::app::update::tests::state_of(
        "platform_toolsets:\n  cli: [web, \"evil\\e[31mred\\u202Ename\"]\nmcp_servers:\n  \"bad\\e]0;title\\a\": {command: x}\n",
    );
    for script in ["", "end", "space", "ctrl-s"] {
        press(&mut state, script);
        let (buffer, _) = painted(&mut state, 120, 40, &theme::fallback(), false);
        let bad = |letter: char| letter.is_control() || ('\u{202a}'..='\u{202e}').contains(&letter);
        assert!(buffer.content.iter().all(|cell| !cell.symbol().chars().any(bad)), "{script}");
    }
}

#[test]
fn the_screen_shows_the_reports_figures() {
    let mut state = sample_state();
    let shown = screen(&mut state, 140, 40);
    let totals = &state.derived.now.totals;
    for part in [figure::figure(totals.json_bytes), figure::figure(totals.tools)] {
        assert!(shown.contains(&part), "{part} is not on screen");
    }
}
