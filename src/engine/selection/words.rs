//! Reasons as a person reads them: one short clause, names sanitised. The same on screen, on stdout and in JSON.

use std::fmt;

use super::Reason;
use crate::engine::ids::PlatformKey;
use crate::engine::text::visible;

impl Reason {
    /// The rule's name in JSON: the serialised tag.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::Listed => "listed",
            Self::Inherited { .. } => "inherited",
            Self::XaiCredentials => "xai-credentials",
            Self::PluginNotYetKnown => "plugin-not-yet-known",
            Self::ContextEngine => "context-engine",
            Self::RecoveredNative => "recovered-native",
            Self::RootToolsets => "root-toolsets",
            Self::RecentlyShipped => "recently-shipped",
            Self::PassedThrough { .. } => "passed-through",
            Self::NoServerListed => "no-server-listed",
            Self::ServerListed => "server-listed",
            Self::NotListed => "not-listed",
            Self::NotInDefault => "not-in-default",
            Self::DefaultOff => "default-off",
            Self::RestrictedTo { .. } => "restricted-to",
            Self::PluginDeclined => "plugin-declined",
            Self::Denied => "denied",
            Self::DeniedThrough { .. } => "denied-through",
            Self::NoMcp => "no-mcp",
            Self::OtherServersListed => "other-servers-listed",
            Self::ServerDisabled => "server-disabled",
            Self::ServerMalformed { .. } => "server-malformed",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listed => out.write_str("listed"),
            Self::Inherited { bundle, default: true } => {
                write!(out, "default of this platform ({})", visible(bundle.as_str()))
            }
            Self::Inherited { bundle, default: false } => write!(out, "part of {}", visible(bundle.as_str())),
            Self::XaiCredentials => out.write_str("xAI credentials are there"),
            Self::PluginNotYetKnown => out.write_str("a plugin's, and never declined here"),
            Self::ContextEngine => out.write_str("context.engine names an engine"),
            Self::RecoveredNative => out.write_str("comes with this platform"),
            Self::RootToolsets => out.write_str("root toolsets: names it"),
            Self::RecentlyShipped => out.write_str("new, and never declined here"),
            Self::PassedThrough { nearest: Some(nearest) } => {
                write!(out, "listed, but no toolset is called that; nearest: {}", visible(nearest))
            }
            Self::PassedThrough { nearest: None } => out.write_str("listed, but no toolset is called that"),
            Self::NoServerListed => out.write_str("no server is listed, so every enabled one counts"),
            Self::ServerListed => out.write_str("this server is listed"),
            Self::NotListed => out.write_str("not listed"),
            Self::NotInDefault => out.write_str("not in this platform's default"),
            Self::DefaultOff => out.write_str("off unless chosen"),
            Self::RestrictedTo { platforms } => {
                let names: Vec<_> = platforms.iter().map(PlatformKey::as_str).map(visible).collect();
                write!(out, "only for {}", names.join(", "))
            }
            Self::PluginDeclined => out.write_str("a plugin's, declined here"),
            Self::Denied => out.write_str("denied by agent.disabled_toolsets"),
            Self::DeniedThrough { entry } => {
                write!(out, "every tool is stripped by {} in agent.disabled_toolsets", visible(entry))
            }
            Self::NoMcp => out.write_str("no_mcp is listed"),
            Self::OtherServersListed => out.write_str("other servers are listed, this one is not"),
            Self::ServerDisabled => out.write_str("enabled is false in mcp_servers"),
            Self::ServerMalformed { kind } => write!(out, "malformed: {kind} where a mapping is expected"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_called_in_words_as_its_serialised_tag_is() {
        let reasons = [
            Reason::Listed,
            Reason::Inherited { bundle: "hermes-cli".into(), default: true },
            Reason::XaiCredentials,
            Reason::PluginNotYetKnown,
            Reason::ContextEngine,
            Reason::RecoveredNative,
            Reason::RootToolsets,
            Reason::RecentlyShipped,
            Reason::PassedThrough { nearest: None },
            Reason::NoServerListed,
            Reason::ServerListed,
            Reason::NotListed,
            Reason::NotInDefault,
            Reason::DefaultOff,
            Reason::RestrictedTo { platforms: vec!["discord".into()] },
            Reason::PluginDeclined,
            Reason::Denied,
            Reason::DeniedThrough { entry: "coding".into() },
            Reason::NoMcp,
            Reason::OtherServersListed,
            Reason::ServerDisabled,
            Reason::ServerMalformed { kind: "text".into() },
        ];
        for reason in reasons {
            let json = serde_json::to_value(&reason).unwrap();
            assert_eq!(json["rule"], reason.rule(), "{reason:?}");
            assert!(!reason.to_string().is_empty());
        }
    }
}
