//! Which tools of a selection stand behind the bridge, and how they are listed: found out before any row is made,
//! because a tool's weight depends on the form, and the form on all of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::{Inputs, Meter};
use crate::engine::assembly::disclosure::{Direct, Disclosure};
use crate::engine::assembly::extent::Extent;
use crate::engine::assembly::host::CONNECTIONS;
use crate::engine::assembly::listing::{Deferred, Form, Lister, Listing, Mode, Part, label, tool_extent};
use crate::engine::assembly::settings::Settings;
use crate::engine::assembly::{Assembly, BRIDGE, Fate};
use crate::engine::catalog::{Catalog, Surface};
use crate::engine::meter::{Figure, compact};
use crate::engine::selection::{Entry, Selection};
use crate::engine::server::{Server, ToolFilter};

/// The deferrable tools of one server by registry toolset, nearly always one.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub parts: Vec<(usize, Arc<Part>)>,
    /// `manage_connections` is among the server's tools that are sent.
    connections: bool,
}

/// Tools that settings name for deferral, as places of the catalog.
pub(super) struct Named(HashSet<usize>);

impl Named {
    fn new(catalog: &Catalog, settings: &Settings) -> Self {
        let by_name = catalog.rules().builtins_deferrable;
        let names = settings.defers(catalog.host()).filter(|_| by_name);
        Self(names.filter_map(|name| catalog.tool_index(name)).collect())
    }

    pub(super) fn defers(&self, catalog: &Catalog, place: usize) -> bool {
        catalog.is_deferrable_at(place) || (self.0.contains(&place) && !is_bridge(catalog, place))
    }

    /// Whether nothing but a server's own settings decides about its tools.
    pub(super) fn leaves_alone(&self, catalog: &Catalog, server: &str) -> bool {
        let of_server = |place: &&usize| {
            catalog.document().tools[**place].server.as_ref().is_some_and(|owner| owner.as_str() == server)
        };
        !self.0.iter().filter(of_server).any(|place| !catalog.is_deferrable_at(*place))
    }
}

fn is_bridge(catalog: &Catalog, place: usize) -> bool {
    crate::engine::assembly::host::BRIDGE_TOOLS.contains(&catalog.document().tools[place].name.as_str())
}

/// What the first pass found.
pub(super) struct Deferral<'a> {
    pub disclosure: Disclosure,
    pub deferred: Deferred<'a>,
    pub named: Named,
    /// Bytes and tokens of the `tool_search` that is sent, to share among what is listed in it.
    search: Option<(u64, Figure)>,
    /// Lines cannot be told apart in what Hermes sends: all of it counts as the bridge's.
    opaque: bool,
}

/// What is needed from the selection to look at every tool once.
pub(super) struct Scope<'a> {
    pub inputs: Inputs<'a>,
    pub selection: &'a Selection,
    /// Entries of `mcp_servers` by name.
    pub configured: HashMap<&'a str, &'a Server>,
    /// Tools that a name in `agent.disabled_toolsets` takes away, with that name.
    pub stripped: HashMap<&'a str, &'a str>,
    /// Which name that is on owns a tool that is no server's.
    pub owners: HashMap<&'a str, &'a str>,
}

impl<'a> Deferral<'a> {
    pub(super) fn new(scope: &'a Scope<'a>) -> Self {
        let catalog = scope.inputs.catalog;
        let settings = Settings::read(scope.inputs.config, catalog.host());
        let named = Named::new(catalog, &settings);
        match scope.inputs.assembly {
            Some(assembly) => Self::answered(scope, assembly, settings, named),
            None => Self::native(scope, settings, named),
        }
    }

