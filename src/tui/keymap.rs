//! Which keys mean which action, where. Read from one table, changed by the user's `[keys]`.
//!
//! A printable key belongs to a focused text field before it belongs to any action. An unknown action, an unreadable
//! key or a clash is reported and the defaults stay for what it was about; the program always starts.

mod defaults;
mod key;

use std::collections::BTreeMap;

use crate::app::action::Action;
use crate::app::modal::Modal;
use crate::app::state::State;
use crate::engine::text::visible;

pub use key::{Key, KeyError};

/// Where keys are pressed; each has its own table, then falls back to [`Context::Global`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Context {
    /// Works in every layer.
    Global,
    /// The main list.
    List,
    /// A list with a search line, or the filter line: printable keys are text.
    Text,
    /// The review, the log, details: something to scroll.
    Scroll,
    /// A question: letters answer.
    Question,
}

impl Context {
    pub const ALL: [Self; 5] = [Self::Global, Self::List, Self::Text, Self::Scroll, Self::Question];

    /// Where keys go now.
    pub fn of(state: &State) -> Self {
        match state.modals.last() {
            Some(Modal::Picker(_) | Modal::Lab(_)) => Self::Text,
            Some(Modal::Settings(pane)) if pane.typed.is_some() => Self::Text,
            Some(Modal::Ask { .. }) => Self::Question,
            Some(
                Modal::Review(_)
                | Modal::Sheet(_)
                | Modal::Settings(_)
                | Modal::Advice { .. }
                | Modal::Savings { .. }
                | Modal::Log { .. }
                | Modal::Detail,
            ) => Self::Scroll,
            None if state.filter.typing => Self::Text,
            None => Self::List,
        }
    }

    /// Printable keys are text here.
    pub fn takes_text(self) -> bool {
        matches!(self, Self::Text | Self::Question)
    }

    /// The table's name in a settings file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::List => "list",
            Self::Text => "text",
            Self::Scroll => "scroll",
            Self::Question => "question",
        }
    }
}

/// What a key sequence means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    Action(Action),
    /// The start of a longer sequence.
    Prefix,
    None,
}

/// Keys pressed one after the other.
pub type Sequence = Vec<Key>;

/// The live key map.
#[derive(Clone, Debug)]
pub struct Keymap {
    bindings: BTreeMap<(Context, Sequence), Action>,
    /// Bindings in the order they were made: the first of an action is the one hints show.
    order: Vec<(Context, Sequence, Action)>,
}

impl Default for Keymap {
    fn default() -> Self {
        let mut keymap = Self { bindings: BTreeMap::new(), order: Vec::new() };
        for (context, texts, action) in defaults::TABLE {
            for sequence in texts.split_whitespace().filter_map(|text| parse_sequence(text).ok()) {
                keymap.bind(*context, sequence, *action);
            }
        }
        keymap
    }
}

/// A wish of the settings file: these keys for this action, here.
type Wanted = (Context, Action, Vec<Sequence>);

impl Keymap {
    /// The defaults with a user's table applied: `action = "key key"`, several keys separated by spaces, an empty text
    /// unbinds; a table such as `[keys.scroll]` is about that place, keys outside one about the main list. Says what it
    /// could not take, each as a sentence that names the file.
    pub fn with_overrides(table: &toml::Table, file: &str) -> (Self, Vec<String>) {
        let mut problems = Vec::new();
        let mut wanted: Vec<Wanted> = Vec::new();
        for (name, value) in table {
            match (value, Context::ALL.iter().find(|context| context.name() == name)) {
                (toml::Value::Table(inner), Some(context)) => {
                    for (name, value) in inner {
                        read_binding(*context, name, value, file, &mut wanted, &mut problems);
                    }
                }
                (toml::Value::Table(_), None) => problems.push(format!(
                    "{file}: [keys.{name}] is no place keys are pressed; those are global, list, text, scroll, question"
                )),
                _ => read_binding(Context::List, name, value, file, &mut wanted, &mut problems),
            }
        }
        drop_clashes(&mut wanted, file, &mut problems);
        let mut keymap = Self::default();
        for (context, action, _) in &wanted {
            keymap.unbind(*context, *action);
        }
        for (context, action, sequences) in &wanted {
            for sequence in sequences {
                if let Some(taken) = keymap.bindings.get(&(*context, sequence.clone())) {
                    problems.push(format!(
                        "{file}: '{}' was {}'s and is now {}'s; bind {} to another key to keep it",
                        sequence_text(sequence),
                        taken.name(),
                        action.name(),
                        taken.name()
                    ));
                }
                keymap.order.retain(|(place, known, _)| (place, known) != (context, sequence));
                keymap.bind(*context, sequence.clone(), *action);
            }
        }
        // They quote the file.
        let problems = problems.iter().map(|problem| visible(problem).into_owned()).collect();
        (keymap, problems)
    }

