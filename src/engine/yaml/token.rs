//! Tokens: what the scanner gives and the parser takes.

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScalarStyle {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Literal,
    Folded,
}

/// A token with the bytes it covers. A block scalar's end is that of its last line, without the line end.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    StreamEnd,
    /// `%YAML`.
    Version {
        major: u32,
        minor: u32,
    },
    /// `%TAG`.
    TagDirective {
        handle: String,
        prefix: String,
    },
    /// Any other directive.
    OtherDirective,
    DocumentStart,
    DocumentEnd,
    /// Indentation opens a list; nothing is written.
    BlockSeqStart,
    /// Indentation opens a mapping; nothing is written.
    BlockMapStart,
    /// Indentation closes a list or mapping; nothing is written.
    BlockEnd,
    FlowSeqStart,
    FlowSeqEnd,
    FlowMapStart,
    FlowMapEnd,
    /// `-`
    BlockEntry,
    /// `,`
    FlowEntry,
    /// `?`, or nothing before a key that a colon behind it made one.
    Key,
    /// `:`
    Value,
    Alias(String),
    Anchor(String),
    /// `handle` is empty for a verbatim or bare tag.
    Tag {
        handle: String,
        suffix: String,
    },
    Scalar {
        text: String,
        style: ScalarStyle,
    },
}

impl TokenKind {
    pub(super) fn is_directive(&self) -> bool {
        matches!(self, Self::Version { .. } | Self::TagDirective { .. } | Self::OtherDirective)
    }
}

/// Why a text was not taken, and the byte it stopped at. Messages quote nothing of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) message: &'static str,
}

pub(super) type Scanned<T> = Result<T, Fault>;
