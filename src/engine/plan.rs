//! From a draft to the smallest edits of `config.yaml`, as operations on paths; never text itself.
//!
//! Operations are applied to the loaded value ([`apply`]) to show the effect at once, and to the text by
//! [`super::yaml`] to save. Both must agree, or nothing is written.

use serde::{Deserialize, Serialize};

use self::edits::Edits;
use self::lists::PlatformWishes;
use super::catalog::Catalog;
use super::draft::{Draft, Target};
use super::ids::{PlatformKey, ServerName};
use super::selection::{Reason, select};
use super::server;
use super::text::visible;
use super::value::Value;

mod apply;
mod consequences;
mod edits;
mod filters;
mod lists;
mod servers;
mod settings;

pub use apply::apply;

/// Keys from the root, each compared with the text of the file's key.
pub type Path = Vec<String>;

/// A value our edits write.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum NewValue {
    /// Nothing: a key that waits for keys below it.
    Null,
    Bool(bool),
    Int(u64),
    List(Vec<String>),
    /// A number with a fraction, in digits with a point.
    #[serde(with = "decimal")]
    Decimal(String),
    /// A word that reads as text.
    Word(String),
}

/// A decimal is a number in JSON too.
mod decimal {
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(digits: &str, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_f64(digits.parse().unwrap_or_default())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
        f64::deserialize(from).map(|number| number.to_string())
    }
}

impl NewValue {
    /// As it stands behind a colon; `None` for a list, which has more than one way.
    pub(crate) fn inline(&self) -> Option<String> {
        match self {
            Self::Null => Some("null".to_owned()),
            Self::Bool(value) => Some(value.to_string()),
            Self::Int(number) => Some(number.to_string()),
            Self::Decimal(digits) => Some(digits.clone()),
            Self::Word(word) => Some(word.clone()),
            Self::List(_) => None,
        }
    }
}

/// One edit at one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "op")]
pub enum Op {
    /// Edits the list at `path` in place: takes out the items at these positions, then appends.
    EditList { path: Path, remove: Vec<usize>, append: Vec<String> },
    /// Replaces whatever is at `path` (also null, text, a mapping), or adds the key; missing parents are made.
    Set { path: Path, value: NewValue },
    /// Removes the key.
    Remove { path: Path },
}

impl Op {
    pub fn path(&self) -> &Path {
        match self {
            Self::EditList { path, .. } | Self::Set { path, .. } | Self::Remove { path } => path,
        }
    }
}

/// Why a wish cannot be granted, and what would work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}; {instead}")]
pub struct Refusal {
    pub target: Target,
    /// What stands in the way, one clause without a final stop.
    pub reason: String,
    /// What to do instead, one clause without a final stop.
    pub instead: String,
}

/// The edits a draft stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    pub ops: Vec<Op>,
    /// Consequences beyond the wish itself, each a sentence: servers gained and lost, a bundle spelled out.
    pub consequences: Vec<String>,
}

/// What a target is now, by the config alone: the baseline a draft's wishes are compared with.
///
/// A toolset or a server on a platform: whether Hermes resolves it as on. A server: whether it is enabled. A server's
/// tool: whether the filter lets it through, whatever the server itself is. `no_mcp`: whether the list has it. A
/// setting: whether it is written so that Hermes reads that value, or not at all.
pub fn state(config: &Value, catalog: &Catalog, target: &Target) -> bool {
    match target {
        Target::Toolset(platform, key) => {
            select(config, catalog, platform).toolset(key.as_str()).is_some_and(|entry| entry.on)
        }
        Target::ServerOn(platform, name) => {
            select(config, catalog, platform).server(name.as_str()).is_some_and(|entry| entry.on)
        }
        Target::Server(name) => servers::is_enabled(config, catalog, name),
        Target::ServerTool(name, tool) => server::servers(config, catalog.rules()).iter().any(|server| {
            server.name == *name && server.malformed.is_none() && server.tools.admits(catalog.rules(), tool)
        }),
        Target::NoMcp(platform) => lists::has_no_mcp(config, catalog, platform),
        Target::Setting(setting, value) => settings::holds(config, catalog, *setting, value.as_ref()),
    }
}

