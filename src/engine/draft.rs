//! A person's unsaved switches: ordered, invertible, undoable.
//!
//! A draft holds wishes ([`Wish`]: this toolset on for this platform), not text. [`super::plan`] turns it into edits.

use std::collections::{BTreeMap, BTreeSet};

use super::ids::{PlatformKey, ServerName, ToolsetKey};
use super::plan::NewValue;
use super::setting::Setting;

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
    /// A setting of tool search with this value, or not written at all. Of one setting only the last wish counts; it is
    /// always a wish for on.
    Setting(Setting, Option<NewValue>),
}

impl Target {
    /// Whether a wish about another target can change what this one is without any wish of its own: a sentinel going
    /// lets servers in; a server enabled for one platform appears on others, and where a list names it already it shuts
    /// the others out; a toolset leaves the deny list for all.
    fn is_moved_by(&self, other: &Self, other_on: bool) -> bool {
        match (self, other) {
            (Self::Toolset(here, key), Self::Toolset(there, same)) => other_on && key == same && here != there,
            (Self::ServerOn(here, _), Self::NoMcp(there)) => !other_on && here == there,
            (Self::ServerOn(..), Self::Server(_)) => true,
            (Self::ServerOn(..), Self::ServerOn(..)) => other_on,
            _ => false,
        }
    }
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
    /// removes the wish instead of keeping an edit that changes nothing. Where another wish may have changed what the
    /// target is, the wish is kept: it says that this one shall stay as it was.
    pub fn apply(&mut self, wishes: &[(Target, bool)], baseline: impl Fn(&Target) -> bool) {
        let before = self.wishes.clone();
        let order = self.order.clone();
        for (target, on) in wishes {
            self.set(target, Some(*on));
        }
        // All at once, because one wish of a group may move what another is about, whichever came first.
        let (effective, idle): (Vec<_>, Vec<_>) = self
            .wishes
            .iter()
            .map(|(target, on)| (target.clone(), *on))
            .partition(|(target, on)| baseline(target) != *on);
        for (target, _) in idle {
            if !effective.iter().any(|(other, on)| target.is_moved_by(other, *on)) {
                self.set(&target, None);
            }
        }
        let targets: BTreeSet<&Target> = before.keys().chain(self.wishes.keys()).collect();
        let changes: Vec<_> = targets
            .into_iter()
            .map(|target| (target.clone(), before.get(target).copied(), self.wish(target)))
            .filter(|(_, before, after)| before != after)
            .collect();
        if changes.is_empty() {
            self.order = order;
            return;
        }
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
            self.set(target, pick(*before, *after));
        }
    }

    fn set(&mut self, target: &Target, wish: Option<bool>) {
        match wish {
            Some(on) => {
                if let Target::Setting(setting, _) = target {
                    let same = |known: &Target| matches!(known, Target::Setting(other, _) if other == setting);
                    self.wishes.retain(|known, _| known == target || !same(known));
                    self.order.retain(|known| known == target || !same(known));
                }
                if self.wishes.insert(target.clone(), on).is_none() {
                    self.order.push(target.clone());
                }
            }
            None => {
                if self.wishes.remove(target).is_some() {
                    self.order.retain(|known| known != target);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toolset(platform: &str, key: &str) -> Target {
        Target::Toolset(platform.into(), key.into())
    }

    fn wishes(draft: &Draft) -> Vec<(Target, bool)> {
        draft.wishes().map(|(target, on)| (target.clone(), on)).collect()
    }

    #[test]
    fn steps_are_undone_and_redone_whole_and_in_order() {
        let mut draft = Draft::default();
        let on = |_: &Target| true;
        let group = [(toolset("cli", "web"), false), (toolset("cli", "file"), false), (toolset("cli", "tts"), true)];
        draft.apply(&group, on);
        draft.apply(&[(toolset("cli", "memory"), false)], on);
        assert_eq!(draft.len(), 3, "tts is on already");
        assert_eq!(wishes(&draft)[0].0, toolset("cli", "web"), "in the order they were made");
        assert_eq!(draft.undo().map(|step| step.changes.len()), Some(1));
        assert_eq!(draft.undo().map(|step| step.changes.len()), Some(2));
        assert!(draft.is_empty() && draft.undo().is_none());
        draft.redo();
        assert_eq!(draft.len(), 2);
        draft.apply(&[(toolset("cli", "todo"), false)], on);
        assert!(draft.redo().is_none(), "a new step ends what could be redone");
    }

    #[test]
    fn wishing_the_saved_state_back_takes_the_wish_away() {
        let mut draft = Draft::default();
        draft.apply(&[(toolset("cli", "web"), false)], |_| true);
        draft.apply(&[(toolset("cli", "web"), true)], |_| true);
        assert!(draft.is_empty());
        assert!(draft.undo().is_some() && draft.wish(&toolset("cli", "web")) == Some(false));
        draft.apply(&[(toolset("cli", "web"), false)], |_| true);
        assert_eq!(draft.len(), 1, "the same wish again is no step");
    }

    #[test]
    fn a_server_can_stay_off_while_its_platforms_sentinel_goes() {
        let mut draft = Draft::default();
        let lin = Target::ServerOn("cli".into(), "lin".into());
        let sentinel = Target::NoMcp("cli".into());
        let saved = |target: &Target| matches!(target, Target::NoMcp(_));
        draft.apply(&[(sentinel.clone(), false)], saved);
        draft.apply(&[(lin.clone(), false)], saved);
        assert_eq!(draft.wish(&lin), Some(false), "without the sentinel it would come on");
        draft.apply(&[(sentinel, true)], saved);
        assert!(draft.is_empty(), "with the sentinel back there is nothing to say");
    }
}
