//! Catalogs and questions: the built-in tools all deferred, the sample's servers, generated servers, and schemas of every
//! kind; queries made of their words and of others.

mod tools;
mod values;

use hermes_tools::engine::assembly::disclosure::is_deferrable;
use hermes_tools::engine::assembly::host::CONNECTIONS;
use hermes_tools::engine::assembly::settings::Settings;
use hermes_tools::engine::catalog::{Catalog, CatalogDocument, Surface, Tool};
use hermes_tools::engine::search::{Bridge, Index, Protocol};
use hermes_tools::engine::yaml::Document;
use hermes_tools::sources::sample;
use hermes_tools::sources::sidecar::{Deadlines, Interpreter, LocateRequest, Worker, locate};
use serde_json::{Map, Value as Json, json};

/// Repeatable chance.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: &str) -> Self {
        Self(
            seed.bytes().fold(0x9e37_79b9_7f4a_7c15, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)),
        )
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    fn of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}

/// The catalog of an install, as our worker tells it.
pub(super) async fn document(version: &str) -> CatalogDocument {
    let home = tempfile::tempdir().unwrap();
    let named = LocateRequest { hermes_flag: Some(crate::installs::launcher(version)), ..LocateRequest::default() };
    let interpreter: Interpreter = locate(&named).unwrap();
    let patience = std::time::Duration::from_secs(120);
    let worker =
        Worker::start(&interpreter, home.path(), Deadlines { start: patience, question: patience }).await.unwrap();
    let document = worker.catalog(Surface::Cli).await.unwrap();
    worker.stop().await;
    assert_eq!(document.problems, Vec::<String>::new());
    document
}

/// A set of tools with a config, on our side and on theirs.
pub(super) struct Case {
    pub(super) name: &'static str,
    config: String,
    /// Places of the conversation's tools, deferred or not.
    tools: Vec<usize>,
    catalog: Catalog,
    settings: Settings,
    index: Index,
    words: Vec<String>,
}

impl Case {
    /// `mcp` are added to the install's own tools, of which the first of every `skip` is not in the conversation.
    fn new(name: &'static str, document: &CatalogDocument, config: String, mcp: Vec<Tool>, skip: usize) -> Self {
        let mut document = document.clone();
        let own = document.tools.len();
        document.tools.extend(mcp);
        let catalog = Catalog::new(document);
        let mut tools: Vec<usize> =
            (0..catalog.document().tools.len()).filter(|place| *place >= own || place % skip != 0).collect();
        // With it the host asks the network for tools of connected accounts, which is not ours to do.
        tools.retain(|place| catalog.document().tools[*place].name.as_str() != CONNECTIONS);
        tools.sort_by_key(|place| catalog.document().tools[*place].name.clone());
        let parsed = Document::parse(&config, catalog.rules().dialect).unwrap();
        let settings = Settings::read(parsed.value(), catalog.host());
        let deferred: Vec<usize> = tools.iter().copied().filter(|place| defers(&catalog, &settings, *place)).collect();
        let index = Index::of(&catalog, &deferred);
        let words = index.entries().iter().flat_map(|entry| {
            let text = entry.definition.text();
            text.split(|character: char| !character.is_alphanumeric()).map(str::to_owned).collect::<Vec<_>>()
        });
        let mut words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
        words.sort();
        words.dedup();
        assert!(!index.entries().is_empty(), "{name} defers nothing");
        Self { name, config, tools, catalog, settings, index, words }
    }

