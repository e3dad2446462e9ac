//! A Hermes that takes its time: what a person is told meanwhile, and what ends with us.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use super::User;
use crate::sidecar::{runs, wait_until};

/// A Python that says its number and then waits for a line in a pipe: a shell, which runs its own file first.
fn start() -> (User, Child) {
    let user = User::new();
    let (python, pipe, words) = (user.path("python3"), user.path("pipe"), user.path("words"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::os::unix::fs::symlink("/bin/bash", &python).unwrap();
    let text = format!("echo $$ >{}\nread -r line <{}\nexit 1\n", user.path("pid").display(), pipe.display());
    std::fs::write(&words, text).unwrap();
    let user = user.env("BASH_ENV", &words.display().to_string());
    let mut command = user.command(&["--hermes", &python.display().to_string(), "list"]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    (user, child)
}

fn number_in(user: &User) -> Option<u32> {
    std::fs::read_to_string(user.path("pid")).ok()?.trim().parse().ok()
}

#[test]
fn a_long_wait_is_explained_and_ends_with_what_is_at_hand() {
    let (user, mut child) = start();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    let line = said.next().unwrap().unwrap();
    assert!(line.contains("waiting for Hermes (") && line.contains("python3)"), "{line}");
    std::fs::OpenOptions::new().write(true).open(user.path("pipe")).unwrap().write_all(b"go on\n").unwrap();
    let rest: Vec<String> = said.map(Result::unwrap).collect();
    assert!(rest.iter().any(|line| line.contains("Hermes could not be asked")), "{rest:?}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_signal_ends_the_wait_and_the_worker() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let (user, mut child) = start();
        wait_until("the worker starts", || number_in(&user).is_some());
        let worker = number_in(&user).unwrap();
        assert!(runs(worker));
        kill_process(Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap(), signal).unwrap();
        assert_eq!(child.wait().unwrap().signal(), Some(signal.as_raw()));
        wait_until("the worker ends too", || !runs(worker));
    }
}

/// Each real Hermes with a plugin that never comes back, and a program that is killed before it can do anything.
#[cfg(feature = "real-hermes")]
#[test]
fn a_plugin_that_hangs_ends_with_us_even_when_we_are_killed() {
    const PLUGIN: &str = "\
import os, time
def register(ctx):
    with open(os.environ['HOME'] + '/pid', 'w') as f:
        f.write(str(os.getpid()))
    time.sleep(3600)
";
    for version in ["v19", "v22"] {
        let user = User::new().config("plugins:\n  enabled: [weather]\n");
        let folder = user.hermes().join("plugins/weather");
        std::fs::create_dir_all(&folder).unwrap();
        let about = "name: weather\nversion: 1.0.0\ndescription: demo\nauthor: demo\nprovides_tools: [weather_ask]\n";
        std::fs::write(folder.join("plugin.yaml"), about).unwrap();
        std::fs::write(folder.join("__init__.py"), PLUGIN).unwrap();
        let launcher = crate::installs::launcher(version).display().to_string();
        // On a machine with much to do a start may take longer than we wait for it: then once more.
        let started = (0..5).find_map(|_| {
            let mut child = user.command(&["--hermes", &launcher, "list"]).stderr(Stdio::null()).spawn().unwrap();
            while number_in(&user).is_none() && child.try_wait().unwrap().is_none() {
                std::thread::yield_now();
            }
            number_in(&user).is_some().then_some(child)
        });
        let mut child = started.expect("the plugin hangs");
        let worker = number_in(&user).unwrap();
        assert!(runs(worker));
        child.kill().unwrap();
        child.wait().unwrap();
        wait_until("the plugin ends too", || !runs(worker));
    }
}
