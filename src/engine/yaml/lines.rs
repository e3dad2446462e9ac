//! Small questions about YAML text: where a line ends, where blanks and comments end, where a quote closes.

use super::Place;

/// Line starts of a text, for places.
#[derive(Clone, Debug)]
pub(super) struct Lines(Vec<usize>);

impl Lines {
    pub(super) fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let starts = bytes.iter().enumerate().filter_map(|(at, byte)| match byte {
            b'\n' => Some(at + 1),
            b'\r' if bytes.get(at + 1) != Some(&b'\n') => Some(at + 1),
            _ => None,
        });
        Self(std::iter::once(0).chain(starts).collect())
    }

    /// The one-based line and column (in characters) of a byte offset.
    pub(super) fn place(&self, text: &str, at: usize) -> Place {
        let line = self.0.partition_point(|start| *start <= at);
        let start = self.0[line.saturating_sub(1)];
        let column = text.get(start..at).map_or(1, |before| before.trim_start_matches('\u{feff}').chars().count() + 1);
        Place { line, column }
    }
}

/// How many bytes the line end at `at` has; none where there is no line end. YAML 1.1 has three beyond ASCII.
pub(super) fn break_length(text: &str, at: usize) -> usize {
    match text.as_bytes().get(at..).unwrap_or_default() {
        [b'\r', b'\n', ..] | [0xc2, 0x85, ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        [0xe2, 0x80, 0xa8 | 0xa9, ..] => 3,
        _ => 0,
    }
}

/// Ends an anchor's, alias' or tag's name.
pub(super) fn ends_name(c: char) -> bool {
    c.is_ascii_whitespace() || matches!(c, ',' | '[' | ']' | '{' | '}')
}

/// The offset behind blanks, line ends and comments. Asked between tokens only, where a `#` starts a
/// comment even without a blank before it: libyaml takes `"a"#c` so.
pub(super) fn skip_space(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\t' | b'\n' | b'\r') => at += 1,
            Some(b'#') => at = line_end(text, at),
            _ => return at,
        }
    }
}

/// The offset of the line end (or text end) at or behind `at`.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    text[at..].find(['\n', '\r']).map_or(text.len(), |length| at + length)
}

/// The offset behind the line end at or behind `at`.
pub(super) fn next_line(text: &str, at: usize) -> usize {
    let end = line_end(text, at);
    let rest = &text[end..];
    end + if rest.starts_with("\r\n") { 2 } else { usize::from(!rest.is_empty()) }
}

/// The offset of the start of the line `at` is on. A byte order mark is not part of the line.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    match text[..at].rfind(['\n', '\r']) {
        Some(before) => before + 1,
        None => root_start(text).min(at),
    }
}

/// The rest of the line from `at`.
pub(super) fn line_of(text: &str, at: usize) -> &str {
    &text[at..line_end(text, at)]
}

/// Behind the byte order mark, if there is one.
pub(super) fn root_start(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

/// The column, in characters, of an offset.
pub(super) fn column(text: &str, at: usize) -> usize {
    text[line_start(text, at)..at].chars().count()
}
