//! What tool search does to an array, estimated: whether it takes over, and what its three bridge tools weigh.
//!
//! Settings under `tools.tool_search` are read as Hermes 0.19 and 0.22 read them. Sizes are those of 0.19.0 and 0.22.2;
//! their wording changes between releases, so the result is an estimate until Hermes has built the array itself.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::engine::rules::{Activation, Rules};
use crate::engine::value::Value;

/// `tools.tool_search.enabled`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enabled {
    Auto,
    On,
    Off,
}

/// `tools.tool_search`, as far as the estimate needs it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    pub enabled: Enabled,
    /// Percent of the window: of activation in 0.19, of the listing in 0.22.
    pub threshold_pct: f64,
    /// Whether the deferred tools are listed at all.
    pub listing: bool,
    pub listing_max_tokens: u64,
}

impl Settings {
    /// Reads the section; what is missing or of a wrong kind counts as its default.
    pub fn read(config: &Value, rules: &Rules) -> Self {
        let default_pct = if rules.activation == Activation::Threshold { 10.0 } else { 5.0 };
        let mut settings =
            Self { enabled: Enabled::Auto, threshold_pct: default_pct, listing: true, listing_max_tokens: 4000 };
        let Some(section) = config.at(&["tools", "tool_search"]) else { return settings };
        if section.as_map().is_none() {
            // Of the other kinds only a plain `false` means something.
            if *section == Value::Bool(false) {
                settings.enabled = Enabled::Off;
            }
            return settings;
        }
        settings.enabled = tri_state(section.get("enabled"));
        settings.listing = tri_state(section.get("listing")) != Enabled::Off;
        if let Some(pct) = section.get("threshold_pct").and_then(number).filter(|pct| pct.is_finite()) {
            settings.threshold_pct = pct.clamp(0.0, 100.0);
        }
        if let Some(tokens) = section.get("listing_max_tokens").and_then(number).filter(|tokens| tokens.is_finite()) {
            settings.listing_max_tokens = tokens.clamp(200.0, 60_000.0) as u64;
        }
        settings
    }

    /// Whether the bridge takes over. `deferrable_chars` are the compact characters of what could be deferred.
    pub fn activates(
        &self,
        rules: &Rules,
        deferrable: usize,
        deferrable_chars: u64,
        context_tokens: Option<u64>,
    ) -> bool {
        if deferrable == 0 || self.enabled == Enabled::Off || rules.activation == Activation::Absent {
            return false;
        }
        if self.enabled == Enabled::On || rules.activation == Activation::AnyDeferrable {
            return true;
        }
        let threshold = context_tokens.map_or(20_000, |window| self.part_of(window));
        deferrable_chars.div_ceil(4) >= threshold
    }

    fn part_of(&self, window: u64) -> u64 {
        (window as f64 * self.threshold_pct / 100.0) as u64
    }

    /// Tokens the listing may take.
    fn budget(&self, context_tokens: Option<u64>) -> u64 {
        self.listing_max_tokens.min(context_tokens.map_or(10_000, |window| self.part_of(window)))
    }
}

