//! A server we start: its pipes, and its end.

use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, Command};
use tokio::sync::mpsc;

use crate::sources::child::{Process, Said, next_line};

use super::endpoint::Launch;
use super::wire::{Fault, Link, Seen, link};

/// The longest message that is taken.
pub(super) const MAX_MESSAGE_BYTES: usize = 64 * 1024 * 1024;

/// How long a server may take to end by itself, and again after it was told to.
const GRACE: Duration = Duration::from_millis(400);

/// A running server.
pub(super) struct Running {
    process: Process,
    pub(super) said: Said,
}

/// Starts a server.
///
/// # Errors
/// In words, where it cannot be started.
pub(super) fn start(launch: &Launch, seen: &Seen) -> Result<(Running, Link), String> {
    let mut command = Command::new(&launch.command);
    command
        .args(&launch.args)
        .env_clear()
        .envs(&launch.environment)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(folder) = &launch.folder {
        command.current_dir(folder);
    }
    let mut process = Process::start(&mut command).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound if launch.folder.as_ref().is_some_and(|folder| !folder.is_dir()) => {
            "the folder in \"cwd\" does not exist".to_owned()
        }
        std::io::ErrorKind::NotFound => {
            "its command was not found; check \"command\" and the PATH it is looked for in".to_owned()
        }
        _ => format!("its command cannot be started: {error}"),
    })?;
    let pipes = (process.child.stdin.take(), process.child.stdout.take(), process.child.stderr.take());
    let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
        return Err("its pipes cannot be opened".to_owned());
    };
    let said = Said::default();
    tokio::spawn(said.clone().drain(stderr));
    let (link, to_send, received) = link();
    tokio::spawn(write(stdin, to_send));
    tokio::spawn(read(stdout, received, seen.clone()));
    Ok((Running { process, said }, link))
}

async fn write(mut stdin: ChildStdin, mut messages: mpsc::UnboundedReceiver<String>) {
    while let Some(mut message) = messages.recv().await {
        message.push('\n');
        if stdin.write_all(message.as_bytes()).await.is_err() || stdin.flush().await.is_err() {
            return;
        }
    }
}

/// Every line is handed on, noise too, which is told from messages further up; what is too long is a fault.
async fn read(stdout: impl AsyncRead + Unpin, received: mpsc::Sender<String>, seen: Seen) {
    let mut reader = BufReader::with_capacity(1 << 16, stdout);
    while let Some(line) = next_line(&mut reader, |_| MAX_MESSAGE_BYTES + 1).await {
        if line.len() > MAX_MESSAGE_BYTES {
            seen.fail(Fault::Failed(format!("it sent a line of more than {} MB", MAX_MESSAGE_BYTES >> 20)));
            return;
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        if received.send(String::from_utf8_lossy(&line).into_owned()).await.is_err() {
            return;
        }
    }
}

impl Running {
    /// How it ended, where it has: in words.
    pub(super) async fn ended(&mut self) -> Option<String> {
        match tokio::time::timeout(GRACE, self.process.child.wait()).await {
            Ok(Ok(status)) => Some(status.to_string()),
            _ => None,
        }
    }

    /// Waits for the end that the closed stdin brings, asks for it, and then makes it. Its whole group is gone after.
    pub(super) async fn end(mut self) {
        if self.ended().await.is_none() {
            self.process.ask_to_end();
            let _ = self.ended().await;
        }
        self.process.kill();
        let _ = self.process.child.wait().await;
    }
}
