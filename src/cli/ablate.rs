//! `ablate`: switches off each thing that is on, alone and in turn, in memory only, and says what it would save and why.

use crate::engine::assembly::Assembly;
use crate::engine::draft::Draft;
use crate::engine::ids::PlatformKey;
use crate::engine::plan;
use crate::engine::report::ablate::{self, AblateJson, AblateRow, Candidate, Outcome as Saved, Side, TargetJson};
use crate::engine::report::{self, PlatformReport};
use crate::engine::text::visible;
use crate::engine::yaml::Document;
use crate::sources::open::Opened;

use super::Outcome;
use super::args::AblateArgs;
use super::confirm::{Confirmer, confirmer};
use super::context::Context;
use super::error::CliError;
use super::figure::{figure, grouped};
use super::load::Figures;
use super::platforms;
use super::printer::{Printer, Tone};
use super::table::{Lean, Table};

pub(super) fn run(args: &AblateArgs, context: &Context, printer: &mut Printer) -> Result<Outcome, CliError> {
    let platform = PlatformKey::from(args.platform.as_str());
    let context = context.on_platform(&platform);
    let (opened, mut confirmer) = confirmer(&context, &platform, printer)?;
    let config = opened.config_value();
    let platform = platforms::known(&args.platform, &opened.catalog.catalog, &config)?;
    let document = opened.config.document.as_ref().map_err(|error| {
        let path = opened.config.path.display();
        CliError::refused(format!("{path}:{}:{}: {}", error.place.line, error.place.column, error.message))
            .hint("repair that line first: until then Hermes ignores the whole file")
    })?;
    let figures = Figures::count(&context, &opened, None)?;
    let mut lab = Lab { context: &context, opened: &opened, document, platform, confirmer: &mut confirmer, figures };
    let base = lab.state(&[])?;
    let candidates = ablate::candidates(&base.report);
    let rows =
        candidates.iter().map(|one| lab.row(&base, std::slice::from_ref(one), one)).collect::<Result<Vec<_>, _>>()?;
    let cumulative = if args.cumulative { Some(lab.in_turn(&base, &candidates)?) } else { None };
    let target = match args.target_tokens {
        Some(tokens) => Some(lab.target(&base, &candidates, &rows, tokens)?),
        None => None,
    };
    lab.figures.keep(&context);
    confirmer.stop();
    if printer.is_json() {
        printer.document(&AblateJson::new(&base.report, &rows, cumulative.as_deref(), target))?;
        return Ok(Outcome::Done);
    }
    show(&base.report, &rows, cumulative.as_deref(), target.as_ref(), printer)?;
    Ok(Outcome::Done)
}

/// A selection with its array.
struct State {
    report: PlatformReport,
    array: Assembly,
}

impl State {
    fn side(&self) -> Side<'_> {
        Side { report: &self.report, array: &self.array }
    }
}

struct Lab<'a> {
    context: &'a Context,
    opened: &'a Opened,
    document: &'a Document,
    platform: PlatformKey,
    confirmer: &'a mut Confirmer,
    figures: Figures<'a>,
}