    fn native(scope: &'a Scope<'a>, settings: Settings, named: Named) -> Self {
        let catalog = scope.inputs.catalog;
        let mut deferred = Deferred::default();
        let mut connections = false;
        let mut own: BTreeMap<&str, Part> = BTreeMap::new();
        for place in scope.owners.keys().filter_map(|name| catalog.tool_index(name)) {
            let tool = &catalog.document().tools[place];
            if !tool.available || scope.stripped.contains_key(tool.name.as_str()) {
                continue;
            }
            connections |= tool.name.as_str() == CONNECTIONS;
            if named.defers(catalog, place) {
                own.entry(tool.toolset.as_str()).or_default().add(place, tool.name.as_str());
            }
        }
        for (toolset, part) in own {
            deferred.add(toolset, &Arc::new(part));
        }
        let servers = scope.selection.entries.iter().filter(|entry| entry.is_server && entry.on);
        let reached = |entry: &&Entry| scope.connects_servers() && !catalog.hides_server(entry.key.as_str());
        for entry in servers.filter(reached) {
            let parts = scope.parts(entry, &named);
            for (place, part) in &parts.parts {
                deferred.add(catalog.document().tools[*place].toolset.as_str(), part);
            }
            connections |= parts.connections;
        }
        let disclosure = Disclosure::decide(catalog, settings, &deferred, connections, scope.inputs.context_tokens);
        Self { disclosure, deferred, named, search: None, opaque: false }
    }

    /// By Hermes' own array: what it deferred, in the form it chose.
    fn answered(scope: &'a Scope<'a>, assembly: &'a Assembly, settings: Settings, named: Named) -> Self {
        let catalog = scope.inputs.catalog;
        let mut parts: BTreeMap<&str, Part> = BTreeMap::new();
        let mut unknown = false;
        for absent in assembly.absent.iter().filter(|absent| absent.fate == Fate::Deferred) {
            match catalog.tool_index(absent.name.as_str()) {
                Some(place) => {
                    let tool = &catalog.document().tools[place];
                    parts.entry(tool.toolset.as_str()).or_default().add(place, tool.name.as_str());
                }
                None => unknown = true,
            }
        }
        let mut deferred = Deferred::default();
        for (toolset, part) in parts {
            deferred.add(toolset, &Arc::new(part));
        }
        let connections = assembly.tools.iter().any(|sent| sent.name.as_str() == CONNECTIONS)
            || assembly
                .absent
                .iter()
                .any(|absent| absent.name.as_str() == CONNECTIONS && absent.fate == Fate::Deferred);
        let mut disclosure = Disclosure::decide(
            catalog,
            settings,
            &deferred,
            connections,
            scope.inputs.context_tokens.or(assembly.context_tokens),
        );
        let search = assembly
            .tools
            .iter()
            .find(|sent| sent.toolset.as_str() == BRIDGE && sent.name.as_str() == "tool_search")
            .map(|sent| {
                let tokens = if scope.inputs.counts.is_empty() {
                    Figure::Unknown
                } else {
                    scope.inputs.counts.of(compact(&sent.definition).0)
                };
                (sent.definition.text().len() as u64, tokens)
            });
        let ours = disclosure.bridge(catalog.host()).map(|bridge| bridge.search.bytes);
        let opaque = unknown || ours != search.map(|(bytes, _)| bytes);
        if assembly.activated != disclosure.is_active() {
            disclosure.direct = (!assembly.activated).then_some(Direct::NothingToDefer);
        }
        disclosure.tier = assembly.tier.or(disclosure.tier);
        if opaque {
            disclosure.listing =
                Listing { form: assembly.form.as_deref().and_then(Form::named).unwrap_or(Form::None), ..Listing::NONE };
        }
        Self { disclosure, deferred, named, search, opaque }
    }

    pub(super) fn is_active(&self) -> bool {
        self.disclosure.is_active()
    }

    /// How the tools of a registry toolset are listed.
    pub(super) fn mode(&self, toolset: &str) -> Mode {
        if self.opaque || !self.is_active() { Mode::Absent } else { self.disclosure.listing.mode(label(toolset)) }
    }

    /// What a deferred tool adds to `tool_search`.
    pub(super) fn line(&self, catalog: &Catalog, place: usize, mode: Mode) -> Meter {
        if matches!(mode, Mode::Summary | Mode::Absent) {
            return Meter::ZERO;
        }
        self.share(tool_extent(catalog.listing_line_at(place), mode))
    }

