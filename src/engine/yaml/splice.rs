//! One operation as cuts in the text: byte ranges and what replaces them. Everything else stays.
//!
//! The text always ends with a line end here; [`super::edit`] sees to that.

mod entry;
mod list;
mod style;

use std::ops::Range;

use crate::engine::plan::{NewValue, Op};
use crate::engine::rules::Dialect;
use crate::engine::value::Value;

use super::lines::{self, Lines};
use super::place::{self, Entry, Target};
use super::tree::{Id, Kind, Node, Tree};
use super::{EditRefused, load};

/// A new value as text: behind the colon, or on lines of its own.
enum Written {
    Inline(String),
    Lines(Vec<String>),
}

pub(super) struct Splicer<'a> {
    text: &'a str,
    tree: &'a Tree,
    dialect: Dialect,
    ending: &'a str,
    cuts: Vec<(Range<usize>, String)>,
    /// A node on the path that aliases elsewhere share: where it starts.
    pub(super) shared: Option<usize>,
}

impl<'a> Splicer<'a> {
    pub(super) fn new(text: &'a str, tree: &'a Tree, dialect: Dialect, ending: &'a str) -> Self {
        Self { text, tree, dialect, ending, cuts: Vec::new(), shared: None }
    }

    /// The text with the cuts made.
    pub(super) fn finish(mut self) -> String {
        self.cuts.sort_by_key(|(range, _)| (range.start, range.end));
        let mut out = String::with_capacity(self.text.len() + 64);
        let mut at = 0;
        for (range, new) in &self.cuts {
            // Cuts do not overlap; if they ever did, the re-reading would refuse the result.
            out.push_str(&self.text[at..range.start.max(at)]);
            out.push_str(new);
            at = range.end.max(at);
        }
        out.push_str(&self.text[at..]);
        out
    }

    pub(super) fn run(&mut self, op: &Op) -> Result<(), EditRefused> {
        if matches!(op, Op::EditList { remove, append, .. } if remove.is_empty() && append.is_empty()) {
            return Ok(());
        }
        let walk = place::walk(self.text, self.tree, self.dialect, op.path());
        for id in walk.passed.iter().map(|entry| entry.value).chain(self.tree.root) {
            self.note_sharing(id);
        }
        match (&walk.target, op) {
            (Target::Twice { first, second }, _) => {
                let line = self.line(self.node(*first).outer);
                let at = self.node(*second).outer;
                Err(self.refuse(at, format!("this key stands on line {line} already; keep one of the two")))
            }
            (Target::OddRoot(root), _) => {
                Err(self.refuse(self.node(*root).outer, "the file is no mapping of settings".into()))
            }
            (Target::Here(entry), Op::EditList { remove, append, .. }) => self.edit_list(*entry, remove, append),
            (Target::Here(entry), Op::Set { path, value }) => self.set(*entry, path, value),
            (Target::Here(entry), Op::Remove { .. }) => self.remove_entry(*entry, walk.passed.last().copied()),
            (Target::Inherited { map, depth, value }, Op::EditList { path, remove, append })
                if depth + 1 == path.len() =>
            {
                let at = self.node(*map).outer;
                let new = self.own_list(at, value, remove, append)?;
                self.add_entry(*map, path, *depth, &new)
            }
            (Target::Inherited { map, depth, .. }, Op::Set { path, value }) if depth + 1 == path.len() => {
                self.add_entry(*map, path, *depth, value)
            }
            (Target::Missing { map, depth }, Op::Set { path, value }) => self.add_entry(*map, path, *depth, value),
            (Target::NoRoot, Op::Set { path, value }) => self.add_root(path, value),
            (Target::Null { entry, depth }, Op::Set { path, value }) => {
                self.forget(entry.value)?;
                let written = if self.is_flow(entry.map) {
                    Written::Inline(self.flow_entry(&path[*depth..], value))
                } else {
                    let column = self.key_column(*entry) + self.unit();
                    Written::Lines(self.block_entry(entry.map, path, *depth, value, column))
                };
                self.put(*entry, written)
            }
            (Target::Alias { entry, depth }, Op::Set { path, value }) => {
                // The alias' user gets a mapping of its own that inherits the rest.
                self.shared = Some(self.node(entry.value).outer);
                let alias = &self.text[self.node(entry.value).span.clone()];
                let own = self.flow_entry(&path[*depth..], value);
                let merged = format!("{{<<: {alias}, {}", own.strip_prefix('{').unwrap_or(&own));
                self.cuts.push((self.node(entry.value).span.clone(), merged));
                Ok(())
            }
            (Target::Missing { .. } | Target::NoRoot | Target::Null { .. }, Op::Remove { .. }) => Ok(()),
            (Target::Inherited { map, .. }, _) => {
                Err(self.refuse(self.node(*map).outer, "the setting comes from another block through '<<'".into()))
            }
            (Target::Alias { entry, .. }, _) => {
                Err(self.refuse(self.node(entry.value).outer, "the block is shared through an alias".into()))
            }
            (Target::NoMapping { entry, depth }, Op::Set { path, .. }) => {
                let kind = self.kind(entry.value);
                let name = path[..*depth].join(".");
                Err(self.refuse(self.node(entry.key).outer, format!("'{name}' is {kind} where a mapping should be")))
            }
            (Target::NoMapping { .. }, Op::Remove { .. }) => Ok(()),
            (_, Op::EditList { .. }) => {
                let at = lines::root_start(self.text);
                Err(self.refuse(at, "there is no list to edit".into()))
            }
        }
    }

