//! Catalogs and questions: the built-in tools all deferred, the sample's servers, generated servers, and schemas of every
//! kind; queries made of their words and of others.

use hermes_tools::engine::assembly::disclosure::is_deferrable;
use hermes_tools::engine::assembly::host::CONNECTIONS;
use hermes_tools::engine::assembly::settings::Settings;
use hermes_tools::engine::catalog::{Catalog, CatalogDocument, Definition, Surface, Tool};
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
                arguments.insert(key.clone(), value_for(schema, parameters, dice, 0));
            }
        }
        if dice.one_in(8) {
            arguments.insert(dice.of(&["extra", "x-1", "odd name"]).to_string(), anything(dice));
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

/// A value that fits a schema, mostly.
fn value_for(schema: &Json, root: &Json, dice: &mut Dice, depth: usize) -> Json {
    if dice.one_in(5) || depth > 4 {
        return anything(dice);
    }
    if let Some(pointer) = schema["$ref"].as_str().and_then(|reference| reference.strip_prefix('#')) {
        return root.pointer(pointer).map_or(Json::Null, |target| value_for(target, root, dice, depth + 1));
    }
    for union in ["anyOf", "oneOf", "allOf"] {
        if let Some(ways) = schema[union].as_array() {
            let way = dice.of(ways).clone();
            return value_for(&way, root, dice, depth + 1);
        }
    }
    if let Some(values) = schema["enum"].as_array() {
        return dice.of(values).clone();
    }
    let kind = match &schema["type"] {
        Json::Array(kinds) => dice.of(kinds).clone(),
        kind => kind.clone(),
    };
    match kind.as_str() {
        Some("string") => json!(dice.of(&["", "a", "ab", "abc-1", "null", "a much longer text than that", "é", "[1]"])),
        Some("integer") => {
            dice.of(&[json!(0), json!(1), json!(7), json!(100), json!("5"), json!(2.0), json!("x"), json!(-3)]).clone()
        }
        Some("number") => {
            dice.of(&[json!(0.5), json!(1), json!(2.5e3), json!("0.25"), json!(-1.0), json!(1e20)]).clone()
        }
        Some("boolean") => dice.of(&[json!(true), json!(false), json!("True"), json!("no"), json!(1)]).clone(),
        Some("null") => Json::Null,
        Some("array") => {
            let count = dice.below(4);
            let items = (0..count).map(|_| value_for(&schema["items"], root, dice, depth + 1)).collect::<Vec<_>>();
            if dice.one_in(6) { json!(json!(items).to_string()) } else { json!(items) }
        }
        Some("object") => {
            let mut members = Map::new();
            for (key, schema) in schema["properties"].as_object().into_iter().flatten() {
                if !dice.one_in(3) {
                    members.insert(key.clone(), value_for(schema, root, dice, depth + 1));
                }
            }
            if dice.one_in(6) {
                members.insert("more".to_owned(), anything(dice));
            }
            if dice.one_in(8) { json!(Json::Object(members).to_string()) } else { Json::Object(members) }
        }
        _ => anything(dice),
    }
}

fn anything(dice: &mut Dice) -> Json {
    dice.of(&[
        json!(null),
        json!(true),
        json!(0),
        json!(12.5),
        json!("text"),
        json!("it's \"odd\" \u{200b}\n"),
        json!(["a", 1, null]),
        json!({"k": [1, {"n": 1.0}]}),
        json!([]),
        json!({}),
        json!("null"),
        json!(1e-7),
    ])
    .clone()
}

fn mcp(server: &str, original: &str, function: Json) -> Tool {
    let name = format!("mcp__{server}__{original}");
    let mut parts = json!({ "name": name });
    for (key, value) in function.as_object().unwrap() {
        parts[key] = value.clone();
    }
    Tool {
        name: name.into(),
        toolset: format!("mcp-{server}").into(),
        server: Some(server.into()),
        original_name: Some(original.into()),
        definition: Definition::from_json(&json!({ "type": "function", "function": parts }).to_string()),
        available: true,
        unavailable_because: None,
    }
}

/// Servers such as people have, in words of many kinds and lengths.
fn generated(count: usize) -> Vec<Tool> {
    const SERVERS: [&str; 7] = ["linear", "my-notes", "postgres_ro", "slack", "home.assistant", "jira2", "gmail"];
    const VERBS: [&str; 14] = [
        "list",
        "get",
        "create",
        "update",
        "delete",
        "search",
        "export",
        "watch",
        "runQuery",
        "send",
        "archive",
        "merge",
        "approve",
        "subscribe",
    ];
    const THINGS: [&str; 18] = [
        "issue",
        "issues",
        "email",
        "calendar-event",
        "row",
        "database.schema",
        "channel",
        "message",
        "thread",
        "incident",
        "light",
        "thermostat",
        "sprint",
        "pull_request",
        "repository",
        "invoice",
        "page",
        "attachment",
    ];
    const ENDINGS: [&str; 8] = [
        "",
        ".",
        " by id.",
        " for the current user! Pages are numbered.",
        " of a team, e.g. its own.\nReturns JSON.",
        " — naïve café, 東京 \u{1f600} «quoted».",
        " including universities, biologists and repositories being organized.",
        " when running; see http://example.com/docs?a=1&b=2#frag for generally useful information.",
    ];
    let mut dice = Dice::new("servers");
    let mut tools: Vec<Tool> = Vec::new();
    while tools.len() < count {
        let (server, verb, thing) = (*dice.of(&SERVERS), *dice.of(&VERBS), *dice.of(&THINGS));
        let original = format!("{verb}_{thing}_{}", tools.len() % 9);
        if tools.iter().any(|tool| tool.name.as_str() == format!("mcp__{server}__{original}")) {
            continue;
        }
        let about = format!("{verb} a {thing}{}", dice.of(&ENDINGS)).repeat(1 + dice.below(9));
        let mut properties = Map::new();
        for _ in 0..dice.below(6) {
            let key =
                format!("{}{}", dice.of(&THINGS).replace(['.', '-'], "_"), dice.of(&["", "_id", "Name", "_page"]));
            properties.insert(
                key,
                json!({"type": *dice.of(&["string", "integer", "boolean"]), "description": "What it is."}),
            );
        }
        let required: Vec<String> = properties.keys().filter(|_| dice.one_in(2)).cloned().collect();
        let parameters = json!({"type": "object", "properties": properties, "required": required});
        tools.push(mcp(
            server,
            &original,
            match dice.below(12) {
                0 => json!({"description": "", "parameters": parameters}),
                1 => json!({"parameters": parameters}),
                2 => json!({"description": about}),
                3 => json!({"description": about, "parameters": {"type": "object", "properties": {}}}),
                _ => json!({"description": about, "parameters": parameters}),
            },
        ));
    }
    tools
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
            generated(260),
            2,
        ),
        Case::new("many alike", document, "tools: {tool_search: {defer: []}}\n".into(), large, 5),
    ]
}

