//! The unsaved draft on disk, so that a crash or a lost terminal costs nothing. One file per config file, in our own
//! state folder, removed when the draft is saved or forgotten. It holds names only, nothing of the config's text.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::engine::draft::Target;
use crate::engine::plan::NewValue;
use crate::engine::setting::Setting;

/// A wish as it is kept.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kept {
    Toolset { platform: String, name: String, on: bool },
    ServerOn { platform: String, name: String, on: bool },
    Server { name: String, on: bool },
    ServerTool { server: String, name: String, on: bool },
    NoMcp { platform: String, on: bool },
    Setting { setting: Setting, value: Option<NewValue> },
}

impl Kept {
    fn of(target: &Target, on: bool) -> Self {
        match target {
            Target::Toolset(platform, name) => {
                Self::Toolset { platform: platform.to_string(), name: name.to_string(), on }
            }
            Target::ServerOn(platform, name) => {
                Self::ServerOn { platform: platform.to_string(), name: name.to_string(), on }
            }
            Target::Server(name) => Self::Server { name: name.to_string(), on },
            Target::ServerTool(server, name) => Self::ServerTool { server: server.to_string(), name: name.clone(), on },
            Target::NoMcp(platform) => Self::NoMcp { platform: platform.to_string(), on },
            Target::Setting(setting, value) => Self::Setting { setting: *setting, value: value.clone() },
        }
    }

    fn wish(self) -> (Target, bool) {
        match self {
            Self::Toolset { platform, name, on } => (Target::Toolset(platform.into(), name.into()), on),
            Self::ServerOn { platform, name, on } => (Target::ServerOn(platform.into(), name.into()), on),
            Self::Server { name, on } => (Target::Server(name.into()), on),
            Self::ServerTool { server, name, on } => (Target::ServerTool(server.into(), name), on),
            Self::NoMcp { platform, on } => (Target::NoMcp(platform.into()), on),
            Self::Setting { setting, value } => (Target::Setting(setting, value), true),
        }
    }
}

/// The file a config's draft is kept in.
pub(super) fn path(state_dir: &Path, config: &Path) -> PathBuf {
    let digest = Sha256::digest(config.as_os_str().as_encoded_bytes());
    let name: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    state_dir.join("drafts").join(format!("{name}.json"))
}

/// The kept draft; nothing where there is none or it cannot be read.
pub(super) fn load(path: &Path) -> Vec<(Target, bool)> {
    let kept: Option<Vec<Kept>> = std::fs::read(path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    kept.into_iter().flatten().map(Kept::wish).collect()
}

/// Keeps a draft, or removes the file when it is empty.
pub(super) fn store(path: &Path, wishes: &[(Target, bool)]) -> std::io::Result<()> {
    if wishes.is_empty() {
        return match std::fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
    }
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    std::fs::create_dir_all(folder)?;
    let kept: Vec<Kept> = wishes.iter().map(|(target, on)| Kept::of(target, *on)).collect();
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(&serde_json::to_vec(&kept)?)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_survives_in_order_and_an_empty_one_leaves_no_file() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = path(folder.path(), Path::new("/home/demo/.hermes/config.yaml"));
        let wishes = vec![
            (Target::Toolset("cli".into(), "web".into()), false),
            (Target::ServerOn("telegram".into(), "github".into()), true),
            (Target::Server("notes".into()), false),
            (Target::ServerTool("github".into(), "delete_repo".into()), false),
            (Target::NoMcp("cron".into()), true),
            (Target::Setting(Setting::ThresholdPct, Some(NewValue::Decimal("7.5".into()))), true),
            (Target::Setting(Setting::Enabled, Some(NewValue::Word("auto".into()))), true),
            (Target::Setting(Setting::Defer, Some(NewValue::List(Vec::new()))), true),
            (Target::Setting(Setting::Listing, None), true),
        ];
        store(&path, &wishes).expect("stores");
        assert_eq!(load(&path), wishes);
        store(&path, &[]).expect("removes");
        assert!(!path.exists());
        store(&path, &[]).expect("removing nothing is fine");
    }

    #[test]
    fn a_broken_file_is_no_draft() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("x.json");
        std::fs::write(&path, b"{").expect("writes");
        assert_eq!(load(&path), Vec::new());
    }
}
