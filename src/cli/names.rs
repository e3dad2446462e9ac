//! What a NAME on the command line stands for: toolsets, servers and server tools of this home.
//!
//! `web` is a toolset or a server, `github:create_issue` a server's tool (cut at the first colon), `toolset:` and `mcp:`
//! say which kind is meant where both exist. `*`, `?` and `[...]` stand for the names known now; a pattern itself is
//! never written into a config. Tools are named as their server names them, or as the model sees them
//! (`mcp__github__create_issue`).

use std::collections::BTreeSet;

use crate::engine::catalog::{Catalog, ToolsetKind};
use crate::engine::draft::Target;
use crate::engine::ids::{PlatformKey, ServerName, ToolsetKey};
use crate::engine::selection::nearest::nearest;
use crate::engine::server::Server;
use crate::engine::server::glob::{is_pattern, matches};
use crate::engine::text::visible;
use crate::engine::value::Value;

/// The sentinel in a platform's list that keeps every server out.
const NO_MCP: &str = "no_mcp";

/// A name that stands for nothing here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NameError {
    /// Sanitised, without a final stop.
    pub message: String,
    pub hint: Option<String>,
    /// The words are at odds with each other, whatever the home holds.
    pub usage: bool,
}

impl NameError {
    fn new(message: String) -> Self {
        Self { message, hint: None, usage: false }
    }

    fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    fn near(self, name: &str, known: impl Iterator<Item = String>) -> Self {
        let known: Vec<String> = known.collect();
        match nearest(name, known.iter().map(String::as_str)) {
            Some(near) => self.hint(format!("did you mean {}?", visible(&near))),
            None => self,
        }
    }
}

/// The names a home knows.
pub(super) struct Names<'a> {
    pub catalog: &'a Catalog,
    pub config: &'a Value,
    pub servers: &'a [Server],
}

/// Where switches count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// No `--platform`: toolsets on `cli`, servers everywhere.
    Unsaid,
    Platforms(Vec<PlatformKey>),
}

/// What a word names, before platforms come in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Thing {
    Toolset(ToolsetKey),
    Server(ServerName),
    ServerTool(ServerName, String),
    NoMcp,
}

