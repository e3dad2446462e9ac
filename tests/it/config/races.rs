//! Several writers at once, and saves that are killed.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Barrier;

use hermes_tools::sources::config::{self, SaveContext};

use super::{Place, load, set};

#[test]
fn savers_of_different_keys_lose_nothing() {
    let place = Place::with("a: {}\nb: {}\nc: {}\n");
    std::thread::scope(|scope| {
        for key in ["a", "b", "c"] {
            let place = &place;
            scope.spawn(move || {
                for round in 0..40 {
                    // Loaded before the others' saves, most of the time.
                    let file = place.load();
                    let op = set(&format!("{key}.k{round}"), true);
                    config::save(&file, &[op], &place.context()).unwrap();
                }
            });
        }
    });
    let document = place.load().document.unwrap();
    for key in ["a", "b", "c"] {
        assert_eq!(document.value().get(key).unwrap().as_map().unwrap().len(), 40, "{}", place.text());
    }
}

#[test]
fn a_foreign_write_at_any_moment_of_a_save_survives_it() {
    let place = Place::new();
    let started = Barrier::new(2);
    let (mut kept_both, mut overwritten) = (0, 0);
    for round in 0u32..300 {
        fs::write(place.config(), "theirs: 0\nours: false\n").unwrap();
        let file = place.load();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                // Knows nothing of our lock and writes by rename, as Hermes does.
                let temporary = place.state.path().join("foreign");
                fs::write(&temporary, "theirs: 1\nours: false\n").unwrap();
                started.wait();
                (0..round * 40).for_each(|_| std::hint::spin_loop());
                fs::rename(&temporary, place.config()).unwrap();
            });
            started.wait();
            config::save(&file, &[set("ours", true)], &place.context()).unwrap();
        });
        let text = place.text();
        assert!(text.starts_with("theirs: 1\n"), "round {round} lost their change: {text}");
        if text.ends_with("true\n") { kept_both += 1 } else { overwritten += 1 }
    }
    assert!(kept_both > 0, "their write always came last: {overwritten}");
}

const LOOP: &str = "HERMES_TOOLS_TEST_SAVE_LOOP";

/// The same test is the parent and, started by itself with the variable set, the child that saves until it is killed.
#[test]
fn a_killed_save_leaves_the_old_file_or_the_new_one() {
    if let Some(folder) = std::env::var_os(LOOP) {
        save_for_ever(&PathBuf::from(folder));
    }
    let place = Place::with("");
    let filler: String = (0..400).map(|line| format!("line{line}: some text that takes a while to write\n")).collect();
    let text = |value: bool| format!("ours: {value}\n{filler}");
    fs::write(place.config(), text(false)).unwrap();
    let name = "config::races::a_killed_save_leaves_the_old_file_or_the_new_one";
    let mut seen = [0; 2];
    for round in 0u32..200 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", name, "--nocapture", "--test-threads=1"])
            .env(LOOP, place.folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // Killed at another moment each time: after some number of saves, and a spin in between.
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        for _ in 0..1 + round % 3 {
            lines.by_ref().find(|line| line.as_ref().unwrap().contains("saved")).unwrap().unwrap();
        }
        for _ in 0..round * 1500 {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let now = place.text();
        assert!(now == text(true) || now == text(false), "torn after kill {round}: {} bytes", now.len());
        seen[usize::from(now == text(true))] += 1;
    }
    assert!(seen[0] > 0 && seen[1] > 0, "the kills never met both states: {seen:?}");
}

fn save_for_ever(folder: &std::path::Path) -> ! {
    let state = folder.join("state");
    let context = SaveContext { managed: None, state_dir: &state };
    let mut file = load(&folder.join("config.yaml"));
    let mut out = std::io::stdout();
    loop {
        let on = file.document.as_ref().unwrap().value().get("ours").unwrap().is_truthy();
        file = config::save(&file, &[set("ours", !on)], &context).unwrap().file;
        out.write_all(b"saved\n").unwrap();
        out.flush().unwrap();
    }
}
