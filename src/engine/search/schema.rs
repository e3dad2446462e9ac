//! Arguments against a tool's schema, and the one error the host names (0.22): that of Python's `jsonschema`, in its words.
//!
//! The crate of the same name finds the errors. Python walks a schema in the order it is written, rates errors by place
//! and kind, and descends into the alternatives of `anyOf` and `oneOf`; so the errors are put in that order first.

mod message;

use std::borrow::Cow;

use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::paths::{Location, LocationSegment};
use jsonschema::{Draft, ValidationError};
use serde_json::Value as Json;

use super::arguments::target;
use crate::engine::{pyjson, pytext};

/// Keys whose values are data, not schemas.
const LITERAL: [&str; 5] = ["const", "default", "enum", "example", "examples"];
/// Characters of an error's text, its ellipsis included.
const MAX_DETAIL: usize = 600;

/// What a schema says about arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Finding {
    Fits,
    /// The host does not look: the schema points outside, or is none.
    Unchecked,
    Broken {
        path: String,
        constraint: String,
        detail: String,
    },
}

/// Looks at arguments that are repaired already.
pub(super) fn check(parameters: &Json, arguments: &Json) -> Finding {
    let schema = with_nullable(parameters);
    if points_outside(&schema) {
        return Finding::Unchecked;
    }
    let mut options = jsonschema::options().should_validate_formats(false);
    let mut root = Cow::Borrowed(&schema);
    if draft(&schema).is_none() {
        // An unknown dialect counts as the newest.
        options = options.with_draft(Draft::Draft202012);
        if let Some(members) = root.to_mut().as_object_mut() {
            members.shift_remove("$schema");
        }
    }
    let Ok(validator) = options.build(&root) else { return Finding::Unchecked };
    let errors: Vec<ValidationError<'_>> = validator.iter_errors(arguments).collect();
    let problems = in_order(errors.iter().flat_map(|error| Problem::of(error, &root, arguments)).collect());
    let Some(best) = best(&problems) else { return Finding::Fits };
    let detail = pytext::joined_words(&best.message);
    let detail = if detail.chars().count() > MAX_DETAIL {
        format!("{}...", super::object::first_chars(&detail, MAX_DETAIL - 3))
    } else {
        detail
    };
    Finding::Broken {
        path: written(&best.path),
        constraint: best.keyword.clone().unwrap_or_else(|| "schema".to_owned()),
        detail,
    }
}

/// The draft a schema names; None where it names none that is known.
fn draft(schema: &Json) -> Option<&str> {
    const DRAFTS: [&str; 6] = [
        "http://json-schema.org/draft-03/schema",
        "http://json-schema.org/draft-04/schema",
        "http://json-schema.org/draft-06/schema",
        "http://json-schema.org/draft-07/schema",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema",
    ];
    let named = schema.get("$schema")?.as_str()?.trim_end_matches('#');
    // The third draft is known to Python only.
    DRAFTS[1..].contains(&named).then_some(named)
}

/// OpenAPI's `nullable: true` as the type it means.
fn with_nullable(schema: &Json) -> Json {
    match schema {
        Json::Array(items) => Json::Array(items.iter().map(with_nullable).collect()),
        Json::Object(members) => {
            let members_of = members.iter().filter(|(key, _)| *key != "nullable").map(|(key, value)| {
                let value = if LITERAL.contains(&key.as_str()) { value.clone() } else { with_nullable(value) };
                (key.clone(), value)
            });
            let mut changed: serde_json::Map<String, Json> = members_of.collect();
            if members.get("nullable") != Some(&Json::Bool(true)) {
                return Json::Object(changed);
            }
            let kinds = match changed.get("type") {
                Some(Json::String(kind)) => vec![Json::from(kind.as_str())],
                Some(Json::Array(kinds)) => kinds.clone(),
                _ => return serde_json::json!({ "anyOf": [Json::Object(changed), { "type": "null" }] }),
            };
            if !kinds.iter().any(|kind| kind == "null") {
                changed.insert("type".to_owned(), Json::Array([kinds, vec!["null".into()]].concat()));
            }
            Json::Object(changed)
        }
        other => other.clone(),
    }
}

