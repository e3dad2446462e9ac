//! `completions`: a script for the user's shell, made from the same words the parser reads.

use clap::CommandFactory;

use super::Outcome;
use super::args::Args;
use super::error::CliError;
use super::printer::Printer;

pub(super) fn run(shell: clap_complete::Shell, printer: &mut Printer) -> Result<Outcome, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "hermes-tools", &mut script);
    printer.raw(&script)?;
    Ok(Outcome::Done)
}
