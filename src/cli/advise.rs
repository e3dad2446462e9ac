//! `advise`: should this set-up use the bridge, what does its array cost, and what would change that.

use serde::Serialize;

use crate::engine::advice::{self, Assumptions, Counsel};
use crate::engine::report::{self, Severity};
use crate::engine::text::visible;

use super::Outcome;
use super::args::AdviseArgs;
use super::confirm::{Confirmed, confirmed};
use super::context::Context;
use super::error::CliError;
use super::figure::grouped;
use super::load::Figures;
use super::platforms;
use super::printer::{Printer, Tone};

#[derive(Serialize)]
struct AdviseJson {
    schema: &'static str,
    platform: String,
    surface: &'static str,
    #[serde(flatten)]
    counsel: Counsel,
}

pub(super) fn run(args: &AdviseArgs, context: &Context, printer: &mut Printer) -> Result<Outcome, CliError> {
    for (flag, value) in [("--tokens-per-second", args.tokens_per_second), ("--price-per-mtok", args.price_per_mtok)] {
        if value.is_some_and(|value| !value.is_finite() || value <= 0.0) {
            return Err(CliError::usage(format!("{flag} must be a number above zero")));
        }
    }
    let context = context.on_platform(&args.platform.as_str().into());
    let surface = context.open.surface();
    let Confirmed { opened, assembly } = confirmed(&context, &args.platform.as_str().into(), surface, printer)?;
    let config = opened.config_value();
    let platform = platforms::known(&args.platform, &opened.catalog.catalog, &config)?;
    let figures = Figures::count(&context, &opened, assembly.as_ref())?;
    let inputs = figures.inputs(&config, &platform, assembly.as_ref());
    let report = report::platform(&inputs);
    let assumed = Assumptions {
        turns: args.turns,
        tokens_per_second: args.tokens_per_second,
        price_per_mtok: args.price_per_mtok,
    };
    let counsel = advice::counsel(&inputs, &report, &report::listing(&inputs), assumed);
    if printer.is_json() {
        printer.document(&AdviseJson {
            schema: "hermes-tools/advise@1",
            platform: visible(platform.as_str()).into_owned(),
            surface: report.surface.as_str(),
            counsel,
        })?;
        return Ok(Outcome::Done);
    }
    show(&counsel, printer)?;
    Ok(Outcome::Done)
}

fn show(counsel: &Counsel, printer: &mut Printer) -> Result<(), CliError> {
    for advice in &counsel.advice {
        let word = match advice.severity {
            Severity::Note => printer.paint(Tone::Dim, "note    "),
            Severity::Warning => printer.paint(Tone::Bad, "warning "),
            Severity::Error => printer.paint(Tone::Bad, "error   "),
        };
        printer.line(&format!("{word} {}", advice.text))?;
        printer.line(&format!("         {}", printer.paint(Tone::Dim, &format!("from {}", advice.source))))?;
    }
    let tax = &counsel.tax;
    if let (Some(turn), Some(uncached), Some(cached)) = (tax.tokens_per_turn, tax.tokens_uncached, tax.tokens_cached) {
        printer.line("")?;
        printer.line(&format!(
            "every turn pays {} tokens for the array: {} of 128K, {} of 1M",
            grouped(turn),
            tax.share_of_128k.as_deref().unwrap_or("-"),
            tax.share_of_1m.as_deref().unwrap_or("-")
        ))?;
        printer.line(&format!(
            "{} turns: {} tokens uncached, as much as {} with a cache that charges a tenth",
            grouped(tax.turns),
            grouped(uncached),
            grouped(cached)
        ))?;
    }
    if let (Some(uncached), Some(cached)) = (tax.money_uncached, tax.money_cached) {
        printer.line(&format!("at the given price: {uncached:.4} uncached, {cached:.4} cached"))?;
    }
    if let Some(detour) = counsel.detour {
        let assumed = if detour.assumed { ", at an assumed speed; set --tokens-per-second" } else { "" };
        printer.line(&format!(
            "a deferred tool costs {} round trips before its first call, ~{:.1} s of writing{assumed}",
            detour.round_trips, detour.seconds
        ))?;
    }
    if let Some(nudge) = counsel.nudge {
        printer.line("")?;
        printer.line("for the system prompt:")?;
        printer.line(&format!("  {nudge}"))?;
    }
    Ok(())
}
