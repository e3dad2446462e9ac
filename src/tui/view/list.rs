//! The tree: state, name, tools, fate, bytes, tokens, share. Reads as a sentence from left to right.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use crate::app::derive::{self, Check};
use crate::app::state::{Asked, State};
use crate::app::tree::{Row, RowId, Spot};
use crate::engine::assembly::Fate;
use crate::engine::filter::Filter;
use crate::engine::meter::Figure;
use crate::engine::report::{Meter, PlatformReport};
use crate::engine::server::probe::ProbeState;
use crate::tui::figure;
use crate::tui::glyphs;
use crate::tui::layout::Areas;
use crate::tui::widget::line;

use super::Look;

/// Widths of the columns right of the name; 0 where there is no room.
struct Columns {
    name: usize,
    tools: usize,
    fate: usize,
    bytes: usize,
    tokens: usize,
    saves: usize,
    bar: usize,
}

impl Columns {
    /// Name first, then tokens, bytes, tools, fate, savings, bar, as far as the room goes.
    fn of(cols: usize) -> Self {
        let mut columns = Self { name: 22, tools: 0, fate: 0, bytes: 0, tokens: 0, saves: 0, bar: 0 };
        // Mark, box, two spaces.
        let mut room = cols.saturating_sub(7 + columns.name.min(cols.saturating_sub(16)));
        let mut take = |wanted: usize| {
            let given = if room >= wanted { wanted } else { 0 };
            room -= given;
            given
        };
        columns.tokens = take(9);
        columns.fate = take(16);
        columns.bytes = take(10);
        columns.tools = take(7);
        columns.saves = take(9);
        columns.bar = take(10);
        let others = columns.tools + columns.fate + columns.bytes + columns.tokens + columns.saves + columns.bar;
        columns.name = cols.saturating_sub(7 + others);
        columns
    }
}

pub(super) fn draw(buffer: &mut Buffer, state: &State, look: &Look<'_>, areas: &Areas) -> Option<Position> {
    let area = areas.list;
    let columns = Columns::of(usize::from(area.width).saturating_sub(1));
    draw_heads(buffer, state, look, areas, &columns);
    let tree = &state.tree;
    if tree.rows.is_empty() {
        draw_empty(buffer, state, look, area);
        return None;
    }
    let mut filter = Filter::parse(&state.filter.text);
    let marked = tree.marked(&state.derived.now);
    for (offset, row) in tree.rows.iter().skip(tree.top).take(usize::from(area.height)).enumerate() {
        let Ok(offset) = u16::try_from(offset) else { break };
        let at = Rect { y: area.y + offset, height: 1, ..area };
        let is_marked = marked.as_ref().is_some_and(|marked| marked.contains(&(tree.top + usize::from(offset))));
        draw_row(buffer, state, look, at, (row, is_marked), &columns, &mut filter);
    }
    draw_thumb(buffer, state, look, area);
    let row = u16::try_from(tree.cursor.checked_sub(tree.top)?).ok().filter(|row| *row < area.height)?;
    let at = Rect { y: area.y + row, height: 1, width: area.width.saturating_sub(1), ..area };
    super::select_row(buffer, at, look);
    let spot = tree.spot()?;
    let indent = 2 * spot.depth().saturating_sub(1);
    Some(Position::new((area.x + 2 + u16::try_from(indent).unwrap_or(0)).min(area.right().saturating_sub(1)), at.y))
}

fn draw_heads(buffer: &mut Buffer, state: &State, look: &Look<'_>, areas: &Areas, columns: &Columns) {
    let theme = look.theme;
    let mut pieces = Vec::new();
    if state.filter.typing || !state.filter.text.is_empty() {
        let count = format!("  {} of {}", state.tree.shown, state.tree.total);
        let clear = if state.filter.typing { "  enter keeps, esc clears" } else { "  esc clears" };
        pieces.push((" / ".to_owned(), theme.key));
        pieces.push((state.filter.text.clone(), theme.matched));
        if state.filter.text.is_empty() {
            pieces.push(("letters, !word, is:on, server:x, >500".to_owned(), theme.dim));
        }
        pieces.push((count, theme.heading));
        pieces.push((clear.to_owned(), theme.dim));
    } else {
        let tokens = if state.counts.is_approximate() { "~tokens" } else { "tokens" };
        pieces.push((line::left("     name", columns.name + 7, ""), theme.heading));
        pieces.push((cell("tools", columns.tools), theme.heading));
        pieces.push((
            if columns.fate > 0 { line::left("  fate", columns.fate, "") } else { String::new() },
            theme.heading,
        ));
        pieces.push((cell("wire B", columns.bytes), theme.heading));
        pieces.push((cell(tokens, columns.tokens), theme.heading));
        pieces.push((cell("saves", columns.saves), theme.heading));
        pieces.push((cell("share", columns.bar.min(7)), theme.heading));
    }
    line::draw(buffer, areas.columns, &pieces);
}

