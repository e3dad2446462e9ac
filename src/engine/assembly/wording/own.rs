//! The bridge tools in our own words.

use super::{COUNT, LABEL, LISTING, Lines, Search, Wording};
use crate::engine::assembly::listing::Form;
use crate::engine::catalog::Definition;

pub(super) fn wording(listed: bool) -> Wording {
    let definition = |name: &str, description: &str, properties: &str, required: &str| {
        Definition::from_json(&format!(
            r#"{{"type": "function", "function": {{"name": "{name}", "description": "{description}", "parameters": {{"type": "object", "properties": {properties}, "required": {required}}}}}}}"#
        ))
    };
    let forms: &[Form] =
        if listed { &[Form::None, Form::Full, Form::Names, Form::Mixed, Form::Groups] } else { &[Form::None] };
    let search = forms.iter().flat_map(|form| {
        [false, true].into_iter().flat_map(move |connections| {
            // Without deferred tools there is nothing to list, but accounts may still be searched.
            let deferred: &[bool] = if *form == Form::None { &[true, false] } else { &[true] };
            deferred.iter().map(move |deferred| (*form, connections, *deferred))
        })
    });
    let search = search.filter(|(_, connections, deferred)| listed || (!*connections && *deferred));
    let properties = if listed {
        r#"{"queries": {"type": "array", "items": {"type": "string"}, "description": "A few keywords for each thing you need."}, "limit": {"type": "integer", "description": "Matches per query."}}"#
    } else {
        r#"{"query": {"type": "string", "description": "A few keywords."}, "limit": {"type": "integer", "description": "Matches at most."}}"#
    };
    let required = if listed { r#"["queries"]"# } else { r#"["query"]"# };
    Wording {
        search: search
            .map(|(form, connections, deferred)| {
                let description = search_description(form, connections, deferred);
                Search {
                    form,
                    connections,
                    deferred,
                    definition: definition("tool_search", &description, properties, required),
                }
            })
            .collect(),
        describe: if listed {
            definition(
                "tool_describe",
                "Returns the full schemas of tools that were found or listed. Needed before a call with unknown parameters.",
                r#"{"names": {"type": "array", "items": {"type": "string"}, "description": "Exact names."}}"#,
                r#"["names"]"#,
            )
        } else {
            definition(
                "tool_describe",
                "Returns the full schema of one tool that was found.",
                r#"{"name": {"type": "string", "description": "Exact name."}}"#,
                r#"["name"]"#,
            )
        },
        call: if listed {
            definition(
                "tool_call",
                "Calls tools that are not in the array, with arguments that match their schemas.",
                r#"{"calls": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string", "description": "Exact name."}, "arguments": {"type": "object", "description": "As the schema asks."}}, "required": ["name", "arguments"]}, "description": "One entry for each call."}}"#,
                r#"["calls"]"#,
            )
        } else {
            definition(
                "tool_call",
                "Calls a tool that is not in the array.",
                r#"{"name": {"type": "string", "description": "Exact name."}, "arguments": {"type": "object", "description": "As the schema asks."}}"#,
                r#"["name", "arguments"]"#,
            )
        },
        // The shape of the listing is a fact of the host; its lines are compared with the budget.
        lines: listed.then(|| Lines {
            header: "Deferred tool catalog (call schemas via `tool_describe`, invoke via `tool_call`):".to_owned(),
            heading: format!("{LABEL} tools ({COUNT}):"),
            summary: format!("{LABEL} ({COUNT} tools — names not listed; discover via `tool_search`)"),
        }),
        own: true,
    }
}

fn search_description(form: Form, connections: bool, deferred: bool) -> String {
    let mut text = if deferred {
        format!("Finds the {COUNT} tools that are loaded when needed. One query for each thing you need.")
    } else {
        "Finds tools of connected services. One query for each thing you need.".to_owned()
    };
    if connections {
        text.push_str(" Tools of connected accounts are found, too; `manage_connections` authorizes them.");
    }
    text.push_str(match form {
        Form::None => "",
        Form::Full | Form::Names => "\\n\\nAll of the tools below exist; describe one by its name.",
        Form::Mixed => "\\n\\nAll of the tools below exist; where names are left out, search for them.",
        Form::Groups => "\\n\\nThe services below are connected; search here before saying that something is missing.",
    });
    if form != Form::None {
        text.push_str("\\n\\n");
        text.push_str(LISTING);
    }
    text
}
