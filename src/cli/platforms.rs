//! Platforms named on the command line, and those a home really uses.

use crate::engine::catalog::Catalog;
use crate::engine::ids::PlatformKey;
use crate::engine::selection::nearest::nearest;
use crate::engine::selection::{platforms_in_use, platforms_with_a_key};
use crate::engine::text::visible;
use crate::engine::value::Value;

use super::error::CliError;

/// The word for every platform in use.
pub(super) const ALL: &str = "all";

/// The platforms of `--platform`: as named, `all` spelled out, each once.
pub(super) fn named(words: &[String], catalog: &Catalog, config: &Value) -> Result<Vec<PlatformKey>, CliError> {
    let mut platforms: Vec<PlatformKey> = Vec::new();
    for word in words {
        let keys = if word == ALL { platforms_in_use(catalog, config) } else { vec![known(word, catalog, config)?] };
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
    let saved = platforms_with_a_key(config);
    if catalog.platform(word).is_some() || saved.iter().any(|key| key == word) {
        return Ok(word.into());
    }
    let names = catalog.document().platforms.iter().map(|platform| platform.key.as_str());
    let near = nearest(word, names.chain(saved.iter().map(String::as_str)));
    let error = CliError::failed(format!("there is no platform '{word}'"));
    Err(match near {
        Some(near) => error.hint(format!("did you mean {near}?")),
        None => error.hint(format!("in use here: {}", join(&platforms_in_use(catalog, config)))),
    })
}

/// `cli, telegram`, sanitised.
pub(super) fn join(platforms: &[PlatformKey]) -> String {
    platforms.iter().map(|platform| visible(platform.as_str())).collect::<Vec<_>>().join(", ")
}
