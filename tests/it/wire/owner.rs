//! A person with a real Hermes, a home, and conversations with the stub model.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use portable_pty::CommandBuilder;

use super::model::Model;
use crate::cli::User;
use crate::pty::Session;

/// Longer than a first start with three servers takes on a busy machine. Nothing waits that long when it works.
const PATIENCE: Duration = Duration::from_secs(150);

/// After so long without a message it is typed again.
const AGAIN: Duration = Duration::from_secs(6);

/// Between a text and the Enter that sends it, as fingers do.
const PAUSE: Duration = Duration::from_millis(700);

/// How a conversation is held.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    /// `hermes chat -q`.
    OneShot,
    /// Typed into `hermes` in a terminal.
    Interactive,
}

impl Way {
    /// The surface whose array it must be.
    pub(super) fn surface(self) -> &'static str {
        match self {
            Self::OneShot => "one-shot",
            Self::Interactive => "cli",
        }
    }
}

/// One home of one Hermes version.
pub(super) struct Owner {
    user: User,
    model: Model,
    version: &'static str,
}

impl Owner {
    /// With this config below a model section of its own. `[USER]` in it stands for the user's folder.
    pub(super) fn new(version: &'static str, config: &str) -> Self {
        let model = Model::start();
        let path = std::env::var("PATH").unwrap();
        let user = User::new().env("PATH", &path).env("LANG", "C.UTF-8");
        let config = config.replace("[USER]", &user.path("").display().to_string());
        // Discovery in the background must be over when the first message goes out, and 0.22 asks once about telemetry.
        let text = format!(
            "{}mcp_discovery_timeout: 120\n\
             telemetry: {{shared_metrics: {{enabled: false, send: false, offer_version: 2}}}}\n{config}",
            model.section()
        );
        Self { user: user.config(&text), model, version }
    }

    /// Runs one of our verbs and returns its stdout, byte for byte.
    pub(super) fn ours(&self, words: &[&str]) -> Vec<u8> {
        let launcher = crate::installs::launcher(self.version);
        let mut command = self.user.command(words);
        let output = command.arg("--hermes").arg(launcher).output().unwrap();
        assert!(output.status.success(), "{} {words:?}: {}", self.version, String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    /// What `preview --raw` prints.
    pub(super) fn preview(&self, way: Way) -> String {
        String::from_utf8(self.ours(&["preview", "--raw", "--surface", way.surface()])).unwrap()
    }

    /// Holds a conversation of one turn and returns the array it sent, as Python's
    /// `json.dumps(array, ensure_ascii=False)` prints it: the client library writes the same array without blanks, so the
    /// recorded text is read and printed again by Hermes' own Python, which keeps the order of keys.
    pub(super) fn talk(&self, way: Way) -> String {
        self.model.forget();
        let sent = match way {
            Way::OneShot => self.ask_once(),
            Way::Interactive => self.type_hello(),
        };
        python_text(&crate::installs::folder(self.version).join("bin/python"), &sent)
    }

    fn ask_once(&self) -> String {
        let output = Command::new(crate::installs::launcher(self.version))
            .args(["chat", "-q", "say hello"])
            .env_clear()
            .envs(self.environment())
            .current_dir(self.user.path(""))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        self.model.tools().unwrap_or_else(|| panic!("{}: {}", self.version, String::from_utf8_lossy(&output.stderr)))
    }

    fn type_hello(&self) -> String {
        let mut command = CommandBuilder::new(crate::installs::launcher(self.version));
        command.env_clear();
        for (name, value) in self.environment() {
            command.env(name, value);
        }
        command.env("TERM", "xterm-256color");
        command.cwd(self.user.path(""));
        let mut session = Session::start(command, 120, 40);
        session.wait_within(PATIENCE, "prompt", |session| session.screen().contains('❯'));
        // The prompt is drawn before it takes keys, so the person says it again until there is an answer.
        let deadline = Instant::now() + PATIENCE;
        while self.model.tools().is_none() && Instant::now() < deadline {
            session.press("hello");
            // Keys that come in one burst are a paste to 0.22, and Enter in a paste is a line break.
            std::thread::sleep(PAUSE);
            session.press("\r");
            let again = Instant::now() + AGAIN;
            session.wait_within(PATIENCE, "message to the model", |_| {
                self.model.tools().is_some() || Instant::now() > again
            });
        }
        self.model.tools().unwrap_or_else(|| panic!("{}: no message was sent", self.version))
    }

    fn environment(&self) -> [(&'static str, PathBuf); 4] {
        let path = std::env::var_os("PATH").unwrap();
        [
            ("HOME", self.user.path("")),
            ("HERMES_HOME", self.user.hermes()),
            ("PATH", path.into()),
            ("LANG", "C.UTF-8".into()),
        ]
    }
}

fn python_text(python: &Path, json: &str) -> String {
    use std::io::Write as _;
    let program = "import json, sys; array = json.loads(sys.stdin.buffer.read()); \
                   sys.stdout.buffer.write(json.dumps(array, ensure_ascii=False).encode())";
    let mut child =
        Command::new(python).args(["-c", program]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(json.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}
