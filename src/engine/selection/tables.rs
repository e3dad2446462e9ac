//! Toolsets as bit sets over their tools, built once for a catalog, so that resolving a config is a handful of word
//! operations. MCP tools are left out: they never decide which toolsets are on, and there may be 100,000 of them.

use std::collections::{HashMap, HashSet};

use crate::engine::catalog::{Catalog, Toolset, ToolsetKind};
use crate::engine::ids::{ToolName, ToolsetKey};

/// The names that stand for every toolset.
const ALL: [&str; 2] = ["all", "*"];

/// A set of tools, by their number in [`Tables::tools`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    fn insert(&mut self, bit: usize) {
        if self.0.len() <= bit / 64 {
            self.0.resize(bit / 64 + 1, 0);
        }
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub(crate) fn add(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }

    pub(crate) fn take_out(&mut self, other: &Self) {
        for (word, less) in self.0.iter_mut().zip(&other.0) {
            *word &= !less;
        }
    }

    pub(crate) fn within(&self, other: &Self) -> bool {
        self.0.iter().enumerate().all(|(idx, word)| word & !other.0.get(idx).copied().unwrap_or_default() == 0)
    }

    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(left, right)| left & right != 0)
    }

    pub(crate) fn common(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(left, right)| left & right).collect())
    }

    /// The members' numbers, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        self.0
            .iter()
            .enumerate()
            .flat_map(|(idx, word)| (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| idx * 64 + bit))
    }
}

/// One toolset of the catalog.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    /// Tools by definition: what decides whether a bundle covers it.
    pub(crate) by_definition: Bits,
    /// With what was registered at run time: what it brings.
    pub(crate) full: Bits,
    /// What denying it takes away.
    pub(crate) denied: Bits,
    /// Hermes accepts the name when it builds an array.
    pub(crate) valid: bool,
    /// Has a row in Hermes' own table of configurable toolsets (a plugin's has not).
    pub(crate) configurable: bool,
    /// Hermes counts its key among the plugins'.
    pub(crate) plugin: bool,
    /// Some platform's default bundle.
    pub(crate) platform_bundle: bool,
}

/// What [`super::select`] needs of a catalog.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    tools: Vec<ToolName>,
    /// In step with the catalog's toolsets.
    rows: Vec<Row>,
    legacy: HashMap<ToolsetKey, Bits>,
    all: Bits,
    /// Every tool of a configurable toolset.
    pub(crate) configurable_tools: Bits,
    platform_bundles: HashSet<ToolsetKey>,
    plugin_keys: Vec<ToolsetKey>,
}

impl Tables {
    pub(crate) fn new(catalog: &Catalog) -> Self {
        let document = catalog.document();
        let mut tables = Self {
            platform_bundles: document
                .platforms
                .iter()
                .filter(|platform| platform.builtin)
                .map(|platform| platform.default_toolset.clone())
                .collect(),
            plugin_keys: document.plugin_toolsets.clone(),
            ..Self::default()
        };
        for toolset in &document.toolsets {
            let plugin_row = toolset.kind == ToolsetKind::Plugin && toolset.configurable;
            if plugin_row && !tables.plugin_keys.contains(&toolset.key) {
                tables.plugin_keys.push(toolset.key.clone());
            }
        }
        tables.plugin_keys.sort();
        let mut numbers = HashMap::new();
        for toolset in &document.toolsets {
            let row = tables.row_of(toolset, &mut numbers);
            if row.valid && toolset.session_platforms.is_none() {
                tables.all.add(&row.full);
            }
            if row.configurable {
                tables.configurable_tools.add(&row.full);
            }
            tables.rows.push(row);
        }
        for (name, tools) in &document.legacy_toolsets {
            let bits = tables.bits(tools, &mut numbers);
            tables.legacy.insert(name.clone(), bits);
        }
        tables
    }

    fn row_of(&mut self, toolset: &Toolset, numbers: &mut HashMap<ToolName, usize>) -> Row {
        if toolset.kind == ToolsetKind::Mcp {
            return Row { valid: true, ..Row::default() };
        }
        Row {
            by_definition: self.bits(&toolset.static_tools, numbers),
            full: self.bits(&toolset.tools, numbers),
            denied: self.bits(&toolset.denied_tools, numbers),
            // A plugin platform's bundle is only worked out on the way, and refused as a name.
            valid: toolset.in_static_table || toolset.kind != ToolsetKind::Bundle,
            configurable: toolset.configurable && toolset.kind != ToolsetKind::Plugin,
            plugin: self.plugin_keys.contains(&toolset.key),
            platform_bundle: self.platform_bundles.contains(&toolset.key),
        }
    }

    fn bits(&mut self, tools: &[ToolName], numbers: &mut HashMap<ToolName, usize>) -> Bits {
        let mut bits = Bits::default();
        for tool in tools {
            let number = *numbers.entry(tool.clone()).or_insert_with(|| {
                self.tools.push(tool.clone());
                self.tools.len() - 1
            });
            bits.insert(number);
        }
        bits
    }

    /// The rows, in step with the catalog's toolsets.
    pub(crate) fn rows<'a>(&'a self, catalog: &'a Catalog) -> impl Iterator<Item = (&'a Toolset, &'a Row)> {
        catalog.document().toolsets.iter().zip(&self.rows)
    }

    pub(crate) fn row(&self, catalog: &Catalog, key: &str) -> Option<&Row> {
        catalog.toolset_index(key).map(|idx| &self.rows[idx])
    }

    /// What a name stands for in a list; nothing for an unknown one.
    pub(crate) fn resolve(&self, catalog: &Catalog, name: &str) -> Option<&Bits> {
        if ALL.contains(&name) {
            return Some(&self.all);
        }
        self.row(catalog, name).map(|row| &row.full)
    }

    /// What a name of the enabled set brings into an array.
    pub(crate) fn brought(&self, catalog: &Catalog, name: &str) -> Option<&Bits> {
        if ALL.contains(&name) {
            return Some(&self.all);
        }
        match self.row(catalog, name) {
            Some(row) if row.valid => Some(&row.full),
            _ => self.legacy.get(name),
        }
    }

    /// What a name of `agent.disabled_toolsets` takes out of an array; `None` where it means nothing.
    pub(crate) fn denied(&self, catalog: &Catalog, name: &str) -> Option<&Bits> {
        if ALL.contains(&name) {
            return Some(&self.all);
        }
        match self.row(catalog, name) {
            Some(row) if row.valid => Some(&row.denied),
            _ => self.legacy.get(name),
        }
    }

    /// Whether the name stands for tools under any of Hermes' readings.
    pub(crate) fn knows(&self, catalog: &Catalog, name: &str) -> bool {
        ALL.contains(&name) || self.row(catalog, name).is_some() || self.legacy.contains_key(name)
    }

    /// Whether the name takes MCP tools with it.
    pub(crate) fn is_all(name: &str) -> bool {
        ALL.contains(&name)
    }

    pub(crate) fn is_platform_bundle(&self, name: &str) -> bool {
        self.platform_bundles.contains(name)
    }

    pub(crate) fn is_plugin_key(&self, name: &str) -> bool {
        self.plugin_keys.binary_search_by(|key| key.as_str().cmp(name)).is_ok()
    }

    /// Sorted, as Hermes writes them under `known_plugin_toolsets`.
    pub(crate) fn plugin_keys(&self) -> &[ToolsetKey] {
        &self.plugin_keys
    }

    pub(crate) fn tool(&self, number: usize) -> &ToolName {
        &self.tools[number]
    }
}
