//! What ends a verb early: what happened, where, what to do next; and the exit code it stands for.

use std::process::ExitCode;

use crate::engine::text::visible;
use crate::sources::config::SaveError;
use crate::sources::home::HomeError;
use crate::sources::open::OpenError;
use crate::sources::snapshot::SnapshotError;

/// Why a verb ended early. Messages are sanitised, one line, without a final stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CliError {
    /// It did not work: exit 1.
    Failed { message: String, hint: Option<String> },
    /// The words make no sense together: exit 2.
    Usage { message: String, hint: Option<String> },
    /// Not done, to protect the user's data: exit 3.
    Refused { message: String, hint: Option<String> },
    /// The reader of our output is gone: quiet, exit 0.
    Pipe,
}

impl CliError {
    pub(super) fn failed(message: impl Into<String>) -> Self {
        Self::Failed { message: one_line(message.into()), hint: None }
    }

    pub(super) fn usage(message: impl Into<String>) -> Self {
        Self::Usage { message: one_line(message.into()), hint: None }
    }

    pub(super) fn refused(message: impl Into<String>) -> Self {
        Self::Refused { message: one_line(message.into()), hint: None }
    }

    /// Adds what to do next.
    pub(super) fn hint(mut self, text: impl Into<String>) -> Self {
        match &mut self {
            Self::Failed { hint, .. } | Self::Usage { hint, .. } | Self::Refused { hint, .. } => {
                *hint = Some(one_line(text.into()));
            }
            Self::Pipe => {}
        }
        self
    }

    /// Whether something was not done to protect the user's data.
    pub(super) fn is_refusal(&self) -> bool {
        matches!(self, Self::Refused { .. })
    }

    pub(super) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Failed { .. } => ExitCode::from(1),
            Self::Usage { .. } => ExitCode::from(2),
            Self::Refused { .. } => ExitCode::from(3),
            Self::Pipe => ExitCode::SUCCESS,
        }
    }

    pub(super) fn message(&self) -> (&str, Option<&str>) {
        match self {
            Self::Failed { message, hint } | Self::Usage { message, hint } | Self::Refused { message, hint } => {
                (message, hint.as_deref())
            }
            Self::Pipe => ("the reader of the output is gone", None),
        }
    }
}

fn one_line(text: String) -> String {
    visible(&text).into_owned()
}

impl From<OpenError> for CliError {
    fn from(error: OpenError) -> Self {
        Self::failed(error.to_string())
    }
}

impl From<SnapshotError> for CliError {
    fn from(error: SnapshotError) -> Self {
        Self::failed(error.to_string())
    }
}

impl From<HomeError> for CliError {
    fn from(error: HomeError) -> Self {
        Self::failed(error.to_string())
    }
}

impl From<SaveError> for CliError {
    fn from(error: SaveError) -> Self {
        if error.is_refusal() { Self::refused(error.to_string()) } else { Self::failed(error.to_string()) }
    }
}

impl From<std::io::Error> for CliError {
    /// For writes to stdout: everything else carries its own path.
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return Self::Pipe;
        }
        Self::failed(format!("cannot write the output: {error}"))
    }
}
