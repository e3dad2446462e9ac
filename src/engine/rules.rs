//! Behaviour that differs between Hermes versions, as data the worker reports. Nothing here is guessed from a version
//! string: each field is the answer to a question put to the installed code.

use serde::{Deserialize, Serialize};

/// How the installed Hermes reads YAML.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dialect {
    /// PyYAML's safe loader (YAML 1.1): `on` is true, `y` is text, `017` is 15, `1e3` is text, the last of two
    /// equal keys wins. Hermes 0.19.
    PyYaml,
    /// ruamel.yaml's safe loader with YAML 1.1 rules, as Hermes 0.22 sets it up to load `config.yaml`: `on` and also `y`
    /// are true, `017` is 15, `1e3` is a float, equal keys are an error.
    Ruamel,
}

/// What an empty `tools.include` list of an MCP server means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EmptyInclude {
    /// No filter: every tool (0.19).
    All,
    /// Nothing is registered (0.22).
    Nothing,
}

/// When the tool-search bridge takes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Activation {
    /// No tool search in this version.
    Absent,
    /// `auto` means: when the deferrable tools outweigh a share of the context (0.19).
    Threshold,
    /// `auto` means: as soon as one tool can be deferred (0.22).
    AnyDeferrable,
}

/// Which tool keeps a registered name that two tools of MCP servers ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Collision {
    /// The one registered last (0.19).
    #[default]
    LaterWins,
    /// Two tools of one server: neither; of two servers: the one registered first (0.22).
    NoneOrFirst,
}

/// How tools of MCP servers become definitions. The default is the behaviour of 0.19; 0.22 sets every field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SchemaRules {
    /// Characters of the longest registered name; a longer one is cut and ends with a hash. `None`: any length.
    pub name_limit: Option<usize>,
    pub collision: Collision,
    /// Invisible Unicode tag characters are taken out of descriptions.
    pub tags_removed: bool,
    /// A union of constants of one type becomes an `enum`.
    pub const_unions_folded: bool,
    /// `{"required": [...]}` without type and properties stays as it is, and a map of named schemas is never taken for
    /// a schema.
    pub fragments_kept: bool,
    /// Values of keywords that hold no schema are data. Otherwise the texts of a list under any unknown keyword are
    /// taken for schemas, `default: ["a"]` included.
    pub literals_kept: bool,
    /// Every object has a `required` list, an empty one if need be.
    pub required_always: bool,
    /// Property names that providers refuse are rewritten.
    pub properties_renamed: bool,
    /// `required: true` on a property moves into the list of its object.
    pub required_flags_lifted: bool,
}

impl SchemaRules {
    /// The behaviour measured on Hermes 0.22.2.
    pub fn v0_22() -> Self {
        Self {
            name_limit: Some(64),
            collision: Collision::NoneOrFirst,
            tags_removed: true,
            const_unions_folded: true,
            fragments_kept: true,
            literals_kept: true,
            required_always: true,
            properties_renamed: true,
            required_flags_lifted: true,
        }
    }
}

/// The host's version-dependent behaviour.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    pub dialect: Dialect,
    /// A string such as `'["web"]'` under `platform_toolsets.<p>` counts as the list it spells (0.22).
    pub list_literal_strings: bool,
    /// The legacy name `hermes` stands for `hermes-cli` and `hermes-api-server` (0.22).
    pub legacy_hermes_name: bool,
    /// A plugin's toolset key in a list makes the list explicit, and does not pass through (0.22).
    pub plugin_keys_are_explicit: bool,
    /// `agent.disabled_toolsets` may be text or a list literal (0.22).
    pub disabled_may_be_text: bool,
    /// Toolsets whose every tool is stripped by `agent.disabled_toolsets` are pruned from the enabled set (0.22).
    pub prune_stripped: bool,
    /// A root `toolsets: [kanban]` adds kanban where no list is saved (0.22).
    pub root_kanban: bool,
    /// `HASS_TOKEN` in the environment exempts `homeassistant` from default-off (0.19).
    pub hass_token_exempts: bool,
    /// A save records the offered builtin toolsets under `known_builtin_toolsets` (0.22).
    pub known_builtin_toolsets: bool,
    /// Toolsets switched on for saved lists that never offered them (0.22's hook; empty so far).
    #[serde(default)]
    pub recently_shipped: Vec<String>,
    /// MCP filters understand `*`, `?` and `[` (0.22).
    pub filter_globs: bool,
    pub empty_include: EmptyInclude,
    /// A float under a server's `enabled` counts by its truth (0.22); before, every float meant on.
    #[serde(default)]
    pub enabled_floats: bool,
    /// Server definitions survive on disk in `cache/mcp_schema_cache.json` (0.22).
    pub mcp_schema_cache: bool,
    /// A server named like a toolset never gets its tools into an array: the name stands for the toolset alone (0.19).
    #[serde(default)]
    pub toolsets_hide_servers: bool,
    /// `${userHome}`, `${workspaceFolder}` and their like are filled in where a server is reached (0.22).
    #[serde(default)]
    pub context_variables: bool,
    /// Servers are always told that sampling can use tools (0.19); else only where their entry says so.
    #[serde(default)]
    pub sampling_tools: bool,
    pub activation: Activation,
    /// Names in `tools.tool_search.defer` may be built-in tools (0.22).
    pub builtins_deferrable: bool,
    /// The deferred catalog is listed inside `tool_search` (0.22).
    pub tiered_listing: bool,
    #[serde(default)]
    pub schema: SchemaRules,
}

impl Rules {
    /// The behaviour measured on Hermes 0.19.0.
    pub fn v0_19() -> Self {
        Self {
            dialect: Dialect::PyYaml,
            list_literal_strings: false,
            legacy_hermes_name: false,
            plugin_keys_are_explicit: false,
            disabled_may_be_text: false,
            prune_stripped: false,
            root_kanban: false,
            hass_token_exempts: true,
            known_builtin_toolsets: false,
            recently_shipped: Vec::new(),
            filter_globs: false,
            empty_include: EmptyInclude::All,
            enabled_floats: false,
            mcp_schema_cache: false,
            toolsets_hide_servers: true,
            context_variables: false,
            sampling_tools: true,
            activation: Activation::Threshold,
            builtins_deferrable: false,
            tiered_listing: false,
            schema: SchemaRules::default(),
        }
    }

    /// The behaviour measured on Hermes 0.22.2.
    pub fn v0_22() -> Self {
        Self {
            dialect: Dialect::Ruamel,
            list_literal_strings: true,
            legacy_hermes_name: true,
            plugin_keys_are_explicit: true,
            disabled_may_be_text: true,
            prune_stripped: true,
            root_kanban: true,
            hass_token_exempts: false,
            known_builtin_toolsets: true,
            recently_shipped: Vec::new(),
            filter_globs: true,
            empty_include: EmptyInclude::Nothing,
            enabled_floats: true,
            mcp_schema_cache: true,
            toolsets_hide_servers: false,
            context_variables: true,
            sampling_tools: false,
            activation: Activation::AnyDeferrable,
            builtins_deferrable: true,
            tiered_listing: true,
            schema: SchemaRules::v0_22(),
        }
    }
}
