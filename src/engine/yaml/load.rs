//! From the tree to the value a loader constructs: tags, merge keys, duplicate keys, and what it refuses.

use std::collections::HashMap;

use crate::engine::rules::Dialect;
use crate::engine::value::Value;

use super::lines::Lines;
use super::resolve::{self, Plain};
use super::token::ScalarStyle;
use super::tree::{Id, Kind, Tree};
use super::{LoadError, time};

/// How many values aliases and merges may repeat: more come from aliases of aliases only.
const MAX_VALUES: usize = 250_000;

const CORE: &str = "tag:yaml.org,2002:";

/// The value of the document, as `dialect`'s loader constructs it. An empty document is an empty mapping.
pub(super) fn load(text: &str, tree: &Tree, dialect: Dialect) -> Result<Value, LoadError> {
    let mut loader = Loader::new(text, tree, dialect);
    match tree.root.map(|root| loader.value(root)).transpose()? {
        None | Some(Value::Null) => Ok(Value::empty_map()),
        Some(value) => Ok(value),
    }
}

/// Characters that no loader's reader lets through.
pub(super) fn check_characters(text: &str) -> Result<(), LoadError> {
    let allowed = |c: char| {
        matches!(c, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}')
            || c >= '\u{10000}'
    };
    match text.char_indices().find(|(_, c)| !allowed(*c)) {
        None => Ok(()),
        Some((at, c)) => Err(LoadError {
            place: Lines::of(text).place(text, at),
            message: format!("character U+{:04X} is not allowed in YAML", u32::from(c)),
        }),
    }
}

/// A mapping's key, as its node's dialect reads it; for finding entries in the text.
pub(super) fn key(text: &str, tree: &Tree, dialect: Dialect, id: Id) -> Option<Value> {
    Loader::new(text, tree, dialect).key(id).ok().flatten()
}

/// The value of one node.
pub(super) fn value(text: &str, tree: &Tree, dialect: Dialect, id: Id) -> Result<Value, LoadError> {
    Loader::new(text, tree, dialect).value(id)
}

struct Loader<'a> {
    text: &'a str,
    tree: &'a Tree,
    dialect: Dialect,
    /// How many more values may be repeated.
    left: usize,
    /// How many aliases are being followed.
    aliases: usize,
}

/// A mapping under construction: Python's dict, in order, keys equal as Python compares them.
#[derive(Default)]
struct Dict {
    entries: Vec<(Value, Value)>,
    index: HashMap<String, usize>,
}

impl Dict {
    /// Inserts or replaces; true if the key was there.
    fn put(&mut self, key: Value, value: Value) -> bool {
        let name = identity(&key);
        if let Some(&at) = self.index.get(&name) {
            self.entries[at].1 = value;
            return true;
        }
        self.index.insert(name, self.entries.len());
        self.entries.push((key, value));
        false
    }
}

/// A text that is equal for keys Python holds equal: `1`, `1.0` and `True` are one key.
fn identity(key: &Value) -> String {
    match key {
        Value::Bool(value) => format!("#{}", i32::from(*value)),
        Value::Int(digits) => format!("#{digits}"),
        Value::Float(text) => format!("#{}", text.strip_suffix(".0").unwrap_or(text).replace("-0", "0")),
        Value::Null => "~".to_owned(),
        Value::Str(text) => format!("s{text}"),
        Value::Time(text) => format!("t{text}"),
        other => format!("c{other}"),
    }
}

impl<'a> Loader<'a> {
    fn new(text: &'a str, tree: &'a Tree, dialect: Dialect) -> Self {
        Self { text, tree, dialect, left: MAX_VALUES, aliases: 0 }
    }

    fn error(&self, at: usize, message: impl Into<String>) -> LoadError {
        LoadError { place: Lines::of(self.text).place(self.text, at), message: message.into() }
    }

