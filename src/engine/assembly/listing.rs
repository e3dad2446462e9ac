//! The listing of deferred tools inside `tool_search`: its forms, and which of them fits the budget (0.22).
//!
//! Tools stand in groups by the registry's toolset. All groups with their tools' lines are tried first, then all with
//! names only, then the longest groups of names are summed up in one line, one after the other, until the text fits.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::extent::{Extent, LINE_FEED};
use super::host::UnavailableSource;
use super::line::Line;
use super::wording::Lines;

/// What a listing shows of the deferred tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// Name and short description of each.
    Full,
    /// Names only.
    Names,
    /// Names, and some groups only summed up.
    Mixed,
    /// Every group summed up.
    Groups,
    /// Nothing: no listing, or nothing fits.
    None,
}

impl Form {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Names => "names",
            Self::Mixed => "mixed",
            Self::Groups => "groups",
            Self::None => "none",
        }
    }

    /// The form Hermes names so.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Full, Self::Names, Self::Mixed, Self::Groups, Self::None].into_iter().find(|form| form.as_str() == name)
    }

    /// The tier a bridge with this listing has.
    pub fn tier(self) -> u8 {
        match self {
            Self::Full | Self::Names | Self::Mixed => 1,
            Self::Groups | Self::None => 2,
        }
    }
}

/// How one group is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Full,
    Names,
    Summary,
    /// Not at all.
    Absent,
}

impl Mode {
    /// The word for it; none where nothing is listed.
    pub fn as_str(self) -> Option<&'static str> {
        match self {
            Self::Full => Some("full"),
            Self::Names => Some("names"),
            Self::Summary => Some("summary"),
            Self::Absent => None,
        }
    }
}

/// Deferred tools of one toolset or server, measured together once. Their lines are read only when all names fit the
/// budget: with thousands of tools they never do.
#[derive(Debug, Default)]
pub struct Part {
    /// Places in the catalog.
    members: Vec<usize>,
    names: Extent,
    full: OnceLock<Extent>,
    compact_chars: OnceLock<u64>,
}

impl Part {
    /// `tool` is its place in the catalog.
    pub fn add(&mut self, tool: usize, name: &str) {
        self.members.push(tool);
        self.names = self.names.plus(Extent::of(name));
    }

    pub fn members(&self) -> &[usize] {
        &self.members
    }

    fn full(&self, line: &dyn Fn(usize) -> Line) -> Extent {
        *self.full.get_or_init(|| self.members.iter().map(|member| line(*member).full).sum())
    }

    fn compact_chars(&self, of: &dyn Fn(usize) -> u64) -> u64 {
        *self.compact_chars.get_or_init(|| self.members.iter().map(|member| of(*member)).sum())
    }
}

/// The deferred tools under one label.
#[derive(Clone, Debug, Default)]
pub struct Group {
    pub tools: u64,
    label: Extent,
    names: Extent,
    parts: Vec<Arc<Part>>,
}

impl Group {
    pub fn members(&self) -> impl Iterator<Item = usize> {
        self.parts.iter().flat_map(|part| part.members.iter().copied())
    }
}

/// All deferred tools, by label.
#[derive(Clone, Debug, Default)]
pub struct Deferred<'a> {
    groups: BTreeMap<&'a str, Group>,
    pub tools: u64,
}

/// The label a registry toolset's tools stand under.
pub fn label(toolset: &str) -> &str {
    match toolset.strip_prefix("mcp-").unwrap_or(toolset) {
        "" if toolset.is_empty() => "other",
        label => label,
    }
}

impl<'a> Deferred<'a> {
    /// `toolset` is the registry's.
    pub fn add(&mut self, toolset: &'a str, part: &Arc<Part>) {
        let tools = part.members.len() as u64;
        if tools == 0 {
            return;
        }
        let label = label(toolset);
        let group = self.groups.entry(label).or_insert_with(|| Group { label: Extent::of(label), ..Group::default() });
        group.names = group.names.plus(part.names);
        group.tools += tools;
        group.parts.push(Arc::clone(part));
        self.tools += tools;
    }

