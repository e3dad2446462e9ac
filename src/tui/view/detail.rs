//! What the focused row is: why it is on or off, where else, what it costs, what is unavailable and why.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::derive;
use crate::app::state::{Asked, State};
use crate::app::tree::Spot;
use crate::engine::assembly::Fate;
use crate::engine::catalog::{ListSource, Tool, ToolsetKind};
use crate::engine::lint;
use crate::engine::meter::Figure;
use crate::engine::provider::Provider;
use crate::engine::report::{Meter, ServerRow, Severity, ToolRow, ToolsetRow};
use crate::engine::server::probe::ProbeState;
use crate::engine::text::visible;
use crate::tui::figure;
use crate::tui::layout::Areas;
use crate::tui::widget::line;

use super::Look;

/// How many tools are named before the rest is counted.
const TOOLS_NAMED: usize = 60;

pub(super) type Lines = Vec<Vec<(String, Style)>>;

pub(super) fn draw_beside(buffer: &mut Buffer, state: &State, look: &Look<'_>, areas: &Areas) {
    if areas.detail.width == 0 {
        return;
    }
    for y in areas.divider.y..areas.divider.bottom() {
        buffer.set_string(areas.divider.x, y, look.glyphs.vertical, look.theme.border);
    }
    draw_lines(buffer, areas.detail, &lines(state, look, usize::from(areas.detail.width)), state.detail_scroll, look);
}

/// Draws lines from a scroll position, which is held to the last page; says so when there is more.
pub(super) fn draw_lines(buffer: &mut Buffer, area: Rect, lines: &Lines, scroll: usize, look: &Look<'_>) {
    let height = usize::from(area.height);
    let scroll = scroll.min(lines.len().saturating_sub(height));
    for (row, pieces) in lines.iter().skip(scroll).take(height).enumerate() {
        if let Ok(row) = u16::try_from(row) {
            line::draw(buffer, Rect { y: area.y + row, height: 1, ..area }, pieces);
        }
    }
    if lines.len() > scroll + height && height > 1 {
        let left = format!("{} {} more", look.glyphs.more, lines.len() - scroll - height + 1);
        let at = Rect { y: area.bottom() - 1, height: 1, ..area };
        line::draw(buffer, at, &[(line::left(&left, usize::from(area.width), ""), look.theme.dim)]);
    }
}

/// The details of the focused row, wrapped.
pub(super) fn lines(state: &State, look: &Look<'_>, cols: usize) -> Lines {
    let mut page = Page { lines: Vec::new(), look, cols };
    let report = &state.derived.now;
    match state.tree.spot() {
        None => {}
        Some(Spot::Toolsets) => overview(&mut page, state),
        Some(Spot::Servers) => servers(&mut page, state),
        Some(Spot::NoMcp) => {
            page.title("no_mcp", "a word in the platform's list");
            page.text(&format!(
                "With it, no MCP server counts for {}, whatever else is listed. Hermes leaves it alone until you take it out.",
                state.platform_label()
            ));
        }
        Some(Spot::Bridge) => {
            page.title("(bridge)", "tool_search, tool_describe, tool_call");
            page.text("Sent instead of deferred tools: the model finds and calls them through these.");
            if let Some(row) = &report.bridge {
                cost(&mut page, state, &row.meter);
                tools(&mut page, &row.tools);
            }
        }
        Some(Spot::Toolset(idx)) => toolset(&mut page, state, &report.toolsets[idx]),
        Some(Spot::Server(idx)) => server(&mut page, state, &report.servers[idx]),
        Some(Spot::Tool(idx, tool)) => {
            let owner = &report.toolsets[idx];
            one_tool(&mut page, state, &owner.tools[tool], &format!("tool of {}", owner.key));
        }
        Some(Spot::ServerTool(idx, tool)) => {
            let owner = &report.servers[idx];
            one_tool(&mut page, state, &owner.tools[tool], &format!("tool of server {}", owner.name));
        }
    }
    page.lines
}

struct Page<'a> {
    lines: Lines,
    look: &'a Look<'a>,
    cols: usize,
}

