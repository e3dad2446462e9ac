//! Which Hermes home and profile, and how that was decided. Looks; creates nothing.
//!
//! The order is the `hermes` launcher's (0.19 and 0.22): an explicit profile, then a `HERMES_HOME` that is a profile
//! itself, then the sticky `active_profile`, then `HERMES_HOME` or the platform's default. `--hermes-home` is ours and
//! opens exactly the folder it names.

use std::path::{Path, PathBuf};

use crate::engine::text::visible;

/// The profile that is the root itself.
pub const DEFAULT_PROFILE: &str = "default";
/// What Hermes calls a home that is neither a root nor under `profiles`.
const CUSTOM_PROFILE: &str = "custom";
/// Any of these makes a folder under `profiles` a profile (0.22; folders left behind by logs and caches have none).
const IDENTITY_FILES: [&str; 6] = ["config.yaml", ".env", "SOUL.md", "profile.yaml", "auth.json", "state.db"];

/// What the environment and the command line say, read once by `cli::context`.
#[derive(Clone, Debug, Default)]
pub struct HomeRequest {
    /// `--hermes-home`.
    pub home_flag: Option<PathBuf>,
    /// `HERMES_HOME`, as it is: 0.19 takes it literally.
    pub home_env: Option<String>,
    /// `HERMES_HOME` with `~` and `$VARS` expanded, as 0.22 reads it. Counts where the literal folder does not exist.
    pub home_env_expanded: Option<PathBuf>,
    /// `-p` / `--profile`.
    pub profile_flag: Option<String>,
    /// The user's own home folder.
    pub user_home: Option<PathBuf>,
    /// `HERMES_DATA_DIR_SUFFIX`: appended to the default folder's name (0.22).
    pub home_suffix: Option<String>,
    /// `HERMES_S6_SUPERVISED_CHILD` is set: the sticky profile does not count.
    pub supervised: bool,
    /// `HERMES_MANAGED`, as it is.
    pub managed_env: Option<String>,
    /// `HERMES_MANAGED_DIR`, where not empty; else `/etc/hermes`.
    pub managed_dir: Option<PathBuf>,
}

/// How the home was chosen, for the title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    HomeFlag,
    ProfileFlag,
    HomeEnv,
    ActiveProfile,
    Default,
    /// The embedded sample.
    Sample,
}

impl Chosen {
    /// The way in words: what a person would change to choose another.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::HomeFlag => "--hermes-home",
            Self::ProfileFlag => "--profile",
            Self::HomeEnv => "HERMES_HOME",
            Self::ActiveProfile => "active_profile",
            Self::Default => "default",
            Self::Sample => "sample",
        }
    }
}

/// A home, found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    /// The folder: the root, or `<root>/profiles/<name>`. Absolute, links kept.
    pub path: PathBuf,
    pub root: PathBuf,
    /// `default` for the root itself, `custom` for a folder that is neither root nor profile.
    pub profile: String,
    pub chosen: Chosen,
    /// Every profile there is, `default` first, the others by name.
    pub profiles: Vec<String>,
    pub exists: bool,
    /// Why a save is refused here, if it is (`HERMES_MANAGED`, a `.managed` marker, the sample).
    pub managed: Option<String>,
    /// An administrator's `config.yaml` whose values win over the user's, leaf by leaf.
    pub managed_scope: Option<PathBuf>,
}

impl Home {
    pub fn config_path(&self) -> PathBuf {
        self.path.join("config.yaml")
    }
}

/// Why there is no home to show. Names are sanitised.
#[derive(Debug, thiserror::Error)]
pub enum HomeError {
    #[error("profile '{name}' does not exist ({path}); known profiles: {known}", path = .path.display())]
    NoSuchProfile { name: String, path: PathBuf, known: String },
    #[error(
        "the active profile '{name}' no longer exists (named in {file}); known profiles: {known}; choose one with \
         --profile, or switch back with `hermes profile use default`", file = .file.display()
    )]
    ActiveProfileGone { name: String, file: PathBuf, known: String },
    #[error("'{name}' is no profile name: small letters, digits, '-' and '_', at most 64")]
    BadProfileName { name: String },
    #[error("cannot read {path}: {source}", path = .path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("{path} is a file, not a folder", path = .path.display())]
    NotAFolder { path: PathBuf },
    #[error("no home folder is known: HOME is not set; name a Hermes home with --hermes-home")]
    NoUserHome,
}

/// Decides, in the launcher's order.
pub fn find(request: &HomeRequest) -> Result<Home, HomeError> {
    let native = native_home(request);
    let (start, start_chosen) = match (&request.home_flag, env_home(request), &native) {
        (Some(flag), ..) => (absolute(flag), Chosen::HomeFlag),
        (None, Some(env), _) => (absolute(&env), Chosen::HomeEnv),
        (None, None, Some(native)) => (native.clone(), Chosen::Default),
        (None, None, None) => return Err(HomeError::NoUserHome),
    };
    let root = root_of(&start, native.as_deref());
    let (path, chosen) = match &request.profile_flag {
        Some(name) => (profile_path(&root, name, |error| error)?, Chosen::ProfileFlag),
        None if start_chosen == Chosen::HomeFlag || is_profile_path(&start) => (start, start_chosen),
        None => match sticky_profile(&root, request.supervised) {
            Some(name) => (profile_path(&root, &name, |error| gone(error, &root))?, Chosen::ActiveProfile),
            None => (start, start_chosen),
        },
    };
    let exists = folder_exists(&path)?;
    Ok(Home {
        profile: profile_of(&path, &root),
        profiles: profiles(&root),
        managed: managed(request.managed_env.as_deref(), &path),
        managed_scope: managed_scope(request.managed_dir.as_deref()),
        chosen,
        exists,
        root,
        path,
    })
}

