//! Terminal events to messages, through the key map and what has the keys now.

use crossterm::event::{KeyEvent, KeyEventKind};

use crate::app::message::Message;
use crate::app::state::State;

use super::keymap::{Context, Key, Keymap, Lookup};

/// Keys of a sequence pressed so far.
#[derive(Clone, Debug, Default)]
pub struct Pending(pub(super) Vec<Key>);

/// What a key event means now. Releases mean nothing: acting on press and release would toggle twice.
pub fn key(event: &KeyEvent, state: &State, keymap: &Keymap, pending: &mut Pending) -> Option<Message> {
    if event.kind == KeyEventKind::Release {
        return None;
    }
    let key = Key::of_event(event)?;
    let context = Context::of(state);
    let had = std::mem::take(&mut pending.0);
    if had.is_empty() && context.takes_text() {
        // Letters belong to the field before they belong to any action.
        if let Some(letter) = key.typed() {
            return Some(Message::Typed(letter));
        }
        if key.erases_word() {
            return Some(Message::ErasedWord);
        }
        if key.erases() {
            return Some(Message::Erased);
        }
    }
    let mut sequence = had.clone();
    sequence.push(key);
    match keymap.lookup(context, &sequence) {
        Lookup::Action(action) => Some(Message::Act(action)),
        Lookup::Prefix => {
            pending.0 = sequence;
            None
        }
        // A key that does not continue the sequence starts anew, so that none is swallowed.
        Lookup::None if !had.is_empty() => self::key(event, state, keymap, pending),
        Lookup::None => None,
    }
}

/// Pasted text goes to a search line only; pasting into the list must not run keys.
pub(super) fn paste(text: String, state: &State) -> Option<Message> {
    (Context::of(state) == Context::Text).then_some(Message::Pasted(text))
}
