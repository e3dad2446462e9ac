//! Hermes' own array for one platform: remembered from the last minutes, or asked for now.

use crate::engine::assembly::Assembly;
use crate::engine::catalog::Surface;
use crate::engine::ids::PlatformKey;
use crate::engine::text::visible;
use crate::sources::memo::{self, Question};
use crate::sources::open::{self, Ask, Live, Opened};
use crate::sources::sidecar::{AssembleRequest, Deadlines, Interpreter, Worker};

use super::context::{self, Context};
use super::error::CliError;
use super::platforms;
use super::printer::Printer;

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
    let opened = open::open(&context.open)?;
    let real = context.open.catalog_file.is_none() && !context.open.sample && opened.home.exists;
    let Some(interpreter) = opened.interpreter.as_ref().ok().filter(|_| real).cloned() else {
        context.talk(&opened, printer);
        printer.note("there is no Hermes to ask here: figures marked ~ are estimates");
        return Ok(Confirmed { opened, assembly: None });
    };
    let usable = opened.catalog.source == open::CatalogSource::Snapshot && !opened.catalog.stale && !context.live;
    let remembered = usable.then(|| remembered(context, &opened, &interpreter, platform, surface)).flatten();
    let confirmed = match remembered {
        Some(assembly) => Confirmed { opened, assembly: Some(assembly) },
        None => asked(context, &interpreter, platform, surface)?,
    };
    context.talk(&confirmed.opened, printer);
    Ok(confirmed)
}

/// The memo's question about an opened home.
fn question<'a>(
    context: &Context,
    opened: &'a Opened,
    interpreter: &'a Interpreter,
    platform: &'a PlatformKey,
    surface: Surface,
) -> Question<'a> {
    Question {
        stamp: &interpreter.stamp,
        home: &opened.home.path,
        platform,
        surface,
        config_text: opened.config.document.as_ref().map_or("", |document| document.text()),
        context_tokens: context.context_tokens,
    }
}

fn remembered(
    context: &Context,
    opened: &Opened,
    interpreter: &Interpreter,
    platform: &PlatformKey,
    surface: Surface,
) -> Option<Assembly> {
    // What Hermes does with a file it cannot read depends on its backups too.
    opened.config.document.as_ref().ok()?;
    let question = question(context, opened, interpreter, platform, surface);
    memo::load(&context.open.cache_dir, &question, context.open.now_s).map(|answer| answer.assembly)
}

fn asked(
    context: &Context,
    interpreter: &Interpreter,
    platform: &PlatformKey,
    surface: Surface,
) -> Result<Confirmed, CliError> {
    let failed = |error: &dyn std::fmt::Display| CliError::failed(error.to_string()).hint("hermes-tools doctor");
    context::runtime()?.block_on(async {
        let ask = if context.live { Ask::Always } else { Ask::IfNeeded };
        let Live { opened, worker, failure } = open::open_live(&context.open, ask, Deadlines::default()).await?;
        if let Some(failure) = failure {
            return Err(failed(&failure));
        }
        platforms::known(platform.as_str(), &opened.catalog.catalog, &opened.config_value())?;
        let worker = match worker {
            Some(worker) => worker,
            None => Worker::start(interpreter, &opened.home.path, Deadlines::default())
                .await
                .map_err(|error| failed(&error))?,
        };
        let request = AssembleRequest {
            config_text: None,
            platform: platform.clone(),
            surface,
            context_tokens: context.context_tokens,
        };
        let answer = worker.assemble(&request).await.map_err(|error| failed(&error))?;
        worker.stop().await;
        let mut opened = opened;
        let question = question(context, &opened, interpreter, platform, surface);
        if let Err(error) = memo::store(&context.open.cache_dir, &question, context.open.now_s, &answer) {
            let notice = format!("the answer of Hermes could not be kept: {}", visible(&error.to_string()));
            opened.notices.push(notice);
        }
        Ok(Confirmed { opened, assembly: Some(answer.assembly) })
    })
}
