//! `settings`: the settings of tool search, what is in force and where it comes from; set and unset by the one editor.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::app::derive::typed;
use crate::engine::assembly::disclosure::Disclosure;
use crate::engine::assembly::listing::Form;
use crate::engine::assembly::settings::{PLACE, Settings};
use crate::engine::catalog::Catalog;
use crate::engine::draft::{Draft, Target};
use crate::engine::ids::PlatformKey;
use crate::engine::plan;
use crate::engine::report::{self, Finding, ToFull};
use crate::engine::selection::nearest::nearest;
use crate::engine::setting::Setting;
use crate::engine::text::visible;
use crate::engine::value::Value;

use super::Outcome;
use super::args::{SettingsArgs, SettingsVerb};
use super::context::Context;
use super::error::CliError;
use super::figure::grouped;
use super::load::Figures;
use super::offer::{Offer, document};
use super::platforms;
use super::printer::{Printer, Tone};
use super::table::{Lean, Table};

const SCHEMA: &str = "hermes-tools/settings@1";

#[derive(Serialize)]
struct SettingsJson {
    schema: &'static str,
    place: String,
    settings: Vec<SettingJson>,
    effect: EffectJson,
    findings: Vec<String>,
}

/// What the settings come to on one platform.
#[derive(Serialize)]
struct EffectJson {
    platform: String,
    /// 0, 1 or 2; null where this Hermes has no tiers.
    tier: Option<u8>,
    bridge: bool,
    form: Form,
    deferred: u64,
    listing_tokens: u64,
    /// Null where nothing is ever listed.
    budget_tokens: Option<u64>,
    /// Settings that give a full listing, as they are typed; null where it is one, or none leads there.
    full_with: Option<BTreeMap<&'static str, String>>,
    /// Tokens of a full listing that no setting allows.
    full_too_long: Option<u64>,
}

impl EffectJson {
    fn new(platform: &PlatformKey, disclosure: &Disclosure, to_full: &ToFull) -> Self {
        Self {
            platform: visible(platform.as_str()).into_owned(),
            tier: disclosure.tier,
            bridge: disclosure.is_active(),
            form: disclosure.listing.form,
            deferred: disclosure.deferred,
            listing_tokens: disclosure.listing.extent.tokens(),
            budget_tokens: disclosure.budget.map(|budget| budget.tokens),
            full_with: match to_full {
                ToFull::Set(wishes) => {
                    Some(wishes.iter().map(|(setting, value)| (setting.key(), typed(value))).collect())
                }
                _ => None,
            },
            full_too_long: match to_full {
                ToFull::TooLong(tokens) => Some(*tokens),
                _ => None,
            },
        }
    }
}

#[derive(Serialize)]
struct SettingJson {
    setting: &'static str,
    /// In force, as it would be typed.
    value: String,
    default: String,
    /// The file has the key.
    written: bool,
    /// This version reads it.
    read: bool,
    accepts: &'static str,
    meaning: &'static str,
}

pub(super) fn run(args: &SettingsArgs, context: &Context, printer: &mut Printer) -> Result<Outcome, CliError> {
    match &args.verb {
        None => list(&args.platform, context, printer),
        Some(SettingsVerb::Set { key, value, change }) => {
            let setting = named(key)?;
            let value = setting.parse(value).map_err(CliError::usage)?;
            save(Target::Setting(setting, Some(value)), setting, change, context, printer)
        }
        Some(SettingsVerb::Unset { key, change }) => {
            let setting = named(key)?;
            save(Target::Setting(setting, None), setting, change, context, printer)
        }
    }
}

fn named(key: &str) -> Result<Setting, CliError> {
    let known = Setting::ALL.map(Setting::key);
    let bare = key.strip_prefix("tools.tool_search.").unwrap_or(key);
    Setting::named(bare).ok_or_else(|| {
        let error = CliError::usage(format!("there is no setting '{}' of tool search", visible(key)));
        error.hint(match nearest(bare, known.into_iter()) {
            Some(near) => format!("did you mean '{near}'?"),
            None => format!("there are {}", known.join(", ")),
        })
    })
}

