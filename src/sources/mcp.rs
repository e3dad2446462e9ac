//! MCP servers, asked for their tools: only where a person says so, and never for anything else.
//!
//! `rmcp` speaks the protocol. Around it stands what a curious stranger at a server's door needs: the texts are kept as
//! they come ([`wire`]), pages are followed only while they make sense ([`listing`]), everything has a deadline, and a
//! server we started ends with all it started ([`stdio`]). What is behind `${VARIABLES}` lives in the child's environment
//! or in the request alone ([`endpoint`]); every text that comes back is cleared of it ([`secrets`]).

mod endpoint;
mod listing;
mod probe;
mod remote;
mod secrets;
mod stdio;
pub mod store;
mod variables;
mod wire;

pub use endpoint::{Endpoint, EndpointError};
pub use probe::{Limits, Target, probe_all, targets};
pub use variables::Variables;
