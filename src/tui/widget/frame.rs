//! The frame of a layer: cleared ground, border, title, a mark of how far one has scrolled.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use crate::tui::glyphs::Glyphs;
use crate::tui::theme::Theme;

use super::line;

/// Draws the frame and returns the room inside.
pub(crate) fn draw(buffer: &mut Buffer, area: Rect, title: &str, note: &str, theme: &Theme, glyphs: &Glyphs) -> Rect {
    let area = area.intersection(buffer.area);
    if area.width < 2 || area.height < 2 {
        Clear.render(area, buffer);
        return area;
    }
    Clear.render(area, buffer);
    buffer.set_style(area, theme.base);
    let [top_left, top_right, bottom_left, bottom_right] = glyphs.corners;
    let across = glyphs.horizontal.repeat(usize::from(area.width - 2));
    let row = |y: u16| Rect { y, height: 1, ..area };
    let edge = |left: &str, right: &str| [(format!("{left}{across}{right}"), theme.border)];
    line::draw(buffer, row(area.y), &edge(top_left, top_right));
    line::draw(buffer, row(area.bottom() - 1), &edge(bottom_left, bottom_right));
    for y in area.y + 1..area.bottom() - 1 {
        buffer.set_string(area.x, y, glyphs.vertical, theme.border);
        buffer.set_string(area.right() - 1, y, glyphs.vertical, theme.border);
    }
    let inside_line = |y: u16| Rect { x: area.x + 1, y, width: area.width - 2, height: 1 };
    if !title.is_empty() {
        line::draw(buffer, inside_line(area.y), &[(format!(" {title} "), theme.title)]);
    }
    if !note.is_empty() {
        let note = format!(" {note} ");
        let width = u16::try_from(line::width(&note)).unwrap_or(u16::MAX);
        if width + 2 < area.width {
            let at = Rect { x: area.right() - 1 - width, y: area.bottom() - 1, width, height: 1 };
            line::draw(buffer, at, &[(note, theme.dim)]);
        }
    }
    Rect { x: area.x + 1, y: area.y + 1, width: area.width - 2, height: area.height - 2 }
}