fn list(platform: &str, context: &Context, printer: &mut Printer) -> Result<Outcome, CliError> {
    let context = &context.on_platform(&platform.into());
    let opened = context.open(printer)?;
    let (catalog, config) = (&opened.catalog.catalog, opened.config_value());
    let platform = platforms::known(platform, catalog, &config)?;
    let figures = Figures::count(context, &opened, None)?;
    let inputs = figures.inputs(&config, &platform, None);
    let disclosure = report::platform(&inputs).disclosure;
    let effect = EffectJson::new(&platform, &disclosure, &report::to_full(&inputs));
    let rows = rows(&config, catalog);
    let mut findings = findings(&config, catalog);
    findings.extend(lines(crate::engine::findings::of_disclosure(&config, &disclosure)));
    if printer.is_json() {
        printer.document(&SettingsJson { schema: SCHEMA, place: PLACE.join("."), settings: rows, effect, findings })?;
        return Ok(Outcome::Done);
    }
    let mut table = Table::new(&[Lean::Left, Lean::Left, Lean::Left]);
    for row in &rows {
        let from = match (row.read, row.written) {
            (false, _) => "not read by this Hermes".to_owned(),
            (true, true) => format!("written; by default {}", row.default),
            (true, false) => "by default".to_owned(),
        };
        table.row(vec![row.setting.to_owned(), row.value.clone(), from]);
    }
    for (line, row) in table.lines().iter().zip(&rows) {
        printer.line(line)?;
        printer.line(&printer.paint(Tone::Dim, &format!("    {}", row.meaning)))?;
    }
    printer.line("")?;
    printer.line(&format!("{}: {}", visible(platform.as_str()), disclosure.in_words()))?;
    if let Some(settings) = &effect.full_with {
        printer.line("for a full listing:")?;
        for (key, value) in settings {
            printer.line(&format!("  hermes-tools settings set {key} {value}"))?;
        }
    }
    if let Some(tokens) = effect.full_too_long {
        printer
            .line(&format!("a full listing takes ~{} tokens, more than any setting allows here", grouped(tokens)))?;
    }
    for finding in findings {
        printer.note(&finding);
    }
    Ok(Outcome::Done)
}

fn rows(config: &Value, catalog: &Catalog) -> Vec<SettingJson> {
    let rules = catalog.rules();
    let (now, default) = (Settings::read(config, catalog.host()), Settings::default_of(&catalog.host().defaults));
    let row = |setting: Setting| SettingJson {
        setting: setting.key(),
        value: visible(&setting.shown(&now)).into_owned(),
        default: setting.shown(&default),
        written: !plan::state(config, catalog, &Target::Setting(setting, None)),
        read: setting.is_read(rules),
        accepts: setting.accepts(),
        meaning: setting.meaning(rules),
    };
    Setting::ALL.into_iter().map(row).collect()
}

/// What is odd about the settings as they are written.
fn findings(config: &Value, catalog: &Catalog) -> Vec<String> {
    lines(crate::engine::findings::of_settings(config, catalog))
}

fn lines(found: Vec<Finding>) -> Vec<String> {
    found.into_iter().map(|finding| format!("{}: {}", finding.place, finding.text)).collect()
}

fn save(
    target: Target,
    setting: Setting,
    change: &super::args::ChangeArgs,
    context: &Context,
    printer: &mut Printer,
) -> Result<Outcome, CliError> {
    let context = context.on_platform(&change.platform.as_str().into());
    let opened = context.open(printer)?;
    let catalog = &opened.catalog.catalog;
    let config = document(&opened)?.value();
    let platform = platforms::known(&change.platform, catalog, config)?;
    if !setting.is_read(catalog.rules()) {
        printer.note(&format!("this Hermes does not read {}; newer ones do", setting.key()));
    }
    let mut draft = Draft::default();
    draft.apply(&[(target, true)], |target| plan::state(config, catalog, target));
    let offer = Offer {
        schema: SCHEMA.to_owned(),
        dry_run: change.dry_run,
        platforms: vec![platform],
        failures: Vec::new(),
        idle: "nothing to do: it is written so already".to_owned(),
    };
    let offered = offer.make(&draft, &opened, &context, printer)?;
    for finding in findings(&offered.after, catalog) {
        printer.note(&finding);
    }
    Ok(offered.outcome)
}
