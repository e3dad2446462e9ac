//! A YAML value as the installed Hermes' Python sees it after loading.
//!
//! The two Hermes dialects resolve the same text differently (`y` is text in one and true in the other), so a
//! value belongs to a dialect; see [`super::yaml`].

use std::fmt;

/// A loaded YAML value. Mappings keep file order; a duplicate key has been decided by the dialect already.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    /// Decimal digits with an optional leading `-`; any length, as Python integers are.
    Int(String),
    /// The text Python's `repr` gives the float.
    Float(String),
    Str(String),
    /// A date or timestamp, as Python's `str` prints it.
    Time(String),
    Seq(Vec<Self>),
    Map(Vec<(Self, Self)>),
}

impl Value {
    /// An empty mapping: what an empty file means to Hermes.
    pub fn empty_map() -> Self {
        Self::Map(Vec::new())
    }

    /// Looks up a mapping entry by the text of its key. `None` for a missing key or a value that is no mapping.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Map(entries) => entries.iter().find(|(name, _)| name.py_str() == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Follows keys from mapping to mapping.
    pub fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |value, key| value.get(key))
    }

    /// The entries, if this is a mapping.
    pub fn as_map(&self) -> Option<&[(Self, Self)]> {
        match self {
            Self::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The items, if this is a sequence.
    pub fn as_seq(&self) -> Option<&[Self]> {
        match self {
            Self::Seq(items) => Some(items),
            _ => None,
        }
    }

    /// The text, if this is a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Str(text) => Some(text),
            _ => None,
        }
    }

    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Python's truth of the value: null, false, zero and empty things are false.
    pub fn is_truthy(&self) -> bool {
        match self {
            Self::Null => false,
            Self::Bool(value) => *value,
            Self::Int(digits) => digits.trim_start_matches('-').bytes().any(|digit| digit != b'0'),
            Self::Float(text) => text.parse::<f64>() != Ok(0.0),
            Self::Str(text) => !text.is_empty(),
            Self::Time(_) => true,
            Self::Seq(items) => !items.is_empty(),
            Self::Map(entries) => !entries.is_empty(),
        }
    }

    /// Python's `str(value)`: `None`, `True`, `12306`. Hermes applies it to list entries and mapping keys.
    pub fn py_str(&self) -> std::borrow::Cow<'_, str> {
        match self {
            Self::Str(text) | Self::Int(text) | Self::Float(text) | Self::Time(text) => text.as_str().into(),
            other => other.to_string().into(),
        }
    }

    /// What kind of thing this is, in a user's words.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing (null)",
            Self::Bool(_) => "true or false",
            Self::Int(_) | Self::Float(_) => "a number",
            Self::Str(_) => "text",
            Self::Time(_) => "a date",
            Self::Seq(_) => "a list",
            Self::Map(_) => "a mapping",
        }
    }
}

impl fmt::Display for Value {
    /// Python's `str`; nested values as `repr` prints them.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => out.write_str("None"),
            Self::Bool(true) => out.write_str("True"),
            Self::Bool(false) => out.write_str("False"),
            Self::Int(text) | Self::Float(text) | Self::Str(text) | Self::Time(text) => out.write_str(text),
            Self::Seq(items) => {
                out.write_str("[")?;
                for (idx, item) in items.iter().enumerate() {
                    if idx > 0 {
                        out.write_str(", ")?;
                    }
                    write_repr(item, out)?;
                }
                out.write_str("]")
            }
            Self::Map(entries) => {
                out.write_str("{")?;
                for (idx, (key, value)) in entries.iter().enumerate() {
                    if idx > 0 {
                        out.write_str(", ")?;
                    }
                    write_repr(key, out)?;
                    out.write_str(": ")?;
                    write_repr(value, out)?;
                }
                out.write_str("}")
            }
        }
    }
}

fn write_repr(value: &Value, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    match value {
        Value::Str(text) if text.contains('\'') && !text.contains('"') => write!(out, "\"{text}\""),
        Value::Str(text) => write!(out, "'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
        other => write!(out, "{other}"),
    }
}
