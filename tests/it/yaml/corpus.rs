//! The corpus: files of every shape people have, and thousands of random edits over them.
//!
//! A file whose name starts with `neither_` loads in no Hermes; `only_pyyaml_` and `only_ruamel_` load in one.

use std::path::PathBuf;

use hermes_tools::engine::plan::{NewValue, Op, apply};
use hermes_tools::engine::rules::Dialect;
use hermes_tools::engine::value::Value;
use hermes_tools::engine::yaml::{Document, EditRefused};

pub(crate) const DIALECTS: [Dialect; 2] = [Dialect::PyYaml, Dialect::Ruamel];

pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) text: String,
}

pub(crate) fn corpus() -> Vec<Sample> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/yaml/corpus");
    let mut samples: Vec<Sample> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| Sample {
            name: path.file_stem().unwrap().to_string_lossy().into_owned(),
            text: String::from_utf8(std::fs::read(&path).unwrap()).unwrap(),
        })
        .collect();
    samples.sort_by(|one, other| one.name.cmp(&other.name));
    assert!(samples.len() >= 60, "the corpus shrank to {}", samples.len());
    samples
}

#[test]
fn each_file_loads_where_its_name_says() {
    for sample in corpus() {
        for dialect in DIALECTS {
            let loads = match dialect {
                Dialect::PyYaml => !sample.name.starts_with("neither_") && !sample.name.starts_with("only_ruamel_"),
                Dialect::Ruamel => !sample.name.starts_with("neither_") && !sample.name.starts_with("only_pyyaml_"),
            };
            let parsed = Document::parse(&sample.text, dialect);
            assert_eq!(parsed.is_ok(), loads, "{} under {dialect:?}: {:?}", sample.name, parsed.err());
        }
    }
}

/// A small generator of pseudo-random numbers, so that a failure can be repeated.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

const NAMES: [&str; 14] =
    ["web", "tts", "no", "on", "12306", "a: b", "#x", "x y", "", "hermes-cli", "ü", "it's", "say \"hi\"", "1e3"];

const PATHS: [&[&str]; 18] = [
    &["platform_toolsets", "cli"],
    &["platform_toolsets", "telegram"],
    &["platform_toolsets", "discord"],
    &["platform_toolsets", "whatsapp"],
    &["known_builtin_toolsets", "cli"],
    &["known_plugin_toolsets", "telegram"],
    &["agent", "disabled_toolsets"],
    &["mcp_servers", "gh", "enabled"],
    &["mcp_servers", "gh", "tools", "include"],
    &["mcp_servers", "gh", "tools", "exclude"],
    &["mcp_servers", "beta", "enabled"],
    &["mcp_servers", "alpha", "tools", "include"],
    &["mcp_servers", "12306", "enabled"],
    &["mcp_servers", "server5", "enabled"],
    &["mcp_servers", "a: b", "enabled"],
    &["mcp_servers", "good", "tools", "exclude"],
    &["tools", "tool_search", "listing_max_tokens"],
    &["tools", "tool_search", "defer"],
];

/// Some paths the file has, so that edits meet its odd places too.
fn paths_of(value: &Value, at: &[String], out: &mut Vec<Vec<String>>) {
    for (key, value) in value.as_map().unwrap_or_default() {
        let mut path = at.to_vec();
        path.push(key.py_str().into_owned());
        out.push(path.clone());
        paths_of(value, &path, out);
    }
}

pub(crate) fn random_op(random: &mut Random, value: &Value) -> Op {
    let mut own = Vec::new();
    paths_of(value, &[], &mut own);
    let path: Vec<String> = if random.below(3) > 0 || own.is_empty() {
        random.pick(&PATHS).iter().map(ToString::to_string).collect()
    } else {
        random.pick(&own).clone()
    };
    let keys: Vec<&str> = path.iter().map(String::as_str).collect();
    let items = value.at(&keys).and_then(Value::as_seq).map(<[Value]>::len);
    let names = |random: &mut Random| -> Vec<String> {
        (0..random.below(4)).map(|_| (*random.pick(&NAMES)).to_owned()).collect()
    };
    match (items, random.below(6)) {
        (Some(count), 0..=3) => {
            let remove = (0..count).filter(|_| random.below(3) == 0).collect();
            Op::EditList { path, remove, append: names(random) }
        }
        (_, 4) => Op::Remove { path },
        (_, 0 | 1) => Op::Set { path, value: NewValue::Bool(random.below(2) == 0) },
        (_, 2) => {
            let scalars = [
                NewValue::Int(60_000),
                NewValue::Int(0),
                NewValue::Decimal("7.5".to_owned()),
                NewValue::Decimal("0.25".to_owned()),
                NewValue::Word("auto".to_owned()),
            ];
            Op::Set { path, value: random.pick(&scalars).clone() }
        }
        _ => Op::Set { path, value: NewValue::List(names(random)) },
    }
}