    pub(super) fn bridge(&self) -> Bridge<'_> {
        Bridge { index: &self.index, catalog: &self.catalog, settings: &self.settings, connections: false }
    }

    /// What the oracle needs to know.
    pub(super) fn setting(&self) -> Json {
        let tools = self.tools.iter().map(|place| {
            let tool = &self.catalog.document().tools[*place];
            let definition: Json = serde_json::from_str(tool.definition.text()).unwrap();
            json!({ "toolset": tool.toolset, "definition": definition })
        });
        json!({ "config": self.config, "tools": tools.collect::<Vec<_>>() })
    }

    fn is_batch(&self) -> bool {
        self.index.protocol() == Protocol::Batch
    }

    pub(super) fn tools(&self) -> usize {
        self.index.entries().len()
    }

    fn query(&self, dice: &mut Dice) -> String {
        const OTHERS: [&str; 16] = [
            "zebra",
            "sending",
            "Emails",
            "the",
            "a",
            "LIST",
            "42",
            "é",
            "créer",
            "--",
            "_",
            "issues",
            "running",
            "io",
            "universities",
            "x",
        ];
        let name = dice.of(self.index.entries()).name.as_str().to_owned();
        match dice.below(12) {
            0 => name,
            1 => format!("  {} ", name.to_uppercase()),
            2 => name.replace('_', " "),
            3 => {
                let chars: Vec<char> = name.chars().collect();
                let start = dice.below(chars.len());
                chars[start..(start + 1 + dice.below(8)).min(chars.len())].iter().collect()
            }
            4 => (*dice.of(&OTHERS)).to_owned(),
            _ => {
                let most = if dice.one_in(3) { 9 } else { 3 };
                let count = 1 + dice.below(most);
                let mut words: Vec<String> = Vec::new();
                for _ in 0..count {
                    let word = match dice.below(8) {
                        0 => (*dice.of(&OTHERS)).to_owned(),
                        1 if !words.is_empty() => words[0].clone(),
                        2 => format!("{}s", dice.of(&self.words)),
                        3 => dice.of(&self.words).to_uppercase(),
                        _ => dice.of(&self.words).clone(),
                    };
                    words.push(word);
                }
                words.join(*dice.of(&[" ", " ", " ", ", ", "-", "_", "\n"]))
            }
        }
    }

    pub(super) fn search(&self, dice: &mut Dice) -> Json {
        let mut arguments = if self.is_batch() {
            let count = if dice.one_in(4) { 1 + dice.below(7) } else { 1 };
            json!({ "queries": (0..count).map(|_| self.query(dice)).collect::<Vec<_>>() })
        } else {
            json!({ "query": self.query(dice) })
        };
        if dice.one_in(2) {
            let limits = [json!(1), json!(3), json!(25), json!(0), json!(-4), json!(1000), json!("7"), json!("many")];
            let more = [json!(2.7), json!(true), json!(null), json!([2]), json!({}), json!(" 4 "), json!(1e30)];
            arguments["limit"] = if dice.one_in(3) { dice.of(&more).clone() } else { dice.of(&limits).clone() };
        }
        arguments
    }

    fn name(&self, dice: &mut Dice) -> String {
        let all = &self.catalog.document().tools;
        match dice.below(10) {
            0 => "nobody_knows_this".to_owned(),
            1 => dice.of(all).name.as_str().to_owned(),
            2 => format!(" {}\n", dice.of(self.index.entries()).name),
            3 => dice.of(&["tool_search", "tool_call", "connectors__gmail__send", "terminal", "it's"]).to_string(),
            // The server's own name, which models like to use.
            4 => dice.of(self.index.entries()).name.as_str().rsplit("__").next().unwrap().to_owned(),
            _ => dice.of(self.index.entries()).name.as_str().to_owned(),
        }
    }

    pub(super) fn describe(&self, dice: &mut Dice) -> Json {
        if !self.is_batch() {
            return json!({ "name": self.name(dice) });
        }
        let most = if dice.one_in(8) { 14 } else { 4 };
        let count = 1 + dice.below(most);
        json!({ "names": (0..count).map(|_| self.name(dice)).collect::<Vec<_>>() })
    }

    pub(super) fn call(&self, dice: &mut Dice) -> Json {
        let name = self.name(dice);
        let parameters = self.index.entries().iter().find(|entry| entry.name.as_str() == name.trim()).map(|entry| {
            let definition: Json = serde_json::from_str(entry.definition.text()).unwrap();
            definition["function"]["parameters"].clone()
        });
        let arguments = self.arguments(&parameters.unwrap_or_default(), dice);
        if self.is_batch() && !dice.one_in(6) {
            json!({ "calls": [{ "name": name, "arguments": arguments }] })
        } else {
            json!({ "name": name, "arguments": arguments })
        }
    }

    /// A call of one deferred tool.
    pub(super) fn call_of(&self, place: usize, dice: &mut Dice) -> Json {
        let entry = &self.index.entries()[place];
        let definition: Json = serde_json::from_str(entry.definition.text()).unwrap();
        let arguments = self.arguments(&definition["function"]["parameters"], dice);
        json!({ "calls": [{ "name": entry.name, "arguments": arguments }] })
    }

    fn arguments(&self, parameters: &Json, dice: &mut Dice) -> Json {
        let mut arguments = Map::new();
        for (key, schema) in parameters["properties"].as_object().into_iter().flatten() {
            let required = parameters["required"].as_array().is_some_and(|names| names.contains(&json!(key)));
            if (required && !dice.one_in(12)) || dice.one_in(2) {
                arguments.insert(key.clone(), values::value_for(schema, parameters, dice, 0));
            }
        }
        if dice.one_in(8) {
            arguments.insert(dice.of(&["extra", "x-1", "odd name"]).to_string(), values::anything(dice));
        }
        let arguments = Json::Object(arguments);
        match dice.below(20) {
            0 => json!(arguments.to_string()),
            1 => json!(format!("{arguments}}}")),
            2 => json!(null),
            3 => json!([arguments]),
            4 => json!(""),
            _ => arguments,
        }
    }

    /// Shapes that no model should send, and some do.
    pub(super) fn oddities(&self) -> Vec<(&'static str, Json)> {
        let name = self.index.entries()[0].name.as_str();
        let good = json!({ "name": name, "arguments": {} });
        let mut odd: Vec<(&'static str, Json)> = Vec::new();
        for (tool, key) in [("search", "queries"), ("describe", "names"), ("search", "query"), ("describe", "name")] {
            for value in [
                json!(null),
                json!(""),
                json!("  "),
                json!([]),
                json!([" ", null, ""]),
                json!(7),
                json!(0),
                json!(true),
                json!(1.50),
                json!({"a": "it's"}),
                json!([7, true, 2.0, ["x"], {"k": null}, 0, false]),
                json!("issue"),
                json!(vec!["issue"; 8]),
                json!(vec!["issue"; 11]),
                json!((0..12).map(|n| format!("n{n}")).collect::<Vec<_>>()),
            ] {
                odd.push((tool, json!({ key: value })));
            }
            odd.push((tool, json!({})));
        }
        for calls in [
            json!(null),
            json!([]),
            json!({}),
            json!(7),
            json!(""),
            json!("[{\"name\": \"x\"}]"),
            json!("[{]"),
            json!("{\"name\": 1}"),
            json!([7]),
            json!([null]),
            json!([{}]),
            json!([{"name": " "}]),
            json!([{"name": "tool_call"}]),
            good.clone(),
            json!([good]),
            json!([good, good]),
            json!([good, {"name": ""}]),
            json!([good, 5]),
            json!([good, {"name": "b", "arguments": 5}]),
            json!([{"name": "connectors__a__b", "arguments": {}}]),
            json!([{"name": "connectors__a__b"}, good]),
            json!([{"name": name, "arguments": {"long": "é".repeat(1600)}}, good]),
            json!([{"name": "n".repeat(3000), "arguments": {}}]),
            json!([{"name": name, "arguments": "{\"a\": \n 1,}"}]),
            json!([{"name": name, "arguments": "[1]"}]),
        ] {
            odd.push(("call", json!({ "calls": calls })));
        }
        for arguments in [json!("{"), json!("{'a': 1}"), json!(" "), json!(5), json!([1]), json!("[1] 2"), json!("\"")]
        {
            odd.push(("call", json!({ "name": name, "arguments": arguments })));
        }
        for other in ["", " ", "nobody", "tool_describe", "terminal", "it's \"so\""] {
            odd.push(("call", json!({ "name": other })));
        }
        odd.push(("call", json!({})));
        odd
    }
}

