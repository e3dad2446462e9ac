//! Whether the bridge would let a call through to its tool, and what it answers where it would not.

use serde_json::{Map, Value as Json, json};

use super::arguments::repaired;
use super::bridge::{Answer, Bridge, is_connector, truthy_text};
use super::loads::{LoadError, loads};
use super::object::Object;
use super::replies::{Protocol, Reply};
use super::schema::{self, Finding};
use super::{Parts, object};
use crate::engine::assembly::host::BRIDGE_TOOLS;
use crate::engine::pyjson;

/// Characters of arguments that an error repeats (0.22).
const ECHO: usize = 1500;

/// What becomes of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The tool gets it.
    Accepted {
        tool: String,
        /// As the tool gets them: repaired by its schema in 0.22.
        arguments: Json,
        /// None where the arguments were checked against the schema.
        unchecked: Option<Unchecked>,
    },
    /// The model gets this instead.
    Refused(Answer),
    /// We cannot say: Python takes this JSON, and we cannot hold it.
    OutOfReach,
}

/// Why arguments were not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unchecked {
    /// This version checks nothing.
    ByVersion,
    /// The schema points outside of itself, or is none.
    BySchema,
    /// The tool of a connected account, which checks for itself.
    Remote,
}

/// One call, as far as it could be read.
struct Call {
    name: String,
    arguments: Map<String, Json>,
}

/// Why reading stopped.
enum Stop {
    Refused(Answer),
    OutOfReach,
}

