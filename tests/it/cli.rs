//! The real binary in a scrubbed environment: a home of its own, no Hermes on PATH, the sample's catalog from a file.

mod defects;
mod disk;
mod field;
mod homes;
mod lint;
mod look;
mod odd;
mod preset;
mod probe;
#[cfg(feature = "real-hermes")]
mod real;
mod search;
mod secrets;
mod settings;
mod switch;
mod waiting;
mod weigh;

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hermes_tools::engine::catalog::CatalogDocument;
use hermes_tools::engine::rules::Rules;
use hermes_tools::sources::sample;

/// A user with a home folder, in which `.hermes` may hold a config.
pub(crate) struct User {
    folder: tempfile::TempDir,
    env: Vec<(String, String)>,
    /// Words before the verb, such as `--catalog FILE`.
    global: Vec<String>,
}

/// What a run left behind.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// The one JSON document on stdout.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}\n{self}"))
    }
}

impl fmt::Display for Ran {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "exit {}\n--- stdout\n{}--- stderr\n{}", self.code, self.stdout, self.stderr)
    }
}

impl User {
    /// With an empty Hermes home and nothing else.
    pub(crate) fn new() -> Self {
        let user = Self { folder: tempfile::tempdir().unwrap(), env: Vec::new(), global: Vec::new() };
        std::fs::create_dir(user.hermes()).unwrap();
        user
    }

    /// With the sample's catalog in a file and this config.
    pub(crate) fn with_config(config: &str) -> Self {
        Self::with_catalog(&sample::catalog()).config(config)
    }

    /// The same, as Hermes 0.19 would read and filter.
    pub(crate) fn with_config_of_0_19(config: &str) -> Self {
        let document = CatalogDocument { rules: Rules::v0_19(), ..sample::catalog() };
        Self::with_catalog(&document).config(config)
    }

    pub(crate) fn with_catalog(document: &CatalogDocument) -> Self {
        let mut user = Self::new();
        let file = user.path("catalog.json");
        std::fs::write(&file, serde_json::to_vec(document).unwrap()).unwrap();
        user.global = vec!["--catalog".into(), file.display().to_string()];
        user
    }

    pub(crate) fn config(self, text: &str) -> Self {
        std::fs::write(self.config_path(), text).unwrap();
        self
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn hermes(&self) -> PathBuf {
        self.path(".hermes")
    }

    pub(crate) fn config_path(&self) -> PathBuf {
        self.hermes().join("config.yaml")
    }

    pub(crate) fn config_text(&self) -> String {
        std::fs::read_to_string(self.config_path()).unwrap()
    }

    /// The binary, with nothing of the tester's environment.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hermes-tools"));
        command
            .args(&self.global)
            .args(words)
            .env_clear()
            .env("HOME", self.folder.path())
            .env("PATH", self.path("no-programs"))
            .env("HERMES_MANAGED_DIR", self.path("no-managed-scope"))
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .current_dir(self.folder.path())
            .stdin(Stdio::null());
        command
    }

    /// Runs to the end; the user's folder shows as `[USER]`.
    pub(crate) fn run(&self, words: &[&str]) -> Ran {
        let output = self.command(words).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace(&self.shown_folder(), "[USER]");
        Ran { code: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    fn shown_folder(&self) -> String {
        self.folder.path().display().to_string()
    }
}

/// Every file under a folder with its content, to prove that looking changes nothing.
pub(crate) fn tree(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path.clone());
                found.push((path, Vec::new()));
            } else {
                let content = std::fs::read(&path).unwrap();
                found.push((path, content));
            }
        }
    }
    found.sort();
    found
}
