//! Platforms named on the command line, and those a home really uses.

use crate::engine::catalog::Catalog;
use crate::engine::ids::PlatformKey;
use crate::engine::selection::nearest::nearest;
use crate::engine::text::visible;
use crate::engine::value::Value;

use super::error::CliError;

/// The word for every platform in use.
pub(super) const ALL: &str = "all";

/// The platforms of `--platform`: as named, `all` spelled out, each once.
pub(super) fn named(words: &[String], catalog: &Catalog, config: &Value) -> Result<Vec<PlatformKey>, CliError> {
    let mut platforms: Vec<PlatformKey> = Vec::new();
    for word in words {
        let keys = if word == ALL { in_use(catalog, config) } else { vec![known(word, catalog, config)?] };
        for key in keys {
            if !platforms.contains(&key) {
                platforms.push(key);
            }
        }
    }
    Ok(platforms)
}

/// One platform, or why there is none of that name.
pub(super) fn known(word: &str, catalog: &Catalog, config: &Value) -> Result<PlatformKey, CliError> {
    let saved = saved_keys(config);
    if catalog.platform(word).is_some() || saved.iter().any(|key| key == word) {
        return Ok(word.into());
    }
    let names = catalog.document().platforms.iter().map(|platform| platform.key.as_str());
    let near = nearest(word, names.chain(saved.iter().map(String::as_str)));
    let error = CliError::failed(format!("there is no platform '{word}'"));
    Err(match near {
        Some(near) => error.hint(format!("did you mean {near}?")),
        None => error.hint(format!("in use here: {}", join(&in_use(catalog, config)))),
    })
}

/// Platforms that Hermes' own menu calls enabled, and those with a saved list, in the catalog's order; `cli` always.
pub(super) fn in_use(catalog: &Catalog, config: &Value) -> Vec<PlatformKey> {
    let saved = saved_keys(config);
    let enabled = &catalog.facts().enabled_platforms;
    let used = |key: &PlatformKey| {
        key.as_str() == "cli" || enabled.contains(key) || saved.iter().any(|saved| saved == key.as_str())
    };
    let mut keys: Vec<PlatformKey> =
        catalog.document().platforms.iter().map(|platform| platform.key.clone()).filter(used).collect();
    if !keys.iter().any(|key| key.as_str() == "cli") {
        keys.insert(0, "cli".into());
    }
    for key in saved {
        if !keys.iter().any(|known| known.as_str() == key) {
            keys.push(key.into());
        }
    }
    keys
}

/// `cli, telegram`, sanitised.
pub(super) fn join(platforms: &[PlatformKey]) -> String {
    platforms.iter().map(|platform| visible(platform.as_str())).collect::<Vec<_>>().join(", ")
}

fn saved_keys(config: &Value) -> Vec<String> {
    let lists = config.get("platform_toolsets").and_then(Value::as_map).unwrap_or_default();
    lists.iter().map(|(key, _)| key.py_str().into_owned()).collect()
}
