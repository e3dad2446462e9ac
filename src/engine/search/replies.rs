//! How the bridge of the installed Hermes is asked, and the sentences it answers with, from its own code.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::engine::catalog::Definition;
use crate::engine::ids::ToolName;
use crate::engine::rules::Rules;

/// How the bridge tools are asked and how they rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// One query, one name, one call; words as they are (0.19).
    Single,
    /// Several of each; stems, and a rarest word that must be there (0.22).
    Batch,
}

impl Protocol {
    /// That of 0.19 and 0.22, for a catalog that does not tell.
    pub fn of(rules: &Rules) -> Self {
        if rules.tiered_listing { Self::Batch } else { Self::Single }
    }
}

/// A sentence of the bridge. What stands in `⟦…⟧` is filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reply {
    /// 0.19: a search without a query.
    NoQuery,
    /// 0.19: a description without a name.
    NoName,
    /// 0.22: `⟦key⟧` is no list of strings.
    NotAList,
    /// 0.22: nothing but blanks under `⟦key⟧`.
    OnlyBlanks,
    /// 0.22: `⟦count⟧` queries are more than `⟦max⟧`.
    TooManyQueries,
    /// 0.22: `⟦count⟧` names are more than `⟦max⟧`.
    TooManyNames,
    /// 0.22: the hint of a query that found nothing.
    NothingFound,
    /// 0.22: the hint beside names that do not exist.
    NamesNotFound,
    /// 0.19: `⟦name⟧` is deferred, but not in this conversation.
    DescribeNotAvailable,
    /// 0.19: `⟦name⟧` cannot be deferred, so it is not described.
    DescribeNotDeferrable,
    /// `⟦name⟧` cannot be deferred, so it is not called; in 0.22 for tools that exist.
    CallDirectly,
    /// 0.22: no tool is called `⟦name⟧`.
    CallUnknown,
    /// 0.22: the same, and `⟦candidates⟧` end in that name.
    CallUnknownNear,
    /// `⟦name⟧` can be deferred, but is not in this conversation.
    CallOutOfScope,
    /// 0.22: the same for a tool of a window that is not there.
    CallNeedsWindow,
    /// A call without a name (0.19) or without calls (0.22).
    CallNothing,
    /// 0.22: `calls` is text that is no JSON; `⟦error⟧` says why.
    CallsNotJson,
    /// 0.22: `calls` is no list, or an empty one.
    CallsNotAList,
    /// 0.22: call `⟦position⟧` is no object.
    CallNotAnObject,
    /// 0.22: call `⟦position⟧` has no name.
    CallNoName,
    /// `⟦name⟧` is a bridge tool.
    CallBridge,
    /// The arguments (of call `⟦position⟧`) are text that is no JSON; `⟦error⟧` says why.
    ArgumentsNotJson,
    /// The arguments (of call `⟦position⟧`) are no object.
    ArgumentsNotAnObject,
    /// 0.22: `⟦count⟧` calls at once, `⟦retry⟧` is the first alone and `⟦rest⟧` how many are left.
    CallsNotAlone,
    /// 0.22: `⟦names⟧` of `⟦name⟧` are required and missing.
    ArgumentsMissing,
    /// 0.22: arguments of `⟦name⟧` break `⟦constraint⟧` at `⟦path⟧`: `⟦detail⟧`.
    ArgumentsInvalid,
    /// 0.22: the hint beside both.
    ArgumentsHint,
    /// 0.22: connected accounts are not in this conversation.
    NoConnections,
    /// 0.22: what stands where a long error is cut.
    Cut,
}

/// Limits of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Queries of one search (0.22).
    pub queries: usize,
    /// Names of one description (0.22).
    pub names: usize,
    /// Characters of an error before it is cut (0.22).
    pub error_chars: usize,
}

impl Default for Limits {
    /// 0.22.2's.
    fn default() -> Self {
        Self { queries: 7, names: 10, error_chars: 2048 }
    }
}

/// The bridge of one Hermes.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Replies {
    /// None where the catalog does not tell: then by the rules.
    #[serde(default)]
    pub protocol: Option<Protocol>,
    #[serde(default)]
    pub limits: Limits,
    /// Parameters that calls are checked against, of tools that are sent with others (0.22).
    #[serde(default)]
    pub parameters: BTreeMap<ToolName, Definition>,
    /// The host's own sentences. Those that are missing are said in our words.
    #[serde(default)]
    pub texts: BTreeMap<Reply, String>,
}

