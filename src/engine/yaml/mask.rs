//! A config for other people's eyes: everything that is no name of ours is hidden, line by line.
//!
//! A diff's context lines come from the user's file, and beside a platform's list may stand an API key. So only the
//! places our edits are about keep their values: lists of toolsets, a server's switch and its filter. Elsewhere keys
//! stay, to show where one is, and values and comments become `…`. Lines keep their number and indentation, so that the
//! diff of two masked texts has the shape of the real one.

use std::ops::Range;

use super::lines::{line_end, skip_space};
use super::tree::{Id, Kind, Tree};

const HIDDEN: &str = "…";

/// The text with every foreign value hidden. Text that is no YAML is hidden whole.
pub fn masked(text: &str) -> String {
    let hidden = match Tree::parse(text) {
        Ok(tree) if !tree.odd_breaks => Mask::of(text, &tree),
        _ => std::iter::once(0..text.len()).collect(),
    };
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for range in hidden {
        out.push_str(&text[at..range.start]);
        hide_lines(&text[range.clone()], &mut out);
        at = range.end;
    }
    out.push_str(&text[at..]);
    out
}

/// Puts a mark in place of what each line says; blanks at the start of a line and line ends stay.
fn hide_lines(text: &str, out: &mut String) {
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        let bare = content.trim_start();
        out.push_str(&content[..content.len() - bare.len()]);
        if !bare.is_empty() {
            out.push_str(HIDDEN);
        }
        out.push_str(&line[content.len()..]);
    }
}

struct Mask<'a> {
    text: &'a str,
    tree: &'a Tree,
    hidden: Vec<Range<usize>>,
    /// Spans of our own places, in which comments stay too.
    shown: Vec<Range<usize>>,
    scalars: Vec<Range<usize>>,
}

impl<'a> Mask<'a> {
    fn of(text: &'a str, tree: &'a Tree) -> Vec<Range<usize>> {
        let mut mask = Self { text, tree, hidden: Vec::new(), shown: Vec::new(), scalars: Vec::new() };
        if let Some(root) = tree.root {
            mask.visit(root, &mut Vec::new());
        }
        mask.hide_comments();
        mask.hidden.sort_by_key(|range| range.start);
        mask.hidden
    }

    fn visit(&mut self, id: Id, path: &mut Vec<String>) {
        let node = self.tree.node(id);
        if is_ours(path) {
            // A comment behind the last item belongs to it, whatever may be added below.
            self.shown.push(node.span.start..line_end(self.text, node.span.end));
            let scalars = self.tree.descendants(id).into_iter().filter(|id| self.is_scalar(*id));
            let spans: Vec<_> = scalars.map(|id| self.tree.node(id).span.clone()).collect();
            self.scalars.extend(spans);
            return;
        }
        match &node.kind {
            Kind::Scalar { .. } => self.hide(node.span.clone()),
            // The name of an anchor says nothing; what it stands for is hidden at its own place.
            Kind::Alias { .. } => {}
            Kind::Seq { items, .. } => {
                for item in items {
                    path.push(String::new());
                    self.visit(*item, path);
                    path.pop();
                }
            }
            Kind::Map { entries, .. } => {
                for (key, value) in entries {
                    self.visit_entry(*key, *value, path);
                }
            }
        }
    }

    fn visit_entry(&mut self, key: Id, value: Id, path: &mut Vec<String>) {
        let key_node = self.tree.node(key);
        let name = match &key_node.kind {
            // `{token}` in braces is a key without a value, and may be the secret itself.
            Kind::Scalar { text, .. } if !self.tree.node(value).is_absent() || path.len() < 2 => {
                self.scalars.push(key_node.span.clone());
                text.clone()
            }
            _ => {
                self.visit(key, &mut vec![String::new()]);
                String::new()
            }
        };
        path.push(name);
        self.visit(value, path);
        path.pop();
    }

    fn is_scalar(&self, id: Id) -> bool {
        matches!(self.tree.node(id).kind, Kind::Scalar { .. })
    }

    fn hide(&mut self, span: Range<usize>) {
        if !span.is_empty() {
            self.scalars.push(span.clone());
            self.hidden.push(span);
        }
    }

    /// Comments stand between scalars; what is inside one only looks like a comment.
    fn hide_comments(&mut self) {
        let mut scalars = std::mem::take(&mut self.scalars);
        scalars.sort_by_key(|range| range.start);
        let mut at = 0;
        for scalar in scalars {
            self.hide_comments_between(at, scalar.start);
            at = at.max(scalar.end);
        }
        self.hide_comments_between(at, self.text.len());
    }

    fn hide_comments_between(&mut self, mut at: usize, end: usize) {
        while let Some(found) = self.text.get(at..end).and_then(|gap| gap.find('#')) {
            let start = at + found;
            at = start + 1;
            if skip_space(self.text, start) == start {
                continue;
            }
            let stop = line_end(self.text, start);
            if !self.shown.iter().any(|span| span.contains(&start)) && stop > start + 1 {
                self.hidden.push(start + 1..stop);
            }
            at = stop;
        }
    }
}

/// Whether a place holds only names of toolsets, platforms, servers and tools, or a switch.
fn is_ours(path: &[String]) -> bool {
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    matches!(
        path.as_slice(),
        ["platform_toolsets" | "known_plugin_toolsets" | "known_builtin_toolsets", ..]
            | ["agent", "disabled_toolsets", ..]
            | ["mcp_servers", _, "enabled" | "tools", ..]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &str = "\
# key: sk-comment
model:
  api_key: sk-model   # sk-tail
  name: big
platform_toolsets:
  cli:
    - web   # the browser is off on purpose
    - file
mcp_servers:
  github:
    command: npx
    args: [-y, server, --token, sk-arg]
    env: {TOKEN: sk-env, \"sk-braced\"}
    headers:
      Authorization: \"Bearer
        sk-header\"
    tools: {exclude: [delete_repo]}
    enabled: true
  remote: {url: \"https://h.invalid/?k=sk-url\", enabled: false}
notes: |
  # sk-block
  sk-more
";

    #[test]
    fn no_foreign_value_and_no_foreign_comment_is_left() {
        let masked = masked(CONFIG);
        assert!(!masked.contains("sk-"), "{masked}");
        assert!(!masked.contains("npx"), "{masked}");
    }

    #[test]
    fn our_own_places_stay_as_they_are_with_their_comments() {
        let masked = masked(CONFIG);
        for line in [
            "    - web   # the browser is off on purpose",
            "    - file",
            "    tools: {exclude: [delete_repo]}",
            "    enabled: true",
            "  remote: {url: …, enabled: false}",
        ] {
            assert!(masked.lines().any(|shown| shown == line), "{line}\n---\n{masked}");
        }
    }

    #[test]
    fn lines_keep_their_number_and_indentation() {
        let masked = masked(CONFIG);
        let indent = |line: &str| line.len() - line.trim_start().len();
        assert_eq!(masked.lines().map(indent).collect::<Vec<_>>(), CONFIG.lines().map(indent).collect::<Vec<_>>());
    }

    #[test]
    fn text_that_is_no_yaml_is_hidden_whole() {
        assert_eq!(super::masked("a: [sk-1\n b: sk-2\n"), "…\n …\n");
    }

    #[test]
    fn carriage_returns_and_marks_survive() {
        assert_eq!(
            super::masked("\u{feff}a: sk-1\r\nplatform_toolsets: {cli: [web]}\r\n"),
            "\u{feff}a: …\r\nplatform_toolsets: {cli: [web]}\r\n"
        );
    }
}
