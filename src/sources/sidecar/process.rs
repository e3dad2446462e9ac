//! The worker as a process: started once, asked by number, ended with us.
//!
//! One task owns the pipes. Questions reach it over a channel and are answered in whatever order the worker answers; a
//! question that is not answered in time ends the process, because Python cannot be interrupted half-way.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use tokio::io::{AsyncRead, AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, Command};
use tokio::sync::{mpsc, oneshot};

use crate::engine::catalog::{CatalogDocument, Surface};
use crate::engine::ids::PlatformKey;
use crate::engine::text;

use super::locate::Interpreter;
use super::protocol::{AssembleAnswer, AssembleRequest, Hello, Told};
use crate::sources::child::{Process, Said, next_line};

/// Our program, sent over stdin so that it needs no file.
const PROGRAM: &str = include_str!("worker.py");

/// Reads the program's length and text from stdin and runs it; the questions follow on the same stdin.
/// A failure ends it without Python's own clearing up, which would wait for the thread that reads stdin.
const BOOT: &str = "\
import os, sys
n = int(sys.stdin.buffer.readline())
try:
    exec(compile(sys.stdin.buffer.read(n), 'hermes-tools-worker', 'exec'))
except BaseException:
    import traceback
    traceback.print_exc()
    os._exit(1)
";

/// The longest answer that is taken: a catalog of 100,000 tools has a fifth of it.
const MAX_ANSWER_BYTES: usize = 256 * 1024 * 1024;

/// Answers that wait to be handed out; more keep the worker waiting.
const ANSWERS_AHEAD: usize = 16;

/// How long to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadlines {
    /// From the start to the first answer, and where it is asked at once what exists, to that one: importing Hermes
    /// takes seconds on a cold disk.
    pub start: Duration,
    /// For one question.
    pub question: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self { start: Duration::from_secs(30), question: Duration::from_secs(20) }
    }
}

/// What went wrong with the worker. The texts are sanitised and say what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkerError {
    #[error("cannot run {python}: {why}; point --hermes at Hermes' launcher or the Python it runs with", python = .python.display())]
    Spawn { python: PathBuf, why: String },
    /// The process ended; what it said last is in the text.
    #[error("Hermes' Python ended during {during} ({status}){said}")]
    Died { during: String, status: String, said: String },
    /// Nothing came in time; the process was killed.
    #[error("Hermes did not answer {during} within {seconds} s{said}")]
    Timeout { during: String, seconds: u64, said: String },
    /// The worker answered that it cannot.
    #[error("{during}: {message}")]
    Refused { during: String, message: String },
    /// The answer is not what it should be.
    #[error("Hermes' answer to {during} cannot be read: {why}")]
    Garbled { during: String, why: String },
    /// The worker was stopped by us.
    #[error("the Hermes worker is stopped")]
    Stopped,
}

/// One running worker. Clones share the process; it is killed when the last one goes.
#[derive(Clone, Debug)]
pub struct Worker {
    hello: Arc<Hello>,
    line: Line,
}

/// The way to the owning task.
#[derive(Clone, Debug)]
struct Line {
    questions: mpsc::UnboundedSender<Order>,
    deadlines: Deadlines,
}

/// What the owning task is told.
#[derive(Debug)]
enum Order {
    Ask {
        ask: &'static str,
        line: String,
        number: u64,
        reply: Reply,
    },
    /// A question outlived its deadline: the process is of no more use.
    GiveUp,
    Stop(oneshot::Sender<()>),
}

type Reply = oneshot::Sender<Result<Box<RawValue>, WorkerError>>;

/// One line from the worker.
#[derive(Deserialize)]
struct Answer {
    id: u64,
    ok: Option<Box<RawValue>>,
    error: Option<String>,
}

