use std::fs;

use super::*;

/// A user with `~/.hermes`, and profiles `coder` (whole), `ghost` (deleted) and `logs` (no profile at all).
struct Machine {
    user: tempfile::TempDir,
}

impl Machine {
    fn new() -> Self {
        let user = tempfile::tempdir().unwrap();
        let profiles = user.path().join(".hermes/profiles");
        for name in ["coder", "ghost", "logs", ".deleted", "Bad Name"] {
            fs::create_dir_all(profiles.join(name)).unwrap();
        }
        for name in ["coder", "ghost", "Bad Name"] {
            fs::write(profiles.join(name).join("config.yaml"), "").unwrap();
        }
        fs::write(profiles.join(".deleted/ghost"), "").unwrap();
        Self { user }
    }

    fn root(&self) -> PathBuf {
        self.user.path().join(".hermes")
    }

    fn request(&self) -> HomeRequest {
        HomeRequest {
            user_home: Some(self.user.path().to_owned()),
            managed_dir: Some(self.user.path().join("no-managed-scope")),
            ..HomeRequest::default()
        }
    }

    fn stick_to(&self, text: &str) {
        fs::write(self.root().join("active_profile"), text).unwrap();
    }
}

#[test]
fn without_any_word_it_is_the_default_home() {
    let machine = Machine::new();
    let home = find(&machine.request()).unwrap();
    assert_eq!((home.path, home.chosen), (machine.root(), Chosen::Default));
    assert_eq!((home.profile.as_str(), home.exists), ("default", true));
    assert_eq!(home.profiles, ["default", "coder"]);
}

#[test]
fn a_suffix_names_another_default_home_and_nothing_is_created() {
    let machine = Machine::new();
    let home = find(&HomeRequest { home_suffix: Some("-beta".into()), ..machine.request() }).unwrap();
    assert_eq!(home.path, machine.user.path().join(".hermes-beta"));
    assert!(!home.exists);
    assert!(!home.path.exists());
}

#[test]
fn the_sticky_profile_counts_for_the_root_also_when_the_environment_names_it() {
    let machine = Machine::new();
    machine.stick_to("\u{feff}coder\n");
    let by_default = find(&machine.request()).unwrap();
    assert_eq!((by_default.profile.as_str(), by_default.chosen), ("coder", Chosen::ActiveProfile));
    let env = Some(machine.root().display().to_string());
    let by_env = find(&HomeRequest { home_env: env.clone(), ..machine.request() }).unwrap();
    assert_eq!(by_env.path, machine.root().join("profiles/coder"));
    let supervised = find(&HomeRequest { home_env: env, supervised: true, ..machine.request() }).unwrap();
    assert_eq!((supervised.path, supervised.chosen), (machine.root(), Chosen::HomeEnv));
}

#[test]
fn an_environment_that_names_a_profile_is_trusted_over_the_sticky_one() {
    let machine = Machine::new();
    machine.stick_to("ghost");
    let path = machine.root().join("profiles/coder");
    let home = find(&HomeRequest { home_env: Some(path.display().to_string()), ..machine.request() }).unwrap();
    assert_eq!((home.path, home.root), (path, machine.root()));
    assert_eq!((home.profile.as_str(), home.chosen), ("coder", Chosen::HomeEnv));
}

#[test]
fn a_flagged_home_is_opened_as_named_and_its_sticky_profile_is_not_followed() {
    let machine = Machine::new();
    machine.stick_to("coder");
    let home = find(&HomeRequest { home_flag: Some(machine.root()), ..machine.request() }).unwrap();
    assert_eq!((home.path, home.chosen), (machine.root(), Chosen::HomeFlag));
}

#[test]
fn a_profile_of_a_home_elsewhere_is_found_beside_its_siblings() {
    let machine = Machine::new();
    let elsewhere = tempfile::tempdir().unwrap();
    for name in ["one", "two"] {
        fs::create_dir_all(elsewhere.path().join("profiles").join(name)).unwrap();
    }
    let request = HomeRequest {
        home_env: Some(elsewhere.path().join("profiles/one").display().to_string()),
        profile_flag: Some("two".into()),
        ..machine.request()
    };
    let home = find(&request).unwrap();
    assert_eq!(home.path, elsewhere.path().join("profiles/two"));
    assert_eq!(home.chosen, Chosen::ProfileFlag);
    let default = find(&HomeRequest { profile_flag: Some("default".into()), ..request }).unwrap();
    assert_eq!(default.path, elsewhere.path());
}