fn tri_state(value: Option<&Value>) -> Enabled {
    let Some(value) = value else { return Enabled::Auto };
    match value.py_str().trim().to_lowercase().as_str() {
        "on" | "true" | "1" | "yes" => Enabled::On,
        "off" | "false" | "0" | "no" => Enabled::Off,
        _ => Enabled::Auto,
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(text) | Value::Float(text) | Value::Str(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// Characters and JSON bytes of a piece of the listing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    pub chars: u64,
    pub bytes: u64,
}

impl Extent {
    fn of(text: &str) -> Self {
        // The text goes into a JSON string, where quotes, backslashes and controls take more room.
        let escaped = text.bytes().filter(|byte| matches!(byte, b'"' | b'\\')).count() as u64;
        Self { chars: text.chars().count() as u64, bytes: text.len() as u64 + escaped }
    }

    /// A label, a number and fixed words: no text is built for it.
    fn around(label: &str, number: u64, words: &str) -> Self {
        let digits = u64::from(number.checked_ilog10().unwrap_or(0)) + 1;
        Self::of(label).plus(Self::of(words)).plus(Self { chars: digits, bytes: digits })
    }

    fn plus(self, other: Self) -> Self {
        Self { chars: self.chars + other.chars, bytes: self.bytes + other.bytes }
    }

    fn times(self, count: u64) -> Self {
        Self { chars: self.chars * count, bytes: self.bytes * count }
    }
}

/// What one tool takes in the listing: its line, and its name alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub full: Extent,
    pub name: Extent,
}

/// A line feed: one character, two bytes as `\n`.
const LINE_FEED: Extent = Extent { chars: 1, bytes: 2 };
/// The listing's first line.
const HEADER: Extent = Extent { chars: 81, bytes: 81 };

/// The deferred tools of one heading.
#[derive(Clone, Debug, Default)]
struct Group {
    tools: u64,
    /// Lines and names by themselves, without what separates them.
    full: Extent,
    names: Extent,
    /// Tools whose lines are not in `full` yet.
    parts: Vec<Arc<Part>>,
}

impl Group {
    /// The names stand on one line, with a comma and a blank between them.
    fn names_body(&self) -> Extent {
        let between = Extent { chars: 2, bytes: 2 }.times(self.tools.saturating_sub(1));
        LINE_FEED.plus(self.names).plus(between)
    }

    fn full_body(&self, line: &dyn Fn(usize) -> Line) -> Extent {
        let parts = self.parts.iter().fold(self.full, |sum, part| sum.plus(part.full(line)));
        LINE_FEED.times(self.tools).plus(parts)
    }
}

/// Deferred tools of one toolset, measured together once. Their lines are read only when all names fit the budget:
/// with thousands of tools they never do.
#[derive(Debug, Default)]
pub struct Part {
    members: Vec<usize>,
    names: Extent,
    full: OnceLock<Extent>,
}

impl Part {
    /// `tool` is its place in the catalog.
    pub fn add(&mut self, tool: usize, name: &str) {
        self.members.push(tool);
        self.names = self.names.plus(Extent::of(name));
    }

    /// The first member's place.
    pub fn first(&self) -> Option<usize> {
        self.members.first().copied()
    }

    fn full(&self, line: &dyn Fn(usize) -> Line) -> Extent {
        *self
            .full
            .get_or_init(|| self.members.iter().fold(Extent::default(), |sum, member| sum.plus(line(*member).full)))
    }
}

/// Gathers deferred tools and says what the bridge weighs with them.
#[derive(Clone, Debug, Default)]
pub struct Load<'a> {
    groups: BTreeMap<&'a str, Group>,
    pub tools: u64,
}

/// The three bridge tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bridge {
    pub search_bytes: u64,
    pub describe_bytes: u64,
    pub call_bytes: u64,
}

impl<'a> Load<'a> {
    /// `toolset` is the registry's, `line` what [`short_line`] said of the tool.
    pub fn add(&mut self, toolset: &'a str, line: Line) {
        let group = self.group(toolset);
        group.full = group.full.plus(line.full);
        group.names = group.names.plus(line.name);
        group.tools += 1;
        self.tools += 1;
    }

    /// Adds several tools of one toolset at once.
    pub fn add_part(&mut self, toolset: &'a str, part: &Arc<Part>) {
        let tools = part.members.len() as u64;
        let group = self.group(toolset);
        group.names = group.names.plus(part.names);
        group.tools += tools;
        group.parts.push(Arc::clone(part));
        self.tools += tools;
    }

    fn group(&mut self, toolset: &'a str) -> &mut Group {
        let label = toolset.strip_prefix("mcp-").unwrap_or(toolset);
        self.groups.entry(if label.is_empty() { "other" } else { label }).or_default()
    }

