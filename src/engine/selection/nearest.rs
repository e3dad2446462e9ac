//! The valid name a misspelt one probably means.

/// The nearest candidate within two edits (one for names of four letters or fewer); a swap of neighbours is one edit.
/// Of equally near ones the first by name wins. Upper and lower case are told apart only where nothing else differs.
pub(crate) fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    let name: Vec<char> = name.to_lowercase().chars().take(128).collect();
    let limit = if name.len() <= 4 { 1 } else { 2 };
    candidates
        .filter_map(|candidate| {
            let other: Vec<char> = candidate.to_lowercase().chars().collect();
            // Equal lengths up to the limit, or no need to look: a long list of servers stays cheap.
            (other.len().abs_diff(name.len()) <= limit)
                .then(|| distance(&name, &other))
                .filter(|edits| *edits <= limit && *edits < name.len())
                .map(|edits| (edits, candidate))
        })
        .min()
        .map(|(_, candidate)| candidate.to_owned())
}

/// Optimal string alignment: insertions, deletions, replacements and swaps of neighbours.
fn distance(left: &[char], right: &[char]) -> usize {
    let width = right.len() + 1;
    let mut table = vec![0; (left.len() + 1) * width];
    for (idx, cell) in table.iter_mut().take(width).enumerate() {
        *cell = idx;
    }
    for row in 1..=left.len() {
        table[row * width] = row;
        for col in 1..width {
            let same = left[row - 1] == right[col - 1];
            let mut best = table[(row - 1) * width + col - 1] + usize::from(!same);
            best = best.min(table[(row - 1) * width + col] + 1).min(table[row * width + col - 1] + 1);
            if row > 1 && col > 1 && left[row - 1] == right[col - 2] && left[row - 2] == right[col - 1] {
                best = best.min(table[(row - 2) * width + col - 2] + 1);
            }
            table[row * width + col] = best;
        }
    }
    table[left.len() * width + right.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_name_within_two_edits_is_found() {
        let known = ["web", "terminal", "memory", "hermes-cli", "hermes-telegram", "file", "todo", "tts"];
        let find = |name| nearest(name, known.into_iter());
        assert_eq!(find("termnal").as_deref(), Some("terminal"));
        assert_eq!(find("hermes-telegrm").as_deref(), Some("hermes-telegram"));
        assert_eq!(find("memroy").as_deref(), Some("memory"));
        assert_eq!(find("Web").as_deref(), Some("web"));
        assert_eq!(find("wbe").as_deref(), Some("web"));
        assert_eq!(find("hermes"), None, "four edits away from every bundle");
        assert_eq!(find("xyz"), None);
        assert_eq!(find(""), None);
        assert_eq!(find("tt"), Some("tts".into()));
    }
}
