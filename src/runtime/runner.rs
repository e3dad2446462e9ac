//! Effects into tasks, their ends into messages. One worker, started once, ended with us.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;
use tokio::task::JoinHandle;

use crate::app::effect::Effect;
use crate::app::message::Message;
use crate::app::state::Source;
use crate::engine::assembly::Assembly;
use crate::engine::catalog::{Catalog, Surface};
use crate::engine::draft::Target;
use crate::engine::ids::{PlatformKey, ServerName};
use crate::engine::plan::Op;
use crate::engine::report::{Inputs, ablate};
use crate::engine::server::probe::{Probe, ProbeState};
use crate::engine::text::visible;
use crate::engine::yaml::Document;
use crate::sources::config::{self, ConfigFile, SaveContext};
use crate::sources::mcp::{self, Limits, store};
use crate::sources::open::{self, CatalogSource, LoadedCatalog, OpenRequest};
use crate::sources::sidecar::{AssembleRequest, Deadlines, Interpreter, Worker, WorkerError};
use crate::sources::{presets, snapshot, tokens};

use super::recovery;
use super::session::{Figures, Session};

/// How long a question about figures waits for the next key: a held key asks once.
const SETTLE: Duration = Duration::from_millis(40);

/// The same for savings, which nobody waits for.
const SAVINGS_SETTLE: Duration = Duration::from_millis(150);

/// Runs effects for one session after the other.
pub struct Runner {
    shared: Arc<Shared>,
    sender: UnboundedSender<Message>,
    /// Servers that are being asked.
    probes: HashMap<ServerName, JoinHandle<()>>,
    /// The last write of a draft to its recovery file; writes follow one another.
    recovery: Option<JoinHandle<()>>,
}

/// What the tasks of one session share.
struct Shared {
    session: Mutex<Session>,
    request: OpenRequest,
    figures: Figures,
    interpreter: Option<Interpreter>,
    home: std::path::PathBuf,
    /// The worker, once it runs. Held while it starts, so that it starts once.
    worker: tokio::sync::Mutex<Option<Worker>>,
    undo: Mutex<Option<config::UndoToken>>,
    /// The newest question about figures; older ones are not put.
    newest: AtomicU64,
    /// The same for what switching off would save.
    newest_savings: AtomicU64,
}

impl Shared {
    fn new(session: Session) -> Self {
        Self {
            request: session.request.clone(),
            figures: session.figures.clone(),
            interpreter: session.interpreter.clone(),
            home: session.home.path.clone(),
            session: Mutex::new(session),
            worker: tokio::sync::Mutex::new(None),
            undo: Mutex::new(None),
            newest: AtomicU64::new(0),
            newest_savings: AtomicU64::new(0),
        }
    }

    async fn worker(&self) -> Result<Worker, String> {
        let mut slot = self.worker.lock().await;
        if let Some(worker) = slot.as_ref() {
            return Ok(worker.clone());
        }
        let interpreter = self
            .interpreter
            .as_ref()
            .ok_or_else(|| "no `hermes` was found on PATH; point --hermes at its launcher or Python".to_owned())?;
        let config = lock(&self.session).config.value().into_owned();
        let cache = &self.request.cache_dir;
        let started = open::start_worker(interpreter, &self.home, &config, cache, Deadlines::default()).await;
        let worker = started.map_err(|error| said(&error))?;
        *slot = Some(worker.clone());
        Ok(worker)
    }

    /// Tells a worker that runs what servers told since it was started.
    async fn tell(&self) {
        let slot = self.worker.lock().await;
        if let Some(worker) = slot.as_ref() {
            let config = lock(&self.session).config.value().into_owned();
            // One that does not take it is met at the next question.
            let _ = worker.tell(&store::told(&self.request.cache_dir, &self.home, &config)).await;
        }
    }

    /// After a crash or a hang the next question starts a new one.
    async fn drop_worker(&self, error: &WorkerError) {
        if !matches!(error, WorkerError::Refused { .. }) {
            self.worker.lock().await.take();
        }
    }
}

