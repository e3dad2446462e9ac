//! Files that are not what one expects, and a disk with no room left.

use std::os::unix::fs::MetadataExt;
use std::process::Command;

use super::User;

/// The shell's words for a file size limit of 8 KiB that makes writes fail instead of ending the program.
const LIMITED: &str = "trap '' XFSZ; ulimit -f 16; exec \"$0\" \"$@\"";

/// Runs under that limit, as on a disk that is full.
fn run_without_room(user: &User, words: &[&str]) -> std::process::Output {
    let command = user.command(words);
    let mut limited = Command::new("/bin/sh");
    limited.args(["-c", LIMITED]).arg(command.get_program()).args(command.get_args()).env_clear();
    limited.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    limited.current_dir(user.hermes()).output().unwrap()
}

#[test]
fn a_full_disk_leaves_a_hard_linked_file_and_the_last_undo_as_they_were() {
    let filler = "# a line of somebody's own words\n".repeat(180);
    let config = format!("platform_toolsets:\n  cli: [web, file, tts]\n{filler}");
    let user = User::with_config(&config);
    std::fs::hard_link(user.config_path(), user.path("linked.yaml")).unwrap();
    assert_eq!(user.run(&["disable", "tts"]).code, 0);
    let before = format!("{}{}", user.config_text(), "# more\n".repeat((8192 - user.config_text().len()) / 7));
    std::fs::write(user.config_path(), &before).unwrap();
    // What is written is longer than the limit.
    let output = run_without_room(&user, &["enable", "browser", "terminal"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("File too large"), "{said}");
    assert_eq!(user.config_text(), before);
    assert_eq!(std::fs::metadata(user.config_path()).unwrap().nlink(), 2);
    // With room it works, and can be taken back.
    assert_eq!(user.run(&["enable", "browser", "terminal"]).code, 0);
    assert_eq!(user.run(&["undo"]).code, 0);
    assert_eq!(user.config_text(), before);
}

#[test]
fn what_is_no_regular_file_or_is_enormous_is_refused_at_once() {
    let user = User::with_config("x: 1\n");
    let refused = |words: &[&str], why: &str| {
        let ran = user.run(words);
        assert!(ran.code == 1 && ran.stderr.contains(why), "{ran}");
    };
    let config = user.config_path();
    let replace_by = |program: &str, words: &[&str]| {
        std::fs::remove_file(&config).unwrap();
        assert!(Command::new(program).args(words).arg(&config).status().unwrap().success());
    };
    for verb in [&["list"][..], &["disable", "web"], &["disable", "web", "--dry-run"], &["--summary"]] {
        replace_by("mkfifo", &[]);
        refused(verb, "config.yaml: it is no regular file");
        replace_by("ln", &["-s", "/dev/zero"]);
        refused(verb, "config.yaml: it is no regular file");
        std::fs::remove_file(&config).unwrap();
        std::fs::File::create(&config).unwrap().set_len(1 << 40).unwrap();
        refused(verb, "config.yaml: it is larger than 16 MB");
    }
}

#[test]
fn a_pipe_where_the_active_profile_is_named_is_passed_over() {
    let user = User::with_config("x: 1\n");
    assert!(Command::new("mkfifo").arg(user.hermes().join("active_profile")).status().unwrap().success());
    let ran = user.run(&["list"]);
    assert_eq!(ran.code, 0, "{ran}");
}
