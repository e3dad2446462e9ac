//! Small drawing pieces: lines with clipped text, frames of layers, wrapped paragraphs.

pub(super) mod frame;
pub(super) mod line;
