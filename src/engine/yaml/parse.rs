//! Tokens to the tree: the grammar of documents, lists and mappings, with the span of every node.

use std::collections::HashMap;

use super::grammar::Grammar;
use super::lines;
use super::scan::Scanner;
use super::token::{Fault, ScalarStyle, Scanned, Token, TokenKind};
use super::tree::{Id, Kind, Node, Tree};

/// Deeper nesting makes Python's loaders run out of stack; nobody's config has it.
const MAX_DEPTH: usize = 500;

/// Reads a text as `grammar` does: one document or none.
pub(super) fn parse(text: &str, grammar: Grammar) -> Scanned<Tree> {
    let parser = Parser {
        scanner: Scanner::new(text, lines::root_start(text), grammar),
        grammar,
        nodes: Vec::new(),
        anchors: HashMap::new(),
        open: Vec::new(),
        handles: HashMap::new(),
        behind: lines::root_start(text),
    };
    parser.document()
}

/// Reads what is inside a collection.
type Read<P> = fn(&mut P, Id) -> Scanned<()>;

/// What stands before a node's content.
#[derive(Default)]
struct Properties {
    start: Option<usize>,
    anchor: Option<String>,
    tag: Option<String>,
}

struct Parser<'a> {
    scanner: Scanner<'a>,
    grammar: Grammar,
    nodes: Vec<Node>,
    /// Names to the last nodes that carry them.
    anchors: HashMap<String, Id>,
    /// The collections that are not closed yet.
    open: Vec<Id>,
    handles: HashMap<String, String>,
    /// Behind the last token that is written in the text: where a value that is not written would stand.
    behind: usize,
}

