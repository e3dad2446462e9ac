//! The text as a tree of nodes with exact byte spans.
//!
//! `saphyr-parser` gives events with character positions whose ends run over blanks and comments; here they are made
//! exact by looking at the text again, because the splicer cuts at them.

use std::borrow::Cow;
use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span};

use super::lines::{self, Lines};
use super::{LoadError, shadow, tabs};

pub(super) type Id = usize;

/// Deeper nesting makes Python's loaders run out of stack; nobody's config has it.
const MAX_DEPTH: usize = 500;

/// How often a text is shown anew; each round mends one place.
const MAX_ROUNDS: usize = 200;

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Scalar { text: String, style: ScalarStyle },
    Seq { items: Vec<Id>, flow: bool },
    Map { entries: Vec<(Id, Id)>, flow: bool },
    Alias { target: Id },
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// The content without `&anchor` and `!tag`. Empty, right behind the indicator, for a value that is not written.
    pub(super) span: Range<usize>,
    /// Where the properties start, or the content if there are none.
    pub(super) outer: usize,
    pub(super) anchored: bool,
    /// The full tag, `tag:yaml.org,2002:` spelled out.
    pub(super) tag: Option<String>,
}

impl Node {
    /// A value that is not written at all: `key:` and nothing else, not even a property.
    pub(super) fn is_absent(&self) -> bool {
        self.span.is_empty() && self.outer == self.span.start && self.is_plain()
    }

    pub(super) fn is_plain(&self) -> bool {
        matches!(self.kind, Kind::Scalar { style: ScalarStyle::Plain, .. })
    }

    /// A collection written with indentation rather than brackets.
    pub(super) fn is_block(&self) -> bool {
        matches!(self.kind, Kind::Seq { flow: false, .. } | Kind::Map { flow: false, .. })
    }
}

/// A parsed text: one document or none.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// `None`: only blanks and comments.
    pub(super) root: Option<Id>,
    /// Where a document without a root may get one: behind the text, or before `...`.
    pub(super) explicit_end: bool,
    /// An anchor name defined twice: PyYAML refuses that.
    pub(super) repeated_anchor: Option<usize>,
    /// Unicode line separators end lines here; spans are those of the replaced text, so the file is not edited.
    pub(super) odd_breaks: bool,
}

impl Tree {
    pub(super) fn node(&self, id: Id) -> &Node {
        &self.nodes[id]
    }

    /// The node an alias stands for, or the node itself.
    pub(super) fn resolve(&self, id: Id) -> Id {
        match self.nodes[id].kind {
            Kind::Alias { target } => target,
            _ => id,
        }
    }

    /// The node and everything under it, aliases not followed.
    pub(super) fn descendants(&self, id: Id) -> Vec<Id> {
        let mut found = vec![id];
        let mut next = 0;
        while let Some(&id) = found.get(next) {
            next += 1;
            match &self.nodes[id].kind {
                Kind::Seq { items, .. } => found.extend(items),
                Kind::Map { entries, .. } => found.extend(entries.iter().flat_map(|(key, value)| [*key, *value])),
                Kind::Scalar { .. } | Kind::Alias { .. } => {}
            }
        }
        found
    }

    pub(super) fn parse(text: &str) -> Result<Self, LoadError> {
        match shadow::without_odd_breaks(text) {
            None => Self::parse_lines(text),
            Some(replaced) => {
                let mut tree = Self::parse_lines(&replaced)?;
                tree.odd_breaks = true;
                Ok(tree)
            }
        }
    }

    fn parse_lines(text: &str) -> Result<Self, LoadError> {
        let mut shown = Cow::Borrowed(text);
        let mut rounds = 0;
        loop {
            match Builder::new(text).run(&shown) {
                Ok(tree) => return Ok(tree),
                Err(Failure::Load(error)) => return Err(error),
                Err(Failure::Scan(error)) => match shadow::after(&shown, &error) {
                    Some(next) if rounds < MAX_ROUNDS => shown = Cow::Owned(next),
                    _ => {
                        let builder = Builder::new(text);
                        return Err(builder.error(builder.byte(error.marker().index()), error.info()));
                    }
                },
            }
            rounds += 1;
        }
    }
}

/// Why a text was not taken.
enum Failure {
    Scan(ScanError),
    Load(LoadError),
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        Self::Load(error)
    }
}

