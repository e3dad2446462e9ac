//! The process that owns the worker, against shell scripts that behave as badly as a Python can.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hermes_tools::engine::catalog::Surface;
use hermes_tools::engine::ids::PlatformKey;
use hermes_tools::sources::sidecar::{Deadlines, Interpreter, Worker, WorkerError};

/// Takes the program off stdin, as Python would, then handles each question; `$id` is its number.
const OPENING: &str = r#"#!/bin/sh
read -r length
head -c "$length" >/dev/null
number() { id=${1##*\"id\":}; id=${id%%[,\}]*}; }
hello() { echo "{\"id\":$id,\"ok\":{\"hermes\":{\"version\":\"9\",\"home\":\"$HERMES_HOME\"},\"python_version\":\"3\",\"pid\":$$}}"; }
"#;

const DEADLINES: Deadlines = Deadlines { start: Duration::from_secs(20), question: Duration::from_secs(20) };

struct Fake {
    folder: tempfile::TempDir,
}

impl Fake {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn interpreter(&self, text: &str) -> Interpreter {
        let python = self.path("python");
        std::fs::write(&python, text).unwrap();
        std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755)).unwrap();
        Interpreter { python, launcher: None, stamp: "fake".into() }
    }

    async fn start(&self, text: &str, deadlines: Deadlines) -> Result<Worker, WorkerError> {
        Worker::start(&self.interpreter(&format!("{OPENING}{text}")), self.folder.path(), deadlines).await
    }
}

fn cli() -> Vec<PlatformKey> {
    vec!["cli".into()]
}

/// Whether a process runs; one that ended and waits to be collected does not.
pub(crate) fn runs(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with('Z'))
}

/// Waits until something holds; the time limit only ends a test that fails.
pub(crate) fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::yield_now();
    }
}

fn number_in(path: &Path) -> Option<u32> {
    std::fs::read_to_string(path).ok()?.trim().parse().ok()
}

#[tokio::test]
async fn noise_on_stdout_is_no_answer() {
    let fake = Fake::new();
    let worker = fake
        .start(
            r#"echo "Welcome to a library"; printf '\377\376 not text\n'; echo '{"id": 999999, "ok": 1}'; echo '{"broken'
            head -c 5000000 /dev/zero | tr '\0' x; echo
            while read -r line; do
                number "$line"
                case $line in
                    *hello*) hello;;
                    *) echo '[1, 2]'; echo "{\"id\":$id,\"ok\":{\"cli\":[\"web\"]}}"; echo more;;
                esac
            done"#,
            DEADLINES,
        )
        .await
        .unwrap();
    assert_eq!(worker.hello().hermes.version, "9");
    for _ in 0..3 {
        assert_eq!(worker.resolve(None, &cli()).await.unwrap()["cli"], ["web"]);
    }
    worker.stop().await;
}

#[tokio::test]
async fn answers_find_their_questions_in_any_order() {
    let fake = Fake::new();
    let worker = fake
        .start(
            r#"read -r line; number "$line"; hello
            read -r one; read -r two
            number "$two"; case $two in *first*) name=first;; *) name=second;; esac
            echo "{\"id\":$id,\"ok\":{\"cli\":[\"$name\"]}}"
            number "$one"; case $one in *first*) name=first;; *) name=second;; esac
            echo "{\"id\":$id,\"ok\":{\"cli\":[\"$name\"]}}"
            cat >/dev/null"#,
            DEADLINES,
        )
        .await
        .unwrap();
    let cli = cli();
    let (first, second) = tokio::join!(worker.resolve(Some("first"), &cli), worker.resolve(Some("second"), &cli));
    assert_eq!(
        (first.unwrap()["cli"].clone(), second.unwrap()["cli"].clone()),
        (vec!["first".into()], vec!["second".into()])
    );
}

#[tokio::test]
async fn a_crash_says_during_what_and_what_was_said_last() {
    let fake = Fake::new();
    let text =
        "read -r line; number \"$line\"; hello; read -r line; printf 'first\\n\\033[31mOut of memory\\n' >&2; exit 3";
    let worker = fake.start(text, DEADLINES).await.unwrap();
    let error = worker.catalog(Surface::Cli).await.unwrap_err();
    let WorkerError::Died { during, status, said } = &error else { panic!("{error}") };
    assert_eq!((during.as_str(), status.as_str()), ("catalog", "exit status: 3"));
    assert!(said.contains("Out of memory") && !said.contains('\u{1b}'), "{said:?}");
    assert_eq!(worker.resolve(None, &cli()).await.unwrap_err(), WorkerError::Stopped);
}

#[tokio::test]
async fn a_python_without_hermes_is_said_at_the_start() {
    let fake = Fake::new();
    let text = "echo \"ModuleNotFoundError: No module named 'hermes_cli'\" >&2; exit 1";
    let error = fake.start(text, DEADLINES).await.unwrap_err().to_string();
    assert!(error.contains("during hello (exit status: 1): ModuleNotFoundError"), "{error}");
}

#[tokio::test]
async fn what_cannot_be_run_is_named() {
    let fake = Fake::new();
    let gone = Interpreter { python: fake.path("gone"), launcher: None, stamp: String::new() };
    let error = Worker::start(&gone, fake.folder.path(), DEADLINES).await.unwrap_err().to_string();
    assert!(error.contains("/gone: No such file") && error.contains("--hermes"), "{error}");
}