impl Page<'_> {
    fn title(&mut self, name: &str, what: &str) {
        let name = line::clip(&visible(name), self.cols, self.look.glyphs.more);
        self.lines.push(vec![(name, self.look.theme.title)]);
        for text in line::wrap(&visible(what), self.cols) {
            self.lines.push(vec![(text, self.look.theme.dim)]);
        }
    }

    fn text(&mut self, text: &str) {
        self.gap();
        self.styled(text, Style::new());
    }

    fn styled(&mut self, text: &str, style: Style) {
        for text in line::wrap(&visible(text), self.cols) {
            self.lines.push(vec![(text, style)]);
        }
    }

    fn heading(&mut self, text: &str) {
        self.gap();
        self.lines.push(vec![(text.to_owned(), self.look.theme.heading)]);
    }

    fn gap(&mut self) {
        if !self.lines.is_empty() {
            self.lines.push(Vec::new());
        }
    }

    /// A label on the left, a figure on the right of a column.
    fn pair(&mut self, label: &str, bytes: Figure, tokens: Figure) {
        // Narrower beside a list of 80 columns, where all of it must fit.
        let (label_cols, bytes_cols, tokens_cols) = if self.cols < 37 { (12, 9, 10) } else { (14, 11, 12) };
        let label = line::left(label, label_cols, "");
        let bytes = line::right(&format!("{} B", figure::figure(bytes)), bytes_cols);
        let tokens = line::right(&format!("{} tok", figure::figure(tokens)), tokens_cols);
        self.lines.push(vec![
            (label, self.look.theme.dim),
            (bytes, self.look.theme.figure),
            (tokens, self.look.theme.figure),
        ]);
    }
}

fn overview(page: &mut Page<'_>, state: &State) {
    let report = &state.derived.now;
    page.title(
        &state.platform_label(),
        &format!("{}, as its {} conversations find it", state.platform, report.surface.as_str()),
    );
    page.text(&format!(
        "{} of {} toolsets and {} of {} MCP servers are on. Their tools are sent with every call.",
        report.totals.toolsets_on, report.totals.toolsets, report.totals.servers_on, report.totals.servers
    ));
    let heaviest = heaviest(state);
    if !heaviest.is_empty() {
        page.heading("Heaviest");
        for (name, meter) in heaviest {
            let name = line::clip(&name, 16, page.look.glyphs.more);
            page.pair(&format!("{name} "), meter.wire_bytes, best_tokens(&meter));
        }
    }
    findings(page, state);
    if !report.selection.stripped.is_empty() {
        page.heading("Stripped by agent.disabled_toolsets");
        let names: Vec<String> =
            report.selection.stripped.iter().map(|(tool, entry)| format!("{tool} ({entry})")).collect();
        page.styled(&names.join(", "), Style::new());
    }
}

fn heaviest(state: &State) -> Vec<(String, Meter)> {
    let report = &state.derived.now;
    let toolsets = report.toolsets.iter().map(|row| (row.key.to_string(), row.meter));
    let servers = report.servers.iter().map(|row| (row.name.to_string(), row.meter));
    let bridge = report.bridge.iter().map(|row| ("(bridge)".to_owned(), row.meter));
    let mut rows: Vec<(String, Meter)> = toolsets
        .chain(servers)
        .chain(bridge)
        .filter(|(_, meter)| meter.wire_bytes.value().is_some_and(|bytes| bytes > 0))
        .collect();
    rows.sort_by_key(|(_, meter)| std::cmp::Reverse(meter.wire_bytes.value()));
    rows.truncate(6);
    rows
}

fn findings(page: &mut Page<'_>, state: &State) {
    let findings = &state.derived.now.findings;
    if findings.is_empty() {
        return;
    }
    page.heading("About the file");
    let theme = page.look.theme;
    for finding in findings {
        let style = match finding.severity {
            Severity::Error => theme.error,
            Severity::Warning => theme.warning,
            Severity::Note => Style::new(),
        };
        page.styled(&format!("{}: {}", finding.place, finding.text), style);
    }
}

fn servers(page: &mut Page<'_>, state: &State) {
    let totals = &state.derived.now.totals;
    page.title("MCP servers", "from mcp_servers in config.yaml");
    page.text(&format!("{} of {} are on for {}.", totals.servers_on, totals.servers, state.platform_label()));
    page.text("Space switches a server for this platform only; E switches it everywhere. A server's tools are filtered for all platforms at once.");
    if !totals.servers_without_list.is_empty() {
        page.heading("Tools not known");
        let names: Vec<&str> = totals.servers_without_list.iter().map(|name| name.as_str()).collect();
        page.styled(
            &format!("{}. Their tools are in no figure. Hermes learns them when it next connects.", names.join(", ")),
            Style::new(),
        );
    }
}

