//! One key with its modifiers, as people write it: `a`, `E`, `space`, `ctrl-s`, `f1`.

use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::engine::text::hidden_characters;

/// One key press. Shift is part of a letter (`E`), never a modifier of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    code: Code,
    ctrl: bool,
    alt: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Code {
    Letter(char),
    Named(&'static str),
    Function(u8),
}

const NAMES: &[(&str, KeyCode)] = &[
    ("esc", KeyCode::Esc),
    ("enter", KeyCode::Enter),
    ("tab", KeyCode::Tab),
    ("backtab", KeyCode::BackTab),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pgup", KeyCode::PageUp),
    ("pgdn", KeyCode::PageDown),
    ("insert", KeyCode::Insert),
];

/// Why a text is no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no key; write keys as x, E, space, enter, f1, ctrl-s, or g,g for two in a row")]
pub struct KeyError(String);

impl Key {
    /// Reads one key.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let mut rest = text;
        let (mut ctrl, mut alt) = (false, false);
        loop {
            if let Some(after) = rest.strip_prefix("ctrl-").filter(|after| !after.is_empty()) {
                (ctrl, rest) = (true, after);
            } else if let Some(after) = rest.strip_prefix("alt-").filter(|after| !after.is_empty()) {
                (alt, rest) = (true, after);
            } else {
                break;
            }
        }
        let code = Code::parse(rest).ok_or_else(|| KeyError(text.to_owned()))?;
        Ok(Self { code, ctrl, alt })
    }

    /// The key of an event; `None` for what has no name here.
    pub fn of_event(event: &KeyEvent) -> Option<Self> {
        let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
        let alt = event.modifiers.contains(KeyModifiers::ALT);
        let shift = event.modifiers.contains(KeyModifiers::SHIFT);
        let code = match event.code {
            // Some terminals report ctrl-S with a capital letter; a control key has none.
            KeyCode::Char(letter) if ctrl => Code::Letter(letter.to_ascii_lowercase()),
            KeyCode::Char(letter) if shift => Code::Letter(letter.to_uppercase().next().unwrap_or(letter)),
            KeyCode::Char(letter) => Code::Letter(letter),
            KeyCode::F(number) => Code::Function(number),
            KeyCode::Tab if shift => Code::Named("backtab"),
            code => Code::Named(NAMES.iter().find(|(_, known)| *known == code).map(|(name, _)| *name)?),
        };
        Some(Self { code, ctrl, alt })
    }

    /// The letter this types into a text field, if it does.
    pub fn typed(self) -> Option<char> {
        match self.code {
            Code::Letter(letter) if !self.ctrl && !self.alt => Some(letter),
            _ => None,
        }
    }

    /// Whether it takes the last letter of a text field away.
    pub fn erases(self) -> bool {
        self.code == Code::Named("backspace") && !self.ctrl && !self.alt || self.is_ctrl('h')
    }

    /// Whether it takes the last word of a text field away.
    pub fn erases_word(self) -> bool {
        self.is_ctrl('w') || self.code == Code::Named("backspace") && (self.ctrl || self.alt)
    }

    fn is_ctrl(self, letter: char) -> bool {
        self.ctrl && !self.alt && self.code == Code::Letter(letter)
    }
}

impl Code {
    fn parse(text: &str) -> Option<Self> {
        // Nobody could see it, or press it.
        if !hidden_characters(text).is_empty() {
            return None;
        }
        let mut letters = text.chars();
        if let (Some(letter), None) = (letters.next(), letters.next()) {
            return (!letter.is_control() && letter != ' ').then_some(Self::Letter(letter));
        }
        if text == "space" {
            return Some(Self::Letter(' '));
        }
        if let Some((name, _)) = NAMES.iter().find(|(name, _)| *name == text) {
            return Some(Self::Named(name));
        }
        let number = text.strip_prefix('f')?.parse().ok()?;
        (1..=24).contains(&number).then_some(Self::Function(number))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            out.write_str("ctrl-")?;
        }
        if self.alt {
            out.write_str("alt-")?;
        }
        match self.code {
            Code::Letter(' ') => out.write_str("space"),
            Code::Letter(letter) => write!(out, "{letter}"),
            Code::Named(name) => out.write_str(name),
            Code::Function(number) => write!(out, "f{number}"),
        }
    }
}
