//! Texts libyaml reads and our parser would not, made readable: the parser is shown a copy in which some characters are
//! replaced one by one, so that its positions hold for the real text.
//!
//! libyaml (both Hermes loaders) follows YAML 1.1: U+0085, U+2028 and U+2029 end lines, lines inside brackets need no
//! indentation, a comment may touch a closing quote or bracket, a tab may follow a colon,
//! and a byte order mark may stand anywhere.

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError};

/// Stands in for a byte order mark inside the text; of the same length in UTF-8.
const MARK: char = '\u{e000}';

fn is_odd_break(c: char) -> bool {
    matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The text with line feeds for the odd line breaks, or `None` for nearly every text. The lengths in bytes differ.
pub(super) fn without_odd_breaks(text: &str) -> Option<String> {
    if text.is_ascii() || !text.contains(is_odd_break) {
        return None;
    }
    // Inside quotes U+2028 and U+2029 are kept by folding and U+0085 becomes a blank, as a line feed does.
    let mut quoted = Vec::new();
    for event in Parser::new_from_str(text) {
        match event {
            Ok((Event::Scalar(_, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted, ..), span)) => {
                quoted.push(span.start.index()..span.end.index());
            }
            Ok(_) => {}
            Err(_) => {
                quoted.clear();
                break;
            }
        }
    }
    let is_quoted = |index: usize| quoted.iter().any(|range| range.contains(&index));
    let replaced: String = text
        .chars()
        .enumerate()
        .map(|(index, c)| match (is_odd_break(c), is_quoted(index)) {
            (false, _) => c,
            (true, false) => '\n',
            (true, true) if c == '\u{85}' => ' ',
            (true, true) => c,
        })
        .collect();
    (replaced != text).then_some(replaced)
}

/// What to show the parser in place of `shown`, which it refused with `error`; `None` if nothing helps.
pub(super) fn after(shown: &str, error: &ScanError) -> Option<String> {
    let mut chars: Vec<char> = shown.chars().collect();
    let at = error.marker().index();
    if error.info().starts_with("comments must be separated") {
        blank_comment(&mut chars, at);
    } else if matches!(error.info(), "invalid indentation" | "invalid indentation in flow construct") {
        // In block context the parser closes collections before it looks at the column: both are about brackets.
        join_lines(&mut chars, at);
    } else if error.info().ends_with("must be followed by a valid YAML whitespace") {
        // libyaml takes a tab behind `:` or `-` for a blank.
        let end = at.min(chars.len());
        chars[..end].iter_mut().rev().take_while(|c| **c == '\t').for_each(|c| *c = ' ');
    } else if error.info().starts_with("a byte order mark must not") && !shown.contains(MARK) {
        // The first character of a text may be a mark, and is none of its content.
        chars.iter_mut().skip(1).filter(|c| **c == '\u{feff}').for_each(|c| *c = MARK);
    }
    let next: String = chars.into_iter().collect();
    (next != shown).then_some(next)
}

/// Undoes the stand-in for byte order marks in a scalar's text.
pub(super) fn restore(value: String, text: &str) -> String {
    if value.contains(MARK) && !text.contains(MARK) { value.replace(MARK, "\u{feff}") } else { value }
}

fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

fn blank_comment(chars: &mut [char], at: usize) {
    chars.iter_mut().skip(at).take_while(|c| !is_break(**c)).for_each(|c| *c = ' ');
}

/// Replaces line ends inside brackets with blanks, from the line before `at` to the bracket that closes the collection
/// `at` is in; comments on the way too.
fn join_lines(chars: &mut [char], at: usize) {
    let mut start = at.min(chars.len());
    while start > 0 && !is_break(chars[start - 1]) {
        start -= 1;
    }
    let line = chars[..start.saturating_sub(1)].iter().rposition(|c| is_break(*c)).map_or(0, |before| before + 1);
    let mut quote = None;
    let mut depth = 1;
    let mut at = line;
    while at < chars.len() && depth > 0 {
        let c = chars[at];
        let before = if at == 0 { '\n' } else { chars[at - 1] };
        let starts_token = matches!(before, ' ' | '\t' | '\n' | '\r' | '[' | '{' | ',' | ':');
        match quote {
            Some('"') if c == '\\' => at += 1,
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'') && starts_token => quote = Some(c),
            None if c == '#' && matches!(before, ' ' | '\t' | '\n' | '\r') => blank_comment(chars, at),
            None if is_break(c) => chars[at] = ' ',
            // Before the refused line the depth is not known.
            None if matches!(c, '[' | '{') && at >= start => depth += 1,
            None if matches!(c, ']' | '}') && at >= start => depth -= 1,
            None => {}
        }
        at += 1;
    }
}
