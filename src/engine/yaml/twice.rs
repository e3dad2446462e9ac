//! Keys that stand twice in one mapping: what is written at the first is read by nobody.

use std::collections::HashMap;

use crate::engine::rules::Dialect;

use super::lines::Lines;
use super::load;
use super::tree::{Id, Kind, Tree};

/// A key and two of the places it stands at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Twice {
    /// Dotted, such as `mcp_servers.alpha`.
    pub path: String,
    /// One-based lines: the one that counts for nothing, and the one that counts.
    pub lines: (usize, usize),
}

/// Sections whose entries are looked at too, by how many levels of mappings below them.
const SECTIONS: [(&str, usize); 3] = [("platform_toolsets", 1), ("mcp_servers", 3), ("agent", 1)];

/// In file order. Elsewhere only the top level is looked at: names deeper down are none of ours to show.
pub(super) fn find(text: &str, tree: &Tree, dialect: Dialect) -> Vec<Twice> {
    let mut search = Search { text, tree, dialect, lines: Lines::of(text), found: Vec::new() };
    if let Some(root) = tree.root {
        search.mapping(root, "", 1);
    }
    search.found
}

struct Search<'a> {
    text: &'a str,
    tree: &'a Tree,
    dialect: Dialect,
    lines: Lines,
    found: Vec<Twice>,
}

impl Search<'_> {
    fn mapping(&mut self, id: Id, above: &str, levels: usize) {
        let Kind::Map { entries, .. } = &self.tree.node(id).kind else { return };
        let mut last: HashMap<String, Id> = HashMap::new();
        for (key, value) in entries {
            let Some(name) = load::key(self.text, self.tree, self.dialect, *key) else { continue };
            let name = name.py_str().into_owned();
            let path = if above.is_empty() { name.clone() } else { format!("{above}.{name}") };
            let below = if above.is_empty() {
                SECTIONS.iter().find(|(section, _)| *section == name).map_or(0, |(_, levels)| *levels)
            } else {
                levels - 1
            };
            if let Some(first) = last.insert(name, *key) {
                let line = |key: Id| self.lines.place(self.text, self.tree.node(key).outer).line;
                self.found.push(Twice { path: path.clone(), lines: (line(first), line(*key)) });
            }
            if below > 0 {
                self.mapping(*value, &path, below);
            }
        }
    }
}
