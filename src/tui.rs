//! The terminal: what is drawn, and what keys and clicks mean. State changes are [`crate::app`]'s.
//!
//! Reading order: [`event_loop`] (select, drain, update, draw when something changed), [`terminal`] (the only code that
//! changes terminal modes), [`keymap`] and [`input`] (events to messages), [`layout`] (size to rectangles), [`view`].
//! Nothing here ticks: with nothing happening, nothing runs.

pub mod keymap;
pub mod settings;
pub mod theme;

mod event_loop;
mod figure;
mod glyphs;
mod input;
mod layout;
mod mouse;
mod terminal;
mod view;
mod widget;

pub use event_loop::{TuiError, is_running, run};
pub use input::{Pending, key as meaning};
pub use settings::UiSettings;
pub use terminal::{abandon_terminal, has_lent_terminal};
pub use view::{Drawn, Look, paint};
