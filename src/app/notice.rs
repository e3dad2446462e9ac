//! Short messages at the bottom of the screen, and the session's log of them.

use std::collections::VecDeque;

/// How long a notice stays: news leave by themselves, warnings with the next key, errors when dismissed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Info,
    Warning,
    Error,
}

/// One message. The text is sanitised already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub id: u64,
    pub severity: Severity,
    pub text: String,
}

/// How many are on screen at once.
const SHOWN: usize = 3;
/// How many the log keeps.
const KEPT: usize = 500;
/// How long news stay on screen.
pub const INFO_MS: u64 = 4_000;

/// The notices on screen, and all of the session.
#[derive(Clone, Debug, Default)]
pub struct Notices {
    shown: VecDeque<Notice>,
    log: VecDeque<Notice>,
    next_id: u64,
}

impl Notices {
    /// Shows a message and returns its id. The same text again replaces the one on screen.
    pub fn push(&mut self, severity: Severity, text: String) -> u64 {
        self.next_id += 1;
        let notice = Notice { id: self.next_id, severity, text };
        self.shown.retain(|known| known.text != notice.text);
        self.shown.push_back(notice.clone());
        if self.shown.len() > SHOWN {
            self.shown.pop_front();
        }
        self.log.push_back(notice);
        if self.log.len() > KEPT {
            self.log.pop_front();
        }
        self.next_id
    }

    /// Takes one off the screen.
    pub fn expire(&mut self, id: u64) {
        self.shown.retain(|notice| notice.id != id);
    }

    /// A key was pressed: warnings have been read.
    pub fn key_pressed(&mut self) {
        self.shown.retain(|notice| notice.severity != Severity::Warning);
    }

    /// What was said before Hermes answered is no longer true; errors stay until they are dismissed.
    pub fn news_are_old(&mut self) {
        self.shown.retain(|notice| notice.severity == Severity::Error);
    }

    /// Takes the newest off the screen. False when there was none.
    pub fn dismiss(&mut self) -> bool {
        self.shown.pop_back().is_some()
    }

    /// Oldest first.
    pub fn shown(&self) -> impl DoubleEndedIterator<Item = &Notice> + ExactSizeIterator {
        self.shown.iter()
    }

    /// Oldest first.
    pub fn log(&self) -> impl DoubleEndedIterator<Item = &Notice> + ExactSizeIterator {
        self.log.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_leaves_with_the_next_key_and_an_error_stays() {
        let mut notices = Notices::default();
        notices.push(Severity::Warning, "careful".into());
        notices.push(Severity::Error, "broken".into());
        notices.key_pressed();
        let left: Vec<_> = notices.shown().map(|notice| notice.text.as_str()).collect();
        assert_eq!(left, ["broken"]);
        assert_eq!(notices.log().count(), 2, "the log keeps what left the screen");
    }

    #[test]
    fn at_most_three_are_shown_and_a_repeat_is_not_stacked() {
        let mut notices = Notices::default();
        for text in ["a", "b", "c", "d", "d"] {
            notices.push(Severity::Info, text.into());
        }
        let shown: Vec<_> = notices.shown().map(|notice| notice.text.as_str()).collect();
        assert_eq!(shown, ["b", "c", "d"]);
    }
}