fn draw_empty(buffer: &mut Buffer, state: &State, look: &Look<'_>, area: Rect) {
    let text = if state.filter.text.is_empty() {
        "Hermes reports no toolsets here. `hermes-tools doctor` says what it could not ask.".to_owned()
    } else {
        format!("Nothing matches '{}'. Esc clears the filter.", state.filter.text)
    };
    for (row, text) in line::wrap(&text, usize::from(area.width.saturating_sub(4))).into_iter().enumerate() {
        let Some(y) = u16::try_from(row).ok().map(|row| area.y + row).filter(|y| *y < area.bottom()) else { break };
        line::draw(
            buffer,
            Rect { x: area.x + 2, y, width: area.width.saturating_sub(2), height: 1 },
            &[(text, look.theme.dim)],
        );
    }
}

fn draw_thumb(buffer: &mut Buffer, state: &State, look: &Look<'_>, area: Rect) {
    let (all, height) = (state.tree.rows.len(), usize::from(area.height));
    if all <= height || height == 0 {
        return;
    }
    let size = (height * height / all).max(1);
    let from = state.tree.top * (height - size) / (all - height).max(1);
    for offset in from..(from + size).min(height) {
        if let Ok(offset) = u16::try_from(offset) {
            buffer.set_string(area.right() - 1, area.y + offset, look.glyphs.thumb, look.theme.border);
        }
    }
}

/// What a row says, gathered before it is laid out.
struct Facts {
    check: Check,
    fold: Option<bool>,
    name: String,
    /// Drawn after the name where there is room.
    label: String,
    tools: String,
    fate: String,
    meter: Option<Meter>,
    changed: bool,
    quiet: bool,
}

fn facts(state: &State, report: &PlatformReport, row: &Row) -> Facts {
    let saved = &state.derived.saved;
    let blank = Facts {
        check: Check::None,
        fold: None,
        name: String::new(),
        label: String::new(),
        tools: String::new(),
        fate: String::new(),
        meter: None,
        changed: false,
        quiet: false,
    };
    match row.spot {
        Spot::Toolsets => Facts {
            name: "Toolsets".into(),
            tools: format!("{}/{}", report.totals.toolsets_on, report.totals.toolsets),
            ..blank
        },
        Spot::Servers => Facts {
            name: "MCP servers".into(),
            tools: format!("{}/{}", report.totals.servers_on, report.totals.servers),
            ..blank
        },
        Spot::NoMcp => Facts {
            check: if state.derived.no_mcp { Check::On } else { Check::Off },
            name: "no_mcp".into(),
            label: "no MCP server here".into(),
            changed: state.derived.no_mcp
                != matches!(&saved.selection.saved, crate::engine::selection::Saved::List(items) if items.iter().any(|item| item == "no_mcp")),
            quiet: !state.derived.no_mcp,
            ..blank
        },
        Spot::Bridge => {
            let bridge = report.bridge.as_ref();
            Facts {
                name: "(bridge)".into(),
                label: "reaches deferred tools".into(),
                tools: bridge.map_or_else(String::new, |row| row.sent.to_string()),
                fate: "eager".into(),
                meter: bridge.map(|row| row.meter),
                ..blank
            }
        }
        Spot::Toolset(idx) => {
            let row = &report.toolsets[idx];
            let before = saved.toolsets.iter().find(|known| known.key == row.key);
            Facts {
                check: Check::of_toolset(row),
                fold: (!row.tools.is_empty()).then(|| state.tree.open.contains(&RowId::Toolset(row.key.clone()))),
                name: row.key.to_string(),
                label: derive::plain_label(&row.label).to_owned(),
                tools: count_text(row.on, row.sent, row.tools.len()),
                fate: derive::fate_of(&row.tools, row.on),
                meter: Some(row.meter),
                changed: before.is_none_or(|before| before.on != row.on),
                quiet: !row.on,
            }
        }
        Spot::Server(idx) => {
            let row = &report.servers[idx];
            let before = saved.servers.iter().find(|known| known.name == row.name);
            let known = row.list.is_some() || !row.tools.is_empty();
            Facts {
                check: Check::of_server(row),
                fold: (!row.tools.is_empty()).then(|| state.tree.open.contains(&RowId::Server(row.name.clone()))),
                name: row.name.to_string(),
                label: row.transport.as_str().into(),
                tools: if known { count_text(row.on, admitted(&row.tools), row.tools.len()) } else { "?".into() },
                fate: match (state.asked.get(&row.name), row.on, known, row.stale) {
                    (Some(Asked::Waiting), ..) => "being asked".into(),
                    (Some(Asked::Answered(probe)), _, false, _) => match &probe.state {
                        ProbeState::Failed { .. } => "asked, failed".into(),
                        ProbeState::NeedsLogin { .. } => "needs login".into(),
                        ProbeState::Ready(_) | ProbeState::Cancelled => "no tool list".into(),
                    },
                    (_, true, false, _) => "no tool list".into(),
                    (_, true, true, true) => format!("{}, old list", derive::fate_of(&row.tools, true)),
                    (_, on, _, _) => derive::fate_of(&row.tools, on),
                },
                meter: Some(row.meter),
                changed: before
                    .is_none_or(|before| before.on != row.on || admitted(&before.tools) != admitted(&row.tools)),
                quiet: !row.on,
            }
        }
        Spot::Tool(idx, tool) => {
            let owner = &report.toolsets[idx];
            tool_facts(blank, &owner.tools[tool], owner.on, false, false)
        }
        Spot::ServerTool(idx, tool) => {
            let owner = &report.servers[idx];
            let row = &owner.tools[tool];
            let before = saved.servers.get(idx).and_then(|owner| owner.tools.get(tool));
            let left_out = |fate: Fate| fate == Fate::Filtered;
            let changed =
                before.is_some_and(|before| before.name == row.name && left_out(before.fate) != left_out(row.fate));
            tool_facts(blank, row, owner.on, true, changed)
        }
    }
}

