//! The one integration binary. Each module tests one outside of the program.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop there and say where")]

#[cfg(feature = "real-hermes")]
mod assembly;
#[cfg(feature = "real-hermes")]
mod bridge;
mod cli;
mod config;
mod docs;
#[cfg(feature = "real-hermes")]
mod hermes;
#[cfg(feature = "real-hermes")]
mod installs;
mod layers;
mod pty;
#[cfg(feature = "real-hermes")]
mod resolve;
#[cfg(feature = "real-hermes")]
mod schema;
mod sidecar;
#[cfg(feature = "real-hermes")]
mod wire;
mod yaml;
