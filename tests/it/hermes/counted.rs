//! Counted like Hermes: our inspected array against `hermes prompt-size`, on homes without MCP servers.

use std::process::{Command, Stdio};

use hermes_tools::engine::catalog::Surface;
use hermes_tools::engine::report::breakdown;
use hermes_tools::sources::sidecar::AssembleRequest;

use super::Site;

const CONFIGS: [&str; 5] = [
    "",
    "platform_toolsets:\n  cli: [web, terminal, file]\n  telegram: [todo, memory, skills]\n  discord: []\n  cron: [hermes-cron]\n",
    "agent:\n  disabled_toolsets: [terminal, debugging]\nplatform_toolsets:\n  cli: [hermes-cli]\n  cron: [terminal, code_execution, file]\n",
    "tools:\n  tool_search:\n    enabled: \"off\"\nplatform_toolsets:\n  cli: [web, terminal, file, todo, session_search, skills, delegation, code_execution, cronjob]\n",
    "model:\n  provider: openrouter\n  default: some/model\nplatform_toolsets:\n  cli: [file, session_search, delegation, browser, vision]\n  telegram: [hermes-telegram, made_up]\n  discord: [hermes-cli]\n",
];

const PLATFORMS: [&str; 4] = ["cli", "telegram", "discord", "cron"];

/// `hermes prompt-size --json` in the environment the worker has, too.
fn prompt_size(site: &Site, platform: &str) -> serde_json::Value {
    let mut command = Command::new(&site.launcher);
    command.args(["prompt-size", "--json", "--platform", platform]).env("HERMES_HOME", site.home.path());
    for variable in ["HERMES_INTERACTIVE", "HERMES_GATEWAY_SESSION", "HERMES_EXEC_ASK", "HERMES_SINGLE_QUERY_SESSION"] {
        command.env_remove(variable);
    }
    let output = command.stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let start = text.find('{').unwrap_or_default();
    serde_json::from_str(&text[start..])
        .unwrap_or_else(|error| panic!("{error}\n{text}\n{}", String::from_utf8_lossy(&output.stderr)))
}

/// The rows of 0.20 and later, under our names.
fn rows(theirs: &serde_json::Value) -> Option<Vec<(String, u64, u64)>> {
    let rows = theirs["toolsets_breakdown"].as_array()?.iter().map(|row| {
        let name = row["toolset"].as_str().unwrap();
        let name = if name == "(unknown)" { "(bridge)" } else { name };
        (name.to_owned(), row["tool_count"].as_u64().unwrap(), row["json_bytes"].as_u64().unwrap())
    });
    Some(rows.collect())
}

async fn compare(version: &str, has_rows: bool) {
    let mut differing = Vec::new();
    let mut arrays = std::collections::BTreeSet::new();
    for config in CONFIGS {
        let site = Site::new(version, config);
        let theirs = PLATFORMS.map(|platform| prompt_size(&site, platform));
        let worker = site.worker().await;
        for (platform, theirs) in PLATFORMS.into_iter().zip(theirs) {
            let request = AssembleRequest {
                config_text: None,
                platform: platform.into(),
                surface: Surface::Inspect,
                context_tokens: None,
            };
            let assembly = worker.assemble(&request).await.unwrap().assembly;
            let count = assembly.tools.len() as u64;
            let bytes = assembly.tools.iter().map(|sent| sent.definition.text().len() as u64 + 2).sum::<u64>();
            let mut ours: Vec<(String, u64, u64)> = breakdown(&assembly)
                .into_iter()
                .map(|row| (row.toolset.to_string(), row.tool_count as u64, row.json_bytes))
                .collect();
            let totals = (theirs["tools"]["count"].as_u64(), theirs["tools"]["json_bytes"].as_u64());
            // An empty array is printed as `[]`: two bytes, though there is no tool.
            let bytes = bytes.max(2);
            let their_rows = rows(&theirs);
            assert_eq!(their_rows.is_some(), has_rows, "{theirs}");
            let mut their_rows = their_rows.unwrap_or_default();
            if !has_rows {
                ours.clear();
            }
            ours.sort();
            their_rows.sort();
            if totals != (Some(count), Some(bytes)) || ours != their_rows {
                differing.push(format!(
                    "{platform} of {config:?}\nours   {count} {bytes} {ours:?}\ntheirs {totals:?} {their_rows:?}\n"
                ));
            }
            arrays.insert((count, bytes));
        }
        worker.stop().await;
    }
    assert!(differing.is_empty(), "{} differ\n{}", differing.len(), differing.join("\n"));
    assert!(arrays.len() >= 8, "the selections must differ: {arrays:?}");
}

#[tokio::test]
async fn prompt_size_of_0_19_counts_the_same() {
    compare("v19", false).await;
}

#[tokio::test]
async fn prompt_size_of_0_22_counts_the_same_row_by_row() {
    compare("v22", true).await;
}
