//! `keys`: the live key map, the user's own keys included.

use serde::Serialize;

use crate::engine::text::visible;
use crate::tui::keymap::Keymap;

use super::Outcome;
use super::context::Context;
use super::error::CliError;
use super::printer::Printer;
use super::table::{Lean, Table};

#[derive(Serialize)]
struct KeysJson {
    schema: &'static str,
    keys: Vec<KeyJson>,
    /// What in the user's settings could not be taken.
    problems: Vec<String>,
}

#[derive(Serialize)]
struct KeyJson {
    /// Where it counts: everywhere, in the list, while typing, ...
    context: &'static str,
    key: String,
    action: &'static str,
    title: &'static str,
}

pub(super) fn run(context: &Context, printer: &mut Printer) -> Result<Outcome, CliError> {
    let file = context.config_dir.join("config.toml");
    let shown = visible(&file.display().to_string()).into_owned();
    let (keymap, problems) = match crate::sources::file::read_text(&file) {
        Err(_) => (Keymap::default(), Vec::new()),
        Ok(text) => match text.parse::<toml::Table>() {
            Ok(table) => own_keys(&table, &shown),
            Err(error) => (Keymap::default(), vec![format!("{shown}: {}", visible(error.message()))]),
        },
    };
    let keys: Vec<KeyJson> = keymap
        .bindings()
        .map(|(place, key, action)| KeyJson {
            context: place.name(),
            key,
            action: action.name(),
            title: action.title(),
        })
        .collect();
    if printer.is_json() {
        printer.document(&KeysJson { schema: "hermes-tools/keys@1", keys, problems })?;
        return Ok(Outcome::Done);
    }
    let mut table = Table::new(&[Lean::Left, Lean::Left, Lean::Left, Lean::Left]);
    for key in keys {
        table.row(vec![key.context.to_owned(), key.key, key.action.to_owned(), key.title.to_owned()]);
    }
    for line in table.lines() {
        printer.line(&line)?;
    }
    for problem in problems {
        printer.note(&problem);
    }
    Ok(Outcome::Done)
}

fn own_keys(settings: &toml::Table, file: &str) -> (Keymap, Vec<String>) {
    match settings.get("keys").and_then(toml::Value::as_table) {
        Some(keys) => Keymap::with_overrides(keys, file),
        None => (Keymap::default(), Vec::new()),
    }
}
