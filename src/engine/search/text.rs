//! The text a tool is found by, and the words in it.

use std::fmt;

use serde::Deserialize;
use serde::de::{IgnoredAny, MapAccess, Visitor};

use super::{Entry, Protocol};

/// Runs of ASCII letters and digits; everything else parts words.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

/// Calls `each` with every word of a tool's search text, in order: the words of its name, in 0.22 those of the label it
/// is listed under (unless its name has it), its description, and its parameters' names.
pub(super) fn each_word(entry: &Entry, protocol: Protocol, mut each: impl FnMut(&str)) {
    let name = match protocol {
        Protocol::Single => entry.name.as_str(),
        Protocol::Batch => entry.name.as_str().strip_prefix("mcp__").unwrap_or(entry.name.as_str()),
    };
    words(name).for_each(&mut each);
    if protocol == Protocol::Batch && !entry.source_name.as_str().is_empty() {
        let label = entry.label();
        let mut parts = name.split(|character: char| {
            matches!(character, '_' | '.' | ':' | '-') || crate::engine::pytext::is_space(character)
        });
        if !parts.any(|part| part == label) {
            words(label).for_each(&mut each);
        }
    }
    let Ok(tool) = serde_json::from_str::<Searched<'_>>(entry.definition.text()) else { return };
    if let Some(description) = tool.function.description {
        words(&description).for_each(&mut each);
    }
    for key in tool.function.parameters.into_iter().flat_map(|parameters| parameters.properties.unwrap_or_default().0) {
        words(&key).for_each(&mut each);
    }
}

#[derive(Deserialize)]
struct Searched<'a> {
    #[serde(borrow)]
    function: SearchedFunction<'a>,
}

#[derive(Deserialize)]
struct SearchedFunction<'a> {
    #[serde(default, borrow)]
    description: Option<std::borrow::Cow<'a, str>>,
    #[serde(default)]
    parameters: Option<SearchedParameters>,
}

#[derive(Deserialize)]
struct SearchedParameters {
    #[serde(default)]
    properties: Option<Keys>,
}

/// The keys of an object; its values are passed over.
#[derive(Default)]
struct Keys(Vec<String>);

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Keys;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Keys, M::Error> {
                let mut keys = Vec::new();
                while let Some(key) = map.next_key::<String>()? {
                    map.next_value::<IgnoredAny>()?;
                    keys.push(key);
                }
                Ok(Keys(keys))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

/// What answers show of a definition, as the JSON text it is.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Parts<'a> {
    #[serde(borrow)]
    pub function: FunctionParts<'a>,
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct FunctionParts<'a> {
    /// JSON text.
    #[serde(default, borrow)]
    pub description: Option<&'a serde_json::value::RawValue>,
    /// JSON text.
    #[serde(default, borrow)]
    pub parameters: Option<&'a serde_json::value::RawValue>,
}

impl<'a> Parts<'a> {
    /// Empty for what is no definition.
    pub(crate) fn of(definition: &'a str) -> Self {
        serde_json::from_str(definition).unwrap_or_default()
    }

    /// The description as text; empty for anything but a string.
    pub(crate) fn description(&self) -> String {
        self.function.description.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
    }

    /// Names under `required`, as far as they are strings.
    pub(crate) fn required(&self) -> Vec<String> {
        #[derive(Deserialize)]
        struct Required {
            required: Vec<serde_json::Value>,
        }
        let read = |raw: &serde_json::value::RawValue| serde_json::from_str::<Required>(raw.get()).ok();
        let items = self.function.parameters.and_then(read).map(|found| found.required).unwrap_or_default();
        items.into_iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()
    }
}
