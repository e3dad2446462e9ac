//! The settings of tool search with their live effect, the search lab, and advice.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use crate::app::action::Action;
use crate::app::derive::typed;
use crate::app::panes::{Lab, SettingsPane};
use crate::app::state::State;
use crate::engine::advice::Counsel;
use crate::engine::assembly::listing::Form;
use crate::engine::assembly::settings::Settings;
use crate::engine::draft::Target;
use crate::engine::findings;
use crate::engine::meter::grouped;
use crate::engine::plan;
use crate::engine::report::{PlatformReport, Severity, ToFull};
use crate::engine::setting::Setting;
use crate::engine::text::{visible, visible_lines};
use crate::tui::figure;
use crate::tui::keymap::Context;
use crate::tui::widget::{frame, line};

use super::{Look, detail};

/// Columns of a setting's key and of its value.
const KEY_COLS: usize = 22;
const VALUE_COLS: usize = 18;

pub(super) fn draw_settings(
    buffer: &mut Buffer,
    state: &State,
    look: &Look<'_>,
    pane: &SettingsPane,
    area: Rect,
) -> Option<Position> {
    let theme = look.theme;
    let inside = frame::draw(
        buffer,
        area,
        "Tool search settings",
        "enter types, delete resets, ctrl-s saves, esc",
        theme,
        look.glyphs,
    );
    if inside.height == 0 || inside.width == 0 {
        return None;
    }
    let cols = usize::from(inside.width);
    // The effect stands at the bottom, where it stays in sight; what is left belongs to the rows.
    let effect = effect(state, look, pane, cols);
    let effect_rows = u16::try_from(effect.len()).unwrap_or(0).min(inside.height.saturating_sub(3));
    let body = Rect { height: inside.height - effect_rows, ..inside };
    let (lines, cursor_row) = rows(state, look, pane, cols);
    let first = (cursor_row + 3).saturating_sub(usize::from(body.height)).min(cursor_row);
    let mut cursor = None;
    for (row, pieces) in lines.iter().enumerate().skip(first).take(usize::from(body.height)) {
        let Ok(offset) = u16::try_from(row - first) else { break };
        let at = Rect { y: body.y + offset, height: 1, ..body };
        let end = line::draw(buffer, at, pieces);
        if row == cursor_row {
            if pane.typed.is_none() {
                super::select_row(buffer, at, look);
                cursor = Some(Position::new(at.x, at.y));
            } else {
                cursor = Some(Position::new(end.min(at.right().saturating_sub(1)), at.y));
            }
        }
    }
    let below = Rect { y: body.bottom(), height: effect_rows, ..inside };
    for (offset, pieces) in (0..effect_rows).zip(&effect) {
        line::draw(buffer, Rect { y: below.y + offset, height: 1, ..below }, pieces);
    }
    cursor
}

/// The rows, and which of the lines has the cursor.
fn rows(state: &State, look: &Look<'_>, pane: &SettingsPane, cols: usize) -> (detail::Lines, usize) {
    let theme = look.theme;
    let (catalog, config) = (&state.catalog, &state.derived.planned);
    let settings = Settings::read(config, catalog.host());
    let default = Settings::default_of(&catalog.host().defaults);
    let mut found = findings::of_settings(config, catalog);
    found.extend(findings::of_disclosure(config, &state.derived.now.disclosure));
    let mut lines = detail::Lines::new();
    let mut cursor = 0;
    for (idx, setting) in Setting::ALL.into_iter().enumerate() {
        let selected = idx == pane.selected;
        let read = setting.is_read(catalog.rules());
        let written = !plan::state(config, catalog, &Target::Setting(setting, None));
        let unsaved =
            state.draft.wishes().any(|(target, _)| matches!(target, Target::Setting(own, _) if *own == setting));
        let mark = if unsaved { "*" } else { " " };
        let style = if read { Style::new() } else { theme.dim };
        let mut pieces =
            vec![(mark.to_owned(), theme.changed), (line::left(setting.key(), KEY_COLS, look.glyphs.more), style)];
        if selected {
            cursor = lines.len();
        }
        match pane.typed.as_ref().filter(|_| selected) {
            Some(typed) => {
                pieces.push(("> ".to_owned(), theme.key));
                pieces.push((visible(typed).into_owned(), Style::new()));
            }
            None => {
                let value = visible(&setting.shown(&settings)).into_owned();
                pieces.push((
                    line::left(&value, VALUE_COLS, look.glyphs.more),
                    if read { theme.figure } else { theme.dim },
                ));
                let from = match (read, written) {
                    (false, _) => "not read by this Hermes".to_owned(),
                    (true, true) => format!("by default {}", setting.shown(&default)),
                    (true, false) => "by default".to_owned(),
                };
                let left = cols.saturating_sub(KEY_COLS + VALUE_COLS + 2);
                pieces.push((line::clip(&format!(" {from}"), left, look.glyphs.more), theme.dim));
            }
        }
        lines.push(pieces);
        let place = setting.path().join(".");
        let odd = found.iter().filter(|finding| finding.place == place).map(|finding| finding.text.as_str());
        let odd: Vec<&str> = odd.chain(pane.problem.as_deref().filter(|_| selected)).collect();
        for text in odd {
            lines.extend(wrapped(text, cols, theme.warning));
        }
        if selected {
            let text = format!("{} Takes {}.", setting.meaning(catalog.rules()), setting.accepts());
            lines.extend(wrapped(&text, cols, theme.dim));
        }
    }
    let whole = found.iter().filter(|finding| !Setting::ALL.iter().any(|own| own.path().join(".") == finding.place));
    for finding in whole {
        lines.extend(wrapped(&format!("{}: {}", finding.place, finding.text), cols, theme.warning));
    }
    (lines, cursor)
}