fn said(error: &dyn std::error::Error) -> String {
    visible(&error.to_string()).into_owned()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // A task that panicked left whole values behind: each is replaced in one step.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Runner {
    /// Answers go to `sender`. Must be called inside a tokio runtime.
    pub fn new(session: Session, sender: UnboundedSender<Message>) -> Self {
        Self { shared: Arc::new(Shared::new(session)), sender, probes: HashMap::new(), recovery: None }
    }

    /// Starts an effect. Those that are the terminal's own do nothing here.
    pub fn run(&mut self, effect: Effect) {
        let shared = Arc::clone(&self.shared);
        match effect {
            Effect::LoadCatalog { surface, generation } => {
                let lost = |text| Message::WorkerFailed { text: format!("Hermes could not be asked: {text}") };
                self.spawn(lost, async move { load_catalog(&shared, surface, generation).await });
            }
            Effect::Assemble { generation, platform, surface, document, ops, context_tokens } => {
                shared.newest.store(generation, Ordering::SeqCst);
                let question = (platform.clone(), ops.clone());
                let lost = move |text| {
                    let (platform, ops) = question;
                    Message::AssemblyArrived { generation, platform, surface, ops, outcome: Err(text) }
                };
                self.spawn(lost, async move {
                    tokio::time::sleep(SETTLE).await;
                    if shared.newest.load(Ordering::SeqCst) != generation {
                        return None;
                    }
                    Some(assemble(&shared, generation, platform, surface, document, ops, context_tokens).await)
                });
            }
            Effect::Ablate { generation, catalog, config, platform, surface, counts, context_tokens } => {
                shared.newest_savings.store(generation, Ordering::SeqCst);
                self.spawn(not_done, async move {
                    tokio::time::sleep(SAVINGS_SETTLE).await;
                    if shared.newest_savings.load(Ordering::SeqCst) != generation {
                        return None;
                    }
                    let work = move || {
                        let inputs = Inputs {
                            catalog: &catalog,
                            config: &config,
                            platform: &platform,
                            surface,
                            assembly: None,
                            counts: &counts,
                            context_tokens,
                        };
                        Message::Ablated { generation, rows: ablate::natively(&inputs) }
                    };
                    match tokio::task::spawn_blocking(work).await {
                        Ok(message) => Some(message),
                        Err(error) => std::panic::resume_unwind(error.into_panic()),
                    }
                });
            }
            Effect::CountTokens { catalog, assembly } => {
                let lost = |text| Message::ReloadFailed { text: format!("Tokens are estimated: {text}.") };
                self.spawn_blocking(lost, move || count_tokens(&shared, &catalog, assembly.as_deref()));
            }
            Effect::Save { ops } => {
                let lost = |text| Message::SaveFailed { text: format!("{text}; look at the file before you go on") };
                self.spawn_blocking(lost, move || save(&shared, &ops));
            }
            Effect::UndoSave => self.spawn_blocking(not_done, move || undo_save(&shared)),
            Effect::Reload => self.spawn_blocking(not_done, move || reload(&shared)),
            Effect::Probe { servers } => self.probe(&servers),
            Effect::CancelProbe { server } => {
                if let Some(task) = self.probes.remove(&server) {
                    // What the task started ends with it.
                    task.abort();
                    let _ = self.sender.send(Message::Probed(Box::new(cancelled(server))));
                }
            }
            Effect::LoadPreset { name } => {
                let folder = shared.figures.config_dir.clone();
                self.spawn_blocking(not_done, move || match presets::load(&folder, &name) {
                    Ok(preset) => Message::PresetLoaded(Box::new(preset)),
                    Err(error) => Message::PresetFailed { text: format!("{}.", said(&error)) },
                });
            }
            Effect::KeepPreset { preset } => {
                let folder = shared.figures.config_dir.clone();
                self.spawn_blocking(not_done, move || match presets::store(&folder, &preset, false) {
                    Ok(_) => Message::PresetKept { name: preset.name, presets: presets::names(&folder) },
                    Err(error) => Message::PresetFailed { text: format!("{}.", said(&error)) },
                });
            }
            Effect::SwitchProfile { name } => self.switch_profile(&name),
            Effect::StoreRecovery { wishes } => self.store_recovery(wishes),
            Effect::ExpireNotice { id, after_ms } => self.spawn(not_done, async move {
                tokio::time::sleep(Duration::from_millis(after_ms)).await;
                Some(Message::NoticeExpired { id })
            }),
            Effect::DisarmInterrupt { generation, after_ms } => self.spawn(not_done, async move {
                tokio::time::sleep(Duration::from_millis(after_ms)).await;
                Some(Message::InterruptDisarmed { generation })
            }),
            Effect::CopyText(_)
            | Effect::OpenEditor
            | Effect::SetMouse(_)
            | Effect::SetTheme(_)
            | Effect::Redraw
            | Effect::Suspend
            | Effect::Quit => {}
        }
    }

    /// Asks each server in a task of its own, so that one can be called off.
    fn probe(&mut self, servers: &[ServerName]) {
        let (config, rules) = {
            let session = lock(&self.shared.session);
            (session.config.value().into_owned(), session.catalog.catalog.rules().clone())
        };
        let variables = self.shared.figures.variables.clone().with_home(&self.shared.home);
        let found = mcp::targets(&config, |name| servers.iter().any(|server| server.as_str() == name));
        for server in servers.iter().filter(|server| found.iter().all(|target| target.server != **server)) {
            let why = "it has no entry of its own in mcp_servers".to_owned();
            let probe = Probe { state: ProbeState::Failed { why }, ..cancelled(server.clone()) };
            let _ = self.sender.send(Message::Probed(Box::new(probe)));
        }
        self.probes.retain(|_, task| !task.is_finished());
        for target in found {
            let (server, identity) = (target.server.clone(), target.identity());
            let (shared, sender) = (Arc::clone(&self.shared), self.sender.clone());
            let (variables, rules) = (variables.clone(), rules.clone());
            let task = tokio::spawn(async move {
                let now_s = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
                let mut answer = None;
                let each = |probe| answer = Some(probe);
                mcp::probe_all(vec![target], &variables, &rules, Limits::default(), now_s.as_secs(), each).await;
                let Some(probe) = answer else { return };
                if let Some(listing) = probe.state.listing() {
                    let kept = store::Kept { server: probe.server.clone(), identity, listing: listing.clone() };
                    // Without a cache folder it counts until the end of the session only.
                    let _ = store::keep(&shared.request.cache_dir, &shared.home, &kept);
                }
                shared.tell().await;
                let _ = sender.send(Message::Probed(Box::new(probe)));
            });
            self.probes.insert(server, task);
        }
    }

    /// Waits for what must not be lost and ends the worker.
    pub async fn finish(mut self) {
        for (_, task) in self.probes.drain() {
            task.abort();
            // Its servers are gone when it is.
            let _ = task.await;
        }
        if let Some(task) = self.recovery.take() {
            // A panic in it has been reported by the hook; there is nothing to do about it here.
            let _ = task.await;
        }
        // A worker that is only starting is killed with its task.
        if let Ok(mut slot) = self.shared.worker.try_lock()
            && let Some(worker) = slot.take()
        {
            let _ = tokio::time::timeout(Duration::from_secs(1), worker.stop()).await;
        }
    }

    /// Runs a task; where a fault of ours ends it, `lost` says what its answer is instead.
    fn spawn(
        &self,
        lost: impl FnOnce(String) -> Message + Send + 'static,
        task: impl Future<Output = Option<Message>> + Send + 'static,
    ) {
        tokio::spawn(deliver(tokio::spawn(task), self.sender.clone(), lost));
    }

    /// The same for one that may hold its thread up.
    fn spawn_blocking(
        &self,
        lost: impl FnOnce(String) -> Message + Send + 'static,
        task: impl FnOnce() -> Message + Send + 'static,
    ) {
        let task = tokio::task::spawn_blocking(move || Some(task()));
        tokio::spawn(deliver(task, self.sender.clone(), lost));
    }

    fn store_recovery(&mut self, wishes: Vec<(Target, bool)>) {
        let path = lock(&self.shared.session).recovery_path();
        let sender = self.sender.clone();
        let before = self.recovery.take();
        self.recovery = Some(tokio::spawn(async move {
            if let Some(before) = before {
                let _ = before.await;
            }
            let stored = tokio::task::spawn_blocking(move || recovery::store(&path, &wishes)).await;
            let failure = match &stored {
                Ok(Ok(())) => None,
                Ok(Err(error)) => Some(said(error)),
                Err(_) => Some("a fault of hermes-tools itself".to_owned()),
            };
            if let Some(failure) = failure {
                let text = format!("The unsaved switches cannot be kept for a crash: {failure}.");
                let _ = sender.send(Message::ReloadFailed { text });
            }
        }));
    }

    fn switch_profile(&mut self, name: &str) {
        let mut request = self.shared.request.clone();
        request.home.profile_flag = Some(name.to_owned());
        // The flag names one folder; a profile is chosen below its root.
        if request.home.home_flag.take().is_some() {
            let root = lock(&self.shared.session).home.root.clone();
            request.home.home_env = Some(root.display().to_string());
            request.home.home_env_expanded = Some(root);
        }
        match open::open(&request) {
            Ok(opened) => {
                let session = Session::new(opened, request, self.shared.figures.clone());
                let start = session.start();
                let old = std::mem::replace(&mut self.shared, Arc::new(Shared::new(session)));
                tokio::spawn(async move {
                    if let Some(worker) = old.worker.lock().await.take() {
                        worker.stop().await;
                    }
                });
                let _ = self.sender.send(Message::ProfileOpened(Box::new(start)));
            }
            Err(error) => {
                let text = format!("Profile {} cannot be opened: {}.", visible(name), said(&error));
                let _ = self.sender.send(Message::ProfileFailed { text });
            }
        }
    }
}

