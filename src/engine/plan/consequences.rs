//! What a plan changes beyond its wishes, as sentences: toolsets and servers gained and lost per platform, values
//! replaced, bundles spelled out.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::{NewValue, Op, quoted};
use crate::engine::catalog::Catalog;
use crate::engine::draft::{Draft, Target};
use crate::engine::ids::PlatformKey;
use crate::engine::rules::EmptyInclude;
use crate::engine::selection::{Saved, Selection, platforms_in_use, saved, select};
use crate::engine::server::{self, Deciding};
use crate::engine::value::Value;

/// Names gained and lost, each sorted.
type Change = (Vec<String>, Vec<String>);

/// Compares before and after. Where the edits can reach every platform, it looks at all that are in use.
pub(super) fn tell(before: &Value, after: &Value, catalog: &Catalog, draft: &Draft, ops: &[Op]) -> Vec<String> {
    if ops.is_empty() {
        return Vec::new();
    }
    let mut told = replaced(before, catalog, ops);
    let platforms = platforms(before, catalog, draft, ops);
    told.extend(platforms.iter().filter_map(|platform| spelled_out(before, after, catalog, platform)));
    // Platforms that change alike share a sentence.
    let mut groups: BTreeMap<Change, Vec<&PlatformKey>> = BTreeMap::new();
    for platform in &platforms {
        let change =
            change(&select(before, catalog, platform), &select(after, catalog, platform), |name, is_server| {
                wished(draft, platform, name, is_server)
            });
        if change != Change::default() {
            groups.entry(change).or_default().push(platform);
        }
    }
    told.extend(groups.iter().map(|((gained, lost), platforms)| {
        let platforms: Vec<_> = platforms.iter().map(|platform| quoted(platform.as_str())).collect();
        let mut parts = Vec::new();
        if !gained.is_empty() {
            parts.push(format!("{} switched on", names(gained)));
        }
        if !lost.is_empty() {
            parts.push(format!("{} switched off", names(lost)));
        }
        format!("Besides, on {}: {}.", platforms.join(", "), parts.join("; "))
    }));
    told.extend(emptied(after, catalog, draft));
    told
}

