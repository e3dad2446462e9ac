//! The errors of a schema in the words of Python's `jsonschema` 4.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value as Json;

use crate::engine::search::python::repr;

/// What Python's `jsonschema` 4 says. `value` is the keyword's, `schema` what is around it.
pub(super) fn message(error: &ValidationError<'_>, schema: Option<&Json>, value: &Json, below: &[String]) -> String {
    let instance = repr(error.instance());
    let size = |one: &str, other: &str, special: u64, limit: u64| {
        format!("{instance} {}", if limit == special { one } else { other })
    };
    let were = |names: &[String]| {
        let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
        names.sort_unstable();
        let verb = if names.len() == 1 { "was" } else { "were" };
        format!("{} {verb} unexpected", quoted(&names))
    };
    match error.kind() {
        Kind::Type { .. } => {
            let kinds: Vec<&str> = match value {
                Json::Array(kinds) => kinds.iter().filter_map(Json::as_str).collect(),
                kind => kind.as_str().into_iter().collect(),
            };
            format!("{instance} is not of type {}", quoted(&kinds))
        }
        Kind::Required { property } => match below.first().map(String::as_str) {
            Some("dependentRequired" | "dependencies") => {
                let needed = below.get(1).cloned().or_else(|| depending(value, property, error.instance()));
                format!("{} is a dependency of {}", repr(property), repr(&needed.unwrap_or_default().into()))
            }
            _ => format!("{} is a required property", repr(property)),
        },
        Kind::Enum { .. } => format!("{instance} is not one of {}", repr(value)),
        Kind::Constant { .. } => format!("{} was expected", repr(value)),
        Kind::Minimum { limit } => format!("{instance} is less than the minimum of {}", repr(limit)),
        Kind::Maximum { limit } => format!("{instance} is greater than the maximum of {}", repr(limit)),
        Kind::ExclusiveMinimum { limit } => {
            format!("{instance} is less than or equal to the minimum of {}", repr(limit))
        }
        Kind::ExclusiveMaximum { limit } => {
            format!("{instance} is greater than or equal to the maximum of {}", repr(limit))
        }
        Kind::MultipleOf { .. } => format!("{instance} is not a multiple of {}", repr(value)),
        Kind::MinLength { limit } | Kind::MinItems { limit } => size("should be non-empty", "is too short", 1, *limit),
        Kind::MaxLength { limit } | Kind::MaxItems { limit } => {
            size("is expected to be empty", "is too long", 0, *limit)
        }
        Kind::MinProperties { limit } => size("should be non-empty", "does not have enough properties", 1, *limit),
        Kind::MaxProperties { limit } => size("is expected to be empty", "has too many properties", 0, *limit),
        Kind::Pattern { pattern } => format!("{instance} does not match {}", repr(&pattern.as_str().into())),
        Kind::UniqueItems => format!("{instance} has non-unique elements"),
        Kind::AdditionalProperties { unexpected } => {
            match schema.and_then(|schema| schema.get("patternProperties")).and_then(Json::as_object) {
                None => format!("Additional properties are not allowed ({})", were(unexpected)),
                Some(patterns) => {
                    let mut names: Vec<&str> = unexpected.iter().map(String::as_str).collect();
                    let mut patterns: Vec<&str> = patterns.keys().map(String::as_str).collect();
                    names.sort_unstable();
                    patterns.sort_unstable();
                    let verb = if names.len() == 1 { "does" } else { "do" };
                    format!("{} {verb} not match any of the regexes: {}", quoted(&names), quoted(&patterns))
                }
            }
        }
        Kind::UnevaluatedProperties { unexpected } => {
            format!("Unevaluated properties are not allowed ({})", were(unexpected))
        }
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => {
            format!("{instance} is not valid under any of the given schemas")
        }
        Kind::OneOfMultipleValid { context } => {
            let ways = value.as_array().map(Vec::as_slice).unwrap_or_default();
            let valid = ways.iter().zip(context).filter(|(_, errors)| errors.is_empty()).map(|(way, _)| repr(way));
            let mut valid: Vec<String> = valid.collect();
            // Python names the first one last.
            if !valid.is_empty() {
                valid.rotate_left(1);
            }
            format!("{instance} is valid under each of {}", valid.join(", "))
        }
        Kind::Not { .. } => format!("{instance} should not be valid under {}", repr(value)),
        Kind::FalseSchema => format!("False schema does not allow {instance}"),
        Kind::Contains => format!("{instance} does not contain items matching the given schema"),
        _ => error.to_string(),
    }
}

/// The member of `dependentRequired` that asks for a property.
fn depending(dependencies: &Json, property: &Json, instance: &Json) -> Option<String> {
    let asks = |needed: &Json| needed.as_array().is_some_and(|names| names.contains(property));
    let found = dependencies.as_object()?.iter().find(|(name, needed)| instance.get(name).is_some() && asks(needed));
    found.map(|(name, _)| name.clone())
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| repr(&(*name).into())).collect::<Vec<_>>().join(", ")
}
