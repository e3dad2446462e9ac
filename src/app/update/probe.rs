//! Asking MCP servers for their tools: only when a person says so, and which one is on the row in focus.

use crate::app::effect::Effect;
use crate::app::state::{Asked, State};
use crate::app::tree::Spot;
use crate::engine::ids::ServerName;
use crate::engine::server::probe::{Probe, ProbeState};

/// Asks the server in focus, or all that are on where the heading is; asked again, the asking is called off.
pub(super) fn ask(state: &mut State, effects: &mut Vec<Effect>) {
    let report = &state.derived.now;
    let servers: Vec<ServerName> = match state.tree.spot() {
        Some(Spot::Server(idx) | Spot::ServerTool(idx, _)) => vec![report.servers[idx].name.clone()],
        Some(Spot::Servers) => report.servers.iter().filter(|row| row.on).map(|row| row.name.clone()).collect(),
        _ => {
            state.warn("Only MCP servers can be asked; go to one, or to their heading for all that are on.".into());
            return;
        }
    };
    if state.place.sample {
        state.warn("The sample's servers exist nowhere: there is nobody to ask.".into());
        return;
    }
    let (running, idle): (Vec<_>, Vec<_>) =
        servers.into_iter().partition(|name| matches!(state.asked.get(name), Some(Asked::Waiting)));
    if idle.is_empty() {
        effects.extend(running.into_iter().map(|server| Effect::CancelProbe { server }));
        return;
    }
    for server in &idle {
        state.asked.insert(server.clone(), Asked::Waiting);
    }
    effects.push(Effect::Probe { servers: idle });
}

/// One server has answered, or not.
pub(super) fn answered(state: &mut State, probe: Probe, effects: &mut Vec<Effect>) {
    let name = probe.server.clone();
    match &probe.state {
        ProbeState::Ready(listing) => {
            state.inform(format!("{name} told {} tools.", listing.tools.len()), effects);
        }
        ProbeState::Failed { why } => state.warn(format!("{name}: {why}.")),
        ProbeState::NeedsLogin { why } => state.warn(format!("{name} needs a login: {why}.")),
        ProbeState::Cancelled => state.inform(format!("{name} is not asked any more."), effects),
    }
    state.asked.insert(name, Asked::Answered(Box::new(probe)));
    let waits = state.asked.values().any(|asked| matches!(asked, Asked::Waiting));
    let told =
        state.asked.values().any(|asked| matches!(asked, Asked::Answered(probe) if probe.state.listing().is_some()));
    // Figures that include what was told come from Hermes, once for all that were asked together.
    if !waits && told {
        state.ask_for_catalog(effects);
    }
}
