//! Finding a path in the tree: the entry it names, or how far it goes.

use crate::engine::rules::Dialect;
use crate::engine::value::Value;

use super::load;
use super::tree::{Id, Kind, Tree};

/// One entry of a mapping.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) map: Id,
    pub(super) key: Id,
    pub(super) value: Id,
}

/// Where a path leads.
#[derive(Clone, Debug)]
pub(super) enum Target {
    /// The entry itself.
    Here(Entry),
    /// The mapping has no such key; `depth` keys of the path are there.
    Missing { map: Id, depth: usize },
    /// A merge brings the key into the mapping.
    Inherited { map: Id, depth: usize, value: Value },
    /// The entry's value is nothing; a mapping can stand there.
    Null { entry: Entry, depth: usize },
    /// The entry's value is an alias of a mapping.
    Alias { entry: Entry, depth: usize },
    /// The entry's value is something that has no keys.
    NoMapping { entry: Entry, depth: usize },
    /// The key stands twice in one mapping.
    Twice { first: Id, second: Id },
    /// The document is empty.
    NoRoot,
    /// The root is no mapping.
    OddRoot(Id),
}

/// A path followed.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    /// The entries passed on the way, outermost first; the target's own is not among them.
    pub(super) passed: Vec<Entry>,
    pub(super) target: Target,
}

pub(super) fn walk(text: &str, tree: &Tree, dialect: Dialect, path: &[String]) -> Walk {
    let mut passed = Vec::new();
    let Some(root) = tree.root.filter(|root| !tree.node(*root).is_absent()) else {
        return Walk { passed, target: Target::NoRoot };
    };
    let mut map = root;
    for (depth, name) in path.iter().enumerate() {
        let Kind::Map { entries, .. } = &tree.node(map).kind else {
            return Walk { passed, target: Target::OddRoot(root) };
        };
        let mut found = entries
            .iter()
            .filter(|(key, _)| load::key(text, tree, dialect, *key).is_some_and(|key| key.py_str() == name.as_str()));
        let target = match (found.next(), found.next()) {
            (Some(&(first, _)), Some(&(second, _))) => Target::Twice { first, second },
            (None, _) => match load::value(text, tree, dialect, map).ok().and_then(|value| value.get(name).cloned()) {
                Some(value) => Target::Inherited { map, depth, value },
                None => Target::Missing { map, depth },
            },
            (Some(&(key, value)), None) => {
                let entry = Entry { map, key, value };
                let node = tree.node(value);
                let is_map = |id: Id| matches!(tree.node(id).kind, Kind::Map { .. });
                if depth + 1 == path.len() {
                    Target::Here(entry)
                } else if is_map(value) {
                    passed.push(entry);
                    map = value;
                    continue;
                } else if is_map(tree.resolve(value)) {
                    Target::Alias { entry, depth: depth + 1 }
                } else if load::value(text, tree, dialect, value).is_ok_and(|value| value.is_null())
                    && !matches!(node.kind, Kind::Alias { .. })
                {
                    Target::Null { entry, depth: depth + 1 }
                } else {
                    Target::NoMapping { entry, depth: depth + 1 }
                }
            }
        };
        return Walk { passed, target };
    }
    Walk { passed, target: Target::OddRoot(root) }
}
