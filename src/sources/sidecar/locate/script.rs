//! What a launcher script starts, read from its text: its shebang, or the `exec` line of a shell script.

use std::io::Read;
use std::path::{Path, PathBuf};

/// Launchers are short; a larger file is read this far.
const MAX_READ: u64 = 64 * 1024;

/// What a script starts.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Runs {
    File(PathBuf),
    /// A path relative to the folder the script really is in.
    Beside(PathBuf),
    /// A name to be looked up on `PATH`.
    Command(String),
    PyenvShim {
        root: PathBuf,
    },
    Unknown(String),
}

/// A script's text, or `None` for what is no script (a binary).
pub(super) fn read(path: &Path) -> std::io::Result<Option<String>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(MAX_READ).read_to_end(&mut bytes)?;
    Ok(bytes.starts_with(b"#!").then(|| String::from_utf8_lossy(&bytes).into_owned()))
}

/// `python`, `python3`, `python3.11`, `pypy3`, ...
pub(super) fn is_python(name: &str) -> bool {
    let version = name.strip_prefix("python").or_else(|| name.strip_prefix("pypy"));
    version.is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || c == '.' || c == 't'))
}

/// What a script's text starts.
pub(super) fn runs(text: &str) -> Runs {
    let shebang = text.lines().next().unwrap_or_default().trim_start_matches("#!").trim();
    let words: Vec<Word> = shebang.split_whitespace().map(Word::plain).collect();
    let Some(first) = words.first() else { return Runs::Unknown("its first line names no interpreter".into()) };
    let name = if first.base() == "env" { env_command(&words[1..]).map(Word::base) } else { Some(first.base()) };
    match name {
        Some("sh" | "bash" | "dash" | "zsh" | "ash" | "ksh") => shell(text),
        _ => command(&words),
    }
}

/// A shell word: its text, and whether it begins with the script's own folder.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Word {
    text: String,
    beside: bool,
}

impl Word {
    fn plain(text: &str) -> Self {
        Self { text: text.to_owned(), beside: false }
    }

    fn base(&self) -> &str {
        self.text.rsplit('/').next().unwrap_or_default()
    }
}

/// What an argument list starts, when that is a Python or a `hermes`.
fn command(words: &[Word]) -> Runs {
    let Some(first) = words.first() else { return Runs::Unknown("it starts nothing".into()) };
    if first.base() == "env" && !first.beside {
        return env_command(&words[1..])
            .map_or_else(|| Runs::Unknown("its `env` line names no program".into()), target);
    }
    target(first)
}

/// The program of `env [-S] [-i] [-u NAME] [NAME=VALUE...] program`.
fn env_command(arguments: &[Word]) -> Option<&Word> {
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        match word.text.as_str() {
            "-u" | "--unset" | "-C" | "--chdir" => {
                rest.next();
            }
            text if text.starts_with('-') || text.contains('=') => {}
            _ => return Some(word),
        }
    }
    None
}

fn target(word: &Word) -> Runs {
    let base = word.base();
    // Nix calls the script behind its wrapper `.hermes-wrapped`.
    if !is_python(base) && !base.trim_start_matches('.').starts_with("hermes") {
        return Runs::Unknown(format!("it starts `{}`, which is not Python", word.text));
    }
    if word.beside {
        Runs::Beside(PathBuf::from(word.text.trim_start_matches('/')))
    } else if word.text.contains('$') {
        Runs::Unknown(format!("it starts `{}`, and what that stands for is known to the shell alone", word.text))
    } else if word.text.contains('/') {
        Runs::File(PathBuf::from(&word.text))
    } else {
        Runs::Command(word.text.clone())
    }
}

/// The last `exec` that starts a Python or a `hermes`. pip and uv write `'''exec' "/long/path/python" "$0" "$@"` where
/// a path is too long, or relative, for a shebang.
fn shell(text: &str) -> Runs {
    let mut answer = Runs::Unknown("this shell script starts no Python that can be read from its text".into());
    for line in text.lines().skip(1) {
        let line = line.trim_start();
        let Some(rest) = ["'''exec' ", "\"exec\" ", "exec "].iter().find_map(|opening| line.strip_prefix(opening))
        else {
            continue;
        };
        let rest = rest.trim_start();
        let rest = rest.strip_prefix("-a \"$0\"").unwrap_or(rest);
        let words = words(rest);
        if words.first().is_some_and(|word| word.base() == "pyenv") {
            let root = PathBuf::from(&words[0].text);
            if let Some(root) = root.parent().and_then(Path::parent) {
                answer = Runs::PyenvShim { root: root.to_owned() };
            }
            continue;
        }
        match command(&words) {
            Runs::Unknown(why) if matches!(answer, Runs::Unknown(_)) => answer = Runs::Unknown(why),
            Runs::Unknown(_) => {}
            found => answer = found,
        }
    }
    answer
}

/// Splits a line as a shell does, as far as launchers need it: quotes, backslashes, and `$(dirname ... "$0")` or
/// `${0%/*}` as the script's own folder.
fn words(line: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut word = Word::plain("");
    let mut started = false;
    let mut quote = None;
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        if quote != Some('\'')
            && let Some(length) = own_folder(rest)
        {
            word.beside |= word.text.is_empty();
            started = true;
            rest = &rest[length..];
            continue;
        }
        rest = &rest[c.len_utf8()..];
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                started = true;
            }
            (None | Some('"'), '\\') => {
                if let Some(next) = rest.chars().next() {
                    word.text.push(next);
                    rest = &rest[next.len_utf8()..];
                    started = true;
                }
            }
            (None, ' ' | '\t') => {
                if std::mem::take(&mut started) {
                    words.push(std::mem::replace(&mut word, Word::plain("")));
                }
            }
            (None, ';' | '&' | '|' | '#') if !started => break,
            (_, c) => {
                word.text.push(c);
                started = true;
            }
        }
    }
    if started {
        words.push(word);
    }
    words
}

/// The length of an expression for the script's own folder at the start of a text.
fn own_folder(text: &str) -> Option<usize> {
    if text.starts_with("${0%/*}") {
        return Some("${0%/*}".len());
    }
    if !text.starts_with("$(") || !text.starts_with("$(dirname") && !text.starts_with("$(cd") {
        return None;
    }
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return text[..at].contains("$0").then_some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}