impl Worker {
    /// Starts Hermes' Python on a home and waits for its first answer.
    pub async fn start(interpreter: &Interpreter, home: &Path, deadlines: Deadlines) -> Result<Self, WorkerError> {
        let spawn_failed = |why: std::io::Error| WorkerError::Spawn {
            python: interpreter.python.clone(),
            why: text::visible(&why.to_string()).into_owned(),
        };
        let mut command = Command::new(&interpreter.python);
        command
            .args(["-u", "-P", "-c", BOOT])
            .env("HERMES_HOME", home)
            .env("PYTHONIOENCODING", "utf-8")
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut process = Process::start(&mut command).map_err(spawn_failed)?;
        let child = &mut process.child;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(WorkerError::Stopped);
        };
        let said = Said::default();
        tokio::spawn(said.clone().drain(stderr));
        let (questions, orders) = mpsc::unbounded_channel();
        let (lines, answers) = mpsc::channel(ANSWERS_AHEAD);
        tokio::spawn(read_answers(stdout, lines));
        let (written, to_write) = mpsc::unbounded_channel();
        tokio::spawn(write_texts(stdin, to_write));
        let owner = Owner { process, stdin: Some(written), waiting: HashMap::new(), said };
        tokio::spawn(owner.run(orders, answers));
        let line = Line { questions, deadlines };
        let hello = line.ask_within("hello", &serde_json::json!({}), deadlines.start).await?;
        Ok(Self { hello: Arc::new(hello), line })
    }

    /// Who answered.
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    /// Everything that exists, as a surface's conversations find it.
    pub async fn catalog(&self, surface: Surface) -> Result<CatalogDocument, WorkerError> {
        self.line.ask("catalog", &serde_json::json!({ "surface": surface })).await
    }

    /// The enabled names of platforms, sorted, by the host's own `_get_platform_tools`. `None` asks about the file on
    /// disk.
    pub async fn resolve(
        &self,
        config_text: Option<&str>,
        platforms: &[PlatformKey],
    ) -> Result<BTreeMap<PlatformKey, Vec<String>>, WorkerError> {
        self.line.ask("resolve", &serde_json::json!({ "config_text": config_text, "platforms": platforms })).await
    }

    /// Hands in what servers told us, in place of what it was told before. Answers which lists Hermes' MCP library does
    /// not take, and why.
    pub async fn tell(&self, lists: &[Told]) -> Result<BTreeMap<String, String>, WorkerError> {
        self.line.ask("tell", &serde_json::json!({ "lists": lists })).await
    }

    /// Starts Hermes' Python, tells it the lists of servers, and asks what exists, all within the deadline of the start.
    pub async fn start_with_catalog(
        interpreter: &Interpreter,
        home: &Path,
        surface: Surface,
        lists: &[Told],
        deadlines: Deadlines,
    ) -> Result<(Self, CatalogDocument), WorkerError> {
        let begun = tokio::time::Instant::now();
        let worker = Self::start(interpreter, home, deadlines).await?;
        if !lists.is_empty() {
            worker.tell(lists).await?;
        }
        let left = deadlines.start.saturating_sub(begun.elapsed());
        let question = serde_json::json!({ "surface": surface });
        let document = worker.line.ask_within("catalog", &question, left).await.map_err(|error| match error {
            // What a person waited for is the whole.
            WorkerError::Timeout { during, said, .. } => {
                WorkerError::Timeout { during, seconds: deadlines.start.as_secs(), said }
            }
            error => error,
        })?;
        Ok((worker, document))
    }

    /// The array the host builds for a selection.
    pub async fn assemble(&self, request: &AssembleRequest) -> Result<AssembleAnswer, WorkerError> {
        self.line.ask("assemble", request).await
    }

    /// Ends the process and waits until it is gone.
    pub async fn stop(self) {
        let (done, gone) = oneshot::channel();
        if self.line.questions.send(Order::Stop(done)).is_ok() {
            // An error means that the task is gone already, and the process with it.
            let _ = gone.await;
        }
    }
}

impl Line {
    async fn ask<T: DeserializeOwned>(
        &self,
        ask: &'static str,
        question: &impl serde::Serialize,
    ) -> Result<T, WorkerError> {
        self.ask_within(ask, question, self.deadlines.question).await
    }