fn toolset(page: &mut Page<'_>, state: &State, row: &ToolsetRow) {
    let kind = match row.kind {
        ToolsetKind::Builtin => "toolset",
        ToolsetKind::Plugin => "toolset of a plugin",
        ToolsetKind::Mcp => "toolset of an MCP server",
        ToolsetKind::Bundle => "bundle of toolsets",
    };
    let what =
        if row.label.is_empty() { kind.to_owned() } else { format!("{}, {kind}", derive::plain_label(&row.label)) };
    page.title(row.key.as_str(), &what);
    if let Some(text) = derive::description(state, &row.key) {
        page.text(text);
    }
    page.text(&derive::reason_text(row.on, &row.reason));
    unsaved(
        page,
        state,
        state.derived.saved.toolsets.iter().find(|known| known.key == row.key).map(|known| known.on),
        row.on,
    );
    if let Some(reason) = &row.locked {
        page.styled(&format!("No switch here: {reason}."), page.look.theme.warning);
    }
    if row.on && row.sent == 0 && !row.tools.is_empty() {
        page.styled("On, but sends nothing itself.", page.look.theme.warning);
    }
    cost(page, state, &row.meter);
    saves(page, state, row.key.as_str(), false);
    also_on(page, state, row.key.as_str(), false);
    tools(page, &row.tools);
}

fn server(page: &mut Page<'_>, state: &State, row: &ServerRow) {
    page.title(row.name.as_str(), &format!("MCP server over {}", row.transport.as_str()));
    page.text(&derive::reason_text(row.on, &row.reason));
    unsaved(
        page,
        state,
        state.derived.saved.servers.iter().find(|known| known.name == row.name).map(|known| known.on),
        row.on,
    );
    let list = match &row.list {
        Some((ListSource::SchemaCache, _)) if row.stale => {
            "Tools as Hermes last saw them, with settings that have changed since."
        }
        Some((ListSource::SchemaCache, _)) => "Tools as Hermes last saw them.",
        Some((ListSource::Probe, _)) if row.stale => "Tools as it told them under other settings.",
        Some((ListSource::Probe, _)) => "Tools as it told them when it was asked.",
        Some((ListSource::Filter, _)) => "Only the names in its own filter are known.",
        None => "Its tools are not known, so no figure includes them. Ask it, or let Hermes connect to it once.",
    };
    page.text(list);
    asked(page, state, row);
    cost(page, state, &row.meter);
    saves(page, state, row.name.as_str(), true);
    also_on(page, state, row.name.as_str(), true);
    tools(page, &row.tools);
}

/// What came of asking it.
fn asked(page: &mut Page<'_>, state: &State, row: &ServerRow) {
    let probe = match state.asked.get(&row.name) {
        None => return,
        Some(Asked::Waiting) => return page.styled("Being asked now.", page.look.theme.accent),
        Some(Asked::Answered(probe)) => probe,
    };
    let seconds = figure::seconds(probe.took_ms);
    match &probe.state {
        ProbeState::Ready(listing) => {
            let software = listing.software.as_deref().map(|name| format!(" ({name})")).unwrap_or_default();
            page.text(&format!("Asked: {} tools in {seconds}{software}.", listing.tools.len()));
            for note in &listing.notes {
                page.styled(&format!("{note}."), page.look.theme.warning);
            }
        }
        ProbeState::Failed { why } => page.styled(&format!("Asked: {why}, after {seconds}."), page.look.theme.error),
        ProbeState::NeedsLogin { why } => page.styled(&format!("Asked: {why}."), page.look.theme.warning),
        ProbeState::Cancelled => page.text("Asking was called off."),
    }
    for line in &probe.said {
        page.styled(&format!("stderr: {line}"), page.look.theme.dim);
    }
}

fn one_tool(page: &mut Page<'_>, state: &State, row: &ToolRow, what: &str) {
    let name = row.original_name.as_deref().unwrap_or(row.name.as_str());
    page.title(name, what);
    if row.original_name.is_some() {
        page.styled(&format!("sent as {}", row.name), page.look.theme.dim);
    }
    let why = row.why.as_ref().map_or_else(String::new, |why| format!(": {why}"));
    page.text(&match row.fate {
        Fate::Eager => "Sent whole with every call.".to_owned(),
        Fate::Deferred => "Deferred: behind the bridge, only its line in the listing is sent.".to_owned(),
        Fate::Unavailable => format!("Not sent, its check failed{why}."),
        Fate::Off => format!("Not sent, off{why}."),
        Fate::Filtered => format!("Not sent, left out by the server's filter{why}."),
    });
    cost(page, state, &row.meter);
    if let Some(tool) = state.catalog.tool(row.name.as_str()) {
        oddities(page, state, tool);
        page.heading("As the model reads it");
        page.styled(&description_of(tool.definition.text()), Style::new());
    }
}

