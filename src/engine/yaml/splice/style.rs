//! The file's own habits, and new values written in them.

use crate::engine::plan::NewValue;

use super::super::lines;
use super::super::place::Entry;
use super::super::quote;
use super::super::token::ScalarStyle;
use super::super::tree::{Id, Kind};
use super::{Splicer, Written};

/// How a new list is written.
#[derive(Clone, Copy)]
enum ListStyle {
    Flow,
    /// Dashes this many columns right of the key.
    Block(usize),
}

impl Splicer<'_> {
    /// The indentation of one level: that of the first nested mapping, two where there is none.
    pub(super) fn unit(&self) -> usize {
        let block_maps = self.tree.nodes.iter().filter_map(|node| match &node.kind {
            Kind::Map { entries, flow: false } => Some(entries),
            _ => None,
        });
        for (key, value) in block_maps.flatten() {
            if let Kind::Map { flow: false, .. } = self.node(*value).kind {
                let (outer, inner) = (
                    lines::column(self.text, self.node(*key).outer),
                    lines::column(self.text, self.node(*value).span.start),
                );
                if inner > outer {
                    return inner - outer;
                }
            }
        }
        2
    }

    /// The column a block mapping's keys stand at, seen from one of its entries.
    pub(super) fn key_column(&self, entry: Entry) -> usize {
        self.column_of(entry.map)
    }

    pub(super) fn column_of(&self, map: Id) -> usize {
        let start = self.node(map).span.start;
        // An explicit key's mapping may be placed at the key itself; its column is the question mark's.
        let line = lines::line_start(self.text, start);
        let before = &self.text[line..start];
        match before.trim_end().strip_suffix('?') {
            Some(blanks) if blanks.chars().all(|c| c == ' ') => blanks.len(),
            _ => before.chars().count(),
        }
    }

    /// The list style of a sequence node that is an entry's value.
    fn style_of(&self, key: Id, value: Id) -> Option<ListStyle> {
        let node = self.node(value);
        match &node.kind {
            Kind::Seq { items, .. } if items.is_empty() => None,
            Kind::Seq { flow: true, .. } => Some(ListStyle::Flow),
            Kind::Seq { flow: false, .. } => {
                let (dash, key) =
                    (lines::column(self.text, node.span.start), lines::column(self.text, self.node(key).outer));
                Some(ListStyle::Block(dash.saturating_sub(key)))
            }
            _ => None,
        }
    }

    /// A new list's style: that of the value it replaces, of its siblings, of the file; records we keep for Hermes
    /// (`known_…`) go on one line where nothing else is customary.
    fn list_style(&self, map: Option<Id>, old: Option<Entry>, path: &[String]) -> ListStyle {
        if map.is_some_and(|map| self.is_flow(map)) {
            return ListStyle::Flow;
        }
        if let Some(style) = old.and_then(|entry| self.style_of(entry.key, entry.value)) {
            return style;
        }
        let entries_of = |id: Id| match &self.node(id).kind {
            Kind::Map { entries, .. } => entries.as_slice(),
            _ => &[],
        };
        let siblings = map.into_iter().flat_map(entries_of);
        if let Some(style) = siblings.filter_map(|(key, value)| self.style_of(*key, *value)).next_back() {
            return style;
        }
        if path.first().is_some_and(|name| name.starts_with("known_")) {
            return ListStyle::Flow;
        }
        let mut flow = false;
        for id in 0..self.tree.nodes.len() {
            if self.is_flow(id) {
                continue;
            }
            for (key, value) in entries_of(id) {
                match self.style_of(*key, *value) {
                    Some(ListStyle::Block(offset)) => return ListStyle::Block(offset),
                    Some(ListStyle::Flow) => flow = true,
                    None => {}
                }
            }
        }
        if flow { ListStyle::Flow } else { ListStyle::Block(2) }
    }

    pub(super) fn written_list(&self, entry: Entry, path: &[String], items: &[String]) -> Written {
        match self.list_style(Some(entry.map), Some(entry), path) {
            ListStyle::Block(offset) if !items.is_empty() => {
                Written::Lines(dashes(items, self.key_column(entry) + offset))
            }
            _ => Written::Inline(flow_list(items)),
        }
    }

    /// The path's remaining keys and the value on lines of their own, the first key at `column`.
    pub(super) fn block_entry(
        &self,
        map: Id,
        path: &[String],
        depth: usize,
        value: &NewValue,
        column: usize,
    ) -> Vec<String> {
        // Lists of a mapping that is not there yet take the habits of its would-be siblings: none.
        let holder = (depth + 1 == path.len()).then_some(map);
        self.nested(holder, path, depth, value, column)
    }

    pub(super) fn nested(
        &self,
        holder: Option<Id>,
        path: &[String],
        depth: usize,
        value: &NewValue,
        column: usize,
    ) -> Vec<String> {
        let unit = self.unit();
        let mut out: Vec<String> = Vec::new();
        let mut column = column;
        for (idx, key) in path.iter().enumerate().skip(depth) {
            let mut line = format!("{}{}:", " ".repeat(column), quote::scalar(key, ScalarStyle::Plain));
            if idx + 1 < path.len() {
                out.push(line);
                column += unit;
                continue;
            }
            match value {
                NewValue::List(items) => match self.list_style(holder, None, path) {
                    ListStyle::Block(offset) if !items.is_empty() => {
                        out.push(line);
                        out.extend(dashes(items, column + offset));
                        return out;
                    }
                    _ => line.push_str(&format!(" {}", flow_list(items))),
                },
                scalar => line.push_str(&format!(" {}", scalar.inline().unwrap_or_default())),
            }
            out.push(line);
        }
        out
    }

    /// The keys and the value as one flow mapping.
    pub(super) fn flow_entry(&self, keys: &[String], value: &NewValue) -> String {
        let inner = match value {
            NewValue::List(items) => flow_list(items),
            scalar => scalar.inline().unwrap_or_default(),
        };
        keys.iter().rev().fold(inner, |inner, key| format!("{{{}: {inner}}}", quote::scalar(key, ScalarStyle::Plain)))
    }

    /// The quoting the strings of a list share.
    pub(super) fn quoting(&self, items: &[Id]) -> ScalarStyle {
        let mut styles = items.iter().filter_map(|item| match self.node(*item).kind {
            Kind::Scalar { style, .. } => Some(style),
            _ => None,
        });
        match styles.next() {
            Some(first @ (ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted))
                if styles.all(|style| style == first) =>
            {
                first
            }
            _ => ScalarStyle::Plain,
        }
    }
}

fn dashes(items: &[String], column: usize) -> Vec<String> {
    let indent = " ".repeat(column);
    items.iter().map(|item| format!("{indent}- {}", quote::scalar(item, ScalarStyle::Plain))).collect()
}

fn flow_list(items: &[String]) -> String {
    let items: Vec<String> = items.iter().map(|item| quote::scalar(item, ScalarStyle::Plain)).collect();
    format!("[{}]", items.join(", "))
}