/// Whether a `$ref` leaves the document: nothing is fetched to check a call.
fn points_outside(schema: &Json) -> bool {
    match schema {
        Json::Array(items) => items.iter().any(points_outside),
        Json::Object(members) => {
            let reference = members.get("$ref").and_then(Json::as_str);
            reference.is_some_and(|reference| !reference.starts_with('#'))
                || members.iter().any(|(key, value)| !LITERAL.contains(&key.as_str()) && points_outside(value))
        }
        _ => false,
    }
}

/// A step into the arguments. Python compares names with names and numbers with numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Item(usize),
    Member(String),
}

/// One error, as Python has it.
#[derive(Clone, Debug)]
struct Problem {
    /// From the arguments.
    path: Vec<Step>,
    /// From the error it explains.
    relative: Vec<Step>,
    /// None for a schema that is plainly false.
    keyword: Option<String>,
    message: String,
    /// The value is of the type that the schema around the keyword names.
    matches_type: bool,
    /// Places of the keywords on the way, as they are written.
    order: Vec<usize>,
    context: Vec<Self>,
}

impl Problem {
    /// None for what Python does not look at.
    fn of(error: &ValidationError<'_>, root: &Json, arguments: &Json) -> Option<Self> {
        if let Kind::PropertyNames { error: inner } = error.kind() {
            // Python names what is wrong with the name itself, at the object.
            let inner = Self::of(inner, root, arguments)?;
            return Some(Self { path: steps(error.instance_path(), arguments), order: order(error, root), ..inner });
        }
        let location: Vec<String> = error.schema_path().iter().map(segment).collect();
        let keyword = keyword(error, &location)?;
        let depth = match keyword.as_deref() {
            None => location.len(),
            Some(name) => location.iter().rposition(|part| part == name).unwrap_or(location.len().saturating_sub(1)),
        };
        let schema = at(root, &location[..depth]);
        let value = keyword.as_deref().and_then(|name| schema?.get(name)).unwrap_or(&Json::Null);
        let instance = error.instance();
        let branches = match error.kind() {
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => context.as_slice(),
            _ => &[],
        };
        let mut path = steps(error.instance_path(), arguments);
        if keyword.is_none()
            && matches!(
                location.iter().nth_back(1).map(String::as_str),
                Some("properties" | "patternProperties" | "prefixItems")
            )
        {
            // Python leaves off the last step to a schema that is plainly false.
            path.pop();
        }
        let mut context = Vec::new();
        for branch in branches {
            context.extend(in_order(branch.iter().filter_map(|error| Self::of(error, root, arguments)).collect()));
        }
        for inner in &mut context {
            inner.relative = inner.path.get(path.len()..).unwrap_or_default().to_vec();
        }
        Some(Self {
            relative: path.clone(),
            path,
            message: message::message(error, schema, value, &location[depth.min(location.len())..]),
            matches_type: schema.and_then(|schema| schema.get("type")).is_some_and(|kinds| is_of(instance, kinds)),
            order: order(error, root),
            keyword,
            context,
        })
    }

    /// Python's rating: an error with a greater one is named first.
    fn relevance(&self) -> (std::cmp::Reverse<usize>, &[Step], bool, bool) {
        let weak = matches!(self.keyword.as_deref(), Some("anyOf" | "oneOf"));
        (std::cmp::Reverse(self.relative.len()), &self.relative, !weak, !self.matches_type)
    }
}

/// The error that is named: the greatest, and below alternatives the smallest unless two are equal.
fn best(problems: &[Problem]) -> Option<&Problem> {
    let mut best: Option<&Problem> = None;
    for problem in problems {
        if best.is_none_or(|best| problem.relevance() > best.relevance()) {
            best = Some(problem);
        }
    }
    let mut best = best?;
    loop {
        let mut inner: Vec<&Problem> = best.context.iter().collect();
        inner.sort_by(|left, right| left.relevance().cmp(&right.relevance()));
        match inner.as_slice() {
            [] => return Some(best),
            [first, second, ..] if first.relevance() == second.relevance() => return Some(best),
            [first, ..] => best = first,
        }
    }
}

