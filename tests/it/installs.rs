//! Where the two real Hermes versions are that `tests/run` fetched.

use std::path::PathBuf;

/// The folder of an install, `v19` or `v22`: a virtual environment.
pub(crate) fn folder(version: &str) -> PathBuf {
    let root = std::env::var_os("HERMES_TOOLS_TEST_HERMES")
        .map(PathBuf::from)
        .unwrap_or_else(|| PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cache/hermes-tools-tests/hermes"));
    root.join(version)
}

/// Its `hermes`.
pub(crate) fn launcher(version: &str) -> PathBuf {
    folder(version).join("bin/hermes")
}