/// What is odd about the tool itself.
fn oddities(page: &mut Page<'_>, state: &State, tool: &Tool) {
    let found = lint::tool(tool, None, Provider::of(state.catalog.facts()));
    if found.is_empty() {
        return;
    }
    page.heading("Odd about it");
    for lint in found {
        let style = if lint.severity >= Severity::Warning { page.look.theme.warning } else { Style::new() };
        let place = if lint.place.is_empty() { String::new() } else { format!(" at {}", lint.place) };
        page.styled(&format!("{}{place}: {}", lint.rule.as_str(), lint.text), style);
    }
}

/// The description inside a definition; the whole definition where it has none.
fn description_of(definition: &str) -> String {
    let value: Option<serde_json::Value> = serde_json::from_str(definition).ok();
    value
        .as_ref()
        .and_then(|value| value.pointer("/function/description").or_else(|| value.get("description")))
        .and_then(serde_json::Value::as_str)
        .unwrap_or(definition)
        .to_owned()
}

fn unsaved(page: &mut Page<'_>, state: &State, saved: Option<bool>, now: bool) {
    if saved.is_some_and(|saved| saved != now) && !state.draft.is_empty() {
        let (was, is) = if now { ("off", "on") } else { ("on", "off") };
        page.styled(&format!("Unsaved: {was} in the file, {is} with your draft."), page.look.theme.changed);
    }
}

fn best_tokens(meter: &Meter) -> Figure {
    if meter.tokens.value().is_some() { meter.tokens } else { meter.est_tokens }
}

fn cost(page: &mut Page<'_>, state: &State, meter: &Meter) {
    page.heading("Cost of every call");
    page.pair("schema", meter.schema_bytes, Figure::Unknown);
    page.pair("on the wire", meter.wire_bytes, best_tokens(meter));
    let total = state.derived.now.totals.json_bytes.value();
    if let (Some(bytes), Some(total)) = (meter.wire_bytes.value(), total)
        && let Some(share) = derive::percent(bytes, total)
    {
        page.styled(&format!("{share:.1} % of what is sent"), page.look.theme.dim);
    }
}

/// What switching it off alone would save, and why that may be nothing.
fn saves(page: &mut Page<'_>, state: &State, key: &str, is_server: bool) {
    let Some(row) = derive::saving(state, key, is_server) else { return };
    page.heading("Switching it off alone");
    let part = |delta: Option<i64>, unit: &str| {
        delta
            .filter(|delta| *delta != 0)
            .map(|delta| format!("{} {unit}", figure::delta(Some((delta, row.delta.sure)))))
    };
    let parts = [
        part(row.delta.tools, "tools"),
        part(row.delta.json_bytes, "B"),
        part(row.delta.tokens.or(row.delta.est_tokens), "tok"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let text = if parts.is_empty() { "saves nothing".to_owned() } else { parts.join("  ") };
    page.styled(&text, page.look.theme.less);
    page.styled(&row.why, page.look.theme.dim);
}

fn also_on(page: &mut Page<'_>, state: &State, key: &str, is_server: bool) {
    let places = derive::on_elsewhere(state, key, is_server);
    let text =
        if places.is_empty() { "on no other platform in use".to_owned() } else { format!("on {}", places.join(", ")) };
    page.heading("Also");
    page.styled(&text, Style::new());
}

/// Tools by what becomes of them, unavailable ones with the reason.
fn tools(page: &mut Page<'_>, rows: &[ToolRow]) {
    if rows.is_empty() {
        return;
    }
    let name = |row: &ToolRow| row.original_name.as_deref().unwrap_or(row.name.as_str()).to_owned();
    for (fate, title) in [
        (Fate::Eager, "Sent whole"),
        (Fate::Deferred, "Deferred behind the bridge"),
        (Fate::Off, "Off"),
        (Fate::Filtered, "Left out by the filter"),
    ] {
        let names: Vec<String> = rows.iter().filter(|row| row.fate == fate).map(name).collect();
        if names.is_empty() {
            continue;
        }
        page.heading(&format!("{title} ({})", names.len()));
        let more =
            if names.len() > TOOLS_NAMED { format!(", and {} more", names.len() - TOOLS_NAMED) } else { String::new() };
        page.styled(&format!("{}{more}", names[..names.len().min(TOOLS_NAMED)].join(", ")), Style::new());
    }
    let missing: Vec<&ToolRow> = rows.iter().filter(|row| row.fate == Fate::Unavailable).collect();
    if !missing.is_empty() {
        page.heading(&format!("Unavailable ({})", missing.len()));
        for row in missing.iter().take(TOOLS_NAMED) {
            let why = row.why.as_deref().unwrap_or("its check failed");
            page.styled(&format!("{}: {why}", name(row)), page.look.theme.trouble);
        }
    }
}
