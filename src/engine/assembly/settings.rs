//! `tools.tool_search` in `config.yaml`, read as Hermes 0.19 and 0.22 read it: what is missing or of a wrong kind counts
//! as its default, numbers are clamped, and a number too large for Python's `int` resets the whole section.

use super::host::{Defaults, Host};
use crate::engine::ids::ToolName;
use crate::engine::pytext;
use crate::engine::rules::{Activation, Rules};
use crate::engine::value::Value;

/// Where the settings stand in the file.
pub const PLACE: [&str; 2] = ["tools", "tool_search"];

/// A setting of three states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enabled {
    Auto,
    On,
    Off,
}

/// The settings in force.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    pub enabled: Enabled,
    /// Percent of the window: of activation in 0.19, of the listing in 0.22.
    pub threshold_pct: f64,
    pub search_default_limit: u32,
    pub max_search_limit: u32,
    /// Whether the deferred tools are listed at all (0.22).
    pub listing: bool,
    /// Tokens (0.22).
    pub listing_max_tokens: u64,
    /// Built-in tools to defer instead of the host's own choice (0.22).
    pub defer: Option<Vec<String>>,
}

/// What the listing may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The smaller of the two.
    pub tokens: u64,
    /// The share of the window, or a fixed number where the window is unknown.
    pub pct_leg: u64,
    /// `listing_max_tokens`.
    pub cap_leg: u64,
}

/// Python's `int` raised an `OverflowError`, which Hermes answers with every default.
struct Overflow;

impl Settings {
    pub fn read(config: &Value, host: &Host) -> Self {
        let section = config.at(&PLACE);
        Self::from_section(section, &host.defaults).unwrap_or_else(|Overflow| Self::default_of(&host.defaults))
    }

    /// With nothing configured.
    pub fn default_of(defaults: &Defaults) -> Self {
        Self {
            enabled: Enabled::Auto,
            threshold_pct: defaults.threshold_pct,
            search_default_limit: defaults.search_default_limit,
            max_search_limit: defaults.max_search_limit,
            listing: true,
            listing_max_tokens: defaults.listing_max_tokens,
            defer: None,
        }
    }

    fn from_section(section: Option<&Value>, defaults: &Defaults) -> Result<Self, Overflow> {
        let base = Self::default_of(defaults);
        let Some(section) = section else { return Ok(base) };
        if section.as_map().is_none() {
            // Of the other kinds only a plain `false` means something.
            let enabled = if *section == Value::Bool(false) { Enabled::Off } else { Enabled::Auto };
            return Ok(Self { enabled, ..base });
        }
        let max = clamped(section.get("max_search_limit"), i64::from(base.max_search_limit), 1, 50)?;
        let default = clamped(section.get("search_default_limit"), i64::from(base.search_default_limit), 1, max)?;
        let cap = clamped(section.get("listing_max_tokens"), base.listing_max_tokens as i64, 200, 60_000)?;
        Ok(Self {
            enabled: tri_state(section.get("enabled")),
            threshold_pct: percent(section.get("threshold_pct"), base.threshold_pct)?,
            search_default_limit: default as u32,
            max_search_limit: max as u32,
            listing: tri_state(section.get("listing")) != Enabled::Off,
            listing_max_tokens: cap as u64,
            defer: section.get("defer").and_then(Value::as_seq).map(|entries| {
                let names = entries.iter().map(|entry| pytext::strip(&entry.py_str()).to_owned());
                names.filter(|name| !name.is_empty()).collect()
            }),
        })
    }

    /// Whether the bridge takes over. `deferrable_chars` are the compact characters of what could be deferred.
    pub fn activates(
        &self,
        rules: &Rules,
        deferrable: u64,
        deferrable_chars: impl FnOnce() -> u64,
        context_tokens: Option<u64>,
    ) -> bool {
        if deferrable == 0 || self.enabled == Enabled::Off || rules.activation == Activation::Absent {
            return false;
        }
        if self.enabled == Enabled::On || rules.activation == Activation::AnyDeferrable {
            return true;
        }
        deferrable_chars().div_ceil(4) >= self.threshold(context_tokens)
    }

