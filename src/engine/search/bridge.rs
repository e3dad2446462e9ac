//! The bridge tools' answers as the JSON text the model gets.

use serde_json::Value as Json;

use super::object::{Object, first_chars, list, texts};
use super::replies::{Protocol, Replies, Reply};
use super::{Entry, Index, Parts};
use crate::engine::assembly::disclosure::is_deferrable;
use crate::engine::assembly::listing;
use crate::engine::assembly::settings::Settings;
use crate::engine::catalog::Catalog;
use crate::engine::pytext;

/// Names of connected accounts' tools start so (0.22). They are asked for over the network, so not here.
pub(super) const CONNECTOR: &str = "connectors__";
/// Characters of a description in the results of 0.19; it is cut without a mark.
const SINGLE_DESCRIPTION: usize = 400;
/// The same in 0.22, where an ellipsis marks the cut.
const BATCH_DESCRIPTION: usize = 500;
/// Required parameters named in a result, and characters of each (0.22).
const REQUIRED: (usize, usize) = (32, 64);

/// The bridge of one selection.
pub struct Bridge<'a> {
    pub index: &'a Index,
    pub catalog: &'a Catalog,
    pub settings: &'a Settings,
    /// `manage_connections` is in the conversation: accounts may be connected (0.22).
    pub connections: bool,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Python's JSON text, byte for byte.
    pub text: String,
    /// Sentences in it are ours, because the catalog has none of Hermes'.
    pub own_words: bool,
}

