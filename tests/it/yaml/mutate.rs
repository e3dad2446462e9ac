//! Texts nobody planned: pieces of configs with random changes. None may make us panic.

use hermes_tools::engine::yaml::{self, Document};

use super::corpus::{DIALECTS, Random, corpus, random_op};

/// Shapes that meet the odd corners of the grammar.
const SNIPPETS: [&str; 40] = [
    "platform_toolsets:\n  cli:\n    - web\n    - file # c\n  telegram: [web, \"x y\"]\n",
    "a:\n- [web,\nfile]\n",
    "a:\n- - b\n  - c\n-\n- {d: e}\n",
    "m: {a: 1,\n  b\n  c: 2}\n",
    "a: &x\n  - b\nc: *x\nd: {<<: {e: f}}\n",
    "text: |+\n  one\n\n  two\n\n\nb: 1\n",
    "text: >-\n  one\n   two\n\n  three",
    "text: |2\n    one\n",
    "? a\n: b\n? [c]\n: - d\n",
    "? |\n  a\n: b\n",
    "a: \"x\\u00e9\\n \\\n  y\\x41\"\n",
    "a: 'it''s\n  so'\n",
    "agent:\n  system_prompt: \"You are\nhelpful.\"\n",
    "cli: [web,\n\tno_mcp]\n",
    "%YAML 1.1\n%TAG !e! tag:yaml.org,2002:\n---\na: !e!str 5\n...\n",
    "--- # c\na: 1\n",
    "a: !!set {b, c}\nd: !!omap [e: f]\n",
    "a: {b: [c, {d: e}], f: , ? g : h}\n",
    "a: [x:y, http://h, ?b, {c:, d: 1}]\n",
    "a: b\n  c\n\n  d # e\n",
    "\u{feff}a: 1\r\nb:\r\n  - x\r\n",
    "a: 1\u{2028}b: 2\u{85}c: 3\n",
    "ü: [ß, \"\u{1f600}\", é]\n",
    "mcp_servers:\n  gh: &g {command: x, env: {K: v}}\n  b: *g\n",
    "mcp_servers:\n  a: b\n    enabled: yes\n    tools: {include: [x], exclude: }\n",
    "agent: {disabled_toolsets: \"['a']\"}\n",
    "- a\n-  b\n-\n  c\n",
    "a: >\n # b\n\n  c\n# d\n",
    "x: \"\\ud83d\\ude00\"\n",
    "[a, b]: c\n",
    "a: 0x1F\nb: 1:30.5\nc: 2024-01-01 10:00:00.5 +1\n",
    "a: &b !!str c\n&d e: *b\n",
    "- |\n a\n- >\n b\n  c\n",
    "a:   # c\n    b: 1\n  # d\ne: 2\n",
    "known_plugin_toolsets: {cli: [[web]]}\n",
    "'a b': 1\n\"c d\": 2\n",
    "a: [\n  b, # c\n  d\n]\n",
    "\n\n# only\n",
    "a: ~\nb:\nc: null",
    "a: *b\n",
];

/// What a slip of the hand puts into a file.
const SLIPS: [&str; 44] = [
    " ",
    "  ",
    "\n",
    "\n\n",
    "\t",
    "\r\n",
    "\r",
    ":",
    ": ",
    "-",
    "- ",
    "?",
    "? ",
    ",",
    "[",
    "]",
    "{",
    "}",
    "#",
    " #",
    "&a",
    "*a",
    "!",
    "!!str ",
    "|",
    ">",
    "|\n",
    "'",
    "\"",
    "%",
    "@",
    "`",
    "\\",
    "---\n",
    "...\n",
    "<<: ",
    "\u{85}",
    "\u{2028}",
    "\u{feff}",
    "é",
    "\u{1f600}",
    "a",
    "0",
    "~",
];

/// A text made of one or two pieces, changed at a few places.
pub(crate) fn text(random: &mut Random, pieces: &[String]) -> String {
    let mut text = pieces[random.below(pieces.len())].clone();
    if random.below(4) == 0 {
        text.push_str(&pieces[random.below(pieces.len())]);
    }
    for _ in 0..=random.below(4) {
        let signs: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let at = random.below(signs.len());
        let to = (at + random.below(6)).min(signs.len() - 1);
        let (start, end) = (signs[at], signs[to]);
        match random.below(5) {
            0 => text.replace_range(start..end, ""),
            1 => text.truncate(start),
            2 => {
                let twice = text[start..end].repeat(2);
                text.replace_range(start..end, &twice);
            }
            _ => text.insert_str(start, SLIPS[random.below(SLIPS.len())]),
        }
    }
    text
}

/// The pieces: short texts, and the small files of the corpus.
pub(crate) fn pieces() -> Vec<String> {
    let small = corpus().into_iter().map(|sample| sample.text).filter(|text| text.len() < 600);
    SNIPPETS.iter().map(ToString::to_string).chain(small).collect()
}

#[test]
fn no_text_makes_reading_editing_or_masking_panic() {
    let pieces = pieces();
    let mut random = Random::new(20_261_201);
    let (mut loaded, mut edited) = (0, 0);
    for _ in 0..6_000 {
        let text = text(&mut random, &pieces);
        let shown = yaml::masked(&text);
        assert_eq!(shown.lines().count(), text.lines().count(), "{text:?}");
        for dialect in DIALECTS {
            let Ok(document) = Document::parse(&text, dialect) else { continue };
            loaded += 1;
            let op = random_op(&mut random, document.value());
            document.line_of(op.path());
            if let Ok(after) = document.edit(std::slice::from_ref(&op)) {
                edited += 1;
                yaml::diff(&shown, &yaml::masked(&after));
            }
        }
    }
    assert!(loaded > 1_500 && edited > 700, "only {loaded} loaded and {edited} edited: the changes are too wild");
}
