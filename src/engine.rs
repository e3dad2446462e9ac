//! The pure core: what exists, what is on, what it costs, what an edit would change.
//!
//! No files, processes, network, clock, environment, terminal or async here. Foreign data never makes it fail; odd
//! input becomes a finding or a typed refusal.

pub mod advice;
pub mod assembly;
pub mod catalog;
pub mod draft;
pub mod filter;
pub mod findings;
pub mod ids;
pub mod lint;
pub mod meter;
pub mod plan;
pub mod preset;
pub mod provider;
pub mod pyjson;
pub mod pytext;
pub mod report;
pub mod rules;
pub mod schema;
pub mod search;
pub mod selection;
pub mod server;
pub mod setting;
#[cfg(test)]
pub(crate) mod testing;
pub mod text;
pub mod value;
pub mod yaml;
