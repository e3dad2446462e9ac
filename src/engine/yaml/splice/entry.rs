//! Entries of mappings: added, given another value, removed.

use std::ops::Range;

use crate::engine::plan::NewValue;

use super::super::EditRefused;
use super::super::lines;
use super::super::place::Entry;
use super::super::tree::{Id, Kind};
use super::{Splicer, Written};

impl Splicer<'_> {
    /// Adds the keys of `path` from `depth` on to a mapping that lacks the first of them.
    pub(super) fn add_entry(
        &mut self,
        map: Id,
        path: &[String],
        depth: usize,
        value: &NewValue,
    ) -> Result<(), EditRefused> {
        let Kind::Map { entries, flow } = &self.node(map).kind else { return Ok(()) };
        if *flow {
            let whole = self.flow_entry(&path[depth..], value);
            let inner = whole.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(&whole).to_owned();
            let (at, new) = match entries.last() {
                None => (self.node(map).span.start + 1, inner),
                Some((key, value)) => {
                    let end = self.entry_end(*key, *value);
                    // `a:,` would read as a key named `a:`.
                    let gap = if self.text[..end].ends_with(':') { " " } else { "" };
                    (end, format!("{gap}, {inner}"))
                }
            };
            self.cuts.push((at..at, new));
            return Ok(());
        }
        let Some((key, last)) = entries.last() else { return Ok(()) };
        let column = self.column_of(map);
        let at = self.behind_comments(lines::next_line(self.text, self.entry_end(*key, *last)), column);
        let new = self.block_entry(map, path, depth, value, column);
        self.cuts.push((at..at, self.whole_lines(&new)));
        Ok(())
    }

    /// Adds the first entry of a document that has none.
    pub(super) fn add_root(&mut self, path: &[String], value: &NewValue) -> Result<(), EditRefused> {
        if self.tree.explicit_end || self.text.trim_end().ends_with("...") {
            let at = self.text.trim_end().len() - 3;
            return Err(self.refuse(at, "the empty document is closed by '...'".into()));
        }
        let new = self.nested(None, path, 0, value, 0);
        let at = self.text.len();
        self.cuts.push((at..at, self.whole_lines(&new)));
        Ok(())
    }

    /// Over comment lines that belong to what stands before: those indented deeper than `column`.
    fn behind_comments(&self, start: usize, column: usize) -> usize {
        let mut behind = start;
        let mut at = start;
        while at < self.text.len() {
            let line = lines::line_of(self.text, at);
            let blanks = line.len() - line.trim_start_matches(' ').len();
            let next = lines::next_line(self.text, at);
            if line[blanks..].starts_with('#') && blanks > column {
                behind = next;
            } else if !line.trim().is_empty() {
                break;
            }
            at = next;
        }
        behind
    }

    pub(super) fn entry_end(&self, key: Id, value: Id) -> usize {
        self.node(key).span.end.max(self.node(value).span.end)
    }

    /// Behind the colon of an entry; `None` where it is not written.
    fn colon_end(&self, entry: Entry) -> Option<usize> {
        let at = lines::skip_space(self.text, self.node(entry.key).span.end);
        self.text[at..].starts_with(':').then_some(at + 1)
    }

    /// Gives the entry another value.
    pub(super) fn put(&mut self, entry: Entry, written: Written) -> Result<(), EditRefused> {
        let node = self.node(entry.value);
        let key_end = self.node(entry.key).span.end;
        let Some(colon) = self.colon_end(entry) else {
            return match written {
                Written::Inline(new) if self.is_flow(entry.map) => {
                    self.cuts.push((key_end..key_end, format!(": {new}")));
                    Ok(())
                }
                _ => Err(self.refuse(self.node(entry.key).outer, "the key has no ':' behind it".into())),
            };
        };
        if node.is_block() {
            return self.put_over_block(entry, colon, written);
        }
        match written {
            Written::Inline(new) if node.is_absent() => self.cuts.push((colon..colon, format!(" {new}"))),
            Written::Inline(new) => self.cuts.push((node.outer..node.span.end, new)),
            Written::Lines(new) => {
                let end = node.span.end.max(colon);
                // The blanks before the old value go with it; what stands behind it, a comment, stays on the line.
                let start = if self.text[colon..node.outer.max(colon)].trim().is_empty() { colon } else { node.outer };
                if !node.is_absent() {
                    self.cuts.push((start..end, String::new()));
                }
                let at = lines::next_line(self.text, end);
                let new = self.whole_lines(&new);
                self.cuts.push((at..at, new));
            }
        }
        Ok(())
    }

    /// Replaces a block collection: the lines of its children go, comment lines between them stay.
    fn put_over_block(&mut self, entry: Entry, colon: usize, written: Written) -> Result<(), EditRefused> {
        let node = self.node(entry.value);
        if !self.starts_line(node.span.start) {
            return Err(self.refuse(node.outer, "the value starts on the line of its key".into()));
        }
        let first = lines::line_start(self.text, node.span.start);
        for range in self.children(entry.value) {
            self.cuts.push((range, String::new()));
        }
        // Properties on the key's line go too.
        let properties = self.text[node.outer..node.span.start].trim_end().len();
        let inline = match &written {
            Written::Inline(new) => new.as_str(),
            Written::Lines(_) => "",
        };
        if node.outer < first && properties > 0 {
            self.cuts
                .push((node.outer..lines::line_end(self.text, node.outer).min(node.outer + properties), inline.into()));
        } else if !inline.is_empty() {
            self.cuts.push((colon..colon, format!(" {inline}")));
        }
        if let Written::Lines(new) = written {
            let new = self.whole_lines(&new);
            self.cuts.push((first..first, new));
        }
        Ok(())
    }

    /// The whole lines of each child of a block collection.
    pub(super) fn children(&self, id: Id) -> Vec<Range<usize>> {
        match &self.node(id).kind {
            Kind::Seq { items, .. } => self
                .dash_positions(id)
                .into_iter()
                .zip(items)
                .map(|(dash, item)| self.lines_from(dash, self.node(*item).span.end.max(dash + 1)))
                .collect(),
            Kind::Map { entries, .. } => entries
                .iter()
                .map(|(key, value)| self.lines_from(self.node(*key).outer, self.entry_end(*key, *value)))
                .collect(),
            Kind::Scalar { .. } | Kind::Alias { .. } => Vec::new(),
        }
    }

    pub(super) fn lines_from(&self, start: usize, end: usize) -> Range<usize> {
        lines::line_start(self.text, start)..lines::next_line(self.text, end)
    }

    /// Takes an entry out; `parent` is the entry whose value the mapping is.
    pub(super) fn remove_entry(&mut self, entry: Entry, parent: Option<Entry>) -> Result<(), EditRefused> {
        self.forget(entry.key)?;
        self.forget(entry.value)?;
        let Kind::Map { entries, flow } = &self.node(entry.map).kind else { return Ok(()) };
        if *flow {
            let ranges: Vec<_> =
                entries.iter().map(|(key, value)| self.node(*key).outer..self.entry_end(*key, *value)).collect();
            let at = entries.iter().position(|(key, _)| *key == entry.key).unwrap_or_default();
            return self.cut_flow(entry.map, &ranges, &[at], &[]);
        }
        if let ([_], Some(parent)) = (entries.as_slice(), parent) {
            // A mapping without entries must be written, or the value would be nothing.
            return self.put(parent, Written::Inline("{}".into()));
        }
        let start = self.node(entry.key).outer;
        let line = lines::line_start(self.text, start);
        if !self.text[line..start].chars().all(|c| matches!(c, ' ' | '?')) {
            return Err(self.refuse(start, "the key does not start its line".into()));
        }
        self.cuts.push((self.lines_from(start, self.entry_end(entry.key, entry.value)), String::new()));
        Ok(())
    }
}