/// Sends what a task ended with. A panic is an answer too: nobody may wait for one for ever.
async fn deliver(
    task: JoinHandle<Option<Message>>,
    sender: UnboundedSender<Message>,
    lost: impl FnOnce(String) -> Message + Send,
) {
    let message = match task.await {
        Ok(message) => message,
        Err(error) if error.is_panic() => Some(lost("a fault of hermes-tools itself; please report it".to_owned())),
        // The runtime is ending.
        Err(_) => None,
    };
    if let Some(message) = message {
        // The UI has ended when nobody listens.
        let _ = sender.send(message);
    }
}

/// A server that is not asked any more.
fn cancelled(server: ServerName) -> Probe {
    Probe { server, state: ProbeState::Cancelled, took_ms: 0, said: Vec::new(), noise_lines: 0 }
}

fn not_done(text: String) -> Message {
    Message::ReloadFailed { text: format!("Not done: {text}.") }
}

async fn load_catalog(shared: &Shared, surface: Surface, generation: u64) -> Option<Message> {
    // A catalog given as a file is the answer; Hermes is not asked behind its back.
    if shared.request.catalog_file.is_some() {
        let catalog = Arc::clone(&lock(&shared.session).catalog.catalog);
        let age_s = lock(&shared.session).catalog.age_s;
        return Some(Message::CatalogArrived { generation, catalog, source: Source::Snapshot, age_s, reread: None });
    }
    let worker = match shared.worker().await {
        Ok(worker) => worker,
        Err(text) => return Some(Message::WorkerFailed { text: format!("Hermes could not be asked: {text}") }),
    };
    match worker.catalog(surface).await {
        Ok(document) => {
            if let Some(interpreter) = &shared.interpreter {
                // An answer that cannot be kept costs the next start its first frame, nothing else.
                let cache = &shared.request.cache_dir;
                let _ = snapshot::store(cache, &open::stamp(interpreter, cache, &shared.home), &document);
            }
            let catalog = Arc::new(Catalog::new(document));
            let loaded = LoadedCatalog {
                catalog: Arc::clone(&catalog),
                source: CatalogSource::Live,
                age_s: Some(0),
                stale: false,
            };
            let reread = lock(&shared.session).take_catalog(loaded);
            Some(Message::CatalogArrived { generation, catalog, source: Source::Live, age_s: Some(0), reread })
        }
        Err(error) => {
            shared.drop_worker(&error).await;
            Some(Message::WorkerFailed { text: format!("Hermes could not be asked: {}", said(&error)) })
        }
    }
}