impl Replies {
    /// A sentence with its gaps filled.
    pub fn say(&self, reply: Reply, gaps: &[(&str, &str)]) -> String {
        let template = self.texts.get(&reply).map_or_else(|| own(reply), String::as_str);
        let mut out = String::with_capacity(template.len());
        let mut rest = template;
        // Once through, so that what is filled in cannot open a gap of its own.
        while let Some((before, after)) = rest.split_once('⟦') {
            out.push_str(before);
            let Some((gap, after)) = after.split_once('⟧') else {
                rest = after;
                continue;
            };
            out.push_str(gaps.iter().find(|(name, _)| *name == gap).map_or("", |(_, text)| *text));
            rest = after;
        }
        out.push_str(rest);
        out
    }

    /// Whether a sentence is ours, so that Hermes would say the same in other words.
    pub fn is_own(&self, reply: Reply) -> bool {
        !self.texts.contains_key(&reply)
    }
}

/// In our own words.
fn own(reply: Reply) -> &'static str {
    match reply {
        Reply::NoQuery => "there is no query",
        Reply::NoName => "there is no name",
        Reply::NotAList => "⟦key⟧ has to be a list of texts",
        Reply::OnlyBlanks => "⟦key⟧ holds no text",
        Reply::TooManyQueries => "⟦count⟧ queries, and ⟦max⟧ are allowed",
        Reply::TooManyNames => "⟦count⟧ names, and ⟦max⟧ are allowed",
        Reply::NothingFound => "No tool has these words. The sources above have tools: search with other words.",
        Reply::NamesNotFound => "These tools are not there now: search again.",
        Reply::DescribeNotAvailable => "'⟦name⟧' is not there now: search again",
        Reply::DescribeNotDeferrable => "'⟦name⟧' is not a deferred tool",
        Reply::CallDirectly => "'⟦name⟧' is not a deferred tool: call it by itself",
        Reply::CallUnknown => "there is no tool '⟦name⟧': search for its exact name",
        Reply::CallUnknownNear => "there is no tool '⟦name⟧'; perhaps ⟦candidates⟧",
        Reply::CallOutOfScope => "'⟦name⟧' is not in this conversation",
        Reply::CallNeedsWindow => "'⟦name⟧' needs the desktop app",
        Reply::CallNothing => "nothing to call",
        Reply::CallsNotJson => "the calls are no JSON: ⟦error⟧",
        Reply::CallsNotAList => "the calls have to be a list with at least one call",
        Reply::CallNotAnObject => "call ⟦position⟧ is no object",
        Reply::CallNoName => "call ⟦position⟧ has no name",
        Reply::CallBridge => "'⟦name⟧' belongs to the bridge itself",
        Reply::ArgumentsNotJson => "the arguments are no JSON: ⟦error⟧",
        Reply::ArgumentsNotAnObject => "the arguments have to be an object",
        Reply::CallsNotAlone => "⟦count⟧ calls at once, and one is allowed: ⟦retry⟧, then the other ⟦rest⟧",
        Reply::ArgumentsMissing => "'⟦name⟧' needs ⟦names⟧; nothing was called",
        Reply::ArgumentsInvalid => "'⟦name⟧' does not take this at ⟦path⟧ (⟦constraint⟧): ⟦detail⟧; nothing was called",
        Reply::ArgumentsHint => "Call again with arguments that match the parameters.",
        Reply::NoConnections => "no accounts are connected in this conversation",
        Reply::Cut => "…",
    }
}

#[cfg(test)]
mod tests {
    use super::{Replies, Reply};

    #[test]
    fn what_is_filled_in_opens_no_gap() {
        let mut replies = Replies::default();
        replies.texts.insert(Reply::CallUnknownNear, "⟦name⟧: ⟦candidates⟧? ⟦name⟧".to_owned());
        let said = replies.say(Reply::CallUnknownNear, &[("name", "⟦candidates⟧"), ("candidates", "b")]);
        assert_eq!(said, "⟦candidates⟧: b? ⟦candidates⟧");
        assert!(!replies.is_own(Reply::CallUnknownNear));
        assert!(replies.is_own(Reply::NoName));
        assert_eq!(replies.say(Reply::DescribeNotDeferrable, &[("name", "x")]), "'x' is not a deferred tool");
    }
}
