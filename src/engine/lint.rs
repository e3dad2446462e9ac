//! What is odd about a tool itself: a schema somebody refuses, a description that says nothing, characters nobody sees,
//! words meant for the model's obedience rather than its information.
//!
//! Nothing is blocked: each finding names the place and what follows from it, and the person decides. What a provider
//! refuses is taken from its own documentation and from the errors people met, as of autumn 2026.

mod schema;
mod words;

use std::collections::BTreeMap;

use serde_json::Value;

use super::catalog::Tool;
use super::provider::{Provider, Vendor};
use super::report::Severity;
use super::server::told::ToldTool;
use super::text::{clip, visible};

/// What a finding is about. The name is stable: scripts filter by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The final name is one a provider refuses.
    Name,
    /// The definition cannot be read: no JSON, or nested too deeply.
    Unreadable,
    TopLevelType,
    TopLevelUnion,
    DanglingRef,
    OutsideRef,
    RecursiveRef,
    /// `true` or `false` where a schema is expected.
    BooleanSchema,
    /// A text, number, list or null where a schema is expected.
    NoSchema,
    MissingType,
    UnknownType,
    ArrayWithoutItems,
    AdditionalProperties,
    PropertyName,
    Required,
    EnumKind,
    GiantEnum,
    NoDescription,
    HiddenCharacters,
    Instructions,
    /// Another tool has the same name of its own, or says the same.
    Twin,
}

impl Rule {
    /// The name in JSON and on the screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Unreadable => "unreadable",
            Self::TopLevelType => "top-level-type",
            Self::TopLevelUnion => "top-level-union",
            Self::DanglingRef => "dangling-ref",
            Self::OutsideRef => "outside-ref",
            Self::RecursiveRef => "recursive-ref",
            Self::BooleanSchema => "boolean-schema",
            Self::NoSchema => "no-schema",
            Self::MissingType => "missing-type",
            Self::UnknownType => "unknown-type",
            Self::ArrayWithoutItems => "array-without-items",
            Self::AdditionalProperties => "additional-properties",
            Self::PropertyName => "property-name",
            Self::Required => "required",
            Self::EnumKind => "enum-kind",
            Self::GiantEnum => "giant-enum",
            Self::NoDescription => "no-description",
            Self::HiddenCharacters => "hidden-characters",
            Self::Instructions => "instructions",
            Self::Twin => "twin",
        }
    }

    /// Whose API answers a request that holds it with an error, when it gets it unchanged.
    pub fn refused_by(self) -> &'static [Vendor] {
        use Vendor::{Anthropic, Google, OpenAi};
        match self {
            Self::TopLevelType | Self::DanglingRef | Self::NoSchema | Self::UnknownType => &[OpenAi, Anthropic, Google],
            Self::AdditionalProperties => &[OpenAi, Anthropic, Google],
            Self::TopLevelUnion => &[OpenAi, Anthropic],
            Self::ArrayWithoutItems => &[OpenAi, Google],
            Self::PropertyName => &[Anthropic],
            Self::OutsideRef | Self::RecursiveRef | Self::BooleanSchema => &[Google],
            Self::MissingType | Self::Required | Self::EnumKind => &[Google],
            Self::Name
            | Self::Unreadable
            | Self::GiantEnum
            | Self::NoDescription
            | Self::HiddenCharacters
            | Self::Instructions
            | Self::Twin => &[],
        }
    }
}

/// Which form of the tool shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// As it is sent.
    Sent,
    /// As its server told it; Hermes repairs it on the way.
    Repaired,
    /// As it is sent, and not as its server told it: Hermes' own rewriting brought it about.
    Introduced,
}

/// One finding about one tool.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Lint {
    pub rule: Rule,
    pub severity: Severity,
    /// Where in the tool, as a JSON pointer; empty for the tool as a whole. Sanitised.
    pub place: String,
    /// One or two sentences. Sanitised.
    pub text: String,
    pub form: Form,
}

/// What the walks collect, before it is judged.
struct Seen {
    rule: Rule,
    place: String,
    text: String,
    /// Where no provider decides.
    severity: Severity,
}

/// The most places one rule names in one tool; the rest is counted.
const PLACES: usize = 3;

