//! Layers above the main screen. The top one gets the keys.

use super::panes::{Lab, SettingsPane};
use super::review::Review;
use super::sheet::Sheet;
use crate::engine::advice::Counsel;

/// What a list with a search line chooses from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickerKind {
    /// Every action with its key and sentence.
    Help,
    /// Every action, to run one.
    Palette,
    Platforms,
    Profiles,
    Themes,
    /// Those there are, and a name to keep what is on under.
    Presets,
}

/// A list one types into to find an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picker {
    pub kind: PickerKind,
    pub query: String,
    /// Position among the entries that match.
    pub selected: usize,
}

/// A question with few answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Quit with a draft: save, discard, stay.
    Quit,
    /// A draft of an earlier session was found: restore, forget, later.
    Recover,
    /// Switch the profile with a draft: the draft is lost.
    LeaveProfile,
    Discard,
}

impl Ask {
    pub fn title(self) -> &'static str {
        match self {
            Self::Quit => "Quit with unsaved switches?",
            Self::Recover => "Unsaved switches from last time",
            Self::LeaveProfile => "Leave this profile?",
            Self::Discard => "Forget the unsaved switches?",
        }
    }

    /// The answers, the safe one first; the letter answers too.
    pub fn answers(self) -> &'static [(char, &'static str)] {
        match self {
            Self::Quit => &[('n', "stay"), ('s', "review and save"), ('y', "quit, forget them")],
            Self::Recover => &[('y', "bring them back"), ('n', "forget them")],
            Self::LeaveProfile => &[('n', "stay"), ('y', "leave, forget them")],
            Self::Discard => &[('n', "keep them"), ('y', "forget them")],
        }
    }
}

/// One layer.
#[derive(Clone, Debug, PartialEq)]
pub enum Modal {
    Picker(Picker),
    Review(Box<Review>),
    /// What the model sees.
    Sheet(Box<Sheet>),
    /// What switching off each thing would save.
    Savings {
        scroll: usize,
    },
    /// The settings of tool search.
    Settings(SettingsPane),
    /// What a query finds behind the bridge.
    Lab(Box<Lab>),
    Advice {
        counsel: Box<Counsel>,
        scroll: usize,
    },
    Ask {
        ask: Ask,
        selected: usize,
    },
    Log {
        scroll: usize,
    },
    /// The details of the focused row, where there is no room beside the list.
    Detail,
}
