//! No verb: the terminal UI, where there is a terminal to draw on.

use crate::runtime::{Figures, Session};
use crate::sources::{file, open};
use crate::tui::{self, UiSettings};

use super::context::Context;
use super::error::CliError;
use super::{Outcome, signals};

pub(super) fn run(context: &Context) -> Result<Outcome, CliError> {
    if let Some(why) = context.terminal.unfit() {
        return Err(CliError::failed(format!("the terminal UI needs a terminal: {why}"))
            .hint("hermes-tools list, hermes-tools --summary, hermes-tools enable|disable NAME, hermes-tools --help"));
    }
    signals::watch();
    // Nothing is asked of Hermes before the first frame: the UI asks, and shows what is on disk meanwhile.
    let opened = open::open(&context.open)?;
    let figures = Figures {
        tokenizer: context.tokenizer.clone(),
        context_tokens: context.context_tokens,
        config_dir: context.config_dir.clone(),
        variables: context.variables.clone(),
    };
    let session = Session::new(opened, context.open.clone(), figures);
    tui::run(session, &settings(context)).map_err(|error| CliError::failed(error.to_string()))?;
    Ok(Outcome::Done)
}

/// Our settings file and the user's themes, as far as they can be read.
fn settings(context: &Context) -> UiSettings {
    let path = context.config_dir.join("config.toml");
    UiSettings {
        text: file::read_text(&path).ok(),
        file: path.display().to_string(),
        themes: user_themes(context),
        no_color: context.no_color,
        ascii: context.ascii,
        editor: context.editor.clone(),
    }
}

pub(super) fn user_themes(context: &Context) -> Vec<(String, String)> {
    let Ok(entries) = std::fs::read_dir(context.config_dir.join("themes")) else { return Vec::new() };
    let mut themes: Vec<(String, String)> = entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let name = path.file_stem()?.to_str()?.to_owned();
            let is_theme = path.extension().is_some_and(|extension| extension == "toml");
            is_theme.then(|| file::read_text(&path).ok().map(|text| (name, text)))?
        })
        .collect();
    themes.sort();
    themes
}
