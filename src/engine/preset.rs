//! Presets: what is on, kept under a name, and the wishes that make it so again.
//!
//! A preset holds effects, not text: the names of the toolsets and servers that are on for some platforms. Applying it
//! is a draft like any other, planned, shown and saved by the one editor.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::catalog::Catalog;
use super::draft::{Draft, Target};
use super::ids::{PlatformKey, ServerName, ToolsetKey};
use super::plan::{self, Refusal};
use super::selection::{Selection, select};
use super::server;
use super::text::visible;
use super::value::Value;

/// The longest name, in characters.
pub const MAX_NAME_CHARS: usize = 64;

/// What is on, under a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preset {
    pub name: String,
    pub platforms: BTreeMap<PlatformKey, On>,
}

/// What is on for one platform.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct On {
    pub toolsets: BTreeSet<ToolsetKey>,
    pub servers: BTreeSet<ServerName>,
}

/// A name of a preset that cannot be as the preset says, and why. Sanitised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unmet {
    pub platform: String,
    pub name: String,
    pub reason: String,
}

/// The wishes of a preset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fit {
    /// Everything the preset speaks about, also what is so already: a draft leaves that out by itself.
    pub wishes: Vec<(Target, bool)>,
    pub unmet: Vec<Unmet>,
}

/// Why a name cannot be a preset's, if so.
pub fn check_name(name: &str) -> Result<(), String> {
    let good = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.' | ' ');
    if name.is_empty() || name.chars().count() > MAX_NAME_CHARS {
        return Err(format!("a preset's name has 1 to {MAX_NAME_CHARS} characters"));
    }
    if !name.chars().all(good) || name.starts_with(['.', '-', ' ']) || name.ends_with(' ') || visible(name) != name {
        return Err(
            "a preset's name is of letters, digits, blanks, '-', '_' and '.', and begins with a letter, a digit \
                    or '_'"
                .to_owned(),
        );
    }
    Ok(())
}

impl Preset {
    /// What is on now for these platforms.
    pub fn of(name: &str, config: &Value, catalog: &Catalog, platforms: &[PlatformKey]) -> Self {
        let on = |platform: &PlatformKey| (platform.clone(), on(&select(config, catalog, platform), catalog));
        Self { name: name.to_owned(), platforms: platforms.iter().map(on).collect() }
    }

    /// The wishes that make it so in a config, one by one checked to be plannable together.
    pub fn fit(&self, config: &Value, catalog: &Catalog) -> Fit {
        let mut fit = Fit::default();
        for (platform, on) in &self.platforms {
            self.toolsets(platform, on, config, catalog, &mut fit);
            self.servers(platform, on, config, catalog, &mut fit);
        }
        // What cannot be planned is taken out, one refusal after the other.
        while let Err(refusal) = plan_of(&fit.wishes, config, catalog) {
            let before = fit.wishes.len();
            fit.wishes.retain(|(target, _)| *target != refusal.target);
            fit.unmet.push(unmet(&refusal));
            if fit.wishes.len() == before {
                break;
            }
        }
        fit
    }

    fn toolsets(&self, platform: &PlatformKey, on: &On, config: &Value, catalog: &Catalog, fit: &mut Fit) {
        let selection = select(config, catalog, platform);
        for toolset in catalog.configurable().filter(|toolset| !toolset.config_only) {
            let wanted = on.toolsets.contains(&toolset.key);
            let barred = toolset.restricted_to.as_ref().is_some_and(|allowed| !allowed.contains(platform));
            let is = selection.toolset(toolset.key.as_str()).is_some_and(|entry| entry.on);
            if !barred || wanted != is {
                fit.wishes.push((Target::Toolset(platform.clone(), toolset.key.clone()), wanted));
            }
        }
        let gone = on.toolsets.iter().filter(|key| catalog.toolset(key.as_str()).is_none());
        fit.unmet.extend(gone.map(|key| missing(platform, key.as_str(), "toolset")));
    }

    fn servers(&self, platform: &PlatformKey, on: &On, config: &Value, catalog: &Catalog, fit: &mut Fit) {
        let servers = server::servers(config, catalog.rules());
        let known = |name: &ServerName| {
            servers.iter().any(|server| server.name == *name) || catalog.facts().portable_servers.contains(name)
        };
        let gone = on.servers.iter().filter(|name| !known(name));
        fit.unmet.extend(gone.map(|name| missing(platform, name.as_str(), "MCP server")));
        let sentinel = Target::NoMcp(platform.clone());
        let wants_some = on.servers.iter().any(known);
        if wants_some && plan::state(config, catalog, &sentinel) {
            fit.wishes.push((sentinel, false));
        }
        let selection = select(config, catalog, platform);
        let is = |name: &ServerName| selection.server(name.as_str()).is_some_and(|entry| entry.on);
        // A platform on which nothing changes is left alone, unless a server that comes back everywhere would come here.
        let returns = |name: &ServerName| {
            self.platforms.values().any(|other| other.servers.contains(name))
                && !plan::state(config, catalog, &Target::Server(name.clone()))
        };
        let names: BTreeSet<&ServerName> = servers.iter().map(|server| &server.name).collect();
        if names.iter().all(|name| on.servers.contains(*name) == is(name) && !returns(name)) {
            return;
        }
        for name in names {
            fit.wishes.push((Target::ServerOn(platform.clone(), name.clone()), on.servers.contains(name)));
        }
    }
}

fn on(selection: &Selection, catalog: &Catalog) -> On {
    let mut on = On::default();
    for entry in selection.entries.iter().filter(|entry| entry.on) {
        if entry.is_server {
            on.servers.insert(entry.key.as_str().into());
        } else if catalog
            .toolset(entry.key.as_str())
            .is_some_and(|toolset| toolset.configurable && !toolset.config_only)
        {
            on.toolsets.insert(entry.key.as_str().into());
        }
    }
    on
}

fn plan_of(wishes: &[(Target, bool)], config: &Value, catalog: &Catalog) -> Result<plan::Plan, Refusal> {
    let mut draft = Draft::default();
    draft.apply(wishes, |target| plan::state(config, catalog, target));
    plan::plan(config, catalog, &draft)
}

fn unmet(refusal: &Refusal) -> Unmet {
    let (platform, name) = match &refusal.target {
        Target::Toolset(platform, key) => (platform.as_str(), key.as_str()),
        Target::ServerOn(platform, name) => (platform.as_str(), name.as_str()),
        Target::Server(name) | Target::ServerTool(name, _) => ("", name.as_str()),
        Target::NoMcp(platform) => (platform.as_str(), "no_mcp"),
        Target::Setting(setting, _) => ("", setting.key()),
    };
    Unmet {
        platform: visible(platform).into_owned(),
        name: visible(name).into_owned(),
        reason: visible(&refusal.reason).into_owned(),
    }
}

fn missing(platform: &PlatformKey, name: &str, what: &str) -> Unmet {
    Unmet {
        platform: visible(platform.as_str()).into_owned(),
        name: visible(name).into_owned(),
        reason: format!("there is no such {what} any more"),
    }
}

#[cfg(test)]
mod tests;