/// Plans every wish. The planned config, resolved again, grants all of them; what no edit can grant is refused.
///
/// Order: servers and their tools first, then the deny list, then platform by platform, because a platform's list
/// depends on which servers are enabled.
pub fn plan(config: &Value, catalog: &Catalog, draft: &Draft) -> Result<Plan, Refusal> {
    let mut edits = Edits::new(config);
    let mut platforms: Vec<(PlatformKey, PlatformWishes)> = Vec::new();
    for (target, on) in draft.wishes() {
        match target {
            Target::Server(name) => servers::switch(&mut edits, catalog, target, name, on)?,
            Target::ServerTool(name, tool) => filters::switch(&mut edits, catalog, target, name, tool, on)?,
            Target::Toolset(platform, key) => {
                platform_of(&mut platforms, platform).toolsets.push((key.clone(), on));
            }
            Target::ServerOn(platform, name) => {
                platform_of(&mut platforms, platform).servers.push((name.clone(), on));
            }
            Target::NoMcp(platform) => platform_of(&mut platforms, platform).no_mcp = Some(on),
            Target::Setting(setting, value) => settings::write(&mut edits, *setting, value.as_ref()),
        }
    }
    for (target, on) in draft.wishes() {
        match target {
            Target::ServerOn(_, name) if on => {
                if draft.wish(&Target::Server(name.clone())) == Some(false) {
                    return Err(contradiction(target, name));
                }
                servers::switch(&mut edits, catalog, target, name, true)?;
            }
            Target::Toolset(_, key) if on => lists::allow(&mut edits, catalog, key),
            _ => {}
        }
    }
    for (platform, wishes) in &platforms {
        lists::platform(&mut edits, catalog, platform, wishes)?;
    }
    let ops = edits.ops();
    let after = apply(config, &ops);
    for (target, on) in draft.wishes() {
        if state(&after, catalog, target) != on {
            return Err(ungranted(&after, catalog, target, on));
        }
    }
    let consequences = consequences::tell(config, &after, catalog, draft, &ops);
    Ok(Plan { ops, consequences })
}

fn platform_of<'p>(platforms: &'p mut Vec<(PlatformKey, PlatformWishes)>, key: &PlatformKey) -> &'p mut PlatformWishes {
    let idx = platforms.iter().position(|(known, _)| known == key).unwrap_or_else(|| {
        platforms.push((key.clone(), PlatformWishes::default()));
        platforms.len() - 1
    });
    &mut platforms[idx].1
}

fn contradiction(target: &Target, name: &ServerName) -> Refusal {
    Refusal {
        target: target.clone(),
        reason: format!("the server {} is to be off everywhere and on here", quoted(name.as_str())),
        instead: "take one of the two wishes back".into(),
    }
}

/// The last guard: an edit that does not do what it was made for is never offered.
fn ungranted(after: &Value, catalog: &Catalog, target: &Target, on: bool) -> Refusal {
    let wanted = if on { "on" } else { "off" };
    let (name, because) = match target {
        Target::Toolset(platform, key) => {
            let selection = select(after, catalog, platform);
            (key.to_string(), selection.toolset(key.as_str()).map(|entry| entry.reason.clone()))
        }
        Target::ServerOn(platform, name) => {
            let selection = select(after, catalog, platform);
            (name.to_string(), selection.server(name.as_str()).map(|entry| entry.reason.clone()))
        }
        Target::Server(name) | Target::ServerTool(name, _) => (name.to_string(), None),
        Target::NoMcp(platform) => (format!("no_mcp of {platform}"), None),
        Target::Setting(setting, _) => return settings::ungranted(after, catalog, target, *setting),
    };
    let like_toolset = catalog.toolset(&name).is_some() && matches!(target, Target::ServerOn(..));
    let (reason, instead) = match because {
        Some(Reason::Denied) => (
            format!("{} is named under agent.disabled_toolsets", quoted(&name)),
            "take it out of that list first, by hand: it counts on every platform".to_owned(),
        ),
        _ if like_toolset || matches!(target, Target::ServerOn(..)) && !on => (
            "a server named like a toolset cannot be listed as a server, so servers cannot be chosen one by one here"
                .into(),
            "rename that server in mcp_servers, or switch no_mcp on".into(),
        ),
        _ => (format!("no edit found that leaves {} {wanted}", quoted(&name)), "edit config.yaml by hand".into()),
    };
    Refusal { target: target.clone(), reason, instead }
}

/// A foreign name for a sentence.
fn quoted(name: &str) -> String {
    format!("'{}'", visible(name))
}

#[cfg(test)]
mod tests;