impl Bridge<'_> {
    /// What `tool_call` does with these arguments, short of calling the tool.
    pub fn call(&self, arguments: &Json) -> Verdict {
        let decided = match self.index.protocol() {
            Protocol::Single => self.call_single(arguments),
            Protocol::Batch => self.call_batch(arguments),
        };
        decided.unwrap_or_else(|stop| match stop {
            Stop::Refused(answer) => Verdict::Refused(answer),
            Stop::OutOfReach => Verdict::OutOfReach,
        })
    }

    fn call_single(&self, arguments: &Json) -> Result<Verdict, Stop> {
        let name = truthy_text(arguments.get("name"));
        if name.is_empty() {
            return Err(self.stop(Reply::CallNothing, &[]));
        }
        let gaps = [("name", name.as_str())];
        if BRIDGE_TOOLS.contains(&name.as_str()) {
            return Err(self.stop(Reply::CallBridge, &gaps));
        }
        let given = match arguments.get("arguments") {
            None | Some(Json::Null) => json!({}),
            Some(Json::String(text)) => self.load(text, Reply::ArgumentsNotJson, "0")?,
            Some(given) => given.clone(),
        };
        if !given.is_object() {
            return Err(self.stop(Reply::ArgumentsNotAnObject, &gaps));
        }
        if !self.is_deferrable(&name) {
            return Err(self.stop(Reply::CallDirectly, &gaps));
        }
        if self.entry(&name).is_none() {
            return Err(self.stop(Reply::CallOutOfScope, &gaps));
        }
        Ok(Verdict::Accepted { tool: name, arguments: given, unchecked: Some(Unchecked::ByVersion) })
    }

    fn call_batch(&self, arguments: &Json) -> Result<Verdict, Stop> {
        let calls = self.calls(arguments)?;
        let Some(call) = calls.first() else { return Err(self.stop(Reply::CallNothing, &[])) };
        if calls.len() > 1 && !calls.iter().all(|call| is_connector(&call.name)) {
            return Err(self.not_alone(&calls));
        }
        let Call { name, arguments } = call;
        if is_connector(name) {
            if !self.connections {
                return Err(self.stop(Reply::NoConnections, &[]));
            }
            let arguments = Json::Object(arguments.clone());
            return Ok(Verdict::Accepted { tool: name.clone(), arguments, unchecked: Some(Unchecked::Remote) });
        }
        let gaps = [("name", name.as_str())];
        let registered = self.catalog.tool(name);
        if !self.is_deferrable(name) {
            if registered.is_some() || self.is_core(name) {
                return Err(self.stop(Reply::CallDirectly, &gaps));
            }
            return Err(self.unknown(name));
        }
        let Some(entry) = self.entry(name) else {
            let direct = &self.catalog.host().direct_toolsets;
            let windowed = registered.is_some_and(|tool| direct.contains(&tool.toolset));
            return Err(self.stop(if windowed { Reply::CallNeedsWindow } else { Reply::CallOutOfScope }, &gaps));
        };
        let parts = Parts::of(entry.definition.text());
        let text = match self.replies().parameters.get(name.as_str()) {
            Some(registered) => registered.text(),
            None => parts.function.parameters.map_or("null", serde_json::value::RawValue::get),
        };
        let parameters: Json = serde_json::from_str(text).unwrap_or_default();
        if !parameters.is_object() {
            let arguments = Json::Object(arguments.clone());
            return Ok(Verdict::Accepted { tool: name.clone(), arguments, unchecked: Some(Unchecked::BySchema) });
        }
        self.check(name, &parameters, text, arguments)
    }

    /// The calls of 0.22's `calls`, or of the older form with one name.
    fn calls(&self, arguments: &Json) -> Result<Vec<Call>, Stop> {
        let given = match arguments.get("calls") {
            None | Some(Json::Null) => {
                if truthy_text(arguments.get("name")).is_empty() {
                    return Err(self.stop(Reply::CallNothing, &[]));
                }
                json!([{"name": arguments.get("name"), "arguments": arguments.get("arguments")}])
            }
            Some(Json::String(text)) => self.load(text, Reply::CallsNotJson, "0")?,
            Some(given) => given.clone(),
        };
        let given = match given {
            call @ Json::Object(_) => vec![call],
            Json::Array(calls) if !calls.is_empty() => calls,
            _ => return Err(self.stop(Reply::CallsNotAList, &[])),
        };
        given.iter().enumerate().map(|(position, call)| self.one_call(&position.to_string(), call)).collect()
    }

    fn one_call(&self, position: &str, call: &Json) -> Result<Call, Stop> {
        let at = ("position", position);
        if !call.is_object() {
            return Err(self.stop(Reply::CallNotAnObject, &[at]));
        }
        let name = truthy_text(call.get("name"));
        if name.is_empty() {
            return Err(self.stop(Reply::CallNoName, &[at]));
        }
        if BRIDGE_TOOLS.contains(&name.as_str()) {
            return Err(self.stop(Reply::CallBridge, &[at, ("name", &name)]));
        }
        let given = match call.get("arguments") {
            None | Some(Json::Null) => json!({}),
            Some(Json::String(text)) if crate::engine::pytext::strip(text).is_empty() => json!({}),
            Some(Json::String(text)) => self.load(text, Reply::ArgumentsNotJson, position)?,
            Some(given) => given.clone(),
        };
        match given {
            Json::Object(arguments) => Ok(Call { name, arguments }),
            _ => Err(self.stop(Reply::ArgumentsNotAnObject, &[at])),
        }
    }

    /// JSON that came as text.
    fn load(&self, text: &str, reply: Reply, position: &str) -> Result<Json, Stop> {
        loads(text).map_err(|error| match error {
            LoadError::Python(error) => self.stop(reply, &[("error", &error), ("position", position)]),
            LoadError::OutOfReach => Stop::OutOfReach,
        })
    }

    /// Several calls of which one is not a connected account's.
    fn not_alone(&self, calls: &[Call]) -> Stop {
        let Some(first) = calls.first() else { return self.stop(Reply::CallNothing, &[]) };
        let arguments = Json::Object(first.arguments.clone()).to_string();
        let arguments = pyjson::compact_text(&arguments).unwrap_or(arguments);
        let arguments = if arguments.chars().count() > ECHO { "{...}" } else { &arguments };
        let retry = format!("{{\"calls\":[{{\"name\":{},\"arguments\":{arguments}}}]}}", pyjson::quoted(&first.name));
        let (count, rest) = (calls.len().to_string(), (calls.len() - 1).to_string());
        self.stop(Reply::CallsNotAlone, &[("count", &count), ("retry", &retry), ("rest", &rest)])
    }

    /// No tool has this name; perhaps one ends in it.
    fn unknown(&self, name: &str) -> Stop {
        let suffix = format!("__{name}");
        let tools = self.catalog.document().tools.iter().map(|tool| tool.name.as_str());
        let mut near: Vec<&str> = tools.filter(|tool| tool.ends_with(&suffix)).collect();
        if near.is_empty() {
            return self.stop(Reply::CallUnknown, &[("name", name)]);
        }
        near.sort_unstable();
        let near: Vec<String> = near.into_iter().map(|name| super::python::repr(&name.into())).collect();
        self.stop(Reply::CallUnknownNear, &[("name", name), ("candidates", &near.join(", "))])
    }

    /// What is required first, then the schema.
    fn check(&self, name: &str, parameters: &Json, text: &str, given: &Map<String, Json>) -> Result<Verdict, Stop> {
        let required = parameters.get("required").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
        let missing = required.iter().filter_map(Json::as_str).filter(|name| !given.contains_key(*name));
        let missing: Vec<&str> = missing.collect();
        if !missing.is_empty() {
            let gaps = [("name", name), ("names", &missing.join(", "))];
            return Err(self.refusal(Reply::ArgumentsMissing, &gaps, "arguments", "required", text));
        }
        let arguments = Json::Object(repaired(parameters, given));
        let unchecked = match schema::check(parameters, &arguments) {
            Finding::Fits => None,
            Finding::Unchecked => Some(Unchecked::BySchema),
            Finding::Broken { path, constraint, detail } => {
                let gaps = [
                    ("name", name),
                    ("path", path.as_str()),
                    ("constraint", constraint.as_str()),
                    ("detail", detail.as_str()),
                ];
                return Err(self.refusal(Reply::ArgumentsInvalid, &gaps, &path, &constraint, text));
            }
        };
        Ok(Verdict::Accepted { tool: name.to_owned(), arguments, unchecked })
    }

    fn refusal(&self, reply: Reply, gaps: &[(&str, &str)], path: &str, constraint: &str, parameters: &str) -> Stop {
        let replies = self.replies();
        let mut object = Object::new();
        object
            .text("error", &self.said(reply, gaps))
            .text("path", path)
            .text("constraint", constraint)
            .raw("parameters", parameters)
            .text("hint", &replies.say(Reply::ArgumentsHint, &[]));
        let own_words = replies.is_own(reply) || replies.is_own(Reply::ArgumentsHint);
        Stop::Refused(Answer { text: object.finish(), own_words })
    }

    fn stop(&self, reply: Reply, gaps: &[(&str, &str)]) -> Stop {
        Stop::Refused(self.error(reply, gaps))
    }

    /// A sentence, cut where 0.22 cuts errors.
    pub(super) fn said(&self, reply: Reply, gaps: &[(&str, &str)]) -> String {
        let said = self.replies().say(reply, gaps);
        let limit = self.replies().limits.error_chars;
        if self.index.protocol() == Protocol::Single || said.chars().count() <= limit {
            return said;
        }
        format!("{}{}", object::first_chars(&said, limit), self.replies().say(Reply::Cut, &[]))
    }
}
