//! What is shown, computed from what is known: the saved report, the draft's report, and the figures between them.
//!
//! One place for numbers: views format them and never calculate.

use std::sync::Arc;

use crate::engine::assembly::disclosure::Disclosure;
use crate::engine::assembly::host::Defaults;
use crate::engine::assembly::settings::Settings;
use crate::engine::assembly::{Assembly, Fate};
use crate::engine::draft::{Draft, Target};
use crate::engine::ids::{PlatformKey, ToolsetKey};
use crate::engine::meter::Figure;
use crate::engine::plan::{self, NewValue, Plan, Refusal};
use crate::engine::report::ablate::AblateRow;
use crate::engine::report::preview::Preview;
use crate::engine::report::{self, Inputs, PlatformReport, ServerRow, ToolRow, ToolsetRow};
use crate::engine::rules::Rules;
use crate::engine::selection::{Reason, Saved, Selection, select};
use crate::engine::value::Value;

use super::modal::Modal;
use super::panes::SettingsPane;
use super::state::State;
use super::tree::Spot;

/// The derived half of the state.
#[derive(Clone, Debug)]
pub struct Derived {
    /// As the file says.
    pub saved: Arc<PlatformReport>,
    /// With the draft.
    pub now: Arc<PlatformReport>,
    /// The edits the draft stands for.
    pub plan: Plan,
    /// The config after them.
    pub planned: Arc<Value>,
    /// Platforms the file has a list for.
    pub saved_platforms: Vec<PlatformKey>,
    /// What is on elsewhere: platforms in use, the one on show included.
    pub elsewhere: Arc<Vec<(String, Selection)>>,
    /// `no_mcp` is in this platform's list.
    pub no_mcp: bool,
    /// Hermes confirmed the figures of the draft.
    pub is_confirmed: bool,
}

impl Derived {
    pub(crate) fn empty(platform: &PlatformKey) -> Self {
        let config = Value::empty_map();
        let report = Arc::new(PlatformReport {
            platform: platform.clone(),
            surface: crate::engine::catalog::Surface::of_platform(platform.as_str()),
            selection: Selection {
                platform: platform.clone(),
                saved: Saved::Absent,
                entries: Vec::new(),
                stripped: Vec::new(),
            },
            toolsets: Vec::new(),
            servers: Vec::new(),
            bridge: None,
            disclosure: Disclosure::of_nothing(Settings::default_of(&Defaults::of(&Rules::v0_22()))),
            totals: report::Totals {
                tools: Figure::Unknown,
                json_bytes: Figure::Unknown,
                framing_bytes: Figure::Unknown,
                est_tokens: Figure::Unknown,
                tokens: Figure::Unknown,
                toolsets_on: 0,
                toolsets: 0,
                servers_on: 0,
                servers: 0,
                servers_without_list: Vec::new(),
            },
            findings: Vec::new(),
            context_tokens: None,
        });
        Self {
            saved: Arc::clone(&report),
            now: report,
            plan: Plan::default(),
            planned: Arc::new(config),
            saved_platforms: Vec::new(),
            elsewhere: Arc::default(),
            no_mcp: false,
            is_confirmed: false,
        }
    }
}

impl State {
    /// Recomputes everything: after a start, a platform switch, a new catalog or file.
    pub(crate) fn derive_all(&mut self) {
        let saved = self.report(self.document.value(), self.confirmed(&[]).as_deref());
        self.derived.saved = Arc::new(saved);
        self.derived.saved_platforms = saved_platforms(self.document.value());
        self.derive_draft();
    }

    /// Recomputes what depends on the draft.
    pub(crate) fn derive_draft(&mut self) {
        let plan = self.plan_of(&self.draft).unwrap_or_default();
        self.set_plan(plan);
    }