fn wrapped(text: &str, cols: usize, style: Style) -> detail::Lines {
    line::wrap(text, cols.saturating_sub(4)).into_iter().map(|text| vec![(format!("   {text}"), style)]).collect()
}

/// What the settings make of this platform: tier, listing and its budget, totals, and the way to another form.
fn effect(state: &State, look: &Look<'_>, pane: &SettingsPane, cols: usize) -> detail::Lines {
    let theme = look.theme;
    let (saved, now) = (&state.derived.saved, &state.derived.now);
    let mut lines = vec![vec![(format!(" On {}:", state.platform_label()), theme.heading)]];
    let mut say = |text: String, style: Style| lines.extend(wrapped(&text, cols, style));
    let (was, is) = (saved.disclosure.in_words(), now.disclosure.in_words());
    say(if was == is { is } else { format!("{is} (saved: {was})") }, Style::new());
    let totals = |report: &PlatformReport| {
        format!("{} tools, {} B", figure::figure(report.totals.tools), figure::figure(report.totals.json_bytes))
    };
    let (was, is) = (totals(saved), totals(now));
    say(if was == is { format!("sent: {is}") } else { format!("sent: {is} (saved: {was})") }, Style::new());
    match &pane.to_full {
        None | Some(ToFull::IsFull | ToFull::NothingListed) => {}
        Some(ToFull::Set(wishes)) => {
            let wishes: Vec<String> =
                wishes.iter().map(|(setting, value)| format!("{} {}", setting.key(), typed(value))).collect();
            say(format!("back to a full listing: set {}", wishes.join(", ")), theme.warning);
        }
        Some(ToFull::TooLong(tokens)) => {
            let text = format!("a full listing takes ~{} tokens, more than any setting allows here", grouped(*tokens));
            say(text, theme.warning);
        }
    }
    // Where the next form is the full one, what leads to it has been said.
    if let Some(step) = pane.larger.filter(|step| step.form != Form::Full) {
        let text = format!("a budget of {} tokens more would list: {}", grouped(step.tokens), step.form.as_str());
        say(text, theme.warning);
    }
    // The lines for them are below this layer.
    if let Some(notice) = state.notices.shown().last() {
        say(notice.text.clone(), theme.info);
    }
    lines
}

pub(super) fn draw_lab(buffer: &mut Buffer, state: &State, look: &Look<'_>, lab: &Lab, area: Rect) -> Option<Position> {
    let theme = look.theme;
    let title = format!("What the model would find on {}", state.platform_label());
    let inside = frame::draw(buffer, area, &title, "enter describes, esc", theme, look.glyphs);
    if inside.height == 0 || inside.width == 0 {
        return None;
    }
    let cols = usize::from(inside.width);
    let field = Rect { height: 1, ..inside };
    let end =
        line::draw(buffer, field, &[(" > ".to_owned(), theme.key), (visible(&lab.query).into_owned(), Style::new())]);
    if lab.query.is_empty() {
        let hint = Rect { x: end, width: field.right().saturating_sub(end), ..field };
        line::draw(buffer, hint, &[("a few words, as the model would send them".to_owned(), theme.dim)]);
    }
    let cursor = Position::new(end.min(inside.right().saturating_sub(1)), field.y);
    let body = Rect { y: inside.y + 1, height: inside.height - 1, ..inside };
    let (lines, selected) = found(look, lab, cols);
    let first = (selected + 1).saturating_sub(usize::from(body.height).saturating_sub(2).max(1));
    for (row, pieces) in lines.iter().skip(first).take(usize::from(body.height)).enumerate() {
        let Ok(offset) = u16::try_from(row) else { break };
        let at = Rect { y: body.y + offset, height: 1, ..body };
        line::draw(buffer, at, pieces);
        if lab.rows() > 0 && row + first == selected {
            super::select_row(buffer, at, look);
        }
    }
    Some(cursor)
}