impl<'a> Bridge<'a> {
    pub(super) fn replies(&self) -> &'a Replies {
        &self.catalog.host().replies
    }

    /// `{"error": …}` in the words for it.
    pub(super) fn error(&self, reply: Reply, gaps: &[(&str, &str)]) -> Answer {
        let text = Object::new().text("error", &self.said(reply, gaps)).finish();
        Answer { text, own_words: self.replies().is_own(reply) }
    }

    /// What `tool_search` answers to these arguments.
    pub fn search(&self, arguments: &Json) -> Answer {
        match self.index.protocol() {
            Protocol::Single => self.search_single(arguments),
            Protocol::Batch => self.search_batch(arguments),
        }
    }

    fn search_single(&self, arguments: &Json) -> Answer {
        let query = text_argument(arguments, "query");
        if query.is_empty() {
            return self.error(Reply::NoQuery, &[]);
        }
        let hits = self.index.search(&query, self.limit(arguments));
        let matches = hits.iter().map(|hit| {
            let entry = &self.index.entries()[hit.entry];
            let description = Parts::of(entry.definition.text()).description();
            Object::new()
                .text("name", entry.name.as_str())
                .text("source", entry.source.as_str())
                .text("source_name", entry.source_name.as_str())
                .text("description", first_chars(&description, SINGLE_DESCRIPTION))
                .finish()
        });
        let text = Object::new()
            .text("query", &query)
            .raw("total_available", &self.index.entries().len().to_string())
            .raw("matches", &list(matches))
            .finish();
        Answer { text, own_words: false }
    }

    fn search_batch(&self, arguments: &Json) -> Answer {
        let queries = match self.strings(arguments, "queries", false) {
            Ok(queries) => queries,
            Err(error) => return error,
        };
        let limit = self.limit(arguments);
        let mut found: Vec<usize> = Vec::new();
        let mut own_words = false;
        let sources = self.sources();
        let mut results = Vec::new();
        for query in &queries {
            let hits = self.index.search(query, limit);
            let names = hits.iter().map(|hit| self.index.entries()[hit.entry].name.as_str());
            let mut result = Object::new();
            result.text("query", query).raw("matches", &texts(names));
            if hits.is_empty() && !sources.is_empty() {
                own_words |= self.replies().is_own(Reply::NothingFound);
                result
                    .raw("available_sources", &list(&sources))
                    .text("hint", &self.replies().say(Reply::NothingFound, &[]));
            }
            for hit in hits {
                // Tools are told once, by name.
                let name = &self.index.entries()[hit.entry].name;
                if !found.iter().any(|entry| self.index.entries()[*entry].name == *name) {
                    found.push(hit.entry);
                }
            }
            results.push(result.finish());
        }
        let mut tools = Object::new();
        for entry in found {
            let entry = &self.index.entries()[entry];
            tools.raw(entry.name.as_str(), &record(entry));
        }
        let text = Object::new()
            .raw("queries", &texts(queries.iter().map(String::as_str)))
            .raw("total_available", &self.index.entries().len().to_string())
            .raw("results", &list(results))
            .raw("tools", &tools.finish())
            .finish();
        Answer { text, own_words }
    }

    /// What is offered to a query without a match: every source with its tools, by name.
    fn sources(&self) -> Vec<String> {
        let mut counts: std::collections::BTreeMap<&str, u64> = std::collections::BTreeMap::new();
        for entry in self.index.entries() {
            *counts.entry(listing::label(entry.source_name.as_str())).or_default() += 1;
        }
        let mut rows: Vec<(&str, String)> = counts
            .into_iter()
            .map(|(name, count)| {
                (name, Object::new().text("name", name).raw("tool_count", &count.to_string()).finish())
            })
            .collect();
        for source in &self.catalog.host().unavailable_sources {
            let mut row = Object::new();
            row.text("name", &source.name);
            if let Some(count) = source.tool_count {
                row.raw("tool_count", &count.to_string());
            }
            rows.push((&source.name, row.text("unavailable", &source.unavailable).finish()));
        }
        rows.sort_by_key(|(name, _)| *name);
        rows.into_iter().map(|(_, row)| row).collect()
    }

    /// How many matches a query may have.
    pub fn limit(&self, arguments: &Json) -> usize {
        let default = i64::from(self.settings.search_default_limit);
        let wanted = match arguments.get("limit") {
            None | Some(Json::Null) => return self.settings.search_default_limit as usize,
            Some(value) => int(value).unwrap_or(default),
        };
        wanted.clamp(1, i64::from(self.settings.max_search_limit)) as usize
    }

    /// What `tool_describe` answers to these arguments.
    pub fn describe(&self, arguments: &Json) -> Answer {
        match self.index.protocol() {
            Protocol::Single => self.describe_single(arguments),
            Protocol::Batch => self.describe_batch(arguments),
        }
    }

    fn describe_single(&self, arguments: &Json) -> Answer {
        let name = text_argument(arguments, "name");
        if name.is_empty() {
            return self.error(Reply::NoName, &[]);
        }
        let gaps = [("name", name.as_str())];
        if !self.is_deferrable(&name) {
            return self.error(Reply::DescribeNotDeferrable, &gaps);
        }
        let Some(entry) = self.entry(&name) else { return self.error(Reply::DescribeNotAvailable, &gaps) };
        let mut object = Object::new();
        object.text("name", &name);
        describe_into(&mut object, entry);
        Answer { text: object.finish(), own_words: false }
    }

    fn describe_batch(&self, arguments: &Json) -> Answer {
        let names = match self.strings(arguments, "names", true) {
            Ok(names) => names,
            Err(error) => return error,
        };
        let mut tools = Object::new();
        let mut errors = Object::new();
        let mut not_found = Vec::new();
        let (mut wrong, mut own_words) = (false, false);
        for name in &names {
            if let Some(entry) = self.entry(name) {
                let mut object = Object::new();
                describe_into(&mut object, entry);
                tools.raw(name, &object.finish());
            } else if self.catalog.tool(name).is_some() && !self.is_deferrable(name) && !is_connector(name) {
                wrong = true;
                own_words |= self.replies().is_own(Reply::CallDirectly);
                errors.text(name, &self.replies().say(Reply::CallDirectly, &[("name", name)]));
            } else {
                not_found.push(name.as_str());
            }
        }
        let mut object = Object::new();
        object.raw("tools", &tools.finish());
        if !not_found.is_empty() {
            own_words |= self.replies().is_own(Reply::NamesNotFound);
            object.raw("not_found", &texts(not_found)).text("hint", &self.replies().say(Reply::NamesNotFound, &[]));
        }
        if wrong {
            object.raw("errors", &errors.finish());
        }
        Answer { text: object.finish(), own_words }
    }

    /// A list of strings among the arguments (0.22): trimmed, without blanks, not too many.
    fn strings(&self, arguments: &Json, key: &str, distinct: bool) -> Result<Vec<String>, Answer> {
        let items = match arguments.get(key) {
            Some(Json::String(text)) => vec![Json::String(text.clone())],
            Some(Json::Array(items)) => items.clone(),
            _ => return Err(self.error(Reply::NotAList, &[("key", key)])),
        };
        let mut texts: Vec<String> = Vec::new();
        for item in &items {
            let text = truthy_text(Some(item));
            let counts = !text.is_empty() && (!distinct || !texts.contains(&text));
            if counts {
                texts.push(text);
            }
        }
        let limits = self.replies().limits;
        let (max, too_many) = match key {
            "queries" => (limits.queries, Reply::TooManyQueries),
            _ => (limits.names, Reply::TooManyNames),
        };
        if texts.is_empty() {
            return Err(self.error(Reply::OnlyBlanks, &[("key", key)]));
        }
        if texts.len() > max {
            let (count, max) = (texts.len().to_string(), max.to_string());
            return Err(self.error(too_many, &[("key", key), ("count", &count), ("max", &max)]));
        }
        Ok(texts)
    }

    /// The deferred tool of this name.
    pub(super) fn entry(&self, name: &str) -> Option<&'a Entry> {
        self.index.entries().iter().find(|entry| entry.name.as_str() == name)
    }

    pub(super) fn is_core(&self, name: &str) -> bool {
        self.catalog.document().core_tools.iter().any(|core| core.as_str() == name)
    }

    /// Whether a tool of this name could stand behind the bridge at all, in this conversation or not.
    pub(super) fn is_deferrable(&self, name: &str) -> bool {
        let host = self.catalog.host();
        let named = self.settings.defers(host).any(|defer| defer == name);
        match self.catalog.tool(name) {
            Some(tool) => {
                let core = self.is_core(name);
                is_deferrable(self.catalog.rules(), host, core, name, tool.toolset.as_str(), named)
            }
            None => named && self.catalog.rules().builtins_deferrable,
        }
    }
}

