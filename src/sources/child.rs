//! Processes we start: each leads a group of its own that ends with us, whatever it starts and on whatever path; lines
//! are read with a limit, and what was said last on stderr is kept to explain a failure.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::{Child, Command};

use crate::engine::text;

/// How much of stderr is kept to explain a failure.
const KEPT_STDERR_LINES: usize = 8;
const KEPT_STDERR_BYTES: usize = 4096;

/// The groups that run now, for [`end_all`].
static RUNNING: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// Kills every process we started, and what they started. For the end of the program by a signal, when nothing is dropped.
pub fn end_all() {
    let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    running.iter().copied().for_each(kill_group);
}

fn kill_group(leader: i32) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(leader) {
        // Fails only when nothing of the group is left.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// The child, ended with its whole group when this goes, on whatever path.
#[derive(Debug)]
pub(super) struct Process {
    pub(super) child: Child,
    /// The child leads it. Kept beside the child, which forgets its number when it has ended; helpers may be left then.
    group: Option<i32>,
}

impl Process {
    /// The group is known to [`end_all`] from its first moment on.
    pub(super) fn start(command: &mut Command) -> std::io::Result<Self> {
        #[cfg(unix)]
        command.process_group(0);
        command.kill_on_drop(true);
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let child = command.spawn()?;
        let group = child.id().map(u32::cast_signed);
        running.extend(group);
        Ok(Self { child, group })
    }

    /// Asks the group to end.
    pub(super) fn ask_to_end(&self) {
        #[cfg(unix)]
        if let Some(group) = self.group.and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::TERM);
        }
    }

    /// Ends the group, once: later its number may be another's.
    pub(super) fn kill(&mut self) {
        if let Some(group) = self.group.take() {
            RUNNING.lock().unwrap_or_else(PoisonError::into_inner).remove(&group);
            kill_group(group);
        }
        let _ = self.child.start_kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The next line without its end, of which only as many bytes are kept as its first one gives `room` for; `None` at
/// the end.
pub(super) async fn next_line(reader: &mut (impl AsyncBufRead + Unpin), room: impl Fn(u8) -> usize) -> Option<Vec<u8>> {
    let (mut line, mut limit, mut read) = (Vec::new(), None, false);
    loop {
        let part = reader.fill_buf().await.ok()?;
        let Some(first) = part.first() else { return read.then_some(line) };
        read = true;
        let end = part.iter().position(|byte| *byte == b'\n');
        let text = &part[..end.unwrap_or(part.len())];
        let left = limit.get_or_insert_with(|| room(*first)).saturating_sub(line.len());
        line.extend_from_slice(&text[..text.len().min(left)]);
        let used = end.map_or(part.len(), |end| end + 1);
        reader.consume(used);
        if end.is_some() {
            return Some(line);
        }
    }
}

/// The last lines of a process' stderr, for the reason of a death.
#[derive(Clone, Debug, Default)]
pub(super) struct Said(Arc<Mutex<VecDeque<String>>>);

impl Said {
    pub(super) async fn drain(self, stderr: impl AsyncRead + Unpin) {
        let mut reader = BufReader::new(stderr);
        while let Some(line) = next_line(&mut reader, |_| KEPT_STDERR_BYTES).await {
            self.keep(String::from_utf8_lossy(&line).trim_end());
        }
    }

    fn keep(&self, line: &str) {
        if line.is_empty() {
            return;
        }
        let Ok(mut lines) = self.0.lock() else { return };
        if lines.len() == KEPT_STDERR_LINES {
            lines.pop_front();
        }
        lines.push_back(text::clip(&text::visible(line), 300).to_string());
    }

    /// `: ` and the last line, or nothing where nothing was said.
    pub(super) fn text(&self) -> String {
        let Ok(lines) = self.0.lock() else { return String::new() };
        lines.back().map(|line| format!(": {line}")).unwrap_or_default()
    }

    /// The lines, oldest first.
    pub(super) fn lines(&self) -> Vec<String> {
        self.0.lock().map(|lines| lines.iter().cloned().collect()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    #[tokio::test]
    async fn a_line_without_end_takes_no_more_room_than_it_is_given() {
        let endless = tokio::io::repeat(b'x').take(100_000_000);
        let text = b"\nshort\n\n{\"id\": 1}\nlast".as_slice();
        let mut reader = BufReader::new(endless.chain(text));
        let room = |first: u8| if first == b'x' { 5 } else { 1000 };
        let mut lines = Vec::new();
        while let Some(line) = next_line(&mut reader, room).await {
            assert!(line.capacity() < 1000, "{}", line.capacity());
            lines.push(String::from_utf8(line).expect("is text"));
        }
        assert_eq!(lines, ["xxxxx", "short", "", "{\"id\": 1}", "last"]);
    }
}
