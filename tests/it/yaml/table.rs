//! Every entry of `tests/data/yaml/table.json` (made by `tests/oracle/yaml_table.py` with the two installed Hermes)
//! reads as it reads there, in both dialects.

use hermes_tools::engine::rules::Dialect;
use hermes_tools::engine::yaml::Document;
use serde_json::Value as Json;

use super::encode::encode;

pub(super) const TABLE: &str = include_str!("../../data/yaml/table.json");

#[test]
fn every_entry_reads_as_both_loaders_read_it() {
    let table: Vec<Json> = serde_json::from_str(TABLE).unwrap();
    assert!(table.len() > 300, "the table shrank to {}", table.len());
    let mut wrong = Vec::new();
    for row in &table {
        let text = row["text"].as_str().unwrap();
        for (name, dialect) in [("pyyaml", Dialect::PyYaml), ("ruamel", Dialect::Ruamel)] {
            let ours = Document::parse(text, dialect);
            let expected = row[name].get("value");
            let agrees = match (&ours, expected) {
                (Ok(document), Some(expected)) => encode(document.value()) == *expected,
                (Err(_), None) => true,
                _ => false,
            };
            if !agrees {
                wrong.push(format!("{name} {text:?}\n  python: {}\n  ours:   {}", row[name], shown(&ours)));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), table.len() * 2, wrong.join("\n"));
}

fn shown(ours: &Result<Document, hermes_tools::engine::yaml::LoadError>) -> String {
    match ours {
        Ok(document) => encode(document.value()).to_string(),
        Err(error) => error.to_string(),
    }
}