fn in_order(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.sort_by(|left, right| left.order.cmp(&right.order));
    problems
}

fn segment(part: LocationSegment<'_>) -> String {
    match part {
        LocationSegment::Property(name) => name.into_owned(),
        LocationSegment::Index(at) => at.to_string(),
    }
}

/// The way into the arguments. A location does not tell the member `2` from the third item, so the values are looked at.
fn steps(location: &Location, arguments: &Json) -> Vec<Step> {
    let mut here = Some(arguments);
    location
        .iter()
        .map(segment)
        .map(|part| match (here, part.parse::<usize>()) {
            (Some(Json::Array(items)), Ok(at)) => {
                here = items.get(at);
                Step::Item(at)
            }
            (value, _) => {
                here = value.and_then(|value| value.get(&part));
                Step::Member(part)
            }
        })
        .collect()
}

/// The schema at a place.
fn at<'s>(root: &'s Json, location: &[String]) -> Option<&'s Json> {
    location.iter().try_fold(root, |schema, part| match schema {
        Json::Array(items) => items.get(part.parse::<usize>().ok()?),
        other => other.get(part),
    })
}

/// Where the keywords on the way to an error are written, each by its place among its neighbours.
fn order(error: &ValidationError<'_>, root: &Json) -> Vec<usize> {
    let mut order = Vec::new();
    let mut schema = Some(root);
    for part in error.evaluation_path().iter().map(segment) {
        let Some(here) = schema else { break };
        match here {
            Json::Object(members) => {
                order.push(members.keys().position(|key| *key == part).unwrap_or(usize::MAX));
                schema = match (part.as_str(), members.get(&part)) {
                    ("$ref", Some(Json::String(reference))) => target(reference, root),
                    (_, found) => found,
                };
            }
            Json::Array(items) => {
                let place = part.parse().unwrap_or(usize::MAX);
                order.push(place);
                schema = items.get(place);
            }
            _ => break,
        }
    }
    order
}

/// The keyword Python calls an error by; the outer None for one that Python does not raise.
#[expect(clippy::option_option, reason = "no error, an error without a keyword, and an error with one")]
fn keyword(error: &ValidationError<'_>, location: &[String]) -> Option<Option<String>> {
    let dependency = |name: &&String| matches!(name.as_str(), "dependentRequired" | "dependencies");
    Some(Some(match error.kind() {
        Kind::ContentEncoding { .. } | Kind::ContentMediaType { .. } | Kind::FromUtf8 { .. } | Kind::Format { .. } => {
            return None;
        }
        Kind::FalseSchema => return Some(None),
        Kind::Required { .. } => match location.iter().rev().take(2).find(dependency) {
            Some(name) => name.clone(),
            None => "required".to_owned(),
        },
        Kind::Contains => match location.last().map(String::as_str) {
            Some(name @ ("minContains" | "maxContains")) => name.to_owned(),
            _ => "contains".to_owned(),
        },
        kind => kind.keyword().to_owned(),
    }))
}

/// Whether a value is of one of the types a schema names.
fn is_of(value: &Json, kinds: &Json) -> bool {
    let is = |kind: &str| match (kind, value) {
        ("null", Json::Null)
        | ("boolean", Json::Bool(_))
        | ("number", Json::Number(_))
        | ("string", Json::String(_))
        | ("array", Json::Array(_))
        | ("object", Json::Object(_)) => true,
        ("integer", Json::Number(number)) => number.as_f64().is_some_and(|float| float.fract() == 0.0),
        _ => false,
    };
    match kinds {
        Json::String(kind) => is(kind),
        Json::Array(kinds) => kinds.iter().filter_map(Json::as_str).any(is),
        _ => false,
    }
}

