//! Foreign text made harmless: what every name, description, value and error passes before anyone sees it.
//!
//! A terminal obeys some characters and a model reads others that nobody sees. Both are spelled out (`\x1b`,
//! `\u{202e}`); real emoji sequences and ordinary text of any script stay as they are. Widths are those of the cells
//! a terminal draws, counted by grapheme as the drawing code does.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

const ZWJ: char = '\u{200d}';
const TEXT_STYLE: char = '\u{fe0e}';
const EMOJI_STYLE: char = '\u{fe0f}';
const KEYCAP: char = '\u{20e3}';
/// The three flags of parts of a country that are recommended for interchange. Any other run of tag characters may
/// carry words, so it is spelled out.
const SUBDIVISION_FLAGS: [&str; 3] = ["gbeng", "gbsct", "gbwls"];

/// One line of harmless text: control, escape, bidi and invisible characters are spelled out (`\x1b`, `\u{202e}`),
/// line feeds and tabs as `\n` and `\t`, and a Cyrillic or Greek letter that passes for a Latin one inside a Latin word
/// as its code point. Borrows when there is nothing to do.
pub fn visible(text: &str) -> Cow<'_, str> {
    reveal(text, false)
}

/// The same for text of several lines: line feeds stay (`\r\n` counts as one), tabs become four blanks.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    reveal(text, true)
}

/// JSON text that means the same and holds nothing hidden: a character nobody would see, or the terminal would obey, is
/// spelled as JSON's own escape.
pub fn visible_json(json: &str) -> Cow<'_, str> {
    if !json.chars().any(is_hidden) {
        return json.into();
    }
    let mut out = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        if is_hidden(character) && !matches!(character, '\n' | '\r' | '\t') {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(character);
        }
    }
    out.into()
}

/// The characters of a text that nobody would see or the terminal would obey; tabs and line ends not counted.
pub fn hidden_characters(text: &str) -> Vec<char> {
    if is_plain(text) {
        return Vec::new();
    }
    text.graphemes(true)
        .flat_map(|cluster| cluster.char_indices().map(move |(at, character)| (cluster, at, character)))
        .filter(|(cluster, at, character)| {
            !matches!(character, '\t' | '\n' | '\r') && is_hidden(*character) && !belongs_to_emoji(cluster, *at)
        })
        .map(|(_, _, character)| character)
        .collect()
}

/// Columns a terminal draws the text in.
pub fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.graphemes(true).map(UnicodeWidthStr::width).sum() }
}

/// The text in at most `columns` columns, its last one `…` where something was left out. Never cuts a grapheme.
pub fn clip(text: &str, columns: usize) -> Cow<'_, str> {
    if width(text) <= columns {
        return text.into();
    }
    let Some(room) = columns.checked_sub(1) else { return "".into() };
    let mut end = 0;
    let mut used = 0;
    for cluster in text.graphemes(true) {
        used += cluster.width();
        if used > room {
            break;
        }
        end += cluster.len();
    }
    format!("{}…", &text[..end]).into()
}

/// Nothing to look at closely: printable ASCII only. Nearly all names are.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| (0x20..0x7f).contains(&byte))
}

fn reveal(text: &str, lines: bool) -> Cow<'_, str> {
    if is_plain(text) {
        return text.into();
    }
    let disguised = disguised_letters(text);
    if disguised.is_empty() && !text.chars().any(is_hidden) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for (start, cluster) in text.grapheme_indices(true) {
        if lines && matches!(cluster, "\n" | "\r\n") {
            out.push('\n');
            continue;
        }
        for (at, character) in cluster.char_indices() {
            match character {
                '\t' if lines => out.push_str("    "),
                _ if disguised.contains(&(start + at)) => push_code(&mut out, character),
                _ if is_hidden(character) && !belongs_to_emoji(cluster, at) => push_code(&mut out, character),
                _ => out.push(character),
            }
        }
    }
    out.into()
}

fn push_code(out: &mut String, character: char) {
    match character {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\0'..='\u{ff}' => out.push_str(&format!("\\x{:02x}", u32::from(character))),
        _ => out.push_str(&format!("\\u{{{:x}}}", u32::from(character))),
    }
}

