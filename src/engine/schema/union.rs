//! Unions that Hermes writes more simply: with null as one branch, and of constants.

use super::node::{Map, Node};

/// The keywords of a union, in the order they are looked at.
const UNIONS: [&str; 2] = ["anyOf", "oneOf"];
/// What the replacement takes over from the union, in this order.
const CARRIED: [&str; 4] = ["title", "description", "default", "examples"];

/// `anyOf` or `oneOf` with null branches and exactly one other becomes that other, with `nullable`. Both versions.
///
/// Hermes goes over each replacement once more; whatever came out of one pass stays as it is in the next, so we do not.
pub(super) fn without_null(mut map: Map<'_>) -> Map<'_> {
    for key in UNIONS {
        let Some(Node::List(branches)) = map.get(key) else { continue };
        let mut others = branches.iter().filter(|branch| !is_null(branch));
        let (Some(only), None) = (others.next(), others.next()) else { continue };
        if branches.len() == 1 {
            continue;
        }
        let mut replacement = match only {
            Node::Map(only) => only.clone(),
            _ => Map::default(),
        };
        replacement.set_absent("nullable", Node::Word("true"));
        // A default beside a reference is refused by strict providers.
        let skipped = if replacement.has("$ref") { "default" } else { "" };
        carry(&mut map, &mut replacement, skipped);
        return replacement;
    }
    map
}

/// A union of constants of one type, perhaps with one null branch, becomes an `enum`. 0.22.
pub(super) fn as_enum(mut map: Map<'_>) -> Map<'_> {
    for key in UNIONS {
        let Some(Node::List(branches)) = map.get(key) else { continue };
        let is_plain_null = |branch: &Node<'_>| is_null(branch) && !has(branch, "const");
        let nulls = branches.iter().filter(|branch| is_plain_null(branch)).count();
        let mut kinds = branches.iter().filter(|branch| !is_plain_null(branch)).map(constant);
        let Some(Some((kind, first))) = kinds.next() else { continue };
        let mut values = vec![first.clone()];
        let mut alike = true;
        for other in kinds {
            match other {
                Some((other, value)) if other == kind => values.push(value.clone()),
                _ => alike = false,
            }
        }
        if nulls > 1 || !alike {
            continue;
        }
        let mut replacement = Map::default();
        replacement.set("type", Node::text(kind));
        replacement.set("enum", Node::List(values));
        if nulls == 1 {
            replacement.set("nullable", Node::Word("true"));
        }
        carry(&mut map, &mut replacement, "");
        return replacement;
    }
    map
}

fn carry<'a>(from: &mut Map<'a>, to: &mut Map<'a>, skipped: &str) {
    for key in CARRIED {
        if key != skipped
            && !to.has(key)
            && let Some(value) = from.take(key)
        {
            to.set(key, value);
        }
    }
}

fn has(node: &Node<'_>, key: &str) -> bool {
    matches!(node, Node::Map(map) if map.has(key))
}

fn is_null(branch: &Node<'_>) -> bool {
    matches!(branch, Node::Map(map) if map.get("type").is_some_and(|kind| kind.is_text("null")))
}

/// The type and value of a branch that is one constant and nothing more than its title and description.
fn constant<'b, 'a>(branch: &'b Node<'a>) -> Option<(&'static str, &'b Node<'a>)> {
    let Node::Map(map) = branch else { return None };
    let value = map.get("const")?;
    let plain = |key: &str| matches!(key, "const" | "type" | "title" | "description");
    let kind = match value {
        Node::Text(_) => "string",
        Node::Word("true" | "false") => "boolean",
        Node::Word("null") | Node::List(_) | Node::Map(_) => return None,
        Node::Word(number) if number.contains(['.', 'e', 'n', 'N', 'I']) => "number",
        Node::Word(_) => "integer",
    };
    let declared = map.get("type").is_none_or(|declared| *declared == Node::Word("null") || declared.is_text(kind));
    (declared && map.0.iter().all(|(key, _)| plain(key))).then_some((kind, value))
}
