//! `undo`: the content before our last save of this home's `config.yaml`, put back if nobody changed it since.

use serde::Serialize;

use crate::engine::text::visible;
use crate::sources::config::{self, SaveContext};
use crate::sources::home;

use super::Outcome;
use super::context::Context;
use super::error::CliError;
use super::printer::Printer;

#[derive(Serialize)]
struct UndoJson {
    schema: &'static str,
    path: String,
    restored: bool,
}

pub(super) fn run(context: &Context, printer: &mut Printer) -> Result<Outcome, CliError> {
    if context.open.sample {
        return Err(CliError::refused("this is the embedded sample, there is no file to change"));
    }
    let home = home::find(&context.open.home)?;
    let path = home.config_path();
    let Some(token) = config::last_save(&path, &context.open.state_dir) else {
        return Err(CliError::failed(format!("there is no save of ours to take back in {}", path.display())));
    };
    let save = SaveContext { managed: home.managed.as_deref(), state_dir: &context.open.state_dir };
    config::undo(&token, &save)?;
    let path = visible(&path.display().to_string()).into_owned();
    if printer.is_json() {
        printer.document(&UndoJson { schema: "hermes-tools/undo@1", path, restored: true })?;
    } else {
        printer.line(&format!("restored {path}"))?;
    }
    Ok(Outcome::Done)
}
