//! Columns for people, aligned by display width, so that names in any script line up.

use unicode_width::UnicodeWidthStr;

/// Which side of its column a cell leans on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lean {
    Left,
    Right,
}

/// Rows of cells. A cell may be painted afterwards: widths are of the bare text.
pub(super) struct Table {
    leans: Vec<Lean>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(leans: &[Lean]) -> Self {
        Self { leans: leans.to_vec(), rows: Vec::new() }
    }

    pub(super) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// The padded cells of every row.
    pub(super) fn padded(&self) -> Vec<Vec<String>> {
        let width = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.leans.len()).map(width).collect();
        self.rows
            .iter()
            .map(|row| {
                row.iter().zip(&self.leans).zip(&widths).map(|((cell, lean), width)| pad(cell, *lean, *width)).collect()
            })
            .collect()
    }

    /// The rows as lines, two spaces between columns.
    pub(super) fn lines(&self) -> Vec<String> {
        self.padded().into_iter().map(|row| row.join("  ").trim_end().to_owned()).collect()
    }
}

fn pad(cell: &str, lean: Lean, width: usize) -> String {
    let gap = " ".repeat(width.saturating_sub(cell.width()));
    match lean {
        Lean::Left => format!("{cell}{gap}"),
        Lean::Right => format!("{gap}{cell}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_names_line_up_with_narrow_ones() {
        let mut table = Table::new(&[Lean::Left, Lean::Right]);
        table.row(vec!["検索".into(), "7".into()]);
        table.row(vec!["web".into(), "1,204".into()]);
        assert_eq!(table.lines(), ["検索      7", "web   1,204"]);
    }
}
