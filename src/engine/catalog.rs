//! Everything that exists, from one Hermes at one moment. Immutable; replaced whole when the worker answers again.
//!
//! [`CatalogDocument`] is the documented JSON (`"format": "hermes-tools/catalog@1"`) the worker sends, a snapshot holds
//! and `--catalog` reads. [`Catalog`] is the same with the look-ups built.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use foldhash::{HashMap, HashMapExt as _, HashSet};
use serde::{Deserialize, Serialize};

use super::assembly::disclosure;
use super::assembly::host::Host;
use super::assembly::line::{self, Line};
use super::ids::{PlatformKey, ServerName, ToolName, ToolsetKey};
use super::meter::{self, ContentHash, Measure};
use super::pyjson;
use super::report::Groups;
use super::rules::Rules;
use super::selection::tables::Tables;

/// The format name a catalog document carries.
pub const FORMAT: &str = "hermes-tools/catalog@1";

/// The kind of process that holds a conversation; its environment decides what is available.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Surface {
    /// The classic CLI: `HERMES_INTERACTIVE=1`.
    Cli,
    /// `hermes chat -q`: as the CLI process starts it.
    OneShot,
    /// The Ink TUI and the desktop backend: interactive, gateway session and ask-before-exec set.
    Tui,
    /// The messaging gateway and the API server: `HERMES_EXEC_ASK=1`.
    Gateway,
    /// Cron runs: none of the three.
    Cron,
    /// What `hermes prompt-size` measures: none of the three.
    Inspect,
}

impl Surface {
    pub const ALL: [Self; 6] = [Self::Cli, Self::OneShot, Self::Tui, Self::Gateway, Self::Cron, Self::Inspect];

    /// The surface a platform's conversations have.
    pub fn of_platform(platform: &str) -> Self {
        match platform {
            "cli" => Self::Cli,
            "cron" => Self::Cron,
            _ => Self::Gateway,
        }
    }

    /// The name on the command line and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cli => "cli",
            Self::OneShot => "one-shot",
            Self::Tui => "tui",
            Self::Gateway => "gateway",
            Self::Cron => "cron",
            Self::Inspect => "inspect",
        }
    }
}

/// One tool's definition, the object that is sent: its text exactly as Python's
/// `json.dumps(definition, ensure_ascii=False)` prints it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Definition(Arc<str>);

impl Definition {
    /// Takes any JSON text and rewrites it the way Python prints it. Text that is no JSON is kept as it is.
    pub fn from_json(text: &str) -> Self {
        Self(pyjson::python_text(text).unwrap_or_else(|_| text.to_owned()).into())
    }

    /// Takes back a text that [`Self::text`] gave, without rewriting it. `None` for what surely is no definition.
    pub(crate) fn from_python_text(text: &str) -> Option<Self> {
        (text.starts_with('{') && text.ends_with('}')).then(|| Self(text.into()))
    }

    /// The text whose UTF-8 length is the tool's bytes.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl Serialize for Definition {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serde_json::value::RawValue::from_string(self.0.to_string()) {
            Ok(raw) => raw.serialize(serializer),
            Err(_) => serializer.serialize_none(),
        }
    }
}

impl<'de> Deserialize<'de> for Definition {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&serde_json::value::RawValue>::deserialize(deserializer)?.get();
        // Nearly always Python wrote it: one look, and the text is kept.
        if pyjson::is_python_text(raw) { Ok(Self(raw.into())) } else { Ok(Self::from_json(raw)) }
    }
}

/// Who answered: which Hermes, in which home.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HermesInfo {
    pub version: String,
    #[serde(default)]
    pub release_date: Option<String>,
    #[serde(default)]
    pub python: Option<String>,
    /// Absolute path of the home the answer is about.
    pub home: String,
}