#[tokio::test]
async fn a_hang_ends_at_its_deadline_and_so_does_the_process() {
    let fake = Fake::new();
    let short = Deadlines { question: Duration::from_millis(200), ..DEADLINES };
    let worker = fake.start("read -r line; number \"$line\"; hello; cat >/dev/null; sleep 1000", short).await.unwrap();
    let pid = worker.hello().pid;
    assert!(runs(pid));
    let error = worker.resolve(None, &cli()).await.unwrap_err();
    assert!(matches!(&error, WorkerError::Timeout { during, .. } if during == "resolve"), "{error}");
    tokio::task::spawn_blocking(move || wait_until("the hanging process is killed", || !runs(pid))).await.unwrap();
}

#[tokio::test]
async fn refusals_and_answers_of_the_wrong_shape_are_told_apart() {
    let fake = Fake::new();
    let worker = fake
        .start(
            r#"while read -r line; do
                number "$line"
                case $line in
                    *hello*) hello;;
                    *catalog*) echo "{\"id\":$id,\"error\":\"KeyError: \\u001b[2Jtoolsets\"}";;
                    *) echo "{\"id\":$id,\"ok\":[1]}";;
                esac
            done"#,
            DEADLINES,
        )
        .await
        .unwrap();
    let error = worker.catalog(Surface::Cli).await.unwrap_err();
    let WorkerError::Refused { message, .. } = &error else { panic!("{error}") };
    assert!(message.contains("KeyError") && !message.contains('\u{1b}'), "{message:?}");
    let error = worker.resolve(None, &cli()).await.unwrap_err();
    assert!(matches!(&error, WorkerError::Garbled { during, .. } if during == "resolve"), "{error}");
}

/// A worker that started a helper of its own, and the process ids of both.
async fn with_helper(fake: &Fake) -> (Worker, [u32; 2]) {
    let text = format!(
        "sleep 1000 & echo $! >{}\nread -r line; number \"$line\"; hello; sleep 1000",
        fake.path("helper").display()
    );
    let worker = fake.start(&text, DEADLINES).await.unwrap();
    let pids = [worker.hello().pid, number_in(&fake.path("helper")).unwrap()];
    assert!(pids.into_iter().all(runs));
    (worker, pids)
}

#[tokio::test]
async fn what_the_worker_started_ends_with_it() {
    let fake = Fake::new();
    let (worker, [pid, helper]) = with_helper(&fake).await;
    worker.stop().await;
    assert!(!runs(pid), "stop waits");
    tokio::task::spawn_blocking(move || wait_until("the helper is killed too", || !runs(helper))).await.unwrap();
}

#[tokio::test]
async fn the_last_clone_ends_the_process() {
    let fake = Fake::new();
    let (worker, pids) = with_helper(&fake).await;
    let clone = worker.clone();
    drop(worker);
    assert!(runs(pids[0]), "one clone is left");
    drop(clone);
    tokio::task::spawn_blocking(move || wait_until("both are killed", || !pids.into_iter().any(runs))).await.unwrap();
}

#[tokio::test]
async fn a_worker_that_writes_without_end_is_ended_at_its_deadline() {
    let fake = Fake::new();
    let short = Deadlines { question: Duration::from_millis(500), ..DEADLINES };
    for noise in ["tr '\\0' x </dev/zero", "tr '\\0' x </dev/zero >&2", "tr '\\0' '{' </dev/zero | head -c 900000000"] {
        let text = format!("read -r line; number \"$line\"; hello; {noise}; cat >/dev/null");
        let worker = fake.start(&text, short).await.unwrap();
        let pid = worker.hello().pid;
        let error = worker.resolve(None, &cli()).await.unwrap_err();
        assert!(matches!(&error, WorkerError::Timeout { during, .. } if during == "resolve"), "{error}");
        tokio::task::spawn_blocking(move || wait_until("the noisy process is killed", || !runs(pid))).await.unwrap();
    }
}

#[tokio::test]
async fn a_worker_that_does_not_read_is_ended_at_its_deadline() {
    let fake = Fake::new();
    let short = Deadlines { question: Duration::from_millis(500), ..DEADLINES };
    let worker = fake.start("read -r line; number \"$line\"; hello; sleep 1000", short).await.unwrap();
    let pid = worker.hello().pid;
    // More than a pipe holds.
    let config = "x".repeat(1 << 20);
    let error = worker.resolve(Some(&config), &cli()).await.unwrap_err();
    assert!(matches!(&error, WorkerError::Timeout { .. }), "{error}");
    tokio::task::spawn_blocking(move || wait_until("the process is killed", || !runs(pid))).await.unwrap();
}

#[tokio::test]
async fn what_a_crashed_worker_started_ends_too() {
    let fake = Fake::new();
    let helper = fake.path("helper");
    let text = format!(
        "read -r line; number \"$line\"; hello; sleep 1000 >/dev/null 2>&1 & echo $! >{}; read -r line; exit 3",
        helper.display()
    );
    let worker = fake.start(&text, DEADLINES).await.unwrap();
    assert!(matches!(worker.resolve(None, &cli()).await, Err(WorkerError::Died { .. })));
    let helper = number_in(&helper).unwrap();
    tokio::task::spawn_blocking(move || wait_until("the helper is killed", || !runs(helper))).await.unwrap();
}
