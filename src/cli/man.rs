//! `man`: the manual page, made from the same words the parser reads.

use clap::CommandFactory;

use super::Outcome;
use super::args::Args;
use super::error::CliError;
use super::printer::Printer;

pub(super) fn run(printer: &mut Printer) -> Result<Outcome, CliError> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Args::command()).render(&mut page)?;
    printer.raw(&page)?;
    Ok(Outcome::Done)
}