/// The first names, and how many more.
fn names(all: &[String]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<_> = all.iter().take(SHOWN).map(|name| quoted(name)).collect();
    match all.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn platforms(before: &Value, catalog: &Catalog, draft: &Draft, ops: &[Op]) -> Vec<PlatformKey> {
    let everywhere = ops.iter().any(|op| {
        let path = op.path();
        path.first().is_some_and(|root| root == "agent")
            || (path.first().is_some_and(|root| root == "mcp_servers")
                && path.last().is_some_and(|key| key == "enabled"))
    });
    let mut platforms: Vec<PlatformKey> = Vec::new();
    let mut add = |platform: PlatformKey| {
        if !platforms.contains(&platform) {
            platforms.push(platform);
        }
    };
    if everywhere {
        platforms_in_use(catalog, before).into_iter().for_each(&mut add);
    }
    for (target, _) in draft.wishes() {
        match target {
            Target::Toolset(platform, _) | Target::ServerOn(platform, _) | Target::NoMcp(platform) => {
                add(platform.clone());
            }
            Target::Server(_) | Target::ServerTool(..) | Target::Setting(..) => {}
        }
    }
    platforms
}

fn wished(draft: &Draft, platform: &PlatformKey, name: &str, is_server: bool) -> bool {
    if is_server {
        draft.wish(&Target::Server(name.into())).is_some()
            || draft.wish(&Target::ServerOn(platform.clone(), name.into())).is_some()
    } else {
        draft.wish(&Target::Toolset(platform.clone(), name.into())).is_some()
    }
}

fn change(before: &Selection, after: &Selection, wished: impl Fn(&str, bool) -> bool) -> Change {
    let on = |selection: &Selection| -> BTreeSet<(String, bool)> {
        selection
            .entries
            .iter()
            .filter(|entry| entry.on)
            .map(|entry| (entry.key.to_string(), entry.is_server))
            .collect()
    };
    let (before, after) = (on(before), on(after));
    let only = |left: &BTreeSet<(String, bool)>, right: &BTreeSet<(String, bool)>| {
        left.difference(right)
            .filter(|(name, is_server)| !wished(name, *is_server))
            .map(|(name, _)| name.clone())
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect::<Vec<_>>()
    };
    (only(&after, &before), only(&before, &after))
}

/// Values of another kind that a list or a mapping takes the place of. The value itself is not repeated: it may be anything.
fn replaced(before: &Value, catalog: &Catalog, ops: &[Op]) -> Vec<String> {
    ops.iter()
        .filter_map(|op| {
            let (path, becomes) = match op {
                Op::Set { path, value: NewValue::List(_) } => (path, "a list"),
                Op::Set { path, value: NewValue::Null } => (path, "a mapping"),
                _ => return None,
            };
            let keys: Vec<&str> = path.iter().map(String::as_str).collect();
            let old = before.at(&keys)?;
            if old.is_null() {
                return None;
            }
            let place = keys.iter().map(|key| crate::engine::text::visible(key)).collect::<Vec<_>>().join(".");
            let is_read = match keys.as_slice() {
                ["platform_toolsets", platform] => {
                    matches!(saved(before, catalog.rules(), &(*platform).into()), Saved::List(_))
                }
                ["mcp_servers", ..] => old.as_str().is_some(),
                ["agent", ..] => catalog.rules().disabled_may_be_text,
                ["tools", "tool_search"] => *old == Value::Bool(false),
                _ => false,
            };
            let ignored = if is_read { "" } else { ", which Hermes ignores" };
            Some(format!("{place} was {}{ignored}; it becomes {becomes}.", old.kind()))
        })
        .collect()
}

/// Bundles whose names leave the list for their members'.
fn spelled_out(before: &Value, after: &Value, catalog: &Catalog, platform: &PlatformKey) -> Option<String> {
    let list = |config: &Value| match saved(config, catalog.rules(), platform) {
        Saved::List(names) => Some(names),
        Saved::Absent | Saved::Ignored { .. } => None,
    };
    let after = list(after)?;
    let tables = catalog.selection_tables();
    match list(before) {
        Some(before) => {
            let kept: HashSet<&String> = after.iter().collect();
            let gone: BTreeSet<String> = before
                .iter()
                .filter(|name| !kept.contains(name))
                .filter(|name| {
                    let own = tables.row(catalog, name).is_some_and(|row| row.configurable || row.plugin);
                    !own && (tables.knows(catalog, name) || *name == "hermes")
                })
                .map(|name| quoted(name))
                .collect();
            (!gone.is_empty()).then(|| {
                let gone: Vec<_> = gone.into_iter().collect();
                format!(
                    "The list of {} spells out what {} stood for: toolsets that Hermes adds there later will not come along.",
                    quoted(platform.as_str()),
                    gone.join(", ")
                )
            })
        }
        None if after.iter().any(|name| *name == catalog.default_toolset(platform.as_str()).as_str()) => None,
        None => Some(format!(
            "{} gets a list of its own: toolsets that Hermes adds to its defaults later will not come along.",
            quoted(platform.as_str())
        )),
    }
}

/// Servers whose filter now lets no tool through.
fn emptied(after: &Value, catalog: &Catalog, draft: &Draft) -> Vec<String> {
    let rules = catalog.rules();
    server::servers(after, rules)
        .iter()
        .filter(|server| {
            draft
                .wishes()
                .any(|(target, on)| matches!(target, Target::ServerTool(name, _) if *name == server.name && !on))
        })
        .filter(|server| {
            rules.empty_include == EmptyInclude::Nothing
                && server.tools.deciding(rules) == Deciding::Include
                && server.tools.include.as_ref().is_some_and(Vec::is_empty)
        })
        .map(|server| format!("No tool of the server {} is left.", quoted(server.name.as_str())))
        .collect()
}
