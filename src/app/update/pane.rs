//! Settings of tool search and presets: wishes like any other.

use crate::app::action::Action;
use crate::app::derive::typed;
use crate::app::effect::Effect;
use crate::app::panes::SettingsPane;
use crate::app::state::State;
use crate::engine::assembly::settings::Settings;
use crate::engine::draft::Target;
use crate::engine::ids::PlatformKey;
use crate::engine::plan::NewValue;
use crate::engine::preset::Preset;
use crate::engine::setting::Setting;

use super::modal::moved;
use super::switch;

/// A key in the settings.
pub(super) fn set(state: &mut State, pane: &mut SettingsPane, page: usize, action: Action, effects: &mut Vec<Effect>) {
    let setting = pane.setting();
    if let Some(typed) = &pane.typed {
        if action == Action::Confirm {
            match setting.parse(typed) {
                Ok(value) => {
                    pane.typed = None;
                    write(state, setting, Some(value), effects);
                }
                Err(problem) => pane.problem = Some(problem),
            }
        }
        return;
    }
    let changes = matches!(
        action,
        Action::NextPage
            | Action::PreviousPage
            | Action::Expand
            | Action::Collapse
            | Action::Toggle
            | Action::Reset
            | Action::Confirm
            | Action::Open
    );
    if let Some(reason) = state.read_only.as_ref().filter(|_| changes) {
        pane.problem = Some(format!("Read only: {reason}."));
        return;
    }
    let settings = || Settings::read(&state.derived.planned, state.catalog.host());
    let stepped = match action {
        Action::NextPage | Action::Expand => Some(setting.stepped(&settings(), true)),
        Action::PreviousPage | Action::Collapse => Some(setting.stepped(&settings(), false)),
        // Round and round, so that one key reaches every word.
        Action::Toggle => Some(setting.stepped(&settings(), true).or_else(|| lowest(setting, settings()))),
        _ => None,
    };
    pane.problem = None;
    match (stepped, action) {
        (Some(Some(value)), _) => write(state, setting, Some(value), effects),
        (Some(None), _) if setting == Setting::Defer => pane.typed = Some(String::new()),
        (Some(None), _) => state.warn(format!("{} takes {}; that is the last step.", setting.key(), setting.accepts())),
        (None, Action::Reset) => write(state, setting, None, effects),
        (None, Action::Confirm | Action::Open) => pane.typed = Some(String::new()),
        (None, action) => pane.selected = moved(pane.selected, Setting::ALL.len(), page, action),
    }
}

/// The first step from below.
fn lowest(setting: Setting, mut settings: Settings) -> Option<NewValue> {
    use crate::engine::assembly::settings::Enabled;
    match setting {
        Setting::Enabled => settings.enabled = Enabled::On,
        Setting::Listing => settings.listing = true,
        _ => return None,
    }
    let mut last = None;
    while let Some(value) = setting.stepped(&settings, false) {
        match (setting, &value) {
            (Setting::Enabled, NewValue::Bool(_)) => settings.enabled = Enabled::Off,
            (Setting::Enabled, _) => settings.enabled = Enabled::Auto,
            _ => settings.listing = false,
        }
        last = Some(value);
    }
    last
}

fn write(state: &mut State, setting: Setting, value: Option<NewValue>, effects: &mut Vec<Effect>) {
    // Back at the default of a setting the file does not have, nothing is left to write.
    let default = Settings::default_of(&state.catalog.host().defaults);
    let unwritten = state.saved_state(&Target::Setting(setting, None));
    let value = value.filter(|value| !(unwritten && setting.shown(&default) == typed(value)));
    switch::wish(state, &[(Target::Setting(setting, value), true)], effects);
}

/// What is on with the draft, for every platform in use.
pub(super) fn kept(state: &State, name: &str) -> Preset {
    let platforms: Vec<PlatformKey> =
        state.derived.elsewhere.iter().map(|(_, selection)| selection.platform.clone()).collect();
    Preset::of(name, &state.derived.planned, &state.catalog, &platforms)
}

/// Puts a preset into the draft, as one step.
pub(super) fn apply_preset(state: &mut State, preset: &Preset, effects: &mut Vec<Effect>) {
    let fit = preset.fit(state.document.value(), &state.catalog);
    if !switch::wish(state, &fit.wishes, effects) {
        return;
    }
    match fit.unmet.as_slice() {
        [] if state.draft.is_empty() => {
            state.inform(format!("Everything is as the preset {} has it already.", preset.name), effects);
        }
        [] => state.inform(format!("Switched as the preset {} has it; nothing is saved yet.", preset.name), effects),
        [first, rest @ ..] => {
            let more = if rest.is_empty() { String::new() } else { format!(", and {} more", rest.len()) };
            state.warn(format!("{} cannot be as the preset has it: {}{more}.", first.name, first.reason));
        }
    }
}
