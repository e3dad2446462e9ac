//! Which Python runs the user's Hermes. Reads files only; starts nothing.
//!
//! `hermes` can be pip's console script, a link to one (uv tool, pipx, the installer), or a small shell script that
//! starts one. Each is followed to the Python in the end; [`stamp`] says which install that Python sees.

mod script;
mod stamp;

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use script::Runs;

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

/// Launchers that start launchers: more than this is a circle.
const MAX_HOPS: usize = 8;

/// Finds the interpreter: `--hermes`, then `HERMES_TOOLS_PYTHON`, then `hermes` on `PATH`. Of several on `PATH` the
/// first usable one counts, because other programs have that name too.
///
/// # Errors
/// When nothing is found, or what was named cannot be followed to a Python.
pub fn locate(request: &LocateRequest) -> Result<Interpreter, LocateError> {
    let path_env = request.path_env.as_deref();
    if let Some(named) = request.hermes_flag.as_deref().or(request.python_env.as_deref()) {
        return Ok(interpreter(&named_file(named, path_env), path_env)?);
    }
    let mut first_error = None;
    for launcher in on_path("hermes", path_env) {
        match interpreter(&launcher, path_env) {
            Ok(found) => return Ok(found),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    Err(first_error.map_or(LocateError::NotInstalled, LocateError::from))
}

/// A file on the way that leads no further, and why.
struct DeadEnd {
    path: PathBuf,
    why: String,
}

impl DeadEnd {
    fn at(path: &Path, why: impl Into<String>) -> Self {
        Self { path: path.to_owned(), why: why.into() }
    }
}

impl From<DeadEnd> for LocateError {
    fn from(end: DeadEnd) -> Self {
        Self::Unusable { path: end.path, why: end.why }
    }
}

fn interpreter(start: &Path, path_env: Option<&OsStr>) -> Result<Interpreter, DeadEnd> {
    let python = follow(start, path_env)?;
    let launcher = (python != start).then(|| start.to_owned());
    let stamp = stamp::of(&python, launcher.as_deref());
    Ok(Interpreter { python, launcher, stamp })
}

/// What a person named: a file; a virtual environment's folder; a bare name to be looked up.
fn named_file(named: &Path, path_env: Option<&OsStr>) -> PathBuf {
    if !named.exists()
        && named.components().count() == 1
        && let Some(found) = named.to_str().and_then(|name| on_path(name, path_env).next())
    {
        return found;
    }
    let named = std::path::absolute(named).unwrap_or_else(|_| named.to_owned());
    if named.is_dir() {
        let inside = ["bin/python", "bin/python3", "venv/bin/python", ".venv/bin/python"];
        if let Some(found) = inside.iter().map(|name| named.join(name)).find(|path| path.is_file()) {
            return found;
        }
    }
    named
}

/// The executable files of a name, in the order of `PATH`. Relative entries do not count: where we were started must
/// not decide what is run.
fn on_path<'a>(name: &'a str, path_env: Option<&'a OsStr>) -> impl Iterator<Item = PathBuf> + 'a {
    path_env
        .into_iter()
        .flat_map(std::env::split_paths)
        .filter(|folder| folder.is_absolute())
        .map(move |folder| folder.join(name))
        .filter(|path| is_executable(path))
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// From a launcher to the Python it ends in.
fn follow(start: &Path, path_env: Option<&OsStr>) -> Result<PathBuf, DeadEnd> {
    let mut at = start.to_owned();
    for _ in 0..MAX_HOPS {
        let data = at.metadata().map_err(|error| DeadEnd::at(&at, missing(&at, &error)))?;
        if data.is_dir() {
            return Err(DeadEnd::at(&at, "this is a folder without bin/python"));
        }
        if !is_executable(&at) {
            return Err(DeadEnd::at(&at, "this file is not executable"));
        }
        let text = script::read(&at).map_err(|error| DeadEnd::at(&at, error.to_string()))?;
        let next = match text {
            None if is_python_name(&at) => return Ok(at),
            None => return Err(DeadEnd::at(&at, "this is neither a Python nor a script that starts one")),
            Some(text) => next_of(&at, &text, path_env)?,
        };
        at = next;
    }
    Err(DeadEnd::at(start, format!("it leads through more than {MAX_HOPS} scripts")))
}

/// What a script starts.
fn next_of(at: &Path, text: &str, path_env: Option<&OsStr>) -> Result<PathBuf, DeadEnd> {
    let found = match script::runs(text) {
        Runs::File(path) => path,
        Runs::Beside(relative) => beside(at).join(relative),
        Runs::Command(name) => {
            return on_path(&name, path_env)
                .find(|path| path != at)
                .ok_or_else(|| DeadEnd::at(at, format!("it starts `{name}`, which is not on PATH")));
        }
        Runs::PyenvShim { root } => return pyenv(at, &root),
        Runs::Unknown(why) => return Err(DeadEnd::at(at, why)),
    };
    if found.exists() {
        return Ok(found);
    }
    // A moved environment: its scripts still name the old place, its Python stands beside them.
    let sibling = found.file_name().map(|name| beside(at).join(name));
    match sibling.filter(|path| is_python_name(path) && is_executable(path)) {
        Some(python) => Ok(python),
        None => {
            let gone = found.display();
            Err(DeadEnd::at(at, format!("it starts {gone}, which does not exist; Hermes' install is broken or moved")))
        }
    }
}

/// The folder a script really is in, links followed.
fn beside(script: &Path) -> PathBuf {
    let real = script.canonicalize().unwrap_or_else(|_| script.to_owned());
    real.parent().map(Path::to_owned).unwrap_or_default()
}

/// A pyenv shim picks a version by rules that need pyenv; where only one version has the program there is no choice.
fn pyenv(shim: &Path, root: &Path) -> Result<PathBuf, DeadEnd> {
    let name = shim.file_name().unwrap_or_default();
    let versions = std::fs::read_dir(root.join("versions")).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = versions
        .filter(|entry| !entry.path().is_symlink())
        .map(|entry| entry.path().join("bin").join(name))
        .filter(|path| is_executable(path))
        .collect();
    match (found.pop(), found.is_empty()) {
        (Some(only), true) => Ok(only),
        (None, _) => Err(DeadEnd::at(shim, "this is a pyenv shim, and no version has that program")),
        (Some(_), false) => Err(DeadEnd::at(shim, "this is a pyenv shim, and several versions have that program")),
    }
}

fn is_python_name(path: &Path) -> bool {
    path.file_name().and_then(OsStr::to_str).is_some_and(script::is_python)
}

fn missing(path: &Path, error: &std::io::Error) -> String {
    if path.is_symlink() { format!("this link leads nowhere ({error})") } else { error.to_string() }
}

#[cfg(test)]
mod tests;
