//! The rows of the main list: flat, with a depth, rebuilt when figures, filter or open rows change, never on a move.
//!
//! A row points into the report by position, so that 100,000 rows cost no strings; the cursor is kept by [`RowId`].

use std::collections::HashSet;

use crate::engine::assembly::Fate;
use crate::engine::filter::{Filter, Owner, Subject};
use crate::engine::ids::{ServerName, ToolName, ToolsetKey};
use crate::engine::report::{Meter, PlatformReport, ToolRow};

/// What a row is about, independent of where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RowId {
    Toolsets,
    Servers,
    NoMcp,
    Bridge,
    Toolset(ToolsetKey),
    Tool(ToolsetKey, ToolName),
    Server(ServerName),
    ServerTool(ServerName, ToolName),
}

/// What a row is about, by position in the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    Toolsets,
    Servers,
    NoMcp,
    Bridge,
    Toolset(usize),
    Tool(usize, usize),
    Server(usize),
    ServerTool(usize, usize),
}

impl Spot {
    /// 0 for headings, 1 below them, 2 for tools.
    pub fn depth(self) -> usize {
        match self {
            Self::Toolsets | Self::Servers => 0,
            Self::Tool(..) | Self::ServerTool(..) => 2,
            _ => 1,
        }
    }

    /// The id, read from the report the spot was built for.
    pub fn id(self, report: &PlatformReport) -> RowId {
        match self {
            Self::Toolsets => RowId::Toolsets,
            Self::Servers => RowId::Servers,
            Self::NoMcp => RowId::NoMcp,
            Self::Bridge => RowId::Bridge,
            Self::Toolset(idx) => RowId::Toolset(report.toolsets[idx].key.clone()),
            Self::Tool(idx, tool) => {
                let row = &report.toolsets[idx];
                RowId::Tool(row.key.clone(), row.tools[tool].name.clone())
            }
            Self::Server(idx) => RowId::Server(report.servers[idx].name.clone()),
            Self::ServerTool(idx, tool) => {
                let row = &report.servers[idx];
                RowId::ServerTool(row.name.clone(), row.tools[tool].name.clone())
            }
        }
    }

    fn parent(self) -> Option<Self> {
        match self {
            Self::Toolsets | Self::Servers => None,
            Self::Toolset(_) | Self::Bridge => Some(Self::Toolsets),
            Self::Server(_) | Self::NoMcp => Some(Self::Servers),
            Self::Tool(idx, _) => Some(Self::Toolset(idx)),
            Self::ServerTool(idx, _) => Some(Self::Server(idx)),
        }
    }
}

/// One visible row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub spot: Spot,
    /// Matches the filter itself, not only something inside it. True without a filter.
    pub hit: bool,
}

/// The list with its cursor.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub rows: Vec<Row>,
    pub cursor: usize,
    /// First row on screen.
    pub top: usize,
    pub open: HashSet<RowId>,
    /// Where a range of marked rows begins; it ends at the cursor.
    pub anchor: Option<RowId>,
    /// Rows that match the filter, of all that could.
    pub shown: usize,
    pub total: usize,
    focus: Option<RowId>,
}

impl Tree {
    /// The marked rows, from the anchor to the cursor; none where the anchor is not among the rows.
    pub fn marked(&self, report: &PlatformReport) -> Option<std::ops::RangeInclusive<usize>> {
        let anchor = self.anchor.as_ref()?;
        let at = self.rows.iter().position(|row| is_at(row.spot, anchor, report))?;
        Some(at.min(self.cursor)..=at.max(self.cursor))
    }

    pub fn spot(&self) -> Option<Spot> {
        self.rows.get(self.cursor).map(|row| row.spot)
    }

    /// Rebuilds the rows; the cursor stays on its thing when that is still shown, else on the best hit.
    pub fn rebuild(&mut self, report: &PlatformReport, query: &str) {
        let mut filter = Filter::parse(query);
        let filtered = !filter.is_empty();
        let mut build = Builder {
            open: &self.open,
            filter: filtered.then_some(&mut filter),
            rows: Vec::with_capacity(self.rows.len()),
            shown: 0,
            total: 0,
            best: None,
        };
        build.toolsets(report);
        build.servers(report);
        let best = build.best.map(|(_, idx)| idx);
        (self.rows, self.shown, self.total) = (build.rows, build.shown, build.total);

        let kept = self
            .focus
            .as_ref()
            .and_then(|focus| self.rows.iter().position(|row| is_at(row.spot, focus, report)))
            .filter(|idx| self.rows[*idx].hit);
        self.cursor = match kept {
            Some(idx) => idx,
            None if filtered => best.unwrap_or(0),
            None if self.focus.is_none() => self.rows.iter().position(|row| row.spot.depth() > 0).unwrap_or(0),
            None => self.cursor.min(self.rows.len().saturating_sub(1)),
        };
        if self.focus.is_none() {
            self.note_focus(report);
        }
    }

    /// Moves the cursor and remembers what it is on.
    pub fn move_to(&mut self, idx: usize, report: &PlatformReport) {
        self.cursor = idx.min(self.rows.len().saturating_sub(1));
        self.note_focus(report);
    }

    fn note_focus(&mut self, report: &PlatformReport) {
        self.focus = self.spot().map(|spot| spot.id(report));
    }

    /// Scrolls so that the cursor is on screen.
    pub fn keep_visible(&mut self, list_rows: usize) {
        let height = list_rows.max(1);
        if self.cursor < self.top {
            self.top = self.cursor;
        } else if self.cursor >= self.top + height {
            self.top = self.cursor + 1 - height;
        }
        self.top = self.top.min(self.rows.len().saturating_sub(height));
    }

