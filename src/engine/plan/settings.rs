//! Wishes about the settings of tool search: `tools.tool_search.<key>`.

use std::collections::BTreeSet;

use super::NewValue;
use super::edits::Edits;
use crate::engine::assembly::settings::PLACE;
use crate::engine::pytext;
use crate::engine::setting::Setting;
use crate::engine::value::Value;

/// Whether a setting is written so: with this value, or not at all.
pub(super) fn is_written(config: &Value, setting: Setting, value: Option<&NewValue>) -> bool {
    let section = config.at(&PLACE);
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
        (Some(written), Some(value)) => *written == super::apply::loaded(value),
        (Some(_), None) | (None, Some(_)) => false,
        // A plain `false` in place of the section says `enabled: off`.
        (None, None) => setting != Setting::Enabled || section != Some(&Value::Bool(false)),
    }
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
        edits.remove(&PLACE);
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