/// The lines below the field, and which of them is selected.
fn found(look: &Look<'_>, lab: &Lab, cols: usize) -> (detail::Lines, usize) {
    let theme = look.theme;
    let mut lines = detail::Lines::new();
    if let Some(direct) = &lab.disclosure.direct {
        let text = format!("There is no bridge here: {direct}. This is what it would answer.");
        lines.extend(wrapped(&text, cols, theme.warning));
    }
    let Some(explanation) = &lab.explanation else {
        let text = format!("{} tools stand behind the bridge.", grouped(lab.index.entries().len() as u64));
        lines.extend(wrapped(&text, cols, theme.dim));
        return (lines, 0);
    };
    let found = explanation.admitted.min(lab.limit);
    let gate = explanation.gate.map(|gate| &explanation.words[gate]);
    let rarest = gate.map_or_else(String::new, |word| match word.tools {
        0 => format!("; no tool has '{}'", visible(&word.word)),
        tools => format!("; a tool must have '{}', which {} have", visible(&word.word), grouped(tools.into())),
    });
    lines.extend(wrapped(&format!("{found} found, limit {}{rarest}", lab.limit), cols, theme.heading));
    let mut selected = 0;
    for place in 0..lab.rows() {
        let Some((name, rank, why)) = lab.row(place) else { break };
        if place == lab.selected {
            selected = lines.len();
        }
        let style = if rank.is_some() { Style::new() } else { theme.dim };
        let rank = rank.map_or_else(|| "-".to_owned(), |rank| rank.to_string());
        // Where one of both must go, a name says more than why it was found.
        let name_cols = if cols < 60 { cols.saturating_sub(6) } else { (cols / 2).min(44) };
        let left = cols.saturating_sub(name_cols + 6);
        lines.push(vec![
            (format!(" {} ", line::right(&rank, 3)), theme.figure),
            (line::left(&visible(name), name_cols, look.glyphs.more), style),
            (line::clip(&format!(" {}", visible(&why)), left, look.glyphs.more), theme.dim),
        ]);
        if let Some(described) = lab.described.as_ref().filter(|_| place == lab.selected) {
            let pretty = serde_json::from_str::<serde_json::Value>(described)
                .and_then(|value| serde_json::to_string_pretty(&value))
                .unwrap_or_else(|_| described.clone());
            for text in visible_lines(&pretty).lines() {
                let broken = line::broken(text, cols.saturating_sub(6));
                lines.extend(broken.into_iter().map(|text| vec![(format!("     {text}"), theme.dim)]));
            }
        }
    }
    (lines, selected)
}

pub(super) fn draw_advice(
    buffer: &mut Buffer,
    state: &State,
    look: &Look<'_>,
    counsel: &Counsel,
    scroll: usize,
    area: Rect,
) -> Option<Position> {
    let title = format!("Advice for {}", state.platform_label());
    let note = if counsel.nudge.is_some() { "y copies the line, esc" } else { "esc back" };
    let inside = frame::draw(buffer, area, &title, note, look.theme, look.glyphs);
    detail::draw_lines(buffer, inside, &advice(look, counsel, usize::from(inside.width)), scroll, look);
    Some(Position::new(inside.x, inside.y))
}

fn advice(look: &Look<'_>, counsel: &Counsel, cols: usize) -> detail::Lines {
    let theme = look.theme;
    let mut lines = detail::Lines::new();
    for advice in &counsel.advice {
        let style = match advice.severity {
            Severity::Note => Style::new(),
            Severity::Warning => theme.warning,
            Severity::Error => theme.error,
        };
        lines.extend(wrapped(&advice.text, cols, style));
        lines.extend(wrapped(&format!("from {}", advice.source), cols, theme.dim));
    }
    let tax = &counsel.tax;
    if let (Some(turn), Some(uncached), Some(cached)) = (tax.tokens_per_turn, tax.tokens_uncached, tax.tokens_cached) {
        lines.push(Vec::new());
        let text = format!(
            "Every turn pays {} tokens for the array: {} of 128K, {} of 1M. {} turns: {} tokens uncached, as much as {} with a cache that charges a tenth.",
            grouped(turn),
            tax.share_of_128k.as_deref().unwrap_or("-"),
            tax.share_of_1m.as_deref().unwrap_or("-"),
            grouped(tax.turns),
            grouped(uncached),
            grouped(cached)
        );
        lines.extend(wrapped(&text, cols, theme.heading));
    }
    if let Some(detour) = counsel.detour {
        let assumed = if detour.assumed { ", at an assumed speed" } else { "" };
        let text = format!(
            "A deferred tool costs {} round trips before its first call, ~{:.1} s of writing{assumed}.",
            detour.round_trips, detour.seconds
        );
        lines.extend(wrapped(&text, cols, Style::new()));
    }
    if let Some(nudge) = counsel.nudge {
        lines.push(Vec::new());
        lines.extend(wrapped("For the system prompt:", cols, theme.heading));
        lines.extend(wrapped(nudge, cols, Style::new()));
    }
    lines
}

/// The key that opens the settings, for views that name them.
pub(super) fn settings_key(look: &Look<'_>) -> String {
    look.keymap.keys_of(Action::Settings, Context::List).first().cloned().unwrap_or_default()
}
