use proptest::prelude::*;
use std::borrow::Cow;

use super::{clip, hidden_characters, is_hidden, visible, visible_lines, width};

#[test]
fn what_a_terminal_would_obey_is_spelled_out() {
    for (text, shown) in [
        ("\x1b[2Jgone", "\\x1b[2Jgone"),
        ("\x1b]0;owned\x07", "\\x1b]0;owned\\x07"),
        ("\x1b]8;;http://x\x1b\\link", "\\x1b]8;;http://x\\x1b\\link"),
        ("\x1b]52;c;aGk=\x07", "\\x1b]52;c;aGk=\\x07"),
        ("\u{9b}31mred", "\\x9b31mred"),
        ("a\rb", "a\\rb"),
        ("a\u{8}b", "a\\x08b"),
        ("a\x7fb", "a\\x7fb"),
        ("a\0b", "a\\x00b"),
        ("a\tb\nc", "a\\tb\\nc"),
        ("a\r\nb", "a\\r\\nb"),
        ("next\u{85}line", "next\\x85line"),
    ] {
        assert_eq!(visible(text), shown);
    }
}

#[test]
fn what_nobody_would_see_is_spelled_out() {
    for (text, shown) in [
        ("\u{e0041}\u{e0042}x", "\\u{e0041}\\u{e0042}x"),
        ("safe\u{202e}txt", "safe\\u{202e}txt"),
        ("a\u{2066}b\u{2069}", "a\\u{2066}b\\u{2069}"),
        ("to\u{200b}ol", "to\\u{200b}ol"),
        ("to\u{200d}ol", "to\\u{200d}ol"),
        ("\u{feff}tool", "\\u{feff}tool"),
        ("co\u{ad}op", "co\\xadop"),
        ("a\u{fe0f}", "a\\u{fe0f}"),
        ("\u{fe0f}", "\\u{fe0f}"),
        ("x\u{e0101}", "x\\u{e0101}"),
        ("a\u{2028}b", "a\\u{2028}b"),
        ("\u{3164}", "\\u{3164}"),
    ] {
        assert_eq!(visible(text), shown);
    }
}

#[test]
fn real_emoji_and_scripts_stay() {
    let england = "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}";
    for text in [
        "👨‍👩‍👧‍👦",
        "👩🏽‍💻",
        "🏳️‍🌈",
        "❤️‍🔥",
        "♻️",
        "1️⃣",
        "#️⃣",
        "©︎",
        "🇯🇵",
        england,
        "日本語 ｆｕｌｌ",
        "العربية",
        "ไทย",
        "é e\u{301}",
    ] {
        assert!(matches!(visible(text), Cow::Borrowed(_)) || visible(text) == text, "{text:?} is {}", visible(text));
        assert_eq!(hidden_characters(text).len(), 0, "{text:?}");
    }
}

#[test]
fn emoji_are_no_hiding_place() {
    // A flag's tags spelling something else, a flag without its end, joiners and styles that join and style nothing.
    let words = "🏴\u{e0068}\u{e0069}\u{e007f}";
    assert_eq!(visible(words), "🏴\\u{e0068}\\u{e0069}\\u{e007f}");
    assert_eq!(visible("🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}").matches("\\u{").count(), 5);
    assert_eq!(visible("👩\u{200d}"), "👩\\u{200d}");
    assert_eq!(visible("👩\u{200d}\u{200d}💻"), "👩\\u{200d}\\u{200d}💻");
    assert_eq!(visible("♻\u{fe0f}\u{fe0f}"), "♻\u{fe0f}\\u{fe0f}");
    assert_eq!(visible("1\u{fe0f}2"), "1\\u{fe0f}2");
}

#[test]
fn a_letter_in_disguise_is_spelled_out_and_other_words_are_not() {
    assert_eq!(visible("p\u{430}ypal"), "p\\u{430}ypal");
    assert_eq!(visible("get_\u{441}ode run"), "get_\\u{441}ode run");
    assert_eq!(visible("привет мир"), "привет мир");
    assert_eq!(visible("USB-порт"), "USB-порт");
    assert_eq!(visible("Ελλάδα"), "Ελλάδα");
}

#[test]
fn several_lines_keep_their_line_ends() {
    assert_eq!(visible_lines("a\r\nb\n\tc\x1b\rd"), "a\nb\n    c\\x1b\\rd");
}

#[test]
fn hidden_characters_are_counted() {
    assert_eq!(hidden_characters("a\u{200b}b\u{202e}\x1b\n\t").len(), 3);
    assert_eq!(hidden_characters("plain").len(), 0);
}

#[test]
fn widths_are_columns() {
    for (text, columns) in
        [("abc", 3), ("日本", 4), ("ｆ", 2), ("e\u{301}", 1), ("👨‍👩‍👧", 2), ("♻️", 2), ("🇯🇵", 2), ("", 0)]
    {
        assert_eq!(width(text), columns, "{text:?}");
    }
    let pile = format!("a{}", "\u{301}".repeat(50));
    assert_eq!(width(&pile), 1);
}

#[test]
fn clipping_is_by_columns_and_keeps_graphemes_whole() {
    for (text, columns, clipped) in [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 4, "abc…"),
        ("日本語", 4, "日…"),
        ("日本語", 5, "日本…"),
        ("👨‍👩‍👧👨‍👩‍👧", 3, "👨‍👩‍👧…"),
        ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
        ("abc", 1, "…"),
        ("abc", 0, ""),
    ] {
        assert_eq!(clip(text, columns), clipped);
    }
}

proptest! {
    #[test]
    fn nothing_hidden_is_left(text in any::<String>()) {
        let shown = visible(&text);
        prop_assert_eq!(hidden_characters(&shown).len(), 0);
        prop_assert!(!shown.chars().any(char::is_control));
    }

    #[test]
    fn a_clip_never_exceeds_its_columns(text in any::<String>(), columns in 0_usize..40) {
        let shown = visible(&text);
        prop_assert!(width(&clip(&shown, columns)) <= columns);
    }
}

#[test]
fn ordinary_ascii_is_never_hidden() {
    assert!(!('\u{20}'..='\x7e').any(is_hidden));
}
