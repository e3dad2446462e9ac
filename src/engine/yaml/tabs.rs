//! Tabs as indentation: our parser lets some pass that libyaml refuses, and Hermes then ignores the whole file.

use super::lines;
use super::tree::Node;

/// The first tab among the blanks that start a line, outside brackets and scalars of several lines.
pub(super) fn indenting(text: &str, nodes: &[Node]) -> Option<usize> {
    if !text.contains('\t') {
        return None;
    }
    let mut at = lines::root_start(text);
    while at < text.len() {
        let line = lines::line_of(text, at);
        let blanks = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
        if let Some(tab) = blanks.find('\t')
            && !nodes.iter().any(|node| !node.is_block() && node.span.start < at && at < node.span.end)
        {
            return Some(at + tab);
        }
        at = lines::next_line(text, at);
    }
    None
}
