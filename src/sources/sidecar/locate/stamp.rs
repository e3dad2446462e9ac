//! A short text that changes when the install behind a Python does: an upgrade, a plugin or an extra more, a `git pull`.

use std::fmt::Write as _;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// Hashes what files tell about the install: which Python, the site folders, Hermes' package data, and for a checkout
/// its history.
pub(super) fn of(python: &Path, launcher: Option<&Path>) -> String {
    let mut facts = String::new();
    note(&mut facts, "python", python);
    if let Ok(real) = python.canonicalize() {
        note(&mut facts, "real", &real);
    }
    for site in site_folders(python, launcher) {
        note(&mut facts, "site", &site);
        for (name, path) in entries(&site) {
            if name.contains("hermes_agent") && (name.ends_with(".dist-info") || name.ends_with(".egg-info")) {
                note(&mut facts, "dist", &path);
                note(&mut facts, "record", &path.join("RECORD"));
            } else if name.ends_with(".pth") {
                checkouts(&path).iter().for_each(|checkout| source(&mut facts, checkout));
            }
        }
        source(&mut facts, &site);
    }
    // `<checkout>/venv/bin/python`, as the installer lays it out.
    if let Some(checkout) = python.ancestors().nth(3) {
        source(&mut facts, checkout);
    }
    Sha256::digest(facts.as_bytes()).iter().take(16).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn source(facts: &mut String, folder: &Path) {
    note(facts, "package", &folder.join("hermes_cli/__init__.py"));
    note(facts, "history", &folder.join(".git/logs/HEAD"));
}

/// Notes a path with its size and time of change; nothing, where it does not exist.
fn note(facts: &mut String, what: &str, path: &Path) {
    if let Ok(data) = path.metadata() {
        let (size, seconds, nanos) = (if data.is_dir() { 0 } else { data.len() }, data.mtime(), data.mtime_nsec());
        let _ = writeln!(facts, "{what} {path:?} {size} {seconds}.{nanos}");
    }
}

/// Where packages of a Python can be, without asking it: its environment's folders and, for `pip install --user`, those
/// around the launcher.
fn site_folders(python: &Path, launcher: Option<&Path>) -> Vec<PathBuf> {
    let real_launcher = launcher.and_then(|path| path.canonicalize().ok());
    let bins = [Some(python), launcher, real_launcher.as_deref()];
    let mut sites: Vec<PathBuf> = Vec::new();
    for prefix in bins.into_iter().flatten().filter_map(|path| path.parent()?.parent()) {
        for (name, library) in entries(&prefix.join("lib")) {
            if super::script::is_python(&name) {
                sites.extend(["site-packages", "dist-packages"].map(|site| library.join(site)));
            }
        }
    }
    sites.retain(|site| site.is_dir());
    sites.sort();
    sites.dedup();
    sites
}

/// A folder's entries by name.
fn entries(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()))
        .collect();
    entries.sort();
    entries
}

/// The folders a `.pth` file adds: an editable install's checkout.
fn checkouts(path: &Path) -> Vec<PathBuf> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().map(str::trim).filter(|line| line.starts_with('/')).map(PathBuf::from).collect()
}