    /// Takes a plan as the draft's and recomputes what depends on it.
    pub(crate) fn set_plan(&mut self, plan: Plan) {
        let confirmed = self.confirmed(&plan.ops);
        self.derived.is_confirmed = confirmed.is_some();
        if plan.ops.is_empty() {
            self.derived.planned = Arc::new(self.document.value().clone());
            self.derived.now = Arc::clone(&self.derived.saved);
        } else {
            let planned = plan::apply(self.document.value(), &plan.ops);
            self.derived.now = Arc::new(self.report(&planned, confirmed.as_deref()));
            self.derived.planned = Arc::new(planned);
        }
        self.derived.plan = plan;
        self.derived.no_mcp = has_no_mcp(&self.derived.now.selection);
        self.derived.elsewhere = Arc::new(self.elsewhere());
        self.rebuild_rows();
        self.refresh_sheet();
    }

    /// Figures that arrive while the view is open belong in it.
    fn refresh_sheet(&mut self) {
        let shows = |modal: &Modal| matches!(modal, Modal::Sheet(_) | Modal::Settings(_));
        let Some(at) = self.modals.iter().position(shows) else { return };
        let fresh = match &self.modals[at] {
            Modal::Sheet(sheet) => Modal::Sheet(Box::new(sheet.refreshed(self))),
            Modal::Settings(pane) => {
                Modal::Settings(SettingsPane { larger: self.preview_of_draft().larger, ..pane.clone() })
            }
            _ => return,
        };
        self.modals[at] = fresh;
    }

    /// Recomputes the rows alone: filter or open rows changed.
    pub(crate) fn rebuild_rows(&mut self) {
        let report = Arc::clone(&self.derived.now);
        self.tree.rebuild(&report, &self.filter.text);
        self.tree.keep_visible(self.viewport.list_rows);
    }

    pub(crate) fn plan_of(&self, draft: &Draft) -> Result<Plan, Box<Refusal>> {
        if draft.is_empty() {
            return Ok(Plan::default());
        }
        plan::plan(self.document.value(), &self.catalog, draft).map_err(Box::new)
    }

    fn report(&self, config: &Value, assembly: Option<&Assembly>) -> PlatformReport {
        self.report_of(config, &self.platform, assembly)
    }

    /// The report of any platform, on the surface its conversations have.
    pub(crate) fn report_of(
        &self,
        config: &Value,
        platform: &PlatformKey,
        assembly: Option<&Assembly>,
    ) -> PlatformReport {
        report::platform(&self.inputs(config, platform, assembly))
    }