pub(super) fn is_connector(name: &str) -> bool {
    name.starts_with(CONNECTOR)
}

/// What 0.22 tells of a tool that was found.
fn record(entry: &Entry) -> String {
    let parts = Parts::of(entry.definition.text());
    let description = parts.description();
    let clipped = first_chars(&description, BATCH_DESCRIPTION);
    let mark = if clipped.len() < description.len() { "…" } else { "" };
    let required = parts.required();
    let required = required.iter().take(REQUIRED.0).map(|name| first_chars(name, REQUIRED.1));
    Object::new()
        .text("source", entry.source.as_str())
        .text("source_name", entry.source_name.as_str())
        .text("description", &format!("{clipped}{mark}"))
        .raw("required", &texts(required))
        .finish()
}

/// Description and parameters as they are defined.
fn describe_into(object: &mut Object, entry: &Entry) {
    let parts = Parts::of(entry.definition.text());
    let description = parts.function.description.map_or("\"\"", serde_json::value::RawValue::get);
    let parameters = parts.function.parameters.map_or("{}", serde_json::value::RawValue::get);
    object.raw("description", description).raw("parameters", parameters);
}

/// `str(value or "").strip()` of an argument.
pub(super) fn text_argument(arguments: &Json, key: &str) -> String {
    truthy_text(arguments.get(key))
}

/// `str(value or "").strip()`.
pub(super) fn truthy_text(value: Option<&Json>) -> String {
    let text = match value {
        None => return String::new(),
        Some(value) if !super::python::is_truthy(value) => return String::new(),
        Some(value) => super::python::text(value),
    };
    pytext::strip(&text).to_owned()
}

/// `int(value)`; None where Python raises.
fn int(value: &Json) -> Option<i64> {
    match value {
        Json::Bool(on) => Some(i64::from(*on)),
        Json::String(text) => pytext::int(text),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Some(number),
            // Saturates, and is clamped next.
            None => number.as_f64().filter(|float| !float.is_nan()).map(|float| float as i64),
        },
        _ => None,
    }
}
