//! JSON as Python's `json.dumps(value, ensure_ascii=False)` writes it, member by member.

use crate::engine::pyjson;

/// An object under construction.
pub(super) struct Object(String);

impl Object {
    pub(super) fn new() -> Self {
        Self("{".to_owned())
    }

    /// Adds a member whose value is already such text.
    pub(super) fn raw(&mut self, key: &str, json: &str) -> &mut Self {
        if self.0.len() > 1 {
            self.0.push_str(", ");
        }
        self.0.push_str(&pyjson::quoted(key));
        self.0.push_str(": ");
        self.0.push_str(json);
        self
    }

    pub(super) fn text(&mut self, key: &str, text: &str) -> &mut Self {
        self.raw(key, &pyjson::quoted(text))
    }

    pub(super) fn finish(&self) -> String {
        format!("{}}}", self.0)
    }
}

/// A list of such texts.
pub(super) fn list<T: AsRef<str>>(items: impl IntoIterator<Item = T>) -> String {
    let mut out = "[".to_owned();
    for item in items {
        if out.len() > 1 {
            out.push_str(", ");
        }
        out.push_str(item.as_ref());
    }
    out.push(']');
    out
}

/// A list of strings.
pub(super) fn texts<'t>(items: impl IntoIterator<Item = &'t str>) -> String {
    list(items.into_iter().map(pyjson::quoted))
}

/// The first characters of a text.
pub(super) fn first_chars(text: &str, count: usize) -> &str {
    text.char_indices().nth(count).map_or(text, |(end, _)| &text[..end])
}