fn native_home(request: &HomeRequest) -> Option<PathBuf> {
    let suffix = request.home_suffix.as_deref().unwrap_or("");
    request.user_home.as_ref().map(|home| home.join(format!(".hermes{suffix}")))
}

/// The two versions differ in `~/x`: a literal folder of that name is what 0.19 means; else the expansion is.
fn env_home(request: &HomeRequest) -> Option<PathBuf> {
    let literal = request.home_env.as_deref().map(str::trim).filter(|text| !text.is_empty())?;
    let literal = PathBuf::from(literal);
    match &request.home_env_expanded {
        Some(expanded) if !literal.exists() => Some(expanded.clone()),
        _ => Some(literal),
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// The folder whose `profiles` and `active_profile` count for a home.
fn root_of(home: &Path, native: Option<&Path>) -> PathBuf {
    if let Some(native) = native
        && real(home).starts_with(real(native))
    {
        return native.to_owned();
    }
    match home.parent() {
        Some(parent) if is_profile_path(home) => parent.parent().unwrap_or(parent).to_owned(),
        _ => home.to_owned(),
    }
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn is_profile_path(home: &Path) -> bool {
    home.parent().and_then(Path::file_name).is_some_and(|name| name == "profiles")
}

fn profile_of(home: &Path, root: &Path) -> String {
    if real(home) == real(root) {
        return DEFAULT_PROFILE.to_owned();
    }
    let name = home.file_name().map(|name| name.to_string_lossy().into_owned());
    match name {
        Some(name) if is_profile_path(home) && is_profile_name(&name) => name,
        _ => CUSTOM_PROFILE.to_owned(),
    }
}

fn is_profile_name(name: &str) -> bool {
    let first_is_plain = name.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let all_fit =
        name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_'));
    first_is_plain && all_fit && name.len() <= 64
}

fn profile_path(root: &Path, name: &str, explain: impl Fn(HomeError) -> HomeError) -> Result<PathBuf, HomeError> {
    let name = name.trim().to_ascii_lowercase();
    if name == DEFAULT_PROFILE {
        return Ok(root.to_owned());
    }
    if !is_profile_name(&name) {
        return Err(HomeError::BadProfileName { name: visible(&name).into_owned() });
    }
    let path = root.join("profiles").join(&name);
    if path.is_dir() && !is_deleted(root, &name) {
        return Ok(path);
    }
    Err(explain(HomeError::NoSuchProfile { name, path, known: profiles(root).join(", ") }))
}

fn gone(error: HomeError, root: &Path) -> HomeError {
    match error {
        HomeError::NoSuchProfile { name, known, .. } => {
            HomeError::ActiveProfileGone { name, known, file: root.join("active_profile") }
        }
        other => other,
    }
}

/// The tombstone 0.22 leaves when a profile is deleted: what is still there is not a profile any more.
fn is_deleted(root: &Path, name: &str) -> bool {
    root.join("profiles").join(".deleted").join(name).exists()
}

/// The name in `<root>/active_profile`. A file that cannot be read as text counts as none, as in Hermes.
fn sticky_profile(root: &Path, supervised: bool) -> Option<String> {
    if supervised {
        return None;
    }
    let text = super::file::read_text(&root.join("active_profile")).ok()?;
    let name = text.trim_start_matches('\u{feff}').trim();
    (!name.is_empty() && name != DEFAULT_PROFILE).then(|| name.to_owned())
}

fn profiles(root: &Path) -> Vec<String> {
    let mut named: Vec<String> = std::fs::read_dir(root.join("profiles"))
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| IDENTITY_FILES.iter().any(|file| entry.path().join(file).symlink_metadata().is_ok()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| is_profile_name(name) && name != DEFAULT_PROFILE && !is_deleted(root, name))
        .collect();
    named.sort_unstable();
    named.insert(0, DEFAULT_PROFILE.to_owned());
    named
}

fn folder_exists(path: &Path) -> Result<bool, HomeError> {
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Ok(true),
        Ok(_) => Err(HomeError::NotAFolder { path: path.to_owned() }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(source) => Err(HomeError::Unreadable { path: path.to_owned(), source }),
    }
}

/// Who owns the configuration, by 0.22's words. 0.19 knows no word for *no*, so that there `HERMES_MANAGED=false` means
/// managed; that was a defect and is not copied.
pub fn managed(env: Option<&str>, home: &Path) -> Option<String> {
    let marker = home.join(".managed");
    let (word, signal) = match env.map(str::trim).filter(|word| !word.is_empty()) {
        Some(word) => (word.to_lowercase(), "HERMES_MANAGED is set".to_owned()),
        None if marker.exists() => {
            let text = super::file::read(&marker).map(|(text, _)| text).unwrap_or_default();
            (String::from_utf8_lossy(&text).trim().to_lowercase(), format!("{} exists", marker.display()))
        }
        None => return None,
    };
    let owner = match word.as_str() {
        "false" | "0" | "no" | "off" | "brew" | "homebrew" => return None,
        "" | "true" | "1" | "yes" | "nix" | "nixos" => "NixOS".to_owned(),
        other => visible(other).into_owned(),
    };
    Some(format!("this Hermes is managed by {owner} ({signal}); change its declaration there"))
}

fn managed_scope(folder: Option<&Path>) -> Option<PathBuf> {
    let file = folder.unwrap_or(Path::new("/etc/hermes")).join("config.yaml");
    file.is_file().then_some(file)
}

#[cfg(test)]
mod tests;
