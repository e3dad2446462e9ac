//! Many servers asked at once, each with its own deadline.

use std::time::{Duration, Instant};

use futures::StreamExt as _;

use crate::engine::ids::ServerName;
use crate::engine::rules::Rules;
use crate::engine::server;
use crate::engine::server::probe::{Listing, Probe, ProbeState};
use crate::engine::value::Value;
use crate::sources::cache;

use super::endpoint::{Endpoint, Way};
use super::listing::Trouble;
use super::variables::Variables;
use super::wire::{Fault, Link, Seen};
use super::{listing, remote, stdio};

/// How much is asked at once and how long it may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Servers that are asked at the same time.
    pub at_once: usize,
    /// For each server; `None` is the patience its entry gives Hermes.
    pub patience: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { at_once: 8, patience: None }
    }
}

/// One server to ask: its entry as it stands in the file.
#[derive(Clone)]
pub struct Target {
    pub server: ServerName,
    entry: Value,
}

/// The name alone: the entry holds secrets.
impl std::fmt::Debug for Target {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_tuple("Target").field(&self.server).finish()
    }
}

/// The servers of a config, in file order, that are in `wanted`.
pub fn targets(config: &Value, wanted: impl Fn(&str) -> bool) -> Vec<Target> {
    let named = server::entries(config).iter().filter_map(|(key, entry)| {
        let name = key.py_str();
        wanted(&name).then(|| Target { server: name.as_ref().into(), entry: entry.clone() })
    });
    named.collect()
}

impl Target {
    /// What a list was told under: a digest of everything in the entry that decides which server answers. What is behind
    /// variables is not part of it, so that no secret can be guessed from it.
    pub fn identity(&self) -> String {
        let keys = ["command", "args", "url", "transport", "cwd", "env", "headers"];
        let parts: Vec<String> = keys.iter().map(|key| format!("{:?}", self.entry.get(key))).collect();
        cache::digest(parts.iter().map(String::as_bytes))
    }
}

/// Asks every target and hands out each outcome as it comes. Dropping the future ends every server that was started.
pub async fn probe_all(
    targets: Vec<Target>,
    variables: &Variables,
    rules: &Rules,
    limits: Limits,
    now_s: u64,
    mut each: impl FnMut(Probe),
) {
    let asked = targets.into_iter().map(|target| probe(target, variables, rules, limits, now_s));
    let mut outcomes = futures::stream::iter(asked).buffer_unordered(limits.at_once.max(1));
    while let Some(outcome) = outcomes.next().await {
        each(outcome);
    }
}

async fn probe(target: Target, variables: &Variables, rules: &Rules, limits: Limits, now_s: u64) -> Probe {
    let begun = Instant::now();
    let mut outcome = Probe {
        server: target.server.clone(),
        state: ProbeState::Cancelled,
        took_ms: 0,
        said: Vec::new(),
        noise_lines: 0,
    };
    match Endpoint::read(&target.entry, variables, rules) {
        Ok(endpoint) => ask(&endpoint, limits, now_s, &mut outcome).await,
        Err(error) => outcome.state = ProbeState::Failed { why: error.to_string() },
    }
    // A ready server's time is its own; the rest of ours went into ending it.
    outcome.took_ms = match &outcome.state {
        ProbeState::Ready(listing) => listing.took_ms,
        _ => millis(begun),
    };
    outcome
}

fn millis(begun: Instant) -> u64 {
    u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX)
}

async fn ask(endpoint: &Endpoint, limits: Limits, now_s: u64, outcome: &mut Probe) {
    let seen = Seen::default();
    let secrets = &endpoint.secrets;
    let patience = limits.patience.unwrap_or(endpoint.patience);
    let begun = Instant::now();
    let (mut running, link) = match open(&endpoint.way, &seen) {
        Ok((running, link)) => (running, link),
        Err(why) => {
            outcome.state = ProbeState::Failed { why: secrets.cleared(&why) };
            return;
        }
    };
    let told = tokio::time::timeout(patience, converse(link, &seen, endpoint, now_s)).await;
    let failed = match told {
        Ok(Ok(mut listing)) => {
            listing.took_ms = millis(begun);
            listing.notes.splice(0..0, endpoint.notes.iter().cloned());
            outcome.state = ProbeState::Ready(listing);
            None
        }
        Ok(Err(why)) => Some(why),
        Err(_) => Some(Trouble::Other(silence(&seen, patience))),
    };
    outcome.noise_lines = seen.noise();
    let mut status = None;
    if let Some(running) = &mut running {
        if matches!(failed, Some(Trouble::Gone(_))) {
            status = running.ended().await;
        }
        outcome.said = running.said.lines().iter().map(|line| secrets.cleared(line)).collect();
    }
    if let Some(running) = running {
        running.end().await;
    }
    let why = match (failed, status) {
        (None, _) => return,
        (Some(Trouble::Gone(why)), Some(status)) => format!("{why} ({status})"),
        (Some(Trouble::Gone(why)), None) => why.to_owned(),
        (Some(Trouble::Other(why)), _) => why,
    };
    outcome.state = state(&seen, endpoint, &outcome.server, &why);
}

/// What the bytes' own mover knows explains more than what the protocol saw of it.
fn state(seen: &Seen, endpoint: &Endpoint, server: &ServerName, why: &str) -> ProbeState {
    let cleared = |text: &str| endpoint.secrets.cleared(text);
    let login = |why: &str| {
        let how = if endpoint.is_oauth {
            format!("; its login is Hermes' to make: hermes mcp login {server}")
        } else {
            format!("; if it logs in with OAuth, set \"auth: oauth\" and run: hermes mcp login {server}")
        };
        ProbeState::NeedsLogin { why: cleared(&format!("{why}{how}")) }
    };
    match seen.fault() {
        Some(Fault::NeedsLogin(fault)) => login(&fault),
        Some(Fault::Failed(fault)) => ProbeState::Failed { why: cleared(&fault) },
        None => ProbeState::Failed { why: cleared(why) },
    }
}

fn silence(seen: &Seen, patience: Duration) -> String {
    let seconds = patience.as_secs_f64();
    let what = if seen.hello() == super::wire::Hello::default() { "the handshake" } else { "tools/list" };
    format!("it did not answer {what} within {seconds:.0} s")
}

fn open(way: &Way, seen: &Seen) -> Result<(Option<stdio::Running>, Link), String> {
    Ok(match way {
        Way::Stdio(launch) => {
            let (running, link) = stdio::start(launch, seen)?;
            (Some(running), link)
        }
        Way::Http(place) => (None, remote::http(place, seen)?),
        Way::Sse(place) => (None, remote::sse(place, seen)?),
    })
}

async fn converse(link: Link, seen: &Seen, endpoint: &Endpoint, now_s: u64) -> Result<Listing, Trouble> {
    let session = listing::hello(link, seen, endpoint.capabilities.clone()).await?;
    let listed = listing::list(&session, seen, &endpoint.secrets, now_s).await;
    // The session's end closes the link, which is how a server learns of it.
    let _ = tokio::time::timeout(Duration::from_millis(300), session.cancel()).await;
    listed
}
