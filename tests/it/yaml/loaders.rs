//! Both Hermes' own loaders over the same texts: what they refuse we refuse, what they read we read alike.

use std::io::Write;
use std::process::{Command, Stdio};

use hermes_tools::engine::rules::Dialect;
use hermes_tools::engine::yaml::Document;
use serde_json::Value as Json;

use super::corpus::{Random, corpus};
use super::encode::encode;
use super::mutate;
use super::strings::awkward;
use super::table::TABLE;

/// What an install's Python makes of each text: `{"value": …}` or `{"error": …}`.
fn answers(version: &str, texts: &[String]) -> Vec<Json> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/yaml_load.py");
    let mut child = Command::new(crate::installs::folder(version).join("bin/python"))
        .args([script, "--deep"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        // ruamel.yaml has an opinion on every float without a point.
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let question = serde_json::to_vec(texts).unwrap();
    child.stdin.take().unwrap().write_all(&question).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "the oracle of {version} failed");
    let mut answer: Json = serde_json::from_slice(&output.stdout).unwrap();
    serde_json::from_value(answer["answers"].take()).unwrap()
}

/// Compares every text; the first few that differ are shown.
fn compare(texts: &[String]) {
    let mut wrong = Vec::new();
    for (version, dialect) in [("v19", Dialect::PyYaml), ("v22", Dialect::Ruamel)] {
        for (text, answer) in texts.iter().zip(answers(version, texts)) {
            let ours = Document::parse(text, dialect);
            let agrees = match (&ours, answer.get("value")) {
                (Ok(document), Some(value)) => encode(document.value()) == *value,
                (Err(_), None) => true,
                _ => false,
            };
            if !agrees {
                let ours = ours.map_or_else(|error| error.to_string(), |document| encode(document.value()).to_string());
                wrong.push(format!("{version} {text:?}\n  python: {answer}\n  ours:   {ours}"));
            }
        }
    }
    let few: Vec<&str> = wrong.iter().take(12).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), texts.len() * 2, few.join("\n"));
}

#[test]
fn the_table_and_the_corpus_read_as_the_installed_loaders_read_them() {
    let table: Vec<Json> = serde_json::from_str(TABLE).unwrap();
    let rows = table.iter().map(|row| row["text"].as_str().unwrap().to_owned());
    compare(&rows.chain(corpus().into_iter().map(|sample| sample.text)).collect::<Vec<_>>());
}

#[test]
fn texts_with_slips_of_the_hand_are_taken_or_refused_as_the_installed_loaders_do() {
    let pieces = mutate::pieces();
    let mut random = Random::new(42);
    compare(&(0..4_000).map(|_| mutate::text(&mut random, &pieces)).collect::<Vec<_>>());
}

#[test]
fn awkward_strings_read_in_every_style_and_place_as_the_installed_loaders_read_them() {
    let mut texts = Vec::new();
    for text in awkward() {
        let single = format!("'{}'", text.replace('\'', "''"));
        let double = format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        for scalar in [text.clone(), single, double, format!("\"{text}\"")] {
            texts.push(format!("a:\n  - {scalar}\n  - b\n"));
            texts.push(format!("a: [{scalar}, b]\n"));
            texts.push(format!("a: {{{scalar}: b, c: d}}\n"));
            texts.push(format!("{scalar}: b\nc: d\n"));
        }
    }
    texts.extend(["a: {b:, c}\n", "a: [b:]\n", "a: \"\\ud83d\\ude00\"\n"].map(str::to_owned));
    compare(&texts);
}

#[test]
fn long_files_are_no_bombs_and_bombs_are_refused() {
    let items: String = (0..260_000).map(|number| format!("- i{number}\n")).collect();
    assert!(Document::parse(&items, Dialect::PyYaml).is_ok(), "nothing in it is an alias");
}
