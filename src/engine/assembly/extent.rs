//! How much room a piece of text takes inside a JSON string.

/// Characters, by which Hermes estimates tokens, and bytes, by which the array is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Characters of the text itself.
    pub chars: u64,
    /// Bytes of its JSON form, without the quotes around it.
    pub bytes: u64,
    /// What escaping adds to both: each is one byte and one character.
    pub escapes: u64,
}

/// A line feed: one character, two bytes as `\n`.
pub const LINE_FEED: Extent = Extent { chars: 1, bytes: 2, escapes: 1 };

impl Extent {
    pub fn of(text: &str) -> Self {
        // Only quotes, backslashes and controls take more room, and nearly all text is without.
        let escapes: u64 = text.bytes().map(|byte| u64::from(extra_bytes(byte))).sum();
        Self { chars: text.chars().count() as u64, bytes: text.len() as u64 + escapes, escapes }
    }

    /// Characters of the JSON form, by which a definition's tokens are estimated.
    pub fn json_chars(self) -> u64 {
        self.chars + self.escapes
    }

    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self { chars: self.chars + other.chars, bytes: self.bytes + other.bytes, escapes: self.escapes + other.escapes }
    }

    /// Without a part of it.
    #[must_use]
    pub fn minus(self, part: Self) -> Self {
        Self { chars: self.chars - part.chars, bytes: self.bytes - part.bytes, escapes: self.escapes - part.escapes }
    }

    #[must_use]
    pub fn times(self, count: u64) -> Self {
        Self { chars: self.chars * count, bytes: self.bytes * count, escapes: self.escapes * count }
    }

    /// Hermes' estimate of its tokens.
    pub fn tokens(self) -> u64 {
        self.chars.div_ceil(4)
    }
}

impl std::iter::Sum for Extent {
    fn sum<I: Iterator<Item = Self>>(extents: I) -> Self {
        extents.fold(Self::default(), Self::plus)
    }
}

/// What escaping adds to a byte, as Python's `json.dumps(ensure_ascii=False)` escapes.
fn extra_bytes(byte: u8) -> u8 {
    match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0c => 1,
        0..=0x1f => 5,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::Extent;

    #[test]
    fn escaped_characters_take_more_bytes_and_no_more_characters() {
        let text = "a\"\\\n\r\t\u{8}\u{c}\u{1}\u{1b}\u{7f}…é";
        let json = crate::engine::pyjson::python_text(&serde_json::to_string(text).unwrap()).unwrap();
        let extent = Extent::of(text);
        assert_eq!((extent.chars, extent.bytes), (13, json.len() as u64 - 2));
        assert_eq!(extent.json_chars(), json.chars().count() as u64 - 2);
    }
}