    fn bind(&mut self, context: Context, sequence: Sequence, action: Action) {
        self.order.push((context, sequence.clone(), action));
        self.bindings.insert((context, sequence), action);
    }

    fn unbind(&mut self, context: Context, action: Action) {
        self.order.retain(|(place, _, bound)| (*place, *bound) != (context, action));
        self.bindings.retain(|(place, _), bound| (*place, *bound) != (context, action));
    }

    /// What a sequence means in a place; [`Context::Global`] comes second.
    pub fn lookup(&self, context: Context, sequence: &[Key]) -> Lookup {
        for place in [context, Context::Global] {
            if let Some(action) = self.bindings.get(&(place, sequence.to_vec())) {
                return Lookup::Action(*action);
            }
            let longer = |(known, keys): &(Context, Sequence)| {
                *known == place && keys.len() > sequence.len() && keys.starts_with(sequence)
            };
            if self.bindings.keys().any(longer) {
                return Lookup::Prefix;
            }
        }
        Lookup::None
    }

    /// What may follow a started sequence, with what it does.
    pub fn continuations(&self, context: Context, sequence: &[Key]) -> Vec<(String, Action)> {
        self.order
            .iter()
            .filter(|(place, keys, _)| {
                (*place == context || *place == Context::Global)
                    && keys.len() > sequence.len()
                    && keys.starts_with(sequence)
            })
            .map(|(_, keys, action)| (sequence_text(&keys[sequence.len()..]), *action))
            .collect()
    }

    /// Keys of an action in a place, the preferred first, as people write them.
    pub fn keys_of(&self, action: Action, context: Context) -> Vec<String> {
        [context, Context::Global]
            .into_iter()
            .flat_map(|place| {
                self.order
                    .iter()
                    .filter(move |(known, _, bound)| (*known, *bound) == (place, action))
                    .map(|(_, sequence, _)| sequence_text(sequence))
            })
            .collect()
    }

    /// Every binding, in table order: place, keys, action.
    pub fn bindings(&self) -> impl Iterator<Item = (Context, String, Action)> {
        self.order.iter().map(|(context, sequence, action)| (*context, sequence_text(sequence), *action))
    }
}

/// Two wishes for one key: neither is taken, both actions keep their defaults.
fn drop_clashes(wanted: &mut Vec<Wanted>, file: &str, problems: &mut Vec<String>) {
    let mut clashing = Vec::new();
    for (idx, (context, action, sequences)) in wanted.iter().enumerate() {
        for (place, other, others) in &wanted[idx + 1..] {
            for sequence in sequences.iter().filter(|sequence| context == place && others.contains(sequence)) {
                problems.push(format!(
                    "{file}: '{}' is bound to both {} and {}; both keep their default keys",
                    sequence_text(sequence),
                    action.name(),
                    other.name()
                ));
                clashing.extend([(*context, *action), (*place, *other)]);
            }
        }
    }
    wanted.retain(|(context, action, _)| !clashing.contains(&(*context, *action)));
}

fn read_binding(
    context: Context,
    name: &str,
    value: &toml::Value,
    file: &str,
    wanted: &mut Vec<Wanted>,
    problems: &mut Vec<String>,
) {
    let Some(action) = Action::named(name) else {
        let start: String = name.chars().take(2).collect();
        let near = Action::ALL.iter().map(|action| action.name()).find(|known| known.starts_with(&start));
        let hint = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
        problems.push(format!("{file}: '{name}' is no action{hint}"));
        return;
    };
    let texts: Vec<&str> = match value {
        toml::Value::String(text) => text.split_whitespace().collect(),
        toml::Value::Array(items) => items.iter().filter_map(toml::Value::as_str).collect(),
        _ => {
            problems.push(format!("{file}: {name} needs its keys as text, such as \"x ctrl-x\""));
            return;
        }
    };
    let mut sequences = Vec::new();
    for text in texts {
        match parse_sequence(text) {
            Ok(sequence) if !sequences.contains(&sequence) => sequences.push(sequence),
            Ok(_) => {}
            Err(error) => {
                problems.push(format!("{file}: {name}: {error}; its default keys stay"));
                return;
            }
        }
    }
    wanted.push((context, action, sequences));
}

/// Reads `g,g` as two keys and `ctrl-s` as one.
fn parse_sequence(text: &str) -> Result<Sequence, KeyError> {
    if text == "," {
        return Ok(vec![Key::parse(text)?]);
    }
    text.split(',').map(Key::parse).collect()
}

fn sequence_text(sequence: &[Key]) -> String {
    sequence.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
