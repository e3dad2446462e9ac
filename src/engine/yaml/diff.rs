//! The change of a text, for people.

use similar::TextDiff;

/// A unified diff with three lines of context, without file names; empty if nothing changed.
pub fn diff(before: &str, after: &str) -> String {
    TextDiff::from_lines(before, after).unified_diff().context_radius(3).to_string()
}

#[cfg(test)]
mod tests {
    use super::diff;

    #[test]
    fn one_changed_line_is_one_line_out_and_one_in() {
        let text = diff("a: 1\nb: 2\nc: 3\n", "a: 1\nb: 4\nc: 3\n");
        assert_eq!(text, "@@ -1,3 +1,3 @@\n a: 1\n-b: 2\n+b: 4\n c: 3\n");
    }

    #[test]
    fn equal_texts_have_no_diff() {
        assert_eq!(diff("a: 1\n", "a: 1\n"), "");
    }
}
