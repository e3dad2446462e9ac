//! No verb: the terminal UI, where there is a terminal to draw on.

use super::Outcome;
use super::context::Context;
use super::error::CliError;

pub(super) fn run(context: &Context) -> Result<Outcome, CliError> {
    if let Some(why) = context.terminal.unfit() {
        return Err(CliError::failed(format!("the terminal UI needs a terminal: {why}"))
            .hint("hermes-tools list, hermes-tools --summary, hermes-tools enable|disable NAME, hermes-tools --help"));
    }
    Err(CliError::failed("the terminal UI is not part of this build").hint("hermes-tools list"))
}
