//! The settings of tool search as a person changes them: names, values one may type, bounds, and what each one means.
//!
//! What a file holds is read by [`Settings`]; here is the way back, from a typed word to the value that is written.

use serde::{Deserialize, Serialize};

use super::assembly::settings::{Enabled, PLACE, Settings};
use super::plan::NewValue;
use super::rules::Rules;

/// One key below `tools.tool_search`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Setting {
    Enabled,
    ThresholdPct,
    Listing,
    ListingMaxTokens,
    Defer,
    SearchDefaultLimit,
    MaxSearchLimit,
}

impl Setting {
    pub const ALL: [Self; 7] = [
        Self::Enabled,
        Self::ThresholdPct,
        Self::Listing,
        Self::ListingMaxTokens,
        Self::Defer,
        Self::SearchDefaultLimit,
        Self::MaxSearchLimit,
    ];

    /// The key in the file.
    pub fn key(self) -> &'static str {
        match self {
            Self::Enabled => "enabled",
            Self::ThresholdPct => "threshold_pct",
            Self::Listing => "listing",
            Self::ListingMaxTokens => "listing_max_tokens",
            Self::Defer => "defer",
            Self::SearchDefaultLimit => "search_default_limit",
            Self::MaxSearchLimit => "max_search_limit",
        }
    }

    /// By its key.
    pub fn named(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|setting| setting.key() == key)
    }

    /// Its place in the file.
    pub fn path(self) -> [&'static str; 3] {
        [PLACE[0], PLACE[1], self.key()]
    }

    /// Whether this version reads it.
    pub fn is_read(self, rules: &Rules) -> bool {
        match self {
            Self::Listing | Self::ListingMaxTokens => rules.tiered_listing,
            Self::Defer => rules.builtins_deferrable,
            _ => rules.activation != super::rules::Activation::Absent,
        }
    }

    /// What it decides, in one sentence.
    pub fn meaning(self, rules: &Rules) -> &'static str {
        match self {
            Self::Enabled => "Whether tools may stand behind the bridge: auto, on or off.",
            Self::ThresholdPct if rules.tiered_listing => {
                "Percent of the window the listing may take, if that is less than listing_max_tokens."
            }
            Self::ThresholdPct => "Percent of the window that deferrable tools must outweigh before `auto` starts.",
            Self::Listing => "Whether deferred tools are listed for the model: auto, on or off.",
            Self::ListingMaxTokens => "Tokens the listing may take.",
            Self::Defer => "Built-in tools to defer, in place of Hermes' own choice; an empty list defers none.",
            Self::SearchDefaultLimit => "Tools a search returns when the model asks for no number.",
            Self::MaxSearchLimit => "The most tools a search returns.",
        }
    }

    /// What may be typed.
    pub fn accepts(self) -> &'static str {
        match self {
            Self::Enabled | Self::Listing => "auto, on or off",
            Self::ThresholdPct => "a number from 0 to 100",
            Self::ListingMaxTokens => "a whole number from 200 to 60000",
            Self::Defer => "names of tools with commas between, or none",
            Self::SearchDefaultLimit | Self::MaxSearchLimit => "a whole number from 1 to 50",
        }
    }

    /// The value in force, as it would be typed.
    pub fn shown(self, settings: &Settings) -> String {
        match self {
            Self::Enabled => match settings.enabled {
                Enabled::Auto => "auto".to_owned(),
                Enabled::On => "on".to_owned(),
                Enabled::Off => "off".to_owned(),
            },
            Self::ThresholdPct => settings.threshold_pct.to_string(),
            // `on` behaves as `auto`.
            Self::Listing => if settings.listing { "auto" } else { "off" }.to_owned(),
            Self::ListingMaxTokens => settings.listing_max_tokens.to_string(),
            Self::Defer => match &settings.defer {
                None => "Hermes' own choice".to_owned(),
                Some(names) if names.is_empty() => "none".to_owned(),
                Some(names) => names.join(", "),
            },
            Self::SearchDefaultLimit => settings.search_default_limit.to_string(),
            Self::MaxSearchLimit => settings.max_search_limit.to_string(),
        }
    }

    /// A typed value as it is written.
    ///
    /// # Errors
    /// What is wrong with it and what is accepted, a clause without a final stop.
    pub fn parse(self, typed: &str) -> Result<NewValue, String> {
        let typed = typed.trim();
        let wrong = || format!("{} takes {}, not '{}'", self.key(), self.accepts(), super::text::visible(typed));
        let whole = |low: u64, high: u64| {
            let number = typed.parse::<u64>().ok().filter(|number| (low..=high).contains(number));
            number.map(NewValue::Int).ok_or_else(wrong)
        };
        match self {
            Self::Enabled | Self::Listing => match typed.to_lowercase().as_str() {
                "auto" => Ok(NewValue::Word("auto".to_owned())),
                "on" | "true" | "yes" => Ok(NewValue::Bool(true)),
                "off" | "false" | "no" => Ok(NewValue::Bool(false)),
                _ => Err(wrong()),
            },
            Self::ThresholdPct => {
                let number = typed.trim_end_matches('%').trim().parse::<f64>().ok();
                let number = number.filter(|number| (0.0..=100.0).contains(number)).ok_or_else(wrong)?;
                // Smaller ones are written with an exponent, which one of the loaders takes for text.
                if (number * 1e4).round() / 1e4 != number {
                    return Err(format!("{} takes at most four decimals", self.key()));
                }
                Ok(number_of(number))
            }
            Self::ListingMaxTokens => whole(200, 60_000),
            Self::SearchDefaultLimit | Self::MaxSearchLimit => whole(1, 50),
            Self::Defer => {
                let list = typed.trim_start_matches('[').trim_end_matches(']');
                if typed == "[]" {
                    return Ok(NewValue::List(Vec::new()));
                }
                if list.eq_ignore_ascii_case("none") {
                    return Ok(NewValue::List(Vec::new()));
                }
                let mut names: Vec<String> = Vec::new();
                for name in list.split(',').map(|name| name.trim().trim_matches(['"', '\'']).to_owned()) {
                    if !name.is_empty() && !names.contains(&name) {
                        names.push(name);
                    }
                }
                // A stray comma must not come to mean that nothing is deferred.
                if names.is_empty() { Err(wrong()) } else { Ok(NewValue::List(names)) }
            }
        }
    }

    /// The next value up or down, for keys that step. Lists have none.
    pub fn stepped(self, settings: &Settings, up: bool) -> Option<NewValue> {
        let next = |steps: &[u64], now: u64| {
            let higher = || steps.iter().copied().find(|step| *step > now);
            let lower = || steps.iter().rev().copied().find(|step| *step < now);
            if up { higher() } else { lower() }
        };
        match self {
            Self::Enabled => {
                let order = ["off", "auto", "on"];
                self.word(&order, &self.shown(settings), up)
            }
            Self::Listing => self.word(&["off", "auto"], &self.shown(settings), up),
            Self::ThresholdPct => {
                const STEPS: [f64; 14] = [0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 7.5, 10.0, 15.0, 20.0, 30.0, 50.0, 100.0];
                let now = settings.threshold_pct;
                let found = if up {
                    STEPS.into_iter().find(|step| *step > now)
                } else {
                    STEPS.into_iter().rev().find(|step| *step < now)
                };
                found.map(number_of)
            }
            Self::ListingMaxTokens => {
                const STEPS: [u64; 18] = [
                    200, 300, 400, 600, 800, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000, 8_000, 10_000, 15_000, 20_000,
                    30_000, 40_000, 60_000,
                ];
                next(&STEPS, settings.listing_max_tokens).map(NewValue::Int)
            }
            Self::SearchDefaultLimit => {
                let now = u64::from(settings.search_default_limit);
                let steps: Vec<u64> = (1..=u64::from(settings.max_search_limit)).collect();
                next(&steps, now).map(NewValue::Int)
            }
            Self::MaxSearchLimit => {
                let steps: Vec<u64> = (1..=50).collect();
                next(&steps, u64::from(settings.max_search_limit)).map(NewValue::Int)
            }
            Self::Defer => None,
        }
    }

    fn word(self, order: &[&str], now: &str, up: bool) -> Option<NewValue> {
        let at = order.iter().position(|word| *word == now)?;
        let next = if up { at.checked_add(1)? } else { at.checked_sub(1)? };
        self.parse(order.get(next)?).ok()
    }
}

