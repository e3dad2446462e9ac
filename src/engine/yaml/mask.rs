//! A config for other people's eyes: everything that is no name of ours is hidden, line by line.
//!
//! A diff's context lines come from the user's file, and beside a platform's list may stand an API key. So only the
//! places our edits are about keep their values, and only values of the kind that belongs there: the names in lists of
//! toolsets, a server's switch, the names in its filter. Elsewhere keys stay, to show where one is; values, comments,
//! and the names of tags and anchors (a password may start with `!` or `&`) become `…`. Lines keep their number and indentation, so that the
//! diff of two masked texts has the shape of the real one.

use std::ops::Range;

use crate::engine::rules::Dialect;
use crate::engine::selection::literal;
use crate::engine::setting::Setting;
use crate::engine::value::Value;

use super::lines::{ends_name, line_end};
use super::tree::{Id, Kind, Tree};

const HIDDEN: &str = "…";

/// The text with every foreign value hidden. Text that is no YAML is hidden whole.
pub fn masked(text: &str) -> String {
    let hidden = match [Dialect::PyYaml, Dialect::Ruamel].iter().find_map(|dialect| super::tree(text, *dialect).ok()) {
        Some(tree) if !tree.odd_breaks => Mask::of(text, &tree),
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
    /// Spans of our own lists, in which comments stay too.
    commented: Vec<Range<usize>>,
    /// All scalars, hidden or not: what looks like a comment or a tag inside one is none.
    scalars: Vec<Range<usize>>,
}

impl<'a> Mask<'a> {
    fn of(text: &'a str, tree: &'a Tree) -> Vec<Range<usize>> {
        let mut mask = Self { text, tree, hidden: Vec::new(), commented: Vec::new(), scalars: Vec::new() };
        if let Some(root) = tree.root {
            mask.visit(root, &mut Vec::new());
        }
        mask.hide_between_scalars();
        mask.hidden.sort_by_key(|range| range.start);
        mask.hidden
    }

    fn visit(&mut self, id: Id, path: &mut Vec<String>) {
        let node = self.tree.node(id);
        match (&node.kind, ours(path)) {
            (Kind::Scalar { text, .. }, Some(ours)) if ours.shows(text) => self.scalars.push(node.span.clone()),
            (Kind::Scalar { .. }, _) => self.hide(node.span.clone()),
            // Its name is hidden with the other names between scalars.
            (Kind::Alias { .. }, _) => {}
            (Kind::Seq { items, .. }, Some(Ours::Names)) => {
                let (names, others): (Vec<Id>, Vec<Id>) = items.iter().copied().partition(|item| self.is_scalar(*item));
                self.scalars.extend(names.iter().map(|name| self.tree.node(*name).span.clone()));
                if others.is_empty() {
                    // A comment behind the last item belongs to it, whatever may be added below.
                    self.commented.push(node.span.start..line_end(self.text, node.span.end));
                }
                self.visit_items(&others, path);
            }
            (Kind::Seq { items, .. }, _) => self.visit_items(items, path),
            (Kind::Map { entries, .. }, _) => {
                for (key, value) in entries {
                    self.visit_entry(*key, *value, path);
                }
            }
        }
    }

    fn visit_items(&mut self, items: &[Id], path: &mut Vec<String>) {
        path.push(String::new());
        for item in items {
            self.visit(*item, path);
        }
        path.pop();
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

    /// Comments, tags, anchors and directives stand between scalars.
    fn hide_between_scalars(&mut self) {
        let mut scalars = std::mem::take(&mut self.scalars);
        scalars.sort_by_key(|range| range.start);
        let mut at = 0;
        for scalar in scalars {
            self.hide_between(at, scalar.start);
            at = at.max(scalar.end);
        }
        self.hide_between(at, self.text.len());
    }

    fn hide_between(&mut self, mut at: usize, end: usize) {
        while let Some((found, sign)) = self.text.get(at..end).and_then(|gap| {
            let found = gap.find(['#', '&', '*', '!', '%'])?;
            Some((found, gap.as_bytes()[found]))
        }) {
            let start = at + found + 1;
            let stop = if matches!(sign, b'#' | b'%') { line_end(self.text, start) } else { self.name_end(start, end) };
            if stop > start && !(sign == b'#' && self.commented.iter().any(|span| span.contains(&start))) {
                self.hidden.push(start..stop);
            }
            at = stop.max(start);
        }
    }

    fn name_end(&self, start: usize, end: usize) -> usize {
        self.text.get(start..end).and_then(|name| name.find(ends_name)).map_or(end, |length| start + length)
    }
}

/// What one of our own places may show.
#[derive(Clone, Copy)]
enum Ours {
    /// A list of names of toolsets, servers or tools: the items that are names, nothing inside an item.
    Names,
    Switch,
    /// A setting of tool search: a number, or a word it knows.
    Setting,
}

impl Ours {
    /// Whether a scalar that stands right at the place is what belongs there.
    fn shows(self, text: &str) -> bool {
        match self {
            Self::Names => is_list_literal(text),
            Self::Switch => is_switch_word(text),
            Self::Setting => is_switch_word(text) || text.trim() == "auto" || text.trim().parse::<f64>().is_ok(),
        }
    }
}

fn ours(path: &[String]) -> Option<Ours> {
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    match path.as_slice() {
        ["platform_toolsets" | "known_plugin_toolsets" | "known_builtin_toolsets", _]
        | ["agent", "disabled_toolsets"]
        | ["mcp_servers", _, "tools", "include" | "exclude"] => Some(Ours::Names),
        ["tools", "tool_search", "defer"] => Some(Ours::Names),
        ["tools", "tool_search", key] => Setting::named(key).map(|_| Ours::Setting),
        ["tools", "tool_search"] => Some(Ours::Switch),
        ["mcp_servers", _, "enabled"] | ["mcp_servers", _, "tools", "resources" | "prompts"] => Some(Ours::Switch),
        _ => None,
    }
}

/// A list written as text, which Hermes 0.22 reads as one.
fn is_list_literal(text: &str) -> bool {
    literal::list_items(text).is_some()
}

fn is_switch_word(text: &str) -> bool {
    let word = text.trim().to_ascii_lowercase();
    matches!(word.as_str(), "true" | "false" | "yes" | "no" | "on" | "off" | "1" | "0" | "y" | "n" | "null" | "~")
}

/// A value of one of our places with foreign text hidden: what may be shown of it beside the file. A list keeps its
/// items; an item that is a mapping or a list keeps its shape and its keys.
pub fn masked_value(path: &[String], value: &Value) -> Value {
    let hidden = || Value::Str(HIDDEN.to_owned());
    match value {
        Value::Int(text) | Value::Float(text) | Value::Str(text)
            if ours(path).is_some_and(|ours| matches!(ours, Ours::Setting) && ours.shows(text)) =>
        {
            value.clone()
        }
        Value::Seq(items) => {
            Value::Seq(items.iter().map(|item| if is_nested(item) { inner(item) } else { item.clone() }).collect())
        }
        Value::Str(text) if is_list_literal(text) || is_switch_word(text) => value.clone(),
        Value::Bool(_) | Value::Null => value.clone(),
        Value::Map(_) => inner(value),
        _ => hidden(),
    }
}

fn is_nested(value: &Value) -> bool {
    matches!(value, Value::Seq(_) | Value::Map(_))
}

fn inner(value: &Value) -> Value {
    match value {
        Value::Seq(items) => Value::Seq(items.iter().map(inner).collect()),
        Value::Map(entries) => Value::Map(entries.iter().map(|(key, value)| (key.clone(), inner(value))).collect()),
        Value::Bool(_) | Value::Null => value.clone(),
        _ => Value::Str(HIDDEN.to_owned()),
    }
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
    fn only_names_at_the_very_places_of_lists_and_switches_are_shown() {
        for (text, shown) in [
            (
                "platform_toolsets: {api_key: sk-1, cli: [web, {t: sk-2}, [sk-3]]}\n",
                "platform_toolsets: {api_key: …, cli: [web, {t: …}, […]]}\n",
            ),
            (
                "platform_toolsets:\n  cli: \"['web', 'file']\"\n  x: {k: [sk-1]}\n",
                "platform_toolsets:\n  cli: \"['web', 'file']\"\n  x: {k: […]}\n",
            ),
            ("known_plugin_toolsets: {cli: [a], key: sk-1}\n", "known_plugin_toolsets: {cli: [a], key: …}\n"),
            (
                "mcp_servers:\n  x:\n    tools:\n      include: [a, b]\n      env: {TOKEN: sk-1}\n      headers: {A: sk-2}\n      url: sk-3\n      prompts: false\n",
                "mcp_servers:\n  x:\n    tools:\n      include: [a, b]\n      env: {TOKEN: …}\n      headers: {A: …}\n      url: …\n      prompts: false\n",
            ),
            ("mcp_servers: {x: {enabled: sk-1, tools: [sk-2]}}\n", "mcp_servers: {x: {enabled: …, tools: […]}}\n"),
            ("agent: {disabled_toolsets: sk-1}\n", "agent: {disabled_toolsets: …}\n"),
            ("a: !sk-1 x\nb: &sk-2\nc: !sk-3\nd: [*sk-2 , !sk-4 y]\n", "a: !… …\nb: &…\nc: !…\nd: [*… , !… …]\n"),
            ("%TAG ! sk-1\n---\na: 1\n", "%…\n---\na: …\n"),
            ("a: x&y!z # k\n", "a: … # …\n"),
        ] {
            assert_eq!(super::masked(text), shown);
        }
    }

    #[test]
    fn a_masked_value_keeps_kinds_and_names_only() {
        let text = |text: &str| Value::Str(text.into());
        let map = |value: Value| Value::Map(vec![(text("k"), value)]);
        let list =
            Value::Seq(vec![text("web"), Value::Int("5".into()), map(text("sk-1")), Value::Seq(vec![text("sk-2")])]);
        let shown = Value::Seq(vec![text("web"), Value::Int("5".into()), map(text("…")), Value::Seq(vec![text("…")])]);
        assert_eq!(masked_value(&[], &list), shown);
        assert_eq!(masked_value(&[], &text("sk-1")), text("…"));
        assert_eq!(masked_value(&[], &map(Value::Bool(true))), map(Value::Bool(true)));
        let place = ["tools", "tool_search", "listing_max_tokens"].map(str::to_owned);
        let number = Value::Int("900".into());
        assert_eq!(masked_value(&place, &number), number);
        assert_eq!(masked_value(&place, &text("sk-1")), text("…"));
        assert_eq!(masked_value(&["other".to_owned()], &number), text("…"));
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
