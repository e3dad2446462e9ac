//! The few drawn characters, in two sets. Boxes are ASCII in both: they align and are spoken sensibly.

use crate::app::derive::Check;

/// One set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Glyphs {
    pub vertical: &'static str,
    pub horizontal: &'static str,
    pub corners: [&'static str; 4],
    pub bar: &'static str,
    pub open: &'static str,
    pub closed: &'static str,
    pub more: &'static str,
    pub thumb: &'static str,
    /// Beside a marked row.
    pub marked: &'static str,
}

pub(super) const UNICODE: Glyphs = Glyphs {
    vertical: "│",
    horizontal: "─",
    corners: ["╭", "╮", "╰", "╯"],
    bar: "▬",
    open: "▾",
    closed: "▸",
    more: "…",
    thumb: "┃",
    marked: "▌",
};

pub(super) const ASCII: Glyphs = Glyphs {
    vertical: "|",
    horizontal: "-",
    corners: ["+", "+", "+", "+"],
    bar: "=",
    open: "v",
    closed: ">",
    more: "...",
    thumb: "#",
    marked: "+",
};

/// The box of a state.
pub(super) fn check(check: Check) -> &'static str {
    match check {
        Check::On => "[x]",
        Check::Off => "[ ]",
        Check::Partial => "[~]",
        Check::Trouble => "[!]",
        Check::None => "   ",
    }
}
