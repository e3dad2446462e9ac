//! What the worker leaves behind: nothing in the home, and no process.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hermes_tools::engine::catalog::Surface;

use super::{CONFIG, Site, array_of};
use crate::sidecar::{runs, wait_until};

/// Every file and folder with what a write would change.
fn tree(folder: &Path) -> BTreeMap<PathBuf, (u32, i64, i64, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        let data = at.symlink_metadata().unwrap();
        let bytes = if data.is_file() { std::fs::read(&at).unwrap() } else { Vec::new() };
        found.insert(at.clone(), (data.mode(), data.mtime(), data.mtime_nsec(), bytes));
        if data.is_dir() {
            folders.extend(std::fs::read_dir(&at).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
    found
}

async fn leaves_no_trace(version: &str) {
    let site = Site::new(version, CONFIG);
    std::fs::write(site.home.path().join(".env"), "SOME_NAME=1\n").unwrap();
    let before = tree(site.home.path());
    let worker = site.worker().await;
    for surface in Surface::ALL {
        worker.catalog(surface).await.unwrap();
    }
    worker.resolve(Some("platform_toolsets: {cli: [web]}"), &["cli".into(), "telegram".into()]).await.unwrap();
    for platform in ["cli", "telegram", "cron"] {
        worker.assemble(&array_of(platform, None)).await.unwrap();
        worker.assemble(&array_of(platform, Some("agent: {disabled_toolsets: [web]}"))).await.unwrap();
    }
    // A text no loader takes: 0.19 itself would set a copy of it aside.
    let _ = worker.resolve(Some("a: [\n"), &["cli".into()]).await;
    worker.stop().await;
    let after = tree(site.home.path());
    let changed: Vec<_> =
        after.iter().filter(|(path, entry)| before.get(*path) != Some(entry)).map(|(path, _)| path).collect();
    assert!(changed.is_empty() && before.len() == after.len(), "{changed:?}");
}

#[tokio::test]
async fn questions_leave_the_home_of_0_19_as_it_is() {
    leaves_no_trace("v19").await;
}

#[tokio::test]
async fn questions_leave_the_home_of_0_22_as_it_is() {
    leaves_no_trace("v22").await;
}

/// Children of a process, by `/proc`.
fn children(pid: u32) -> Vec<u32> {
    let parent = |entry: &Path| -> Option<u32> {
        let stat = std::fs::read_to_string(entry.join("stat")).ok()?;
        stat.rsplit(')').next()?.split_whitespace().nth(1)?.parse().ok()
    };
    std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter(|entry| parent(&entry.path()) == Some(pid))
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect()
}

/// Our program, killed while Hermes is busy answering it, leaves no Python behind.
fn killed_parent_leaves_no_worker(version: &str) {
    let site = Site::new(version, CONFIG);
    let user = tempfile::tempdir().unwrap();
    let mut ours = Command::new(env!("CARGO_BIN_EXE_hermes-tools"))
        .args(["list", "--live", "--hermes"])
        .arg(&site.launcher)
        .arg("--hermes-home")
        .arg(site.home.path())
        .env_clear()
        .env("HOME", user.path())
        .env("PATH", "/usr/bin:/bin")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("the worker is started", || !children(ours.id()).is_empty());
    let workers = children(ours.id());
    assert!(workers.iter().copied().all(runs));
    ours.kill().unwrap();
    ours.wait().unwrap();
    wait_until("the worker ends by itself", || !workers.iter().copied().any(runs));
}

#[test]
fn a_killed_parent_leaves_no_worker_of_0_19() {
    killed_parent_leaves_no_worker("v19");
}

#[test]
fn a_killed_parent_leaves_no_worker_of_0_22() {
    killed_parent_leaves_no_worker("v22");
}
