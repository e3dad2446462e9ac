//! The lines below: what is sent now, what the draft would change, notices, and the keys that work.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::action::Action;
use crate::app::derive::{self, Check};
use crate::app::notice::Severity;
use crate::app::state::State;
use crate::app::tree::Spot;
use crate::engine::meter::Figure;
use crate::tui::figure;
use crate::tui::keymap::Context;
use crate::tui::layout::Areas;
use crate::tui::widget::line;

use super::Look;

pub(super) fn draw(buffer: &mut Buffer, state: &State, look: &Look<'_>, areas: &Areas) -> Vec<(Rect, Action)> {
    if areas.rule.height > 0 {
        let rule = look.glyphs.horizontal.repeat(usize::from(areas.rule.width));
        line::draw(buffer, areas.rule, &[(rule, look.theme.border)]);
    }
    draw_kept(buffer, areas.sent, &sent_pieces(state, look));
    draw_kept(buffer, areas.draft, &draft_pieces(state, look));
    draw_notices(buffer, state, look, areas.notices);
    draw_hints(buffer, state, look, areas.hints)
}

/// Draws whole pieces as far as they fit: figures are dropped from the right, never cut.
fn draw_kept(buffer: &mut Buffer, area: Rect, pieces: &[(String, Style)]) {
    let mut room = usize::from(area.width);
    let kept: Vec<(String, Style)> = pieces
        .iter()
        .take_while(|(text, _)| {
            let fits = line::width(text) <= room;
            room = room.saturating_sub(line::width(text));
            fits
        })
        .cloned()
        .collect();
    line::draw(buffer, area, &kept);
}

fn tokens_of(totals: &crate::engine::report::Totals) -> Figure {
    if totals.tokens.value().is_some() { totals.tokens } else { totals.est_tokens }
}

fn sent_pieces(state: &State, look: &Look<'_>) -> Vec<(String, Style)> {
    let theme = look.theme;
    let totals = &state.derived.now.totals;
    let tokens = tokens_of(totals);
    let mut pieces = vec![
        (" sent  ".to_owned(), theme.heading),
        (format!("{:>3} tools", figure::figure(totals.tools)), theme.figure),
        (format!("  {:>8} tok", figure::figure(tokens)), theme.title),
        (format!("  {:>9} B", figure::figure(totals.json_bytes)), theme.figure),
    ];
    let share = state.context_tokens().and_then(|window| Some((derive::percent(tokens.value()?, window)?, window)));
    if let Some((share, window)) = share {
        pieces.push((format!("  {share:.1} % of {}", figure::window(window)), theme.figure));
    }
    let unknown = totals.servers_without_list.len();
    if unknown > 0 {
        let names: Vec<&str> = totals.servers_without_list.iter().take(2).map(|name| name.as_str()).collect();
        pieces.push((format!("  without {} (tools not known)", and_more(&names, unknown)), theme.warning));
    }
    if let Some(working) = state.working {
        pieces.push((format!("  {working}"), theme.dim));
    }
    pieces
}

fn and_more(names: &[&str], all: usize) -> String {
    let rest = all - names.len();
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    format!("{}{more}", names.join(", "))
}

fn draft_pieces(state: &State, look: &Look<'_>) -> Vec<(String, Style)> {
    let theme = look.theme;
    let (before, after) = (&state.derived.saved.totals, &state.derived.now.totals);
    let mut pieces = vec![(" draft ".to_owned(), theme.heading)];
    if state.draft.is_empty() {
        pieces.push(("nothing unsaved".to_owned(), theme.dim));
    } else {
        let tools = derive::delta(before.tools, after.tools);
        let bytes = derive::delta(before.json_bytes, after.json_bytes);
        let tokens = derive::delta(tokens_of(before), tokens_of(after));
        let color = |delta: Option<(i64, bool)>| match delta {
            Some((..=-1, _)) => theme.less,
            Some((1.., _)) => theme.more,
            _ => theme.figure,
        };
        pieces.push((format!("{} unsaved", state.draft.len()), theme.changed));
        pieces.push((format!("  {:>8} tok", figure::delta(tokens)), color(tokens)));
        pieces.push((format!("  {:>3} tools", figure::delta(tools)), color(tools)));
        pieces.push((format!("  {:>9} B", figure::delta(bytes)), color(bytes)));
        let base = tokens_of(before).value();
        if let (Some((change, _)), Some(base)) = (tokens, base)
            && let Some(share) = derive::percent(change.unsigned_abs(), base)
        {
            let sign = if change < 0 { '-' } else { '+' };
            pieces.push((format!("  {sign}{share:.1} % of saved"), color(tokens)));
        }
        let elsewhere = state.unsaved_by_platform().keys().filter(|key| **key != state.platform).count();
        if elsewhere > 0 {
            pieces.push((format!("   {elsewhere} other platforms have some"), theme.changed));
        }
    }
    if let Some(reason) = &state.read_only {
        pieces.push((format!("   read only: {reason}"), theme.warning));
    }
    let findings = state.derived.now.findings.len();
    if findings > 0 {
        let noun = if findings == 1 { "finding" } else { "findings" };
        pieces.push((format!("   {findings} {noun} about the file (see Toolsets)"), theme.warning));
    }
    pieces
}