fn tool_facts(
    blank: Facts,
    row: &crate::engine::report::ToolRow,
    owner_on: bool,
    has_switch: bool,
    changed: bool,
) -> Facts {
    let on = !matches!(row.fate, Fate::Off | Fate::Filtered);
    Facts {
        check: match (has_switch, row.fate) {
            (false, _) => Check::None,
            (true, Fate::Filtered) => Check::Off,
            (true, Fate::Off) if !owner_on => Check::On,
            (true, _) if on => Check::On,
            (true, _) => Check::Off,
        },
        name: row.original_name.as_deref().unwrap_or(row.name.as_str()).to_owned(),
        fate: row.fate.as_str().into(),
        meter: Some(row.meter),
        quiet: !on || row.fate == Fate::Unavailable,
        changed,
        ..blank
    }
}

fn admitted(tools: &[crate::engine::report::ToolRow]) -> usize {
    tools.iter().filter(|tool| tool.fate != Fate::Filtered).count()
}

fn count_text(on: bool, sent: usize, all: usize) -> String {
    match (on, sent == all) {
        (false, _) => all.to_string(),
        (true, true) => all.to_string(),
        (true, false) => format!("{sent}/{all}"),
    }
}

fn draw_row(
    buffer: &mut Buffer,
    state: &State,
    look: &Look<'_>,
    area: Rect,
    (row, marked): (&Row, bool),
    columns: &Columns,
    filter: &mut Filter,
) {
    let theme = look.theme;
    let report = &state.derived.now;
    let facts = facts(state, report, row);
    let heading = row.spot.depth() == 0;
    let name_style = match (heading, facts.quiet || !row.hit && !heading) {
        (true, _) => theme.heading,
        (false, true) => theme.off,
        (false, false) => Style::new(),
    };
    let mark = match (marked, facts.changed) {
        (true, _) => look.glyphs.marked,
        (false, true) => "*",
        (false, false) => " ",
    };
    let fold = match facts.fold {
        Some(true) => look.glyphs.open,
        Some(false) => look.glyphs.closed,
        None => " ",
    };
    let indent = " ".repeat(2 * row.spot.depth().saturating_sub(1));
    let box_style = match facts.check {
        Check::On => theme.on,
        Check::Off | Check::None => theme.off,
        Check::Partial => theme.partial,
        Check::Trouble => theme.trouble,
    };
    let mut pieces = vec![(mark.to_owned(), theme.changed), (indent.clone(), Style::new())];
    let mut used = indent.len();
    if !heading {
        pieces.push((glyphs::check(facts.check).to_owned(), box_style));
        pieces.push((format!(" {fold} "), theme.dim));
        used += 6;
    }
    let room = (columns.name + 6).saturating_sub(used);
    let name = line::clip(&crate::engine::text::visible(&facts.name), room, look.glyphs.more);
    let name_width = line::width(&name);
    push_matched(&mut pieces, &name, name_style, look, if row.hit { Some(filter) } else { None });
    let left = room.saturating_sub(name_width);
    let label = crate::engine::text::visible(&facts.label).into_owned();
    let shows_label = left > 8 && !label.is_empty() && !label.eq_ignore_ascii_case(&facts.name);
    let label =
        if shows_label { format!("  {}", line::clip(&label, left - 3, look.glyphs.more)) } else { String::new() };
    pieces.push((line::left(&label, left, ""), theme.dim));
    pieces.push((
        cell(&facts.tools, columns.tools),
        if heading { theme.heading } else { theme.figure.patch(quiet(theme.off, facts.quiet)) },
    ));
    let fate_style = match facts.fate.as_str() {
        "unavailable" | "no tool list" => theme.trouble,
        _ if facts.quiet => theme.off,
        _ => theme.dim,
    };
    if columns.fate > 0 {
        pieces.push((line::left(&format!("  {}", facts.fate), columns.fate, look.glyphs.more), fate_style));
    }
    if let Some(meter) = facts.meter {
        let style = theme.figure.patch(quiet(theme.off, facts.quiet));
        // Off costs nothing: a dash, so that no cell is empty and no zero looks measured.
        let text =
            |figure: Figure| if facts.quiet && figure.value() == Some(0) { "-".into() } else { figure::figure(figure) };
        pieces.push((cell(&text(meter.wire_bytes), columns.bytes), style));
        let tokens = if meter.tokens.value().is_some() { meter.tokens } else { meter.est_tokens };
        pieces.push((cell(&text(tokens), columns.tokens), style));
        pieces.push((cell(&saves(state, report, row.spot), columns.saves), style));
        pieces.push((bar(state, &meter, columns.bar, look), theme.bar));
    }
    line::draw(buffer, Rect { width: area.width.saturating_sub(1), ..area }, &pieces);
}

