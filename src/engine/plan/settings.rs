//! Wishes about the settings of tool search: `tools.tool_search.<key>`.

use std::collections::BTreeSet;

use super::edits::Edits;
use super::{NewValue, Refusal};
use crate::engine::assembly::settings::{Enabled, PLACE, Settings, word_of};
use crate::engine::catalog::Catalog;
use crate::engine::draft::Target;
use crate::engine::pytext;
use crate::engine::setting::Setting;
use crate::engine::text::visible;
use crate::engine::value::Value;

/// Whether the file says so, in whatever spelling, and Hermes reads it as that; `None`: it says nothing.
pub(super) fn holds(config: &Value, catalog: &Catalog, setting: Setting, value: Option<&NewValue>) -> bool {
    let settings = Settings::read(config, catalog.host());
    is_written(config, setting, value)
        && match (setting, value) {
            (Setting::Enabled, Some(value)) => settings.enabled == word(value),
            // `on` lists as `auto` does.
            (Setting::Listing, Some(value)) => settings.listing == (word(value) != Enabled::Off),
            (Setting::Defer, Some(_)) => settings.defer.is_some(),
            (_, Some(value)) => value.inline() == Some(setting.shown(&settings)),
            (_, None) => true,
        }
}

fn word(value: &NewValue) -> Enabled {
    match value {
        NewValue::Bool(true) => Enabled::On,
        NewValue::Bool(false) => Enabled::Off,
        _ => Enabled::Auto,
    }
}

fn is_written(config: &Value, setting: Setting, value: Option<&NewValue>) -> bool {
    let section = config.at(&PLACE);
    let switched_off = setting == Setting::Enabled && section == Some(&Value::Bool(false));
    let written = section.and_then(|section| section.get(setting.key())).filter(|value| !value.is_null());
    match (written, value) {
        (Some(written), Some(NewValue::List(names))) => {
            // Order and repetition mean nothing here.
            let items = |items: &[Value]| -> BTreeSet<String> {
                let items = items.iter().map(|item| pytext::strip(&item.py_str()).to_owned());
                items.filter(|item| !item.is_empty()).collect()
            };
            written.as_seq().map(items) == Some(names.iter().cloned().collect())
        }
        (Some(written), Some(value @ (NewValue::Bool(_) | NewValue::Word(_)))) => {
            word_of(&written.py_str()) == Some(word(value))
        }
        (Some(written), Some(value)) => {
            let number = |text: &str| pytext::strip(text).parse::<f64>().ok();
            value.inline().and_then(|text| number(&text)) == number(&written.py_str())
        }
        (Some(_), None) => false,
        (None, Some(value)) => switched_off && *value == NewValue::Bool(false),
        (None, None) => !switched_off,
    }
}

/// A setting that would not count, because another value of the section decides otherwise.
pub(super) fn ungranted(after: &Value, catalog: &Catalog, target: &Target, setting: Setting) -> Refusal {
    let settings = Settings::read(after, catalog.host());
    let instead = match setting {
        Setting::SearchDefaultLimit => "raise max_search_limit first".to_owned(),
        _ => format!("correct the other values under {} first", PLACE.join(".")),
    };
    let reason = format!("Hermes would read {} as {}", setting.path().join("."), setting.shown(&settings));
    Refusal { target: target.clone(), reason: visible(&reason).into_owned(), instead }
}

/// Writes a setting, or takes it out. What stands where the section should be is replaced by one that means the same.
pub(super) fn write(edits: &mut Edits<'_>, setting: Setting, value: Option<&NewValue>) {
    let config = edits.value();
    let section = config.at(&PLACE);
    if section.is_some_and(|section| section.as_map().is_none() && !section.is_null()) {
        let was_off = section == Some(&Value::Bool(false));
        if value.is_none() && !(was_off && setting == Setting::Enabled) {
            return;
        }
        if value.is_none() {
            return edits.remove(&PLACE);
        }
        // Its place and the comment beside it stay.
        edits.set(&PLACE, NewValue::Null);
        if was_off && setting != Setting::Enabled {
            edits.set(&Setting::Enabled.path(), NewValue::Bool(false));
        }
    }
    match value {
        None => edits.remove(&setting.path()),
        Some(NewValue::List(names)) => {
            let list = edits.list(&setting.path(), Vec::new);
            let mut seen = Vec::new();
            list.remove(|item| {
                let name = pytext::strip(item).to_owned();
                let keeps = names.contains(&name) && !seen.contains(&name);
                seen.push(name);
                !keeps
            });
            if names.is_empty() {
                list.touch();
            }
            for name in names {
                if !list.texts().any(|item| pytext::strip(item) == name) {
                    list.add(name);
                }
            }
        }
        Some(value) => edits.set(&setting.path(), value.clone()),
    }
}
