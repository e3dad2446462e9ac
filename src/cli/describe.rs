//! `describe`: what the model would get back from `tool_describe`, and whether `tool_call` would let a call through.

use serde_json::{Value as Json, json};

use crate::engine::search::call::Unchecked;
use crate::engine::search::json::{self, CallJson, DescribeJson};
use crate::engine::search::{Protocol, Verdict};
use crate::engine::text::{visible, visible_lines};

use super::Outcome;
use super::args::DescribeArgs;
use super::context::Context;
use super::error::CliError;
use super::printer::{Printer, Tone};
use super::search::{Lab, error_of};

pub(super) fn run(args: &DescribeArgs, context: &Context, printer: &mut Printer) -> Result<Outcome, CliError> {
    let context = context.on_platform(&args.platform.as_str().into());
    let opened = context.open(printer)?;
    let config = opened.config_value();
    let lab = Lab::open(&context, &opened, &config, &args.platform)?;
    let bridge = lab.bridge();
    let protocol = lab.index.protocol();
    let arguments = match (protocol, args.names.as_slice()) {
        (Protocol::Batch, names) => json!({ "names": names }),
        (Protocol::Single, [name]) => json!({ "name": name }),
        (Protocol::Single, _) => return Err(CliError::usage("this Hermes describes one tool a call")),
    };
    let call = args.call.as_deref().map(|given| asked(given, &args.names, protocol)).transpose()?;
    let answer = bridge.describe(&arguments);
    let verdict = call.as_ref().map(|call| bridge.call(call));
    lab.note(printer);
    let refused = matches!(verdict, Some(Verdict::Refused(_)));
    if printer.is_json() {
        let active = lab.behind.disclosure.is_active();
        let raw = json::raw(&answer);
        let (result, would_be) = if active { (raw, None) } else { (None, raw) };
        let own_words = answer.own_words || matches!(&verdict, Some(Verdict::Refused(answer)) if answer.own_words);
        printer.document(&DescribeJson {
            schema: "hermes-tools/describe@1",
            platform: visible(lab.platform.as_str()).into_owned(),
            surface: lab.surface.as_str(),
            active,
            inactive_because: json::inactive_because(&lab.behind),
            arguments: json::shown(&arguments),
            result,
            would_be,
            certainty: own_words.then_some("estimated"),
            call: call.as_ref().zip(verdict.as_ref()).map(|(call, verdict)| CallJson::new(call, verdict)),
        })?;
    } else {
        match &verdict {
            Some(verdict) => show_verdict(verdict, printer)?,
            None => show(&answer.text, printer)?,
        }
    }
    Ok(if refused { Outcome::Found } else { Outcome::Done })
}

/// What the model would send to `tool_call`. Text that is no JSON is sent as text, as models do.
fn asked(given: &str, names: &[String], protocol: Protocol) -> Result<Json, CliError> {
    let [name] = names else { return Err(CliError::usage("--call goes with one name")) };
    let given: Json = serde_json::from_str(given).unwrap_or_else(|_| given.into());
    let call = json!({ "name": name, "arguments": given });
    Ok(match protocol {
        Protocol::Batch => json!({ "calls": [call] }),
        Protocol::Single => call,
    })
}

fn show_verdict(verdict: &Verdict, printer: &mut Printer) -> Result<(), CliError> {
    match verdict {
        Verdict::Accepted { tool, arguments, unchecked } => {
            let line = format!("{} gets the call: {}", visible(tool), visible(&arguments.to_string()));
            printer.line(&printer.paint(Tone::Good, &line))?;
            if let Some(unchecked) = unchecked {
                printer.note(match unchecked {
                    Unchecked::ByVersion => "this Hermes does not check arguments before the tool does",
                    Unchecked::BySchema => {
                        "the tool's schema cannot be checked here, and Hermes does not check it either"
                    }
                    Unchecked::Remote => "the account's service checks the arguments",
                });
            }
        }
        Verdict::Refused(answer) => {
            printer.line(&printer.paint(Tone::Bad, "the tool is not called; the model gets:"))?;
            printer.line(&visible(&error_of(&answer.text).unwrap_or_default()))?;
            let answer: Json = serde_json::from_str(&answer.text).unwrap_or_default();
            if let Some(hint) = answer.get("hint").and_then(Json::as_str) {
                printer.line(&visible(hint))?;
            }
        }
        Verdict::OutOfReach => printer.note("Python takes this JSON, but it cannot be checked here"),
    }
    Ok(())
}

fn show(answer: &str, printer: &mut Printer) -> Result<(), CliError> {
    let answer: Json = serde_json::from_str(answer).unwrap_or_default();
    if let Some(error) = answer.get("error").and_then(Json::as_str) {
        let label = printer.paint(Tone::Bad, "Hermes answers:");
        return printer.line(&format!("{label} {}", visible(error)));
    }
    // 0.19 answers with the tool itself.
    if let Some(name) = answer.get("name").and_then(Json::as_str) {
        return show_tool(name, &answer, printer);
    }
    for (name, tool) in answer.get("tools").and_then(Json::as_object).into_iter().flatten() {
        show_tool(name, tool, printer)?;
    }
    for name in answer.get("not_found").and_then(Json::as_array).into_iter().flatten() {
        let label = printer.paint(Tone::Bad, "not found:");
        printer.line(&format!("{label} {}", visible(name.as_str().unwrap_or_default())))?;
    }
    for (name, error) in answer.get("errors").and_then(Json::as_object).into_iter().flatten() {
        let label = printer.paint(Tone::Bad, &visible(name));
        printer.line(&format!("{label}: {}", visible(error.as_str().unwrap_or_default())))?;
    }
    Ok(())
}

fn show_tool(name: &str, tool: &Json, printer: &mut Printer) -> Result<(), CliError> {
    let heading = printer.paint(Tone::Heading, &visible(name));
    printer.line(&heading)?;
    let description = tool.get("description").and_then(Json::as_str).unwrap_or_default();
    for line in visible_lines(description).lines() {
        printer.line(&format!("  {line}"))?;
    }
    let parameters = tool.get("parameters").cloned().unwrap_or_default();
    let parameters = serde_json::to_string_pretty(&parameters).unwrap_or_default();
    for line in visible_lines(&parameters).lines() {
        printer.line(&format!("  {line}"))?;
    }
    Ok(())
}