#[test]
fn a_profile_that_is_missing_or_deleted_is_an_error_that_names_the_others() {
    let machine = Machine::new();
    for name in ["nobody", "ghost"] {
        let error = find(&HomeRequest { profile_flag: Some(name.into()), ..machine.request() }).unwrap_err();
        assert!(error.to_string().contains("known profiles: default, coder"), "{error}");
    }
    assert!(!machine.root().join("profiles/nobody").exists());
}

#[test]
fn a_sticky_profile_that_is_gone_says_which_file_names_it() {
    let machine = Machine::new();
    machine.stick_to("nobody\n");
    let error = find(&machine.request()).unwrap_err();
    assert!(matches!(&error, HomeError::ActiveProfileGone { file, .. } if file.ends_with("active_profile")), "{error}");
}

#[test]
fn names_that_could_leave_the_profiles_folder_are_refused() {
    let machine = Machine::new();
    for name in ["../x", "a/b", "", ".deleted", "-x", "a\u{1b}[2J", &"a".repeat(65)] {
        let error = find(&HomeRequest { profile_flag: Some(name.into()), ..machine.request() }).unwrap_err();
        assert!(matches!(error, HomeError::BadProfileName { .. }), "{name:?}: {error}");
        assert!(!error.to_string().contains('\u{1b}'));
    }
}

#[test]
fn a_tilde_is_expanded_unless_a_folder_is_really_called_that() {
    let machine = Machine::new();
    let request = HomeRequest {
        home_env: Some("~/elsewhere".into()),
        home_env_expanded: Some(machine.user.path().join("elsewhere")),
        ..machine.request()
    };
    assert_eq!(find(&request).unwrap().path, machine.user.path().join("elsewhere"));
    let literal = machine.user.path().join("~");
    fs::create_dir(&literal).unwrap();
    let request = HomeRequest { home_env: Some(literal.display().to_string()), ..request };
    assert_eq!(find(&request).unwrap().path, literal);
}

#[test]
fn an_empty_environment_value_counts_as_unset() {
    let machine = Machine::new();
    let home = find(&HomeRequest { home_env: Some("  ".into()), ..machine.request() }).unwrap();
    assert_eq!(home.chosen, Chosen::Default);
}

#[test]
fn a_file_in_place_of_a_home_is_said_plainly() {
    let machine = Machine::new();
    let file = machine.user.path().join("file");
    fs::write(&file, "").unwrap();
    let error = find(&HomeRequest { home_flag: Some(file.clone()), ..machine.request() }).unwrap_err();
    assert!(matches!(error, HomeError::NotAFolder { .. }), "{error}");
    let error = find(&HomeRequest { home_flag: Some(file.join("below")), ..machine.request() }).unwrap_err();
    assert!(matches!(error, HomeError::Unreadable { .. }), "{error}");
}

#[test]
fn managed_words_are_read_as_hermes_0_22_reads_them() {
    let machine = Machine::new();
    let by_env =
        |word: &str| find(&HomeRequest { managed_env: Some(word.into()), ..machine.request() }).unwrap().managed;
    for word in ["true", "1", "YES", "nixos"] {
        assert!(by_env(word).unwrap().contains("NixOS"), "{word}");
    }
    assert!(by_env("guix").unwrap().contains("guix"));
    for word in ["", "false", "0", "No", "off", "brew", "homebrew"] {
        assert_eq!(by_env(word), None, "{word}");
    }
    fs::write(machine.root().join(".managed"), "").unwrap();
    assert!(by_env("").unwrap().contains(".managed exists"));
    assert_eq!(by_env("false"), None);
}

#[test]
fn an_administrators_file_is_found() {
    let machine = Machine::new();
    let scope = machine.user.path().join("scope");
    fs::create_dir(&scope).unwrap();
    let request = HomeRequest { managed_dir: Some(scope.clone()), ..machine.request() };
    assert_eq!(find(&request).unwrap().managed_scope, None);
    fs::write(scope.join("config.yaml"), "").unwrap();
    assert_eq!(find(&request).unwrap().managed_scope, Some(scope.join("config.yaml")));
}
