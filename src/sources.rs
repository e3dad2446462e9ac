//! The outside, turned into engine values: homes, config files, the user's Hermes, snapshots, the sample.
//!
//! Typed errors carry the path or the process they are about. Only [`config`] writes a user's file, and nothing here
//! reads the environment: `cli::context` hands in what counts.

mod cache;
pub mod child;
pub mod config;
pub mod file;
pub mod home;
pub mod mcp;
pub mod memo;
pub mod open;
pub mod presets;
pub mod sample;
pub mod sidecar;
pub mod snapshot;
pub mod tokens;