    /// The bridge's definitions for what was added. `line` says what the tool at a place of the catalog takes.
    pub fn bridge(
        &self,
        rules: &Rules,
        settings: &Settings,
        context_tokens: Option<u64>,
        connections: bool,
        line: &dyn Fn(usize) -> Line,
    ) -> Bridge {
        if !rules.tiered_listing {
            return Bridge { search_bytes: 676, describe_bytes: 373, call_bytes: 522 };
        }
        let (base, listing) =
            if settings.listing { self.listing(settings.budget(context_tokens), line) } else { (751, 0) };
        let more = if connections { 134 } else { 0 };
        let digits = self.tools.max(1).ilog10() as u64;
        Bridge { search_bytes: base + listing + more + digits, describe_bytes: 496, call_bytes: 713 }
    }

    /// The largest form that fits: every line, names only, then the longest groups of names as summaries one by one.
    /// Returns the size of `tool_search` around the listing, and the listing's bytes.
    fn listing(&self, budget: u64, line: &dyn Fn(usize) -> Line) -> (u64, u64) {
        let heading = |label: &str, group: &Group| Extent::around(label, group.tools, " tools ():");
        let whole = |body: &dyn Fn(&Group) -> Extent| {
            self.groups
                .iter()
                .fold(HEADER, |sum, (label, group)| sum.plus(LINE_FEED).plus(heading(label, group)).plus(body(group)))
        };
        let fits = |extent: Extent| extent.chars.div_ceil(4) <= budget;
        let mut text = whole(&Group::names_body);
        // A line is never shorter than the name in it, so the lines need a look only where the names fit.
        if fits(text) {
            let full = whole(&|group| group.full_body(line));
            return (881, if fits(full) { full.bytes } else { text.bytes });
        }
        let mut groups: Vec<_> = self.groups.iter().collect();
        groups.sort_by_cached_key(|(label, group)| {
            (std::cmp::Reverse(heading(label, group).plus(group.names_body()).chars), **label)
        });
        for (done, (label, group)) in groups.iter().enumerate() {
            let block = heading(label, group).plus(group.names_body());
            let summary =
                Extent::around(label, group.tools, " ( tools — names not listed; discover via `tool_search`)");
            text = Extent { chars: text.chars - block.chars, bytes: text.bytes - block.bytes }.plus(summary);
            if fits(text) {
                return (if done + 1 == groups.len() { 1015 } else { 1012 }, text.bytes);
            }
        }
        (751, 0)
    }
}

/// A tool's line in the full form: its name and the start of its description. `definition` is Python's JSON text.
pub fn short_line(name: &str, definition: &str) -> Line {
    let description = description(definition);
    let short = shorten(&description);
    let full = if short.is_empty() { format!("- {name}") } else { format!("- {name}: {short}") };
    Line { full: Extent::of(&full), name: Extent::of(name) }
}

/// The description inside a definition, read without parsing the rest of it.
fn description(definition: &str) -> String {
    const KEY: &str = "\"description\": ";
    let Some(start) = definition.find(KEY) else { return String::new() };
    // A tool without a description must not be given its first parameter's.
    if definition[..start].contains("\"parameters\": ") {
        return String::new();
    }
    let mut values = serde_json::Deserializer::from_str(&definition[start + KEY.len()..]).into_iter::<String>();
    values.next().and_then(Result::ok).unwrap_or_default()
}

/// The first sentence, at most 60 characters, cut at a word.
fn shorten(description: &str) -> String {
    let words = description.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut end = words.len();
    for (at, _) in words.match_indices(['.', '!', '?']) {
        let closes = words[at + 1..].chars().next().is_none_or(char::is_whitespace);
        let before = words[..at].to_lowercase();
        if closes && !["e.g", "i.e", "etc"].iter().any(|short| before.ends_with(short)) {
            end = at + 1;
            break;
        }
    }
    let sentence = &words[..end];
    let Some((cut, _)) = sentence.char_indices().nth(60) else { return sentence.to_owned() };
    let taken = &sentence[..cut];
    let taken = taken.rfind(' ').map_or(taken, |blank| &taken[..blank]);
    format!("{}…", taken.trim_end_matches([',', ';', ':', ' ']))
}

