//! What people get wrong under `tools.tool_search`: words and numbers that are read as something else.

use super::Found;
use crate::engine::assembly::disclosure::{Direct, Disclosure};
use crate::engine::assembly::settings::{Enabled, PLACE, Settings};
use crate::engine::catalog::Catalog;
use crate::engine::rules::Activation;
use crate::engine::selection::nearest::nearest;
use crate::engine::value::Value;

/// Keys only newer Hermes reads.
const NEWER: [&str; 3] = ["listing", "listing_max_tokens", "defer"];

/// A `threshold_pct` below this can only be meant as a switch that activates early.
const TINY_PCT: f64 = 1.0;

pub(super) fn findings(config: &Value, catalog: &Catalog, found: &mut Found) {
    let Some(section) = config.at(&PLACE) else { return };
    let place = PLACE.join(".");
    let rules = catalog.rules();
    if rules.activation == Activation::Absent {
        found.note(&place, "This Hermes has no tool search and reads nothing here.".into());
        return;
    }
    if section.as_map().is_none() {
        if !matches!(section, Value::Bool(_) | Value::Null) {
            let text = format!(
                "This is {} where a mapping is expected; Hermes reads it as `enabled: auto`. To switch tool search off, write `enabled: off` below it.",
                section.kind()
            );
            found.warn(&place, text);
        }
        return;
    }
    let settings = Settings::read(config, catalog.host());
    let at = |key: &str| format!("{place}.{key}");
    for key in NEWER.into_iter().filter(|_| !rules.tiered_listing) {
        if section.get(key).is_some() {
            found.note(&at(key), "This Hermes does not read it; newer ones do.".into());
        }
    }
    if rules.activation == Activation::AnyDeferrable
        && section.get("threshold_pct").is_some()
        && settings.threshold_pct < TINY_PCT
    {
        found.warn(
            &at("threshold_pct"),
            format!(
                "{} % of the window is all the listing may take; it does not decide when tool search starts, which is as soon as a tool can be deferred.",
                settings.threshold_pct
            ),
        );
    }
    let numbers = [
        ("threshold_pct", settings.threshold_pct),
        ("max_search_limit", f64::from(settings.max_search_limit)),
        ("search_default_limit", f64::from(settings.search_default_limit)),
        ("listing_max_tokens", settings.listing_max_tokens as f64),
    ];
    for (key, read) in numbers.into_iter().filter(|(key, _)| rules.tiered_listing || !NEWER.contains(key)) {
        let written = section.get(key).filter(|value| !value.is_null());
        if let Some(value) = written.filter(|value| value.py_str().trim().parse::<f64>() != Ok(read)) {
            found.warn(&at(key), format!("'{}' counts as {read}.", value.py_str()));
        }
    }
    for (key, known) in [("enabled", true), ("listing", rules.tiered_listing)] {
        let written = section.get(key).filter(|value| known && !value.is_null());
        let word = written.map(|value| value.py_str().trim().to_lowercase());
        let words = ["auto", "on", "off", "true", "false", "1", "0", "yes", "no"];
        if let Some(word) = word.filter(|word| !words.contains(&word.as_str())) {
            found.warn(&at(key), format!("'{word}' is no word Hermes knows here; it counts as auto."));
        }
    }
    if rules.builtins_deferrable {
        deferred_names(section, catalog, &at("defer"), found);
    }
}

/// `enabled: on` where nothing can be deferred: true, and no help.
pub(super) fn on_for_nothing(config: &Value, disclosure: &Disclosure, found: &mut Found) {
    let written = config.at(&PLACE).is_some_and(|section| section.get("enabled").is_some());
    if written && disclosure.settings.enabled == Enabled::On && disclosure.direct == Some(Direct::NothingToDefer) {
        let text = "On, but nothing in this platform's array may be deferred: there is no bridge, and every tool is sent whole.";
        found.note(&format!("{}.enabled", PLACE.join(".")), text.into());
    }
}

fn deferred_names(section: &Value, catalog: &Catalog, place: &str, found: &mut Found) {
    match section.get("defer") {
        None | Some(Value::Null) => {}
        Some(Value::Seq(items)) => {
            for item in items.iter().filter(|item| !item.is_null()) {
                let name = item.py_str().trim().to_owned();
                if !name.is_empty() && catalog.tool(&name).is_none() {
                    let tools = catalog.document().tools.iter().map(|tool| tool.name.as_str());
                    let advice = nearest(&name, tools).map(|near| format!(" Did you mean '{near}'?")).unwrap_or_default();
                    found.note(place, format!("'{name}' is no tool here, so nothing is deferred by it.{advice}"));
                }
            }
        }
        Some(value) => found.warn(
            place,
            format!(
                "This is {} where a list is expected; Hermes ignores it and defers its own choice. Write a list, such as [{}]; [] defers no built-in tool.",
                value.kind(),
                value.as_str().unwrap_or("name")
            ),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::testing::{catalog_19, catalog_22, config};

    fn texts(catalog: &Catalog, section: &str) -> Vec<String> {
        let mut found = Found(Vec::new());
        findings(&config(&format!("{{\"tools\": {{\"tool_search\": {section}}}}}")), catalog, &mut found);
        found.0.into_iter().map(|finding| format!("{}: {}", finding.place, finding.text)).collect()
    }

    #[test]
    fn what_is_read_as_written_is_no_finding() {
        for section in [
            "{}",
            "null",
            "false",
            "true",
            r#"{"enabled": "off", "threshold_pct": 5, "listing_max_tokens": "900", "defer": ["shell", " "]}"#,
            r#"{"enabled": true, "listing": null, "defer": []}"#,
        ] {
            assert_eq!(texts(&catalog_22(), section), Vec::<String>::new(), "{section}");
        }
    }

    #[test]
    fn what_is_read_as_something_else_is_said_at_its_place() {
        for (section, expected) in [
            (
                r#""off""#,
                "tools.tool_search: This is text where a mapping is expected; Hermes reads it as `enabled: auto`",
            ),
            (
                r#"{"threshold_pct": 0.01}"#,
                "tools.tool_search.threshold_pct: 0.01 % of the window is all the listing may take",
            ),
            (r#"{"threshold_pct": 250}"#, "tools.tool_search.threshold_pct: '250' counts as 100."),
            (r#"{"listing_max_tokens": 5}"#, "tools.tool_search.listing_max_tokens: '5' counts as 200."),
            (r#"{"max_search_limit": "many"}"#, "tools.tool_search.max_search_limit: 'many' counts as 25."),
            (r#"{"enabled": "never"}"#, "tools.tool_search.enabled: 'never' is no word Hermes knows here"),
            (r#"{"defer": "shell"}"#, "tools.tool_search.defer: This is text where a list is expected"),
            (
                r#"{"defer": ["shel"]}"#,
                "tools.tool_search.defer: 'shel' is no tool here, so nothing is deferred by it. Did you mean 'shell'?",
            ),
        ] {
            let told = texts(&catalog_22(), section);
            assert!(told.iter().any(|text| text.starts_with(expected)), "{section}: {told:?}");
        }
        let told = texts(&catalog_19(), r#"{"defer": ["shell"], "threshold_pct": 0.01}"#);
        assert_eq!(told, ["tools.tool_search.defer: This Hermes does not read it; newer ones do."]);
    }
}