/// An open collection while events come in.
struct Open {
    id: Id,
    /// A mapping's key that waits for its value.
    key: Option<Id>,
    /// Where to look for the next dash or colon.
    cursor: usize,
}

struct Builder<'a> {
    text: &'a str,
    /// Character index to byte offset; empty for ASCII.
    offsets: Vec<usize>,
    lines: Lines,
    nodes: Vec<Node>,
    open: Vec<Open>,
    /// Anchor ids of the parser to nodes.
    anchors: Vec<(usize, Id)>,
    root: Option<Id>,
    /// A tab behind `-` or `?`, which both loaders refuse.
    bad_tab: Option<usize>,
}

impl<'a> Builder<'a> {
    fn new(text: &'a str) -> Self {
        let offsets = if text.is_ascii() {
            Vec::new()
        } else {
            text.char_indices().map(|(at, _)| at).chain([text.len()]).collect()
        };
        Self {
            text,
            offsets,
            lines: Lines::of(text),
            nodes: Vec::new(),
            open: Vec::new(),
            anchors: Vec::new(),
            root: None,
            bad_tab: None,
        }
    }

    fn byte(&self, index: usize) -> usize {
        if self.offsets.is_empty() {
            index.min(self.text.len())
        } else {
            self.offsets.get(index).copied().unwrap_or(self.text.len())
        }
    }

    fn error(&self, at: usize, message: impl Into<String>) -> LoadError {
        LoadError { place: self.lines.place(self.text, at), message: message.into() }
    }

    /// Reads the events of `shown`, the text itself or its stand-in with the same number of characters.
    fn run(mut self, shown: &str) -> Result<Tree, Failure> {
        let mut parser = Parser::new_from_str(shown);
        let mut documents = 0;
        let mut explicit_end = false;
        while let Some(event) = parser.next_event() {
            let (event, span) = event.map_err(Failure::Scan)?;
            match event {
                Event::Nothing | Event::StreamStart => {}
                Event::DocumentStart(_) => {
                    documents += 1;
                    if documents > 1 {
                        let at = self.byte(span.start.index());
                        return Err(self.error(at, "a second document; Hermes reads exactly one").into());
                    }
                }
                Event::DocumentEnd => {
                    let (start, end) = (self.byte(span.start.index()), self.byte(span.end.index()));
                    explicit_end = self.text.get(start..end).is_some_and(|marker| marker.starts_with("..."));
                }
                Event::StreamEnd => break,
                Event::Scalar(text, style, anchor, tag) => {
                    let tag = tag.map(|tag| format!("{}{}", tag.handle, tag.suffix));
                    self.scalar(shadow::restore(text.into_owned(), self.text), style, anchor, tag, span)?;
                }
                Event::SequenceStart(anchor, tag) => {
                    let tag = tag.map(|tag| format!("{}{}", tag.handle, tag.suffix));
                    self.collection(true, anchor, tag, span)?;
                }
                Event::MappingStart(anchor, tag) => {
                    let tag = tag.map(|tag| format!("{}{}", tag.handle, tag.suffix));
                    self.collection(false, anchor, tag, span)?;
                }
                Event::SequenceEnd | Event::MappingEnd => self.close(span)?,
                Event::Alias(anchor) => {
                    let start = self.byte(span.start.index());
                    let Some(&(_, target)) = self.anchors.iter().rev().find(|(id, _)| *id == anchor) else {
                        return Err(self.error(start, "an alias without its anchor").into());
                    };
                    if self.open.iter().any(|open| open.id == target) {
                        return Err(self.error(start, "an alias inside the value it stands for").into());
                    }
                    let end =
                        self.text[start..].find(lines::ends_name).map_or(self.text.len(), |length| start + length);
                    self.add(Node {
                        kind: Kind::Alias { target },
                        span: start..end,
                        outer: start,
                        anchored: false,
                        tag: None,
                    })?;
                }
            }
        }
        let start = lines::skip_space(self.text, lines::root_start(self.text));
        if self.root.is_none() && self.text[start..].starts_with("...") {
            return Err(self.error(start, "a document end without a document").into());
        }
        if let Some(at) = self.bad_tab.or_else(|| tabs::indenting(self.text, &self.nodes)) {
            return Err(self.error(at, "a tab where only spaces can indent").into());
        }
        let repeated_anchor = repeated_anchor(self.text, &self.nodes);
        Ok(Tree { nodes: self.nodes, root: self.root, explicit_end, repeated_anchor, odd_breaks: false })
    }

