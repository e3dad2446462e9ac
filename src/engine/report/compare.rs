//! Figures set against each other: two totals, and tokens against a window.

use super::Totals;
use crate::engine::meter::Figure;

/// One total minus another: negative when something is saved. `None` where either is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delta {
    pub tools: Option<i64>,
    pub json_bytes: Option<i64>,
    pub est_tokens: Option<i64>,
    pub tokens: Option<i64>,
    /// False where a figure on either side is an estimate: shown with `~`.
    pub sure: bool,
}

/// What changes from `before` to `after`.
pub fn totals_delta(before: &Totals, after: &Totals) -> Delta {
    let minus = |after: Figure, before: Figure| Some(after.value()?.cast_signed() - before.value()?.cast_signed());
    let sure = |totals: &Totals| totals.tools.is_sure() && totals.json_bytes.is_sure();
    Delta {
        tools: minus(after.tools, before.tools),
        json_bytes: minus(after.json_bytes, before.json_bytes),
        est_tokens: minus(after.est_tokens, before.est_tokens),
        tokens: minus(after.tokens, before.tokens),
        sure: sure(before) && sure(after),
    }
}

/// Tokens as a share of a window, for people: `3.2%`, `<0.1%`. A dash for a window of zero.
pub fn share(tokens: u64, window: u64) -> String {
    if window == 0 {
        return "–".to_owned();
    }
    let percent = tokens as f64 * 100.0 / window as f64;
    if tokens > 0 && percent < 0.1 { "<0.1%".to_owned() } else { format!("{percent:.1}%") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn totals(tools: Figure, json_bytes: Figure) -> Totals {
        Totals {
            tools,
            json_bytes,
            framing_bytes: Figure::Exact(2),
            est_tokens: Figure::Estimated(7),
            tokens: Figure::Unknown,
            toolsets_on: 0,
            toolsets: 0,
            servers_on: 0,
            servers: 0,
            servers_without_list: Vec::new(),
        }
    }

    #[test]
    fn savings_are_negative_and_the_unknown_stays_unknown() {
        let before = totals(Figure::Confirmed(20), Figure::Confirmed(4000));
        let after = totals(Figure::Confirmed(18), Figure::Estimated(4100));
        let delta = totals_delta(&before, &after);
        let expected = Delta { tools: Some(-2), json_bytes: Some(100), est_tokens: Some(0), tokens: None, sure: false };
        assert_eq!(delta, expected);
        assert!(totals_delta(&before, &before).sure);
    }

    #[test]
    fn shares_are_read_at_a_glance() {
        for (tokens, window, shown) in [
            (10_000, 128_000, "7.8%"),
            (0, 128_000, "0.0%"),
            (5, 1_000_000, "<0.1%"),
            (300, 200, "150.0%"),
            (1, 0, "–"),
        ] {
            assert_eq!(share(tokens, window), shown);
        }
    }
}