/// Facts about the moment that decide selection and shares, without any secret in them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// xAI credentials exist: `x_search` joins composite selections.
    #[serde(default)]
    pub xai_credentials: bool,
    /// `HASS_TOKEN` is set.
    #[serde(default)]
    pub hass_token: bool,
    #[serde(default)]
    pub model: Option<String>,
    #[serde(default)]
    pub provider: Option<String>,
    /// The model's window in tokens, when Hermes knows it without asking the network.
    #[serde(default)]
    pub context_tokens: Option<u64>,
    /// Platforms Hermes' own menu calls enabled (cli, and those with a token in the environment).
    #[serde(default)]
    pub enabled_platforms: Vec<PlatformKey>,
    /// MCP servers that enabled plugins bring along.
    #[serde(default)]
    pub portable_servers: Vec<ServerName>,
}

/// A place conversations happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Platform {
    pub key: PlatformKey,
    pub label: String,
    /// The bundle that counts where nothing is saved, such as `hermes-telegram`.
    pub default_toolset: ToolsetKey,
    /// In Hermes' own table; a plugin's platform is not, and its bundle name stays in the resolved set.
    pub builtin: bool,
}

/// Where a toolset comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToolsetKind {
    Builtin,
    Plugin,
    /// The toolset `mcp-<server>` of a server.
    Mcp,
    /// A set of sets or of a platform's tools: `hermes-cli`, `debugging`, `coding`.
    Bundle,
}

/// A named group of tools, configurable or not. The document lists them in Hermes' own order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Toolset {
    pub key: ToolsetKey,
    #[serde(default)]
    pub label: String,
    #[serde(default)]
    pub description: String,
    pub kind: ToolsetKind,
    /// Has a row in Hermes' checklist.
    #[serde(default)]
    pub configurable: bool,
    /// A row without tools that is never in a platform's list (`stt`).
    #[serde(default)]
    pub config_only: bool,
    #[serde(default)]
    pub default_off: bool,
    /// The only platforms it may be switched on for.
    #[serde(default)]
    pub restricted_to: Option<Vec<PlatformKey>>,
    /// The only session platforms that get it (0.22's `desktop_ui`); `all` leaves such toolsets out.
    #[serde(default)]
    pub session_platforms: Option<Vec<PlatformKey>>,
    /// Defined with includes, or as a session posture: never recovered as a native extra.
    #[serde(default)]
    pub has_includes: bool,
    #[serde(default)]
    pub posture: bool,
    /// In Hermes' static table; registry-only toolsets (plugins, servers) are not.
    #[serde(default)]
    pub in_static_table: bool,
    /// Tools by definition, includes resolved, without what was registered at run time.
    #[serde(default)]
    pub static_tools: Vec<ToolName>,
    /// Tools with what was registered at run time.
    #[serde(default)]
    pub tools: Vec<ToolName>,
    /// What denying this name at tool level strips (a bundle strips only its non-core tools).
    #[serde(default)]
    pub denied_tools: Vec<ToolName>,
}

/// One tool as registered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool {
    pub name: ToolName,
    /// The registry's toolset name; it can differ from the configurable key (`browser-cdp`).
    pub toolset: ToolsetKey,
    /// The `mcp_servers` key, for an MCP tool.
    #[serde(default)]
    pub server: Option<ServerName>,
    /// The server's own name for it.
    #[serde(default)]
    pub original_name: Option<Arc<str>>,
    /// As it is sent when everything it looks at is present; a real array may reword it.
    pub definition: Definition,
    pub available: bool,
    /// Why not: the failed check, in words.
    #[serde(default)]
    pub unavailable_because: Option<String>,
}

/// The tool list of one server, with its source. `names` are the server's own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ServerList {
    pub server: ServerName,
    pub source: ListSource,
    /// Seconds since the epoch when the list was written, where known.
    #[serde(default)]
    pub written_at: Option<u64>,
    /// The stored fingerprint no longer matches the server's settings, or the list outlived its own time to live.
    #[serde(default)]
    pub stale: bool,
    /// Why Hermes' MCP library takes none of it, if so.
    #[serde(default)]
    pub refused: Option<String>,
    /// How long the server took to tell it, where we asked.
    #[serde(default)]
    pub took_ms: Option<u64>,
    pub names: Vec<String>,
}

