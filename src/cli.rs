//! The command line: arguments, one verb per file, printing, exit codes.
//!
//! A verb goes load ([`crate::sources::open`]), draft, derive, report, print: the same path as the terminal UI. Only
//! [`context`] reads the environment, and only [`printer`] prints: stdout is the answer, stderr the talk.

mod ablate;
mod advise;
mod args;
mod catalog;
mod completions;
mod confirm;
mod context;
mod describe;
mod doctor;
mod error;
mod figure;
mod keys;
mod lint;
mod list;
mod load;
mod man;
mod names;
mod offer;
mod platforms;
mod preset;
mod preview;
mod printer;
mod probe;
mod prompt_size;
mod screen;
mod search;
mod servers;
mod settings;
mod signals;
mod summary;
mod switch;
mod table;
mod themes;
mod undo;
mod wait;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

use args::{Args, Verb};
use context::Context;
use error::CliError;
use printer::Printer;
use switch::Switch;

/// What a verb that ran to its end found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Done,
    /// Part of it failed, and has been said: exit 1.
    Failed,
    /// A check found something: exit 4.
    Found,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Done => Self::SUCCESS,
            Outcome::Failed => Self::from(1),
            Outcome::Found => Self::from(4),
        }
    }
}

/// Runs the program: parses the words, does what they say, prints, and returns the exit code.
pub fn run(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    printer::hook_panics();
    let args = match Args::try_parse_from(words) {
        Ok(args) => args,
        Err(error) => return printer::usage(&error),
    };
    let mut printer = Printer::new(args.global.json, context::wants_color(args.global.color));
    match dispatch(&args, &mut printer).and_then(|outcome| printer.flush().map(|()| outcome)) {
        Ok(outcome) => outcome.into(),
        // Whoever read our answer has enough of it.
        Err(CliError::Pipe) => ExitCode::SUCCESS,
        Err(error) => {
            printer.error(&error);
            error.exit_code()
        }
    }
}

fn dispatch(args: &Args, printer: &mut Printer) -> Result<Outcome, CliError> {
    match &args.verb {
        Some(Verb::Completions { shell }) => return completions::run(*shell, printer),
        Some(Verb::Man) => return man::run(printer),
        _ => {}
    }
    let context = Context::read(&args.global)?;
    match &args.verb {
        None if args.summary => summary::run(&context, printer),
        None => screen::run(&context),
        Some(_) if args.summary => Err(CliError::usage("--summary goes with no verb")),
        Some(Verb::List(args)) => list::run(args, &context, printer),
        Some(Verb::Enable(args)) => switch::run(Switch::Enable, args, &context, printer),
        Some(Verb::Disable(args)) => switch::run(Switch::Disable, args, &context, printer),
        Some(Verb::Undo) => undo::run(&context, printer),
        Some(Verb::Settings(args)) => settings::run(args, &context, printer),
        Some(Verb::Preset { verb }) => preset::run(verb, &context, printer),
        Some(Verb::PromptSize(args)) => prompt_size::run(args, &context, printer),
        Some(Verb::Search(args)) => search::run(args, &context, printer),
        Some(Verb::Describe(args)) => describe::run(args, &context, printer),
        Some(Verb::Ablate(args)) => ablate::run(args, &context, printer),
        Some(Verb::Advise(args)) => advise::run(args, &context, printer),
        Some(Verb::Preview(args)) => preview::run(args, &context, printer),
        Some(Verb::Servers(args)) => servers::run(args, &context, printer),
        Some(Verb::Lint(args)) => lint::run(args, &context, printer),
        Some(Verb::Probe(args)) => probe::run(args, &context, printer),
        Some(Verb::Doctor(args)) => doctor::run(args, &context, printer),
        Some(Verb::Catalog { verb }) => catalog::run(verb, &context, printer),
        Some(Verb::Keys) => keys::run(&context, printer),
        Some(Verb::Themes) => themes::run(&context, printer),
        Some(Verb::Completions { .. } | Verb::Man) => Ok(Outcome::Done),
    }
}
