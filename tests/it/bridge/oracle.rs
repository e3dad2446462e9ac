//! A real Hermes in its own Python, asked through `tests/oracle/bridge.py`. One process for a version.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value as Json;

/// A running Hermes with a home of its own.
pub(super) struct Oracle {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
    _home: tempfile::TempDir,
}

impl Oracle {
    pub(super) fn start(version: &str) -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut child = Command::new(crate::installs::folder(version).join("bin/python"))
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", home.path())
            .env("HERMES_HOME", home.path())
            .current_dir(home.path())
            .args(["-P", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/bridge.py")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let questions = child.stdin.take().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Self { child, questions, answers, _home: home }
    }

    pub(super) fn ask(&mut self, question: &Json) -> Json {
        writeln!(self.questions, "{question}").unwrap();
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        // It ends by itself when its questions end; a stuck one must not outlive the test.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
