//! The tools of one server as rows, made once and shared by every report in which nothing about the server differs: a
//! switch elsewhere costs nothing here, whatever number of tools there are.

use std::sync::{Arc, Mutex, PoisonError};

use super::{Meter, ToolRow};
use crate::engine::assembly::bridge::Part;
use crate::engine::server::ToolFilter;

/// All that a server's rows depend on, beside the catalog itself.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Key {
    pub on: bool,
    pub bridge_active: bool,
    pub filter: Option<ToolFilter>,
    /// [`crate::engine::meter::TokenCounts::stamp`]; zero for a server that is off, which sends nothing to count.
    pub counts: u64,
}

/// A server's rows with their sums.
#[derive(Debug)]
pub(crate) struct Group {
    pub tools: Arc<[ToolRow]>,
    pub meter: Meter,
    pub sent: usize,
    /// What goes behind the bridge, by registry toolset.
    pub parts: Vec<Arc<Part>>,
    /// `manage_connections` is among what is sent.
    pub connections_sent: bool,
}

/// How many states of a server are kept: on and off, before and after counting.
const KEPT: usize = 4;

/// The last states of one server, the newest last. Only saves time: a report is the same without it.
#[derive(Debug, Default)]
pub(crate) struct Groups(Mutex<Vec<(Key, Arc<Group>)>>);

impl Groups {
    pub(super) fn get_or_make(&self, key: Key, make: impl FnOnce() -> Group) -> Arc<Group> {
        // Each entry is pushed whole, so a panic elsewhere leaves nothing half done.
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, group)) = kept.iter().rfind(|(known, _)| *known == key) {
            return Arc::clone(group);
        }
        let group = Arc::new(make());
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push((key, Arc::clone(&group)));
        group
    }
}
