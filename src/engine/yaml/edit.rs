//! The operations, made in the text one after the other, and the proof that the result reads as planned.

use crate::engine::plan::{Op, apply};
use crate::engine::rules::Dialect;

use super::lines::Lines;
use super::splice::Splicer;
use super::token::ScalarStyle;
use super::tree::Kind;
use super::{Document, EditRefused, Place};

/// What [`Document::edit`] promises.
pub(super) fn edit(document: &Document, ops: &[Op]) -> Result<String, EditRefused> {
    if ops.is_empty() {
        return Ok(document.text.clone());
    }
    if document.tree.odd_breaks {
        let reason = "the file uses Unicode line separators as line ends; replace them by ordinary ones first".into();
        return Err(EditRefused::Unsafe { place: Place { line: 1, column: 1 }, reason });
    }
    // Every line gets its end while we work, so that lines can be cut and put whole.
    let ending = line_ending(&document.text);
    let bare = document.text.trim_start_matches('\u{feff}');
    let lacks_end = !bare.is_empty() && !bare.ends_with(['\n', '\r']);
    let mut text = document.text.clone();
    if lacks_end {
        text.push_str(ending);
    }
    let mut shared = None;
    for op in ops {
        let tree = super::tree(&text, document.dialect).map_err(|error| EditRefused::ReadBack(error.to_string()))?;
        let mut splicer = Splicer::new(&text, &tree, document.dialect, ending);
        splicer.run(op)?;
        shared = shared.or(splicer.shared);
        text = splicer.finish();
    }
    if lacks_end && let Some(cut) = text.strip_suffix(ending) {
        text.truncate(cut.len());
    }
    match verify(document, ops, &text) {
        Ok(()) => Ok(text),
        Err(why) => Err(match shared {
            // The likeliest cause, said in the user's terms.
            Some(at) => EditRefused::Unsafe {
                place: Lines::of(&document.text).place(&document.text, at),
                reason: "this block is shared through an anchor, so the edit would change other places too".into(),
            },
            None => last_text_block(document).unwrap_or(EditRefused::ReadBack(why)),
        }),
    }
}

/// The reason, if the file ends within a text block: whatever is written below gives the text a line end it lacked.
fn last_text_block(document: &Document) -> Option<EditRefused> {
    let is_block = |kind: &Kind| matches!(kind, Kind::Scalar { style: ScalarStyle::Literal | ScalarStyle::Folded, .. });
    let last = document.tree.nodes.iter().find(|node| node.span.end == document.text.len() && is_block(&node.kind))?;
    Some(EditRefused::Unsafe {
        place: Lines::of(&document.text).place(&document.text, last.outer),
        reason: "the file ends inside this block of text, which would gain a line end; end the file with one first"
            .into(),
    })
}

/// Reads the new text under both dialects. A dialect that could not load the old text has no say.
fn verify(document: &Document, ops: &[Op], text: &str) -> Result<(), String> {
    for dialect in [Dialect::PyYaml, Dialect::Ruamel] {
        let Ok(before) = document.value_under(dialect) else { continue };
        let (_, after) = super::read(text, dialect).map_err(|error| error.to_string())?;
        if after != apply(&before, ops) {
            return Err(format!("{dialect:?} reads another value"));
        }
    }
    Ok(())
}

fn line_ending(text: &str) -> &'static str {
    match text.find(['\n', '\r']) {
        Some(at) if text[at..].starts_with("\r\n") => "\r\n",
        Some(at) if text[at..].starts_with('\r') => "\r",
        _ => "\n",
    }
}
