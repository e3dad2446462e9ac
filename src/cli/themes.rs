//! `themes`: what the UI can look like, the user's own themes included, each loaded to see that it works.

use serde::Serialize;

use crate::engine::text::visible;
use crate::tui::theme::{DEFAULT, EMBEDDED, ThemeSet};

use super::Outcome;
use super::context::Context;
use super::error::CliError;
use super::printer::Printer;
use super::screen;

#[derive(Serialize)]
struct ThemesJson {
    schema: &'static str,
    /// Where a user's own themes are looked for.
    folder: String,
    themes: Vec<ThemeJson>,
}

#[derive(Serialize)]
struct ThemeJson {
    theme: String,
    embedded: bool,
    default: bool,
    /// Why it cannot be used, if so.
    problem: Option<String>,
}

pub(super) fn run(context: &Context, printer: &mut Printer) -> Result<Outcome, CliError> {
    let set = ThemeSet::with_user(screen::user_themes(context));
    let themes: Vec<ThemeJson> = set
        .names()
        .into_iter()
        .map(|name| ThemeJson {
            embedded: EMBEDDED.iter().any(|(known, _)| *known == name),
            default: name == DEFAULT,
            problem: set.load(&name).err().map(|error| visible(&error.to_string()).into_owned()),
            theme: visible(&name).into_owned(),
        })
        .collect();
    let folder = visible(&context.config_dir.join("themes").display().to_string()).into_owned();
    if printer.is_json() {
        printer.document(&ThemesJson { schema: "hermes-tools/themes@1", folder, themes })?;
        return Ok(Outcome::Done);
    }
    for theme in &themes {
        let default = if theme.default { " (default)" } else { "" };
        let own = if theme.embedded { "" } else { " (yours)" };
        let problem =
            theme.problem.as_deref().map_or_else(String::new, |problem| format!("  cannot be used: {problem}"));
        printer.line(&format!("{}{default}{own}{problem}", theme.theme))?;
    }
    printer.line(&format!("your own go into {folder}"))?;
    Ok(Outcome::Done)
}
