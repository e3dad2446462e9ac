//! The words of the command line. What they mean is each verb's.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

use crate::engine::catalog::Surface;
use crate::engine::provider::Vendor;

const EXAMPLES: &str = "\
Examples:
  hermes-tools                                    open the terminal UI
  hermes-tools list --platform telegram           what is on for Telegram, why, and what it costs
  hermes-tools disable browser --platform telegram --dry-run
  hermes-tools disable github:delete_repo         one tool of an MCP server, on every platform
  hermes-tools --sample list                      try it without Hermes

Exit status: 0 done, 1 failed, 2 wrong usage, 3 refused to protect your data, 4 a check found something.";

/// See, measure and switch the tools a Hermes Agent carries.
#[derive(Debug, Parser)]
#[command(name = "hermes-tools", version, about, after_help = EXAMPLES, args_conflicts_with_subcommands = false)]
pub(super) struct Args {
    #[command(flatten)]
    pub global: Global,
    /// One line per platform: how much is on, and what is sent
    #[arg(long)]
    pub summary: bool,
    #[command(subcommand)]
    pub verb: Option<Verb>,
}

/// What every verb understands.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct Global {
    /// Hermes home to open (default: HERMES_HOME, else ~/.hermes)
    #[arg(long, global = true, value_name = "DIR", help_heading = "Which Hermes")]
    pub hermes_home: Option<PathBuf>,
    /// Profile to open (default: the active one)
    #[arg(short, long, global = true, value_name = "NAME", help_heading = "Which Hermes")]
    pub profile: Option<String>,
    /// `hermes` launcher, or the Python it runs with (default: found on PATH)
    #[arg(long, global = true, value_name = "PATH", help_heading = "Which Hermes")]
    pub hermes: Option<PathBuf>,
    /// Read what exists from a file written by `catalog export`
    #[arg(long, global = true, value_name = "FILE", help_heading = "Which Hermes")]
    pub catalog: Option<PathBuf>,
    /// Use the embedded sample instead of any Hermes
    #[arg(long, global = true, conflicts_with_all = ["catalog", "hermes", "live"], help_heading = "Which Hermes")]
    pub sample: bool,
    /// Ask Hermes now, also when its last answer is at hand
    #[arg(long, global = true, conflicts_with = "catalog", help_heading = "Which Hermes")]
    pub live: bool,
    /// Kind of process the figures are for (default: the one the platform's conversations have)
    #[arg(long, global = true, value_name = "NAME", help_heading = "Figures")]
    pub surface: Option<SurfaceName>,
    /// Size of the model's context window in tokens
    #[arg(long, global = true, value_name = "TOKENS", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Figures")]
    pub context: Option<u64>,
    /// Tokenizer to count with (default: the model's own where it is public, else o200k_base)
    #[arg(long, global = true, value_name = "NAME", help_heading = "Figures")]
    pub tokenizer: Option<String>,
    /// Print one JSON document
    #[arg(long, global = true, help_heading = "Output")]
    pub json: bool,
    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", default_value_t, value_enum, help_heading = "Output")]
    pub color: ColorWhen,
    /// Say more: where things were found, and why
    #[arg(short, long, global = true, help_heading = "Output")]
    pub verbose: bool,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ColorWhen {
    /// On a terminal, unless NO_COLOR is set or TERM is dumb
    #[default]
    Auto,
    Always,
    Never,
}

/// A surface, as it is spelled in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SurfaceName {
    /// The classic interactive CLI
    Cli,
    /// `hermes chat -q`
    OneShot,
    /// The full-screen TUI and the desktop app
    Tui,
    /// Messaging platforms and the API server
    Gateway,
    /// Cron runs
    Cron,
    /// What `hermes prompt-size` measures
    Inspect,
}

