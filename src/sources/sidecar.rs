//! The user's own Hermes, asked through one child process that speaks JSON lines.

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