    fn inputs<'i>(
        &'i self,
        config: &'i Value,
        platform: &'i PlatformKey,
        assembly: Option<&'i Assembly>,
    ) -> Inputs<'i> {
        let surface =
            self.forced_surface.unwrap_or_else(|| crate::engine::catalog::Surface::of_platform(platform.as_str()));
        Inputs {
            catalog: &self.catalog,
            config,
            platform,
            surface,
            assembly,
            counts: &self.counts,
            context_tokens: self.context_tokens(),
        }
    }

    /// What figures with the draft are made from, without Hermes' answer.
    pub(crate) fn inputs_of_draft(&self) -> Inputs<'_> {
        self.inputs(&self.derived.planned, &self.platform, None)
    }

    /// What the model sees with the draft.
    pub(crate) fn preview_of_draft(&self) -> Preview {
        let confirmed = self.confirmed(&self.derived.plan.ops);
        self.preview(&self.derived.planned, confirmed.as_deref(), &self.derived.now)
    }

    /// What it sees by the file.
    pub(crate) fn preview_of_file(&self) -> Preview {
        self.preview(self.document.value(), self.confirmed(&[]).as_deref(), &self.derived.saved)
    }

    fn preview(&self, config: &Value, assembly: Option<&Assembly>, report: &PlatformReport) -> Preview {
        Preview::new(&self.inputs(config, &self.platform, assembly), report)
    }

    fn elsewhere(&self) -> Vec<(String, Selection)> {
        let facts = self.catalog.facts();
        let in_use = |key: &PlatformKey| {
            *key == self.platform || facts.enabled_platforms.contains(key) || self.derived.saved_platforms.contains(key)
        };
        self.platforms()
            .into_iter()
            .filter(in_use)
            .map(|key| {
                let label = self
                    .catalog
                    .platform(key.as_str())
                    .map_or_else(|| key.to_string(), |platform| plain_label(&platform.label).to_owned());
                let selection = if key == self.platform {
                    self.derived.now.selection.clone()
                } else {
                    select(&self.derived.planned, &self.catalog, &key)
                };
                (label, selection)
            })
            .collect()
    }

    /// What a target is according to the file.
    pub(crate) fn saved_state(&self, target: &Target) -> bool {
        plan::state(self.document.value(), &self.catalog, target)
    }

    /// What a target is with the draft.
    pub(crate) fn drafted_state(&self, target: &Target) -> bool {
        self.draft.wish(target).unwrap_or_else(|| plan::state(&self.derived.planned, &self.catalog, target))
    }

    /// What Space switches on a row, or why nothing can be switched there.
    pub fn target(&self, spot: Spot) -> Result<Target, String> {
        let report = &self.derived.now;
        match spot {
            Spot::Toolsets | Spot::Servers => {
                Err("a heading has no switch; `a` switches everything shown below".into())
            }
            Spot::Bridge => {
                Err("the bridge comes and goes with deferred tools; `tools.tool_search` in config.yaml decides".into())
            }
            Spot::NoMcp => Ok(Target::NoMcp(self.platform.clone())),
            Spot::Toolset(idx) => {
                let row = &report.toolsets[idx];
                match &row.locked {
                    Some(reason) => Err(format!("{} cannot be switched here: {reason}", row.key)),
                    None => Ok(Target::Toolset(self.platform.clone(), row.key.clone())),
                }
            }
            Spot::Tool(idx, tool) => {
                let row = &report.toolsets[idx];
                Err(format!(
                    "Hermes has no switch for {} alone; it comes with the toolset {}",
                    row.tools[tool].name, row.key
                ))
            }
            Spot::Server(idx) => Ok(Target::ServerOn(self.platform.clone(), report.servers[idx].name.clone())),
            Spot::ServerTool(idx, tool) => {
                let row = &report.servers[idx];
                match &row.tools[tool].original_name {
                    Some(name) => Ok(Target::ServerTool(row.name.clone(), name.to_string())),
                    None => Err(format!("the server's own name of {} is not known", row.tools[tool].name)),
                }
            }
        }
    }
}

fn has_no_mcp(selection: &Selection) -> bool {
    matches!(&selection.saved, Saved::List(items) if items.iter().any(|item| item == "no_mcp"))
}

fn saved_platforms(config: &Value) -> Vec<PlatformKey> {
    config
        .get("platform_toolsets")
        .and_then(Value::as_map)
        .into_iter()
        .flatten()
        .map(|(key, _)| PlatformKey::from(key.py_str().as_ref()))
        .collect()
}

/// How much of a thing is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    On,
    Off,
    /// Some of its tools are left out by a filter or a deny.
    Partial,
    /// On, but something is wrong with it.
    Trouble,
    /// Has no state of its own.
    None,
}

impl Check {
    pub fn of_toolset(row: &ToolsetRow) -> Self {
        match (row.on, row.tools.iter().filter(|tool| tool.fate == Fate::Off).count()) {
            (false, _) => Self::Off,
            (true, 0) => Self::On,
            (true, stripped) if stripped == row.tools.len() => Self::Off,
            (true, _) => Self::Partial,
        }
    }

    pub fn of_server(row: &ServerRow) -> Self {
        let left_out = row.tools.iter().filter(|tool| matches!(tool.fate, Fate::Filtered | Fate::Off)).count();
        match row.on {
            false => Self::Off,
            true if row.list.is_none() => Self::Trouble,
            true if left_out > 0 => Self::Partial,
            true => Self::On,
        }
    }
}

