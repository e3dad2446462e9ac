//! What a save would change, gathered for the review: names, figures, consequences, text.

use similar::{ChangeTag, TextDiff};

use crate::engine::draft::Target;
use crate::engine::ids::PlatformKey;
use crate::engine::plan::Op;
use crate::engine::report::Totals;
use crate::engine::yaml::{EditRefused, masked};

use super::derive::target_text;
use super::state::State;

/// One line of the text change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiffLine {
    /// A gap: where the next lines stand, one-based.
    At(usize),
    Same(String),
    Removed(String),
    Added(String),
}

/// Totals of one platform before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub platform: PlatformKey,
    pub before: Totals,
    pub after: Totals,
}

/// The review of a draft.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    pub ops: Vec<Op>,
    pub on: Vec<String>,
    pub off: Vec<String>,
    pub changes: Vec<Change>,
    pub consequences: Vec<String>,
    pub diff: Vec<DiffLine>,
    pub scroll: usize,
    /// A save was asked for and has not answered yet.
    pub saving: bool,
}

impl Review {
    /// Gathers the review of the state's draft, or says why its edits cannot be made safely.
    pub fn of(state: &State) -> Result<Self, EditRefused> {
        let plan = &state.derived.plan;
        let after = state.document.edit(&plan.ops)?;
        let (mut on, mut off) = (Vec::new(), Vec::new());
        for (target, wanted) in state.draft.wishes() {
            // `no_mcp` on means servers off: it is listed under what it does.
            let adds = wanted != matches!(target, Target::NoMcp(_));
            if adds { &mut on } else { &mut off }.push(target_text(target, wanted));
        }
        Ok(Self {
            on,
            off,
            changes: changes(state),
            consequences: plan.consequences.clone(),
            diff: diff_lines(&masked(state.document.text()), &masked(&after)),
            ops: plan.ops.clone(),
            scroll: 0,
            saving: false,
        })
    }
}

/// Every platform in use whose totals the draft changes; the one on show is always among them.
fn changes(state: &State) -> Vec<Change> {
    let mut changes = vec![Change {
        platform: state.platform.clone(),
        before: state.derived.saved.totals.clone(),
        after: state.derived.now.totals.clone(),
    }];
    for (_, selection) in state.derived.elsewhere.iter() {
        let platform = &selection.platform;
        if *platform == state.platform {
            continue;
        }
        let before = state.report_of(state.document.value(), platform, None).totals;
        let after = state.report_of(&state.derived.planned, platform, None).totals;
        if before != after {
            changes.push(Change { platform: platform.clone(), before, after });
        }
    }
    changes
}

/// The changed lines with three lines around them. The texts are masked: beside what changes may stand a secret.
fn diff_lines(before: &str, after: &str) -> Vec<DiffLine> {
    let diff = TextDiff::from_lines(before, after);
    let mut lines = Vec::new();
    for group in diff.grouped_ops(3) {
        if let Some(first) = group.first() {
            lines.push(DiffLine::At(first.new_range().start + 1));
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let text = change.value().trim_end_matches(['\n', '\r']).to_owned();
            lines.push(match change.tag() {
                ChangeTag::Equal => DiffLine::Same(text),
                ChangeTag::Delete => DiffLine::Removed(text),
                ChangeTag::Insert => DiffLine::Added(text),
            });
        }
    }
    lines
}
