//! The review before a save: names, figures, consequences, and the exact text change.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use crate::app::derive;
use crate::app::review::{Change, DiffLine, Review};
use crate::app::state::State;
use crate::engine::meter::Figure;
use crate::engine::report::Totals;
use crate::engine::text::visible;
use crate::tui::figure;
use crate::tui::widget::{frame, line};

use super::{Look, detail};

pub(super) fn draw(
    buffer: &mut Buffer,
    state: &State,
    look: &Look<'_>,
    review: &Review,
    area: Rect,
) -> Option<Position> {
    let note = match (review.saving, state.place.sample) {
        (true, _) => "saving",
        (false, true) => "the sample is written nowhere; esc back",
        (false, false) => "enter saves, y copies the command, esc back",
    };
    let title = format!("Save to {}?", state.place.file);
    let inside = frame::draw(buffer, area, &title, note, look.theme, look.glyphs);
    let lines = lines(look, review, usize::from(inside.width));
    detail::draw_lines(buffer, inside, &lines, review.scroll, look);
    Some(Position::new(inside.x, inside.y))
}

fn lines(look: &Look<'_>, review: &Review, cols: usize) -> detail::Lines {
    let theme = look.theme;
    let mut lines: detail::Lines = Vec::new();
    for (word, names, style) in [("on ", &review.on, theme.on), ("off", &review.off, theme.trouble)] {
        if names.is_empty() {
            continue;
        }
        for (row, text) in line::wrap(&visible(&names.join(", ")), cols.saturating_sub(6)).into_iter().enumerate() {
            let word = if row == 0 { word } else { "   " };
            lines.push(vec![(format!(" {word}  "), style), (text, Style::new())]);
        }
    }
    lines.push(Vec::new());
    for change in &review.changes {
        lines.extend(change_lines(look, change));
    }
    if !review.consequences.is_empty() {
        lines.push(Vec::new());
        for text in &review.consequences {
            let wrapped = line::wrap(&visible(text), cols.saturating_sub(2));
            lines.extend(wrapped.into_iter().map(|text| vec![(format!(" {text}"), theme.warning)]));
        }
    }
    lines.push(Vec::new());
    lines.push(vec![(" Text".to_owned(), theme.heading)]);
    lines.extend(review.diff.iter().flat_map(|line| diff_line(look, line, cols)));
    lines
}

fn change_lines(look: &Look<'_>, change: &Change) -> detail::Lines {
    let theme = look.theme;
    let (before, after) = (&change.before, &change.after);
    let row = |unit: &str, old: Figure, new: Figure| {
        let delta = derive::delta(old, new);
        let style = match delta {
            Some((..=-1, _)) => theme.less,
            Some((1.., _)) => theme.more,
            _ => theme.figure,
        };
        let figures = format!("{:>10} -> {:>10}", figure::figure(old), figure::figure(new));
        vec![
            (format!("   {unit:<7}"), theme.dim),
            (figures, theme.figure),
            (format!("  {:>9}", figure::delta(delta)), style),
        ]
    };
    vec![
        vec![(format!(" {}", visible(change.platform.as_str())), theme.heading)],
        row("tools", before.tools, after.tools),
        row("tokens", tokens(before), tokens(after)),
        row("bytes", before.json_bytes, after.json_bytes),
    ]
}

fn tokens(totals: &Totals) -> Figure {
    if totals.tokens.value().is_some() { totals.tokens } else { totals.est_tokens }
}

/// One line of the change; a long one goes on below, so that nothing of what is written stays unseen.
fn diff_line(look: &Look<'_>, line: &DiffLine, cols: usize) -> detail::Lines {
    let theme = look.theme;
    let (mark, text, style) = match line {
        DiffLine::At(number) => return vec![vec![(format!(" @ line {number}"), theme.dim)]],
        DiffLine::Same(text) => (" ", text, theme.dim),
        DiffLine::Removed(text) => ("-", text, theme.removed),
        DiffLine::Added(text) => ("+", text, theme.added),
    };
    let pieces = line::broken(&visible(text), cols.saturating_sub(4));
    let piece = |(idx, text): (usize, String)| {
        let mark = if idx == 0 { mark } else { " " };
        vec![(format!(" {mark} {text}"), style)]
    };
    pieces.into_iter().enumerate().map(piece).collect()
}
