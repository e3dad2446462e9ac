//! Colours by role. Themes are TOML files: embedded ones from `themes/`, a user's of the same name before them.
//!
//! A style is words: a colour, `on` and a colour, `bold`, `dim`, `italic`, `underline`, `reverse`. Colours are the terminal's
//! 16 by name, `default`, or `#rrggbb`. Meaning never hangs on colour alone: states have a box and a word.

use std::collections::BTreeMap;

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};

macro_rules! roles {
    ($($field:ident: $doc:literal),* $(,)?) => {
        /// One style per meaning.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Theme {
            pub name: String,
            $(#[doc = $doc] pub $field: Style,)*
        }

        /// Every role a theme may set.
        pub const ROLES: &[&str] = &[$(stringify!($field)),*];

        impl Theme {
            fn role_mut(&mut self, name: &str) -> Option<&mut Style> {
                match name {
                    $(stringify!($field) => Some(&mut self.$field),)*
                    _ => None,
                }
            }

            /// A role's style by its name in the file.
            pub fn role(&self, name: &str) -> Option<Style> {
                match name {
                    $(stringify!($field) => Some(self.$field),)*
                    _ => None,
                }
            }
        }
    };
}

roles! {
    base: "Everything not said otherwise; its background, if any, is painted.",
    title: "The program's name and titles of layers.",
    heading: "Group rows and column heads.",
    dim: "What can wait: rules, units, unavailable things.",
    accent: "Where one is: platform, file.",
    on: "A box that is on.",
    off: "Rows that are off.",
    partial: "A box that is partly on.",
    trouble: "A box or word about something wrong.",
    figure: "Sizes.",
    bar: "The share bar.",
    less: "A saving.",
    more: "An increase.",
    changed: "The mark of an unsaved switch.",
    key: "Keys in hints and help.",
    matched: "Letters a filter matched.",
    selected: "The focused row, over everything in it.",
    info: "Notices: news.",
    warning: "Notices: careful.",
    error: "Notices: something failed.",
    border: "Lines between panes and around layers.",
    added: "Added text in a diff.",
    removed: "Removed text in a diff.",
}

/// The embedded themes by name, the default first.
pub const EMBEDDED: &[(&str, &str)] = &[
    ("terminal", include_str!("../../themes/terminal.toml")),
    ("mono", include_str!("../../themes/mono.toml")),
    ("high-contrast", include_str!("../../themes/high-contrast.toml")),
    ("colour-blind", include_str!("../../themes/colour-blind.toml")),
    ("harbour-dark", include_str!("../../themes/harbour-dark.toml")),
    ("harbour-light", include_str!("../../themes/harbour-light.toml")),
];

/// The theme that suits every terminal.
pub const DEFAULT: &str = "terminal";

/// Why a theme cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ThemeError {
    #[error("there is no theme '{name}'; there are: {known}")]
    Unknown { name: String, known: String },
    #[error("theme '{name}': {why}")]
    Bad { name: String, why: String },
    #[error("theme '{0}' inherits from itself")]
    Loop(String),
}

/// The themes one can choose from.
#[derive(Clone, Debug, Default)]
pub struct ThemeSet {
    texts: BTreeMap<String, String>,
}

impl ThemeSet {
    /// The embedded themes, with a user's own (name and text) before those of the same name.
    pub fn with_user(user: impl IntoIterator<Item = (String, String)>) -> Self {
        let embedded = EMBEDDED.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        Self { texts: embedded.chain(user).collect() }
    }

    /// Names, the embedded first in their order.
    pub fn names(&self) -> Vec<String> {
        let embedded = EMBEDDED.iter().map(|(name, _)| (*name).to_owned());
        let own = self.texts.keys().filter(|name| EMBEDDED.iter().all(|(known, _)| known != name)).cloned();
        embedded.chain(own).collect()
    }

    /// Loads one, with what it inherits.
    pub fn load(&self, name: &str) -> Result<Theme, ThemeError> {
        self.load_below(name, &mut Vec::new())
    }

    fn load_below(&self, name: &str, above: &mut Vec<String>) -> Result<Theme, ThemeError> {
        if above.iter().any(|known| known == name) {
            return Err(ThemeError::Loop(name.to_owned()));
        }
        above.push(name.to_owned());
        let bad = |why: String| ThemeError::Bad { name: name.to_owned(), why };
        let text = self
            .texts
            .get(name)
            .ok_or_else(|| ThemeError::Unknown { name: name.to_owned(), known: self.names().join(", ") })?;
        let file: toml::Table = text.parse().map_err(|error: toml::de::Error| bad(error.message().to_owned()))?;
        let mut theme = match file.get("inherits").and_then(toml::Value::as_str) {
            Some(parent) => self.load_below(parent, above)?,
            None => Theme::default(),
        };
        theme.name = name.to_owned();
        let roles = file.get("roles").and_then(toml::Value::as_table).into_iter().flatten();
        for (role, value) in roles {
            let words = value.as_str().ok_or_else(|| bad(format!("{role} needs a text such as \"cyan bold\"")))?;
            let style =
                parse_style(words).map_err(|word| bad(format!("{role}: '{word}' is no colour or attribute")))?;
            let slot = theme.role_mut(role).ok_or_else(|| bad(format!("there is no role '{role}'")))?;
            *slot = style;
        }
        Ok(theme)
    }
}

/// The default theme; what stands in when another fails.
pub fn fallback() -> Theme {
    ThemeSet::with_user([]).load(DEFAULT).unwrap_or_default()
}

fn parse_style(words: &str) -> Result<Style, &str> {
    let mut style = Style::new();
    let mut words = words.split_whitespace();
    while let Some(word) = words.next() {
        style = match word {
            "bold" => style.add_modifier(Modifier::BOLD),
            "dim" => style.add_modifier(Modifier::DIM),
            "italic" => style.add_modifier(Modifier::ITALIC),
            "underline" => style.add_modifier(Modifier::UNDERLINED),
            "reverse" => style.add_modifier(Modifier::REVERSED),
            "on" => {
                let name = words.next().ok_or(word)?;
                style.bg(parse_color(name).ok_or(name)?)
            }
            name => style.fg(parse_color(name).ok_or(name)?),
        };
    }
    Ok(style)
}

fn parse_color(name: &str) -> Option<Color> {
    if let Some(digits) = name.strip_prefix('#') {
        let value = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 6)?;
        let [_, red, green, blue] = value.to_be_bytes();
        return Some(Color::Rgb(red, green, blue));
    }
    Some(match name {
        "default" => Color::Reset,
        "black" => Color::Black,
        "red" => Color::Red,
        "green" => Color::Green,
        "yellow" => Color::Yellow,
        "blue" => Color::Blue,
        "magenta" => Color::Magenta,
        "cyan" => Color::Cyan,
        "white" => Color::Gray,
        "bright-black" => Color::DarkGray,
        "bright-red" => Color::LightRed,
        "bright-green" => Color::LightGreen,
        "bright-yellow" => Color::LightYellow,
        "bright-blue" => Color::LightBlue,
        "bright-magenta" => Color::LightMagenta,
        "bright-cyan" => Color::LightCyan,
        "bright-white" => Color::White,
        _ => return None,
    })
}

/// Takes every colour out and leaves attributes. crossterm writes an empty style sequence for a colour under NO_COLOR,
/// which resets reverse and bold with it; so colours must not reach it.
pub(super) fn strip_colors(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        cell.fg = Color::Reset;
        cell.bg = Color::Reset;
        cell.underline_color = Color::Reset;
    }
}

#[cfg(test)]
mod tests;