/// `arguments.rows[0]["odd name"]`.
fn written(path: &[Step]) -> String {
    let mut out = "arguments".to_owned();
    for step in path {
        match step {
            Step::Item(at) => out.push_str(&format!("[{at}]")),
            Step::Member(name) => {
                let plain = name.chars().enumerate().all(|(at, character)| {
                    character == '_' || character.is_ascii_alphabetic() || (at > 0 && character.is_ascii_digit())
                });
                if plain && !name.is_empty() {
                    out.push_str(&format!(".{name}"));
                } else {
                    out.push_str(&format!("[{}]", pyjson::quoted(name)));
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::{Finding, check};

    fn said(parameters: Json, arguments: Json) -> [String; 3] {
        match check(&parameters, &arguments) {
            Finding::Broken { path, constraint, detail } => [path, constraint, detail],
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_error_is_the_one_python_names() {
        let parameters = json!({"type": "object", "additionalProperties": false, "properties": {
            "count": {"type": "integer", "minimum": 1}, "rows": {"type": "array", "items": {"type": "string"}},
            "mode": {"enum": ["a", null, true]}, "way": {"anyOf": [{"type": "integer"}, {"type": "object",
                "properties": {"x": {"type": "boolean"}}, "required": ["x"]}]}}});
        for (arguments, path, constraint, detail) in [
            (json!({"count": []}), "arguments.count", "type", "[] is not of type 'integer'"),
            (json!({"count": 0}), "arguments.count", "minimum", "0 is less than the minimum of 1"),
            (json!({"rows": ["a", 5]}), "arguments.rows[1]", "type", "5 is not of type 'string'"),
            (json!({"mode": "it's"}), "arguments.mode", "enum", "\"it's\" is not one of ['a', None, True]"),
            (
                json!({"b": 1, "a": 2}),
                "arguments",
                "additionalProperties",
                "Additional properties are not allowed ('a', 'b' were unexpected)",
            ),
            (json!({"way": {"x": "no"}}), "arguments.way.x", "type", "'no' is not of type 'boolean'"),
            (json!({"way": {}}), "arguments.way", "required", "'x' is a required property"),
            // Of two at one depth the one further on in the alphabet: Python takes the greatest.
            (json!({"count": [], "rows": 5}), "arguments.rows", "type", "5 is not of type 'array'"),
        ] {
            assert_eq!(said(parameters.clone(), arguments.clone()), [path, constraint, detail], "{arguments}");
        }
        assert_eq!(check(&parameters, &json!({"count": 1.0, "mode": null})), Finding::Fits);
    }

    #[test]
    fn nullable_is_the_type_it_means() {
        let parameters = json!({"properties": {"a": {"type": "string", "nullable": true},
            "b": {"enum": [1], "nullable": true}, "c": {"type": "string", "nullable": false}}});
        assert_eq!(check(&parameters, &json!({"a": null, "b": null})), Finding::Fits);
        let kinds = said(parameters.clone(), json!({"a": 1}));
        assert_eq!(kinds[2], "1 is not of type 'string', 'null'");
        assert_eq!(said(parameters, json!({"c": null}))[2], "None is not of type 'string'");
    }

    #[test]
    fn nothing_is_fetched_and_a_broken_schema_refuses_nothing() {
        for parameters in [
            json!({"properties": {"a": {"$ref": "https://example.com/schema.json"}}}),
            json!({"properties": {"a": {"$ref": "file:///etc/passwd"}}}),
            json!({"type": "no-such-type"}),
            json!({"properties": {"a": {"$ref": "#/nowhere"}}}),
        ] {
            assert_eq!(check(&parameters, &json!({"a": 1})), Finding::Unchecked, "{parameters}");
        }
        let local = json!({"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "string"}}});
        assert_eq!(said(local, json!({"a": 1}))[0], "arguments.a");
    }

    #[test]
    fn names_that_are_no_words_are_quoted_in_a_path() {
        let parameters =
            json!({"properties": {"odd name": {"type": "array", "items": {"properties": {"2": {"type": "null"}}}}}});
        assert_eq!(said(parameters, json!({"odd name": [{"2": 2}]}))[0], "arguments[\"odd name\"][0][\"2\"]");
    }
}
