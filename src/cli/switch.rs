//! `enable` and `disable`: names become wishes.
//!
//! All or nothing: one name that fails leaves the file alone, unless `--keep-going` says otherwise.

use crate::engine::catalog::Catalog;
use crate::engine::draft::{Draft, Target};
use crate::engine::ids::PlatformKey;
use crate::engine::plan;
use crate::engine::server;
use crate::engine::text::visible;
use crate::engine::value::Value;

use super::Outcome;
use super::args::SwitchArgs;
use super::context::Context;
use super::error::CliError;
use super::names::{Names, Scope};
use super::offer::{Failure, Offer, document};
use super::platforms;
use super::printer::Printer;

/// Which way to switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Switch {
    Enable,
    Disable,
}

impl Switch {
    fn on(self) -> bool {
        self == Self::Enable
    }

    fn verb(self) -> &'static str {
        match self {
            Self::Enable => "enable",
            Self::Disable => "disable",
        }
    }
}

pub(super) fn run(
    switch: Switch,
    args: &SwitchArgs,
    context: &Context,
    printer: &mut Printer,
) -> Result<Outcome, CliError> {
    let context = match args.platform.as_slice() {
        [one] if one != platforms::ALL => &context.on_platform(&one.as_str().into()),
        _ => context,
    };
    let opened = context.open(printer)?;
    let document = document(&opened)?;
    let catalog = &opened.catalog.catalog;
    let scope = match args.platform.as_slice() {
        [] => Scope::Unsaid,
        words => Scope::Platforms(platforms::named(words, catalog, document.value())?),
    };
    let mut draft = Draft::default();
    let failures = collect(switch, args, &scope, document.value(), catalog, &mut draft);
    if !failures.is_empty() && !args.keep_going {
        return Err(all_or_nothing(&failures, printer));
    }
    let shown = match &scope {
        Scope::Platforms(platforms) => platforms.clone(),
        Scope::Unsaid => vec![PlatformKey::from("cli")],
    };
    let offer = Offer {
        schema: format!("hermes-tools/{}@1", switch.verb()),
        dry_run: args.dry_run,
        platforms: shown,
        failures,
        idle: format!("nothing to do: already {}", if switch.on() { "on" } else { "off" }),
    };
    Ok(offer.make(&draft, &opened, context, printer)?.outcome)
}

/// Takes up every name that can be granted together with those before it; says which cannot.
fn collect(
    switch: Switch,
    args: &SwitchArgs,
    scope: &Scope,
    config: &Value,
    catalog: &Catalog,
    draft: &mut Draft,
) -> Vec<Failure> {
    let servers = server::servers(config, catalog.rules());
    let names = Names { catalog, config, servers: &servers };
    let mut failures = Vec::new();
    for word in &args.names {
        let targets = match names.targets(word, scope) {
            Ok(targets) => targets,
            Err(error) => {
                let name = visible(word).into_owned();
                failures.push(Failure { name, reason: error.message, hint: error.hint, usage: error.usage });
                continue;
            }
        };
        let wishes: Vec<(Target, bool)> = targets.into_iter().map(|target| (target, switch.on())).collect();
        let before = draft.clone();
        draft.apply(&wishes, |target| plan::state(config, catalog, target));
        if let Err(refusal) = plan::plan(config, catalog, draft) {
            *draft = before;
            failures.push(Failure {
                name: visible(word).into_owned(),
                reason: visible(&refusal.reason).into_owned(),
                hint: Some(visible(&refusal.instead).into_owned()),
                usage: false,
            });
        }
    }
    failures
}

fn all_or_nothing(failures: &[Failure], printer: &mut Printer) -> CliError {
    for failure in failures {
        failure.say(printer);
    }
    let message = match failures {
        [_] => "nothing was written".to_owned(),
        many => format!("nothing was written: {} names failed", many.len()),
    };
    if failures.iter().all(|failure| failure.usage) {
        return CliError::usage(message);
    }
    let error = CliError::failed(message);
    if failures.len() > 1 { error.hint("--keep-going switches the names that work") } else { error }
}
