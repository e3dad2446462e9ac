//! What the model sees: the array tool by tool, the listing of deferred tools, and its budget.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use crate::app::sheet::{Mark, Page, Sheet};
use crate::app::state::State;
use crate::engine::assembly::Fate;
use crate::engine::meter::grouped;
use crate::engine::pyjson;
use crate::engine::report::preview::PreviewRow;
use crate::engine::text::{visible, visible_lines};
use crate::tui::figure;
use crate::tui::widget::{frame, line};

use super::{Look, detail};

pub(super) fn draw(buffer: &mut Buffer, state: &State, look: &Look<'_>, sheet: &Sheet, area: Rect) -> Option<Position> {
    let pages: Vec<String> = Page::ALL
        .iter()
        .map(|page| if *page == sheet.page { format!("[{}]", page.title()) } else { page.title().to_owned() })
        .collect();
    let pages = pages.join(" ");
    // Which page it is must be seen before what the view is called.
    let title =
        if area.width < 64 { pages } else { format!("What the model sees on {}: {pages}", state.platform_label()) };
    let note = match sheet.page {
        Page::Array => "tab page, enter definition, y copy, esc",
        Page::Listing => "tab page, y copy, esc",
        Page::Budget => "tab page, esc",
    };
    let inside = frame::draw(buffer, area, &title, note, look.theme, look.glyphs);
    match sheet.page {
        Page::Array => return draw_array(buffer, state, look, sheet, inside),
        Page::Listing => {
            detail::draw_lines(buffer, inside, &listing(look, sheet, usize::from(inside.width)), sheet.scroll, look);
        }
        Page::Budget => {
            detail::draw_lines(buffer, inside, &budget(look, sheet, usize::from(inside.width)), sheet.scroll, look);
        }
    }
    Some(Position::new(inside.x, inside.y))
}

/// Columns after the name: fate, bytes, tokens.
const FATE_COLS: usize = 12;
const BYTES_COLS: usize = 10;
const TOKENS_COLS: usize = 9;

fn draw_array(buffer: &mut Buffer, state: &State, look: &Look<'_>, sheet: &Sheet, inside: Rect) -> Option<Position> {
    if inside.height == 0 || inside.width == 0 {
        return None;
    }
    let cols = usize::from(inside.width);
    let theme = look.theme;
    let totals = &state.derived.now.totals;
    let head = format!(
        " {} tools, {} B, {} tok",
        figure::figure(totals.tools),
        figure::figure(totals.json_bytes),
        figure::figure(if totals.tokens.value().is_some() { totals.tokens } else { totals.est_tokens })
    );
    line::draw(buffer, Rect { height: 1, ..inside }, &[(head, theme.heading)]);
    let body = Rect { y: inside.y + 1, height: inside.height - 1, ..inside };
    let mut cursor = None;
    let mut row = 0;
    for (idx, (mark, tool)) in sheet.rows.iter().enumerate().skip(sheet.first) {
        if row >= body.height {
            break;
        }
        let at = Rect { y: body.y + row, height: 1, ..body };
        line::draw(buffer, at, &pieces(look, *mark, tool, cols));
        row += 1;
        if idx != sheet.selected {
            continue;
        }
        super::select_row(buffer, at, look);
        cursor = Some(Position::new(at.x, at.y));
        if let (true, Some(definition)) = (sheet.open, &tool.definition) {
            for text in pyjson::indented(definition.text()) {
                for text in line::broken(&visible(&text), cols.saturating_sub(4)) {
                    if row >= body.height {
                        break;
                    }
                    let at = Rect { y: body.y + row, height: 1, ..body };
                    line::draw(buffer, at, &coloured(look, &text));
                    row += 1;
                }
            }
        }
    }
    cursor
}

fn pieces(look: &Look<'_>, mark: Mark, tool: &PreviewRow, cols: usize) -> Vec<(String, Style)> {
    let theme = look.theme;
    let (sign, style) = match mark {
        Mark::Same => (" ", Style::new()),
        Mark::New => ("+", theme.added),
        Mark::Gone => ("-", theme.removed),
        Mark::Changed => ("*", theme.warning),
    };
    let base = if tool.fate == Fate::Eager { style } else { theme.dim };
    let fate = if mark == Mark::Gone { "gone" } else { tool.fate.as_str() };
    let wide = cols >= 60;
    let right = FATE_COLS + TOKENS_COLS + if wide { BYTES_COLS } else { 0 } + 3;
    let name = line::left(&visible(&tool.name), cols.saturating_sub(right), look.glyphs.more);
    let tokens = if tool.meter.tokens.value().is_some() { tool.meter.tokens } else { tool.meter.est_tokens };
    let mut pieces = vec![
        (format!("{sign} "), style),
        (name, base),
        (format!(" {}", line::left(fate, FATE_COLS, look.glyphs.more)), base),
    ];
    if wide {
        pieces.push((line::right(&figure::figure(tool.meter.wire_bytes), BYTES_COLS), theme.figure));
    }
    pieces.push((line::right(&figure::figure(tokens), TOKENS_COLS), theme.figure));
    pieces
}