/// Where a server's tool list was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ListSource {
    /// Hermes' `cache/mcp_schema_cache.json`: only what passed the filter when it was written.
    SchemaCache,
    /// What the server told us when we asked it.
    Probe,
    /// Only names the config's own filter mentions.
    Filter,
}

/// The JSON form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CatalogDocument {
    pub format: String,
    pub hermes: HermesInfo,
    pub surface: Surface,
    /// Seconds since the epoch when Hermes answered.
    pub taken_at: u64,
    pub rules: Rules,
    #[serde(default)]
    pub facts: Facts,
    pub platforms: Vec<Platform>,
    pub toolsets: Vec<Toolset>,
    pub tools: Vec<Tool>,
    #[serde(default)]
    pub core_tools: Vec<ToolName>,
    /// Every toolset key a plugin brings, also where a builtin row has the same key (0.19's `spotify`).
    #[serde(default)]
    pub plugin_toolsets: Vec<ToolsetKey>,
    /// Names that are no toolset but still stand for tools when an array is built: `web_tools` and its like.
    #[serde(default)]
    pub legacy_toolsets: BTreeMap<ToolsetKey, Vec<ToolName>>,
    #[serde(default)]
    pub server_lists: Vec<ServerList>,
    /// How deferred tools are disclosed, from the installed code.
    #[serde(default)]
    pub tool_search: Option<Host>,
    /// What could not be asked, and why. Shown by `doctor`.
    #[serde(default)]
    pub problems: Vec<String>,
}

/// A registered name that several tools ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameCollision {
    pub name: String,
    /// Server and its own name for the tool, in list order. Foreign.
    pub owners: Vec<(String, String)>,
}

/// Places of tools in the document; `None` for a name that is not registered.
type Places = Box<[Option<usize>]>;

/// The registered tools of one server, as places in the document.
#[derive(Debug, Default)]
struct ServerTools {
    places: Vec<usize>,
    /// The first of each run of one registry toolset; nearly always one.
    runs: Vec<usize>,
}

/// A catalog with its look-ups. What takes a pass over every definition is found out only when it is asked for, tool by
/// tool: thousands of tools are behind the bridge or off, and nobody looks at them.
#[derive(Debug)]
pub struct Catalog {
    document: CatalogDocument,
    toolset_by_key: HashMap<ToolsetKey, usize>,
    tool_by_name: HashMap<ToolName, usize>,
    platform_by_key: HashMap<PlatformKey, usize>,
    server_by_name: HashMap<ServerName, usize>,
    servers: Vec<ServerTools>,
    list_by_server: HashMap<ServerName, usize>,
    /// Compact characters of each tool; zero where not counted yet.
    compact_chars: Box<[AtomicU32]>,
    hashes: Box<[OnceLock<ContentHash>]>,
    /// Places of each toolset's tools, as far as they are registered.
    members: Box<[OnceLock<Places>]>,
    /// Which tools go behind an active bridge though no setting names them.
    deferrable: OnceLock<Box<[bool]>>,
    /// What stands in for a catalog that does not tell.
    own_host: Option<Host>,
    /// Names that several tools of servers ask for.
    collisions: OnceLock<Box<[NameCollision]>>,
    /// Built when something is first resolved.
    selection_tables: OnceLock<Tables>,
    /// Rows of servers, kept from one report to the next.
    groups: Vec<Groups>,
}

impl Catalog {
    /// Builds the look-ups. Of two entries with one name the first wins.
    pub fn new(document: CatalogDocument) -> Self {
        let (server_by_name, servers) = by_server(&document.tools);
        let tools = document.tools.len();
        Self {
            toolset_by_key: first_index(document.toolsets.iter().map(|toolset| &toolset.key)),
            tool_by_name: first_index(document.tools.iter().map(|tool| &tool.name)),
            platform_by_key: first_index(document.platforms.iter().map(|platform| &platform.key)),
            list_by_server: first_index(document.server_lists.iter().map(|list| &list.server)),
            groups: servers.iter().map(|_| Groups::default()).collect(),
            server_by_name,
            servers,
            compact_chars: std::iter::repeat_with(AtomicU32::default).take(tools).collect(),
            hashes: std::iter::repeat_with(OnceLock::new).take(tools).collect(),
            members: std::iter::repeat_with(OnceLock::new).take(document.toolsets.len()).collect(),
            deferrable: OnceLock::new(),
            collisions: OnceLock::new(),
            own_host: document.tool_search.is_none().then(|| Host::own(&document.rules)),
            selection_tables: OnceLock::new(),
            document,
        }
    }

