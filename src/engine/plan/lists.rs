//! Wishes about one platform: `platform_toolsets.<p>`, with the bookkeeping a save keeps beside it.
//!
//! The wished set is what is on now, changed by the wishes. The list is edited until resolving it again gives exactly
//! that: own entries are added and taken out first, then bundles that bring too much are spelled out, then whatever
//! went missing is listed by name. What no list can express is refused with the rule that stands in the way.

use std::collections::BTreeSet;

use super::edits::{Edits, ListEdit};
use super::{Refusal, quoted};
use crate::engine::catalog::{Catalog, ToolsetKind};
use crate::engine::draft::Target;
use crate::engine::ids::{PlatformKey, ServerName, ToolsetKey};
use crate::engine::selection::nearest::nearest;
use crate::engine::selection::{self, NO_MCP, Reason, Saved, Selection, select};
use crate::engine::value::Value;

/// What is wished of one platform.
#[derive(Clone, Debug, Default)]
pub(super) struct PlatformWishes {
    pub(super) toolsets: Vec<(ToolsetKey, bool)>,
    pub(super) servers: Vec<(ServerName, bool)>,
    pub(super) no_mcp: Option<bool>,
}

impl PlatformWishes {
    fn is_met(&self, selection: &Selection, no_mcp: bool) -> bool {
        self.toolsets.iter().all(|(key, on)| selection.toolset(key.as_str()).is_some_and(|entry| entry.on) == *on)
            && self
                .servers
                .iter()
                .all(|(name, on)| selection.server(name.as_str()).is_some_and(|entry| entry.on) == *on)
            && self.no_mcp.is_none_or(|on| on == no_mcp)
    }
}

/// Whether the sentinel is in the platform's list.
pub(super) fn has_no_mcp(config: &Value, catalog: &Catalog, platform: &PlatformKey) -> bool {
    match selection::saved(config, catalog.rules(), platform) {
        Saved::List(names) => names.iter().any(|name| name == NO_MCP),
        Saved::Absent | Saved::Ignored { .. } => false,
    }
}

/// Takes a toolset's own name out of `agent.disabled_toolsets`, so that it can be on anywhere.
pub(super) fn allow(edits: &mut Edits<'_>, catalog: &Catalog, key: &ToolsetKey) {
    let deny = selection::deny::Deny::read(&edits.value(), catalog.rules());
    if deny.has(key.as_str()) {
        let list = edits.list(&["agent", "disabled_toolsets"], || deny.tool_level);
        list.remove(|name| selection::literal::trim(name) == key.as_str());
    }
}

/// Edits one platform's list until the wishes hold.
pub(super) fn platform(
    edits: &mut Edits<'_>,
    catalog: &Catalog,
    platform: &PlatformKey,
    wishes: &PlatformWishes,
) -> Result<(), Refusal> {
    let config = edits.value();
    let before = select(&config, catalog, platform);
    let no_mcp = has_no_mcp(&config, catalog, platform);
    for (key, on) in &wishes.toolsets {
        check_toolset(catalog, platform, key, *on, &before)?;
    }
    if wishes.is_met(&before, no_mcp) {
        return Ok(());
    }
    check_section(&config, platform, wishes)?;
    let mut wished = toolsets_on(&before);
    for (key, on) in &wishes.toolsets {
        if *on {
            wished.insert(key.to_string());
        } else {
            wished.remove(key.as_str());
        }
    }
    let mut work = Work { edits, catalog, platform, wished, spelled: !wishes.toolsets.is_empty() };
    work.open(&before);
    work.own_entries(wishes);
    work.servers(wishes, &before, no_mcp)?;
    work.settle()?;
    Ok(())
}

/// Toolset names that are on, servers apart.
fn toolsets_on(selection: &Selection) -> BTreeSet<String> {
    selection.entries.iter().filter(|entry| entry.on && !entry.is_server).map(|entry| entry.key.to_string()).collect()
}

