//! What the user chose about the UI: theme, glyphs, mouse, keys. Read from text; files are the caller's.

use crate::engine::text::visible;

use super::keymap::Keymap;
use super::theme::{self, Theme, ThemeSet};

/// What the caller knows of the user's wishes and the terminal.
#[derive(Clone, Debug, Default)]
pub struct UiSettings {
    /// Path of our own settings file, for messages.
    pub file: String,
    /// Its text, if it exists.
    pub text: Option<String>,
    /// The user's themes: name and text.
    pub themes: Vec<(String, String)>,
    /// NO_COLOR is set, or `--color never`.
    pub no_color: bool,
    /// The terminal shows only ASCII (TERM=linux, a locale that is not UTF-8).
    pub ascii: bool,
    /// Command of the user's editor, split into words.
    pub editor: Vec<String>,
}

/// The settings, read.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub keymap: Keymap,
    pub themes: ThemeSet,
    pub theme: Theme,
    pub ascii: bool,
    pub mouse: bool,
    /// What could not be taken, each a sentence naming the file.
    pub problems: Vec<String>,
}

impl UiSettings {
    /// Reads the settings. A mistake costs only what it is about.
    pub(super) fn read(&self) -> Settings {
        let mut problems = Vec::new();
        let file = &self.file;
        let table: toml::Table = match self.text.as_deref().map(str::parse) {
            None => toml::Table::new(),
            Some(Ok(table)) => table,
            Some(Err(error)) => {
                let error: toml::de::Error = error;
                problems.push(format!("{file}: {}; the defaults count", error.message()));
                toml::Table::new()
            }
        };
        let themes = ThemeSet::with_user(self.themes.iter().cloned());
        let mut settings = Settings {
            keymap: Keymap::default(),
            theme: theme::fallback(),
            themes,
            ascii: self.ascii,
            mouse: true,
            problems: Vec::new(),
        };
        for (name, value) in &table {
            match (name.as_str(), value) {
                ("theme", toml::Value::String(name)) => match settings.themes.load(name) {
                    Ok(theme) => settings.theme = theme,
                    Err(error) => problems.push(format!("{file}: {error}; {} is used", theme::DEFAULT)),
                },
                ("ascii", toml::Value::Boolean(ascii)) => settings.ascii |= *ascii,
                ("mouse", toml::Value::Boolean(mouse)) => settings.mouse = *mouse,
                ("keys", toml::Value::Table(keys)) => {
                    let (keymap, mut found) = Keymap::with_overrides(keys, file);
                    settings.keymap = keymap;
                    problems.append(&mut found);
                }
                ("theme" | "ascii" | "mouse" | "keys", _) => {
                    problems.push(format!("{file}: {name} has the wrong kind of value ({})", value.type_str()));
                }
                _ => {
                    problems.push(format!("{file}: there is no setting '{name}'; there are theme, ascii, mouse, keys"))
                }
            }
        }
        // They quote the file.
        settings.problems = problems.iter().map(|problem| visible(problem).into_owned()).collect();
        settings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Settings {
        UiSettings { file: "config.toml".into(), text: Some(text.into()), ..UiSettings::default() }.read()
    }

    #[test]
    fn settings_are_taken() {
        let settings = read("theme = \"mono\"\nascii = true\nmouse = false\n[keys]\nquit = \"x\"");
        assert_eq!(settings.problems, Vec::<String>::new());
        assert_eq!((settings.theme.name.as_str(), settings.ascii, settings.mouse), ("mono", true, false));
    }

    #[test]
    fn each_mistake_is_said_with_the_file_and_costs_only_itself() {
        let settings = read("theme = \"nope\"\nascii = 3\nmouse = false\ncolour = 1");
        assert_eq!(settings.problems.len(), 3, "{:?}", settings.problems);
        assert!(settings.problems.iter().all(|problem| problem.starts_with("config.toml: ")));
        assert_eq!((settings.theme.name.as_str(), settings.mouse), (theme::DEFAULT, false));
    }

    #[test]
    fn a_file_that_is_no_toml_leaves_the_defaults() {
        let settings = read("theme = ");
        assert_eq!(settings.problems.len(), 1);
        assert_eq!(settings.theme.name, theme::DEFAULT);
    }
}
