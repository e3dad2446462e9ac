use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::{SnapshotError, Stored, load, read_file, store, write_file};
use crate::engine::catalog::{CatalogDocument, Definition, Surface};
use crate::sources::sample;

fn document(home: &Path) -> CatalogDocument {
    let mut document = sample::catalog();
    document.hermes.home = home.display().to_string();
    document
}

/// The only file under a folder.
fn only_file(folder: &Path) -> PathBuf {
    let mut files: Vec<_> = fs::read_dir(folder.join("catalogs")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 1);
    files.remove(0)
}

#[test]
fn what_was_kept_is_what_is_loaded() {
    let (cache, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut kept = document(home.path());
    kept.tools[0].definition = Definition::from_json("{\"a\": \"line\\nbreak \u{2028} ü\", \"n\": 1e-7}");
    assert_eq!(load(cache.path(), home.path(), kept.surface).unwrap(), None);
    store(cache.path(), "stamp", &kept).unwrap();
    let loaded = load(cache.path(), home.path(), kept.surface).unwrap();
    assert_eq!(loaded, Some(Stored { document: kept.clone(), stamp: "stamp".into() }));
    store(cache.path(), "newer", &kept).unwrap();
    assert_eq!(load(cache.path(), home.path(), kept.surface).unwrap().unwrap().stamp, "newer");
    only_file(cache.path());
}

#[test]
fn homes_and_surfaces_are_kept_apart_and_two_ways_to_one_home_are_not() {
    let (cache, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let kept = document(home.path());
    store(cache.path(), "stamp", &kept).unwrap();
    assert_eq!(load(cache.path(), home.path(), Surface::Cron).unwrap(), None);
    assert_eq!(load(cache.path(), cache.path(), kept.surface).unwrap(), None);
    let way = cache.path().join("way");
    std::os::unix::fs::symlink(home.path(), &way).unwrap();
    assert!(load(cache.path(), &way, kept.surface).unwrap().is_some());
}

#[test]
fn only_the_owner_may_read() {
    let (cache, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    store(cache.path(), "stamp", &document(home.path())).unwrap();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&only_file(cache.path())), 0o600);
    assert_eq!(mode(&cache.path().join("catalogs")), 0o700);
}

#[test]
fn a_damaged_file_is_an_error_with_a_reason() {
    let (cache, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let kept = document(home.path());
    store(cache.path(), "stamp", &kept).unwrap();
    let path = only_file(cache.path());
    let good = fs::read_to_string(&path).unwrap();
    let last = good.trim_end().rfind('\n').unwrap();
    let name_of_last = kept.tools.last().unwrap().name.to_string();
    let damaged: [(Vec<u8>, &str); 8] = [
        (Vec::new(), "no first line"),
        (good.as_bytes()[..good.len() - 1].to_vec(), "not as long as it says"),
        (good.replacen("snapshot@1", "snapshot@2", 1).into_bytes(), "format is not"),
        (good.replacen("catalog@1", "catalog@9", 1).into_bytes(), "its catalog is no"),
        (good.replacen("\"surface\":\"cli\"", "\"surface\":\"tui\"", 1).into_bytes(), "another home or surface"),
        (good.replacen("\"taken_at\"", "\"taken_ta\"", 1).into_bytes(), "taken_at"),
        (b"\xff\xfe".to_vec(), "not UTF-8"),
        ([&good.as_bytes()[..=last], b"x".repeat(good.len() - last - 2).as_slice(), b"\n"].concat(), &name_of_last),
    ];
    for (bytes, expected) in damaged {
        fs::write(&path, bytes).unwrap();
        let error = load(cache.path(), home.path(), kept.surface).unwrap_err();
        let SnapshotError::Unreadable { why, .. } = &error else { panic!("{error}") };
        assert!(why.contains(expected), "{why}, not {expected}");
    }
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(matches!(load(cache.path(), home.path(), kept.surface), Err(SnapshotError::Io { .. })));
}

#[test]
fn a_catalog_travels_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let (path, document) = (folder.path().join("catalog.json"), sample::synthetic(60));
    write_file(&path, &document).unwrap();
    assert_eq!(read_file(&path).unwrap(), document);
    fs::write(&path, "{\"format\": \"hermes-tools/catalog@2\"}").unwrap();
    assert!(read_file(&path).unwrap_err().to_string().contains("hermes-tools/catalog@1 is wanted"));
    assert!(matches!(write_file(&folder.path().join("no/where"), &document), Err(SnapshotError::Io { .. })));
}

/// Prints what opening costs; run with `--release` and `--nocapture` to read it. The bound is loose, for slow machines.
#[test]
fn a_large_catalog_loads_fast() {
    let (cache, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut kept = sample::synthetic(3300);
    kept.hermes.home = home.path().display().to_string();
    store(cache.path(), "stamp", &kept).unwrap();
    let fastest = (0..5)
        .map(|_| {
            let start = std::time::Instant::now();
            let loaded = load(cache.path(), home.path(), kept.surface).unwrap().unwrap();
            let took = start.elapsed();
            assert_eq!(loaded.document.tools.len(), kept.tools.len());
            took
        })
        .min()
        .unwrap();
    println!("3,300 tools loaded in {fastest:?}");
    assert!(fastest < std::time::Duration::from_millis(500), "{fastest:?}");
}
