//! `${VARIABLES}` in a server's entry, as Hermes fills them in when it connects.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::engine::value::Value;

/// What variables stand for: the environment, over which the home's `.env` counts.
#[derive(Clone, Default)]
pub struct Variables {
    environment: HashMap<String, String>,
    dotenv: HashMap<String, String>,
    user_home: Option<PathBuf>,
    folder: PathBuf,
}

/// Names only: the values are secrets.
impl std::fmt::Debug for Variables {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Variables").finish_non_exhaustive()
    }
}

impl Variables {
    /// `folder` is where the program was started: what 0.22 calls the workspace.
    pub fn new(environment: HashMap<String, String>, user_home: Option<PathBuf>, folder: PathBuf) -> Self {
        Self { environment, dotenv: HashMap::new(), user_home, folder }
    }

    /// The same with the `.env` of a home. A line that is none is passed over, as Python's reader does.
    pub fn with_home(mut self, home: &Path) -> Self {
        if let Ok(lines) = dotenvy::from_path_iter(home.join(".env")) {
            self.dotenv = lines.flatten().collect();
        }
        self
    }

    /// One variable; an empty one counts as unset.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.dotenv
            .get(name)
            .or_else(|| self.environment.get(name))
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    /// The variables of the environment alone, for a child.
    pub(super) fn environment(&self) -> impl Iterator<Item = (&str, &str)> {
        self.environment.keys().filter_map(|name| Some((name.as_str(), self.get(name)?)))
    }

    pub(super) fn user_home(&self) -> Option<&Path> {
        self.user_home.as_deref()
    }

    /// A value with every `${...}` in its texts filled in; keys stay. What was filled in is told to `seen`. A variable
    /// that is not set stays as written. Cursor's names (`${userHome}`, `${workspaceFolder}`, `${/}` and the like) are
    /// filled in only where the installed version does, 0.22.
    pub(super) fn fill(&self, value: &Value, context_names: bool, seen: &mut impl FnMut(&str)) -> Value {
        match value {
            Value::Str(text) => Value::Str(self.fill_text(text, context_names, seen)),
            Value::Seq(items) => Value::Seq(items.iter().map(|item| self.fill(item, context_names, seen)).collect()),
            Value::Map(entries) => {
                let filled = entries.iter().map(|(key, value)| (key.clone(), self.fill(value, context_names, seen)));
                Value::Map(filled.collect())
            }
            other => other.clone(),
        }
    }

    fn fill_text(&self, text: &str, context_names: bool, seen: &mut impl FnMut(&str)) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find("${") {
            out.push_str(&rest[..at]);
            let inner = &rest[at + 2..];
            let Some(end) = inner.find('}').filter(|end| *end > 0) else {
                out.push_str("${");
                rest = inner;
                continue;
            };
            let name = inner[..end].trim();
            if let Some(known) = context_names.then(|| self.context(name)).flatten() {
                out.push_str(&known);
            } else if let Some(value) = self.get(name.strip_prefix("env:").map_or(name, str::trim)) {
                seen(value);
                out.push_str(value);
            } else {
                out.push_str(&rest[at..at + end + 3]);
            }
            rest = &inner[end + 1..];
        }
        out.push_str(rest);
        out
    }

    fn context(&self, name: &str) -> Option<String> {
        match name {
            "userHome" => self.user_home.as_ref().map(|home| home.display().to_string()),
            "workspaceFolder" => Some(self.folder.display().to_string()),
            "workspaceFolderBasename" => self.folder.file_name().map(|name| name.to_string_lossy().into_owned()),
            "pathSeparator" | "/" => Some(std::path::MAIN_SEPARATOR.to_string()),
            _ => None,
        }
    }
}

/// The names in `${...}` that are left in a text.
pub(super) fn unfilled(text: &str) -> impl Iterator<Item = &str> {
    text.split("${")
        .skip(1)
        .filter_map(|rest| rest.split_once('}'))
        .map(|(name, _)| name)
        .filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables() -> Variables {
        let environment = [("KEY", "sekret"), ("EMPTY", ""), ("MY-VAR", "x")];
        let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        Variables::new(environment, Some("/home/demo".into()), "/work/site".into())
    }

    fn filled(text: &str, context_names: bool) -> (String, Vec<String>) {
        let mut seen = Vec::new();
        let value =
            variables().fill(&Value::Str(text.to_owned()), context_names, &mut |value| seen.push(value.to_owned()));
        (value.as_str().unwrap().to_owned(), seen)
    }

    #[test]
    fn variables_are_filled_in_as_hermes_does() {
        let table = [
            ("${KEY}", "sekret"),
            ("a ${KEY} b ${ KEY }${env:KEY}${env: KEY}", "a sekret b sekretsekretsekret"),
            ("${MY-VAR}", "x"),
            ("${UNSET} ${EMPTY} $KEY $$ ${} ${", "${UNSET} ${EMPTY} $KEY $$ ${} ${"),
            ("${${KEY}}", "${${KEY}}"),
        ];
        for (text, expected) in table {
            assert_eq!(filled(text, true).0, expected, "{text}");
        }
        assert_eq!(filled("${KEY}${KEY}", false).1, ["sekret", "sekret"]);
    }

    #[test]
    fn only_one_version_knows_places() {
        let text = "${userHome}${/}${workspaceFolder} ${workspaceFolderBasename}";
        assert_eq!(filled(text, true).0, "/home/demo//work/site site");
        assert_eq!(filled(text, false).0, text);
        assert!(filled(text, true).1.is_empty());
    }

    #[test]
    fn the_homes_own_file_counts_over_the_environment() {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join(".env"), "# c\nKEY='of home'\nnot a line\nOTHER=\"y\"\n").unwrap();
        let variables = variables().with_home(home.path());
        assert_eq!(variables.get("KEY"), Some("of home"));
        assert_eq!(variables.get("OTHER"), Some("y"));
        assert_eq!(variables.get("EMPTY"), None);
        assert!(!format!("{variables:?}").contains("of home"));
    }

    #[test]
    fn what_is_left_is_named() {
        assert_eq!(unfilled("a ${B} ${c d} ${} ${e").collect::<Vec<_>>(), ["B", "c d"]);
    }
}
