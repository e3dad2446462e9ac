//! An array's bytes by the registry's toolset, as `hermes prompt-size` (0.20 and later) attributes them.

use std::collections::BTreeMap;

use crate::engine::assembly::Assembly;
use crate::engine::ids::ToolsetKey;

/// One toolset's part of an array. Its bytes leave out the framing, two bytes a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreakdownRow {
    pub toolset: ToolsetKey,
    pub tool_count: usize,
    pub json_bytes: u64,
}

/// The rows of an array, largest first, then by name.
pub fn breakdown(assembly: &Assembly) -> Vec<BreakdownRow> {
    let mut sums: BTreeMap<&ToolsetKey, (usize, u64)> = BTreeMap::new();
    for sent in &assembly.tools {
        let (tools, bytes) = sums.entry(&sent.toolset).or_default();
        *tools += 1;
        *bytes += sent.definition.text().len() as u64;
    }
    let mut rows: Vec<BreakdownRow> = sums
        .into_iter()
        .map(|(toolset, (tool_count, json_bytes))| BreakdownRow { toolset: toolset.clone(), tool_count, json_bytes })
        .collect();
    // Stable: equal sizes stay in name order.
    rows.sort_by_key(|row| std::cmp::Reverse(row.json_bytes));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::assembly::Sent;
    use crate::engine::catalog::{Definition, Surface};

    #[test]
    fn the_largest_comes_first_and_equals_go_by_name() {
        let sent = |name: &str, toolset: &str, json: &str| Sent {
            name: name.into(),
            toolset: toolset.into(),
            definition: Definition::from_json(json),
        };
        let assembly = Assembly {
            platform: "cli".into(),
            surface: Surface::Cli,
            tools: vec![
                sent("a", "web", "{}"),
                sent("b", "file", "[1]"),
                sent("c", "web", "1"),
                sent("d", "big", "[1, 2]"),
            ],
            absent: Vec::new(),
            tier: None,
            form: None,
            activated: false,
            context_tokens: None,
        };
        let rows: Vec<_> = breakdown(&assembly)
            .into_iter()
            .map(|row| (row.toolset.to_string(), row.tool_count, row.json_bytes))
            .collect();
        assert_eq!(rows, [("big".to_owned(), 1, 6), ("file".to_owned(), 1, 3), ("web".to_owned(), 2, 3)]);
    }
}
