//! The user's own Hermes, asked through one child process that speaks JSON lines.
//!
//! [`locate`] finds the Python behind the `hermes` launcher without starting anything. [`Worker::start`] runs our
//! `worker.py` in it; the worker imports Hermes and answers questions about a home: what exists, what a config
//! switches on, which array is sent. It never writes the home's config and never connects anywhere.

mod locate;
mod process;
mod protocol;

pub use locate::{Interpreter, LocateError, LocateRequest, locate};
pub use process::{Deadlines, Worker, WorkerError};
pub use protocol::{AssembleAnswer, AssembleRequest, Hello, Told};
