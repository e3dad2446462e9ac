//! One line made of styled pieces, clipped by display width; foreign text is made harmless on the way in.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::engine::text::visible;

/// Columns a text takes.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// The text in at most `cols` columns, with a mark where something is missing.
pub(crate) fn clip(text: &str, cols: usize, mark: &str) -> String {
    if text.width() <= cols {
        return text.to_owned();
    }
    let room = cols.saturating_sub(mark.width());
    let mut clipped = String::new();
    let mut used = 0;
    for grapheme in text.graphemes(true) {
        used += grapheme.width();
        if used > room {
            break;
        }
        clipped.push_str(grapheme);
    }
    if mark.width() <= cols {
        clipped.push_str(mark);
    }
    clipped
}

/// Text on the right of `cols` columns.
pub(crate) fn right(text: &str, cols: usize) -> String {
    format!("{}{text}", " ".repeat(cols.saturating_sub(text.width())))
}

/// Text on the left of `cols` columns, clipped.
pub(crate) fn left(text: &str, cols: usize, mark: &str) -> String {
    let text = clip(text, cols, mark);
    let pad = cols.saturating_sub(text.width());
    format!("{text}{}", " ".repeat(pad))
}

/// Draws pieces one after the other from the left, ending at the area's edge; returns the column after the last.
pub(crate) fn draw(buffer: &mut Buffer, area: Rect, pieces: &[(String, Style)]) -> u16 {
    let area = area.intersection(buffer.area);
    let mut at = area.x;
    if area.height == 0 {
        return at;
    }
    for (text, style) in pieces {
        let room = usize::from(area.right().saturating_sub(at));
        if room == 0 {
            break;
        }
        at = buffer.set_stringn(at, area.y, visible(text), room, *style).0;
    }
    at
}

/// Words wrapped into lines of at most `cols` columns; longer words are broken.
pub(crate) fn wrap(text: &str, cols: usize) -> Vec<String> {
    let cols = cols.max(1);
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split_whitespace() {
        let mut push = |piece: &str, glue: bool| {
            let needed = piece.width() + usize::from(glue);
            if used > 0 && used + needed > cols {
                lines.push(String::new());
                used = 0;
            }
            if let Some(line) = lines.last_mut() {
                if glue && used > 0 {
                    line.push(' ');
                    used += 1;
                }
                line.push_str(piece);
                used += piece.width();
            }
        };
        if word.width() <= cols {
            push(word, true);
        } else {
            for grapheme in word.graphemes(true) {
                push(grapheme, false);
            }
        }
    }
    lines
}

/// The text cut into pieces of at most `cols` columns, blanks kept; at least one piece.
pub(crate) fn broken(text: &str, cols: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut used = 0;
    for grapheme in text.graphemes(true) {
        if used > 0 && used + grapheme.width() > cols {
            pieces.push(String::new());
            used = 0;
        }
        used += grapheme.width();
        if let Some(piece) = pieces.last_mut() {
            piece.push_str(grapheme);
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clipping_counts_columns_not_bytes() {
        assert_eq!(clip("日本語ツール", 7, "…"), "日本語…");
        assert_eq!(clip("abc", 3, "…"), "abc");
        assert_eq!(clip("abcd", 3, "…"), "ab…");
        assert_eq!(clip("abcd", 0, "…"), "");
    }

    #[test]
    fn wrapped_lines_fit_and_lose_nothing() {
        let text = "one two averyveryverylongword three";
        let lines = wrap(text, 8);
        assert!(lines.iter().all(|line| line.width() <= 8), "{lines:?}");
        let letters = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(letters(&lines.join("")), letters(text));
    }

    #[test]
    fn a_broken_text_keeps_every_letter_and_blank() {
        let pieces = broken("  - a long 日本 line", 6);
        assert_eq!(pieces.concat(), "  - a long 日本 line");
        assert!(pieces.iter().all(|piece| piece.width() <= 6), "{pieces:?}");
        assert_eq!(broken("", 0), [""]);
    }

    #[test]
    fn escapes_in_foreign_names_do_not_reach_the_screen() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 20, 1));
        draw(&mut buffer, Rect::new(0, 0, 20, 1), &[("a\u{1b}[31mb".to_owned(), Style::new())]);
        assert!(buffer.content.iter().all(|cell| !cell.symbol().contains('\u{1b}')));
    }
}
