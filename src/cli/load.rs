//! From an opened home to reports: the token counts and the model's window that every figure needs.
//!
//! Counting is remembered by content, so that only what is new since the last run is counted.

use crate::engine::assembly::Assembly;
use crate::engine::catalog::Surface;
use crate::engine::ids::PlatformKey;
use crate::engine::meter::TokenCounts;
use crate::engine::report::{self, Inputs, PlatformReport};
use crate::engine::value::Value;
use crate::sources::open::Opened;
use crate::sources::tokens;

use super::context::Context;
use super::error::CliError;

/// What reports are made with, the same for every platform of a run.
pub(super) struct Figures<'a> {
    opened: &'a Opened,
    counts: TokenCounts,
    surface: Option<Surface>,
    context_tokens: Option<u64>,
}

impl<'a> Figures<'a> {
    /// Counts what the memo does not hold yet. `extra` are definitions that are not in the catalog as they are sent.
    pub(super) fn count(context: &Context, opened: &'a Opened, extra: Option<&Assembly>) -> Result<Self, CliError> {
        let catalog = &opened.catalog.catalog;
        let model = catalog.facts().model.as_deref();
        let counts = tokens::counted(&context.open.cache_dir, context.tokenizer.as_deref(), model, catalog, extra)
            .map_err(|error| CliError::usage(error.to_string()))?;
        Ok(Self {
            opened,
            counts,
            surface: context.open.surface,
            context_tokens: context.context_tokens.or(opened.catalog.catalog.facts().context_tokens),
        })
    }

    /// Counts what another array holds and no other did.
    pub(super) fn count_also(&mut self, array: &Assembly) {
        tokens::count_also(&mut self.counts, &self.opened.catalog.catalog, array);
    }

    /// Remembers what was counted. Without a cache folder the next run counts again, and that is all.
    pub(super) fn keep(&self, context: &Context) {
        let _ = tokens::keep(&context.open.cache_dir, &self.counts);
    }

    /// The surface a platform's figures are about.
    pub(super) fn surface(&self, platform: &PlatformKey) -> Surface {
        self.surface.unwrap_or_else(|| Surface::of_platform(platform.as_str()))
    }

    /// The report of a platform under a config that need not be saved.
    pub(super) fn report(&self, config: &Value, platform: &PlatformKey, assembly: Option<&Assembly>) -> PlatformReport {
        report::platform(&self.inputs(config, platform, assembly))
    }

    /// What such a report is made from.
    pub(super) fn inputs<'i>(
        &'i self,
        config: &'i Value,
        platform: &'i PlatformKey,
        assembly: Option<&'i Assembly>,
    ) -> Inputs<'i> {
        Inputs {
            catalog: &self.opened.catalog.catalog,
            config,
            platform,
            surface: self.surface(platform),
            assembly,
            counts: &self.counts,
            context_tokens: self.context_tokens,
        }
    }
}
