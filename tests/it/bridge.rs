//! What the bridge answers, set against two real Hermes installs: every byte of every answer.

mod cases;
mod oracle;

use hermes_tools::engine::search::{Index, Protocol, Verdict};
use serde_json::{Value as Json, json};

use cases::{Case, Dice};
use oracle::Oracle;

/// Both, asked about the same catalog.
struct Pair {
    case: Case,
    dice: Dice,
    /// Questions that were answered differently, with both answers.
    differ: Vec<String>,
}

impl Pair {
    fn new(case: Case, oracle: &mut Oracle) -> Self {
        oracle.ask(&case.setting());
        let dice = Dice::new(case.name);
        Self { case, dice, differ: Vec::new() }
    }

    fn ask(&mut self, oracle: &mut Oracle, tool: &str, arguments: &Json) {
        let bridge = self.case.bridge();
        let ours = match tool {
            "search" => json!({ "text": bridge.search(arguments).text }),
            "describe" => json!({ "text": bridge.describe(arguments).text }),
            _ => match bridge.call(arguments) {
                Verdict::Accepted { tool, arguments, .. } => {
                    json!({ "accepted": { "name": tool, "arguments": arguments } })
                }
                Verdict::Refused(answer) => json!({ "text": answer.text }),
                Verdict::OutOfReach => return,
            },
        };
        let theirs = oracle.ask(&json!({ tool: arguments }));
        if ours != theirs {
            self.differ.push(format!("{tool} {arguments}\n  ours   {ours}\n  theirs {theirs}"));
        }
    }

    fn settle(&self) {
        let some: Vec<&str> = self.differ.iter().take(12).map(String::as_str).collect();
        assert!(some.is_empty(), "{}: {} answers differ\n{}", self.case.name, self.differ.len(), some.join("\n"));
    }
}

/// One install, all its catalogs.
async fn answers_as_hermes(version: &str) {
    let document = cases::document(version).await;
    let mut oracle = Oracle::start(version);
    let mut searches = 0;
    for case in cases::all(&document) {
        let mut pair = Pair::new(case, &mut oracle);
        for _ in 0..260 {
            let arguments = pair.case.search(&mut pair.dice);
            pair.ask(&mut oracle, "search", &arguments);
            searches += 1;
        }
        for _ in 0..60 {
            let arguments = pair.case.describe(&mut pair.dice);
            pair.ask(&mut oracle, "describe", &arguments);
        }
        for _ in 0..120 {
            let arguments = pair.case.call(&mut pair.dice);
            pair.ask(&mut oracle, "call", &arguments);
        }
        for (tool, arguments) in pair.case.oddities() {
            pair.ask(&mut oracle, tool, &arguments);
        }
        pair.settle();
    }
    assert!(searches >= 1_000);
}

/// Schemas of every kind, each with arguments that fit, nearly fit and do not.
#[tokio::test]
async fn hermes_0_22_checks_arguments_the_same() {
    let mut oracle = Oracle::start("v22");
    let mut pair = Pair::new(cases::schemas(&cases::document("v22").await), &mut oracle);
    let (mut refused, mut let_through) = (0, 0);
    for place in 0..pair.case.tools() {
        for _ in 0..40 {
            let arguments = pair.case.call_of(place, &mut pair.dice);
            pair.ask(&mut oracle, "call", &arguments);
            match pair.case.bridge().call(&arguments) {
                Verdict::Refused(_) => refused += 1,
                _ => let_through += 1,
            }
        }
    }
    pair.settle();
    assert!(refused > 100 && let_through > 100, "{refused} refused and {let_through} let through say too little");
}

#[tokio::test]
async fn hermes_0_19_answers_the_same() {
    answers_as_hermes("v19").await;
}

#[tokio::test]
async fn hermes_0_22_answers_the_same() {
    answers_as_hermes("v22").await;
}

/// Thirty thousand words, by the stemmer of the installed Hermes.
#[test]
fn stems_are_those_of_hermes_0_22() {
    let out = std::process::Command::new(crate::installs::folder("v22").join("bin/python"))
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/stems.py"))
        .output()
        .unwrap();
    let pairs = String::from_utf8(out.stdout).unwrap();
    assert!(pairs.lines().count() >= 30_000, "{}", String::from_utf8_lossy(&out.stderr));
    let index = Index::new(Vec::new(), Protocol::Batch);
    let differ: Vec<&str> = pairs
        .lines()
        .filter(|pair| {
            let (word, stem) = pair.split_once(' ').unwrap();
            index.explain(word, 1, 0).words[0].stem != stem
        })
        .collect();
    assert_eq!(differ, [""; 0]);
}