    /// Where the properties end and the content starts.
    fn content_start(&self, outer: usize, has_properties: bool) -> (usize, usize) {
        let mut at = outer;
        let mut last_end = outer;
        if has_properties {
            while self.text[at..].starts_with(['&', '!']) {
                let end = self.text[at..].find(lines::ends_name).map_or(self.text.len(), |length| at + length);
                last_end = end;
                at = lines::skip_space(self.text, end);
            }
        }
        (at, last_end)
    }

    fn scalar(
        &mut self,
        mut value: String,
        style: ScalarStyle,
        anchor: usize,
        tag: Option<String>,
        span: Span,
    ) -> Result<(), LoadError> {
        let start = self.byte(span.start.index());
        let has_properties = anchor > 0 || tag.is_some();
        let (content, end, outer) = match style {
            ScalarStyle::Literal | ScalarStyle::Folded => {
                // The position is the content's; the header is found from the indicator before it.
                let outer = lines::skip_space(self.text, self.cursor());
                let (header, _) = self.content_start(outer, has_properties);
                let end = self.byte(span.end.index());
                let keeps = lines::line_of(self.text, header).split('#').next().is_some_and(|head| head.contains('+'));
                let end = block_scalar_end(self.text, header, end, keeps);
                if end == self.text.len() && !self.text.ends_with(['\n', '\r']) && value.ends_with('\n') {
                    // Both loaders end such a scalar where the file ends; the parser adds a line end.
                    value.pop();
                }
                (header, end, outer)
            }
            ScalarStyle::Plain if value.is_empty() => {
                if has_properties {
                    let (_, end) = self.content_start(start, true);
                    (end, end, start)
                } else {
                    let at = self.cursor();
                    (at, at, at)
                }
            }
            ScalarStyle::Plain => {
                let (content, _) = self.content_start(start, has_properties);
                let end = self.byte(span.end.index());
                let end = content + self.text[content..end].trim_end().len();
                (content, end, start)
            }
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
                let (content, _) = self.content_start(start, has_properties);
                (content, lines::quoted_end(self.text, content), start)
            }
        };
        let kind = Kind::Scalar { text: value, style };
        let id = self.add(Node { kind, span: content..end, outer, anchored: anchor > 0, tag })?;
        self.name(anchor, id);
        Ok(())
    }

    fn name(&mut self, anchor: usize, id: Id) {
        if anchor > 0 {
            self.anchors.push((anchor, id));
        }
    }

    fn collection(&mut self, seq: bool, anchor: usize, tag: Option<String>, span: Span) -> Result<(), LoadError> {
        let mut outer = self.byte(span.start.index());
        if seq && anchor == 0 && tag.is_none() {
            // For a list at its key's own column the parser names the first item's place instead of the dash.
            let dash = lines::skip_space(self.text, self.cursor());
            if self.text[dash..]
                .strip_prefix('-')
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_whitespace()))
            {
                outer = dash;
            }
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(self.error(outer, "nested too deep"));
        }
        let (start, _) = self.content_start(outer, anchor > 0 || tag.is_some());
        let flow = self.text[start..].starts_with(if seq { '[' } else { '{' });
        let kind = if seq { Kind::Seq { items: Vec::new(), flow } } else { Kind::Map { entries: Vec::new(), flow } };
        let node = Node { kind, span: start..start, outer, anchored: anchor > 0, tag };
        let id = self.attach(node)?;
        self.name(anchor, id);
        self.open.push(Open { id, key: None, cursor: if flow { start + 1 } else { start } });
        if seq && !flow {
            self.pass_indicator('-');
        } else if !seq {
            self.pass_indicator('?');
        }
        Ok(())
    }

    fn close(&mut self, span: Span) -> Result<(), LoadError> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let flow = matches!(self.nodes[open.id].kind, Kind::Seq { flow: true, .. } | Kind::Map { flow: true, .. });
        let end = if flow { self.byte(span.start.index()) + 1 } else { self.last_end(open.id) };
        self.nodes[open.id].span.end = end;
        self.after_value(end);
        Ok(())
    }

    /// The end of a block collection: that of its last child.
    fn last_end(&self, id: Id) -> usize {
        let last = match &self.nodes[id].kind {
            Kind::Seq { items, .. } => items.last().copied(),
            Kind::Map { entries, .. } => entries.last().map(|(_, value)| *value),
            Kind::Scalar { .. } | Kind::Alias { .. } => None,
        };
        last.map_or(self.nodes[id].span.start, |last| self.nodes[last].span.end)
    }

    fn cursor(&self) -> usize {
        self.open.last().map_or_else(|| lines::root_start(self.text), |open| open.cursor)
    }

    fn add(&mut self, node: Node) -> Result<Id, LoadError> {
        let end = node.span.end;
        let id = self.attach(node)?;
        self.after_value(end);
        Ok(id)
    }

    /// Puts the node into the open collection.
    fn attach(&mut self, node: Node) -> Result<Id, LoadError> {
        let id = self.nodes.len();
        let nameless = node.is_absent() && !self.text[..node.outer].ends_with('?');
        self.nodes.push(node);
        let Some(open) = self.open.last_mut() else {
            self.root = Some(id);
            return Ok(id);
        };
        match &mut self.nodes[open.id].kind {
            Kind::Seq { items, .. } => items.push(id),
            Kind::Map { entries, .. } => match open.key.take() {
                None if nameless => {
                    let at = self.nodes[id].outer;
                    return Err(self.error(at, "a value without a key"));
                }
                None => open.key = Some(id),
                Some(key) => entries.push((key, id)),
            },
            Kind::Scalar { .. } | Kind::Alias { .. } => {}
        }
        Ok(id)
    }

    /// Moves the cursor of the open collection behind a child that ended at `end`, and over the indicator that leads
    /// to the next one.
    fn after_value(&mut self, end: usize) {
        let Some(open) = self.open.last_mut() else { return };
        open.cursor = end;
        let key_waits = open.key.is_some();
        match self.nodes[open.id].kind {
            Kind::Map { .. } if key_waits => self.pass_indicator(':'),
            Kind::Map { flow: true, .. } | Kind::Seq { flow: true, .. } => {
                self.pass_indicator(',');
                self.pass_indicator('?');
            }
            Kind::Map { .. } => self.pass_indicator('?'),
            Kind::Seq { .. } => self.pass_indicator('-'),
            Kind::Scalar { .. } | Kind::Alias { .. } => {}
        }
    }

    /// Moves the cursor over blanks, comments and one indicator, if that is what comes next.
    fn pass_indicator(&mut self, indicator: char) {
        let Some(open) = self.open.last_mut() else { return };
        let at = lines::skip_space(self.text, open.cursor);
        let Some(rest) = self.text[at..].strip_prefix(indicator) else { return };
        // A dash or question mark is an indicator only before a blank.
        if matches!(indicator, ':' | ',') || rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_whitespace()) {
            open.cursor = at + 1;
            let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            let flow = matches!(self.nodes[open.id].kind, Kind::Seq { flow: true, .. } | Kind::Map { flow: true, .. });
            if !flow
                && matches!(indicator, '-' | '?')
                && let Some(tab) = rest[..blanks].find('\t')
            {
                self.bad_tab.get_or_insert(at + 1 + tab);
            }
        }
    }
}

