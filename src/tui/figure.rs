//! Figures as text: `4,517`, `~4,517` where not sure, a dash where unknown; deltas always with a sign.

use crate::engine::meter::Figure;
pub(super) use crate::engine::meter::grouped as number;

pub(super) fn figure(figure: Figure) -> String {
    figure.to_string()
}

/// A difference: `-3,416`, `+12`, `~-80`; nothing changed is `+0`, unknown a dash.
pub(super) fn delta(delta: Option<(i64, bool)>) -> String {
    let Some((value, sure)) = delta else { return "-".into() };
    let sign = if value < 0 { '-' } else { '+' };
    let mark = if sure { "" } else { "~" };
    format!("{mark}{sign}{}", number(value.unsigned_abs()))
}

/// `200k`, `1M`, or the number itself.
pub(super) fn window(tokens: u64) -> String {
    match tokens {
        1_000_000.. if tokens.is_multiple_of(1_000_000) => format!("{}M", tokens / 1_000_000),
        1_000.. if tokens.is_multiple_of(1_000) => format!("{}k", tokens / 1_000),
        _ => number(tokens),
    }
}

/// A duration with one decimal: `1.2 s`.
pub(super) fn seconds(ms: u64) -> String {
    format!("{}.{} s", ms / 1000, ms % 1000 / 100)
}

/// How long ago: `now`, `5 min`, `3 h`, `2 d`.
pub(super) fn age(seconds: u64) -> String {
    match seconds {
        0..60 => "now".into(),
        60..3_600 => format!("{} min", seconds / 60),
        3_600..86_400 => format!("{} h", seconds / 3_600),
        _ => format!("{} d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_is_marked_and_the_unknown_is_no_zero() {
        assert_eq!(figure(Figure::Exact(1_234_567)), "1,234,567");
        assert_eq!(figure(Figure::Confirmed(999)), "999");
        assert_eq!(figure(Figure::Estimated(1_000)), "~1,000");
        assert_eq!(figure(Figure::Unknown), "-");
    }

    #[test]
    fn a_delta_has_a_sign() {
        assert_eq!(delta(Some((-3_416, true))), "-3,416");
        assert_eq!(delta(Some((12, false))), "~+12");
        assert_eq!(delta(Some((0, true))), "+0");
        assert_eq!(delta(None), "-");
    }

    #[test]
    fn windows_and_ages_are_short() {
        assert_eq!([window(200_000), window(1_000_000), window(131_072)], ["200k", "1M", "131,072"]);
        assert_eq!([age(3), age(300), age(7_300), age(200_000)], ["now", "5 min", "2 h", "2 d"]);
    }
}
