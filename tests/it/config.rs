//! Saving a config file: links, modes, owners, conflicts, races and kills.

#![cfg(unix)]

mod races;

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use hermes_tools::engine::plan::{NewValue, Op};
use hermes_tools::engine::rules::Dialect;
use hermes_tools::sources::config::{self, ConfigFile, SaveContext, SaveError};
use tempfile::TempDir;

const TEXT: &str =
    "# mine\nplatform_toolsets:\n  cli: [web, file] # keep\nmcp_servers:\n  gh:\n    env: {K: \"${DEMO_KEY}\"}\n";

struct Place {
    folder: TempDir,
    state: TempDir,
}

impl Place {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), state: tempfile::tempdir().unwrap() }
    }

    fn with(text: &str) -> Self {
        let place = Self::new();
        fs::write(place.config(), text).unwrap();
        place
    }

    fn config(&self) -> PathBuf {
        self.folder.path().join("config.yaml")
    }

    fn context(&self) -> SaveContext<'_> {
        SaveContext { managed: None, state_dir: self.state.path() }
    }

    fn load(&self) -> ConfigFile {
        load(&self.config())
    }

    fn text(&self) -> String {
        fs::read_to_string(self.config()).unwrap()
    }

    /// What stands in the home beside the file.
    fn others(&self) -> Vec<String> {
        let names = fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        names.map(|name| name.into_string().unwrap()).filter(|name| name != "config.yaml").collect()
    }
}

fn load(path: &Path) -> ConfigFile {
    config::load(path, Dialect::Ruamel).unwrap()
}

fn path(text: &str) -> Vec<String> {
    text.split('.').map(str::to_owned).collect()
}

fn append(at: &str, item: &str) -> Op {
    Op::EditList { path: path(at), remove: Vec::new(), append: vec![item.to_owned()] }
}

fn set(at: &str, value: bool) -> Op {
    Op::Set { path: path(at), value: NewValue::Bool(value) }
}

const ADD: &str = "platform_toolsets.cli";

#[test]
fn a_save_changes_its_bytes_keeps_the_mode_and_can_be_taken_back() {
    let place = Place::with(TEXT);
    fs::set_permissions(place.config(), fs::Permissions::from_mode(0o640)).unwrap();
    let saved = config::save(&place.load(), &[append(ADD, "tts")], &place.context()).unwrap();
    assert_eq!(place.text(), TEXT.replace("[web, file]", "[web, file, tts]"));
    assert_eq!(saved.file.document.as_ref().unwrap().text(), place.text());
    assert!(!saved.reapplied);
    assert_eq!(fs::metadata(place.config()).unwrap().mode() & 0o777, 0o640);
    assert!(place.others().is_empty(), "{:?}", place.others());

    let back = config::undo(&saved.undo, &place.context()).unwrap();
    assert_eq!(place.text(), TEXT);
    assert_eq!(back.document.unwrap().text(), TEXT);
}

#[test]
fn what_was_replaced_is_kept_for_its_owner_only_and_not_for_ever() {
    let place = Place::with(TEXT);
    for round in 0..25 {
        config::save(&place.load(), &[append(ADD, &format!("t{round}"))], &place.context()).unwrap();
    }
    let entries = fs::read_dir(place.state.path().join("undo")).unwrap().map(|entry| entry.unwrap().path());
    // The record of the last save stands beside the folder.
    let undo = entries.into_iter().find(|path| path.is_dir()).unwrap();
    assert_eq!(fs::metadata(&undo).unwrap().mode() & 0o777, 0o700);
    let kept: Vec<_> = fs::read_dir(&undo).unwrap().map(|entry| entry.unwrap().metadata().unwrap()).collect();
    assert_eq!(kept.len(), 20);
    assert!(kept.iter().all(|kept| kept.mode() & 0o777 == 0o600));
}

