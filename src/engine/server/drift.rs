//! What changed between two lists of a server's tools, and what its filter names in vain.

use serde::Serialize;

use super::told::ToldTool;
use super::{Deciding, Server, glob};
use crate::engine::rules::Rules;
use crate::engine::text::visible;

/// Differences, by the server's own names, sanitised, in list order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Drift {
    pub appeared: Vec<String>,
    pub vanished: Vec<String>,
    /// Told again with another text.
    pub changed: Vec<String>,
    /// Entries of the deciding filter list that match no tool.
    pub dead_filters: Vec<String>,
}

impl Drift {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Compares a list with the last one, where there is one, and with the filter in the config.
    pub fn between(before: Option<&[ToldTool]>, now: &[ToldTool], server: Option<&Server>, rules: &Rules) -> Self {
        let mut drift = Self::default();
        if let Some(before) = before {
            let named = |tools: &[ToldTool], name: &str| tools.iter().any(|tool| tool.name == name);
            let shown = |tool: &ToldTool| visible(&tool.name).into_owned();
            for tool in now {
                if !named(before, &tool.name) {
                    drift.appeared.push(shown(tool));
                } else if !before.iter().any(|old| old == tool) {
                    drift.changed.push(shown(tool));
                }
            }
            drift.vanished = before.iter().filter(|tool| !named(now, &tool.name)).map(shown).collect();
        }
        if let Some(server) = server {
            drift.dead_filters = dead(server, now, rules);
        }
        drift
    }
}

fn dead(server: &Server, tools: &[ToldTool], rules: &Rules) -> Vec<String> {
    let list = match server.tools.deciding(rules) {
        Deciding::Nothing => return Vec::new(),
        Deciding::Include => &server.tools.include,
        Deciding::Exclude => &server.tools.exclude,
    };
    let alive = |entry: &str| {
        tools.iter().any(|tool| {
            tool.name == entry || rules.filter_globs && glob::is_pattern(entry) && glob::matches(entry, &tool.name)
        })
    };
    list.iter().flatten().filter(|entry| !alive(entry)).map(|entry| visible(entry).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::server::{servers, told};
    use crate::engine::testing::config;

    fn tools(rows: &[(&str, &str)]) -> Vec<ToldTool> {
        let tool = |(name, more): &(&str, &str)| told::tool(&format!(r#"{{"name":"{name}","description":"{more}"}}"#));
        rows.iter().map(|row| tool(row).unwrap()).collect()
    }

    #[test]
    fn differences_are_named_once() {
        let before = tools(&[("a", "1"), ("b", "1"), ("c", "1")]);
        let now = tools(&[("d", "1"), ("c", "2"), ("a", "1")]);
        let drift = Drift::between(Some(&before), &now, None, &Rules::v0_22());
        assert_eq!(
            (drift.appeared, drift.vanished, drift.changed),
            (vec!["d".into()], vec!["b".into()], vec!["c".into()])
        );
        assert!(Drift::between(None, &now, None, &Rules::v0_22()).is_empty());
    }

    #[test]
    fn a_filter_that_matches_nothing_is_dead() {
        let config = config(
            r#"{"mcp_servers": {"s": {"command": "x", "tools": {"include": ["a", "get_*", "[xy]z"], "exclude": ["q"]}}}}"#,
        );
        let dead = |rules: &Rules| {
            let server = servers(&config, rules).remove(0);
            Drift::between(None, &tools(&[("get_x", ""), ("b", "")]), Some(&server), rules).dead_filters
        };
        assert_eq!(dead(&Rules::v0_22()), ["a", "[xy]z"]);
        // 0.19 takes a pattern for a name.
        assert_eq!(dead(&Rules::v0_19()), ["a", "get_*", "[xy]z"]);
    }
}