impl From<SurfaceName> for Surface {
    fn from(name: SurfaceName) -> Self {
        match name {
            SurfaceName::Cli => Self::Cli,
            SurfaceName::OneShot => Self::OneShot,
            SurfaceName::Tui => Self::Tui,
            SurfaceName::Gateway => Self::Gateway,
            SurfaceName::Cron => Self::Cron,
            SurfaceName::Inspect => Self::Inspect,
        }
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Toolsets, servers and tools of a platform: state, the rule that decided it, and cost
    List(ListArgs),
    /// Switch toolsets, servers or single server tools on
    Enable(SwitchArgs),
    /// Switch toolsets, servers or single server tools off
    Disable(SwitchArgs),
    /// Take back our last save of this home's config.yaml
    Undo,
    /// The settings of tool search: what is in force, and what each decides; set and unset them
    Settings(SettingsArgs),
    /// Keep what is on under a name, make it so again, and put the file back exactly as it was
    Preset {
        #[command(subcommand)]
        verb: PresetVerb,
    },
    /// What a platform's tools add to every request, to the byte
    PromptSize(PlatformArgs),
    /// What the model gets back from tool_search, and why
    Search(SearchArgs),
    /// What the model gets back from tool_describe, and whether a call would be let through
    Describe(DescribeArgs),
    /// What switching off each toolset and server would save, alone and in turn, and why it may save nothing
    Ablate(AblateArgs),
    /// Whether this set-up should use the bridge, what its array costs, and what would change that
    Advise(AdviseArgs),
    /// The array as the model sees it, what stands behind the bridge, and how it is listed
    Preview(PreviewArgs),
    /// MCP servers side by side: tools, bytes, tokens, share of the window, and cost over a conversation
    Servers(ServersArgs),
    /// What is odd about tools: schemas a provider refuses, hidden characters, orders to the model, twins
    Lint(LintArgs),
    /// Ask MCP servers for their tools: starts them, or connects to them, and ends them again
    Probe(ProbeArgs),
    /// Which Hermes was found, whether we resolve as it does, and what is odd about the config
    Doctor(DoctorArgs),
    /// What exists: show it, or write it to a file that --catalog reads
    Catalog {
        #[command(subcommand)]
        verb: CatalogVerb,
    },
    /// The keys of the terminal UI, yours included
    Keys,
    /// The themes of the terminal UI, yours included
    Themes,
    /// Print a completion script for a shell
    Completions { shell: clap_complete::Shell },
    /// Print the manual page
    Man,
}

/// Which platform, for verbs about one.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct PlatformArgs {
    /// Where the conversations happen: cli, telegram, cron, ...
    #[arg(long, value_name = "NAME", default_value = "cli")]
    pub platform: String,
}

/// `preview`.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct PreviewArgs {
    /// Where the conversations happen: cli, telegram, cron, ...
    #[arg(long, value_name = "NAME", default_value = "cli")]
    pub platform: String,
    /// Print the array exactly as it is measured, and nothing else
    #[arg(long, conflicts_with = "json")]
    pub raw: bool,
    /// Shape of the raw array
    #[arg(long, value_name = "NAME", default_value_t, value_enum, requires = "raw")]
    pub format: WireFormat,
}

/// `ablate`.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct AblateArgs {
    /// Where the conversations happen: cli, telegram, cron, ...
    #[arg(long, value_name = "NAME", default_value = "cli")]
    pub platform: String,
    /// Also switch off all of them in turn, each after those before it
    #[arg(long)]
    pub cumulative: bool,
    /// Find as few switches as bring the array to this many tokens
    #[arg(long, value_name = "N")]
    pub target_tokens: Option<u64>,
}

/// `advise`.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct AdviseArgs {
    /// Where the conversations happen: cli, telegram, cron, ...
    #[arg(long, value_name = "NAME", default_value = "cli")]
    pub platform: String,
    /// Turns of a conversation
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub turns: u64,
    /// How fast the model writes (default: assumed, 20 for a local model and 60 for another)
    #[arg(long, value_name = "X")]
    pub tokens_per_second: Option<f64>,
    /// Price of a million input tokens, in your currency
    #[arg(long, value_name = "X")]
    pub price_per_mtok: Option<f64>,
}

/// The wire shape of a tools array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum WireFormat {
    /// As Hermes holds and measures it
    #[default]
    Openai,
    /// The same tools as Anthropic's API takes them
    Anthropic,
}

/// `list`.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ListArgs {
    /// Where the conversations happen: cli, telegram, cron, ...
    #[arg(long, value_name = "NAME", default_value = "cli")]
    pub platform: String,
    /// Show every tool of every row
    #[arg(long)]
    pub tools: bool,
    /// One tab-separated record a line: kind, state, name, tool, fate, why, schema bytes, sent bytes, tokens
    #[arg(long, conflicts_with = "json")]
    pub plain: bool,
}

/// `enable` and `disable`.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct SwitchArgs {
    /// A toolset, a server, or server:tool; `*`, `?` and `[...]` stand for the names known now. `toolset:NAME` and
    /// `mcp:NAME` say which kind is meant
    #[arg(required = true, value_name = "NAME")]
    pub names: Vec<String>,
    /// Platform to switch it on (repeatable, or `all` in use). Without it: toolsets on cli, servers everywhere
    #[arg(long, value_name = "NAME")]
    pub platform: Vec<String>,
    /// Show the edit and what it changes, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Switch the names that work although others fail (the exit status stays 1)
    #[arg(long)]
    pub keep_going: bool,
}

/// `settings`.
#[derive(Debug, clap::Args)]
pub(super) struct SettingsArgs {
    /// Whose array to show the effect on; the settings count on every platform
    #[arg(long, value_name = "NAME", default_value = "cli")]
    pub platform: String,
    #[command(subcommand)]
    pub verb: Option<SettingsVerb>,
}

/// What to do with a setting.
#[derive(Debug, Subcommand)]
pub(super) enum SettingsVerb {
    /// Write a setting
    Set {
        key: String,
        #[arg(allow_hyphen_values = true)]
        value: String,
        #[command(flatten)]
        change: ChangeArgs,
    },
    /// Take a setting out, so that Hermes' own counts
    Unset {
        key: String,
        #[command(flatten)]
        change: ChangeArgs,
    },
}