    pub fn groups(&self) -> &BTreeMap<&'a str, Group> {
        &self.groups
    }

    /// Compact characters of all definitions; `of` says those of the tool at a place of the catalog.
    pub fn compact_chars(&self, of: &dyn Fn(usize) -> u64) -> u64 {
        self.groups.values().flat_map(|group| &group.parts).map(|part| part.compact_chars(of)).sum()
    }
}

/// One step of the ladder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rung {
    pub form: Form,
    /// How many groups are summed up.
    pub collapsed: usize,
    pub extent: Extent,
    pub fits: bool,
}

/// Lists deferred tools within a budget.
pub struct Lister<'l, 'a> {
    pub deferred: &'l Deferred<'a>,
    pub lines: &'l Lines,
    pub unavailable: &'l [UnavailableSource],
    /// What the tool at a place of the catalog takes.
    pub line: &'l dyn Fn(usize) -> Line,
    /// Tokens.
    pub budget: u64,
}

/// The listing that was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    pub form: Form,
    /// Labels that are only summed up.
    pub collapsed: Vec<String>,
    pub extent: Extent,
}

impl Listing {
    /// No listing.
    pub const NONE: Self =
        Self { form: Form::None, collapsed: Vec::new(), extent: Extent { chars: 0, bytes: 0, escapes: 0 } };

    /// How a group is listed.
    pub fn mode(&self, label: &str) -> Mode {
        match self.form {
            Form::Full => Mode::Full,
            Form::Names => Mode::Names,
            Form::Groups => Mode::Summary,
            Form::Mixed if self.collapsed.iter().any(|collapsed| collapsed == label) => Mode::Summary,
            Form::Mixed => Mode::Names,
            Form::None => Mode::Absent,
        }
    }
}

impl Lister<'_, '_> {
    /// The first form that fits.
    pub fn choose(&self) -> Listing {
        if self.deferred.tools == 0 {
            return Listing::NONE;
        }
        let names = self.whole(Mode::Names);
        // A line is never shorter than the name in it, so the lines need a look only where the names fit.
        if self.fits(names) {
            let full = self.whole(Mode::Full);
            let (form, extent) = if self.fits(full) { (Form::Full, full) } else { (Form::Names, names) };
            return Listing { form, collapsed: Vec::new(), extent };
        }
        let order = self.collapse_order();
        let mut extent = names;
        for (done, (_, group)) in order.iter().enumerate() {
            extent = extent.minus(self.block(group, Mode::Names)).plus(self.block(group, Mode::Summary));
            if self.fits(extent) {
                let form = if done + 1 == order.len() { Form::Groups } else { Form::Mixed };
                let collapsed = order[..=done].iter().map(|(label, _)| (**label).to_owned()).collect();
                return Listing { form, collapsed, extent };
            }
        }
        Listing::NONE
    }

    /// Every form with what it would cost, the largest first.
    pub fn ladder(&self) -> Vec<Rung> {
        if self.deferred.tools == 0 {
            return Vec::new();
        }
        let rung = |form, collapsed, extent| Rung { form, collapsed, extent, fits: self.fits(extent) };
        let mut extent = self.whole(Mode::Names);
        let mut rungs = vec![rung(Form::Full, 0, self.whole(Mode::Full)), rung(Form::Names, 0, extent)];
        let order = self.collapse_order();
        for (done, (_, group)) in order.iter().enumerate() {
            extent = extent.minus(self.block(group, Mode::Names)).plus(self.block(group, Mode::Summary));
            let form = if done + 1 == order.len() { Form::Groups } else { Form::Mixed };
            rungs.push(rung(form, done + 1, extent));
        }
        rungs.push(Rung { form: Form::None, collapsed: order.len(), extent: Extent::default(), fits: true });
        rungs
    }