async fn assemble(
    shared: &Shared,
    generation: u64,
    platform: PlatformKey,
    surface: Surface,
    document: Arc<Document>,
    ops: Vec<Op>,
    context_tokens: Option<u64>,
) -> Message {
    let outcome = async {
        let text = document.edit(&ops).map_err(|error| said(&error))?;
        let worker = shared.worker().await?;
        let request = AssembleRequest { config_text: Some(text), platform: platform.clone(), surface, context_tokens };
        match worker.assemble(&request).await {
            Ok(answer) => Ok(Arc::new(answer.assembly)),
            Err(error) => {
                shared.drop_worker(&error).await;
                Err(said(&error))
            }
        }
    }
    .await;
    Message::AssemblyArrived { generation, platform, surface, ops, outcome }
}

fn save(shared: &Shared, ops: &[Op]) -> Message {
    let mut session = lock(&shared.session);
    let context = SaveContext { managed: session.home.managed.as_deref(), state_dir: &shared.request.state_dir };
    match config::save(&session.config, ops, &context) {
        Ok(saved) => {
            *lock(&shared.undo) = Some(saved.undo);
            match take_file(&mut session, saved.file) {
                Ok(document) => Message::Saved { document, reapplied: saved.reapplied },
                Err(text) => Message::SaveFailed { text: format!("written, but it cannot be read again: {text}") },
            }
        }
        Err(error) => Message::SaveFailed { text: said(&error) },
    }
}