impl Parser<'_> {
    fn document(mut self) -> Scanned<Tree> {
        let first = self.scanner.peek()?;
        let (root, explicit_end) = if first.kind == TokenKind::StreamEnd {
            (None, false)
        } else {
            let explicit = first.kind.is_directive() || first.kind == TokenKind::DocumentStart;
            self.document_start(explicit)?;
            let empty = explicit
                && matches!(
                    self.scanner.peek()?.kind,
                    TokenKind::DocumentStart | TokenKind::DocumentEnd | TokenKind::StreamEnd
                );
            let root = if empty || explicit && self.scanner.peek()?.kind.is_directive() {
                self.absent()
            } else {
                self.node(true, false)?
            };
            (Some(root), self.scanner.peek()?.kind == TokenKind::DocumentEnd)
        };
        while self.scanner.peek()?.kind == TokenKind::DocumentEnd {
            self.take()?;
        }
        let end = self.scanner.peek()?;
        if end.kind != TokenKind::StreamEnd {
            let message = match end.kind {
                TokenKind::DocumentStart => "a second document; Hermes reads exactly one",
                _ => "the document ends before this",
            };
            return Err(Fault { at: end.start, message });
        }
        let odd_breaks = self.scanner.saw_odd_break();
        Ok(Tree { nodes: self.nodes, root, explicit_end, odd_breaks, grammar: self.grammar })
    }

    fn document_start(&mut self, explicit: bool) -> Scanned<()> {
        let mut version = None;
        while self.scanner.peek()?.kind.is_directive() {
            let token = self.take()?;
            match token.kind {
                TokenKind::Version { .. } if version.is_some() => {
                    return Err(Fault { at: token.start, message: "'%YAML' stands here a second time" });
                }
                TokenKind::Version { major, minor } => {
                    version = Some(minor);
                    let known = match self.grammar {
                        Grammar::Libyaml2 | Grammar::Libyaml1 => major == 1 && matches!(minor, 1 | 2),
                        // Any minor version parses, but only these have rules for values.
                        Grammar::Ruamel | Grammar::Ruamel12 => major == 1 && matches!(minor, 1 | 2),
                    };
                    if !known {
                        return Err(Fault { at: token.start, message: "a version of YAML that Hermes does not read" });
                    }
                }
                TokenKind::TagDirective { handle, prefix } => {
                    let before = self.handles.insert(handle, prefix);
                    if before.is_some() {
                        return Err(Fault { at: token.start, message: "this '%TAG' stands here a second time" });
                    }
                }
                _ => {}
            }
        }
        for (handle, prefix) in [("!", "!"), ("!!", "tag:yaml.org,2002:")] {
            self.handles.entry(handle.to_owned()).or_insert_with(|| prefix.to_owned());
        }
        if explicit && !self.grammar.is_libyaml() && version != Some(1) {
            self.grammar = Grammar::Ruamel12;
            self.scanner.switch_to(self.grammar);
        }
        if explicit {
            self.expect(&TokenKind::DocumentStart, "'---' has to follow the lines that start with '%'")?;
        }
        Ok(())
    }

    fn take(&mut self) -> Scanned<Token> {
        let token = self.scanner.take()?;
        if token.end > token.start {
            self.behind = token.end;
        }
        Ok(token)
    }

    fn expect(&mut self, kind: &TokenKind, message: &'static str) -> Scanned<Token> {
        let next = self.scanner.peek()?;
        if next.kind == *kind { self.take() } else { Err(Fault { at: next.start, message }) }
    }

    fn next_is(&mut self, kinds: &[TokenKind]) -> Scanned<bool> {
        Ok(kinds.contains(&self.scanner.peek()?.kind))
    }

    fn add(&mut self, node: Node) -> Id {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// A value that is not written.
    fn absent(&mut self) -> Id {
        let at = self.behind;
        let kind = Kind::Scalar { text: String::new(), style: ScalarStyle::Plain };
        self.add(Node { kind, span: at..at, outer: at, anchored: false, tag: None })
    }

    fn properties(&mut self) -> Scanned<Properties> {
        let mut found = Properties::default();
        loop {
            let repeated = match &self.scanner.peek()?.kind {
                TokenKind::Anchor(_) => found.anchor.is_some(),
                TokenKind::Tag { .. } => found.tag.is_some(),
                _ => return Ok(found),
            };
            if repeated {
                // The parser's own complaint: content was expected here.
                return Ok(found);
            }
            let token = self.take()?;
            found.start.get_or_insert(token.start);
            match token.kind {
                TokenKind::Anchor(name) => found.anchor = Some(name),
                TokenKind::Tag { handle, suffix } if handle.is_empty() => found.tag = Some(suffix),
                TokenKind::Tag { handle, suffix } => match self.handles.get(&handle) {
                    Some(prefix) => found.tag = Some(format!("{prefix}{suffix}")),
                    None => return Err(Fault { at: token.start, message: "a tag whose '%TAG' is missing" }),
                },
                _ => {}
            }
        }
    }

    /// A node; `block` where lists and mappings may be written by indentation, `indentless` where a list may stand at
    /// its key's own column.
    fn node(&mut self, block: bool, indentless: bool) -> Scanned<Id> {
        if let TokenKind::Alias(_) = self.scanner.peek()?.kind {
            return self.alias();
        }
        let properties = self.properties()?;
        let next = self.scanner.peek()?;
        let start = next.start;
        let outer = properties.start.unwrap_or(start);
        if self.open.len() >= MAX_DEPTH {
            return Err(Fault { at: start, message: "nested too deep" });
        }
        let has_properties = properties.start.is_some();
        let seq = |flow| Kind::Seq { items: Vec::new(), flow };
        let map = |flow| Kind::Map { entries: Vec::new(), flow };
        let (kind, read): (Kind, Read<Self>) = match next.kind {
            TokenKind::BlockEntry if indentless => (seq(false), Self::indentless_items),
            TokenKind::Scalar { .. } => {
                let token = self.take()?;
                let TokenKind::Scalar { text, style } = token.kind else {
                    return Err(Fault { at: start, message: "a value was expected here" });
                };
                return self.written(Kind::Scalar { text, style }, token.start..token.end, outer, properties);
            }
            TokenKind::FlowSeqStart => (seq(true), Self::flow_items),
            TokenKind::FlowMapStart => (map(true), Self::flow_entries),
            TokenKind::BlockSeqStart if block => (seq(false), Self::block_items),
            TokenKind::BlockMapStart if block => (map(false), Self::block_entries),
            _ if has_properties => {
                let at = self.behind;
                let kind = Kind::Scalar { text: String::new(), style: ScalarStyle::Plain };
                return self.written(kind, at..at, outer, properties);
            }
            _ => return Err(Fault { at: start, message: "a value was expected here; quote text with signs in it" }),
        };
        let id = self.written(kind, start..start, outer, properties)?;
        self.open.push(id);
        read(self, id)?;
        self.open.pop();
        self.close(id);
        Ok(id)
    }

    fn written(
        &mut self,
        kind: Kind,
        span: std::ops::Range<usize>,
        outer: usize,
        properties: Properties,
    ) -> Scanned<Id> {
        let anchored = properties.anchor.is_some();
        let id = self.add(Node { kind, span, outer, anchored, tag: properties.tag });
        if let Some(name) = properties.anchor
            && self.anchors.insert(name, id).is_some()
            && self.grammar.is_libyaml()
        {
            return Err(Fault { at: outer, message: "the same anchor is defined twice" });
        }
        Ok(id)
    }

    fn alias(&mut self) -> Scanned<Id> {
        let token = self.take()?;
        let fault = |message| Err(Fault { at: token.start, message });
        let TokenKind::Alias(name) = &token.kind else { return fault("a value was expected here") };
        let Some(&target) = self.anchors.get(name) else { return fault("an alias without its anchor") };
        if self.open.contains(&target) {
            return fault("an alias inside the value it stands for");
        }
        let kind = Kind::Alias { target };
        Ok(self.add(Node { kind, span: token.start..token.end, outer: token.start, anchored: false, tag: None }))
    }

    /// Ends a collection's span: behind its bracket, or with its last child.
    fn close(&mut self, id: Id) {
        let end = match &self.nodes[id].kind {
            Kind::Seq { flow: true, .. } | Kind::Map { flow: true, .. } => Some(self.behind),
            Kind::Seq { items, .. } => items.last().map(|last| self.nodes[*last].span.end),
            Kind::Map { entries, .. } => entries.last().map(|(_, value)| self.nodes[*value].span.end),
            Kind::Scalar { .. } | Kind::Alias { .. } => None,
        };
        if let Some(end) = end {
            self.nodes[id].span.end = end;
        }
    }

    fn push_item(&mut self, list: Id, item: Id) {
        if let Kind::Seq { items, .. } = &mut self.nodes[list].kind {
            items.push(item);
        }
    }

    fn push_entry(&mut self, map: Id, key: Id, value: Id) {
        if let Kind::Map { entries, .. } = &mut self.nodes[map].kind {
            entries.push((key, value));
        }
    }

    fn block_items(&mut self, list: Id) -> Scanned<()> {
        self.take()?;
        while self.next_is(&[TokenKind::BlockEntry])? {
            self.take()?;
            let item = if self.next_is(&[TokenKind::BlockEntry, TokenKind::BlockEnd])? {
                self.absent()
            } else {
                self.node(true, false)?
            };
            self.push_item(list, item);
        }
        self.expect(&TokenKind::BlockEnd, "a list item, with its '-' below the others, was expected here")?;
        Ok(())
    }

    fn indentless_items(&mut self, list: Id) -> Scanned<()> {
        while self.next_is(&[TokenKind::BlockEntry])? {
            self.take()?;
            let ends = [TokenKind::BlockEntry, TokenKind::Key, TokenKind::Value, TokenKind::BlockEnd];
            let item = if self.next_is(&ends)? { self.absent() } else { self.node(true, false)? };
            self.push_item(list, item);
        }
        Ok(())
    }

    fn block_entries(&mut self, map: Id) -> Scanned<()> {
        self.take()?;
        let ends = [TokenKind::Key, TokenKind::Value, TokenKind::BlockEnd];
        while self.next_is(&[TokenKind::Key])? || self.has_no_key()? {
            if self.next_is(&[TokenKind::Key])? {
                self.take()?;
            }
            let key = if self.next_is(&ends)? { self.absent() } else { self.node(true, true)? };
            let value = if self.next_is(&[TokenKind::Value])? {
                self.take()?;
                if self.next_is(&ends)? { self.absent() } else { self.node(true, true)? }
            } else {
                self.absent()
            };
            self.push_entry(map, key, value);
        }
        self.expect(&TokenKind::BlockEnd, "a key at the column of the other keys was expected here")?;
        Ok(())
    }

    /// A `:` where a key should be, which YAML 1.2 takes for an empty one.
    fn has_no_key(&mut self) -> Scanned<bool> {
        Ok(self.grammar.is_yaml12() && self.next_is(&[TokenKind::Value])?)
    }

    fn flow_items(&mut self, list: Id) -> Scanned<()> {
        self.take()?;
        let mut first = true;
        while !self.next_is(&[TokenKind::FlowSeqEnd])? {
            if !first {
                self.expect(&TokenKind::FlowEntry, "',' or ']' was expected here")?;
                if self.next_is(&[TokenKind::FlowSeqEnd])? {
                    break;
                }
            }
            first = false;
            let item = if self.next_is(&[TokenKind::Key])? { self.single_pair()? } else { self.node(false, false)? };
            self.push_item(list, item);
        }
        self.take()?;
        Ok(())
    }

    /// `[a: b]`: a mapping of one entry without braces.
    fn single_pair(&mut self) -> Scanned<Id> {
        let start = self.take()?.start;
        let kind = Kind::Map { entries: Vec::new(), flow: true };
        let map = self.add(Node { kind, span: start..start, outer: start, anchored: false, tag: None });
        self.open.push(map);
        let key = if self.next_is(&[TokenKind::Value, TokenKind::FlowEntry, TokenKind::FlowSeqEnd])? {
            let key = self.absent();
            if self.grammar.is_libyaml() {
                // libyaml loses the token behind a key that is not written.
                self.take()?;
            }
            key
        } else {
            self.node(false, false)?
        };
        let value = self.flow_value(&TokenKind::FlowSeqEnd)?;
        self.push_entry(map, key, value);
        self.open.pop();
        self.close(map);
        Ok(map)
    }

    fn flow_value(&mut self, end: &TokenKind) -> Scanned<Id> {
        if !self.next_is(&[TokenKind::Value])? {
            return Ok(self.absent());
        }
        self.take()?;
        let next = &self.scanner.peek()?.kind;
        if *next == TokenKind::FlowEntry || next == end { Ok(self.absent()) } else { self.node(false, false) }
    }

    fn flow_entries(&mut self, map: Id) -> Scanned<()> {
        self.take()?;
        let mut first = true;
        while !self.next_is(&[TokenKind::FlowMapEnd])? {
            if !first {
                self.expect(&TokenKind::FlowEntry, "',' or '}' was expected here")?;
                if self.next_is(&[TokenKind::FlowMapEnd])? {
                    break;
                }
            }
            first = false;
            let (key, value) = if self.has_no_key()? {
                (self.absent(), self.flow_value(&TokenKind::FlowMapEnd)?)
            } else if self.next_is(&[TokenKind::Key])? {
                self.take()?;
                let ends = [TokenKind::Value, TokenKind::FlowEntry, TokenKind::FlowMapEnd];
                let key = if self.next_is(&ends)? { self.absent() } else { self.node(false, false)? };
                (key, self.flow_value(&TokenKind::FlowMapEnd)?)
            } else {
                (self.node(false, false)?, self.absent())
            };
            self.push_entry(map, key, value);
        }
        self.take()?;
        Ok(())
    }
}
