//! Property names that providers refuse, and what 0.22 sends instead.

use std::borrow::Cow;

use foldhash::{HashMap, HashSet};

use super::super::node::{Map, Node, unescaped};

/// Characters of the longest name.
const LONGEST: usize = 64;

/// From the refused names of one object to those sent, all as they are spelled between quotes.
#[derive(Default)]
pub(super) struct Renames<'a>(HashMap<Cow<'a, str>, String>);

impl<'a> Renames<'a> {
    /// The names an object's properties get: other characters become `_`, too long ones are cut, a name that is taken
    /// ends with a number. In the order of the properties.
    pub(super) fn of(schema: &Map<'a>) -> Self {
        let mut renames = HashMap::default();
        let Some(Node::Map(properties)) = schema.get("properties") else { return Self(renames) };
        let (fine, refused): (Vec<_>, Vec<_>) = properties.0.iter().map(|(key, _)| key).partition(|key| is_fine(key));
        if refused.is_empty() {
            return Self(renames);
        }
        let mut taken: HashSet<String> = fine.into_iter().map(|key| key.to_string()).collect();
        for key in refused {
            let base = allowed(&unescaped(key));
            let mut candidate = base.clone();
            let mut number = 2;
            while taken.contains(&candidate) {
                let ending = format!("_{number}");
                candidate = format!("{}{ending}", &base[..base.len().min(LONGEST - ending.len())]);
                number += 1;
            }
            taken.insert(candidate.clone());
            // It holds nothing that is spelled in another way.
            renames.insert(key.clone(), candidate);
        }
        Self(renames)
    }

    pub(super) fn key(&self, key: Cow<'a, str>) -> Cow<'a, str> {
        match self.0.get(&key) {
            Some(sent) => Cow::Owned(sent.clone()),
            None => key,
        }
    }

    /// The same for an entry of `required`, which may be anything.
    pub(super) fn name(&self, name: Node<'a>) -> Node<'a> {
        match name {
            Node::Text(key) => Node::Text(self.key(key)),
            other => other,
        }
    }
}

/// Providers take the name, by the pattern Hermes tests it with: a single line feed at the end passes.
fn is_fine(spelled: &str) -> bool {
    let name = spelled.strip_suffix("\\n").filter(|name| !name.ends_with('\\')).unwrap_or(spelled);
    (1..=LONGEST).contains(&name.len()) && name.bytes().all(is_allowed)
}

fn is_allowed(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')
}

fn allowed(name: &str) -> String {
    let letters = name.chars().map(|letter| match u8::try_from(letter) {
        Ok(byte) if is_allowed(byte) => letter,
        _ => '_',
    });
    let name: String = letters.take(LONGEST).collect();
    if name.is_empty() { "param".into() } else { name }
}