    pub(crate) fn selection_tables(&self) -> &Tables {
        self.selection_tables.get_or_init(|| Tables::new(self))
    }

    pub(crate) fn toolset_index(&self, key: &str) -> Option<usize> {
        self.toolset_by_key.get(key).copied()
    }

    pub fn document(&self) -> &CatalogDocument {
        &self.document
    }

    pub fn rules(&self) -> &Rules {
        &self.document.rules
    }

    /// The installed Hermes' tool search, or what is known of its version.
    #[expect(clippy::expect_used, reason = "`new` fills in the second wherever the first is missing")]
    pub fn host(&self) -> &Host {
        self.document.tool_search.as_ref().or(self.own_host.as_ref()).expect("one of the two is there")
    }

    pub fn facts(&self) -> &Facts {
        &self.document.facts
    }

    pub fn toolset(&self, key: &str) -> Option<&Toolset> {
        self.toolset_by_key.get(key).map(|idx| &self.document.toolsets[*idx])
    }

    pub fn platform(&self, key: &str) -> Option<&Platform> {
        self.platform_by_key.get(key).map(|idx| &self.document.platforms[*idx])
    }

    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.tool_by_name.get(name).map(|idx| &self.document.tools[*idx])
    }

    /// Place of a tool in the document, for [`Self::measure_at`] and its like.
    pub fn tool_index(&self, name: &str) -> Option<usize> {
        self.tool_by_name.get(name).copied()
    }

    /// Bytes of the definition of the tool at this place of the document.
    pub fn bytes_at(&self, idx: usize) -> u64 {
        self.document.tools[idx].definition.text().len() as u64
    }

    /// The measure of the tool at this place.
    pub fn measure_at(&self, idx: usize) -> Measure {
        let known = u64::from(self.compact_chars[idx].load(Ordering::Relaxed));
        if known > 0 {
            return Measure::new(self.bytes_at(idx), known);
        }
        let measure = Measure::of_definition(&self.document.tools[idx].definition);
        // One too long for the cell is counted each time.
        self.compact_chars[idx].store(u32::try_from(measure.compact_chars).unwrap_or(0), Ordering::Relaxed);
        measure
    }

    /// What the token count of the tool at this place is remembered by.
    pub fn hash_at(&self, idx: usize) -> ContentHash {
        *self.hashes[idx].get_or_init(|| meter::compact(&self.document.tools[idx].definition).0)
    }

    /// What the tool at this place takes in the listing of deferred tools.
    pub fn listing_line_at(&self, idx: usize) -> Line {
        let tool = &self.document.tools[idx];
        line::measure(tool.name.as_str(), tool.definition.text())
    }

    /// Whether the tool at this place goes behind an active bridge though no setting names it.
    pub fn is_deferrable_at(&self, idx: usize) -> bool {
        self.deferrable.get_or_init(|| {
            let core: HashSet<&str> = self.document.core_tools.iter().map(ToolName::as_str).collect();
            let deferrable = |tool: &Tool| {
                let (name, toolset) = (tool.name.as_str(), tool.toolset.as_str());
                disclosure::is_deferrable(self.rules(), self.host(), core.contains(name), name, toolset, false)
            };
            self.document.tools.iter().map(deferrable).collect()
        })[idx]
    }

    /// Places of a toolset's tools, in step with [`Toolset::tools`]; `None` for one that is not registered.
    pub(crate) fn members_at(&self, toolset: usize) -> &[Option<usize>] {
        self.members[toolset].get_or_init(|| {
            self.document.toolsets[toolset].tools.iter().map(|name| self.tool_index(name.as_str())).collect()
        })
    }

    /// The kept rows of a server that has registered tools.
    pub(crate) fn groups_of(&self, server: &str) -> Option<&Groups> {
        self.server_by_name.get(server).map(|idx| &self.groups[*idx])
    }

    /// A server's registered tools, in catalog order.
    pub fn tools_of_server(&self, server: &str) -> impl Iterator<Item = &Tool> {
        self.tool_indices_of_server(server).iter().map(|idx| &self.document.tools[*idx])
    }

    /// The same as places in the document.
    pub fn tool_indices_of_server(&self, server: &str) -> &[usize] {
        self.server_by_name.get(server).map_or(&[], |idx| &self.servers[*idx].places)
    }

    /// A tool of every registry toolset that a server's tools are in, as places in the document.
    pub(crate) fn toolset_samples_of_server(&self, server: &str) -> &[usize] {
        self.server_by_name.get(server).map_or(&[], |idx| &self.servers[*idx].runs)
    }

    /// Whether a toolset's name keeps the tools of this server out of every array.
    pub fn hides_server(&self, server: &str) -> bool {
        self.rules().toolsets_hide_servers
            && self.toolset(server).is_some_and(|toolset| toolset.kind != ToolsetKind::Mcp)
    }

    /// Names that several tools of servers ask for, whatever is on. Found out once, when it is first asked for.
    pub fn collisions(&self) -> &[NameCollision] {
        self.collisions.get_or_init(|| {
            let rules = &self.rules().schema;
            let mut owners: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
            for list in &self.document.server_lists {
                for original in &list.names {
                    let name = super::schema::registered_name(list.server.as_str(), original, rules);
                    let owner = (list.server.to_string(), original.clone());
                    let owners = owners.entry(name).or_default();
                    // The same tool told twice is one.
                    if !owners.contains(&owner) {
                        owners.push(owner);
                    }
                }
            }
            let shared = owners.into_iter().filter(|(_, owners)| owners.len() > 1);
            shared.map(|(name, owners)| NameCollision { name, owners }).collect()
        })
    }

    /// The list a server's names were read from, if any was.
    pub fn server_list(&self, server: &str) -> Option<&ServerList> {
        self.list_by_server.get(server).map(|idx| &self.document.server_lists[*idx])
    }

    /// Toolsets with a row in Hermes' checklist, in its order; plugins' follow.
    pub fn configurable(&self) -> impl Iterator<Item = &Toolset> {
        self.document.toolsets.iter().filter(|toolset| toolset.configurable)
    }

    /// The bundle that counts for a platform where nothing is saved: its own, or `hermes-<platform>`.
    pub fn default_toolset(&self, platform: &str) -> ToolsetKey {
        self.platform(platform)
            .map_or_else(|| format!("hermes-{platform}").into(), |platform| platform.default_toolset.clone())
    }
}