/// How a change is shown.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ChangeArgs {
    /// Platform whose totals are shown; the setting counts on every one
    #[arg(long, value_name = "NAME", default_value = "cli")]
    pub platform: String,
    /// Show the edit and what it changes, and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// What to do with presets.
#[derive(Debug, Subcommand)]
pub(super) enum PresetVerb {
    /// The presets there are
    List,
    /// What a preset has on
    Show { name: String },
    /// Keep what is on now under a name
    Save(PresetSaveArgs),
    /// Make everything as a preset says
    Apply(PresetApplyArgs),
    /// Put config.yaml back, byte for byte, as it was before the first preset was applied
    Restore,
    /// Delete a preset
    Delete { name: String },
}

/// `preset save`.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct PresetSaveArgs {
    pub name: String,
    /// Platform to keep (repeatable, or `all` in use, which is the default)
    #[arg(long, value_name = "NAME")]
    pub platform: Vec<String>,
    /// Write over a preset of this name
    #[arg(long)]
    pub replace: bool,
}

/// `preset apply`.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct PresetApplyArgs {
    pub name: String,
    /// Platform to change (repeatable; default: all the preset has)
    #[arg(long, value_name = "NAME")]
    pub platform: Vec<String>,
    /// Show the edit and what it changes, and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// `search`.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct SearchArgs {
    /// A query as the model would send it; several for several queries of one call
    #[arg(required = true, value_name = "QUERY")]
    pub query: Vec<String>,
    /// Matches wanted for each query, as the model would ask
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub limit: Option<i64>,
    /// Show each word's part of each score, and the nearest tools that are not found
    #[arg(long)]
    pub explain: bool,
    /// Say what became of this tool
    #[arg(long, value_name = "TOOL")]
    pub why: Option<String>,
    /// Where the conversation happens: cli, telegram, cron, ...
    #[arg(long, value_name = "NAME", default_value = "cli")]
    pub platform: String,
}

/// `describe`.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct DescribeArgs {
    /// Name of a deferred tool; several for several names of one call
    #[arg(required = true, value_name = "NAME")]
    pub names: Vec<String>,
    /// Say whether tool_call would let these arguments through; exit status 4 if not. Nothing is called
    #[arg(long, value_name = "JSON")]
    pub call: Option<String>,
    /// Where the conversation happens: cli, telegram, cron, ...
    #[arg(long, value_name = "NAME", default_value = "cli")]
    pub platform: String,
}

/// `servers`.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ServersArgs {
    /// Turns of a conversation
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub turns: u64,
    /// The heaviest first
    #[arg(long)]
    pub by_cost: bool,
}

/// `lint`.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct LintArgs {
    /// A server, toolset or tool to look at, sent or not; none for every tool the model gets
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Where the conversations happen: cli, telegram, cron, ...
    #[arg(long, value_name = "NAME", default_value = "cli")]
    pub platform: String,
    /// Whose rules count (default: those of the model in use)
    #[arg(long, value_name = "NAME", value_enum)]
    pub provider: Option<ProviderName>,
    /// Look at every tool there is, whatever is on
    #[arg(long, conflicts_with = "names")]
    pub all: bool,
    /// Show the notes too: oddities this provider takes
    #[arg(long)]
    pub notes: bool,
    /// Exit with status 4 when there is a warning
    #[arg(long)]
    pub check: bool,
}

/// Whose rules a tool must follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ProviderName {
    /// OpenAI, and servers that speak its protocol
    Openai,
    Anthropic,
    Google,
}

impl From<ProviderName> for Vendor {
    fn from(name: ProviderName) -> Self {
        match name {
            ProviderName::Openai => Self::OpenAi,
            ProviderName::Anthropic => Self::Anthropic,
            ProviderName::Google => Self::Google,
        }
    }
}

/// `probe`.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ProbeArgs {
    /// A server of this config; none for all that are on
    #[arg(value_name = "SERVER")]
    pub server: Vec<String>,
    /// How long each may take, in seconds (default: its connect_timeout, else 60)
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub timeout: Option<u64>,
    /// How many are asked at once
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub jobs: usize,
    /// Name every tool
    #[arg(long)]
    pub tools: bool,
    /// Exit with status 4 when a list differs from the last one, or a filter names tools in vain
    #[arg(long)]
    pub check: bool,
}

/// `doctor`.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct DoctorArgs {
    /// Exit with status 4 when something needs attention
    #[arg(long)]
    pub check: bool,
    /// Show how long each step took
    #[arg(long)]
    pub timings: bool,
}

/// What to do with the catalog.
#[derive(Debug, Subcommand)]
pub(super) enum CatalogVerb {
    /// Where the catalog is from, and what is in it
    Show,
    /// Write the catalog to a file (it holds tool definitions, no settings and no secrets)
    Export { file: PathBuf },
}