/// Obeyed by terminals or invisible on them.
fn is_hidden(character: char) -> bool {
    match character {
        '\0'..='\x1f' | '\x7f'..='\u{9f}' => true,
        '\u{20}'..='\x7e' => false,
        // Soft hyphen, combining grapheme joiner, Arabic letter mark, Hangul fillers, Khmer and Mongolian invisibles.
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' => true,
        '\u{180b}'..='\u{180f}' | '\u{3164}' | '\u{ffa0}' => true,
        // Zero widths and joiners, line separators, bidi controls, invisible operators.
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        // Variation selectors, byte order mark, interlinear marks, musical and shorthand format controls.
        '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}' => true,
        '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' => true,
        // Tags and the supplementary variation selectors, in which whole sentences have been smuggled.
        '\u{e0000}'..='\u{e0fff}' => true,
        _ => false,
    }
}

/// Whether the hidden character at this offset of a grapheme is a working part of an emoji.
fn belongs_to_emoji(cluster: &str, at: usize) -> bool {
    let (before, from) = cluster.split_at(at);
    let mut from = from.chars();
    let (character, after) = (from.next(), from.next());
    let mut back = before.chars().rev();
    match character {
        Some(EMOJI_STYLE | TEXT_STYLE) => match back.next() {
            Some('0'..='9' | '#' | '*') => after == Some(KEYCAP),
            base => base.is_some_and(is_pictographic),
        },
        Some(ZWJ) => {
            let base = back.find(|mark| *mark != EMOJI_STYLE && !is_skin_tone(*mark));
            // Two joiners in a row are not joining anything.
            base.is_some_and(is_pictographic) && after.is_some_and(is_pictographic)
        }
        Some('\u{e0020}'..='\u{e007f}') => SUBDIVISION_FLAGS.iter().any(|code| {
            let tags = code.chars().filter_map(|letter| char::from_u32(0xe0000 + u32::from(letter)));
            cluster.strip_prefix('\u{1f3f4}').is_some_and(|rest| rest.chars().eq(tags.chain(['\u{e007f}'])))
        }),
        _ => false,
    }
}

fn is_skin_tone(character: char) -> bool {
    ('\u{1f3fb}'..='\u{1f3ff}').contains(&character)
}

/// May carry an emoji style or take part in a joined emoji: Unicode's Extended_Pictographic, in blocks.
fn is_pictographic(character: char) -> bool {
    match character {
        '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{24c2}' => true,
        '\u{2194}'..='\u{21aa}' | '\u{231a}'..='\u{23ff}' | '\u{25aa}'..='\u{25fe}' | '\u{2600}'..='\u{27bf}' => true,
        '\u{2934}' | '\u{2935}' | '\u{2b05}'..='\u{2b55}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' => true,
        '\u{1f1e6}'..='\u{1f1ff}' => false,
        '\u{1f000}'..='\u{1faff}' => true,
        _ => false,
    }
}

/// Offsets of letters that look Latin, are not, and stand in a word with Latin letters (`paypal` with a Cyrillic `а`).
fn disguised_letters(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut word_start = 0;
    let mut latin = false;
    for (at, character) in text.char_indices() {
        if character.is_alphanumeric() {
            latin |= character.is_ascii_alphabetic();
            if looks_latin(character) {
                found.push(at);
            }
            continue;
        }
        settle(&mut found, word_start, latin);
        (word_start, latin) = (at, false);
    }
    settle(&mut found, word_start, latin);
    found
}

/// A word without any Latin letter disguises nothing.
fn settle(found: &mut Vec<usize>, word_start: usize, latin: bool) {
    if !latin {
        while found.last().is_some_and(|at| *at >= word_start) {
            found.pop();
        }
    }
}

fn looks_latin(character: char) -> bool {
    // Cyrillic, then Greek.
    "аеорсухіјѕһԁԛԝАВЕКМНОРСТХІЈЅοΑΒΕΖΗΙΚΜΝΟΡΤΥΧν".contains(character) && !character.is_ascii()
}

#[cfg(test)]
mod tests;
