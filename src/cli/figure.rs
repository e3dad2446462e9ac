//! Numbers for people: thousands apart, `~` before an estimate, a dash for what is not known.

use crate::engine::meter::Figure;
pub(super) use crate::engine::meter::grouped;

/// `45,420`, `~45,420` or `-`.
pub(super) fn figure(figure: Figure) -> String {
    figure.to_string()
}

/// The change from one figure to another, always with a sign: `-2,310`, `~+81`, `0`.
pub(super) fn delta(before: Figure, after: Figure) -> String {
    let (Some(from), Some(to)) = (before.value(), after.value()) else { return "-".to_owned() };
    let mark = if before.is_sure() && after.is_sure() { "" } else { "~" };
    match to.cmp(&from) {
        std::cmp::Ordering::Less => format!("{mark}-{}", grouped(from - to)),
        std::cmp::Ordering::Equal => format!("{mark}0"),
        std::cmp::Ordering::Greater => format!("{mark}+{}", grouped(to - from)),
    }
}

/// An age in the largest unit that says something: `just now`, `5 min`, `3 h`, `12 d`.
pub(super) fn age(seconds: u64) -> String {
    match seconds {
        0..=59 => "just now".to_owned(),
        60..=3_599 => format!("{} min ago", seconds / 60),
        3_600..=172_799 => format!("{} h ago", seconds / 3_600),
        _ => format!("{} d ago", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!([0, 999, 1_000, 45_420, 1_234_567].map(grouped), ["0", "999", "1,000", "45,420", "1,234,567"]);
    }

    #[test]
    fn an_unknown_figure_is_a_dash_and_never_zero() {
        assert_eq!(figure(Figure::Unknown), "-");
        assert_eq!(delta(Figure::Exact(3), Figure::Unknown), "-");
        assert_eq!(figure(Figure::Exact(0)), "0");
    }

    #[test]
    fn a_delta_has_a_sign_and_is_only_as_sure_as_its_ends() {
        assert_eq!(delta(Figure::Exact(5_000), Figure::Confirmed(2_690)), "-2,310");
        assert_eq!(delta(Figure::Exact(10), Figure::Estimated(91)), "~+81");
        assert_eq!(delta(Figure::Exact(10), Figure::Exact(10)), "0");
    }
}
