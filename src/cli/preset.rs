//! `preset`: what is on, kept under a name; applied later; and the file put back byte for byte as it was before.

use serde::Serialize;

use crate::engine::draft::Draft;
use crate::engine::ids::PlatformKey;
use crate::engine::plan;
use crate::engine::preset::{Preset, Unmet};
use crate::engine::selection::nearest::nearest;
use crate::engine::text::visible;
use crate::sources::config::{self, SaveContext};
use crate::sources::presets::{self, PresetError};

use super::Outcome;
use super::args::{PresetApplyArgs, PresetSaveArgs, PresetVerb};
use super::context::Context;
use super::error::CliError;
use super::offer::{Failure, Offer};
use super::platforms;
use super::printer::Printer;

const SCHEMA: &str = "hermes-tools/preset@1";

#[derive(Serialize)]
struct ListJson {
    schema: &'static str,
    presets: Vec<String>,
}

#[derive(Serialize)]
struct PresetJson {
    schema: &'static str,
    preset: String,
    platforms: Vec<PlatformJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
}

#[derive(Serialize)]
struct PlatformJson {
    platform: String,
    toolsets: Vec<String>,
    servers: Vec<String>,
}

#[derive(Serialize)]
struct DoneJson {
    schema: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    preset: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    done: &'static str,
}

pub(super) fn run(verb: &PresetVerb, context: &Context, printer: &mut Printer) -> Result<Outcome, CliError> {
    match verb {
        PresetVerb::List => list(context, printer),
        PresetVerb::Show { name } => show(name, context, printer),
        PresetVerb::Save(args) => save(args, context, printer),
        PresetVerb::Apply(args) => apply(args, context, printer),
        PresetVerb::Restore => restore(context, printer),
        PresetVerb::Delete { name } => delete(name, context, printer),
    }
}

fn list(context: &Context, printer: &mut Printer) -> Result<Outcome, CliError> {
    let names = presets::names(&context.config_dir);
    if printer.is_json() {
        printer.document(&ListJson { schema: SCHEMA, presets: names })?;
    } else if names.is_empty() {
        printer.note("there is no preset yet; `hermes-tools preset save NAME` keeps what is on now");
    } else {
        for name in names {
            printer.line(&visible(&name))?;
        }
    }
    Ok(Outcome::Done)
}

fn show(name: &str, context: &Context, printer: &mut Printer) -> Result<Outcome, CliError> {
    let preset = load(name, context)?;
    print(&preset, None, printer)?;
    Ok(Outcome::Done)
}

fn print(preset: &Preset, path: Option<String>, printer: &mut Printer) -> Result<(), CliError> {
    let shown = |name: &str| visible(name).into_owned();
    let platforms: Vec<PlatformJson> = preset
        .platforms
        .iter()
        .map(|(platform, on)| PlatformJson {
            platform: shown(platform.as_str()),
            toolsets: on.toolsets.iter().map(|key| shown(key.as_str())).collect(),
            servers: on.servers.iter().map(|name| shown(name.as_str())).collect(),
        })
        .collect();
    if printer.is_json() {
        return printer.document(&PresetJson { schema: SCHEMA, preset: shown(&preset.name), platforms, path });
    }
    for platform in platforms {
        printer.line(&format!("{}: {}", platform.platform, words(&platform.toolsets)))?;
        if !platform.servers.is_empty() {
            printer.line(&format!("    servers: {}", words(&platform.servers)))?;
        }
    }
    Ok(())
}