    fn count(&mut self, at: usize) -> Result<(), LoadError> {
        match self.left.checked_sub(usize::from(self.aliases > 0)) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(self.error(at, format!("aliases stand for more than {MAX_VALUES} values"))),
        }
    }

    fn value(&mut self, id: Id) -> Result<Value, LoadError> {
        let tree = self.tree;
        let node = tree.node(id);
        self.count(node.outer)?;
        match &node.kind {
            Kind::Alias { target } => {
                self.aliases += 1;
                let value = self.value(*target);
                self.aliases -= 1;
                value
            }
            Kind::Scalar { text, style } => self.scalar(id, text, *style),
            Kind::Seq { items, .. } => match self.tag(id) {
                None | Some("seq") => {
                    items.iter().map(|item| self.value(*item)).collect::<Result<_, _>>().map(Value::Seq)
                }
                Some(tag @ ("omap" | "pairs")) => self.pairs(items, tag == "omap"),
                Some(_) => Err(self.unknown_tag(id)),
            },
            Kind::Map { .. } => match self.tag(id) {
                None | Some("map" | "set") => self.dict(id).map(|dict| Value::Map(dict.entries)),
                Some(_) => Err(self.unknown_tag(id)),
            },
        }
    }

    /// The core tag's short name, or the whole foreign tag. The non-specific `!` counts as none.
    fn tag(&self, id: Id) -> Option<&str> {
        let tag = self.tree.node(id).tag.as_deref()?;
        if tag == "!" { None } else { Some(tag.strip_prefix(CORE).unwrap_or(tag)) }
    }

    /// Without the tag: it may be a password that starts with `!`.
    fn unknown_tag(&self, id: Id) -> LoadError {
        self.error(self.tree.node(id).outer, "this tag means nothing to Hermes; quote text that starts with '!'")
    }

    fn scalar(&self, id: Id, text: &str, style: ScalarStyle) -> Result<Value, LoadError> {
        let at = self.tree.node(id).outer;
        let read = match self.tag(id) {
            // To libyaml a bare `!` on nothing is empty text; on anything else it changes nothing.
            None if text.is_empty() && self.tree.grammar.is_libyaml() && self.tree.node(id).tag.is_some() => {
                Ok(Value::Str(String::new()))
            }
            None if style == ScalarStyle::Plain || self.tree.node(id).tag.is_some() => {
                return match resolve::plain(text, self.tree.grammar).map_err(|message| self.error(at, message))? {
                    Plain::Value(value) => Ok(value),
                    Plain::Merge => Err(self.error(at, "'<<' stands where no merge can be")),
                    Plain::Equals => Err(self.error(at, "a bare '=' means nothing to Hermes; quote it")),
                };
            }
            None | Some("str") => Ok(Value::Str(text.to_owned())),
            Some("null") => Ok(Value::Null),
            Some("bool") => resolve::tagged_bool(text, self.tree.grammar),
            Some("int") => resolve::int(text, self.tree.grammar),
            Some("float") => resolve::float(text, self.tree.grammar),
            Some("timestamp") => time::parse(text, self.tree.grammar),
            Some("binary") => binary(text),
            Some(_) => return Err(self.unknown_tag(id)),
        };
        read.map_err(|message| self.error(at, message))
    }

    /// `!!omap` and `!!pairs`: a list of pairs; ruamel makes a mapping of the former.
    fn pairs(&mut self, items: &[Id], ordered: bool) -> Result<Value, LoadError> {
        let tree = self.tree;
        let mut dict = Dict::default();
        for item in items {
            let node = tree.node(tree.resolve(*item));
            let Kind::Map { entries, .. } = &node.kind else {
                return Err(self.error(node.outer, "expected a mapping of one entry"));
            };
            let [(key, value)] = entries.as_slice() else {
                return Err(self.error(node.outer, "expected a mapping of one entry"));
            };
            let pair = (self.value(*key)?, self.value(*value)?);
            dict.entries.push(pair);
        }
        if ordered && self.dialect == Dialect::Ruamel {
            return Ok(Value::Map(dict.entries));
        }
        Ok(Value::Seq(dict.entries.into_iter().map(|(key, value)| Value::Seq(vec![key, value])).collect()))
    }

    /// A key's value; `None` for the merge key.
    fn key(&mut self, id: Id) -> Result<Option<Value>, LoadError> {
        let tree = self.tree;
        let node = tree.node(tree.resolve(id));
        if let Kind::Scalar { text, style: ScalarStyle::Plain } = &node.kind {
            match (text.as_str(), self.tag(tree.resolve(id))) {
                ("<<", None) => return Ok(None),
                (_, Some("merge")) => return Ok(None),
                ("=", None) => return Ok(Some(Value::Str("=".to_owned()))),
                _ => {}
            }
        }
        let key = self.value(id)?;
        match (&key, self.dialect) {
            (Value::Map(_), _) | (Value::Seq(_), Dialect::PyYaml) => {
                Err(self.error(node.outer, format!("{} as a key", key.kind())))
            }
            (Value::Seq(items), _) if items.iter().any(|item| matches!(item, Value::Seq(_) | Value::Map(_))) => {
                Err(self.error(node.outer, "a nested list as a key"))
            }
            _ => Ok(Some(key)),
        }
    }

    /// A mapping with its merges: inherited entries come first, the last of several merged mappings first of all, and
    /// own entries replace them in place.
    fn dict(&mut self, id: Id) -> Result<Dict, LoadError> {
        let tree = self.tree;
        let Kind::Map { entries, .. } = &tree.node(id).kind else { return Ok(Dict::default()) };
        let mut own = Vec::with_capacity(entries.len());
        let mut merged: Vec<(Value, Value)> = Vec::new();
        for (key, value) in entries {
            match self.key(*key)? {
                Some(name) => own.push((*key, name, *value)),
                None => {
                    if self.dialect == Dialect::Ruamel && !merged.is_empty() {
                        return Err(self.error(tree.node(*key).outer, "two merge keys in one mapping"));
                    }
                    self.merge(*value, &mut merged)?;
                }
            }
        }
        // ruamel checks for equal keys only where nothing is merged.
        let unique = self.dialect == Dialect::Ruamel && merged.is_empty();
        let mut dict = Dict::default();
        for (key, value) in merged {
            dict.put(key, value);
        }
        for (key, name, value) in own {
            let value = self.value(value)?;
            if dict.put(name, value) && unique {
                let name = self.key(key)?;
                let first = entries
                    .iter()
                    .map(|(other, _)| *other)
                    .find(|other| self.key(*other).is_ok_and(|other| other == name));
                let line = Lines::of(self.text).place(self.text, tree.node(first.unwrap_or(key)).outer).line;
                let message = format!("this key stands on line {line} of the mapping already; keep one of the two");
                return Err(self.error(tree.node(key).outer, message));
            }
        }
        Ok(dict)
    }

    /// The entries a merge brings, appended in the order the loaders take them.
    fn merge(&mut self, id: Id, merged: &mut Vec<(Value, Value)>) -> Result<(), LoadError> {
        self.aliases += 1;
        let done = self.merge_from(id, merged);
        self.aliases -= 1;
        done
    }

    fn merge_from(&mut self, id: Id, merged: &mut Vec<(Value, Value)>) -> Result<(), LoadError> {
        let tree = self.tree;
        let source = tree.resolve(id);
        match &tree.node(source).kind {
            Kind::Map { .. } => {
                self.count(tree.node(id).outer)?;
                merged.extend(self.dict(source)?.entries);
                Ok(())
            }
            Kind::Seq { items, .. } => {
                for item in items.iter().rev() {
                    let source = tree.resolve(*item);
                    if !matches!(tree.node(source).kind, Kind::Map { .. }) {
                        return Err(self.error(tree.node(*item).outer, "only mappings can be merged"));
                    }
                    merged.extend(self.dict(source)?.entries);
                }
                Ok(())
            }
            _ => Err(self.error(tree.node(id).outer, "only a mapping or a list of mappings can be merged")),
        }
    }
}

/// `!!binary`, as Python prints the bytes: the value is only ever compared and shown by kind.
fn binary(text: &str) -> Result<Value, String> {
    if text.is_ascii() { Ok(Value::Str(text.to_owned())) } else { Err("binary data that is not ASCII".to_owned()) }
}