/// The lines an edit may have taken or changed, as (start, end) counted from both ends: everything outside the
/// changed middle is equal by definition, so the middle must be explainable by the operation.
fn changed_middle<'a>(before: &'a str, after: &'a str) -> (&'a str, &'a str) {
    let start = before.bytes().zip(after.bytes()).take_while(|(one, other)| one == other).count();
    let start = (0..=start).rev().find(|at| before.is_char_boundary(*at) && after.is_char_boundary(*at)).unwrap();
    let (rest, new) = (&before[start..], &after[start..]);
    let end = rest.bytes().rev().zip(new.bytes().rev()).take_while(|(one, other)| one == other).count();
    let end = (0..=end)
        .rev()
        .find(|cut| rest.is_char_boundary(rest.len() - cut) && new.is_char_boundary(new.len() - cut))
        .unwrap();
    (&rest[..rest.len() - end], &new[..new.len() - end])
}

#[test]
fn random_edits_change_what_was_planned_and_nothing_else() {
    let (mut made, mut refused, mut read_back) = (0, 0, 0);
    for sample in corpus() {
        for dialect in DIALECTS {
            let Ok(document) = Document::parse(&sample.text, dialect) else { continue };
            for seed in 0..40 {
                let mut random = Random::new(seed * 7919 + sample.name.len() as u64 * 31 + dialect as u64);
                let op = random_op(&mut random, document.value());
                let shown = format!("{} {dialect:?} seed {seed}: {op:?}", sample.name);
                let after = match document.edit(std::slice::from_ref(&op)) {
                    Ok(after) => after,
                    Err(EditRefused::Unsafe { reason, place }) => {
                        assert!(!reason.is_empty() && place.line >= 1, "{shown}");
                        refused += 1;
                        continue;
                    }
                    // Right to refuse, but a place we should know a reason for: few of them.
                    Err(EditRefused::ReadBack(_)) => {
                        read_back += 1;
                        continue;
                    }
                };
                made += 1;
                for dialect in DIALECTS {
                    let Ok(before) = document.value_under(dialect) else { continue };
                    let read =
                        Document::parse(&after, dialect).unwrap_or_else(|error| panic!("{shown}\n{error}\n{after}"));
                    assert_eq!(*read.value(), apply(&before, std::slice::from_ref(&op)), "{shown}\n{after}");
                }
                check_bytes(&sample.text, &after, &document, &op, &shown);
            }
        }
    }
    assert!(made >= 4000, "only {made} edits were made, {refused} refused");
    assert!(read_back * 100 < made, "{read_back} edits were caught by the re-reading alone, {made} made");
    assert!(refused * 4 < made, "{refused} edits were refused, {made} made");
}

/// Every comment and every line outside the edited entry is where it was.
fn check_bytes(before: &str, after: &str, document: &Document, op: &Op, shown: &str) {
    let keys: Vec<&str> = op.path().iter().map(String::as_str).collect();
    if apply(document.value(), std::slice::from_ref(op)) == *document.value() {
        if !matches!(op, Op::Set { .. }) {
            assert_eq!(before, after, "{shown}: nothing to change");
        }
        return;
    }
    let (gone, new) = changed_middle(before, after);
    // Bytes that vanish belong to the entry: they lie between the entry's line and the next entry's.
    if document.value().at(&keys).is_none() && !gone.is_empty() {
        // A key that was not there replaces a null parent, an alias or nothing.
        let parent_is_null =
            (1..keys.len()).any(|depth| document.value().at(&keys[..depth]).is_some_and(Value::is_null));
        let aliased = new.contains("<<: *");
        assert!(parent_is_null || aliased || gone.trim().is_empty(), "{shown}\ngone: {gone:?}\nnew: {new:?}");
    }
    let ends = |text: &str| {
        (
            text.ends_with('\n'),
            text.starts_with('\u{feff}'),
            text.contains('\r') && !text.replace("\r\n", "").contains('\n'),
        )
    };
    // A text of one line shows no line end.
    let shows_ends = |text: &str| !text.trim_start_matches('\u{feff}').is_empty() && text.contains('\n');
    if shows_ends(before) && shows_ends(after) {
        assert_eq!(ends(before), ends(after), "{shown}: line ends or byte order mark changed");
    }
    if let Op::EditList { remove, .. } = op
        && remove.is_empty()
    {
        let comma = gone.trim().is_empty();
        // An alias becomes a list of its own, so that nobody else's changes.
        let own = gone.trim_start().starts_with('*');
        assert!(comma || own || new.starts_with('['), "{shown}: an append took {gone:?}");
    }
    // Comment lines of their own survive every edit of a list.
    if matches!(op, Op::EditList { .. }) {
        let comments = |text: &str| -> Vec<String> {
            text.lines().filter(|line| line.trim_start().starts_with('#')).map(str::to_owned).collect()
        };
        assert_eq!(comments(before), comments(after), "{shown}\n{after}");
    }
}