fn words(names: &[String]) -> String {
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

fn save(args: &PresetSaveArgs, context: &Context, printer: &mut Printer) -> Result<Outcome, CliError> {
    let opened = context.open(printer)?;
    let (catalog, config) = (&opened.catalog.catalog, opened.config_value());
    let words: Vec<String> =
        if args.platform.is_empty() { vec![platforms::ALL.to_owned()] } else { args.platform.clone() };
    let wanted = platforms::named(&words, catalog, &config)?;
    let preset = Preset::of(&args.name, &config, catalog, &wanted);
    let path = presets::store(&context.config_dir, &preset, args.replace).map_err(|error| {
        let exists = matches!(error, PresetError::Exists { .. });
        let error = failed(&error);
        if exists { error.hint("--replace writes over it") } else { error }
    })?;
    let path = visible(&path.display().to_string()).into_owned();
    print(&preset, Some(path.clone()), printer)?;
    if !printer.is_json() {
        printer
            .line(&format!("kept in {path}; `hermes-tools preset apply {}` makes it so again", quoted(&args.name)))?;
    }
    Ok(Outcome::Done)
}

fn apply(args: &PresetApplyArgs, context: &Context, printer: &mut Printer) -> Result<Outcome, CliError> {
    let mut preset = load(&args.name, context)?;
    let opened = context.open(printer)?;
    let (catalog, config) = (&opened.catalog.catalog, opened.config_value());
    if !args.platform.is_empty() {
        let wanted = platforms::named(&args.platform, catalog, &config)?;
        if let Some(lacking) = wanted.iter().find(|platform| !preset.platforms.contains_key(*platform)) {
            let lacking = visible(lacking.as_str()).into_owned();
            return Err(CliError::usage(format!("the preset says nothing about the platform '{lacking}'")));
        }
        preset.platforms.retain(|platform, _| wanted.contains(platform));
    }
    let fit = preset.fit(&config, catalog);
    let mut draft = Draft::default();
    draft.apply(&fit.wishes, |target| plan::state(&config, catalog, target));
    let offer = Offer {
        schema: SCHEMA.to_owned(),
        dry_run: args.dry_run,
        platforms: preset.platforms.keys().cloned().collect::<Vec<PlatformKey>>(),
        failures: fit.unmet.into_iter().map(unmet).collect(),
        idle: "nothing to do: everything is as the preset says".to_owned(),
    };
    let offered = offer.make(&draft, &opened, context, printer)?;
    if let Some(saved) = offered.saved {
        match config::keep_base(&saved, &context.open.state_dir) {
            Ok(()) => printer.note("`hermes-tools preset restore` puts the file back as it was before"),
            Err(error) => printer.note(&format!(
                "the file as it was cannot be kept for `preset restore` ({}); `hermes-tools undo` takes this back",
                visible(&error.to_string())
            )),
        }
    }
    Ok(offered.outcome)
}

fn unmet(unmet: Unmet) -> Failure {
    let place = if unmet.platform.is_empty() { String::new() } else { format!(" on {}", unmet.platform) };
    Failure { name: format!("{}{place}", unmet.name), reason: unmet.reason, hint: None, usage: false }
}

fn restore(context: &Context, printer: &mut Printer) -> Result<Outcome, CliError> {
    if context.open.sample {
        return Err(CliError::refused("this is the embedded sample, there is no file to change"));
    }
    let home = crate::sources::home::find(&context.open.home)?;
    let path = home.config_path();
    let state_dir = &context.open.state_dir;
    let Some(token) = config::base(&path, state_dir) else {
        return Err(CliError::failed(format!("no preset has been applied to {}", path.display())));
    };
    let save = SaveContext { managed: home.managed.as_deref(), state_dir };
    if !config::is_at_base(&path, state_dir) {
        config::undo(&token, &save).map_err(|error| {
            let refused = error.is_refusal();
            let error = CliError::from(error);
            if refused {
                error.hint("see what is on now with `hermes-tools list`, and switch back by name")
            } else {
                error
            }
        })?;
    }
    config::forget_base(&path, state_dir);
    done(None, Some(visible(&path.display().to_string()).into_owned()), "restored", printer)
}

fn delete(name: &str, context: &Context, printer: &mut Printer) -> Result<Outcome, CliError> {
    presets::remove(&context.config_dir, name).map_err(|error| known(error, context))?;
    done(Some(visible(name).into_owned()), None, "deleted", printer)
}

fn done(
    preset: Option<String>,
    path: Option<String>,
    done: &'static str,
    printer: &mut Printer,
) -> Result<Outcome, CliError> {
    if printer.is_json() {
        printer.document(&DoneJson { schema: SCHEMA, preset, path, done })?;
    } else {
        printer.line(&format!("{done} {}", preset.or(path).unwrap_or_default()))?;
    }
    Ok(Outcome::Done)
}

fn load(name: &str, context: &Context) -> Result<Preset, CliError> {
    presets::load(&context.config_dir, name).map_err(|error| known(error, context))
}

/// For a name that is not there, the nearest one that is.
fn known(error: PresetError, context: &Context) -> CliError {
    let PresetError::Missing { name } = &error else { return failed(&error) };
    let names = presets::names(&context.config_dir);
    let near = nearest(name, names.iter().map(String::as_str));
    let hint = near.map_or_else(
        || "`hermes-tools preset list` shows those there are".to_owned(),
        |near| format!("did you mean '{near}'?"),
    );
    failed(&error).hint(hint)
}

fn failed(error: &PresetError) -> CliError {
    match error {
        PresetError::Name(_) => CliError::usage(error.to_string()),
        _ => CliError::failed(visible(&error.to_string()).into_owned()),
    }
}

/// As a shell takes it.
fn quoted(name: &str) -> String {
    if name.contains(' ') { format!("'{name}'") } else { name.to_owned() }
}
