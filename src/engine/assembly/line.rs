//! A tool's line in the listing of deferred tools, worded as Hermes 0.22 words it.

use super::extent::Extent;
use crate::engine::pytext;

/// What one tool takes in the listing: its line, and its name alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub full: Extent,
    pub name: Extent,
}

/// Characters a description may take.
const MAX_CHARS: usize = 60;

/// The line of the full form. `definition` is Python's JSON text.
pub fn text(name: &str, definition: &str) -> String {
    let short = shorten(&description(definition));
    if short.is_empty() { format!("- {name}") } else { format!("- {name}: {short}") }
}

/// How much room a tool takes.
pub fn measure(name: &str, definition: &str) -> Line {
    Line { full: Extent::of(&text(name, definition)), name: Extent::of(name) }
}

/// The description inside a definition. Nearly always it stands before the parameters, and then only it is read.
pub fn description(definition: &str) -> String {
    const KEY: &str = "\"description\": ";
    if let Some(start) = definition.find(KEY)
        && !definition[..start].contains("\"parameters\": ")
    {
        let mut values = serde_json::Deserializer::from_str(&definition[start + KEY.len()..]).into_iter::<String>();
        return values.next().and_then(Result::ok).unwrap_or_default();
    }
    // What was found, if anything, may be a parameter's.
    serde_json::from_str::<Described>(definition).ok().and_then(|tool| tool.function.description).unwrap_or_default()
}

#[derive(serde::Deserialize)]
struct Described {
    function: Function,
}

#[derive(serde::Deserialize)]
struct Function {
    #[serde(default)]
    description: Option<String>,
}

/// The first sentence, at most 60 characters, cut at a word.
fn shorten(description: &str) -> String {
    let words = pytext::joined_words(description);
    let end = words
        .match_indices(['.', '!', '?'])
        .find(|(at, _)| {
            let closes = words[at + 1..].chars().next().is_none_or(pytext::is_space);
            closes && !ends_with_abbreviation(&words[..*at])
        })
        .map_or(words.len(), |(at, _)| at + 1);
    let sentence = &words[..end];
    let Some((cut, _)) = sentence.char_indices().nth(MAX_CHARS) else { return sentence.to_owned() };
    let taken = &sentence[..cut];
    let taken = taken.rfind(' ').map_or(taken, |blank| &taken[..blank]);
    format!("{}…", taken.trim_end_matches([',', ';', ':', ' ']))
}

/// `e.g`, `i.e` and `etc` as words of their own end no sentence.
fn ends_with_abbreviation(text: &str) -> bool {
    ["e.g", "i.e", "etc"].iter().any(|short| {
        text.strip_suffix(short).is_some_and(|before| !before.chars().next_back().is_some_and(pytext::is_word))
    })
}

#[cfg(test)]
mod tests {
    use super::{measure, shorten, text};

    #[test]
    fn descriptions_are_cut_at_the_sentence_and_at_sixty_characters() {
        assert_eq!(shorten("Reads  a\nfile. Then more."), "Reads a file.");
        assert_eq!(shorten("Takes e.g. paths. More."), "Takes e.g. paths.");
        assert_eq!(shorten("Takes E.g. paths. More."), "Takes E.g.", "only the small spelling is known");
        assert_eq!(shorten("Fetc. More"), "Fetc.", "a word that merely ends so");
        assert_eq!(shorten("v1.2 is read"), "v1.2 is read");
        let long = shorten("A sentence that goes on for quite a while, and on, and then on and on");
        assert_eq!(long, "A sentence that goes on for quite a while, and on, and then…");
        let unbroken = "x".repeat(80);
        assert_eq!(shorten(&unbroken), format!("{}…", &unbroken[..60]));
    }

    #[test]
    fn a_parameters_description_is_not_the_tools() {
        let definition = r#"{"function": {"name": "t", "parameters": {"properties": {"description": "x"}}}}"#;
        assert_eq!(measure("t", definition).full.chars, 3);
        let last =
            r#"{"function": {"name": "t", "parameters": {"properties": {"description": "x"}}, "description": "Y."}}"#;
        assert_eq!(text("t", last), "- t: Y.");
    }
}