/// A line of JSON: keys set off from values.
fn coloured(look: &Look<'_>, text: &str) -> Vec<(String, Style)> {
    let start = text.len() - text.trim_start().len();
    let indent = (format!("    {}", &text[..start]), Style::new());
    let rest = &text[start..];
    match rest.find("\": ").filter(|_| rest.starts_with('"')) {
        Some(end) => {
            vec![indent, (rest[..=end].to_owned(), look.theme.key), (rest[end + 1..].to_owned(), Style::new())]
        }
        None => vec![indent, (rest.to_owned(), Style::new())],
    }
}

fn listing(look: &Look<'_>, sheet: &Sheet, cols: usize) -> detail::Lines {
    let text = &sheet.preview.listing.text;
    if text.is_empty() {
        let disclosure = &sheet.preview.listing.disclosure;
        let why = disclosure.direct.map_or_else(
            || "No listing: the deferred tools are only found by searching.".to_owned(),
            |direct| format!("No bridge: {direct}."),
        );
        return paragraph(&why, cols, Style::new());
    }
    let mut lines = paragraph("This stands in the description of tool_search, on every call:", cols, look.theme.dim);
    lines.push(Vec::new());
    for text in visible_lines(text).lines() {
        lines.extend(
            line::broken(text, cols.saturating_sub(2)).into_iter().map(|text| vec![(format!(" {text}"), Style::new())]),
        );
    }
    lines
}

fn paragraph(text: &str, cols: usize, style: Style) -> detail::Lines {
    line::wrap(text, cols.saturating_sub(2)).into_iter().map(|text| vec![(format!(" {text}"), style)]).collect()
}

fn budget(look: &Look<'_>, sheet: &Sheet, cols: usize) -> detail::Lines {
    let theme = look.theme;
    let preview = &sheet.preview;
    let disclosure = &preview.listing.disclosure;
    if let Some(direct) = disclosure.direct {
        return paragraph(&format!("No bridge: {direct}. Every tool is sent whole."), cols, Style::new());
    }
    let Some(limit) = disclosure.budget else {
        let text = format!("{} tools are deferred; this Hermes lists none of them.", grouped(disclosure.deferred));
        return paragraph(&text, cols, Style::new());
    };
    let used = disclosure.listing.extent.tokens();
    let tier = disclosure.tier.map_or_else(String::new, |tier| format!("Tier {tier}: "));
    let mut lines = paragraph(
        &format!(
            "{tier}{} tools are deferred, and listed as: {}.",
            grouped(disclosure.deferred),
            disclosure.listing.form.as_str()
        ),
        cols,
        theme.heading,
    );
    lines.extend(paragraph(
        &format!(
            "The listing takes ~{} of {} tokens: the smaller of listing_max_tokens ({}) and threshold_pct of the window ({}).",
            grouped(used),
            grouped(limit.tokens),
            grouped(limit.cap_leg),
            grouped(limit.pct_leg)
        ),
        cols,
        Style::new(),
    ));
    if let Some(step) = preview.larger {
        let text = format!(
            "To get the form {}: ~{} tokens fewer in the listing, or as many more in {} ({} in the list changes it).",
            step.form.as_str(),
            grouped(step.tokens),
            if limit.cap_leg <= limit.pct_leg { "listing_max_tokens" } else { "threshold_pct" },
            super::panes::settings_key(look)
        );
        lines.extend(paragraph(&text, cols, theme.warning));
    }
    if let Some(step) = preview.smaller {
        let text = format!("After ~{} tokens more it becomes {}.", grouped(step.tokens), step.form.as_str());
        lines.extend(paragraph(&text, cols, Style::new()));
    }
    lines.push(Vec::new());
    let head = format!("   {:<10}{:>14}{:>12}{:>12}", "form", "summed up", "~tokens", "bytes");
    lines.push(vec![(head, theme.dim)]);
    let chosen = preview.listing.ladder.iter().position(|rung| rung.fits);
    for (idx, rung) in preview.listing.ladder.iter().enumerate() {
        let mark = if chosen == Some(idx) { ">" } else { " " };
        let text = format!(
            " {mark} {:<10}{:>14}{:>12}{:>12}  {}",
            rung.form.as_str(),
            if rung.collapsed == 0 { String::new() } else { grouped(rung.collapsed as u64) },
            grouped(rung.extent.tokens()),
            grouped(rung.extent.bytes),
            if rung.fits { "fits" } else { "too long" }
        );
        let style = match (chosen == Some(idx), rung.fits) {
            (true, _) => theme.on,
            (false, true) => Style::new(),
            (false, false) => theme.dim,
        };
        lines.push(vec![(text, style)]);
    }
    lines
}