    /// The text itself. `entry` gives the name and the line of the tool at a place of the catalog.
    pub fn text<'t>(&self, listing: &Listing, entry: &dyn Fn(usize) -> (&'t str, String)) -> String {
        let mut blocks: BTreeMap<&str, String> = BTreeMap::new();
        for source in self.unavailable {
            blocks.insert(&source.name, unavailable_line(source));
        }
        for (label, group) in self.deferred.groups() {
            let mode = listing.mode(label);
            let mut block = match mode {
                Mode::Summary => self.lines.summary(label, group.tools),
                Mode::Absent => continue,
                Mode::Full | Mode::Names => self.lines.heading(label, group.tools),
            };
            let mut members: Vec<_> = group.members().map(entry).collect();
            members.sort();
            if mode == Mode::Names {
                let names: Vec<_> = members.iter().map(|(name, _)| *name).collect();
                block.push('\n');
                block.push_str(&names.join(", "));
            } else if mode == Mode::Full {
                for (_, line) in members {
                    block.push('\n');
                    block.push_str(&line);
                }
            }
            blocks.insert(label, block);
        }
        if listing.form == Form::None {
            return String::new();
        }
        let blocks = blocks.into_values();
        std::iter::once(self.lines.header.clone()).chain(blocks).collect::<Vec<_>>().join("\n")
    }

    /// The line feed and the heading or summary of a group: what it costs beside its tools.
    pub fn heading(&self, group: &Group, mode: Mode) -> Extent {
        match mode {
            Mode::Full | Mode::Names => LINE_FEED.plus(self.lines.heading_extent(group.label, group.tools)),
            Mode::Summary => LINE_FEED.plus(self.lines.summary_extent(group.label, group.tools)),
            Mode::Absent => Extent::default(),
        }
    }

    fn fits(&self, extent: Extent) -> bool {
        extent.tokens() <= self.budget
    }

    /// A group with all that it costs.
    fn block(&self, group: &Group, mode: Mode) -> Extent {
        let tools = match mode {
            Mode::Full => {
                group.parts.iter().map(|part| part.full(self.line)).sum::<Extent>().plus(LINE_FEED.times(group.tools))
            }
            // On one line: a line feed before the first name, a comma and a blank before each other.
            Mode::Names => group.names.plus(LINE_FEED).plus(BETWEEN_NAMES.times(group.tools - 1)),
            Mode::Summary | Mode::Absent => Extent::default(),
        };
        self.heading(group, mode).plus(tools)
    }

    fn whole(&self, mode: Mode) -> Extent {
        let groups = self.deferred.groups.values().map(|group| self.block(group, mode));
        let missing = self.unavailable.iter().filter(|source| !self.deferred.groups.contains_key(source.name.as_str()));
        let missing = missing.map(|source| LINE_FEED.plus(Extent::of(&unavailable_line(source))));
        Extent::of(&self.lines.header).plus(groups.sum()).plus(missing.sum())
    }

    /// The groups with the longest names block first, equals by label.
    fn collapse_order(&self) -> Vec<(&&str, &Group)> {
        let mut groups: Vec<_> = self.deferred.groups.iter().collect();
        // The line feed before a block is not part of it, but all have one.
        groups.sort_by_cached_key(|(label, group)| (std::cmp::Reverse(self.block(group, Mode::Names).chars), **label));
        groups
    }
}

/// What one tool takes in a group: its line or its name, with what sets it apart from the one before.
pub fn tool_extent(line: Line, mode: Mode) -> Extent {
    match mode {
        Mode::Full => LINE_FEED.plus(line.full),
        Mode::Names => BETWEEN_NAMES.plus(line.name),
        Mode::Summary | Mode::Absent => Extent::default(),
    }
}

/// A comma and a blank.
const BETWEEN_NAMES: Extent = Extent { chars: 2, bytes: 2, escapes: 0 };

