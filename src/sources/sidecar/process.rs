//! The worker as a process: started once, asked by number, ended with us.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::engine::catalog::{CatalogDocument, Surface};
use crate::engine::ids::PlatformKey;

use super::locate::Interpreter;
use super::protocol::{AssembleAnswer, AssembleRequest, Hello};

/// How long to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadlines {
    /// From the start to the first answer: importing Hermes takes seconds on a cold disk.
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
}

impl Worker {
    /// Starts Hermes' Python on a home and waits for its first answer.
    pub async fn start(interpreter: &Interpreter, home: &Path, deadlines: Deadlines) -> Result<Self, WorkerError> {
        let _ = (home, deadlines);
        Err(WorkerError::Spawn { python: interpreter.python.clone(), why: "not built yet".into() })
    }

    /// Who answered.
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    /// Everything that exists, as a surface's conversations find it.
    pub async fn catalog(&self, surface: Surface) -> Result<CatalogDocument, WorkerError> {
        let _ = surface;
        Err(WorkerError::Stopped)
    }

    /// The enabled names of platforms, sorted, by the host's own `_get_platform_tools`. `None` asks about the file on
    /// disk.
    pub async fn resolve(
        &self,
        config_text: Option<&str>,
        platforms: &[PlatformKey],
    ) -> Result<BTreeMap<PlatformKey, Vec<String>>, WorkerError> {
        let _ = (config_text, platforms);
        Err(WorkerError::Stopped)
    }

    /// The array the host builds for a selection.
    pub async fn assemble(&self, request: &AssembleRequest) -> Result<AssembleAnswer, WorkerError> {
        let _ = request;
        Err(WorkerError::Stopped)
    }

    /// Ends the process and waits until it is gone.
    pub async fn stop(self) {}
}
