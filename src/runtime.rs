//! Runs the app's effects on tokio and sends what happened back as messages.
//!
//! [`Session`] is what was opened; [`Runner`] answers effects for it. Everything that may wait runs in a task of its own;
//! a newer question of the same kind replaces an older one.

mod recovery;
mod runner;
mod session;

pub use runner::Runner;
pub use session::{Figures, Session};