fn check_toolset(
    catalog: &Catalog,
    platform: &PlatformKey,
    key: &ToolsetKey,
    on: bool,
    before: &Selection,
) -> Result<(), Refusal> {
    let target = Target::Toolset(platform.clone(), key.clone());
    let refuse = |reason: String, instead: String| Err(Refusal { target: target.clone(), reason, instead });
    let shown = quoted(key.as_str());
    let known = catalog.toolset(key.as_str());
    if !on {
        return match known {
            None if before.toolset(key.as_str()).is_none() => unknown(catalog, &target, key),
            _ => Ok(()),
        };
    }
    let Some(toolset) = known else {
        return unknown(catalog, &target, key);
    };
    if toolset.config_only {
        return refuse(
            format!("{shown} has settings but no tools, so no platform can carry it"),
            format!("set `{}.enabled` in config.yaml", key.as_str()),
        );
    }
    if toolset.kind == ToolsetKind::Mcp {
        return refuse(format!("{shown} is the toolset of an MCP server"), "switch the server on instead".into());
    }
    if let Some(platforms) = toolset.restricted_to.as_ref().filter(|platforms| !platforms.contains(platform)) {
        let platforms: Vec<_> = platforms.iter().map(PlatformKey::as_str).collect();
        return refuse(
            format!("{shown} exists on {} only", platforms.join(", ")),
            format!("choose --platform {}", platforms.first().unwrap_or(&"")),
        );
    }
    if selection_is_bundle(catalog, key) {
        return refuse(
            format!("{shown} is a platform's whole bundle, not a toolset of its own"),
            "switch its toolsets on one by one".into(),
        );
    }
    Ok(())
}

fn selection_is_bundle(catalog: &Catalog, key: &ToolsetKey) -> bool {
    catalog.selection_tables().is_platform_bundle(key.as_str())
}

fn unknown(catalog: &Catalog, target: &Target, key: &ToolsetKey) -> Result<(), Refusal> {
    let names = catalog.document().toolsets.iter().map(|toolset| toolset.key.as_str());
    let instead = nearest(key.as_str(), names).map_or_else(
        || "`hermes-tools list` shows the names there are".to_owned(),
        |near| format!("did you mean {}?", quoted(&near)),
    );
    Err(Refusal { target: target.clone(), reason: format!("there is no toolset {}", quoted(key.as_str())), instead })
}

/// A section of the wrong kind stops Hermes itself; replacing it is not ours to decide.
fn check_section(config: &Value, platform: &PlatformKey, wishes: &PlatformWishes) -> Result<(), Refusal> {
    let section = config.get("platform_toolsets");
    match section.filter(|section| !section.is_null() && section.as_map().is_none()) {
        None => Ok(()),
        Some(section) => Err(Refusal {
            target: first_target(platform, wishes),
            reason: format!("platform_toolsets is {} where a list for each platform is expected", section.kind()),
            instead: "correct or remove that key in config.yaml first".into(),
        }),
    }
}

fn first_target(platform: &PlatformKey, wishes: &PlatformWishes) -> Target {
    if let Some((key, _)) = wishes.toolsets.first() {
        Target::Toolset(platform.clone(), key.clone())
    } else if let Some((name, _)) = wishes.servers.first() {
        Target::ServerOn(platform.clone(), name.clone())
    } else {
        Target::NoMcp(platform.clone())
    }
}

/// One platform's list while it is edited.
struct Work<'e, 'c> {
    edits: &'e mut Edits<'c>,
    catalog: &'e Catalog,
    platform: &'e PlatformKey,
    /// The toolset names that shall be on.
    wished: BTreeSet<String>,
    /// Toolsets are chosen, not only servers, so the bookkeeping is due.
    spelled: bool,
}

impl Work<'_, '_> {
    fn list(&mut self) -> &mut ListEdit {
        // Opened by `open`; what a value that is no list stands for was decided there.
        self.edits.list(&["platform_toolsets", self.platform.as_str()], Vec::new)
    }

    /// Opens the list. Where none is saved, a change of toolsets starts from the names that are on, sorted, as Hermes
    /// writes them; a change of servers from the default bundle, so that the defaults go on being inherited.
    fn open(&mut self, before: &Selection) {
        let path = ["platform_toolsets", self.platform.as_str()];
        if self.edits.original(&path).is_some_and(|value| value.as_seq().is_some()) {
            self.list();
            return;
        }
        let start = match &before.saved {
            Saved::List(names) => names.clone(),
            Saved::Absent | Saved::Ignored { .. } if self.spelled => self.listable(),
            Saved::Absent | Saved::Ignored { .. } => {
                vec![self.catalog.default_toolset(self.platform.as_str()).to_string()]
            }
        };
        self.list().replace_with(start);
    }