/// Tokens that switching it off alone would save; nothing for what has no switch of its own.
fn saves(state: &State, report: &PlatformReport, spot: Spot) -> String {
    let row = match spot {
        Spot::Toolset(idx) => derive::saving(state, report.toolsets[idx].key.as_str(), false),
        Spot::Server(idx) => derive::saving(state, report.servers[idx].name.as_str(), true),
        _ => None,
    };
    let Some(row) = row else { return String::new() };
    match row.delta.tokens.or(row.delta.est_tokens) {
        Some(0) => "0".to_owned(),
        delta => figure::delta(delta.map(|delta| (delta, row.delta.sure))),
    }
}

fn quiet(off: Style, quiet: bool) -> Style {
    if quiet { off } else { Style::new() }
}

/// The name, the letters a filter matched set apart.
fn push_matched(
    pieces: &mut Vec<(String, Style)>,
    name: &str,
    style: Style,
    look: &Look<'_>,
    filter: Option<&mut Filter>,
) {
    let matched = filter.map(|filter| filter.positions(name)).unwrap_or_default();
    if matched.is_empty() {
        pieces.push((name.to_owned(), style));
        return;
    }
    for (idx, letter) in name.chars().enumerate() {
        let hit = u32::try_from(idx).is_ok_and(|idx| matched.binary_search(&idx).is_ok());
        pieces.push((letter.to_string(), if hit { style.patch(look.theme.matched) } else { style }));
    }
}

/// Share of everything sent, in bytes.
fn bar(state: &State, meter: &Meter, cols: usize, look: &Look<'_>) -> String {
    let total = state.derived.now.totals.json_bytes.value().unwrap_or(0);
    let room = cols.saturating_sub(2);
    let share = meter.wire_bytes.value().and_then(|bytes| derive::percent(bytes, total));
    let Some(share) = share.filter(|share| *share > 0.0 && room > 0) else { return String::new() };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a bar of at most a few cells"
    )]
    // Half the whole fills the bar: single rows hardly ever weigh more.
    let cells = ((share / 50.0 * room as f64).round() as usize).clamp(1, room);
    format!("  {}", look.glyphs.bar.repeat(cells))
}

/// Text on the right of a column; nothing where the column has no room.
fn cell(text: &str, cols: usize) -> String {
    if cols == 0 { String::new() } else { line::right(text, cols) }
}
