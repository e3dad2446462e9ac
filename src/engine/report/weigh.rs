//! What one tool weighs in an array: by Hermes' own answer where there is one, else by the catalog.

use foldhash::HashMap;

use super::{Inputs, Meter};
use crate::engine::assembly::{Absent, Assembly, Fate, Sent, UNREGISTERED};
use crate::engine::meter::{Figure, Measure, compact};

/// Hermes' array with its entries by name.
pub(super) struct Answer<'a> {
    pub sent: HashMap<&'a str, &'a Sent>,
    pub absent: HashMap<&'a str, &'a Absent>,
}

impl<'a> Answer<'a> {
    pub(super) fn new(assembly: &'a Assembly) -> Self {
        Self {
            sent: assembly.tools.iter().map(|sent| (sent.name.as_str(), sent)).collect(),
            absent: assembly.absent.iter().map(|absent| (absent.name.as_str(), absent)).collect(),
        }
    }
}

/// The row name of a sent tool no row of ours has: its registry toolset.
pub(super) fn own_row(sent: &Sent) -> &str {
    match sent.toolset.as_str() {
        "" | "(unknown)" => UNREGISTERED,
        toolset => toolset,
    }
}

/// The meter of a tool that is in Hermes' array. Its text is compared with the registered one first: most tools are not
/// reworded, and then nothing needs to be measured or hashed again.
pub(super) fn confirmed(inputs: &Inputs<'_>, sent: &Sent) -> Meter {
    let registered = inputs
        .catalog
        .tool_index(sent.name.as_str())
        .filter(|idx| inputs.catalog.document().tools[*idx].definition == sent.definition);
    let (measure, tokens) = match registered {
        Some(idx) => (inputs.catalog.measure_at(idx), tokens_at(inputs, idx)),
        None => {
            let counted = !inputs.counts.is_empty();
            let tokens = if counted { inputs.counts.of(compact(&sent.definition).0) } else { Figure::Unknown };
            (Measure::of_definition(&sent.definition), tokens)
        }
    };
    let bytes = Figure::Confirmed(measure.bytes);
    let est_tokens = Figure::Confirmed(measure.est_tokens);
    let tokens = tokens.no_surer_than(Figure::Confirmed(0));
    Meter { schema_bytes: bytes, wire_bytes: bytes, est_tokens, tokens }
}

/// The meter of a catalog tool Hermes was not asked about, without what it takes of a listing. A server's definitions are
/// sent as they are; Hermes' own may be reworded, so those are estimates.
pub(super) fn by_catalog(inputs: &Inputs<'_>, idx: usize, fate: Fate) -> Meter {
    let sure =
        if inputs.catalog.document().tools[idx].server.is_some() { Figure::Exact(0) } else { Figure::Estimated(0) };
    let schema_bytes = Figure::Exact(inputs.catalog.bytes_at(idx)).no_surer_than(sure);
    if fate != Fate::Eager {
        return Meter { schema_bytes, ..Meter::ZERO };
    }
    Meter {
        schema_bytes,
        wire_bytes: schema_bytes,
        est_tokens: Figure::Exact(inputs.catalog.measure_at(idx).est_tokens).no_surer_than(sure),
        tokens: tokens_at(inputs, idx).no_surer_than(sure),
    }
}

fn tokens_at(inputs: &Inputs<'_>, idx: usize) -> Figure {
    // Nothing is counted yet in the first frame, and then no definition needs to be hashed.
    if inputs.counts.is_empty() { Figure::Unknown } else { inputs.counts.of(inputs.catalog.hash_at(idx)) }
}