    /// Tokens of deferrable tools from which `auto` takes over, where the version waits for them (0.19).
    pub fn threshold(&self, context_tokens: Option<u64>) -> u64 {
        context_tokens.map_or(20_000, |window| self.part_of(window))
    }

    /// Tokens the listing may take.
    pub fn budget(&self, context_tokens: Option<u64>) -> Budget {
        let pct_leg = context_tokens.map_or(10_000, |window| self.part_of(window));
        Budget { tokens: self.listing_max_tokens.min(pct_leg), pct_leg, cap_leg: self.listing_max_tokens }
    }

    /// Names of tools that are deferred whatever they are (0.22).
    pub fn defers<'s>(&'s self, host: &'s Host) -> impl Iterator<Item = &'s str> {
        let own = self.defer.is_none().then(|| host.default_defer.iter().map(ToolName::as_str));
        let named = self.defer.iter().flatten().map(String::as_str);
        own.into_iter().flatten().chain(named)
    }

    fn part_of(&self, window: u64) -> u64 {
        // Python divides first, and rounding may differ the other way round.
        (window as f64 * (self.threshold_pct / 100.0)) as u64
    }
}

fn tri_state(value: Option<&Value>) -> Enabled {
    value.and_then(|value| word_of(&value.py_str())).unwrap_or(Enabled::Auto)
}

/// A word Hermes knows; every other counts as auto.
pub fn word_of(text: &str) -> Option<Enabled> {
    match pytext::strip(text).to_lowercase().as_str() {
        "on" | "true" | "1" | "yes" => Some(Enabled::On),
        "off" | "false" | "0" | "no" => Some(Enabled::Off),
        "auto" => Some(Enabled::Auto),
        _ => None,
    }
}

/// `int(value)`, else the default, within bounds.
fn clamped(value: Option<&Value>, default: i64, low: i64, high: i64) -> Result<i64, Overflow> {
    let number = match value {
        Some(Value::Bool(on)) => Some(i64::from(*on)),
        Some(Value::Int(digits)) => pytext::int(digits),
        Some(Value::Str(text)) => pytext::int(text),
        Some(Value::Float(text)) => match pytext::float(text) {
            Some(float) if float.is_infinite() => return Err(Overflow),
            // A float beyond the range saturates, and is clamped next.
            Some(float) if !float.is_nan() => Some(float as i64),
            _ => None,
        },
        _ => None,
    };
    Ok(number.unwrap_or(default).clamp(low, high))
}

/// `float(value)`, else the default, within 0 and 100.
fn percent(value: Option<&Value>, default: f64) -> Result<f64, Overflow> {
    let number = match value {
        Some(Value::Bool(on)) => Some(f64::from(u8::from(*on))),
        Some(Value::Int(digits)) => match pytext::float(digits) {
            Some(float) if float.is_infinite() => return Err(Overflow),
            float => float,
        },
        Some(Value::Float(text) | Value::Str(text)) => pytext::float(text),
        _ => None,
    };
    // Python's `min(100.0, nan)` is 100.
    Ok(number.map_or(default, |number| if number.is_nan() { 100.0 } else { number.clamp(0.0, 100.0) }))
}

#[cfg(test)]
mod tests {
    use super::{Budget, Enabled, Settings};
    use crate::engine::assembly::host::Host;
    use crate::engine::rules::Rules;
    use crate::engine::testing::config;
    use crate::engine::value::Value;

    fn settings(section: &str) -> Settings {
        let text = format!("{{\"tools\": {{\"tool_search\": {section}}}}}");
        Settings::read(&config(&text), &Host::own(&Rules::v0_22()))
    }

