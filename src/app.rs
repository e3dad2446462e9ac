//! The UI as a pure state machine: messages in, state and effects out. No terminal, no tokio, no files, no clock.
//!
//! A person's wish is an [`action::Action`]; what happened is a [`message::Message`]; what should be done outside is an
//! [`effect::Effect`], plain data. [`update::update`] is the only way state changes, and it never blocks or fails.
//! Everything shown after a change is recomputed by [`derive`].

pub mod action;
pub mod derive;
pub mod effect;
pub mod message;
pub mod modal;
pub mod notice;
pub mod panes;
pub mod review;
pub mod sheet;
pub mod state;
pub mod tree;
pub mod update;
