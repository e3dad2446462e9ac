//! Edits collecting while a draft is planned: lists with what stays, goes and comes, and switches.
//!
//! Each place is opened once and changed by every wish that concerns it; what ends up as it began makes no operation.

use super::{NewValue, Op, Path};
use crate::engine::value::Value;

/// An item of a list being edited: where it stands in the file, if it does, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Item {
    original: Option<usize>,
    text: String,
}

/// A list being edited.
#[derive(Clone, Debug)]
pub(super) struct ListEdit {
    /// The file holds a real list, which is edited in place; anything else is replaced as a whole.
    in_place: bool,
    original_len: usize,
    items: Vec<Item>,
    /// Something was changed; decides whether a replacement is written.
    touched: bool,
}

impl ListEdit {
    /// Opens what the file holds. `reading` is what Hermes makes of a value that is no list.
    fn open(value: Option<&Value>, reading: Vec<String>) -> Self {
        let in_place = value.is_some_and(|value| value.as_seq().is_some());
        let texts = match value.and_then(Value::as_seq) {
            Some(items) => items.iter().map(|item| item.py_str().into_owned()).collect(),
            None => reading,
        };
        let items: Vec<Item> =
            texts.into_iter().enumerate().map(|(idx, text)| Item { original: in_place.then_some(idx), text }).collect();
        Self { in_place, original_len: items.len(), items, touched: false }
    }

    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.items.iter().map(|item| item.text.as_str())
    }

    pub(super) fn has(&self, text: &str) -> bool {
        self.texts().any(|known| known == text)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Writes it also where nothing goes or comes: an empty list in place of what is no list.
    pub(super) fn touch(&mut self) {
        self.touched = true;
    }

    /// Takes out every item the test holds for.
    pub(super) fn remove(&mut self, mut test: impl FnMut(&str) -> bool) -> bool {
        let before = self.items.len();
        self.items.retain(|item| !test(&item.text));
        self.touched |= self.items.len() != before;
        self.items.len() != before
    }

    /// Appends unless it is there.
    pub(super) fn add(&mut self, text: &str) {
        if !self.has(text) {
            self.items.push(Item { original: None, text: text.to_owned() });
            self.touched = true;
        }
    }

    /// Starts from these items instead of what a missing or unreadable value stood for.
    pub(super) fn replace_with(&mut self, texts: Vec<String>) {
        self.items = texts.into_iter().map(|text| Item { original: None, text }).collect();
        self.touched = true;
    }

    fn op(&self, path: &Path) -> Option<Op> {
        if !self.touched {
            return None;
        }
        if !self.in_place {
            return Some(Op::Set {
                path: path.clone(),
                value: NewValue::List(self.texts().map(str::to_owned).collect()),
            });
        }
        let kept: Vec<usize> = self.items.iter().filter_map(|item| item.original).collect();
        let remove: Vec<usize> = (0..self.original_len).filter(|idx| kept.binary_search(idx).is_err()).collect();
        let append: Vec<String> =
            self.items.iter().filter(|item| item.original.is_none()).map(|item| item.text.clone()).collect();
        (!remove.is_empty() || !append.is_empty()).then(|| Op::EditList { path: path.clone(), remove, append })
    }
}

/// Every place touched so far, in the order it was first touched.
#[derive(Clone, Debug)]
pub(super) struct Edits<'a> {
    config: &'a Value,
    /// Values to write; `None` takes the key out.
    values: Vec<(Path, Option<NewValue>)>,
    lists: Vec<(Path, ListEdit)>,
}

impl<'a> Edits<'a> {
    pub(super) fn new(config: &'a Value) -> Self {
        Self { config, values: Vec::new(), lists: Vec::new() }
    }

    /// The value in the file as loaded.
    pub(super) fn original(&self, path: &[&str]) -> Option<&'a Value> {
        self.config.at(path)
    }

    /// The list at a path, opened on first use. `reading` is what Hermes makes of a value that is no list.
    pub(super) fn list(&mut self, path: &[&str], reading: impl FnOnce() -> Vec<String>) -> &mut ListEdit {
        let idx = self.lists.iter().position(|(known, _)| known == path).unwrap_or_else(|| {
            self.lists.push((owned(path), ListEdit::open(self.config.at(path), reading())));
            self.lists.len() - 1
        });
        &mut self.lists[idx].1
    }

    pub(super) fn switch(&mut self, path: &[&str], on: bool) {
        self.set(path, NewValue::Bool(on));
    }

    pub(super) fn set(&mut self, path: &[&str], value: NewValue) {
        self.write(path, Some(value));
    }

    /// Takes a key out, if it is there.
    pub(super) fn remove(&mut self, path: &[&str]) {
        self.write(path, None);
    }

    fn write(&mut self, path: &[&str], value: Option<NewValue>) {
        match self.values.iter_mut().find(|(known, _)| known == path) {
            Some((_, wished)) => *wished = value,
            None => self.values.push((owned(path), value)),
        }
    }

    /// The smallest operations for what was changed.
    pub(super) fn ops(&self) -> Vec<Op> {
        let values = self.values.iter().map(|(path, value)| match value {
            Some(value) => Op::Set { path: path.clone(), value: value.clone() },
            None => Op::Remove { path: path.clone() },
        });
        values.chain(self.lists.iter().filter_map(|(path, list)| list.op(path))).collect()
    }

    /// The config as it stands with the edits so far.
    pub(super) fn value(&self) -> Value {
        super::apply(self.config, &self.ops())
    }
}

fn owned(path: &[&str]) -> Path {
    path.iter().map(|key| (*key).to_owned()).collect()
}
