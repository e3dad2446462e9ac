//! `servers`: MCP servers side by side, with what each weighs.

use serde::Serialize;

use crate::engine::catalog::ListSource;
use crate::engine::report::{self, ServerWeight};

use super::Outcome;
use super::args::ServersArgs;
use super::context::Context;
use super::error::CliError;
use super::figure::{age, grouped};
use super::load::Figures;
use super::platforms;
use super::printer::{Printer, Tone};
use super::table::{Lean, Table};

#[derive(Serialize)]
struct ServersJson {
    schema: &'static str,
    servers: Vec<ServerWeight>,
}

pub(super) fn run(args: &ServersArgs, context: &Context, printer: &mut Printer) -> Result<Outcome, CliError> {
    let opened = context.open(printer)?;
    let config = opened.config_value();
    let platform = platforms::known("cli", &opened.catalog.catalog, &config)?;
    let figures = Figures::count(context, &opened, None)?;
    figures.keep(context);
    let mut servers = report::servers_table(&figures.inputs(&config, &platform, None), args.turns);
    if args.by_cost {
        servers.sort_by_key(|server| std::cmp::Reverse(server.tokens.or(server.est_tokens)));
    }
    if printer.is_json() {
        printer.document(&ServersJson { schema: "hermes-tools/servers@1", servers })?;
        return Ok(Outcome::Done);
    }
    if servers.is_empty() {
        printer.note("there is no MCP server in this config");
        return Ok(Outcome::Done);
    }
    show(&servers, args, context, printer)?;
    Ok(Outcome::Done)
}

fn show(
    servers: &[ServerWeight],
    args: &ServersArgs,
    context: &Context,
    printer: &mut Printer,
) -> Result<(), CliError> {
    use Lean::{Left, Right};
    let mut table = Table::new(&[Left, Right, Right, Right, Right, Right, Right, Right, Right, Left, Left]);
    let turns = format!("{} turns", args.turns);
    let heads = ["server", "tools", "bytes", "tokens", "a tool", "of 128K", "of 1M", &turns, "cached", "on", "list"];
    table.row(heads.map(str::to_owned).to_vec());
    let dash = || "-".to_owned();
    let number = |value: Option<u64>| value.map_or_else(dash, grouped);
    for server in servers {
        let sure = if server.certainty.is_some() { "~" } else { "" };
        let tokens = match (server.tokens, server.est_tokens) {
            (Some(tokens), _) => format!("{sure}{}", grouped(tokens)),
            (None, Some(tokens)) => format!("~{}", grouped(tokens)),
            (None, None) => dash(),
        };
        let tools = match (server.tools, server.filtered) {
            (Some(tools), Some(filtered)) if filtered > 0 => format!("{tools}/{}", tools + filtered),
            (tools, _) => number(tools),
        };
        let share = server.share.as_ref();
        let conversation = server.conversation.as_ref();
        table.row(vec![
            format!("{} ({})", server.server, server.transport),
            tools,
            number(server.bytes),
            tokens,
            number(server.mean_est_tokens),
            share.map_or_else(dash, |share| share.of_128k.clone()),
            share.map_or_else(dash, |share| share.of_1m.clone()),
            number(conversation.map(|conversation| conversation.tokens_uncached)),
            number(conversation.map(|conversation| conversation.tokens_cached)),
            if server.platforms.is_empty() { dash() } else { server.platforms.join(", ") },
            list(server, context.open.now_s),
        ]);
    }
    for (place, line) in table.lines().iter().enumerate() {
        let line = if place == 0 { printer.paint(Tone::Heading, line) } else { line.clone() };
        printer.line(&line)?;
    }
    if servers.iter().any(|server| server.tools.is_none()) {
        printer.note("a dash means that nobody knows that server's tools yet; `hermes-tools probe` asks");
    }
    Ok(())
}

fn list(server: &ServerWeight, now_s: u64) -> String {
    let Some(list) = &server.list else { return "not known".to_owned() };
    let source = match list.source {
        ListSource::SchemaCache => "Hermes' cache",
        ListSource::Probe => "asked",
        ListSource::Filter => "its filter",
    };
    let when = list.written_at.map_or_else(String::new, |at| format!(", {}", age(now_s.saturating_sub(at))));
    let stale = if list.stale { ", old" } else { "" };
    format!("{source}{when}{stale}")
}