    /// `Set` on an entry that is there.
    fn set(&mut self, entry: Entry, path: &[String], new: &NewValue) -> Result<(), EditRefused> {
        self.forget(entry.value)?;
        let written = match new {
            NewValue::List(items) => self.written_list(entry, path, items),
            scalar => Written::Inline(scalar.inline().unwrap_or_default()),
        };
        self.put(entry, written)
    }

    /// The list of an inherited or aliased value with the edit, to be written out as the entry's own.
    fn own_list(&self, at: usize, value: &Value, remove: &[usize], append: &[String]) -> Result<NewValue, EditRefused> {
        let Value::Seq(items) = value else {
            return Err(self.refuse(at, format!("the setting is {}, not a list", value.kind())));
        };
        let kept = items.iter().enumerate().filter(|(at, _)| !remove.contains(at)).map(|(_, item)| match item {
            Value::Str(text) => Ok(text.clone()),
            other => {
                Err(self.refuse(at, format!("the shared list holds {}, which cannot be copied safely", other.kind())))
            }
        });
        let mut list = kept.collect::<Result<Vec<_>, _>>()?;
        list.extend(append.iter().cloned());
        Ok(NewValue::List(list))
    }

    /// Checks that the node can go: no anchor in it is used by what stays.
    fn forget(&self, id: Id) -> Result<(), EditRefused> {
        let inside = self.tree.descendants(id);
        for &gone in inside.iter().filter(|id| self.node(**id).anchored) {
            if let Some(user) = self.users(gone).find(|user| !inside.contains(user)) {
                let line = self.line(self.node(user).outer);
                return Err(
                    self.refuse(self.node(gone).outer, format!("line {line} refers to this block by its anchor"))
                );
            }
        }
        Ok(())
    }

    fn users(&self, target: Id) -> impl Iterator<Item = Id> {
        let tree = self.tree;
        (0..tree.nodes.len())
            .filter(move |id| matches!(tree.node(*id).kind, Kind::Alias { target: to } if to == target))
    }

    fn note_sharing(&mut self, id: Id) {
        if self.node(id).anchored && self.users(id).next().is_some() {
            self.shared.get_or_insert(self.node(id).outer);
        }
    }

    fn node(&self, id: Id) -> &'a Node {
        self.tree.node(id)
    }

    fn value(&self, id: Id) -> Option<Value> {
        load::value(self.text, self.tree, self.dialect, id).ok()
    }

    fn kind(&self, id: Id) -> &'static str {
        self.value(id).map_or("something unreadable", |value| value.kind())
    }

    fn is_flow(&self, id: Id) -> bool {
        matches!(self.node(id).kind, Kind::Map { flow: true, .. } | Kind::Seq { flow: true, .. })
    }

    fn line(&self, at: usize) -> usize {
        Lines::of(self.text).place(self.text, at).line
    }

    fn refuse(&self, at: usize, reason: String) -> EditRefused {
        EditRefused::Unsafe { place: Lines::of(self.text).place(self.text, at), reason }
    }

    /// Whether only blanks stand before `at` on its line.
    fn starts_line(&self, at: usize) -> bool {
        self.text[lines::line_start(self.text, at)..at].chars().all(|c| c == ' ')
    }

    fn whole_lines(&self, lines: &[String]) -> String {
        lines.iter().flat_map(|line| [line.as_str(), self.ending]).collect()
    }
}