impl Lab<'_> {
    /// The selection with these switched off, or why that cannot be.
    fn state(&mut self, off: &[Candidate]) -> Result<State, CliError> {
        let catalog = &self.opened.catalog.catalog;
        let saved = self.document.value();
        let wishes: Vec<_> = off.iter().map(|one| (one.target.clone(), false)).collect();
        let mut draft = Draft::default();
        draft.apply(&wishes, |target| plan::state(saved, catalog, target));
        let plan = plan::plan(saved, catalog, &draft)
            .map_err(|refusal| CliError::refused(refusal.reason).hint(refusal.instead))?;
        let text = match plan.ops.as_slice() {
            [] => None,
            ops => Some(self.document.edit(ops).map_err(|refused| CliError::refused(refused.to_string()))?),
        };
        let surface = self.context.open.surface();
        let assembly = self.confirmer.ask(self.context, self.opened, &self.platform, surface, text.as_deref())?;
        let value = plan::apply(saved, &plan.ops);
        if let Some(assembly) = &assembly {
            self.figures.count_also(assembly);
        }
        let inputs = self.figures.inputs(&value, &self.platform, assembly.as_ref());
        let report = report::platform(&inputs);
        Ok(State { array: report::array(&inputs, &report), report })
    }

    fn row(&mut self, before: &State, off: &[Candidate], one: &Candidate) -> Result<AblateRow, CliError> {
        match self.state(off) {
            Ok(after) => Ok(ablate::compare(one, before.side(), after.side())),
            // What cannot be switched off by itself is an answer too; a Hermes that stopped is not.
            Err(error) if error.is_refusal() => Ok(AblateRow::locked(one, error.message().0)),
            Err(error) => Err(error),
        }
    }

    /// Each after all before it.
    fn in_turn(&mut self, base: &State, candidates: &[Candidate]) -> Result<Vec<AblateRow>, CliError> {
        let mut rows = Vec::new();
        let mut before = State { report: base.report.clone(), array: base.array.clone() };
        for count in 1..=candidates.len() {
            let one = &candidates[count - 1];
            match self.state(&candidates[..count]) {
                Ok(after) => {
                    rows.push(ablate::compare(one, before.side(), after.side()));
                    before = after;
                }
                Err(error) if error.is_refusal() => rows.push(AblateRow::locked(one, error.message().0)),
                Err(error) => return Err(error),
            }
        }
        Ok(rows)
    }

    /// As few switches as reach a number of tokens: what saves most goes first, until it is enough.
    fn target(
        &mut self,
        base: &State,
        candidates: &[Candidate],
        rows: &[AblateRow],
        tokens: u64,
    ) -> Result<TargetJson, CliError> {
        let enough = |report: &PlatformReport| report.totals.tokens.value().is_some_and(|now| now <= tokens);
        let mut off: Vec<Candidate> = Vec::new();
        let mut report = base.report.clone();
        for idx in ablate::by_saving(rows) {
            if enough(&report) {
                break;
            }
            off.push(candidates[idx].clone());
            report = self.state(&off)?.report;
        }
        Ok(TargetJson {
            tokens,
            reached: enough(&report),
            switch_off: off.iter().map(|one| visible(&one.name).into_owned()).collect(),
            tokens_after: report.totals.tokens.value(),
        })
    }
}

fn show(
    base: &PlatformReport,
    rows: &[AblateRow],
    cumulative: Option<&[AblateRow]>,
    target: Option<&TargetJson>,
    printer: &mut Printer,
) -> Result<(), CliError> {
    let totals = &base.totals;
    printer.line(&format!(
        "{} on {}: {} tools, {} bytes, {} tokens",
        visible(base.platform.as_str()),
        base.surface.as_str(),
        figure(totals.tools),
        figure(totals.json_bytes),
        figure(totals.tokens)
    ))?;
    printer.line("")?;
    table("off alone", rows, printer)?;
    if let Some(best) = ablate::best(rows) {
        printer.line(&format!("most is saved by {}", visible(&best.name)))?;
    }
    if let Some(rows) = cumulative {
        printer.line("")?;
        table("off in turn", rows, printer)?;
    }
    if let Some(target) = target {
        printer.line("")?;
        let now = target.tokens_after.map_or_else(|| "-".to_owned(), grouped);
        let names = target.switch_off.join(" ");
        printer.line(&match (target.reached, target.switch_off.is_empty()) {
            (true, true) => format!("{} tokens are within {} already", now, grouped(target.tokens)),
            (true, false) => format!("{now} tokens with these off: {names}"),
            (false, _) => {
                format!("{} tokens cannot be reached: {now} are left with these off: {names}", grouped(target.tokens))
            }
        })?;
    }
    Ok(())
}

fn table(title: &str, rows: &[AblateRow], printer: &mut Printer) -> Result<(), CliError> {
    let mut table = Table::new(&[Lean::Left, Lean::Right, Lean::Right, Lean::Right, Lean::Left]);
    table.row([title, "tools", "bytes", "tokens", "why"].map(str::to_owned).to_vec());
    for row in rows {
        let signed = |delta: Option<i64>| match delta {
            None => "-".to_owned(),
            Some(0) => "0".to_owned(),
            Some(delta) => {
                let sure = if row.delta.sure { "" } else { "~" };
                let sign = if delta < 0 { "-" } else { "+" };
                format!("{sure}{sign}{}", grouped(delta.unsigned_abs()))
            }
        };
        table.row(vec![
            visible(&row.name).into_owned(),
            signed(row.delta.tools),
            signed(row.delta.json_bytes),
            signed(row.delta.tokens),
            row.why.clone(),
        ]);
    }
    for (idx, line) in table.lines().into_iter().enumerate() {
        let tone = match idx.checked_sub(1).map(|row| rows[row].outcome) {
            None => Some(Tone::Heading),
            Some(Saved::Nothing) => Some(Tone::Dim),
            Some(_) => None,
        };
        let line = tone.map_or_else(|| line.clone(), |tone| printer.paint(tone, &line));
        printer.line(&line)?;
    }
    Ok(())
}
