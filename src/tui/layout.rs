//! Size to rectangles, pure. Every rectangle lies inside the frame, whatever the size.

use ratatui::layout::Rect;

use crate::app::message::Viewport;

/// The least that can show a list; below it one line says so.
pub(super) const MIN_COLS: u16 = 30;
pub(super) const MIN_ROWS: u16 = 6;
/// From here the details stand beside the list.
const BESIDE_COLS: u16 = 80;
/// From here the hints, then the figures, have room.
const HINT_ROWS: u16 = 10;
const FIGURE_ROWS: u16 = 8;

/// The main screen's parts; empty where there is no room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Areas {
    pub frame: Rect,
    pub header: Rect,
    pub columns: Rect,
    pub list: Rect,
    /// The line between list and details.
    pub divider: Rect,
    pub detail: Rect,
    pub rule: Rect,
    pub sent: Rect,
    pub draft: Rect,
    pub notices: Rect,
    pub hints: Rect,
}

/// Lays the main screen out. `notices` is how many lines they want; `split` the list's share of the width in percent.
pub(super) fn areas(frame: Rect, notices: u16, split: u16) -> Areas {
    if is_too_small(frame) {
        return Areas { frame, ..Areas::default() };
    }
    let mut top = frame.y;
    let mut bottom = frame.bottom();
    let mut areas = Areas { frame, ..Areas::default() };
    let line = |y: u16| Rect { x: frame.x, y, width: frame.width, height: 1 };
    let mut from_top = || {
        top += 1;
        line(top - 1)
    };
    areas.header = from_top();
    if frame.height >= FIGURE_ROWS {
        areas.columns = from_top();
    }
    let mut from_bottom = |rows: u16| {
        bottom -= rows;
        Rect { x: frame.x, y: bottom, width: frame.width, height: rows }
    };
    if frame.height >= HINT_ROWS {
        areas.hints = from_bottom(1);
    }
    // A line of its own when there is room, so that the screen does not jump with each notice.
    let lines = if frame.height >= 16 { notices.clamp(1, 3) } else { notices.min(1) };
    areas.notices = from_bottom(lines);
    if frame.height >= FIGURE_ROWS {
        areas.draft = from_bottom(1);
        areas.sent = from_bottom(1);
    }
    if frame.height >= HINT_ROWS + 4 {
        areas.rule = from_bottom(1);
    }
    let body = Rect { x: frame.x, y: top, width: frame.width, height: bottom.saturating_sub(top) };
    if frame.width < BESIDE_COLS {
        areas.list = body;
        return areas;
    }
    let wanted = u32::from(frame.width) * u32::from(split) / 100;
    let list = u16::try_from(wanted).unwrap_or(frame.width).clamp(46, frame.width - 28);
    areas.list = Rect { width: list, ..body };
    areas.columns.width = areas.columns.width.min(list);
    // The details begin beside the column heads: they need none.
    let beside = Rect { y: frame.y + 1, height: bottom.saturating_sub(frame.y + 1), ..body };
    areas.divider = Rect { x: frame.x + list, width: 1, ..beside };
    areas.detail = Rect { x: frame.x + list + 2, width: frame.width.saturating_sub(list + 3), ..beside };
    areas
}

/// No room for a list.
pub(super) fn is_too_small(frame: Rect) -> bool {
    frame.width < MIN_COLS || frame.height < MIN_ROWS
}

/// The list's share of the width when nobody dragged the divider.
pub(super) fn default_split(cols: u16) -> u16 {
    match cols {
        0..110 => 58,
        110..160 => 62,
        _ => 58,
    }
}

/// What the state needs to know of the layout.
pub(super) fn viewport(areas: &Areas) -> Viewport {
    Viewport {
        list_rows: usize::from(areas.list.height),
        modal_rows: usize::from(layer(areas.frame, 76, areas.frame.height).height.saturating_sub(3)),
        detail_beside: areas.detail.width > 0,
    }
}

/// A layer in the middle: as large as wanted, at most the frame. Small frames are filled.
pub(super) fn layer(frame: Rect, cols: u16, rows: u16) -> Rect {
    let room = |all: u16, margin: u16| if all < 40 { all } else { all.saturating_sub(margin) };
    let width = cols.min(room(frame.width, 4));
    let height = rows.min(if frame.height < 16 { frame.height } else { frame.height - 2 });
    Rect {
        x: frame.x + (frame.width - width.min(frame.width)) / 2,
        y: frame.y + (frame.height - height.min(frame.height)) / 2,
        width: width.min(frame.width),
        height: height.min(frame.height),
    }
    .intersection(frame)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_lies_inside_every_frame() {
        for width in 0..=130 {
            for height in 0..=40 {
                let frame = Rect::new(0, 0, width, height);
                for notices in 0..=4 {
                    let areas = areas(frame, notices, default_split(width));
                    for part in [
                        areas.header,
                        areas.columns,
                        areas.list,
                        areas.divider,
                        areas.detail,
                        areas.rule,
                        areas.sent,
                        areas.draft,
                        areas.notices,
                        areas.hints,
                        layer(frame, 76, 30),
                    ] {
                        assert_eq!(part.intersection(frame), part, "{width}x{height}");
                    }
                    if !is_too_small(frame) {
                        assert!(areas.list.height >= 1 && areas.list.width >= 1, "{width}x{height}: no list");
                    }
                }
            }
        }
    }

    #[test]
    fn details_move_beside_the_list_at_80_columns() {
        let at = |width| viewport(&areas(Rect::new(0, 0, width, 24), 0, default_split(width))).detail_beside;
        assert_eq!([at(79), at(80)], [false, true]);
    }

    #[test]
    fn hints_go_before_figures_when_rows_run_out() {
        let at = |height| areas(Rect::new(0, 0, 80, height), 0, 58);
        assert!(at(12).hints.height == 1 && at(12).sent.height == 1);
        assert!(at(9).hints.height == 0 && at(9).sent.height == 1);
        assert!(at(7).sent.height == 0);
    }
}
