//! Review, save, and the command line that does the same.

use std::collections::BTreeMap;

use crate::app::derive::typed;
use crate::app::effect::Effect;
use crate::app::modal::Modal;
use crate::app::review::Review;
use crate::app::state::State;
use crate::engine::draft::Target;

pub(super) fn review(state: &mut State) {
    match Review::of(state) {
        Ok(review) => {
            state.modals.retain(|modal| !matches!(modal, Modal::Review(_)));
            state.modals.push(Modal::Review(Box::new(review)));
        }
        Err(refused) => state.fail(format!("This cannot be saved safely: {refused}. Nothing was written.")),
    }
}

/// Enter in the review. A second Enter while a save runs does nothing.
pub(super) fn save(state: &mut State, effects: &mut Vec<Effect>) {
    if state.place.sample {
        state.warn("The sample is not written anywhere; install Hermes Agent to save a real config.".into());
        return;
    }
    if let Some(Modal::Review(review)) = state.modals.last_mut()
        && !review.saving
    {
        review.saving = true;
        effects.push(Effect::Save { ops: review.ops.clone() });
    }
}

pub(super) fn open_editor(state: &mut State, effects: &mut Vec<Effect>) {
    if state.draft.is_empty() {
        effects.push(Effect::OpenEditor);
    } else {
        state.warn("Save or discard the unsaved switches first; the editor works on the file.".into());
    }
}

/// The commands that make the draft's switches, in order; one line each.
pub(super) fn command_text(state: &State) -> String {
    let mut groups: BTreeMap<(bool, Option<String>), Vec<String>> = BTreeMap::new();
    let mut leftover = Vec::new();
    let options = &state.place.command_options;
    for (target, on) in state.draft.wishes() {
        let (platform, name) = match target {
            Target::Toolset(platform, key) => (Some(platform.to_string()), key.to_string()),
            Target::ServerOn(platform, name) => (Some(platform.to_string()), name.to_string()),
            Target::Server(name) => (None, name.to_string()),
            Target::ServerTool(server, tool) => (None, format!("{server}:{tool}")),
            Target::NoMcp(platform) => {
                leftover.push(format!("# no_mcp for {platform}: only in the terminal UI"));
                continue;
            }
            Target::Setting(setting, value) => {
                leftover.push(match value {
                    Some(value) => {
                        let value = shell_word(&typed(value));
                        format!("hermes-tools{options} settings set {} {value}", setting.key())
                    }
                    None => format!("hermes-tools{options} settings unset {}", setting.key()),
                });
                continue;
            }
        };
        groups.entry((on, platform)).or_default().push(shell_word(&name));
    }
    let mut lines: Vec<String> = groups
        .into_iter()
        .map(|((on, platform), names)| {
            let verb = if on { "enable" } else { "disable" };
            let platform = platform.map_or_else(String::new, |key| format!(" --platform {}", shell_word(&key)));
            format!("hermes-tools{options} {verb} {}{platform}", names.join(" "))
        })
        .collect();
    lines.append(&mut leftover);
    lines.join("\n")
}

/// A word a POSIX shell reads back as it is.
fn shell_word(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:@%+=,".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::shell_word;

    #[test]
    fn foreign_names_are_quoted_for_the_shell() {
        assert_eq!(shell_word("github:create_issue"), "github:create_issue");
        assert_eq!(shell_word("a b"), "'a b'");
        assert_eq!(shell_word("it's; rm"), r"'it'\''s; rm'");
        assert_eq!(shell_word(""), "''");
    }
}