    async fn ask_within<T: DeserializeOwned>(
        &self,
        ask: &'static str,
        question: &impl serde::Serialize,
        deadline: Duration,
    ) -> Result<T, WorkerError> {
        let garbled = |why: serde_json::Error| WorkerError::Garbled {
            during: ask.to_owned(),
            why: text::visible(&why.to_string()).into_owned(),
        };
        let number = next_number();
        let mut message = serde_json::to_value(question).map_err(garbled)?;
        message["id"] = number.into();
        message["ask"] = ask.into();
        let (reply, answer) = oneshot::channel();
        let order = Order::Ask { ask, line: format!("{message}\n"), number, reply };
        self.questions.send(order).map_err(|_| WorkerError::Stopped)?;
        match tokio::time::timeout(deadline, answer).await {
            Ok(Ok(answer)) => serde_json::from_str(answer?.get()).map_err(garbled),
            Ok(Err(_)) => Err(WorkerError::Stopped),
            Err(_) => {
                let _ = self.questions.send(Order::GiveUp);
                let seconds = deadline.as_secs();
                Err(WorkerError::Timeout { during: ask.to_owned(), seconds, said: String::new() })
            }
        }
    }
}

fn next_number() -> u64 {
    static NUMBER: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
}

/// The task that owns the process.
struct Owner {
    process: Process,
    /// To the task that writes; the worker's stdin ends with it.
    stdin: Option<mpsc::UnboundedSender<String>>,
    waiting: HashMap<u64, (&'static str, Reply)>,
    said: Said,
}

impl Owner {
    async fn run(mut self, mut orders: mpsc::UnboundedReceiver<Order>, mut answers: mpsc::Receiver<String>) {
        self.write(format!("{}\n{PROGRAM}", PROGRAM.len()));
        loop {
            tokio::select! {
                order = orders.recv() => match order {
                    Some(Order::Ask { ask, line, number, reply }) => {
                        self.waiting.insert(number, (ask, reply));
                        self.write(line);
                    }
                    Some(Order::GiveUp) | None => return,
                    Some(Order::Stop(done)) => {
                        self.stdin = None;
                        self.process.kill();
                        let _ = self.process.child.wait().await;
                        let _ = done.send(());
                        return;
                    }
                },
                line = answers.recv() => match line {
                    Some(line) => self.deliver(&line),
                    None => return self.report_death().await,
                },
            }
        }
    }

    fn write(&self, text: String) {
        // A writer that has ended means that the process is gone; the end of its stdout says so with the reason.
        let _ = self.stdin.as_ref().map(|stdin| stdin.send(text));
    }

    /// Hands an answer to whoever asked. A line that is no answer is noise some import printed.
    fn deliver(&mut self, line: &str) {
        let Ok(answer) = serde_json::from_str::<Answer>(line) else { return };
        let Some((ask, reply)) = self.waiting.remove(&answer.id) else { return };
        let outcome = match (answer.ok, answer.error) {
            (Some(ok), _) => Ok(ok),
            (None, error) => Err(WorkerError::Refused {
                during: ask.to_owned(),
                message: text::visible(&error.unwrap_or_default()).into_owned(),
            }),
        };
        // Nobody waits any more: the question was given up.
        let _ = reply.send(outcome);
    }

    async fn report_death(mut self) {
        self.stdin = None;
        let status = match tokio::time::timeout(Duration::from_secs(1), self.process.child.wait()).await {
            Ok(Ok(status)) => status.to_string(),
            _ => "it closed its output".to_owned(),
        };
        let said = self.said.text();
        for (ask, reply) in std::mem::take(&mut self.waiting).into_values() {
            let _ = reply.send(Err(WorkerError::Died {
                during: ask.to_owned(),
                status: status.clone(),
                said: said.clone(),
            }));
        }
    }
}

/// Writes beside the owner, which a worker that does not read must not keep from ending it.
async fn write_texts(mut stdin: ChildStdin, mut texts: mpsc::UnboundedReceiver<String>) {
    while let Some(text) = texts.recv().await {
        if stdin.write_all(text.as_bytes()).await.is_err() || stdin.flush().await.is_err() {
            return;
        }
    }
}

async fn read_answers(stdout: impl AsyncRead + Unpin, lines: mpsc::Sender<String>) {
    let mut reader = BufReader::with_capacity(1 << 16, stdout);
    // An answer is an object; noise is not kept, however long.
    let room = |first: u8| if first == b'{' { MAX_ANSWER_BYTES } else { 0 };
    while let Some(line) = next_line(&mut reader, room).await {
        if !line.is_empty() && lines.send(String::from_utf8_lossy(&line).into_owned()).await.is_err() {
            return;
        }
    }
}