/// Tools whose schemas use every keyword.
pub(super) fn schemas(document: &CatalogDocument) -> Case {
    let object = |properties: Json| json!({"type": "object", "properties": properties});
    let schemas = [
        object(
            json!({"a": {"type": "string", "minLength": 1, "maxLength": 3, "pattern": "^a"}, "b": {"type": "integer", "minimum": 1, "maximum": 7}}),
        ),
        object(
            json!({"a": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 2.5, "multipleOf": 0.5}, "b": {"type": ["boolean", "null"]}}),
        ),
        json!({"type": "object", "properties": {"a": {"enum": ["x", 1, null]}, "b": {"const": "b"}}, "required": ["a"], "additionalProperties": false}),
        object(
            json!({"a": {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2, "uniqueItems": true}}),
        ),
        object(
            json!({"a": {"anyOf": [{"type": "integer"}, {"type": "object", "properties": {"k": {"type": "string"}}, "required": ["k"]}]}}),
        ),
        object(json!({"a": {"oneOf": [{"type": "number"}, {"type": "integer"}, {"type": "string", "maxLength": 2}]}})),
        object(
            json!({"a": {"type": "string", "nullable": true}, "b": {"nullable": true, "enum": ["q"]}, "c": {"type": ["integer", "string"], "nullable": true}}),
        ),
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/node"}}, "$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "v": {"type": "integer"}}, "required": ["v"]}}}),
        object(json!({"a": {"$ref": "https://example.com/x.json"}, "b": {"type": "integer"}})),
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": false}),
        json!({"type": "object", "properties": {"a": {}, "b": {}, "extra": {"type": "integer"}}, "dependentRequired": {"a": ["b"]}, "minProperties": 1, "maxProperties": 3}),
        object(json!({"a": {"not": {"type": "string"}}, "b": {"allOf": [{"type": "integer"}, {"minimum": 5}]}})),
        json!({"type": "object", "properties": {"a": {"type": "boolean"}, "b": {"type": "integer"}}, "if": {"properties": {"a": {"const": true}}}, "then": {"required": ["b"]}, "else": {"properties": {"b": {"minimum": 50}}}}),
        object(
            json!({"a": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": {"type": "boolean"}}}),
        ),
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "propertyNames": {"maxLength": 3, "pattern": "^[a-e]"}}),
        object(
            json!({"a": {"type": "object", "properties": {"rows": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": {"type": "string"}}}}}}),
        ),
        object(json!({"a": false, "b": true})),
        object(json!({"a": {"type": "array", "contains": {"type": "integer"}}})),
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {"a": {"type": "integer", "exclusiveMinimum": 1}}, "dependencies": {"a": ["b"]}}),
        json!({"$schema": "https://example.com/unknown", "type": "object", "properties": {"a": {"type": "integer"}}}),
        json!({"type": "object", "properties": {"a": {"type": "strin"}}}),
        json!({"type": "object", "properties": {"a": {"pattern": "("}}}),
        json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a", 5, "b"]}),
        json!({"type": "object", "required": "a"}),
        json!({"properties": {"a": {"type": "string", "format": "date"}, "b": {"type": "string", "format": "uri"}}}),
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "unevaluatedProperties": false}),
        json!({"type": "object", "properties": {"a": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "array", "items": {"type": "integer", "minimum": 3}}]}}}),
        json!({"type": "object", "properties": {"a": {"type": "string", "minLength": 2, "pattern": "^b", "enum": ["bb", "cc"]}}}),
    ];
    let tools = schemas.into_iter().enumerate().map(|(number, schema)| {
        mcp("zoo", &format!("kind_{number:02}"), json!({"description": "Checks.", "parameters": schema}))
    });
    Case::new("schemas", document, "tools: {tool_search: {defer: []}}\n".into(), tools.collect(), usize::MAX)
}