impl Names<'_> {
    /// Every target a word stands for, at least one.
    pub(super) fn targets(&self, word: &str, scope: &Scope) -> Result<Vec<Target>, NameError> {
        let things = self.things(word)?;
        let mut targets = Vec::new();
        for thing in things {
            self.place(thing, scope, &mut targets)?;
        }
        Ok(targets)
    }

    fn place(&self, thing: Thing, scope: &Scope, targets: &mut Vec<Target>) -> Result<(), NameError> {
        let cli = [PlatformKey::from("cli")];
        let platforms = match scope {
            Scope::Platforms(platforms) => platforms.as_slice(),
            Scope::Unsaid => &cli,
        };
        match thing {
            Thing::Toolset(key) => {
                targets.extend(platforms.iter().map(|platform| Target::Toolset(platform.clone(), key.clone())));
            }
            Thing::NoMcp => targets.extend(platforms.iter().cloned().map(Target::NoMcp)),
            Thing::Server(name) if *scope == Scope::Unsaid => targets.push(Target::Server(name)),
            Thing::Server(name) => {
                targets.extend(platforms.iter().map(|platform| Target::ServerOn(platform.clone(), name.clone())));
            }
            Thing::ServerTool(server, tool) if *scope == Scope::Unsaid => {
                targets.push(Target::ServerTool(server, tool));
            }
            Thing::ServerTool(server, tool) => {
                let name = format!("{}:{}", visible(server.as_str()), visible(&tool));
                return Err(NameError {
                    usage: true,
                    ..NameError::new(format!(
                        "{name} cannot be switched for one platform: a server's filter counts everywhere"
                    ))
                    .hint(format!("leave --platform out, or switch the whole server: mcp:{}", visible(server.as_str())))
                });
            }
        }
        Ok(())
    }

    fn things(&self, word: &str) -> Result<Vec<Thing>, NameError> {
        if let Some(name) = word.strip_prefix("toolset:").filter(|_| !self.is_server("toolset")) {
            return self.toolsets(name);
        }
        if let Some(name) = word.strip_prefix("mcp:").filter(|_| !self.is_server("mcp")) {
            return match name.split_once(':').filter(|_| !self.is_server(name)) {
                Some((server, tool)) => self.server_tools(server, tool),
                None => self.servers(name),
            };
        }
        if word == NO_MCP {
            return Ok(vec![Thing::NoMcp]);
        }
        match word.split_once(':') {
            Some((server, tool)) if !self.is_server(word) => self.server_tools(server, tool),
            _ => self.plain(word),
        }
    }

    /// A word without a kind: whatever is called that, as long as only one thing is.
    fn plain(&self, word: &str) -> Result<Vec<Thing>, NameError> {
        let toolsets = self.toolsets(word);
        let servers = self.servers(word);
        match (toolsets, servers) {
            (Ok(toolsets), Ok(servers)) => {
                let both = servers.iter().find_map(|server| match server {
                    Thing::Server(name) if toolsets.contains(&Thing::Toolset(name.as_str().into())) => Some(name),
                    _ => None,
                });
                match both {
                    Some(name) => {
                        let name = visible(name.as_str());
                        Err(NameError::new(format!("'{name}' is both a toolset and an MCP server"))
                            .hint(format!("say which: toolset:{name} or mcp:{name}")))
                    }
                    None => Ok(toolsets.into_iter().chain(servers).collect()),
                }
            }
            (Ok(things), Err(_)) | (Err(_), Ok(things)) => Ok(things),
            (Err(_), Err(_)) => self.tool_or_nothing(word),
        }
    }

    /// A tool's own name as the model sees it is understood where it can be switched, and explained where it cannot.
    fn tool_or_nothing(&self, word: &str) -> Result<Vec<Thing>, NameError> {
        if let Some(tool) = self.catalog.tool(word) {
            if let (Some(server), Some(original)) = (&tool.server, &tool.original_name) {
                return Ok(vec![Thing::ServerTool(server.clone(), original.to_string())]);
            }
            let toolset = visible(tool.toolset.as_str());
            return Err(NameError::new(format!(
                "'{}' is one tool of the toolset {toolset}, and Hermes switches toolsets as a whole",
                visible(word)
            ))
            .hint(format!("switch {toolset}")));
        }
        let known = self.toolset_keys().into_iter().chain(self.server_names());
        let what =
            if is_pattern(word) { "matches no toolset and no server" } else { "is no toolset and no server here" };
        Err(NameError::new(format!("'{}' {what}", visible(word)))
            .near(word, known)
            .or_hint("`hermes-tools list` shows the names"))
    }

    fn toolsets(&self, word: &str) -> Result<Vec<Thing>, NameError> {
        let known = self.toolset_keys();
        let exact = self.catalog.toolset(word).is_some_and(|toolset| toolset.kind != ToolsetKind::Mcp);
        if exact || known.contains(word) {
            return Ok(vec![Thing::Toolset(word.into())]);
        }
        let rows = self.catalog.configurable().map(|toolset| toolset.key.as_str());
        expand(word, rows, |key| Thing::Toolset(key.into())).ok_or_else(|| {
            NameError::new(format!("there is no toolset '{}'", visible(word))).near(word, known.into_iter())
        })
    }

    fn servers(&self, word: &str) -> Result<Vec<Thing>, NameError> {
        if self.is_server(word) {
            return Ok(vec![Thing::Server(word.into())]);
        }
        let names = self.servers.iter().map(|server| server.name.as_str());
        expand(word, names, |name| Thing::Server(name.into())).ok_or_else(|| {
            NameError::new(format!("there is no MCP server '{}' in mcp_servers", visible(word)))
                .near(word, self.server_names())
        })
    }

    fn server_tools(&self, server: &str, tool: &str) -> Result<Vec<Thing>, NameError> {
        let Some(entry) = self.servers.iter().find(|entry| entry.name.as_str() == server) else {
            return Err(NameError::new(format!("there is no MCP server '{}' in mcp_servers", visible(server)))
                .near(server, self.server_names()));
        };
        if tool.is_empty() {
            return Err(NameError::new(format!("'{}:' names no tool", visible(server)))
                .hint(format!("the whole server is mcp:{}", visible(server))));
        }
        let known = self.tools_of(entry);
        let thing = |name: &str| Thing::ServerTool(entry.name.clone(), name.to_owned());
        if known.contains(tool) {
            return Ok(vec![thing(tool)]);
        }
        if let Some(things) = expand(tool, known.iter().map(String::as_str), thing) {
            return Ok(things);
        }
        let listed =
            self.catalog.server_list(server).is_some() || self.catalog.tools_of_server(server).next().is_some();
        if !listed && !is_pattern(tool) {
            // Nobody knows this server's tools yet, so that a name cannot be wrong.
            return Ok(vec![thing(tool)]);
        }
        let what = if is_pattern(tool) { "matches no tool known of" } else { "is no tool of" };
        Err(NameError::new(format!("'{}' {what} the server {}", visible(tool), visible(server)))
            .near(tool, known.into_iter())
            .or_hint(format!("`hermes-tools list` shows what {} has", visible(server))))
    }

    fn is_server(&self, name: &str) -> bool {
        self.servers.iter().any(|server| server.name.as_str() == name)
    }

    fn server_names(&self) -> impl Iterator<Item = String> {
        self.servers.iter().map(|server| server.name.as_str().to_owned())
    }

    /// Rows of the checklist, and whatever a platform's list holds: a name that means nothing can be taken out.
    fn toolset_keys(&self) -> BTreeSet<String> {
        let lists = self.config.get("platform_toolsets").and_then(Value::as_map).unwrap_or_default();
        let listed = lists.iter().filter_map(|(_, list)| list.as_seq()).flatten();
        let listed =
            listed.map(|item| item.py_str().into_owned()).filter(|name| !self.is_server(name) && name != NO_MCP);
        self.catalog.configurable().map(|toolset| toolset.key.as_str().to_owned()).chain(listed).collect()
    }

    /// The server's own names for its tools: what was listed, and what its filter names literally.
    fn tools_of(&self, server: &Server) -> BTreeSet<String> {
        let registered = self
            .catalog
            .tools_of_server(server.name.as_str())
            .filter_map(|tool| tool.original_name.as_deref().map(str::to_owned));
        let listed = self.catalog.server_list(server.name.as_str()).into_iter().flat_map(|list| list.names.clone());
        let filters = [&server.tools.include, &server.tools.exclude];
        let filtered = filters.into_iter().flatten().flatten().filter(|name| !is_pattern(name)).cloned();
        registered.chain(listed).chain(filtered).collect()
    }
}

impl NameError {
    fn or_hint(self, hint: impl Into<String>) -> Self {
        if self.hint.is_some() { self } else { self.hint(hint) }
    }
}

fn expand<'n>(word: &str, names: impl Iterator<Item = &'n str>, thing: impl Fn(&str) -> Thing) -> Option<Vec<Thing>> {
    if !is_pattern(word) {
        return None;
    }
    let things: Vec<Thing> = names.filter(|name| matches(word, name)).map(thing).collect();
    (!things.is_empty()).then_some(things)
}