    /// The wished names a saved list would hold: no extras that come by themselves.
    fn listable(&self) -> Vec<String> {
        let tables = self.catalog.selection_tables();
        let mut names: Vec<String> = self
            .wished
            .iter()
            .filter(|name| {
                let row = tables.row(self.catalog, name);
                row.is_some_and(|row| row.configurable || row.plugin) && *name != "context_engine"
            })
            .cloned()
            .collect();
        names.sort();
        names
    }

    fn own_entries(&mut self, wishes: &PlatformWishes) {
        for (key, on) in &wishes.toolsets {
            if !*on {
                self.list().remove(|name| name == key.as_str());
            }
        }
        match wishes.no_mcp {
            Some(true) => self.list().add(NO_MCP),
            Some(false) => {
                self.list().remove(|name| name == NO_MCP);
            }
            None => {}
        }
    }

    /// The allow-list: which server names the list holds.
    fn servers(&mut self, wishes: &PlatformWishes, before: &Selection, had_no_mcp: bool) -> Result<(), Refusal> {
        if wishes.servers.is_empty() {
            return Ok(());
        }
        let platform = self.platform.clone();
        let closed = self.list().has(NO_MCP);
        if let Some((name, _)) = wishes.servers.iter().find(|(_, on)| *on && closed) {
            return Err(Refusal {
                target: Target::ServerOn(platform.clone(), name.clone()),
                reason: format!("`no_mcp` keeps every MCP server off {platform}"),
                instead: format!("switch no_mcp off for {platform} first"),
            });
        }
        // With the sentinel going, what counts is what is on without it.
        let now = if had_no_mcp && !closed { self.selection() } else { before.clone() };
        let listed = now.entries.iter().any(|entry| entry.is_server && entry.reason == Reason::ServerListed);
        let enabled: Vec<&str> = now
            .entries
            .iter()
            .filter(|entry| entry.is_server && can_be_on(&entry.reason))
            .map(|e| e.key.as_str())
            .collect();
        let wish = |name: &str| wishes.servers.iter().find(|(key, _)| key.as_str() == name).map(|(_, on)| *on);
        let shall = |name: &str| wish(name).unwrap_or_else(|| now.server(name).is_some_and(|entry| entry.on));
        let on: Vec<String> = enabled.iter().filter(|name| shall(name)).map(|name| (*name).to_owned()).collect();
        let off: Vec<String> = enabled.iter().filter(|name| !shall(name)).map(|name| (*name).to_owned()).collect();
        if closed || (off.is_empty() && !listed) {
            return Ok(());
        }
        self.list().remove(|name| off.iter().any(|server| server == name));
        if on.is_empty() {
            self.list().add(NO_MCP);
        }
        for name in &on {
            self.list().add(name);
        }
        Ok(())
    }

    fn selection(&self) -> Selection {
        select(&self.edits.value(), self.catalog, self.platform)
    }

    /// Edits until the toolsets that are on are the wished ones.
    fn settle(&mut self) -> Result<(), Refusal> {
        // Each round spells out a bundle or lists a name; five rounds are more than any list needs.
        for _ in 0..5 {
            if self.spelled {
                self.bookkeeping();
            }
            let now = self.selection();
            let on = toolsets_on(&now);
            let missing: Vec<String> = self.wished.difference(&on).cloned().collect();
            let extra: Vec<String> = on.difference(&self.wished).cloned().collect();
            if missing.is_empty() && extra.is_empty() {
                return Ok(());
            }
            let mut changed = self.spell_out_bundles(&extra);
            for name in &missing {
                if !self.list().has(name) {
                    self.list().add(name);
                    changed = true;
                }
            }
            self.spelled |= changed;
            if !changed {
                let (name, on) = match extra.first() {
                    Some(name) => (name, true),
                    None => (&missing[0], false),
                };
                return Err(self.refusal(name, on, &now));
            }
        }
        let now = self.selection();
        let on = toolsets_on(&now);
        let name = on.symmetric_difference(&self.wished).next().cloned().unwrap_or_default();
        Err(self.refusal(&name, on.contains(&name), &now))
    }