#[test]
fn an_undo_does_not_overwrite_a_later_change() {
    let place = Place::with(TEXT);
    let saved = config::save(&place.load(), &[append(ADD, "tts")], &place.context()).unwrap();
    fs::write(place.config(), "other: 1\n").unwrap();
    let refused = config::undo(&saved.undo, &place.context()).unwrap_err();
    assert!(matches!(refused, SaveError::ChangedSince { .. }) && refused.is_refusal(), "{refused}");
    assert_eq!(place.text(), "other: 1\n");
}

#[test]
fn loading_writes_nothing_and_a_missing_file_is_empty() {
    let place = Place::new();
    let file = place.load();
    assert!(!file.exists && file.fingerprint.is_none());
    assert!(!place.config().exists() && fs::read_dir(place.state.path()).unwrap().next().is_none());

    let saved = config::save(&file, &[set("a.b", true)], &place.context()).unwrap();
    assert_eq!(place.text(), "a:\n  b: true\n");
    assert_eq!(fs::metadata(place.config()).unwrap().mode() & 0o777, 0o600);
    config::undo(&saved.undo, &place.context()).unwrap();
    assert!(!place.config().exists());
}

#[test]
fn a_missing_folder_is_not_created() {
    let place = Place::new();
    let path = place.folder.path().join("gone/config.yaml");
    let error = config::save(&load(&path), &[set("a", true)], &place.context()).unwrap_err();
    assert!(matches!(error, SaveError::NoFolder { .. }), "{error}");
    assert!(!path.parent().unwrap().exists());
}

#[test]
fn links_stay_links_and_their_target_is_written() {
    let place = Place::new();
    let dotfiles = tempfile::tempdir().unwrap();
    let real = dotfiles.path().join("hermes.yaml");
    fs::write(&real, TEXT).unwrap();
    symlink(&real, dotfiles.path().join("middle")).unwrap();
    symlink(dotfiles.path().join("middle"), place.config()).unwrap();
    config::save(&place.load(), &[append(ADD, "tts")], &place.context()).unwrap();
    assert!(fs::symlink_metadata(place.config()).unwrap().is_symlink());
    assert!(fs::symlink_metadata(dotfiles.path().join("middle")).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), TEXT.replace("[web, file]", "[web, file, tts]"));
    assert!(fs::symlink_metadata(&real).unwrap().is_file());
}

#[test]
fn a_dangling_link_gets_its_target_only_where_the_folder_exists() {
    let place = Place::new();
    symlink("there.yaml", place.config()).unwrap();
    config::save(&place.load(), &[set("a", true)], &place.context()).unwrap();
    assert!(fs::symlink_metadata(place.config()).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(place.folder.path().join("there.yaml")).unwrap(), "a: true\n");

    let place = Place::new();
    symlink("nowhere/there.yaml", place.config()).unwrap();
    let error = config::save(&place.load(), &[set("a", true)], &place.context()).unwrap_err();
    assert!(matches!(error, SaveError::NoFolder { .. }), "{error}");

    let place = Place::new();
    symlink("config.yaml", place.config()).unwrap();
    assert!(config::load(&place.config(), Dialect::Ruamel).is_err());
}

#[test]
fn a_hard_link_stays_the_same_file() {
    let place = Place::with(TEXT);
    let other = place.folder.path().join("other.yaml");
    fs::hard_link(place.config(), &other).unwrap();
    let inode = fs::metadata(place.config()).unwrap().ino();
    config::save(&place.load(), &[append(ADD, "tts")], &place.context()).unwrap();
    assert_eq!(fs::metadata(place.config()).unwrap().ino(), inode);
    assert_eq!(fs::read_to_string(&other).unwrap(), TEXT.replace("[web, file]", "[web, file, tts]"));
}

/// An access list as the kernel keeps it: the owner, user 65534, the group, the mask and others, each with its rights.
#[cfg(target_os = "linux")]
fn access_list(rights: [u16; 5]) -> Vec<u8> {
    const ANY: u32 = u32::MAX;
    let mut list = 2u32.to_le_bytes().to_vec();
    for ((tag, id), rights) in [(1u16, ANY), (2, 65534), (4, ANY), (16, ANY), (32, ANY)].into_iter().zip(rights) {
        list.extend([tag.to_le_bytes(), rights.to_le_bytes()].concat());
        list.extend(id.to_le_bytes());
    }
    list
}

