//! The only way state changes: one message in, effects out. Dispatch; each subject has its own file.

mod arrival;
mod modal;
mod navigate;
mod pane;
mod probe;
mod save;
mod switch;

#[cfg(test)]
pub(crate) mod tests;

use std::sync::Arc;

use crate::engine::plan::Op;

use super::action::Action;
use super::effect::Effect;
use super::message::Message;
use super::modal::{Modal, Picker, PickerKind};
use super::notice::{INFO_MS, Severity};
use super::panes::{Lab, SettingsPane};
use super::sheet::Sheet;
use super::state::State;
use super::tree::Spot;

pub use modal::{Choice, Entry, entries};

/// Tools up to which it is worked out without being asked for what switching off would save.
const SAVINGS_UNASKED: usize = 10_000;

/// How long a second interrupt counts.
const INTERRUPT_MS: u64 = 1_000;

/// What the first frame's state asks of the outside.
pub fn start(state: &mut State) -> Vec<Effect> {
    let mut effects = Vec::new();
    if !state.place.sample {
        state.ask_for_catalog(&mut effects);
    }
    effects.push(Effect::CountTokens { catalog: Arc::clone(&state.catalog), assembly: None });
    let infos: Vec<u64> =
        state.notices.shown().filter(|notice| notice.severity == Severity::Info).map(|notice| notice.id).collect();
    state.keep_savings(&mut effects);
    effects.extend(infos.into_iter().map(|id| Effect::ExpireNotice { id, after_ms: 3 * INFO_MS }));
    effects
}

/// Takes one message.
pub fn update(state: &mut State, message: Message) -> Vec<Effect> {
    let mut effects = Vec::new();
    match message {
        Message::Act(action) => act(state, action, &mut effects),
        Message::Typed(letter) => modal::type_text(state, &letter.to_string(), &mut effects),
        Message::Pasted(text) => modal::type_text(state, &text, &mut effects),
        Message::Erased => modal::erase(state, false),
        Message::ErasedWord => modal::erase(state, true),
        Message::Viewport(viewport) => {
            state.viewport = viewport;
            if viewport.detail_beside {
                state.modals.retain(|modal| *modal != Modal::Detail);
            }
            state.tree.keep_visible(viewport.list_rows);
            // Room is no reason to ask the outside for anything.
            return effects;
        }
        Message::RowClicked(idx) => navigate::click(state, idx),
        Message::BoxClicked(idx) => {
            if navigate::click_hits(state, idx) {
                navigate::click(state, idx);
                act(state, Action::Toggle, &mut effects);
            }
        }
        Message::EntryClicked(idx) => modal::click(state, idx, &mut effects),
        Message::ListScrolled(rows) => navigate::scroll(state, rows),
        Message::DetailScrolled(rows) => state.detail_scroll = state.detail_scroll.saturating_add_signed(rows),
        Message::NoticeExpired { id } => state.notices.expire(id),
        Message::InterruptDisarmed { generation } => {
            if generation == state.generation {
                state.interrupt_armed = false;
            }
        }
        arrived => arrival::arrived(state, arrived, &mut effects),
    }
    state.keep_savings(&mut effects);
    effects
}

fn act(state: &mut State, action: Action, effects: &mut Vec<Effect>) {
    state.notices.key_pressed();
    if action != Action::Interrupt {
        state.interrupt_armed = false;
    }
    if let Err(reason) = action.available(state) {
        state.warn(format!("Cannot {}: {reason}.", action.title()));
        return;
    }
    if !state.modals.is_empty() && modal::act(state, action, effects) {
        return;
    }
    match action {
        Action::Toggle => switch::toggle(state, effects),
        Action::ToggleGroup => switch::toggle_group(state, effects),
        Action::Mark => switch::mark(state),
        Action::ToggleEverywhere => switch::toggle_everywhere(state, effects),
        Action::Undo => switch::undo(state, effects),
        Action::Redo => switch::redo(state, effects),
        Action::Discard => state.modals.push(Modal::Ask { ask: super::modal::Ask::Discard, selected: 0 }),
        Action::Review => save::review(state),
        Action::UndoSave => effects.push(Effect::UndoSave),
        Action::Copy => effects.push(Effect::CopyText(save::command_text(state))),
        Action::OpenEditor => save::open_editor(state, effects),
        Action::Filter => state.filter.typing = true,
        Action::Probe => probe::ask(state, effects),
        Action::Refresh => state.ask_for_catalog(effects),
        Action::NextPlatform => navigate::step_platform(state, 1, effects),
        Action::PreviousPlatform => navigate::step_platform(state, -1, effects),
        Action::PickPlatform => open_picker(state, PickerKind::Platforms),
        Action::PickProfile => open_picker(state, PickerKind::Profiles),
        Action::PickTheme => open_picker(state, PickerKind::Themes),
        Action::Help => open_picker(state, PickerKind::Help),
        Action::Palette => open_picker(state, PickerKind::Palette),
        Action::Preview => state.modals.push(Modal::Sheet(Box::new(Sheet::of(state)))),
        Action::Savings => {
            state.modals.push(Modal::Savings { scroll: 0 });
            state.ask_for_savings(effects);
        }
        Action::Settings => state.modals.push(Modal::Settings(SettingsPane::of(state))),
        Action::Lab => state.modals.push(Modal::Lab(Box::new(Lab::of(state)))),
        Action::Advice => {
            state.modals.push(Modal::Advice { counsel: Box::new(super::panes::counsel(state)), scroll: 0 });
        }
        Action::Presets => open_picker(state, PickerKind::Presets),
        Action::Log => state.modals.push(Modal::Log { scroll: 0 }),
        Action::Mouse => {
            state.mouse = !state.mouse;
            let text = if state.mouse {
                "The mouse works here again."
            } else {
                "The mouse is the terminal's: drag selects text."
            };
            state.inform(text.into(), effects);
            effects.push(Effect::SetMouse(state.mouse));
        }
        Action::Redraw => effects.push(Effect::Redraw),
        Action::Suspend => effects.push(Effect::Suspend),
        Action::Quit => quit(state, effects),
        Action::Interrupt => interrupt(state, effects),
        Action::Back => back(state),
        Action::Confirm => {
            if state.filter.typing {
                state.filter.typing = false;
            }
        }
        moves => navigate::act(state, moves),
    }
}

