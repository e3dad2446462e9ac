//! The only code that prints. stdout is the answer, stderr the talk; colour only where it is wanted.
//!
//! Callers hand in text that is already harmless (`engine::text::visible`).

use std::io::{self, Write};
use std::process::ExitCode;

use serde::Serialize;

use crate::engine::text::visible_lines;

use super::error::CliError;

/// How a word is set off. Colour never carries meaning alone: the word does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Heading,
    Good,
    Bad,
    Dim,
}

impl Tone {
    /// The terminal's own 16 colours, no black, white or yellow.
    fn code(self) -> &'static str {
        match self {
            Self::Heading => "1",
            Self::Good => "32",
            Self::Bad => "31",
            Self::Dim => "2",
        }
    }
}

/// Where answers and talk go.
pub(super) struct Printer {
    out: Box<dyn Write>,
    talk: Box<dyn Write>,
    json: bool,
    color: bool,
}

impl Printer {
    pub(super) fn new(json: bool, color: bool) -> Self {
        Self { out: Box::new(io::BufWriter::new(io::stdout())), talk: Box::new(io::stderr()), json, color }
    }

    /// Whether the answer is one JSON document.
    pub(super) fn is_json(&self) -> bool {
        self.json
    }

    /// Sets text off, where colour is wanted.
    pub(super) fn paint(&self, tone: Tone, text: &str) -> String {
        if self.color && !text.is_empty() { format!("\x1b[{}m{text}\x1b[0m", tone.code()) } else { text.to_owned() }
    }

    /// One line of the answer.
    pub(super) fn line(&mut self, text: &str) -> Result<(), CliError> {
        Ok(writeln!(self.out, "{}", text.trim_end())?)
    }

    /// Text of the answer exactly as it is.
    pub(super) fn raw(&mut self, text: &[u8]) -> Result<(), CliError> {
        Ok(self.out.write_all(text)?)
    }

    /// The answer as one document.
    pub(super) fn document<T: Serialize>(&mut self, document: &T) -> Result<(), CliError> {
        serde_json::to_writer_pretty(&mut self.out, document).map_err(io::Error::from)?;
        Ok(writeln!(self.out)?)
    }

    /// Something to know beside the answer. A terminal that is gone is no reason to stop.
    pub(super) fn note(&mut self, text: &str) {
        let label = self.paint(Tone::Dim, "note:");
        let _ = writeln!(self.talk, "{label} {text}");
    }

    /// Why the verb failed, and what to do.
    pub(super) fn error(&mut self, error: &CliError) {
        let _ = self.out.flush();
        let (message, hint) = error.message();
        let label = self.paint(Tone::Bad, "error:");
        let _ = writeln!(self.talk, "{label} {message}");
        if let Some(hint) = hint {
            let label = self.paint(Tone::Dim, "  try:");
            let _ = writeln!(self.talk, "{label} {hint}");
        }
    }

    pub(super) fn flush(&mut self) -> Result<(), CliError> {
        Ok(self.out.flush()?)
    }
}

/// From now on a panic says where in our code it happened and nothing else: a message made at run time may quote the
/// file that was read (`str` slicing does), and with it somebody's keys.
pub(super) fn hook_panics() {
    std::panic::set_hook(Box::new(|info| {
        let _ = writeln!(io::stderr(), "{}", panic_line(info.payload(), info.location()));
        let backtrace = std::backtrace::Backtrace::capture();
        if backtrace.status() == std::backtrace::BacktraceStatus::Captured {
            let _ = writeln!(io::stderr(), "{backtrace}");
        }
    }));
}

fn panic_line(payload: &dyn std::any::Any, location: Option<&std::panic::Location<'_>>) -> String {
    let place = location.map(|place| format!(" at {place}")).unwrap_or_default();
    // Only a message without values is a literal.
    let message = payload.downcast_ref::<&'static str>().map(|text| format!(": {text}")).unwrap_or_default();
    format!(
        "hermes-tools stopped by a fault of its own{place}{message}. Please report it; your files are as they were saved last."
    )
}

/// Prints what clap has to say: help and version are answers, the rest is talk with exit 2. The talk quotes the words
/// it is about, so it is made harmless, and loses clap's own colours with that.
pub(super) fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let _ = write!(io::stderr(), "{}", visible_lines(&error.render().to_string()));
    ExitCode::from(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_message_never_quotes_values() {
        for (index, shown) in [(0, "out of range"), (1, "")] {
            let outcome = std::panic::catch_unwind(|| {
                let text = format!("api_key: sk-secret{index}");
                if index == 0 { panic!("out of range") } else { text[99..].len() }
            });
            let line = panic_line(outcome.expect_err("it panics").as_ref(), None);
            assert!(!line.contains("sk-secret") && line.contains(shown), "{line}");
        }
    }
}