#[cfg(target_os = "linux")]
fn attribute(path: &Path, name: &str) -> Option<Vec<u8>> {
    let mut room = vec![0; 4096];
    let length = rustix::fs::getxattr(path, name, &mut room[..]).ok()?;
    Some(room[..length].to_vec())
}

#[cfg(target_os = "linux")]
#[test]
fn access_lists_and_attributes_stay() {
    use rustix::fs::{XattrFlags, setxattr};
    const LIST: &str = "system.posix_acl_access";
    let place = Place::with(TEXT);
    // Only user 65534 may read beside the owner: without the list, the mode would let the group do so.
    let list = access_list([6, 4, 0, 4, 0]);
    setxattr(place.config(), LIST, &list, XattrFlags::empty()).unwrap();
    setxattr(place.config(), "user.note", b"mine", XattrFlags::empty()).unwrap();
    let before = fs::metadata(place.config()).unwrap();
    assert_eq!(before.mode() & 0o777, 0o640);
    let saved = config::save(&place.load(), &[append(ADD, "tts")], &place.context()).unwrap();
    config::undo(&saved.undo, &place.context()).unwrap();
    config::save(&place.load(), &[append(ADD, "tts")], &place.context()).unwrap();
    assert_ne!(fs::metadata(place.config()).unwrap().ino(), before.ino(), "it was replaced");
    assert_eq!(attribute(&place.config(), LIST), Some(list));
    assert_eq!(attribute(&place.config(), "user.note"), Some(b"mine".to_vec()));
    assert_eq!(fs::metadata(place.config()).unwrap().mode() & 0o777, 0o640);
}

#[cfg(target_os = "linux")]
#[test]
fn a_folders_access_list_for_new_files_is_not_taken_on() {
    use rustix::fs::{XattrFlags, setxattr};
    let place = Place::with(TEXT);
    fs::set_permissions(place.config(), fs::Permissions::from_mode(0o640)).unwrap();
    let list = access_list([7, 7, 7, 7, 0]);
    setxattr(place.folder.path(), "system.posix_acl_default", &list, XattrFlags::empty()).unwrap();
    config::save(&place.load(), &[append(ADD, "tts")], &place.context()).unwrap();
    assert_eq!(attribute(&place.config(), "system.posix_acl_access"), None);
    assert_eq!(fs::metadata(place.config()).unwrap().mode() & 0o777, 0o640);
}

#[test]
fn the_owner_stays_where_we_may_give_files_away() {
    let place = Place::with(TEXT);
    // Only root may do this; for anyone else owner and writer are the same already.
    let foreign = std::os::unix::fs::chown(place.config(), Some(1234), Some(1234)).is_ok();
    let before = fs::metadata(place.config()).unwrap();
    config::save(&place.load(), &[append(ADD, "tts")], &place.context()).unwrap();
    let after = fs::metadata(place.config()).unwrap();
    assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
    assert_eq!(after.uid() == 1234, foreign);
}

#[test]
fn read_only_files_and_folders_are_refused() {
    let place = Place::with(TEXT);
    for (path, mode) in [(place.config(), 0o444), (place.folder.path().to_owned(), 0o555)] {
        let before = fs::metadata(&path).unwrap().permissions();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let error = config::save(&place.load(), &[append(ADD, "tts")], &place.context()).unwrap_err();
        fs::set_permissions(&path, before).unwrap();
        assert!(matches!(error, SaveError::ReadOnly { .. }) && error.is_refusal(), "{error}");
        assert_eq!(place.text(), TEXT);
    }
}

