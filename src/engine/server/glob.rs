//! Shell patterns as Python's `fnmatch.fnmatchcase` matches them: `*`, `?`, `[seq]`, `[!seq]`; nothing escapes.

/// Whether Hermes takes an entry for a pattern.
pub(crate) fn is_pattern(entry: &str) -> bool {
    entry.contains(['*', '?', '['])
}

/// Whether the whole name matches, letter case included.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut pos) = (0, 0);
    // The last `*` seen and the name position it has swallowed up to: enough to backtrack, in time pattern x name.
    let mut star: Option<(usize, usize)> = None;
    loop {
        if at < pattern.len() && pattern[at] == '*' {
            star = Some((at, pos));
            at += 1;
            continue;
        }
        if pos == name.len() {
            return pattern[at..].iter().all(|sign| *sign == '*');
        }
        if let Some(next) = one(&pattern, at, name[pos]) {
            at = next;
            pos += 1;
            continue;
        }
        let Some((star_at, swallowed)) = star else {
            return false;
        };
        star = Some((star_at, swallowed + 1));
        at = star_at + 1;
        pos = swallowed + 1;
    }
}

/// Matches one character against the pattern item at `at`; the position after the item, if it matches.
fn one(pattern: &[char], at: usize, sign: char) -> Option<usize> {
    match *pattern.get(at)? {
        '?' => Some(at + 1),
        '[' => match class_end(pattern, at) {
            Some(end) => in_class(&pattern[at + 1..end], sign).then_some(end + 1),
            // An unclosed bracket is an ordinary character.
            None => (sign == '[').then_some(at + 1),
        },
        plain => (plain == sign).then_some(at + 1),
    }
}

/// Where the `]` of a class stands: a `]` right after the opening (or after `!`) belongs to the class.
fn class_end(pattern: &[char], open: usize) -> Option<usize> {
    let mut from = open + 1;
    if pattern.get(from) == Some(&'!') {
        from += 1;
    }
    if pattern.get(from) == Some(&']') {
        from += 1;
    }
    (from..pattern.len()).find(|idx| pattern[*idx] == ']')
}

fn in_class(class: &[char], sign: char) -> bool {
    let (negated, class) = match class.split_first() {
        Some(('!', rest)) => (true, rest),
        _ => (false, class),
    };
    let mut found = false;
    let mut idx = 0;
    while idx < class.len() {
        if idx + 2 < class.len() && class[idx + 1] == '-' {
            // A backward range is empty, as in Python since 3.9.
            found |= class[idx] <= sign && sign <= class[idx + 2];
            idx += 3;
        } else {
            found |= class[idx] == sign;
            idx += 1;
        }
    }
    found != negated
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_match_as_fnmatchcase_does() {
        for (pattern, name, expected) in [
            ("get_*", "get_repo", true),
            ("get_*", "Get_repo", false),
            ("*_radar_*", "a_radar_b", true),
            ("*_radar_*", "radar", false),
            ("?x", "ax", true),
            ("?x", "x", false),
            ("[ab]*", "beta", true),
            ("[ab]*", "Beta", false),
            ("[!ab]*", "beta", false),
            ("[!ab]*", "gamma", true),
            ("[a-c]1", "b1", true),
            ("[c-a]1", "b1", false),
            ("[]]", "]", true),
            ("[", "[", true),
            ("a.b", "axb", false),
            ("a*b*c", "abbbc", true),
            ("a*b*c", "abbb", false),
            ("*", "", true),
            ("**", "x", true),
            ("[-a]", "-", true),
            ("é?", "éx", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} against {name}");
        }
    }

    #[test]
    fn a_pattern_of_many_stars_stays_quick() {
        assert!(!matches(&"a*".repeat(40), &"a".repeat(4_000).replace("aaaa", "aaab").replacen('a', "b", 1)));
    }
}