fn undo_save(shared: &Shared) -> Message {
    let Some(token) = lock(&shared.undo).take() else {
        return Message::ReloadFailed { text: "Nothing was saved in this session.".into() };
    };
    let mut session = lock(&shared.session);
    let context = SaveContext { managed: session.home.managed.as_deref(), state_dir: &shared.request.state_dir };
    match config::undo(&token, &context) {
        Ok(file) => match take_file(&mut session, file) {
            Ok(document) => Message::SaveUndone { document },
            Err(text) => Message::ReloadFailed { text },
        },
        Err(error) => {
            *lock(&shared.undo) = Some(token);
            Message::ReloadFailed { text: format!("The save was not undone: {}.", said(&error)) }
        }
    }
}

fn reload(shared: &Shared) -> Message {
    match read_again(&mut lock(&shared.session)) {
        Ok(document) => Message::Reloaded { document },
        Err(text) => Message::ReloadFailed { text },
    }
}

fn read_again(session: &mut Session) -> Result<Arc<Document>, String> {
    let dialect = session.catalog.catalog.rules().dialect;
    let file = config::load(&session.config.path, dialect).map_err(|error| said(&error))?;
    take_file(session, file)
}

/// Keeps a file as the one the next save is compared with, and gives its document.
fn take_file(session: &mut Session, file: ConfigFile) -> Result<Arc<Document>, String> {
    let document = match &file.document {
        Ok(document) => Arc::new(document.clone()),
        Err(error) => return Err(format!("{} cannot be loaded: {}.", session.config.path.display(), said(error))),
    };
    session.config = file;
    Ok(document)
}

/// Counts what is not counted yet, on all cores, and keeps it for the next start.
fn count_tokens(shared: &Shared, catalog: &Catalog, assembly: Option<&Assembly>) -> Message {
    let (tokenizer, model) = (shared.figures.tokenizer.as_deref(), catalog.facts().model.as_deref());
    match tokens::counted(&shared.request.cache_dir, tokenizer, model, catalog, assembly) {
        Ok(counts) => Message::TokensCounted { counts: Arc::new(counts) },
        Err(error) => Message::ReloadFailed { text: format!("Tokens are estimated: {}.", said(&error)) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_task_that_panics_is_answered() {
        let (sender, mut arrivals) = tokio::sync::mpsc::unbounded_channel();
        let lost = |text| Message::SaveFailed { text };
        deliver(tokio::spawn(async { panic!("planned") }), sender.clone(), lost).await;
        let answer = arrivals.recv().await;
        assert!(matches!(&answer, Some(Message::SaveFailed { text }) if text.contains("fault")), "{answer:?}");
        let task = tokio::task::spawn_blocking(|| Some(Message::NoticeExpired { id: 7 }));
        deliver(task, sender, lost).await;
        assert!(matches!(arrivals.recv().await, Some(Message::NoticeExpired { id: 7 })));
    }
}