#[test]
fn managed_homes_samples_and_broken_files_are_refused() {
    let place = Place::with(TEXT);
    let managed = SaveContext { managed: Some("a package manager"), state_dir: place.state.path() };
    let error = config::save(&place.load(), &[append(ADD, "tts")], &managed).unwrap_err();
    assert!(matches!(error, SaveError::Managed { .. }) && error.is_refusal());

    let sample = ConfigFile::in_memory(place.config(), TEXT, Dialect::Ruamel);
    assert!(matches!(config::save(&sample, &[append(ADD, "tts")], &place.context()), Err(SaveError::InMemory)));

    for broken in [&b"a: [1\n"[..], b"a:\n\tb: 1\n", b"a: \xff\n", b"a: 1\na: 2\n", b"\xff\xfea\0:\0"] {
        fs::write(place.config(), broken).unwrap();
        let error = config::save(&place.load(), &[set("a", true)], &place.context()).unwrap_err();
        assert!(matches!(error, SaveError::Unparsable { .. }) && error.is_refusal(), "{error}");
        assert!(error.to_string().contains("line "), "{error}");
        assert_eq!(fs::read(place.config()).unwrap(), broken);
    }
}

#[test]
fn an_unreadable_place_is_an_error_not_an_empty_config() {
    let place = Place::new();
    fs::create_dir(place.config()).unwrap();
    assert!(config::load(&place.config(), Dialect::Ruamel).is_err());
}

#[test]
fn other_peoples_changes_elsewhere_are_kept() {
    let place = Place::with(TEXT);
    let file = place.load();
    fs::write(place.config(), format!("added: yes\n{TEXT}")).unwrap();
    let saved = config::save(&file, &[append(ADD, "tts")], &place.context()).unwrap();
    assert!(saved.reapplied);
    assert_eq!(place.text(), format!("added: yes\n{}", TEXT.replace("[web, file]", "[web, file, tts]")));
}

#[test]
fn a_change_at_the_same_place_is_a_conflict_unless_it_is_the_same_change() {
    let place = Place::with(TEXT);
    let file = place.load();
    let theirs = TEXT.replace("[web, file]", "[file]");
    fs::write(place.config(), &theirs).unwrap();
    let error = config::save(&file, &[append(ADD, "tts")], &place.context()).unwrap_err();
    match &error {
        SaveError::Conflict { place, before, now, .. } => {
            assert_eq!((place.as_str(), *before, *now), (ADD, "a list", "a list"));
        }
        other => panic!("{other}"),
    }
    assert!(error.is_refusal());
    assert_eq!(place.text(), theirs);

    let same = TEXT.replace("[web, file]", "[web, file, tts]");
    fs::write(place.config(), &same).unwrap();
    config::save(&file, &[append(ADD, "tts"), set("x", true)], &place.context()).unwrap();
    assert_eq!(place.text(), format!("{same}x: true\n"));
}

#[test]
fn a_file_deleted_meanwhile_is_not_brought_back() {
    let place = Place::with(TEXT);
    let file = place.load();
    fs::remove_file(place.config()).unwrap();
    let error = config::save(&file, &[append(ADD, "tts")], &place.context()).unwrap_err();
    assert!(matches!(error, SaveError::Gone { .. }), "{error}");
    assert!(!place.config().exists());

    fs::write(place.config(), "a: [1\n").unwrap();
    let error = config::save(&file, &[append(ADD, "tts")], &place.context()).unwrap_err();
    assert!(matches!(error, SaveError::Unparsable { .. }), "{error}");
}

#[test]
fn templates_of_secrets_stay_as_written() {
    let place = Place::with(TEXT);
    config::save(&place.load(), &[set("mcp_servers.gh.enabled", false)], &place.context()).unwrap();
    assert_eq!(place.text(), format!("{TEXT}    enabled: false\n"));
}

#[test]
fn temporary_files_of_killed_saves_are_swept() {
    let place = Place::with(TEXT);
    fs::write(place.folder.path().join(".config.yaml.hermes-tools-abc"), "old").unwrap();
    config::save(&place.load(), &[append(ADD, "tts")], &place.context()).unwrap();
    assert!(place.others().is_empty(), "{:?}", place.others());
}
