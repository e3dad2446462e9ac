//! Hermes' own array for one platform: remembered from the last minutes, or asked for now.

use tokio::runtime::Runtime;

use crate::engine::assembly::Assembly;
use crate::engine::catalog::Surface;
use crate::engine::ids::PlatformKey;
use crate::engine::text::visible;
use crate::sources::memo::{self, Question};
use crate::sources::open::{self, Ask, CatalogSource, Live, Opened};
use crate::sources::sidecar::{AssembleRequest, Deadlines, Interpreter, Worker};

use super::context::{self, Context};
use super::error::CliError;
use super::platforms;
use super::printer::Printer;
use super::wait;

/// What was opened, and the array Hermes builds for it. `None` where there is no Hermes to ask: figures are estimates.
pub(super) struct Confirmed {
    pub opened: Opened,
    pub assembly: Option<Assembly>,
}

/// Opens a platform and gets its array. A Hermes that is there and does not answer is an error: exactness was asked for.
pub(super) fn confirmed(
    context: &Context,
    platform: &PlatformKey,
    surface: Surface,
    printer: &mut Printer,
) -> Result<Confirmed, CliError> {
    let (opened, mut confirmer) = confirmer(context, platform, printer)?;
    let assembly = confirmer.ask(context, &opened, platform, surface, None)?;
    confirmer.stop();
    Ok(Confirmed { opened, assembly })
}

/// Opens a platform, to ask about several configs of it.
pub(super) fn confirmer(
    context: &Context,
    platform: &PlatformKey,
    printer: &mut Printer,
) -> Result<(Opened, Confirmer), CliError> {
    let opened = open::open(&context.open)?;
    let real = context.open.catalog_file.is_none() && !context.open.sample && opened.home.exists;
    let Some(interpreter) = opened.interpreter.as_ref().ok().filter(|_| real).cloned() else {
        context.talk(&opened, printer);
        printer.note("there is no Hermes to ask here: figures marked ~ are estimates");
        return Ok((opened, Confirmer { hermes: None, fresh: false }));
    };
    let settled = opened.catalog.source == CatalogSource::Snapshot && !opened.catalog.stale && !context.live;
    let mut hermes = Hermes { interpreter, runtime: context::runtime()?, worker: None };
    let opened = if settled { opened } else { hermes.open(context, printer)? };
    context.talk(&opened, printer);
    platforms::known(platform.as_str(), &opened.catalog.catalog, &opened.config_value())?;
    Ok((opened, Confirmer { hermes: Some(hermes), fresh: !settled }))
}

/// Answers about configs that need not be saved, from the memo or from Hermes.
pub(super) struct Confirmer {
    /// None where there is no Hermes to ask.
    hermes: Option<Hermes>,
    /// Hermes was asked again what exists, so nothing remembered counts.
    fresh: bool,
}

struct Hermes {
    interpreter: Interpreter,
    runtime: Runtime,
    /// Started when something has to be asked.
    worker: Option<Worker>,
}

impl Confirmer {
    /// The array for a config text, or for the saved file.
    pub(super) fn ask(
        &mut self,
        context: &Context,
        opened: &Opened,
        platform: &PlatformKey,
        surface: Surface,
        text: Option<&str>,
    ) -> Result<Option<Assembly>, CliError> {
        let Some(hermes) = &mut self.hermes else { return Ok(None) };
        let saved = opened.config.document.as_ref();
        let stamp = open::stamp(&hermes.interpreter, &context.open.cache_dir, &opened.home.path);
        let question = Question {
            stamp: &stamp,
            home: &opened.home.path,
            platform,
            surface,
            config_text: text.unwrap_or_else(|| saved.map_or("", |document| document.text())),
            context_tokens: context.context_tokens,
        };
        // What Hermes does with a file it cannot read depends on its backups too.
        let remembers = !self.fresh && saved.is_ok();
        let (cache, now) = (&context.open.cache_dir, context.open.now_s);
        if let Some(answer) = remembers.then(|| memo::load(cache, &question, now)).flatten() {
            return Ok(Some(answer.assembly));
        }
        let request = AssembleRequest {
            config_text: text.map(str::to_owned),
            platform: platform.clone(),
            surface,
            context_tokens: context.context_tokens,
        };
        let answer = hermes.assemble(context, opened, &request)?;
        // Without a cache folder the next run asks again, and that is all.
        let _ = memo::store(cache, &question, now, &answer);
        Ok(Some(answer.assembly))
    }

    /// Ends the worker, if one was started.
    pub(super) fn stop(self) {
        if let Some(Hermes { runtime, worker: Some(worker), .. }) = self.hermes {
            runtime.block_on(worker.stop());
        }
    }
}

impl Hermes {
    fn open(&mut self, context: &Context, printer: &mut Printer) -> Result<Opened, CliError> {
        let ask = if context.live { Ask::Always } else { Ask::IfNeeded };
        let asked = open::open_live(&context.open, ask, Deadlines::default());
        let live = self.runtime.block_on(wait::saying(&context.open, printer, asked))?;
        let Live { opened, worker, failure } = live;
        self.worker = worker;
        match failure {
            Some(failure) => Err(failed(&failure)),
            None => Ok(opened),
        }
    }

    fn assemble(
        &mut self,
        context: &Context,
        opened: &Opened,
        request: &AssembleRequest,
    ) -> Result<crate::sources::sidecar::AssembleAnswer, CliError> {
        let Self { interpreter, runtime, worker } = self;
        runtime.block_on(async {
            let asked = match worker {
                Some(asked) => asked,
                None => {
                    let (home, config) = (&opened.home.path, opened.config_value());
                    let cache = &context.open.cache_dir;
                    let started = open::start_worker(interpreter, home, &config, cache, Deadlines::default()).await;
                    worker.insert(started.map_err(|error| failed(&error))?)
                }
            };
            asked.assemble(request).await.map_err(|error| failed(&error))
        })
    }
}

fn failed(error: &dyn std::fmt::Display) -> CliError {
    CliError::failed(visible(&error.to_string()).into_owned()).hint("hermes-tools doctor")
}
