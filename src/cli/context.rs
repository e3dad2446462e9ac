//! The only code that reads the environment: once, into values.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use etcetera::BaseStrategy;

use crate::engine::ids::PlatformKey;
use crate::engine::text::visible;
use crate::sources::home::HomeRequest;
use crate::sources::mcp::Variables;
use crate::sources::open::{self, Ask, Live, OpenRequest, Opened};
use crate::sources::sidecar::{Deadlines, LocateRequest};

use super::args::{ColorWhen, Global};
use super::error::CliError;
use super::printer::Printer;
use super::{signals, wait};

/// What the terminal can do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Terminal {
    pub stdin: bool,
    pub stdout: bool,
    /// `TERM`, where set.
    pub term: Option<String>,
    pub no_color: bool,
}

impl Terminal {
    fn read() -> Self {
        Self {
            stdin: std::io::stdin().is_terminal(),
            stdout: std::io::stdout().is_terminal(),
            term: text("TERM"),
            no_color: text("NO_COLOR").is_some(),
        }
    }

    /// Why the UI cannot be drawn here, if so.
    pub(super) fn unfit(&self) -> Option<&'static str> {
        match self.term.as_deref() {
            _ if !self.stdout => Some("stdout is not one"),
            _ if !self.stdin => Some("stdin is not one"),
            None => Some("TERM is not set"),
            Some("dumb") => Some("TERM is dumb"),
            Some(_) => None,
        }
    }

    fn shows_color(&self) -> bool {
        self.stdout && !self.no_color && self.term.as_deref().is_some_and(|term| term != "dumb")
    }
}

/// Everything a verb knows about the world outside.
#[derive(Clone, Debug)]
pub(super) struct Context {
    pub open: OpenRequest,
    pub terminal: Terminal,
    /// Our settings and user themes.
    pub config_dir: PathBuf,
    pub tokenizer: Option<String>,
    pub context_tokens: Option<u64>,
    pub live: bool,
    pub verbose: bool,
    /// No colour on screen: NO_COLOR or `--color never`.
    pub no_color: bool,
    /// The terminal or the locale shows only ASCII.
    pub ascii: bool,
    /// What `${VARIABLES}` of an MCP server stand for.
    pub variables: Variables,
    /// `VISUAL`, else `EDITOR`, in words.
    pub editor: Vec<String>,
}

/// Whether output is coloured: `--color`, else what the terminal shows.
pub(super) fn wants_color(when: ColorWhen) -> bool {
    match when {
        ColorWhen::Always => true,
        ColorWhen::Never => false,
        ColorWhen::Auto => Terminal::read().shows_color(),
    }
}

impl Context {
    pub(super) fn read(global: &Global) -> Result<Self, CliError> {
        let folders = etcetera::choose_base_strategy().map_err(|_| {
            CliError::failed("no home folder is known: HOME is not set").hint("set HOME to a folder of yours")
        })?;
        let home_env = text("HERMES_HOME");
        let open = OpenRequest {
            home: HomeRequest {
                home_flag: global.hermes_home.clone(),
                home_env_expanded: home_env
                    .as_deref()
                    .map(|home| PathBuf::from(expand(home, folders.home_dir(), text))),
                home_env,
                profile_flag: global.profile.clone(),
                user_home: Some(folders.home_dir().to_owned()),
                home_suffix: text("HERMES_DATA_DIR_SUFFIX"),
                supervised: text("HERMES_S6_SUPERVISED_CHILD").is_some(),
                managed_env: text("HERMES_MANAGED"),
                managed_dir: text("HERMES_MANAGED_DIR").map(PathBuf::from),
            },
            platform: None,
            catalog_file: global.catalog.clone(),
            surface: global.surface.map(Into::into),
            cache_dir: folders.cache_dir().join("hermes-tools"),
            state_dir: folders.state_dir().unwrap_or_else(|| folders.data_dir()).join("hermes-tools"),
            hermes: LocateRequest {
                hermes_flag: global.hermes.clone(),
                python_env: raw("HERMES_TOOLS_PYTHON").map(PathBuf::from),
                path_env: raw("PATH"),
            },
            now_s: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
            sample: global.sample,
            idle_variables: ["HERMES_DISABLED_TOOLSETS", "HERMES_DISABLED_TOOLS", "HERMES_TOOLSETS_DISABLED"]
                .into_iter()
                .filter(|name| text(name).is_some())
                .map(str::to_owned)
                .collect(),
        };
        Ok(Self {
            open,
            terminal: Terminal::read(),
            config_dir: folders.config_dir().join("hermes-tools"),
            tokenizer: global.tokenizer.clone(),
            context_tokens: global.context,
            live: global.live,
            verbose: global.verbose,
            no_color: text("NO_COLOR").is_some() && global.color != ColorWhen::Always
                || global.color == ColorWhen::Never,
            ascii: shows_only_ascii(),
            variables: Variables::new(
                std::env::vars_os()
                    .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
                    .collect(),
                Some(folders.home_dir().to_owned()),
                std::env::current_dir().unwrap_or_default(),
            ),
            editor: text("VISUAL")
                .or_else(|| text("EDITOR"))
                .map_or_else(Vec::new, |words| words.split_whitespace().map(str::to_owned).collect()),
        })
    }

    /// The same, asked about one platform.
    pub(super) fn on_platform(&self, platform: &PlatformKey) -> Self {
        Self { open: OpenRequest { platform: Some(platform.clone()), ..self.open.clone() }, ..self.clone() }
    }

