//! A person's unsaved switches: ordered, invertible, undoable.
//!
//! A draft holds wishes ([`Wish`]: this toolset on for this platform), not text. [`super::plan`] turns it into edits.

use std::collections::BTreeMap;

use super::ids::{PlatformKey, ServerName, ToolsetKey};

/// What a switch is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A toolset on a platform.
    Toolset(PlatformKey, ToolsetKey),
    /// A server on one platform: the platform's allow-list.
    ServerOn(PlatformKey, ServerName),
    /// A server everywhere: `mcp_servers.<s>.enabled`.
    Server(ServerName),
    /// One tool of a server, by the server's own name for it: `mcp_servers.<s>.tools`. Counts on every platform.
    ServerTool(ServerName, String),
    /// The `no_mcp` sentinel of a platform. On means: no MCP server here.
    NoMcp(PlatformKey),
}

/// One step a person took, undone and redone whole: a single switch, or a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What each target was wished before (`None`: nothing wished) and what is wished now.
    pub changes: Vec<(Target, Option<bool>, Option<bool>)>,
}

/// The unsaved wishes with their history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    wishes: BTreeMap<Target, bool>,
    /// Targets in the order they were first wished.
    order: Vec<Target>,
    undo: Vec<Step>,
    redo: Vec<Step>,
}

impl Draft {
    pub fn is_empty(&self) -> bool {
        self.wishes.is_empty()
    }

    /// How many wishes are unsaved.
    pub fn len(&self) -> usize {
        self.wishes.len()
    }

    /// The wishes in the order they were made.
    pub fn wishes(&self) -> impl Iterator<Item = (&Target, bool)> {
        self.order.iter().filter_map(|target| self.wishes.get(target).map(|on| (target, *on)))
    }

    pub fn wish(&self, target: &Target) -> Option<bool> {
        self.wishes.get(target).copied()
    }

    /// Records one step. `baseline` says what each target is without any wish, so that wishing the saved state back
    /// removes the wish instead of keeping an edit that changes nothing.
    pub fn apply(&mut self, wishes: &[(Target, bool)], baseline: impl Fn(&Target) -> bool) {
        let changes: Vec<_> = wishes
            .iter()
            .map(|(target, on)| {
                let after = (baseline(target) != *on).then_some(*on);
                (target.clone(), self.wish(target), after)
            })
            .filter(|(_, before, after)| before != after)
            .collect();
        if changes.is_empty() {
            return;
        }
        self.walk(&changes, |_, after| after);
        self.undo.push(Step { changes });
        self.redo.clear();
    }

    /// Takes the last step back and returns it.
    pub fn undo(&mut self) -> Option<Step> {
        let step = self.undo.pop()?;
        self.walk(&step.changes, |before, _| before);
        self.redo.push(step.clone());
        Some(step)
    }

    /// Takes an undone step again and returns it.
    pub fn redo(&mut self) -> Option<Step> {
        let step = self.redo.pop()?;
        self.walk(&step.changes, |_, after| after);
        self.undo.push(step.clone());
        Some(step)
    }

    /// Forgets all wishes and the history: after a save, or to start over.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    fn walk(
        &mut self,
        changes: &[(Target, Option<bool>, Option<bool>)],
        pick: impl Fn(Option<bool>, Option<bool>) -> Option<bool>,
    ) {
        for (target, before, after) in changes {
            match pick(*before, *after) {
                Some(on) => {
                    if self.wishes.insert(target.clone(), on).is_none() {
                        self.order.push(target.clone());
                    }
                }
                None => {
                    self.wishes.remove(target);
                    self.order.retain(|known| known != target);
                }
            }
        }
    }
}