fn defers(catalog: &Catalog, settings: &Settings, place: usize) -> bool {
    let tool = &catalog.document().tools[place];
    let core = catalog.document().core_tools.contains(&tool.name);
    let named = settings.defers(catalog.host()).any(|name| name == tool.name.as_str());
    is_deferrable(catalog.rules(), catalog.host(), core, tool.name.as_str(), tool.toolset.as_str(), named)
}

/// The catalogs of one install.
pub(super) fn all(document: &CatalogDocument) -> Vec<Case> {
    let own: Vec<String> = document.tools.iter().map(|tool| format!("{:?}", tool.name.as_str())).collect();
    let every = format!("tools:\n  tool_search:\n    defer: [{}]\n    search_default_limit: 4\n", own.join(", "));
    let servers = sample::catalog().tools.into_iter().filter(|tool| tool.server.is_some()).collect();
    let large = sample::synthetic(300).tools.into_iter().filter(|tool| tool.server.is_some()).collect();
    vec![
        Case::new("built-in tools", document, every, Vec::new(), usize::MAX),
        Case::new("the sample's servers", document, String::new(), servers, 3),
        Case::new(
            "generated servers",
            document,
            "tools: {tool_search: {max_search_limit: 9}}\n".into(),
            tools::generated(260),
            2,
        ),
        Case::new("many alike", document, "tools: {tool_search: {defer: []}}\n".into(), large, 5),
    ]
}

/// Tools whose schemas use every keyword.
pub(super) fn schemas(document: &CatalogDocument) -> Case {
    let config = "tools: {tool_search: {defer: []}}\n".to_owned();
    Case::new("schemas", document, config, tools::of_every_kind(), usize::MAX)
}