    /// Opens, asking Hermes only where there is no usable snapshot or `--live` says so; says the notices.
    pub(super) fn open(&self, printer: &mut Printer) -> Result<Opened, CliError> {
        let opened = if self.live { None } else { Some(open::open(&self.open)?) };
        let opened = match opened {
            Some(opened) if !wants_answer(&opened) => opened,
            _ => self.ask(Ask::IfNeeded, printer)?.opened,
        };
        self.talk(&opened, printer);
        Ok(opened)
    }

    /// Says the notices, and with `-v` where everything was found.
    pub(super) fn talk(&self, opened: &Opened, printer: &mut Printer) {
        for notice in &opened.notices {
            printer.note(notice);
        }
        if !self.verbose {
            return;
        }
        let home = opened.home.path.display().to_string();
        printer.note(&format!("home {}, chosen by {}", visible(&home), opened.home.chosen.as_str()));
        let catalog = opened.catalog.catalog.document();
        printer.note(&format!("catalog: {}, surface {}", opened.catalog.source.as_str(), catalog.surface.as_str()));
        match &opened.interpreter {
            Ok(found) => printer.note(&format!("Hermes' Python: {}", visible(&found.python.display().to_string()))),
            Err(error) => printer.note(&visible(&error.to_string())),
        }
    }

    /// Opens and asks Hermes, in a runtime of its own: most verbs need none.
    pub(super) fn ask(&self, ask: Ask, printer: &mut Printer) -> Result<Live, CliError> {
        let ask = if self.live { Ask::Always } else { ask };
        let runtime = runtime()?;
        Ok(runtime.block_on(async {
            let asked = open::open_live(&self.open, ask, Deadlines::default());
            let mut live = wait::saying(&self.open, printer, asked).await?;
            if let Some(worker) = live.worker.take() {
                worker.stop().await;
            }
            Ok::<_, open::OpenError>(live)
        })?)
    }
}

/// The sample or an outdated snapshot is on show although Hermes could be asked.
fn wants_answer(opened: &Opened) -> bool {
    opened.interpreter.is_ok() && (opened.catalog.stale || opened.catalog.source == open::CatalogSource::Sample)
}

/// A runtime on this thread, for verbs that ask Hermes. From then on a signal ends Hermes too.
pub(super) fn runtime() -> Result<tokio::runtime::Runtime, CliError> {
    signals::watch();
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| CliError::failed(format!("cannot wait for Hermes: {error}")))
}

/// The Linux console, or a locale that is not UTF-8. An unset locale is the C locale.
fn shows_only_ascii() -> bool {
    let locale = text("LC_ALL").or_else(|| text("LC_CTYPE")).or_else(|| text("LANG")).unwrap_or_default();
    let locale = locale.to_ascii_lowercase();
    text("TERM").is_some_and(|term| term == "linux") || !(locale.contains("utf-8") || locale.contains("utf8"))
}

/// A variable that is set to something; text that is not UTF-8 is read lossily.
fn text(name: &str) -> Option<String> {
    raw(name).map(|value| value.to_string_lossy().into_owned())
}

fn raw(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// `~` and `$NAME`, `${NAME}` as Python's `expandvars` then `expanduser` read them; an unset name stays as written.
fn expand(text: &str, user_home: &std::path::Path, lookup: impl Fn(&str) -> Option<String>) -> String {
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text.trim();
    while let Some(at) = rest.find('$') {
        expanded.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let (name, length) = match after.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
            Some((name, _)) => (name, name.len() + 2),
            None => {
                let end = after.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
                let name = &after[..end.unwrap_or(after.len())];
                (name, name.len())
            }
        };
        match lookup(name).filter(|_| !name.is_empty()) {
            Some(value) => expanded.push_str(&value),
            None => expanded.push_str(&rest[at..=at + length]),
        }
        rest = &after[length..];
    }
    expanded.push_str(rest);
    match expanded.strip_prefix('~') {
        Some(below) if below.is_empty() || below.starts_with('/') => format!("{}{below}", user_home.display()),
        _ => expanded,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn expanded(text: &str) -> String {
        expand(text, Path::new("/home/demo"), |name| (name == "BASE").then(|| "/data".to_owned()))
    }

    #[test]
    fn homes_are_expanded_as_python_does() {
        assert_eq!(expanded("~/x"), "/home/demo/x");
        assert_eq!(expanded("~"), "/home/demo");
        assert_eq!(expanded("$BASE/${BASE}x"), "/data//datax");
        assert_eq!(expanded("/a/$UNSET/${UNSET}/b"), "/a/$UNSET/${UNSET}/b");
        assert_eq!(expanded("/a$/b"), "/a$/b");
        assert_eq!(expanded("/a/${BASE"), "/a/${BASE");
        assert_eq!(expanded("~other/x"), "~other/x");
    }

    #[test]
    fn the_ui_says_what_is_missing() {
        let fit = Terminal { stdin: true, stdout: true, term: Some("xterm".into()), no_color: false };
        assert_eq!(fit.unfit(), None);
        assert_eq!(Terminal { stdout: false, ..fit.clone() }.unfit(), Some("stdout is not one"));
        assert_eq!(Terminal { stdin: false, ..fit.clone() }.unfit(), Some("stdin is not one"));
        assert_eq!(Terminal { term: Some("dumb".into()), ..fit.clone() }.unfit(), Some("TERM is dumb"));
        assert_eq!(Terminal { term: None, ..fit }.unfit(), Some("TERM is not set"));
    }

    #[test]
    fn colour_needs_a_terminal_that_shows_it() {
        let colourful = Terminal { stdin: false, stdout: true, term: Some("xterm".into()), no_color: false };
        assert!(colourful.shows_color());
        assert!(!Terminal { no_color: true, ..colourful.clone() }.shows_color());
        assert!(!Terminal { stdout: false, ..colourful.clone() }.shows_color());
        assert!(!Terminal { term: Some("dumb".into()), ..colourful }.shows_color());
    }
}