/// Looks at one tool as it is sent, and as its server told it where that is known.
pub fn tool(tool: &Tool, told: Option<&ToldTool>, provider: &Provider) -> Vec<Lint> {
    let sent = sent(tool, provider);
    let Some(told) = told else {
        return judged(sent, provider, |_| Form::Sent);
    };
    let raw = as_told(told);
    let key = |seen: &Seen| (seen.rule, seen.place.clone());
    let (before, after): (Vec<_>, Vec<_>) = (raw.iter().map(key).collect(), sent.iter().map(key).collect());
    // Only what is about the schema can be repaired or brought about; a description is passed on as it is.
    let about_schema = |rule: Rule| !rule.refused_by().is_empty();
    let known = |rule: Rule| before.iter().any(|(other, _)| *other == rule);
    let mut found =
        judged(sent, provider, |rule| if about_schema(rule) && !known(rule) { Form::Introduced } else { Form::Sent });
    let gone = raw.into_iter().filter(|seen| {
        about_schema(seen.rule) && !after.iter().any(|(rule, place)| *rule == seen.rule && *place == seen.place)
    });
    // The same fault under another path is not repaired.
    let gone = gone.filter(|seen| !after.iter().any(|(rule, _)| *rule == seen.rule));
    found.extend(judged(gone.collect(), provider, |_| Form::Repaired));
    found
}

fn sent(tool: &Tool, provider: &Provider) -> Vec<Seen> {
    let mut seen = Vec::new();
    if let Some(why) = provider.refuses(tool.name.as_str()) {
        seen.push(Seen {
            rule: Rule::Name,
            place: "/name".to_owned(),
            text: format!("{} refuses the name, which {why}.", provider.title),
            severity: Severity::Warning,
        });
    }
    let Some(value) = read(tool.definition.text()) else {
        seen.push(unreadable());
        return seen;
    };
    let function = value.get("function").unwrap_or(&value);
    if says_nothing(tool, function) {
        seen.push(no_description());
    }
    let empty = Value::Object(serde_json::Map::new());
    schema::look(function.get("parameters").unwrap_or(&empty), "/parameters", &mut seen);
    words::look(function, &mut seen);
    seen
}

/// By Hermes' rule a tool without a description is given one that says its name.
fn says_nothing(tool: &Tool, function: &Value) -> bool {
    let description = function.get("description").and_then(Value::as_str).unwrap_or_default().trim();
    let own = tool.server.as_ref().zip(tool.original_name.as_deref());
    let filler = own.map(|(server, original)| format!("MCP tool {original} from {server}"));
    description.is_empty() || filler.is_some_and(|filler| description == filler)
}

fn as_told(told: &ToldTool) -> Vec<Seen> {
    let mut seen = Vec::new();
    let Some(value) = read(&told.text) else {
        return vec![unreadable()];
    };
    match value.get("inputSchema") {
        None | Some(Value::Null) => seen.push(Seen {
            rule: Rule::TopLevelType,
            place: "/parameters".to_owned(),
            text: "There is no input schema.".to_owned(),
            severity: Severity::Note,
        }),
        Some(schema) => schema::look(schema, "/parameters", &mut seen),
    }
    seen
}

/// JSON of up to 128 levels, the most that common readers take. Half surrogate pairs are read as replacement characters.
fn read(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok().or_else(|| {
        let replaced = super::server::told::replaced_surrogates(text);
        serde_json::from_str(&replaced).ok()
    })
}

fn unreadable() -> Seen {
    Seen {
        rule: Rule::Unreadable,
        place: String::new(),
        text: "It is no JSON, or nested more than 128 levels deep, which common readers refuse.".to_owned(),
        severity: Severity::Warning,
    }
}

fn no_description() -> Seen {
    Seen {
        rule: Rule::NoDescription,
        place: "/description".to_owned(),
        text: "It has no description: a search finds it by its name alone, and the model must guess what it does."
            .to_owned(),
        severity: Severity::Note,
    }
}