/// Without a fraction where it has none, as people write it.
fn number_of(number: f64) -> NewValue {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, and from 0 to 100")]
    if number.fract() == 0.0 { NewValue::Int(number as u64) } else { NewValue::Decimal(number.to_string()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::assembly::host::Host;

    fn default() -> Settings {
        Settings::default_of(&Host::own(&Rules::v0_22()).defaults)
    }

    #[test]
    fn what_is_typed_is_taken_or_refused_with_what_is_accepted() {
        let table = [
            (Setting::Enabled, " Auto ", Ok(NewValue::Word("auto".into()))),
            (Setting::Enabled, "off", Ok(NewValue::Bool(false))),
            (Setting::Listing, "yes", Ok(NewValue::Bool(true))),
            (Setting::ThresholdPct, "7.5 %", Ok(NewValue::Decimal("7.5".into()))),
            (Setting::ThresholdPct, "5.0", Ok(NewValue::Int(5))),
            (Setting::ListingMaxTokens, "60000", Ok(NewValue::Int(60_000))),
            (Setting::Defer, "patch, 'memory', patch,", Ok(NewValue::List(vec!["patch".into(), "memory".into()]))),
            (Setting::Defer, "[]", Ok(NewValue::List(Vec::new()))),
            (Setting::Defer, "none", Ok(NewValue::List(Vec::new()))),
        ];
        for (setting, typed, expected) in table {
            assert_eq!(setting.parse(typed), expected, "{typed}");
        }
        for (setting, typed) in [
            (Setting::Enabled, "maybe"),
            (Setting::ThresholdPct, "101"),
            (Setting::ThresholdPct, "nan"),
            (Setting::ThresholdPct, "-1"),
            (Setting::ListingMaxTokens, "199"),
            (Setting::ListingMaxTokens, "900.5"),
            (Setting::MaxSearchLimit, "0"),
            (Setting::MaxSearchLimit, "51"),
            (Setting::Defer, ""),
            (Setting::Defer, ","),
            (Setting::Defer, "["),
        ] {
            let error = setting.parse(typed).unwrap_err();
            assert!(error.contains(setting.accepts()), "{error}");
        }
        assert!(Setting::ThresholdPct.parse("0.00001").is_err_and(|error| error.contains("four decimals")));
        assert!(!Setting::Enabled.parse("\u{1b}[2J").unwrap_err().contains('\u{1b}'));
    }

    #[test]
    fn keys_step_within_bounds_and_stop_there() {
        let mut settings = default();
        let mut steps = 0;
        while let Some(NewValue::Int(next)) = Setting::ListingMaxTokens.stepped(&settings, true) {
            assert!(next > settings.listing_max_tokens);
            settings.listing_max_tokens = next;
            steps += 1;
        }
        assert_eq!((settings.listing_max_tokens, steps), (60_000, 8));
        settings.listing_max_tokens = 200;
        assert_eq!(Setting::ListingMaxTokens.stepped(&settings, false), None);
        assert_eq!(Setting::Enabled.stepped(&settings, true), Some(NewValue::Bool(true)));
        assert_eq!(Setting::Enabled.stepped(&settings, false), Some(NewValue::Bool(false)));
        assert_eq!(Setting::ThresholdPct.stepped(&settings, true), Some(NewValue::Decimal("7.5".into())));
        assert_eq!(Setting::Defer.stepped(&settings, true), None);
    }
}
