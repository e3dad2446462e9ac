//! Lists: items taken out and appended, the others kept byte for byte.

use std::ops::Range;

use crate::engine::plan::NewValue;

use super::super::EditRefused;
use super::super::lines;
use super::super::place::Entry;
use super::super::quote;
use super::super::tree::{Id, Kind};
use super::{Splicer, Written};

impl Splicer<'_> {
    pub(super) fn edit_list(&mut self, entry: Entry, remove: &[usize], append: &[String]) -> Result<(), EditRefused> {
        let node = self.node(entry.value);
        let (items, flow) = match &node.kind {
            Kind::Seq { items, flow } => (items, *flow),
            Kind::Alias { .. } => {
                // The entry gets a list of its own in place of the alias; other users keep the shared one.
                let value = self.value(entry.value).unwrap_or(crate::engine::value::Value::Null);
                let NewValue::List(list) = self.own_list(node.outer, &value, remove, append)? else { return Ok(()) };
                let written = self.written_list(entry, &[], &list);
                return self.put(entry, written);
            }
            _ => {
                let kind = self.kind(entry.value);
                return Err(self.refuse(node.outer, format!("the value is {kind}, not a list")));
            }
        };
        self.note_sharing(entry.value);
        for idx in remove {
            if let Some(item) = items.get(*idx) {
                self.forget(*item)?;
            }
        }
        let habit = self.quoting(items);
        let new: Vec<String> = append.iter().map(|item| quote::scalar(item, habit)).collect();
        if flow {
            let ranges: Vec<_> = items.iter().map(|item| self.node(*item).outer..self.node(*item).span.end).collect();
            return self.cut_flow(entry.value, &ranges, remove, &new);
        }
        if new.is_empty() && (0..items.len()).all(|at| remove.contains(&at)) {
            return self.put(entry, Written::Inline("[]".into()));
        }
        self.edit_block(entry.value, items, remove, &new)
    }

    /// The positions of a block list's dashes.
    pub(super) fn dash_positions(&self, id: Id) -> Vec<usize> {
        let Kind::Seq { items, .. } = &self.node(id).kind else { return Vec::new() };
        let mut dash = self.node(id).span.start;
        items
            .iter()
            .map(|item| {
                let this = dash;
                dash = lines::skip_space(self.text, self.node(*item).span.end.max(this + 1));
                this
            })
            .collect()
    }

    fn edit_block(&mut self, list: Id, items: &[Id], remove: &[usize], new: &[String]) -> Result<(), EditRefused> {
        let dashes = self.dash_positions(list);
        let lines = self.children(list);
        for (idx, range) in lines.iter().enumerate() {
            if !remove.contains(&idx) {
                continue;
            }
            if !self.starts_line(dashes[idx]) {
                return Err(self.refuse(dashes[idx], "the item does not start its line".into()));
            }
            self.cuts.push((range.clone(), String::new()));
        }
        if new.is_empty() {
            return Ok(());
        }
        let (Some(dash), Some(last), Some(range)) = (dashes.last(), items.last(), lines.last()) else { return Ok(()) };
        let line = lines::line_start(self.text, *dash);
        let before = &self.text[line..*dash];
        let indent =
            if self.starts_line(*dash) { before.to_owned() } else { " ".repeat(lines::column(self.text, *dash)) };
        // As many blanks behind the dash as the last item has.
        let behind = &self.text[dash + 1..self.node(*last).outer.max(dash + 1)];
        let gap = if !behind.is_empty() && behind.chars().all(|c| c == ' ') { behind } else { " " };
        let new: Vec<String> = new.iter().map(|item| format!("{indent}-{gap}{item}")).collect();
        self.cuts.push((range.end..range.end, self.whole_lines(&new)));
        Ok(())
    }

    /// Takes elements out of a flow collection, with the commas between, and appends.
    pub(super) fn cut_flow(
        &mut self,
        id: Id,
        elements: &[Range<usize>],
        remove: &[usize],
        new: &[String],
    ) -> Result<(), EditRefused> {
        let removed = |at: usize| remove.contains(&at);
        let mut from = 0;
        while from < elements.len() {
            if !removed(from) {
                from += 1;
                continue;
            }
            let to = (from..elements.len()).take_while(|at| removed(*at)).last().unwrap_or(from);
            let range = match (elements.get(to + 1), from.checked_sub(1)) {
                (Some(next), _) => elements[from].start..next.start,
                (None, Some(before)) => elements[before].end..elements[to].end,
                // All of them: a comma behind the last one would stand alone.
                (None, None) => {
                    let behind = lines::skip_space(self.text, elements[to].end);
                    let comma = new.is_empty() && self.text[behind..].starts_with(',');
                    elements[from].start..if comma { behind + 1 } else { elements[to].end }
                }
            };
            if self.has_comment(&range, elements) {
                return Err(self.refuse(range.start, "a comment inside the brackets would be lost".into()));
            }
            self.cuts.push((range, String::new()));
            from = to + 1;
        }
        if new.is_empty() {
            return Ok(());
        }
        let all_gone = (0..elements.len()).all(removed);
        let Some(last) = elements.last() else {
            let at = self.node(id).span.start + 1;
            self.cuts.push((at..at, new.join(", ")));
            return Ok(());
        };
        let gap = self.flow_gap(elements, last);
        let joined = new.join(&format!(",{gap}"));
        let text = if all_gone { joined } else { format!(",{gap}{joined}") };
        self.cuts.push((last.end..last.end, text));
        Ok(())
    }

    /// What separates the elements: a blank, or the line end and indentation where each has its own line.
    fn flow_gap(&self, elements: &[Range<usize>], last: &Range<usize>) -> String {
        let line = lines::line_start(self.text, last.start);
        let own_line = elements.len() > 1 && self.starts_line(last.start);
        let rest = lines::line_of(self.text, last.end).trim_start_matches([',', ' ', '\t']);
        // With a comment behind the last element a new line would part the two.
        if own_line && !rest.starts_with('#') {
            format!("{}{}", self.ending, &self.text[line..last.start])
        } else {
            " ".to_owned()
        }
    }

    /// Whether a comment stands in the range, outside the elements themselves.
    fn has_comment(&self, range: &Range<usize>, elements: &[Range<usize>]) -> bool {
        let mut at = range.start;
        for element in elements.iter().filter(|element| element.start >= range.start && element.end <= range.end) {
            if self.text[at..element.start].contains('#') || self.text[element.clone()].contains(" #") {
                return true;
            }
            at = element.end;
        }
        self.text[at..range.end].contains('#')
    }
}
