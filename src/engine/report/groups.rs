//! The tools of one server as rows, made once and shared by every report in which nothing about the server differs: a
//! switch elsewhere costs nothing here, whatever number of tools there are.

use std::sync::{Arc, Mutex, PoisonError};

use super::deferral::Parts;
use super::{Meter, ToolRow};
use crate::engine::assembly::listing::Mode;
use crate::engine::server::ToolFilter;

/// All that a server's rows depend on, beside the catalog itself.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Key {
    pub on: bool,
    /// The surface connects servers at all.
    pub connects: bool,
    pub bridge_active: bool,
    /// How its deferred tools are listed, by part.
    pub modes: Vec<Mode>,
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
    pub any_deferred: bool,
    /// What the lines of its deferred tools take of the listing.
    pub listed: Meter,
}

/// How many states of a server are kept: on and off, before and after counting.
const KEPT: usize = 4;

/// The last states of one server, the newest last. Only saves time: a report is the same without it.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    rows: Kept<Key, Group>,
    parts: Kept<Option<ToolFilter>, Parts>,
}

impl Groups {
    pub(super) fn rows(&self, key: Key, make: impl FnOnce() -> Group) -> Arc<Group> {
        self.rows.get_or_make(|known| *known == key, || key.clone(), make)
    }

    /// The deferrable tools behind a filter.
    pub(super) fn parts(&self, filter: Option<&ToolFilter>, make: impl FnOnce() -> Parts) -> Arc<Parts> {
        self.parts.get_or_make(|known| known.as_ref() == filter, || filter.cloned(), make)
    }
}

/// A few results by what they were made from.
#[derive(Debug)]
struct Kept<K, V>(Mutex<Vec<(K, Arc<V>)>>);

impl<K, V> Default for Kept<K, V> {
    fn default() -> Self {
        Self(Mutex::new(Vec::new()))
    }
}

impl<K, V> Kept<K, V> {
    fn get_or_make(&self, is: impl Fn(&K) -> bool, key: impl FnOnce() -> K, make: impl FnOnce() -> V) -> Arc<V> {
        // Each entry is pushed whole, so a panic elsewhere leaves nothing half done.
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, value)) = kept.iter().rfind(|(known, _)| is(known)) {
            return Arc::clone(value);
        }
        let value = Arc::new(make());
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push((key(), Arc::clone(&value)));
        value
    }
}
