//! `mcp_servers` entries as values: enabled or not, transport, filter; never their secrets.
//!
//! Only the keys that decide what is on are read. `env`, `headers`, `args` and `url` are looked at for their kind alone,
//! so nothing in them can reach a screen or a log.

pub mod drift;
pub(crate) mod glob;
pub mod probe;
pub mod told;

use super::ids::ServerName;
use super::rules::{EmptyInclude, Rules};
use super::value::Value;

/// How a server is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    Stdio,
    Http,
    Sse,
    /// Neither `command` nor `url`.
    Unknown,
}

impl Transport {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::Http => "http",
            Self::Sse => "sse",
            Self::Unknown => "unknown",
        }
    }

    pub(crate) fn of(entry: &Value) -> Self {
        let set = |key| entry.get(key).is_some_and(Value::is_truthy);
        if set("url") {
            if entry.get("transport").and_then(Value::as_str) == Some("sse") { Self::Sse } else { Self::Http }
        } else if set("command") {
            Self::Stdio
        } else {
            Self::Unknown
        }
    }
}

/// One entry of `mcp_servers`.
#[derive(Clone, Debug, PartialEq)]
pub struct Server {
    pub name: ServerName,
    /// The kind of value where a mapping is expected. Such an entry is never on.
    pub malformed: Option<&'static str>,
    /// `enabled` as the installed version reads it; a malformed entry is not enabled.
    pub enabled: bool,
    pub transport: Transport,
    pub tools: ToolFilter,
}

/// `tools.include` and `tools.exclude` as the host reads them: a text counts as a list of one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolFilter {
    /// `tools` is there and is no mapping: Hermes registers nothing.
    pub malformed: Option<&'static str>,
    pub include: Option<Vec<String>>,
    pub exclude: Option<Vec<String>>,
}

/// Which key of a filter decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deciding {
    /// No key: every tool is registered.
    Nothing,
    /// `tools.include`; `exclude` is not looked at.
    Include,
    /// `tools.exclude`.
    Exclude,
}

impl ToolFilter {
    /// Reads the `tools` value of a server. Null, false, zero and empty things count as absent, as in Hermes.
    pub fn read(tools: Option<&Value>) -> Self {
        let Some(tools) = tools.filter(|tools| tools.is_truthy()) else {
            return Self::default();
        };
        if tools.as_map().is_none() {
            return Self { malformed: Some(tools.kind()), ..Self::default() };
        }
        Self { malformed: None, include: names(tools.get("include")), exclude: names(tools.get("exclude")) }
    }

    /// The key that decides, by the installed version's precedence.
    pub fn deciding(&self, rules: &Rules) -> Deciding {
        match (&self.include, &self.exclude) {
            (Some(include), _) if !include.is_empty() || rules.empty_include == EmptyInclude::Nothing => {
                Deciding::Include
            }
            (_, Some(exclude)) if !exclude.is_empty() => Deciding::Exclude,
            _ => Deciding::Nothing,
        }
    }

    /// Whether the installed version registers a tool with this original name.
    pub fn admits(&self, rules: &Rules, original_name: &str) -> bool {
        if self.malformed.is_some() {
            return false;
        }
        match self.deciding(rules) {
            Deciding::Nothing => true,
            Deciding::Include => matching(&self.include, rules, original_name).is_some(),
            Deciding::Exclude => matching(&self.exclude, rules, original_name).is_none(),
        }
    }

    /// The entry of the deciding list that is a pattern and matches the name, where the name itself is not listed.
    pub fn pattern_for(&self, rules: &Rules, original_name: &str) -> Option<&str> {
        let list = match self.deciding(rules) {
            Deciding::Nothing => return None,
            Deciding::Include => &self.include,
            Deciding::Exclude => &self.exclude,
        };
        list.iter().flatten().map(String::as_str).find(|entry| {
            *entry != original_name
                && rules.filter_globs
                && glob::is_pattern(entry)
                && glob::matches(entry, original_name)
        })
    }
}

/// The entry that lets the name match: itself, or (0.22) a case-sensitive pattern.
fn matching<'a>(list: &'a Option<Vec<String>>, rules: &Rules, name: &str) -> Option<&'a str> {
    let entries = || list.iter().flatten().map(String::as_str);
    entries()
        .find(|entry| *entry == name)
        .or_else(|| entries().find(|entry| rules.filter_globs && glob::is_pattern(entry) && glob::matches(entry, name)))
}

/// Text is one name, a list is its items' text; anything else is ignored by Hermes, with a log line.
fn names(value: Option<&Value>) -> Option<Vec<String>> {
    match value? {
        Value::Str(name) => Some(vec![name.clone()]),
        Value::Seq(items) => Some(items.iter().map(|item| item.py_str().into_owned()).collect()),
        _ => None,
    }
}

/// Reads every entry, in file order. A section that is no mapping has none.
pub fn servers(config: &Value, rules: &Rules) -> Vec<Server> {
    entries(config)
        .iter()
        .map(|(key, entry)| {
            let is_map = entry.as_map().is_some();
            Server {
                name: key.py_str().as_ref().into(),
                malformed: (!is_map).then(|| entry.kind()),
                enabled: is_map && is_enabled(entry, rules),
                transport: Transport::of(entry),
                tools: ToolFilter::read(entry.get("tools")),
            }
        })
        .collect()
}

/// The raw entries of `mcp_servers`.
pub(crate) fn entries(config: &Value) -> &[(Value, Value)] {
    config.get("mcp_servers").and_then(Value::as_map).unwrap_or_default()
}

/// `enabled` of a mapping entry: only false words, `false` and zero switch off. Absent, null and unknown words mean on.
pub(crate) fn is_enabled(entry: &Value, rules: &Rules) -> bool {
    match entry.get("enabled") {
        Some(Value::Bool(on)) => *on,
        Some(number @ Value::Int(_)) => number.is_truthy(),
        Some(number @ Value::Float(_)) => !rules.enabled_floats || number.is_truthy(),
        Some(Value::Str(word)) => !matches!(word.trim().to_lowercase().as_str(), "false" | "0" | "no" | "off"),
        _ => true,
    }
}

/// The name a server's tool is registered under: everything but letters, digits and `_` becomes `_`.
pub fn registered_name(server: &str, tool: &str) -> String {
    let plain = |text: &str| {
        text.chars()
            .map(|character| if character.is_ascii_alphanumeric() || character == '_' { character } else { '_' })
            .collect::<String>()
    };
    format!("mcp__{}__{}", plain(server), plain(tool))
}

#[cfg(test)]
mod tests;