/// Findings with how serious each is for this provider, several places of one rule as one.
fn judged(seen: Vec<Seen>, provider: &Provider, form: impl Fn(Rule) -> Form) -> Vec<Lint> {
    let mut by_rule: BTreeMap<Rule, Vec<Seen>> = BTreeMap::new();
    for seen in seen {
        by_rule.entry(seen.rule).or_default().push(seen);
    }
    let mut found = Vec::new();
    for (rule, seen) in by_rule {
        let form = form(rule);
        let refused = rule.refused_by().contains(&provider.vendor) && !is_translated(provider.vendor);
        let others = seen.len().saturating_sub(PLACES);
        for (number, seen) in seen.into_iter().take(PLACES).enumerate() {
            let severity = match form {
                Form::Repaired => Severity::Note,
                _ if refused => Severity::Warning,
                _ => seen.severity,
            };
            let mut text = seen.text;
            text.push_str(&refusals(rule, form));
            if number + 1 == PLACES && others > 0 {
                text.push_str(&format!(" {others} more places have the same."));
            }
            let place = clip(&visible(&seen.place), 160).into_owned();
            found.push(Lint { rule, severity, place, text: visible(&text).into_owned(), form });
        }
    }
    found.sort_by_key(|lint| std::cmp::Reverse(lint.severity));
    found
}

/// Who refuses it, and whether they get to see it.
fn refusals(rule: Rule, form: Form) -> String {
    let direct: Vec<&str> =
        rule.refused_by().iter().filter(|vendor| !is_translated(**vendor)).map(|vendor| vendor.title()).collect();
    let translated = rule.refused_by().iter().find(|vendor| is_translated(**vendor));
    if form == Form::Repaired {
        return if rule.refused_by().is_empty() {
            String::new()
        } else {
            " Hermes repairs it before it is sent.".to_owned()
        };
    }
    let mut text = match direct.as_slice() {
        [] => String::new(),
        [one] => format!(" {one} refuses a request with it."),
        [first @ .., last] => format!(" {} and {last} refuse a request with it.", first.join(", ")),
    };
    if let Some(vendor) = translated {
        text.push_str(&format!(
            " {} refuses it where Hermes' own adapter, which rewrites it, is not used.",
            vendor.title()
        ));
    }
    if form == Form::Introduced {
        text.push_str(" Its server told it otherwise: Hermes' rewriting brought it about.");
    }
    text
}

/// Hermes' own adapter for Google writes every schema anew in that API's terms.
fn is_translated(vendor: Vendor) -> bool {
    vendor == Vendor::Google
}

/// Tools that are hard to tell apart.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Twins {
    pub rule: Rule,
    /// Final names, in the order given. Sanitised.
    pub tools: Vec<String>,
    /// Sanitised.
    pub text: String,
}

/// Looks at several tools together: the same name of its own on two servers or on one and on Hermes' side, or the same
/// description.
pub fn twins(tools: &[&Tool]) -> Vec<Twins> {
    let mut names: BTreeMap<&str, Vec<&Tool>> = BTreeMap::new();
    let mut texts: BTreeMap<String, Vec<&Tool>> = BTreeMap::new();
    for tool in tools {
        names.entry(tool.original_name.as_deref().unwrap_or(tool.name.as_str())).or_default().push(tool);
        let value = read(tool.definition.text());
        let description = value.as_ref().and_then(|value| value.pointer("/function/description")?.as_str());
        // A short one may be the same by chance.
        if let Some(text) = description.filter(|text| text.len() >= 40) {
            texts.entry(text.trim().to_lowercase()).or_default().push(tool);
        }
    }
    let mut found = Vec::new();
    for (name, tools) in &names {
        let owners: Vec<&str> = owners(tools);
        if owners.len() > 1 {
            let owners: Vec<String> = owners.iter().map(|owner| visible(owner).into_owned()).collect();
            let text = format!(
                "'{}' is offered by {}: the model has to guess which one is meant.",
                visible(name),
                owners.join(" and ")
            );
            found.push(Twins { rule: Rule::Twin, tools: final_names(tools), text });
        }
    }
    for tools in texts.values().filter(|tools| tools.len() > 1) {
        let named = final_names(tools);
        if found.iter().any(|twins| twins.tools == named) {
            continue;
        }
        let text = format!("{} tools have the same description.", tools.len());
        found.push(Twins { rule: Rule::Twin, tools: named, text });
    }
    found
}

fn owners<'a>(tools: &[&'a Tool]) -> Vec<&'a str> {
    let mut owners: Vec<&str> =
        tools.iter().map(|tool| tool.server.as_ref().map_or("Hermes itself", |server| server.as_str())).collect();
    owners.sort_unstable();
    owners.dedup();
    owners
}

fn final_names(tools: &[&Tool]) -> Vec<String> {
    tools.iter().map(|tool| visible(tool.name.as_str()).into_owned()).collect()
}

#[cfg(test)]
mod tests;