/// The end of a block scalar's last content line, or of its kept blank lines; never a comment behind it.
fn block_scalar_end(text: &str, header: usize, parser_end: usize, keeps: bool) -> usize {
    let header_end = lines::line_end(text, header);
    let content = &text[..parser_end.max(header_end)];
    // The parser may have stopped inside the line that follows: go back to its start.
    let whole = if content.len() == text.len() || content.ends_with(['\n', '\r']) {
        content
    } else {
        let line_start = content.rfind('\n').map_or(0, |at| at + 1);
        if content[line_start..].trim().is_empty() && line_start > header_end {
            &content[..line_start]
        } else {
            content
        }
    };
    if keeps {
        // Without the last line end, so that the end is on the last line like any other node's.
        let cut = whole.strip_suffix('\n').unwrap_or(whole);
        cut.strip_suffix('\r').unwrap_or(cut).len().max(header_end)
    } else {
        whole.trim_end().len().max(header_end)
    }
}

/// The offset of the second definition of an anchor name.
fn repeated_anchor(text: &str, nodes: &[Node]) -> Option<usize> {
    let mut names: Vec<(&str, usize)> = nodes
        .iter()
        .filter(|node| node.anchored)
        .filter_map(|node| {
            let properties = text.get(node.outer..node.span.start)?;
            let at = properties.find('&')?;
            let name = &properties[at + 1..];
            Some((&name[..name.find(lines::ends_name).unwrap_or(name.len())], node.outer))
        })
        .collect();
    names.sort_unstable();
    names.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1)
}
