//! The way to a full listing: which settings would have every deferred tool listed with its description.

use super::{Inputs, ListingDetail, listing};
use crate::engine::assembly::listing::Form;
use crate::engine::assembly::settings::{Enabled, Settings};
use crate::engine::draft::{Draft, Target};
use crate::engine::plan::{self, NewValue};
use crate::engine::setting::Setting;

/// What leads to a full listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToFull {
    /// It is one.
    IsFull,
    /// This Hermes lists nothing, or there is nothing to list.
    NothingListed,
    /// These settings, all of them.
    Set(Vec<(Setting, NewValue)>),
    /// No setting: the listing would take this many tokens, by Hermes' estimate.
    TooLong(u64),
}

/// Finds it for one selection. Builds listings: not for every key press.
pub fn to_full(inputs: &Inputs<'_>) -> ToFull {
    if !inputs.catalog.rules().tiered_listing {
        return ToFull::NothingListed;
    }
    let settings = Settings::read(inputs.config, inputs.catalog.host());
    let mut wishes = Vec::new();
    let auto = || NewValue::Word("auto".to_owned());
    if settings.enabled == Enabled::Off {
        wishes.push((Setting::Enabled, auto()));
    }
    if !settings.listing {
        wishes.push((Setting::Listing, auto()));
    }
    let Some(listed) = listed(inputs, &wishes) else { return ToFull::NothingListed };
    let disclosure = &listed.disclosure;
    let (Some(full), Some(budget)) = (listed.ladder.first(), disclosure.budget) else { return ToFull::NothingListed };
    if disclosure.deferred == 0 {
        return ToFull::NothingListed;
    }
    let needed = full.extent.tokens();
    if disclosure.listing.form != Form::Full {
        if budget.cap_leg < needed {
            // A round number leaves room for a tool more.
            match Setting::ListingMaxTokens.parse(&(needed.div_ceil(100) * 100).to_string()) {
                Ok(tokens) => wishes.push((Setting::ListingMaxTokens, tokens)),
                Err(_) => return ToFull::TooLong(needed),
            }
        }
        if budget.pct_leg < needed {
            match inputs.context_tokens.and_then(|window| percent_for(needed, window, &settings)) {
                Some(percent) => wishes.push((Setting::ThresholdPct, percent)),
                None => return ToFull::TooLong(needed),
            }
        }
    }
    if wishes.is_empty() { ToFull::IsFull } else { ToFull::Set(wishes) }
}

/// The listing with these settings; none where the planner refuses them.
fn listed(inputs: &Inputs<'_>, wishes: &[(Setting, NewValue)]) -> Option<ListingDetail> {
    if wishes.is_empty() {
        return Some(listing(inputs));
    }
    let mut draft = Draft::default();
    let wishes: Vec<(Target, bool)> =
        wishes.iter().map(|(setting, value)| (Target::Setting(*setting, Some(value.clone())), true)).collect();
    draft.apply(&wishes, |target| plan::state(inputs.config, inputs.catalog, target));
    let plan = plan::plan(inputs.config, inputs.catalog, &draft).ok()?;
    let config = plan::apply(inputs.config, &plan.ops);
    Some(listing(&Inputs { config: &config, assembly: None, ..*inputs }))
}

/// The smallest percentage, to a tenth, whose part of the window holds the listing.
fn percent_for(needed: u64, window: u64, settings: &Settings) -> Option<NewValue> {
    let smallest = needed.saturating_mul(1_000).div_ceil(window.max(1));
    // Hermes rounds the part down, so one tenth more may be needed.
    (smallest..=smallest.saturating_add(1)).filter(|tenths| *tenths <= 1_000).find_map(|tenths| {
        let threshold_pct = tenths as f64 / 10.0;
        let part = Settings { threshold_pct, ..settings.clone() }.budget(Some(window)).pct_leg;
        (part >= needed).then(|| Setting::ThresholdPct.parse(&threshold_pct.to_string()).ok()).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::catalog::{Catalog, Surface};
    use crate::engine::meter::TokenCounts;
    use crate::engine::testing::{catalog_19, catalog_22, config};
    use crate::engine::value::Value;

    fn way(catalog: &Catalog, config: &Value, context_tokens: Option<u64>) -> (ToFull, Option<Value>, Form) {
        let counts = TokenCounts::default();
        let platform = "cli".into();
        let surface = Surface::Cli;
        let inputs =
            Inputs { catalog, config, platform: &platform, surface, assembly: None, counts: &counts, context_tokens };
        let found = to_full(&inputs);
        let after = match &found {
            ToFull::Set(wishes) => {
                let mut draft = Draft::default();
                for (setting, value) in wishes {
                    let target = Target::Setting(*setting, Some(value.clone()));
                    draft.apply(&[(target, true)], |target| plan::state(config, catalog, target));
                }
                let plan = plan::plan(config, catalog, &draft).expect("what is offered can be planned");
                Some(plan::apply(config, &plan.ops))
            }
            _ => None,
        };
        (found, after, listing(&inputs).disclosure.listing.form)
    }

    /// What is offered gives the full listing when it is done, whatever stood in the way.
    #[test]
    fn the_way_to_a_full_listing_leads_there() {
        let catalog = catalog_22();
        for (extra, window) in [
            ("", Some(200_000)),
            (r#", "enabled": false"#, Some(200_000)),
            (r#", "listing": "off""#, Some(200_000)),
            (r#", "threshold_pct": 0.01"#, Some(200_000)),
            (r#", "threshold_pct": 0, "listing": false, "enabled": "off""#, Some(1_000)),
            (r#", "threshold_pct": 0.001"#, Some(1_000_000)),
            (r#", "threshold_pct": 0.1"#, Some(777)),
        ] {
            let defer = r#""defer": ["note", "plan", "shell", "read_file", "web_search"]"#;
            let config = config(&format!("{{\"tools\": {{\"tool_search\": {{{defer}{extra}}}}}}}"));
            match way(&catalog, &config, window) {
                (ToFull::IsFull, _, form) => assert_eq!((extra, form), ("", Form::Full)),
                (ToFull::Set(_), Some(after), form) => {
                    assert_ne!(form, Form::Full, "{extra}");
                    let (then, _, form) = way(&catalog, &after, window);
                    assert_eq!((then, form), (ToFull::IsFull, Form::Full), "{extra}");
                }
                other => panic!("{extra}: {other:?}"),
            }
        }
    }

    #[test]
    fn where_nothing_can_be_listed_no_way_is_offered() {
        let nothing = config(r#"{"tools": {"tool_search": {"defer": []}}}"#);
        assert_eq!(way(&catalog_22(), &nothing, None).0, ToFull::NothingListed);
        assert_eq!(way(&catalog_19(), &config("{}"), None).0, ToFull::NothingListed);
        let tiny = config(r#"{"tools": {"tool_search": {"defer": ["note", "shell"]}}}"#);
        assert!(
            matches!(way(&catalog_22(), &tiny, Some(5)).0, ToFull::TooLong(_)),
            "a window of five tokens holds none"
        );
    }
}
