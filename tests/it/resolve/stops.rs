//! Where Hermes stops with an error, and whether the findings say so: each section of a config with values of every kind.

use hermes_tools::engine::catalog::Catalog;
use hermes_tools::engine::findings::findings;
use hermes_tools::engine::selection::select;
use hermes_tools::engine::yaml::Document;

use super::oracle::{Host, Setting, Version};

const VALUES: [&str; 15] = [
    "true",
    "5",
    "1.5",
    "2024-01-01",
    "web",
    "\"['web']\"",
    "[web]",
    "[[web]]",
    "[{a: b}]",
    "[null]",
    "[5]",
    "{a: b}",
    "[]",
    "false",
    "0",
];

/// A config for each place a value can stand at.
const PLACES: [&str; 12] = [
    "platform_toolsets: @\n",
    "platform_toolsets: {cli: @}\n",
    "known_plugin_toolsets: @\n",
    "known_plugin_toolsets: {cli: @}\n",
    "platform_toolsets: {cli: [web]}\nknown_plugin_toolsets: {cli: @}\n",
    "platform_toolsets: {cli: [web]}\nknown_builtin_toolsets: @\n",
    "known_builtin_toolsets: @\n",
    "agent: @\n",
    "agent: {disabled_toolsets: @}\n",
    "mcp_servers: @\n",
    "mcp_servers: {x: @}\n",
    "toolsets: @\n",
];

fn compare(version: Version, setting: Setting) {
    let mut host = Host::start(version, setting);
    let catalog = Catalog::new(host.catalog());
    let mut wrong = Vec::new();
    let mut stopped = 0;
    for config in PLACES.iter().flat_map(|place| VALUES.map(|value| place.replace('@', value))) {
        let document = Document::parse(&config, catalog.rules().dialect).unwrap();
        let cli = "cli".into();
        let selection = select(document.value(), &catalog, &cli);
        let told = findings(document.value(), &catalog, &cli, &selection);
        let said = told.iter().any(|finding| finding.text.contains("stops with an error"));
        let theirs = host.resolve(&config, "cli");
        stopped += usize::from(theirs.is_err());
        if said != theirs.is_err() {
            wrong.push(format!("{config}  Hermes: {theirs:?}\n  said: {said}\n"));
        }
    }
    assert!(wrong.is_empty(), "{version:?} {setting:?}: {} differ\n{}", wrong.len(), wrong.join("\n"));
    assert!(stopped > 40, "Hermes stopped at {stopped} only");
}

#[test]
fn what_stops_0_19_is_found() {
    compare(Version::V19, Setting::Plain);
    compare(Version::V19, Setting::Plugin);
}

#[test]
fn what_stops_0_22_is_found() {
    compare(Version::V22, Setting::Plain);
    compare(Version::V22, Setting::Plugin);
}
