//! MCP servers side by side: what each weighs whole, whatever a platform does with it.
//!
//! A server's weight here is that of the definitions its filter lets through, as they would be sent. What a platform
//! really sends of them is in its own report: behind the bridge it is a line for each.

use serde::Serialize;

use super::{Inputs, share};
use crate::engine::advice::CACHED_PERCENT;
use crate::engine::catalog::ListSource;
use crate::engine::meter::Figure;
use crate::engine::selection::{platforms_in_use, select};
use crate::engine::server::{self, Server};
use crate::engine::text::visible;

/// One server.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ServerWeight {
    /// Sanitised.
    pub server: String,
    pub enabled: bool,
    pub transport: &'static str,
    /// Tools the filter lets through; none where nobody knows the server's tools.
    pub tools: Option<u64>,
    /// Tools the filter leaves out.
    pub filtered: Option<u64>,
    pub bytes: Option<u64>,
    /// By Hermes' rule.
    pub est_tokens: Option<u64>,
    /// By the tokenizer; none where not counted.
    pub tokens: Option<u64>,
    pub mean_est_tokens: Option<u64>,
    pub share: Option<Share>,
    pub conversation: Option<Conversation>,
    /// Platforms in use on which it is on. Sanitised.
    pub platforms: Vec<String>,
    pub list: Option<ServerSource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certainty: Option<&'static str>,
}

/// Part of a window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Share {
    #[serde(rename = "128k")]
    pub of_128k: String,
    #[serde(rename = "1m")]
    pub of_1m: String,
    /// Of the model's own window, where that is known.
    pub model: Option<String>,
}

/// Tokens over a conversation, were its tools sent whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Conversation {
    pub turns: u64,
    pub tokens_uncached: u64,
    /// The first turn whole, the others at a tenth.
    pub tokens_cached: u64,
}

/// Where a list is from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ServerSource {
    pub source: ListSource,
    pub written_at: Option<u64>,
    pub stale: bool,
}

/// Every server of the config, in file order.
pub fn servers_table(inputs: &Inputs<'_>, turns: u64) -> Vec<ServerWeight> {
    let selections: Vec<_> = platforms_in_use(inputs.catalog, inputs.config)
        .into_iter()
        .map(|platform| select(inputs.config, inputs.catalog, &platform))
        .collect();
    let on = |name: &str| {
        let on = selections.iter().filter(|selection| selection.server(name).is_some_and(|entry| entry.on));
        on.map(|selection| visible(selection.platform.as_str()).into_owned()).collect()
    };
    server::servers(inputs.config, inputs.catalog.rules())
        .iter()
        .map(|server| weight(inputs, server, on(server.name.as_str()), turns))
        .collect()
}

fn weight(inputs: &Inputs<'_>, server: &Server, platforms: Vec<String>, turns: u64) -> ServerWeight {
    let catalog = inputs.catalog;
    let name = server.name.as_str();
    let places = catalog.tool_indices_of_server(name);
    let list = catalog.server_list(name);
    let known = list.is_some() || !places.is_empty();
    let admitted = |place: &&usize| {
        let original = catalog.document().tools[**place].original_name.as_deref();
        original.is_none_or(|original| server.tools.admits(catalog.rules(), original))
    };
    let (mut tools, mut bytes, mut est_tokens, mut tokens) = (0_u64, 0_u64, 0_u64, Figure::Exact(0));
    for place in places.iter().filter(admitted) {
        let measure = catalog.measure_at(*place);
        tools += 1;
        bytes += measure.bytes;
        est_tokens += measure.est_tokens;
        tokens = tokens + inputs.counts.of(catalog.hash_at(*place));
    }
    let filtered = places.len() as u64 - tools;
    let best = tokens.value().unwrap_or(est_tokens);
    let share_of = |window: u64| share(best, window);
    ServerWeight {
        server: visible(name).into_owned(),
        enabled: server.enabled,
        transport: server.transport.as_str(),
        tools: known.then_some(tools),
        filtered: known.then_some(filtered),
        bytes: known.then_some(bytes),
        est_tokens: known.then_some(est_tokens),
        tokens: tokens.value().filter(|_| known),
        mean_est_tokens: est_tokens.checked_div(tools).filter(|_| known),
        share: known.then(|| Share {
            of_128k: share_of(128_000),
            of_1m: share_of(1_000_000),
            model: inputs.context_tokens.map(share_of),
        }),
        conversation: known.then(|| Conversation {
            turns,
            tokens_uncached: best * turns,
            tokens_cached: best + best * turns.saturating_sub(1) * CACHED_PERCENT / 100,
        }),
        platforms,
        list: list.map(|list| ServerSource { source: list.source, written_at: list.written_at, stale: list.stale }),
        certainty: (known && !tokens.is_sure()).then_some("estimated"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::catalog::{Catalog, Surface};
    use crate::engine::meter::TokenCounts;
    use crate::engine::rules::Rules;
    use crate::engine::testing::{config, document, with_server};

    #[test]
    fn a_server_weighs_what_its_filter_lets_through_and_unknown_is_not_nothing() {
        let mut document = document(Rules::v0_22());
        with_server(&mut document, "gh", &["read", "write", "fork"]);
        let catalog = Catalog::new(document);
        let config = config(
            r#"{"mcp_servers": {"gh": {"command": "x", "tools": {"exclude": ["fork"]}}, "lin": {"url": "http://h.invalid"}},
                "platform_toolsets": {"cli": ["web"], "telegram": ["web", "lin"]}}"#,
        );
        let rows = servers_table(
            &Inputs {
                catalog: &catalog,
                config: &config,
                platform: &"cli".into(),
                surface: Surface::Cli,
                assembly: None,
                counts: &TokenCounts::default(),
                context_tokens: Some(32_000),
            },
            20,
        );
        let gh = &rows[0];
        assert_eq!((gh.tools, gh.filtered, gh.platforms.as_slice()), (Some(2), Some(1), &["cli".to_owned()][..]));
        let bytes: u64 = catalog.tools_of_server("gh").take(2).map(|tool| tool.definition.text().len() as u64).sum();
        assert_eq!(gh.bytes, Some(bytes));
        let est = gh.est_tokens.unwrap();
        let conversation = gh.conversation.as_ref().unwrap();
        assert_eq!((conversation.tokens_uncached, conversation.tokens_cached), (est * 20, est + est * 19 / 10));
        let lin = &rows[1];
        assert_eq!((lin.tools, lin.bytes, &lin.share, lin.transport), (None, None, &None, "http"));
        assert_eq!(lin.platforms, ["cli", "telegram"]);
    }
}