/// A word for what becomes of several tools together: `eager`, `eager 1 of 13`, `unavailable`.
pub fn fate_of(tools: &[ToolRow], on: bool) -> String {
    if !on {
        return "off".into();
    }
    if tools.is_empty() {
        return "no tools".into();
    }
    let count = |fate: Fate| tools.iter().filter(|tool| tool.fate == fate).count();
    for (fate, word) in [
        (Fate::Eager, "eager"),
        (Fate::Deferred, "deferred"),
        (Fate::Unavailable, "unavailable"),
        (Fate::Filtered, "filtered"),
    ] {
        let number = count(fate);
        if number == tools.len() {
            return word.into();
        }
        if number > 0 {
            return format!("{word} {number} of {}", tools.len());
        }
    }
    "stripped".into()
}

/// The difference of two figures, as sure as the less sure one. `None` when either is unknown.
pub fn delta(before: Figure, after: Figure) -> Option<(i64, bool)> {
    let (old, new) = (before.value()?, after.value()?);
    let difference = i64::try_from(new).ok()? - i64::try_from(old).ok()?;
    Some((difference, before.is_sure() && after.is_sure()))
}

/// A part of a whole in percent.
pub fn percent(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| {
        #[expect(clippy::cast_precision_loss, reason = "a share on screen has one decimal")]
        let share = part as f64 * 100.0 / whole as f64;
        share
    })
}

/// Why something is on or off, as a sentence.
pub fn reason_text(on: bool, reason: &Reason) -> String {
    format!("{}: {reason}.", if on { "On" } else { "Off" })
}

/// What switching a toolset or server off would save, once that is worked out.
pub fn saving<'a>(state: &'a State, key: &str, is_server: bool) -> Option<&'a AblateRow> {
    let rows = state.savings.rows.as_deref()?;
    rows.iter().find(|row| row.is_server == is_server && row.name == key)
}

/// A target in words: what a notice or an undo is about.
pub fn target_text(target: &Target, on: bool) -> String {
    let state = if on { "on" } else { "off" };
    match target {
        Target::Toolset(platform, key) => format!("{key} {state} for {platform}"),
        Target::ServerOn(platform, name) => format!("server {name} {state} for {platform}"),
        Target::Server(name) => format!("server {name} {state} everywhere"),
        Target::ServerTool(server, tool) => format!("{server}:{tool} {state}"),
        Target::NoMcp(platform) if on => format!("no MCP servers for {platform}"),
        Target::NoMcp(platform) => format!("MCP servers allowed for {platform}"),
        Target::Setting(setting, Some(value)) => format!("tool search: {} {}", setting.key(), typed(value)),
        Target::Setting(setting, None) => format!("tool search: {} by default", setting.key()),
    }
}

/// A value as it would be typed.
pub fn typed(value: &NewValue) -> String {
    match value {
        NewValue::Null => "null".to_owned(),
        NewValue::Bool(on) => if *on { "on" } else { "off" }.to_owned(),
        NewValue::List(names) if names.is_empty() => "none".to_owned(),
        NewValue::List(names) => names.join(", "),
        NewValue::Int(number) => number.to_string(),
        NewValue::Decimal(text) | NewValue::Word(text) => text.clone(),
    }
}

/// Where a toolset or server is on, by platform label; the platform on show is left out.
pub fn on_elsewhere<'a>(state: &'a State, key: &str, is_server: bool) -> Vec<&'a str> {
    state
        .derived
        .elsewhere
        .iter()
        .filter(|(_, selection)| selection.platform != state.platform)
        .filter(|(_, selection)| {
            selection.entries.iter().any(|entry| entry.is_server == is_server && entry.on && entry.key.as_str() == key)
        })
        .map(|(label, _)| label.as_str())
        .collect()
}

/// A label without the pictures Hermes puts in front: terminals disagree about their width.
pub fn plain_label(label: &str) -> &str {
    label.trim_start_matches(|letter: char| !letter.is_alphanumeric() && letter != '(').trim()
}

/// What a toolset is, in the catalog's words.
pub fn description<'a>(state: &'a State, key: &ToolsetKey) -> Option<&'a str> {
    state.catalog.toolset(key.as_str()).map(|toolset| toolset.description.as_str()).filter(|text| !text.is_empty())
}
