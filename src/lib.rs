//! hermes-tools: see, measure and switch the tools a Hermes Agent carries.
//!
//! # What happens, in one paragraph
//!
//! The user's own Hermes is asked once what exists (a [`engine::catalog::Catalog`]). Their `config.yaml` is read
//! into a [`engine::value::Value`], and [`engine::selection`] resolves it as Hermes does, each entry with the rule
//! that decided it. A person's switches collect in a [`engine::draft::Draft`]; [`engine::plan`] turns the draft into
//! the smallest edits of that file, and [`engine::yaml`] makes them in the text without touching another byte.
//! [`engine::report`] turns catalog, selection and figures into the rows that the screen and the JSON show.
//!
//! # Layers, and which may use which
//!
//! ```text
//! engine    pure: values in, values out          uses nothing of ours
//! app       pure state machine of the UI         uses engine
//! sources   files, processes, the user's Hermes  uses engine
//! runtime   runs the app's effects on tokio      uses app, sources, engine
//! tui       terminal, keys, views                uses app and engine to read; runtime in `event_loop`
//! cli       arguments, verbs, printing           uses everything
//! ```
//!
//! `tests/it/layers.rs` reads the `use` lines and holds these arrows.
//!
//! # Invariants
//!
//! * `engine` never fails on foreign data: it records a finding. It does no IO and reads no clock.
//! * `app::update` never blocks and never returns an error.
//! * Views never change state.
//! * Only `sources::config` writes a user's file; only `cli::printer` prints; only `tui::terminal` changes terminal
//!   modes; only `cli::context` reads the environment.
//! * Every number on screen or in JSON comes from `engine::report` or `app::derive`.
//! * Foreign text (tool names, descriptions, config values, errors) passes `engine::text::visible` before it is shown.
//!
//! # Words
//!
//! tool, toolset, platform, surface, server, catalog, rules, selection, baseline, draft, assembly, fate, meter, plan:
//! one word per idea, the same in code, on screen and in JSON.

pub mod app;
pub mod cli;
pub mod engine;
pub mod runtime;
pub mod sources;
pub mod tui;