    /// Position of the row above in the tree.
    pub fn parent_of(&self, idx: usize) -> Option<usize> {
        let parent = self.rows.get(idx)?.spot.parent()?;
        self.rows[..idx].iter().rposition(|row| row.spot == parent)
    }

    /// Shows a thing whatever is open: opens its parents and puts the cursor there.
    pub fn reveal(&mut self, id: RowId) {
        match &id {
            RowId::Tool(key, _) => {
                self.open.insert(RowId::Toolset(key.clone()));
            }
            RowId::ServerTool(name, _) => {
                self.open.insert(RowId::Server(name.clone()));
            }
            _ => {}
        }
        self.focus = Some(id);
    }
}

/// Compares without building an id.
fn is_at(spot: Spot, id: &RowId, report: &PlatformReport) -> bool {
    match (spot, id) {
        (Spot::Toolsets, RowId::Toolsets)
        | (Spot::Servers, RowId::Servers)
        | (Spot::NoMcp, RowId::NoMcp)
        | (Spot::Bridge, RowId::Bridge) => true,
        (Spot::Toolset(idx), RowId::Toolset(key)) => report.toolsets[idx].key == *key,
        (Spot::Tool(idx, tool), RowId::Tool(key, name)) => {
            report.toolsets[idx].key == *key && report.toolsets[idx].tools[tool].name == *name
        }
        (Spot::Server(idx), RowId::Server(key)) => report.servers[idx].name == *key,
        (Spot::ServerTool(idx, tool), RowId::ServerTool(key, name)) => {
            report.servers[idx].name == *key && report.servers[idx].tools[tool].name == *name
        }
        _ => false,
    }
}

struct Builder<'a> {
    open: &'a HashSet<RowId>,
    filter: Option<&'a mut Filter>,
    rows: Vec<Row>,
    shown: usize,
    total: usize,
    /// Score and row of the best match so far.
    best: Option<(u32, usize)>,
}

impl Builder<'_> {
    fn toolsets(&mut self, report: &PlatformReport) {
        let heading = self.heading(Spot::Toolsets);
        for (idx, row) in report.toolsets.iter().enumerate() {
            let owner = Owner::Toolset(row.key.as_str());
            let itself = Subject { name: row.key.as_str(), owner, on: row.on, tokens: tokens_of(&row.meter) };
            let open = self.open.contains(&RowId::Toolset(row.key.clone()));
            self.family(Spot::Toolset(idx), itself, open, &row.tools, |tool| Spot::Tool(idx, tool));
        }
        if report.bridge.is_some() {
            self.fixed(Spot::Bridge);
        }
        self.drop_empty(heading);
    }

    fn servers(&mut self, report: &PlatformReport) {
        if report.servers.is_empty() {
            return;
        }
        let heading = self.heading(Spot::Servers);
        for (idx, row) in report.servers.iter().enumerate() {
            let owner = Owner::Server(row.name.as_str());
            let itself = Subject { name: row.name.as_str(), owner, on: row.on, tokens: tokens_of(&row.meter) };
            let open = self.open.contains(&RowId::Server(row.name.clone()));
            self.family(Spot::Server(idx), itself, open, &row.tools, |tool| Spot::ServerTool(idx, tool));
        }
        self.fixed(Spot::NoMcp);
        self.drop_empty(heading);
    }

    /// A heading is no hit of a filter; it stays while something below it is.
    fn heading(&mut self, spot: Spot) -> usize {
        self.rows.push(Row { spot, hit: self.filter.is_none() });
        self.rows.len()
    }

    fn drop_empty(&mut self, below: usize) {
        if self.filter.is_some() && self.rows.len() == below {
            self.rows.pop();
        }
    }

    /// A row no filter looks for.
    fn fixed(&mut self, spot: Spot) {
        self.total += 1;
        if self.filter.is_none() {
            self.shown += 1;
            self.rows.push(Row { spot, hit: true });
        }
    }

    /// A row and those of its tools that show.
    fn family(
        &mut self,
        spot: Spot,
        itself: Subject<'_>,
        open: bool,
        tools: &[ToolRow],
        tool_spot: impl Fn(usize) -> Spot,
    ) {
        self.total += 1 + tools.len();
        let Some(filter) = self.filter.as_deref_mut() else {
            self.shown += 1 + tools.len();
            self.rows.push(Row { spot, hit: true });
            if open {
                self.rows.extend((0..tools.len()).map(|tool| Row { spot: tool_spot(tool), hit: true }));
            }
            return;
        };
        let at = self.rows.len();
        let own_score = filter.score(&itself);
        self.rows.push(Row { spot, hit: own_score.is_some() });
        let mut note = |score: u32, idx: usize| {
            if self.best.is_none_or(|(best, _)| score > best) {
                self.best = Some((score, idx));
            }
        };
        if let Some(score) = own_score {
            note(score, at);
        }
        for (idx, tool) in tools.iter().enumerate() {
            let name = tool.original_name.as_deref().unwrap_or(tool.name.as_str());
            let on = itself.on && !matches!(tool.fate, Fate::Off | Fate::Filtered);
            let subject = Subject { name, on, tokens: tokens_of(&tool.meter), ..itself };
            if let Some(score) = filter.score(&subject) {
                note(score, self.rows.len());
                self.rows.push(Row { spot: tool_spot(idx), hit: true });
            }
        }
        if own_score.is_none() && self.rows.len() == at + 1 {
            self.rows.pop();
        }
        self.shown += self.rows[at.min(self.rows.len())..].iter().filter(|row| row.hit).count();
    }
}

fn tokens_of(meter: &Meter) -> Option<u64> {
    meter.tokens.value().or(meter.est_tokens.value())
}
