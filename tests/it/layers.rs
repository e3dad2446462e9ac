//! The arrows between the layers, held: what `src/lib.rs` says may use what.

use std::fs;
use std::path::{Path, PathBuf};

/// Each layer, and the layers of ours it may name.
const ALLOWED: [(&str, &[&str]); 6] = [
    ("engine", &[]),
    ("app", &["engine"]),
    ("sources", &["engine"]),
    ("runtime", &["app", "sources", "engine"]),
    ("tui", &["app", "engine"]),
    ("cli", &["app", "engine", "runtime", "sources", "tui"]),
];

/// Exceptions the architecture names: the one file where the terminal meets the runtime.
const EXCEPTIONS: [(&str, &str); 1] = [("src/tui/event_loop.rs", "runtime")];

/// Crates and paths that would make a pure layer impure.
const IMPURE: [&str; 9] =
    ["std::fs", "std::env", "std::process", "std::net", "std::time", "tokio", "ratatui", "crossterm", "tempfile"];

fn rust_files(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            out.push(path);
        }
    }
}

/// Product lines of a file: comments and the inline test module (always last in a file) left out.
fn product_lines(path: &Path) -> Vec<(usize, String)> {
    fs::read_to_string(path)
        .unwrap()
        .lines()
        .enumerate()
        .take_while(|(_, line)| line.trim() != "#[cfg(test)]")
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
        .map(|(idx, line)| (idx + 1, line.to_owned()))
        .collect()
}

fn files() -> Vec<(String, String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    rust_files(&root.join("src"), &mut paths);
    paths
        .into_iter()
        .filter(|path| path.file_stem().is_none_or(|stem| stem != "tests"))
        .filter_map(|path| {
            let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            let layer = name.strip_prefix("src/")?.split(['/', '.']).next()?.to_owned();
            ALLOWED.iter().any(|(known, _)| *known == layer).then_some((layer, name, path))
        })
        .collect()
}

#[test]
fn layers_only_use_the_layers_below_them() {
    let mut wrong = Vec::new();
    for (layer, name, path) in files() {
        let allowed = ALLOWED.iter().find(|(known, _)| *known == layer).unwrap().1;
        for (line, text) in product_lines(&path) {
            for (other, _) in ALLOWED {
                let named = text.contains(&format!("crate::{other}::")) || text.contains(&format!("crate::{other};"));
                let excepted = EXCEPTIONS.contains(&(name.as_str(), other));
                if named && other != layer && !allowed.contains(&other) && !excepted {
                    wrong.push(format!("{name}:{line}: {layer} must not use {other}: {}", text.trim()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn engine_and_app_stay_pure() {
    let mut wrong = Vec::new();
    for (layer, name, path) in files().into_iter().filter(|(layer, ..)| layer == "engine" || layer == "app") {
        for (line, text) in product_lines(&path) {
            for impure in IMPURE {
                if text.contains(&format!("{impure}::")) {
                    wrong.push(format!("{name}:{line}: {layer} is pure, but names {impure}: {}", text.trim()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn one_file_each_prints_reads_the_environment_and_changes_terminal_modes() {
    let owners: [(&str, &[&str], &[&str]); 3] = [
        ("println!", &["src/cli/printer.rs"], &["println!(", "eprintln!(", "print!("]),
        ("the environment", &["src/cli/context.rs"], &["env::var", "env::vars", "env::args", "env::home_dir"]),
        (
            "terminal modes",
            &["src/tui/terminal.rs"],
            &["enable_raw_mode", "EnterAlternateScreen", "EnableMouseCapture"],
        ),
    ];
    let mut wrong = Vec::new();
    for (_, name, path) in files() {
        for (line, text) in product_lines(&path) {
            for (what, owner, needles) in owners {
                if !owner.contains(&name.as_str()) && needles.iter().any(|needle| text.contains(needle)) {
                    wrong.push(format!("{name}:{line}: {what} belongs to {}: {}", owner.join(", "), text.trim()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