/// Closes the top layer, then the filter, then a notice. Never quits.
fn back(state: &mut State) {
    if let Some(Modal::Settings(pane)) = state.modals.last_mut()
        && pane.typed.take().is_some()
    {
        pane.problem = None;
        return;
    }
    if state.modals.pop().is_some() {
        return;
    }
    if state.tree.anchor.take().is_some() {
        return;
    }
    if state.filter.typing || !state.filter.text.is_empty() {
        state.filter = super::state::FilterLine::default();
        if let Some(spot) = state.tree.spot() {
            let id = spot.id(&state.derived.now);
            if matches!(spot, Spot::Tool(..) | Spot::ServerTool(..)) {
                state.tree.reveal(id);
            }
        }
        state.rebuild_rows();
        return;
    }
    state.notices.dismiss();
}

fn quit(state: &mut State, effects: &mut Vec<Effect>) {
    if state.draft.is_empty() {
        effects.push(Effect::Quit);
    } else {
        state.modals.push(Modal::Ask { ask: super::modal::Ask::Quit, selected: 0 });
    }
}

/// Ctrl+C: closes what is open; with nothing open it arms, and a second press quits. The draft stays in its recovery file.
fn interrupt(state: &mut State, effects: &mut Vec<Effect>) {
    if !state.modals.is_empty() || state.filter.typing {
        back(state);
        return;
    }
    if state.interrupt_armed {
        effects.push(Effect::Quit);
        return;
    }
    state.interrupt_armed = true;
    state.generation += 1;
    effects.push(Effect::DisarmInterrupt { generation: state.generation, after_ms: INTERRUPT_MS });
}

fn open_picker(state: &mut State, kind: PickerKind) {
    let mut picker = Picker { kind, query: String::new(), selected: 0 };
    picker.selected = entries(state, &picker).iter().position(|entry| entry.current).unwrap_or(0);
    state.modals.push(Modal::Picker(picker));
}

impl State {
    /// A short message that leaves by itself.
    pub(crate) fn inform(&mut self, text: String, effects: &mut Vec<Effect>) {
        let id = self.notices.push(Severity::Info, text);
        effects.push(Effect::ExpireNotice { id, after_ms: INFO_MS });
    }

    /// A message that stays until the next key.
    pub(crate) fn warn(&mut self, text: String) {
        self.notices.push(Severity::Warning, text);
    }

    /// A message that stays until it is dismissed.
    pub(crate) fn fail(&mut self, text: String) {
        self.notices.push(Severity::Error, text);
    }

    /// Works out anew what switching off would save, where another report is on show; huge catalogs wait until a person
    /// asks.
    fn keep_savings(&mut self, effects: &mut Vec<Effect>) {
        let old = self.savings.about.as_ref().is_none_or(|about| !Arc::ptr_eq(about, &self.derived.now));
        if old {
            self.savings.about = None;
            self.savings.rows = None;
            let asked = self.modals.iter().any(|modal| matches!(modal, Modal::Savings { .. }));
            if asked || self.catalog.document().tools.len() <= SAVINGS_UNASKED {
                self.ask_for_savings(effects);
            }
        }
    }

    fn ask_for_savings(&mut self, effects: &mut Vec<Effect>) {
        if self.savings.about.is_some() {
            return;
        }
        self.savings.about = Some(Arc::clone(&self.derived.now));
        self.savings.generation += 1;
        effects.push(Effect::Ablate {
            generation: self.savings.generation,
            catalog: Arc::clone(&self.catalog),
            config: Arc::clone(&self.derived.planned),
            platform: self.platform.clone(),
            surface: self.surface(),
            counts: Arc::clone(&self.counts),
            context_tokens: self.context_tokens(),
        });
    }

    pub(crate) fn ask_for_catalog(&mut self, effects: &mut Vec<Effect>) {
        self.generation += 1;
        self.working = Some("asking Hermes what exists");
        effects.push(Effect::LoadCatalog { surface: self.surface(), generation: self.generation });
    }

    /// Asks Hermes for the arrays that are not confirmed yet.
    pub(crate) fn ask_for_assembly(&mut self, effects: &mut Vec<Effect>) {
        if self.source != super::state::Source::Live {
            return;
        }
        self.generation += 1;
        let ops = self.derived.plan.ops.clone();
        let ask = |ops: Vec<Op>| Effect::Assemble {
            generation: self.generation,
            platform: self.platform.clone(),
            surface: self.surface(),
            document: Arc::clone(&self.document),
            ops,
            context_tokens: self.forced_context,
        };
        if self.confirmed(&[]).is_none() {
            effects.push(ask(Vec::new()));
        }
        if !ops.is_empty() && self.confirmed(&ops).is_none() {
            effects.push(ask(ops));
        }
    }
}
