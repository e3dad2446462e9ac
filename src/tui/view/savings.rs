//! What switching off each thing that is on would save, and why it may save nothing.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use crate::engine::report::ablate::{self, AblateRow, Outcome};
use crate::engine::text::visible;
use crate::tui::figure;
use crate::tui::widget::{frame, line};

use super::{Look, detail};

pub(super) fn draw(
    buffer: &mut Buffer,
    look: &Look<'_>,
    rows: Option<&[AblateRow]>,
    scroll: usize,
    area: Rect,
) -> Option<Position> {
    let title = "What switching one thing off would save";
    let inside = frame::draw(buffer, area, title, "esc back", look.theme, look.glyphs);
    let lines = match rows {
        None => vec![vec![(" working it out".to_owned(), look.theme.dim)]],
        Some(rows) => lines(look, rows, usize::from(inside.width)),
    };
    detail::draw_lines(buffer, inside, &lines, scroll, look);
    Some(Position::new(inside.x, inside.y))
}

/// Columns of the name and of each figure.
const NAME_COLS: usize = 18;
const NARROW_NAME_COLS: usize = 12;
const FIGURE_COLS: usize = 10;

fn lines(look: &Look<'_>, rows: &[AblateRow], cols: usize) -> detail::Lines {
    let theme = look.theme;
    // Without room for three figures the bytes go: tools and tokens say what matters.
    let narrow = cols < NAME_COLS + 3 * FIGURE_COLS + 1;
    let name_cols = if narrow { NARROW_NAME_COLS } else { NAME_COLS };
    let figures = |tools: &str, bytes: &str, tokens: &str| {
        let shown = if narrow { vec![tools, tokens] } else { vec![tools, bytes, tokens] };
        shown.into_iter().map(|figure| line::right(figure, FIGURE_COLS)).collect::<String>()
    };
    let head = format!(" {}{}", line::left("off alone", name_cols, ""), figures("tools", "bytes", "tokens"));
    let mut lines = vec![vec![(head, theme.dim)]];
    let left = NAME_COLS + 3 * FIGURE_COLS + 3;
    // Beside the figures where there is room, else below them.
    let beside = cols >= left + 30;
    for row in rows {
        let base = if row.outcome == Outcome::Nothing { theme.dim } else { Style::new() };
        let signed = |delta: Option<i64>| match delta {
            Some(0) => "0".to_owned(),
            delta => figure::delta(delta.map(|delta| (delta, row.delta.sure))),
        };
        let tokens = row.delta.tokens.or(row.delta.est_tokens);
        let figures = figures(&signed(row.delta.tools), &signed(row.delta.json_bytes), &signed(tokens));
        let mut first = vec![
            (format!(" {}", line::left(&visible(&row.name), name_cols, look.glyphs.more)), base),
            (figures, if row.outcome == Outcome::Nothing { theme.dim } else { theme.figure }),
        ];
        let indent = if beside { left } else { 3 };
        let mut why = line::wrap(&row.why, cols.saturating_sub(indent + 1)).into_iter();
        if beside && let Some(text) = why.next() {
            first.push((format!("  {text}"), theme.dim));
        }
        lines.push(first);
        lines.extend(why.map(|text| vec![(format!("{}{text}", " ".repeat(indent)), theme.dim)]));
    }
    if let Some(best) = ablate::best(rows) {
        lines.push(Vec::new());
        lines.push(vec![(format!(" Most is saved by {}.", visible(&best.name)), theme.heading)]);
    }
    lines
}
