//! A real Hermes in its own Python, asked through `tests/oracle/resolve.py`. One process for a version and a setting.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use hermes_tools::engine::catalog::CatalogDocument;
use hermes_tools::engine::rules::Rules;

/// Which install.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    V19,
    V22,
}

/// What surrounds the config: the environment and the plugins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// Nothing set.
    Plain,
    /// `HASS_TOKEN` and `XAI_API_KEY` are set.
    Tokens,
    /// A plugin with one tool is enabled.
    Plugin,
}

impl Setting {
    pub(super) const ALL: [Self; 3] = [Self::Plain, Self::Tokens, Self::Plugin];

    fn variables(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Tokens => &[("HASS_TOKEN", "demo"), ("XAI_API_KEY", "demo")],
            Self::Plain | Self::Plugin => &[],
        }
    }
}

impl Version {
    /// The folder of this install.
    pub(super) fn folder(self) -> PathBuf {
        crate::installs::folder(match self {
            Self::V19 => "v19",
            Self::V22 => "v22",
        })
    }
}

/// A running Hermes with a home of its own.
pub(super) struct Host {
    version: Version,
    setting: Setting,
    home: tempfile::TempDir,
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Host {
    pub(super) fn start(version: Version, setting: Setting) -> Self {
        let home = tempfile::tempdir().unwrap();
        if setting == Setting::Plugin {
            write_plugin(home.path());
        }
        let mut child = Self::python(version, setting, home.path())
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/resolve.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let questions = child.stdin.take().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Self { version, setting, home, child, questions, answers }
    }

    /// The install's Python in a home, with nothing of our own environment that Hermes would read.
    fn python(version: Version, setting: Setting, home: &std::path::Path) -> Command {
        let mut command = Command::new(version.folder().join("bin/python"));
        command.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", home).env("HERMES_HOME", home).arg("-P");
        command.envs(setting.variables().iter().copied()).current_dir(home);
        command
    }

    /// What `_get_platform_tools` returns, sorted by code point, or why Hermes stopped.
    pub(super) fn resolve(&mut self, config: &str, platform: &str) -> Result<Vec<String>, String> {
        self.ask(&serde_json::json!({ "config": config, "platform": platform }), "enabled")
    }

    /// The servers that are enabled at all.
    pub(super) fn servers(&mut self, config: &str) -> Result<Vec<String>, String> {
        self.ask(&serde_json::json!({ "config": config }), "servers")
    }

    /// Which of these tools Hermes registers for a server, by its filter.
    pub(super) fn admitted(&mut self, config: &str, server: &str, tools: &[&str]) -> Result<Vec<String>, String> {
        self.ask(&serde_json::json!({ "config": config, "server": server, "tools": tools }), "admitted")
    }

    fn ask(&mut self, question: &serde_json::Value, answered: &str) -> Result<Vec<String>, String> {
        writeln!(self.questions, "{question}").unwrap();
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        let answer: serde_json::Value = serde_json::from_str(&line).unwrap();
        match answer[answered].as_array() {
            Some(names) => Ok(names.iter().map(|name| name.as_str().unwrap().to_owned()).collect()),
            None => Err(answer["error"].to_string()),
        }
    }

    /// `hermes tools list` for a platform, on the config the last question wrote.
    pub(super) fn tools_list(&self, platform: &str) -> String {
        let launcher = "import sys; from hermes_cli.main import main; sys.argv = ['hermes', *sys.argv[1:]]; main()";
        let output = Self::python(self.version, self.setting, self.home.path())
            .args(["-c", launcher, "tools", "list", "--platform", platform])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    /// The toolsets and platforms of this home, under our rules for the version.
    pub(super) fn catalog(&self) -> CatalogDocument {
        let rules = match self.version {
            Version::V19 => Rules::v0_19(),
            Version::V22 => Rules::v0_22(),
        };
        let output = Self::python(self.version, self.setting, self.home.path())
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/catalog.py"))
            .arg(serde_json::to_string(&rules).unwrap())
            .output()
            .unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        // It ends by itself when its questions end; a stuck one must not outlive the test.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A plugin of our own: one toolset, `weather`, with one tool.
fn write_plugin(home: &std::path::Path) {
    let folder = home.join("plugins/weather");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(
        folder.join("plugin.yaml"),
        "name: weather\nversion: 1.0.0\ndescription: demo\nauthor: demo\nprovides_tools: [weather_ask]\n",
    )
    .unwrap();
    std::fs::write(
        folder.join("__init__.py"),
        "def register(ctx):\n    ctx.register_tool(\n        name='weather_ask', toolset='weather',\n        schema={'name': 'weather_ask', 'description': 'demo', 'parameters': {'type': 'object', 'properties': {}}},\n        handler=lambda *args, **kwargs: '{}')\n",
    )
    .unwrap();
    std::fs::write(home.join("config.yaml"), "plugins:\n  enabled: [weather]\n").unwrap();
}