    /// The headings of the listing by label: what groups cost beside their tools.
    pub(super) fn headings(&self, catalog: &'a Catalog) -> HashMap<&'a str, Meter> {
        let Some(lines) = catalog.host().wording.lines.as_ref().filter(|_| self.is_active() && !self.opaque) else {
            return HashMap::default();
        };
        let line = |place| catalog.listing_line_at(place);
        let lister = Lister { deferred: &self.deferred, lines, unavailable: &[], line: &line, budget: 0 };
        let groups = self.deferred.groups().iter();
        groups
            .map(|(label, group)| (*label, self.share(lister.heading(group, self.disclosure.listing.mode(label)))))
            .collect()
    }

    /// A part of `tool_search`: as sure as the whole, its tokens in proportion, rounded down so that the rest is never
    /// negative.
    fn share(&self, extent: Extent) -> Meter {
        let est_tokens = extent.json_chars() / 4;
        match self.search {
            Some((bytes, tokens)) => {
                let tokens =
                    tokens.value().map_or(Figure::Unknown, |all| Figure::Estimated(all * extent.bytes / bytes.max(1)));
                Meter {
                    schema_bytes: Figure::Exact(0),
                    wire_bytes: Figure::Confirmed(extent.bytes),
                    est_tokens: Figure::Confirmed(est_tokens),
                    tokens,
                }
            }
            None => Meter {
                schema_bytes: Figure::Exact(0),
                wire_bytes: Figure::Estimated(extent.bytes),
                est_tokens: Figure::Estimated(est_tokens),
                tokens: Figure::Estimated(est_tokens),
            },
        }
    }
}

impl Scope<'_> {
    /// Every process that holds conversations connects its servers; measuring with `hermes prompt-size` does not.
    pub(super) fn connects_servers(&self) -> bool {
        self.inputs.surface != Surface::Inspect
    }

    /// Whether rows and lines of this server may be shared with other reports: they depend on its own settings alone.
    pub(super) fn is_shareable(&self, server: &str, named: &Named) -> bool {
        let catalog = self.inputs.catalog;
        let of_server = |name: &str| {
            catalog.tool(name).and_then(|tool| tool.server.as_ref()).is_some_and(|owner| owner.as_str() == server)
        };
        self.inputs.assembly.is_none()
            && !self.stripped.keys().any(|name| of_server(name))
            && named.leaves_alone(catalog, server)
    }

    /// The deferrable tools of a server that is on.
    pub(super) fn parts(&self, entry: &Entry, named: &Named) -> Arc<Parts> {
        let name = entry.key.as_str();
        let filter = self.configured.get(name).map(|server| &server.tools);
        let groups = self.inputs.catalog.groups_of(name).filter(|_| self.is_shareable(name, named));
        match groups {
            Some(groups) => groups.parts(filter, || self.find_parts(name, filter, named)),
            None => Arc::new(self.find_parts(name, filter, named)),
        }
    }

    fn find_parts(&self, server: &str, filter: Option<&ToolFilter>, named: &Named) -> Parts {
        let catalog = self.inputs.catalog;
        let mut found: Vec<(usize, Part)> = Vec::new();
        let mut connections = false;
        for place in catalog.tool_indices_of_server(server) {
            let tool = &catalog.document().tools[*place];
            let original = tool.original_name.as_deref();
            let admitted =
                filter.zip(original).is_none_or(|(filter, original)| filter.admits(catalog.rules(), original));
            if !tool.available || !admitted || self.stripped.contains_key(tool.name.as_str()) {
                continue;
            }
            connections |= tool.name.as_str() == CONNECTIONS;
            if !named.defers(catalog, *place) {
                continue;
            }
            let of_toolset = |(first, _): &(usize, Part)| catalog.document().tools[*first].toolset == tool.toolset;
            let at = found.iter().position(of_toolset).unwrap_or_else(|| {
                found.push((*place, Part::default()));
                found.len() - 1
            });
            found[at].1.add(*place, tool.name.as_str());
        }
        Parts { parts: found.into_iter().map(|(first, part)| (first, Arc::new(part))).collect(), connections }
    }
}