fn unavailable_line(source: &UnavailableSource) -> String {
    let UnavailableSource { name, tool_count, unavailable } = source;
    match tool_count {
        Some(count) => format!("{name} ({count} tools unavailable: {unavailable})"),
        None => format!("{name} (tools unavailable: {unavailable})"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Deferred, Form, Lister, Listing, Mode, Part, tool_extent};
    use crate::engine::assembly::extent::Extent;
    use crate::engine::assembly::host::UnavailableSource;
    use crate::engine::assembly::line;
    use crate::engine::assembly::wording::{Lines, Wording};

    fn lines() -> Lines {
        Wording::own(true).lines.unwrap()
    }

    struct Case {
        tools: Vec<(String, String)>,
        groups: Vec<(&'static str, usize)>,
    }

    impl Case {
        /// Groups of so many tools each.
        fn new(groups: &[(&'static str, usize)], description: &str) -> Self {
            let tools = groups.iter().flat_map(|(toolset, count)| {
                (0..*count).map(move |number| {
                    let name = format!("mcp__{}__tool_{number}", toolset.trim_start_matches("mcp-"));
                    (name.clone(), format!(r#"{{"function": {{"name": "{name}", "description": "{description}"}}}}"#))
                })
            });
            Self { tools: tools.collect(), groups: groups.to_vec() }
        }

        fn with<T>(&self, budget: u64, ask: impl FnOnce(&Lister<'_, '_>) -> T) -> T {
            let mut deferred = Deferred::default();
            let mut place = 0;
            for (toolset, count) in &self.groups {
                let mut part = Part::default();
                for _ in 0..*count {
                    part.add(place, &self.tools[place].0);
                    place += 1;
                }
                deferred.add(toolset, &Arc::new(part));
            }
            let sources =
                [UnavailableSource { name: "gone".into(), tool_count: Some(2), unavailable: "no key".into() }];
            let line = |at: usize| line::measure(&self.tools[at].0, &self.tools[at].1);
            ask(&Lister { deferred: &deferred, lines: &lines(), unavailable: &sources, line: &line, budget })
        }

        fn text(&self, lister: &Lister<'_, '_>, listing: &Listing) -> String {
            lister.text(listing, &|at| (&self.tools[at].0, line::text(&self.tools[at].0, &self.tools[at].1)))
        }
    }

    #[test]
    fn the_text_of_every_form_has_the_extent_that_was_counted_and_parts_add_up() {
        let case = Case::new(&[("mcp-big", 30), ("mcp-small", 3), ("terminal", 2)], r#"Says \"one\" thing — well."#);
        let mut forms = Vec::new();
        for rung in case.with(0, |lister| lister.ladder()) {
            let budget = rung.extent.tokens();
            case.with(budget, |lister| {
                let listing = lister.choose();
                let text = case.text(lister, &listing);
                assert_eq!(listing.extent, Extent::of(&text), "{budget}: {text}");
                let first = lister.ladder().into_iter().find(|rung| rung.fits).unwrap();
                assert_eq!((listing.form, listing.extent), (first.form, first.extent), "{budget}");
                let mut sum = Extent::of(&lister.lines.header);
                for (label, group) in lister.deferred.groups() {
                    let mode = listing.mode(label);
                    sum = sum.plus(lister.heading(group, mode));
                    sum = sum.plus(group.members().map(|at| tool_extent((lister.line)(at), mode)).sum());
                }
                let missing = Extent::of("\ngone (2 tools unavailable: no key)");
                if listing.form != Form::None {
                    assert_eq!(sum.plus(missing).bytes, listing.extent.bytes, "{budget}");
                }
                forms.push(listing.form);
            });
        }
        // A summary can be longer than the one name it stands for, and then it is never the first that fits.
        assert_eq!(forms, [Form::Full, Form::Names, Form::Mixed, Form::Mixed, Form::Mixed, Form::None]);
    }

    #[test]
    fn the_largest_group_is_summed_up_first_and_equals_by_label() {
        let case = Case::new(&[("mcp-b", 4), ("mcp-a", 4), ("mcp-c", 9)], "Does it.");
        let budget = case.with(0, |lister| lister.ladder()[3].extent.tokens());
        case.with(budget, |lister| {
            let listing = lister.choose();
            assert_eq!(
                (listing.form, listing.collapsed.as_slice()),
                (Form::Mixed, &["c".to_owned(), "a".to_owned()][..])
            );
            assert_eq!(["a", "b", "c"].map(|label| listing.mode(label)), [Mode::Summary, Mode::Names, Mode::Summary]);
        });
    }
}