fn draw_notices(buffer: &mut Buffer, state: &State, look: &Look<'_>, area: Rect) {
    let theme = look.theme;
    if state.interrupt_armed && area.height > 0 {
        let kept = if state.draft.is_empty() { "" } else { "; the unsaved switches are kept for next time" };
        line::draw(buffer, area, &[(format!(" Press ctrl-c again to quit{kept}."), theme.warning)]);
        return;
    }
    if !look.pending.is_empty() && area.height > 0 {
        let so_far: Vec<String> = look.pending.iter().map(ToString::to_string).collect();
        let next: Vec<String> = look
            .keymap
            .continuations(Context::of(state), look.pending)
            .into_iter()
            .map(|(keys, action)| format!("{keys} {}", action.title()))
            .collect();
        line::draw(buffer, area, &[(format!(" {} then: {}", so_far.join(" "), next.join(", ")), theme.dim)]);
        return;
    }
    let shown: Vec<_> = state.notices.shown().collect();
    let rows = usize::from(area.height);
    for (row, notice) in shown.iter().rev().take(rows).rev().enumerate() {
        let Ok(row) = u16::try_from(row) else { break };
        let (word, style) = match notice.severity {
            Severity::Info => ("", theme.info),
            Severity::Warning => ("! ", theme.warning),
            Severity::Error => ("error: ", theme.error),
        };
        let text = line::clip(&format!(" {word}{}", notice.text), usize::from(area.width), look.glyphs.more);
        line::draw(buffer, Rect { y: area.y + row, height: 1, ..area }, &[(text, style)]);
    }
}

/// The most useful keys here, mode first, dropped from the right; help is always the last.
fn hint_actions(state: &State) -> Vec<(Action, &'static str)> {
    if state.filter.typing {
        return vec![(Action::Confirm, "keep"), (Action::Back, "clear"), (Action::Down, "down"), (Action::Up, "up")];
    }
    let mut actions = Vec::new();
    match state.tree.spot() {
        Some(Spot::Toolset(_) | Spot::ServerTool(..) | Spot::NoMcp) => actions.push((Action::Toggle, "toggle")),
        Some(Spot::Server(idx)) => {
            actions.push((Action::Toggle, "toggle here"));
            actions.push((Action::ToggleEverywhere, "everywhere"));
            if Check::of_server(&state.derived.now.servers[idx]) == Check::Trouble {
                actions.push((Action::Probe, "ask it"));
            }
        }
        Some(Spot::Toolsets | Spot::Servers) => actions.push((Action::ToggleGroup, "toggle all shown")),
        _ => {}
    }
    if !state.draft.is_empty() {
        actions.push((Action::Review, "review and save"));
        actions.push((Action::Undo, "undo"));
    }
    actions.push((Action::Open, if state.viewport.detail_beside { "open" } else { "details" }));
    actions.push((Action::Filter, "filter"));
    actions.push((Action::NextPlatform, "next platform"));
    actions.push((Action::PickPlatform, "platforms"));
    actions.push((Action::Quit, "quit"));
    actions
}

fn draw_hints(buffer: &mut Buffer, state: &State, look: &Look<'_>, area: Rect) -> Vec<(Rect, Action)> {
    let theme = look.theme;
    let context = Context::of(state);
    let mut drawn = Vec::new();
    if area.height == 0 {
        return drawn;
    }
    let text = |action: Action, title: &str| {
        let keys = look.keymap.keys_of(action, context);
        keys.first().map(|key| (format!(" {key}"), format!(" {title} ")))
    };
    let help = text(Action::Help, "more").unwrap_or_else(|| (String::new(), String::new()));
    let help_width = line::width(&help.0) + line::width(&help.1);
    let mut at = area.x;
    let wanted = hint_actions(state).into_iter().filter_map(|(action, title)| Some((action, text(action, title)?)));
    for (action, (key, title)) in wanted.chain([(Action::Help, help)]) {
        let width = line::width(&key) + line::width(&title);
        let reserve = if action == Action::Help { 0 } else { help_width };
        if width == 0 || usize::from(area.right().saturating_sub(at)) < width + reserve {
            continue;
        }
        let spot = Rect { x: at, width: u16::try_from(width).unwrap_or(area.width), ..area };
        line::draw(buffer, spot, &[(key, theme.key), (title, theme.dim)]);
        drawn.push((spot, action));
        at = spot.right();
    }
    drawn
}