/// Estimated tokens of one bridge tool: its bytes are nearly all characters of its compact form.
pub fn est_tokens(bytes: u64) -> u64 {
    bytes.div_ceil(4)
}

/// The name Hermes registers a server's tool under: everything but letters, digits and `_` becomes `_`.
pub fn mcp_tool_name(server: &str, tool: &str) -> String {
    let plain = |text: &str| {
        text.chars()
            .map(|character| if character.is_ascii_alphanumeric() || character == '_' { character } else { '_' })
            .collect::<String>()
    };
    format!("mcp__{}__{}", plain(server), plain(tool))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Bridge, Enabled, Line, Load, Part, Settings, mcp_tool_name, short_line, shorten};
    use crate::engine::rules::Rules;
    use crate::engine::testing::config;

    fn settings(json: &str) -> Settings {
        Settings::read(&config(json), &Rules::v0_22())
    }

    /// Every line has been added by itself.
    fn no_part(_: usize) -> Line {
        panic!("no part was added")
    }

    #[test]
    fn tools_added_together_weigh_what_they_weigh_one_by_one() {
        let tools: Vec<(String, Line)> = (0..60)
            .map(|number| {
                let name = format!("mcp__big__tool_{number}");
                let line =
                    short_line(&name, r#"{"function": {"name": "x", "description": "Does \"one\" thing — well."}}"#);
                (name, line)
            })
            .collect();
        let (mut single, mut together) = (Load::default(), Load::default());
        let mut part = Part::default();
        for (place, (name, line)) in tools.iter().enumerate() {
            single.add("mcp-big", *line);
            part.add(place, name);
        }
        together.add_part("mcp-big", &Arc::new(part));
        for load in [&mut single, &mut together] {
            load.add("other", tools[0].1);
        }
        for max in [60_000, 900, 300, 200] {
            let settings = Settings { listing_max_tokens: max, ..settings("{}") };
            let bridge =
                |load: &Load<'_>| load.bridge(&Rules::v0_22(), &settings, Some(10_000_000), false, &|at| tools[at].1);
            assert_eq!(bridge(&single), bridge(&together), "{max}");
        }
    }

    #[test]
    fn settings_are_read_as_hermes_reads_them() {
        for (section, enabled) in [
            ("false", Enabled::Off),
            ("true", Enabled::Auto),
            ("null", Enabled::Auto),
            ("\"off\"", Enabled::Auto),
            ("{}", Enabled::Auto),
            ("{\"enabled\": \" OFF \"}", Enabled::Off),
            ("{\"enabled\": false}", Enabled::Off),
            ("{\"enabled\": 1}", Enabled::On),
            ("{\"enabled\": \"yes\"}", Enabled::On),
            ("{\"enabled\": \"maybe\"}", Enabled::Auto),
        ] {
            let text = format!("{{\"tools\": {{\"tool_search\": {section}}}}}");
            assert_eq!(settings(&text).enabled, enabled, "{section}");
        }
        let odd = settings(
            r#"{"tools": {"tool_search": {"threshold_pct": 300, "listing_max_tokens": 5, "listing": "off"}}}"#,
        );
        assert_eq!((odd.threshold_pct, odd.listing_max_tokens, odd.listing), (100.0, 200, false));
        assert_eq!(Settings::read(&config("{}"), &Rules::v0_19()).threshold_pct, 10.0);
    }

    #[test]
    fn older_hermes_waits_for_the_threshold_and_newer_does_not() {
        let (old, new) = (Rules::v0_19(), Rules::v0_22());
        let auto = Settings::read(&config("{}"), &old);
        // Ten percent of the window of 1,000 tokens is 100 tokens, which are 400 characters.
        assert!(!auto.activates(&old, 1, 396, Some(1000)));
        assert!(auto.activates(&old, 1, 397, Some(1000)));
        assert!(!auto.activates(&old, 1, 79_996, None));
        assert!(auto.activates(&old, 1, 79_997, None));
        assert!(auto.activates(&new, 1, 4, Some(1_000_000)));
        assert!(!auto.activates(&new, 0, 0, None));
        let off = Settings { enabled: Enabled::Off, ..auto };
        assert!(!off.activates(&new, 9, 90_000, None));
    }

    #[test]
    fn a_listing_of_four_tools_has_the_bytes_measured_on_hermes() {
        // Contract: heading and tool lines of 18+71, 25+73, 19+79 and 15+62 bytes, two bytes a line feed.
        let mut load = Load::default();
        for (toolset, name, bytes) in [
            ("terminal", "process_manage", 71),
            ("session_search", "session_search", 73),
            ("browser", "browser_vault", 79),
            ("todo", "todo_list", 62),
        ] {
            let full = super::Extent { chars: bytes, bytes };
            load.add(toolset, super::Line { full, name: super::Extent::of(name) });
        }
        let headings: u64 =
            ["terminal tools (1):", "session_search tools (1):", "browser tools (1):", "todo tools (1):"]
                .iter()
                .map(|heading| heading.len() as u64)
                .sum();
        let listing = 81 + headings + 71 + 73 + 79 + 62 + 8 * 2;
        let bridge = load.bridge(&Rules::v0_22(), &settings("{}"), Some(200_000), false, &no_part);
        assert_eq!(bridge, Bridge { search_bytes: 881 + listing, describe_bytes: 496, call_bytes: 713 });
        let with_connections = load.bridge(&Rules::v0_22(), &settings("{}"), Some(200_000), true, &no_part);
        assert_eq!(with_connections.search_bytes, bridge.search_bytes + 134);
    }

    #[test]
    fn the_listing_shrinks_to_its_budget() {
        let mut load = Load::default();
        for number in 0..400 {
            let name = format!("mcp__big__tool_number_{number}");
            let line = short_line(
                &name,
                r#"{"type": "function", "function": {"name": "x", "description": "Does one thing well and says so at length."}}"#,
            );
            load.add(if number % 40 == 0 { "mcp-small" } else { "mcp-big" }, line);
        }
        let bytes = |max: u64| {
            let settings = Settings { listing_max_tokens: max, ..settings("{}") };
            load.bridge(&Rules::v0_22(), &settings, Some(10_000_000), false, &no_part).search_bytes
        };
        let sizes: Vec<u64> = [60_000, 4_000, 500, 100, 10].map(bytes).to_vec();
        assert!(sizes.is_sorted_by(|more, less| more > less), "{sizes:?}");
        assert_eq!(sizes[4], 751 + 2, "no form fits: the bare bridge and a count of three digits");
    }

    #[test]
    fn descriptions_are_cut_at_the_sentence_and_at_sixty_characters() {
        assert_eq!(shorten("Reads  a\nfile. Then more."), "Reads a file.");
        assert_eq!(shorten("Takes e.g. paths. More."), "Takes e.g. paths.");
        assert_eq!(shorten("v1.2 is read"), "v1.2 is read");
        let long = shorten("A sentence that goes on for quite a while, and on, and then on and on");
        assert_eq!(long, "A sentence that goes on for quite a while, and on, and then…");
        assert_eq!(
            short_line("t", r#"{"function": {"name": "t", "parameters": {"properties": {"description": "x"}}}}"#)
                .full
                .chars,
            3
        );
    }

    #[test]
    fn servers_and_tools_are_joined_into_one_name() {
        assert_eq!(mcp_tool_name("my-server", "do.it é"), "mcp__my_server__do_it__");
    }
}