fn first_index<'a, K: std::hash::Hash + Eq + Clone + 'a>(
    keys: impl ExactSizeIterator<Item = &'a K>,
) -> HashMap<K, usize> {
    let mut index = HashMap::with_capacity(keys.len());
    for (idx, key) in keys.enumerate() {
        index.entry(key.clone()).or_insert(idx);
    }
    index
}

/// Numbers the servers that have tools, and gathers the places of those.
fn by_server(tools: &[Tool]) -> (HashMap<ServerName, usize>, Vec<ServerTools>) {
    let mut numbers = HashMap::new();
    let mut servers: Vec<ServerTools> = Vec::new();
    // A server's tools stand together, so its name is looked up once.
    let mut last: Option<(&ServerName, usize)> = None;
    for (idx, tool) in tools.iter().enumerate() {
        let Some(server) = &tool.server else { continue };
        let number = match last {
            Some((name, number)) if name == server => number,
            _ => *numbers.entry(server.clone()).or_insert_with(|| {
                servers.push(ServerTools::default());
                servers.len() - 1
            }),
        };
        last = Some((server, number));
        let known = &mut servers[number];
        if known.places.last().is_none_or(|last| tools[*last].toolset != tool.toolset) {
            known.runs.push(idx);
        }
        known.places.push(idx);
    }
    (numbers, servers)
}
