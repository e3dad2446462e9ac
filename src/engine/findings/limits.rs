//! What a provider would refuse in the array as it is sent: names, their number, and tools that lose their name to
//! another. One refused name costs the whole request.

use super::Found;
use crate::engine::assembly::Fate;
use crate::engine::catalog::{Catalog, Facts};
use crate::engine::report::{ServerRow, ToolRow, ToolsetRow};
use crate::engine::rules::Collision;
use crate::engine::server::{self, Server};
use crate::engine::value::Value;

/// Names of one finding that are spelled out.
const NAMED: usize = 3;

/// What a provider takes, by its own documentation of autumn 2026.
struct Provider {
    title: &'static str,
    /// Words in a provider's or model's name.
    words: &'static [&'static str],
    max_chars: usize,
    /// Characters beside letters, digits and `_`.
    more: &'static str,
    /// A name begins with a letter or `_`.
    letter_first: bool,
    max_tools: Option<u64>,
}

/// The first is what most providers that speak OpenAI's protocol follow.
const PROVIDERS: [Provider; 3] = [
    Provider {
        title: "OpenAI's API",
        words: &["openai", "azure", "gpt", "codex"],
        max_chars: 64,
        more: "-",
        letter_first: false,
        max_tools: Some(128),
    },
    Provider {
        title: "Anthropic's API",
        words: &["anthropic", "claude"],
        max_chars: 128,
        more: "-",
        letter_first: false,
        max_tools: None,
    },
    Provider {
        title: "Google's API",
        words: &["google", "gemini", "vertex"],
        max_chars: 64,
        more: "-.",
        letter_first: true,
        max_tools: Some(128),
    },
];

impl Provider {
    /// The one of this model; where none is known, the strictest common rule.
    fn of(facts: &Facts) -> &'static Self {
        let named = |text: &Option<String>| {
            let text = text.as_deref().unwrap_or_default().to_lowercase();
            PROVIDERS.iter().find(|provider| provider.words.iter().any(|word| text.contains(word)))
        };
        named(&facts.provider).or_else(|| named(&facts.model)).unwrap_or(&PROVIDERS[0])
    }

    /// Why it refuses a name, if it does.
    fn refuses(&self, name: &str) -> Option<String> {
        let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || self.more.contains(letter);
        if name.is_empty() {
            return Some("is empty".to_owned());
        }
        if let Some(odd) = name.chars().find(|letter| !fits(*letter)) {
            return Some(format!("has '{}' in it", crate::engine::text::visible(&odd.to_string())));
        }
        if name.len() > self.max_chars {
            return Some(format!("has {} characters, and {} are taken", name.len(), self.max_chars));
        }
        let first = name.chars().next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
        (self.letter_first && !first).then(|| "does not begin with a letter or '_'".to_owned())
    }
}

/// Looks at what is sent whole; deferred tools reach the provider as text only.
pub(super) fn findings(
    toolsets: &[ToolsetRow],
    servers: &[ServerRow],
    tools: Option<u64>,
    config: &Value,
    catalog: &Catalog,
    found: &mut Found,
) {
    let provider = Provider::of(catalog.facts());
    for row in toolsets.iter().filter(|row| row.on) {
        names(provider, &row.tools, &format!("toolset {}", row.key), found);
    }
    for row in servers.iter().filter(|row| row.on) {
        names(provider, &row.tools, &format!("mcp_servers.{}", row.name), found);
    }
    if let (Some(tools), Some(max)) = (tools, provider.max_tools)
        && tools > max
    {
        let text = format!(
            "{tools} tools are sent, and {} takes {max}: every request would be refused. Switch some off, or defer them.",
            provider.title
        );
        found.warn("tools", text);
    }
    collisions(servers, config, catalog, found);
}

fn names(provider: &Provider, tools: &[ToolRow], place: &str, found: &mut Found) {
    let refused = |tool: &ToolRow| {
        let why = (tool.fate == Fate::Eager).then(|| provider.refuses(tool.name.as_str())).flatten()?;
        Some((tool.name.as_str().to_owned(), why))
    };
    let mut refused = tools.iter().filter_map(refused);
    let Some((name, why)) = refused.next() else { return };
    let others: Vec<String> = refused.map(|(name, _)| name).collect();
    let also = match others.len() {
        0 => String::new(),
        count => {
            let named: Vec<String> = others.iter().take(NAMED - 1).map(|name| format!("'{name}'")).collect();
            let rest = count - named.len();
            let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
            format!(" So are {}{more}.", named.join(", "))
        }
    };
    let text =
        format!("{} refuses the name '{name}', which {why}, and the whole request with it.{also}", provider.title);
    found.warn(place, text);
}

/// Tools of servers that are on which ask for one name.
fn collisions(servers: &[ServerRow], config: &Value, catalog: &Catalog, found: &mut Found) {
    if catalog.collisions().is_empty() {
        return;
    }
    let configured = server::servers(config, catalog.rules());
    let admitted = |server: &str, original: &str| {
        let on = servers.iter().any(|row| row.on && row.name.as_str() == server);
        let own: Option<&Server> = configured.iter().find(|own| own.name.as_str() == server);
        on && own.is_some_and(|own| own.tools.admits(catalog.rules(), original))
    };
    for collision in catalog.collisions() {
        let owners: Vec<&(String, String)> =
            collision.owners.iter().filter(|(server, original)| admitted(server, original)).collect();
        let [(first, _), .., (last, _)] = owners.as_slice() else { continue };
        let named: Vec<String> =
            owners.iter().take(NAMED).map(|(server, original)| format!("'{original}' of {server}")).collect();
        let winner = match (catalog.rules().schema.collision, first == last) {
            (Collision::NoneOrFirst, true) => "none of them is registered".to_owned(),
            (Collision::NoneOrFirst, false) => format!("the one of {first} keeps it, if that server answers first"),
            (Collision::LaterWins, _) => format!("the last one registered keeps it, usually that of {last}"),
        };
        let text = format!("{} all become '{}': {winner}.", named.join(", "), collision.name);
        found.warn(&format!("mcp_servers.{first}"), text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_provider_refuses_by_its_own_rule() {
        let long = "x".repeat(65);
        let table = [
            ("coding.start", [true, true, false]),
            ("3d_render", [false, false, true]),
            ("a-b_C9", [false, false, false]),
            ("naïve", [true, true, true]),
            ("", [true, true, true]),
            (long.as_str(), [true, false, true]),
        ];
        for (name, expected) in table {
            let refused: Vec<bool> = PROVIDERS.iter().map(|provider| provider.refuses(name).is_some()).collect();
            assert_eq!(refused, expected, "{name}");
        }
    }

    #[test]
    fn the_provider_is_read_from_the_facts() {
        let of = |provider: Option<&str>, model: Option<&str>| {
            let facts =
                Facts { provider: provider.map(str::to_owned), model: model.map(str::to_owned), ..Facts::default() };
            Provider::of(&facts).title
        };
        assert_eq!(of(Some("anthropic"), Some("gpt-5")), "Anthropic's API");
        assert_eq!(of(Some("openrouter"), Some("google/gemini-3-pro")), "Google's API");
        assert_eq!(of(Some("custom"), Some("qwen")), "OpenAI's API");
        assert_eq!(of(None, None), "OpenAI's API");
    }
}
