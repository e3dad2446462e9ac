//! Which Python runs the user's Hermes. Reads files only; starts nothing.

use std::path::PathBuf;

/// Where to look for the interpreter behind `hermes`.
#[derive(Clone, Debug, Default)]
pub struct LocateRequest {
    /// `--hermes PATH`: a launcher or a Python.
    pub hermes_flag: Option<PathBuf>,
    /// `HERMES_TOOLS_PYTHON`.
    pub python_env: Option<PathBuf>,
    /// The value of `PATH`.
    pub path_env: Option<std::ffi::OsString>,
}

/// A Python that can import Hermes, as far as files tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interpreter {
    /// As it is run: links inside a virtual environment are kept, because they select it.
    pub python: PathBuf,
    /// The `hermes` it was found through.
    pub launcher: Option<PathBuf>,
    /// Changes when the install does: a snapshot or memo with another stamp is of another Hermes.
    pub stamp: String,
}

/// Why no interpreter was found. The text says what was tried and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LocateError {
    /// There is no `hermes` on `PATH`.
    #[error("no `hermes` on PATH; install Hermes Agent, or point --hermes at its launcher or Python")]
    NotInstalled,
    /// The named file cannot be used.
    #[error("{path}: {why}; point --hermes at Hermes' launcher or the Python it runs with", path = .path.display())]
    Unusable { path: PathBuf, why: String },
}

/// Finds the interpreter: `--hermes`, then `HERMES_TOOLS_PYTHON`, then `hermes` on `PATH`.
pub fn locate(request: &LocateRequest) -> Result<Interpreter, LocateError> {
    let _ = request;
    Err(LocateError::NotInstalled)
}