    /// Takes out every listed bundle that covers an unwished toolset, and lists its wished members instead.
    fn spell_out_bundles(&mut self, extra: &[String]) -> bool {
        let (catalog, tables) = (self.catalog, self.catalog.selection_tables());
        let legacy = catalog.rules().legacy_hermes_name;
        let bundles: Vec<String> = self
            .list()
            .texts()
            .filter(|name| {
                let own = tables.row(catalog, name).is_some_and(|row| row.configurable || row.plugin);
                let effective = if legacy && *name == "hermes" { "hermes-cli" } else { name };
                !own && tables.resolve(catalog, effective).is_some_and(|tools| {
                    extra.iter().any(|key| tables.row(catalog, key).is_some_and(|row| row.by_definition.meets(tools)))
                })
            })
            .map(str::to_owned)
            .collect();
        if bundles.is_empty() {
            return false;
        }
        self.list().remove(|name| bundles.iter().any(|bundle| bundle == name));
        for bundle in &bundles {
            // The bundle's own name goes with it: it was on only because it was listed.
            self.wished.remove(bundle);
        }
        for name in self.listable() {
            self.list().add(&name);
        }
        true
    }

    /// Appends to `known_plugin_toolsets` and `known_builtin_toolsets` what a save by Hermes would record there.
    fn bookkeeping(&mut self) {
        let (catalog, tables) = (self.catalog, self.catalog.selection_tables());
        let plugins: Vec<&str> = tables.plugin_keys().iter().map(ToolsetKey::as_str).collect();
        if !plugins.is_empty() {
            self.record("known_plugin_toolsets", &plugins);
        }
        if catalog.rules().known_builtin_toolsets {
            let mut builtins: Vec<&str> = tables
                .rows(catalog)
                .filter(|(_, row)| row.configurable)
                .map(|(toolset, _)| toolset.key.as_str())
                .collect();
            builtins.sort_unstable();
            self.record("known_builtin_toolsets", &builtins);
        }
    }

    /// A section that is neither a mapping nor empty is left alone: the record is a service, not the wish.
    fn record(&mut self, section: &str, names: &[&str]) {
        if self.edits.original(&[section]).is_some_and(|value| !value.is_null() && value.as_map().is_none()) {
            return;
        }
        let list = self.edits.list(&[section, self.platform.as_str()], Vec::new);
        for name in names {
            list.add(name);
        }
    }

    /// Why a toolset is on or off against the wish.
    fn refusal(&self, name: &str, on: bool, now: &Selection) -> Refusal {
        let target = Target::Toolset(self.platform.clone(), name.into());
        let shown = quoted(name);
        let reason = now.toolset(name).map(|entry| entry.reason.clone());
        let (reason, instead) = match (on, reason) {
            (true, Some(Reason::RecoveredNative)) => (
                format!("{shown} comes with {} whatever its list says", self.platform),
                format!("add {shown} to agent.disabled_toolsets in config.yaml, which counts on every platform"),
            ),
            (true, Some(Reason::ContextEngine)) => (
                format!("{shown} is on because context.engine names an engine"),
                "set context.engine to compressor".into(),
            ),
            (true, Some(Reason::NoServerListed | Reason::ServerListed)) => (
                format!("an MCP server is also called {shown}, and its name switches the toolset on"),
                "rename the server, or keep it off this platform".into(),
            ),
            (false, Some(Reason::DeniedThrough { entry })) => (
                format!("{} under agent.disabled_toolsets strips every tool of {shown}", quoted(&entry)),
                format!("take {} out of that list first", quoted(&entry)),
            ),
            (false, Some(Reason::Denied)) => {
                (format!("{shown} is named under agent.disabled_toolsets"), "take it out of that list first".into())
            }
            (true, _) => (
                format!("no edit of platform_toolsets.{} keeps {shown} off", self.platform),
                "edit config.yaml by hand".into(),
            ),
            (false, _) => (
                format!("no edit of platform_toolsets.{} keeps {shown} on", self.platform),
                "edit config.yaml by hand".into(),
            ),
        };
        Refusal { target, reason, instead }
    }
}

/// Whether the server could be on here: only the platform's own list decides.
fn can_be_on(reason: &Reason) -> bool {
    matches!(reason, Reason::NoServerListed | Reason::ServerListed | Reason::OtherServersListed | Reason::NoMcp)
}
