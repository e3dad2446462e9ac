//! The last list each server told us, kept under our cache folder. Only their owner may read them.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::engine::ids::ServerName;
use crate::engine::schema::MAX_DEPTH;
use crate::engine::server::probe::Listing;
use crate::engine::server::told::{self, ToldTool};
use crate::engine::text::visible;
use crate::engine::value::Value;
use crate::sources::cache;
use crate::sources::sidecar::Told;

/// The format name a kept list carries.
const FORMAT: &str = "hermes-tools/probe@1";

/// A kept list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    pub server: ServerName,
    /// [`super::identity`] of the entry it was told under.
    pub identity: String,
    pub listing: Listing,
}

#[derive(Serialize, Deserialize)]
struct KeptText {
    format: String,
    server: String,
    identity: String,
    taken_at: u64,
    #[serde(default)]
    took_ms: u64,
    pages: u64,
    resources: bool,
    prompts: bool,
    software: Option<String>,
    protocol: Option<String>,
    notes: Vec<String>,
    tools: Vec<Box<RawValue>>,
}

/// Keeps a list, replacing the last one of the same home and server.
///
/// # Errors
/// When the file cannot be written.
pub fn keep(cache_dir: &Path, home: &Path, kept: &Kept) -> std::io::Result<()> {
    let listing = &kept.listing;
    let raw = |tool: &ToldTool| RawValue::from_string(tool.text.to_string());
    let text = KeptText {
        format: FORMAT.to_owned(),
        server: kept.server.to_string(),
        identity: kept.identity.clone(),
        taken_at: listing.taken_at,
        took_ms: listing.took_ms,
        pages: listing.pages,
        resources: listing.resources,
        prompts: listing.prompts,
        software: listing.software.clone(),
        protocol: listing.protocol.clone(),
        notes: listing.notes.clone(),
        tools: listing.tools.iter().map(raw).collect::<Result<_, _>>()?,
    };
    cache::write(&place(cache_dir, home, kept.server.as_str()), &[&serde_json::to_vec(&text)?])
}

/// The kept lists of a home. What cannot be read is asked for again.
pub fn all(cache_dir: &Path, home: &Path) -> Vec<Kept> {
    files(cache_dir, home).iter().filter_map(|file| read(file)).collect()
}

/// The kept list of a server.
pub fn load(cache_dir: &Path, home: &Path, server: &str) -> Option<Kept> {
    read(&place(cache_dir, home, server)).filter(|kept| kept.server.as_str() == server)
}

/// Changes when one of a home's lists does; `None` where there is none. Reads no list.
pub fn stamp(cache_dir: &Path, home: &Path) -> Option<String> {
    let files = files(cache_dir, home);
    if files.is_empty() {
        return None;
    }
    let parts = files.iter().map(|file| {
        let told = std::fs::metadata(file).ok();
        let written = told.as_ref().and_then(|told| told.modified().ok());
        format!("{file:?} {written:?} {:?}", told.map(|told| told.len()))
    });
    let parts: Vec<String> = parts.collect();
    Some(cache::digest(parts.iter().map(String::as_bytes)))
}

/// What the worker is told: the lists of a config's servers, each with whether it was told under other settings.
pub fn told(cache_dir: &Path, home: &Path, config: &Value) -> Vec<Told> {
    let targets = super::targets(config, |_| true);
    let known = all(cache_dir, home).into_iter().filter_map(|kept| {
        let target = targets.iter().find(|target| target.server == kept.server)?;
        let raw = |tool: &ToldTool| RawValue::from_string(tool.text.to_string()).ok();
        let tools = &kept.listing.tools;
        let deepest = tools.iter().map(|tool| (tool.depth(), tool)).max_by_key(|(depth, _)| *depth);
        // The tool itself is one of the levels.
        let refused = deepest.filter(|(depth, _)| *depth > MAX_DEPTH + 1).map(|(depth, tool)| {
            format!("'{}' is nested {depth} levels deep, more than it reads", visible(&tool.name))
        });
        let told = if refused.is_some() { &[] } else { tools.as_slice() };
        Some(Told {
            stale: target.identity() != kept.identity,
            server: kept.server,
            taken_at: kept.listing.taken_at,
            took_ms: kept.listing.took_ms,
            resources: kept.listing.resources,
            prompts: kept.listing.prompts,
            tools: told.iter().filter_map(raw).collect(),
            refused,
        })
    });
    known.collect()
}

fn files(cache_dir: &Path, home: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder(cache_dir, home)) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    files
}

fn read(file: &Path) -> Option<Kept> {
    let text = std::fs::read_to_string(file).ok()?;
    let kept: KeptText = serde_json::from_str(&text).ok()?;
    if kept.format != FORMAT {
        return None;
    }
    let tools = kept.tools.iter().filter_map(|row| told::tool(row.get()).ok()).collect();
    Some(Kept {
        server: kept.server.as_str().into(),
        identity: kept.identity,
        listing: Listing {
            taken_at: kept.taken_at,
            took_ms: kept.took_ms,
            pages: kept.pages,
            tools,
            resources: kept.resources,
            prompts: kept.prompts,
            software: kept.software,
            protocol: kept.protocol,
            notes: kept.notes,
        },
    })
}

fn folder(cache_dir: &Path, home: &Path) -> PathBuf {
    let home = cache::real(home);
    cache_dir.join("probes").join(cache::digest([home.as_os_str().as_encoded_bytes()]))
}

fn place(cache_dir: &Path, home: &Path, server: &str) -> PathBuf {
    folder(cache_dir, home).join(format!("{}.json", cache::digest([server.as_bytes()])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_told_comes_back_as_it_was_and_only_to_its_owner() {
        let folder = tempfile::tempdir().unwrap();
        let text = r#"{"z":1E5, "name":"a","inputSchema":{"b":[],"a":{}}}"#;
        let tools = vec![told::tool(text).unwrap()];
        let listing = Listing {
            taken_at: 5,
            pages: 2,
            tools,
            resources: true,
            notes: vec!["n".to_owned()],
            ..Listing::default()
        };
        let kept = Kept { server: "s/../x".into(), identity: "i".to_owned(), listing };
        keep(folder.path(), Path::new("/home"), &kept).unwrap();
        assert_eq!(load(folder.path(), Path::new("/home"), "s/../x"), Some(kept.clone()));
        assert_eq!(all(folder.path(), Path::new("/home")), [kept]);
        assert!(stamp(folder.path(), Path::new("/home")).is_some());
        assert_eq!(stamp(folder.path(), Path::new("/elsewhere")), None);
        assert_eq!(load(folder.path(), Path::new("/home"), "other"), None);
        assert_eq!(load(folder.path(), Path::new("/elsewhere"), "s/../x"), None);
        use std::os::unix::fs::PermissionsExt as _;
        let file = place(folder.path(), Path::new("/home"), "s/../x");
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::write(&file, "{").unwrap();
        assert_eq!(load(folder.path(), Path::new("/home"), "s/../x"), None);
    }
}