    #[test]
    fn words_for_on_and_off_are_read_as_hermes_reads_them() {
        for (section, enabled) in [
            ("false", Enabled::Off),
            ("true", Enabled::Auto),
            ("null", Enabled::Auto),
            ("\"off\"", Enabled::Auto),
            ("{}", Enabled::Auto),
            ("{\"enabled\": \" OFF \"}", Enabled::Off),
            ("{\"enabled\": false}", Enabled::Off),
            ("{\"enabled\": 1}", Enabled::On),
            ("{\"enabled\": \"yes\"}", Enabled::On),
            ("{\"enabled\": \"maybe\"}", Enabled::Auto),
            ("{\"enabled\": null}", Enabled::Auto),
        ] {
            assert_eq!(settings(section).enabled, enabled, "{section}");
        }
    }

    #[test]
    fn numbers_are_clamped_and_bad_ones_count_as_the_default() {
        for (section, cap) in [
            ("{\"listing_max_tokens\": 5}", 200),
            ("{\"listing_max_tokens\": 1e9}", 60_000),
            ("{\"listing_max_tokens\": \"900\"}", 900),
            ("{\"listing_max_tokens\": \"900.0\"}", 4000),
            ("{\"listing_max_tokens\": 900.9}", 900),
            ("{\"listing_max_tokens\": true}", 200),
            ("{\"listing_max_tokens\": null}", 4000),
            ("{\"listing_max_tokens\": [900]}", 4000),
        ] {
            assert_eq!(settings(section).listing_max_tokens, cap, "{section}");
        }
        let limits = settings("{\"max_search_limit\": 3, \"search_default_limit\": 40}");
        assert_eq!((limits.max_search_limit, limits.search_default_limit), (3, 3));
        for (section, pct) in [("300", 100.0), ("-1", 0.0), ("\"7.5\"", 7.5), ("\"nan\"", 100.0), ("\"x\"", 5.0)] {
            assert_eq!(settings(&format!("{{\"threshold_pct\": {section}}}")).threshold_pct, pct, "{section}");
        }
    }

    #[test]
    fn an_infinite_number_resets_the_whole_section() {
        let section = Value::Map(vec![
            (Value::Str("enabled".into()), Value::Bool(false)),
            (Value::Str("max_search_limit".into()), Value::Float("inf".into())),
        ]);
        let config = Value::Map(vec![(
            Value::Str("tools".into()),
            Value::Map(vec![(Value::Str("tool_search".into()), section)]),
        )]);
        assert_eq!(Settings::read(&config, &Host::own(&Rules::v0_22())).enabled, Enabled::Auto);
    }

    #[test]
    fn only_a_list_replaces_what_is_deferred() {
        assert_eq!(settings("{\"defer\": \"computer_use\"}").defer, None);
        assert_eq!(settings("{\"defer\": null}").defer, None);
        assert_eq!(settings("{\"defer\": []}").defer, Some(Vec::new()));
        let named = settings("{\"defer\": [\" terminal \", \" \", 7]}").defer;
        assert_eq!(named, Some(vec!["terminal".to_owned(), "7".to_owned()]));
    }

    #[test]
    fn older_hermes_waits_for_the_threshold_and_newer_does_not() {
        let (old, new) = (Rules::v0_19(), Rules::v0_22());
        let auto = Settings::read(&config("{}"), &Host::own(&old));
        // Ten percent of the window of 1,000 tokens is 100 tokens, which are 400 characters.
        assert!(!auto.activates(&old, 1, || 396, Some(1000)));
        assert!(auto.activates(&old, 1, || 397, Some(1000)));
        assert!(!auto.activates(&old, 1, || 79_996, None));
        assert!(auto.activates(&old, 1, || 79_997, None));
        assert!(auto.activates(&new, 1, || 4, Some(1_000_000)));
        assert!(!auto.activates(&new, 0, || 0, None));
        let off = Settings { enabled: Enabled::Off, ..auto };
        assert!(!off.activates(&new, 9, || 90_000, None));
    }

    #[test]
    fn the_budget_is_the_smaller_leg() {
        let settings = settings("{}");
        assert_eq!(settings.budget(Some(32_000)), Budget { tokens: 1600, pct_leg: 1600, cap_leg: 4000 });
        assert_eq!(settings.budget(None), Budget { tokens: 4000, pct_leg: 10_000, cap_leg: 4000 });
    }
}
