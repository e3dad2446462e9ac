//! How a server is reached, with everything filled in: the one place where its secrets are in the clear.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

use rmcp::model::ClientCapabilities;
use serde_json::json;

use crate::engine::rules::Rules;
use crate::engine::server::Transport;
use crate::engine::text::visible;
use crate::engine::value::Value;

use super::secrets::Secrets;
use super::variables::{Variables, unfilled};

/// Where a version has no other: how long Hermes waits for a server.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(60);

/// The variables a stdio server inherits, besides `XDG_*`.
const INHERITED: [&str; 8] = ["PATH", "HOME", "USER", "LANG", "LC_ALL", "TERM", "SHELL", "TMPDIR"];

/// A server's door.
pub struct Endpoint {
    pub(super) way: Way,
    pub(super) secrets: Secrets,
    /// `auth: oauth`: only Hermes holds the login.
    pub(super) is_oauth: bool,
    pub(super) patience: Duration,
    /// What Hermes would offer this server; some tell more tools to a client that can do more.
    pub(super) capabilities: ClientCapabilities,
    /// What a person should know. Sanitised.
    pub(super) notes: Vec<String>,
}

pub(super) enum Way {
    Stdio(Launch),
    Http(Remote),
    Sse(Remote),
}

/// A process to start.
pub(super) struct Launch {
    pub(super) command: String,
    pub(super) args: Vec<String>,
    pub(super) environment: HashMap<String, String>,
    pub(super) folder: Option<PathBuf>,
}

/// A place to send requests to.
pub(super) struct Remote {
    pub(super) url: reqwest::Url,
    pub(super) headers: reqwest::header::HeaderMap,
    /// `ssl_verify: false`.
    pub(super) any_certificate: bool,
}

impl std::fmt::Debug for Endpoint {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Endpoint").field("secrets", &self.secrets).finish_non_exhaustive()
    }
}

/// Why a server cannot be reached as it stands in the file. Says what and what to do, and nothing secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EndpointError(String);

fn wrong(text: impl Into<String>) -> EndpointError {
    EndpointError(text.into())
}

impl Endpoint {
    /// Reads an entry of `mcp_servers` as the installed Hermes does.
    pub fn read(entry: &Value, variables: &Variables, rules: &Rules) -> Result<Self, EndpointError> {
        if entry.as_map().is_none() {
            return Err(wrong(format!("its entry is {}, not a mapping with \"command\" or \"url\"", entry.kind())));
        }
        let mut secrets = Secrets::default();
        let entry = variables.fill(entry, rules.context_variables, &mut |value| secrets.add(value));
        let mut notes = Vec::new();
        let way = match Transport::of(&entry) {
            Transport::Unknown => return Err(wrong("it has neither \"command\" nor \"url\"")),
            Transport::Stdio => Way::Stdio(launch(&entry, variables, &mut secrets, &mut notes)?),
            Transport::Http => Way::Http(remote(&entry, &mut secrets, &mut notes)?),
            Transport::Sse => Way::Sse(remote(&entry, &mut secrets, &mut notes)?),
        };
        let is_oauth =
            entry.get("auth").and_then(Value::as_str).is_some_and(|auth| auth.trim().eq_ignore_ascii_case("oauth"));
        let patience = seconds(entry.get("connect_timeout")).unwrap_or(CONNECT_TIMEOUT);
        Ok(Self { way, secrets, is_oauth, patience, capabilities: capabilities(&entry, rules), notes })
    }
}

/// Sampling and elicitation, each unless its `enabled` says no, as the MCP library of both versions announces them.
fn capabilities(entry: &Value, rules: &Rules) -> ClientCapabilities {
    let on = |key| entry.get(key).and_then(|section| section.get("enabled")).is_none_or(Value::is_truthy);
    let mut told = serde_json::Map::new();
    if on("sampling") {
        let tools = entry.get("sampling").and_then(|section| section.get("expose_client_tools"));
        let tools = rules.sampling_tools || tools.is_some_and(Value::is_truthy);
        let sampling = if tools { json!({"tools": {}}) } else { json!({}) };
        told.insert("sampling".to_owned(), sampling);
    }
    if on("elicitation") {
        told.insert("elicitation".to_owned(), json!({"form": {}, "url": {}}));
    }
    serde_json::from_value(told.into()).unwrap_or_default()
}

fn seconds(value: Option<&Value>) -> Option<Duration> {
    let (Value::Int(number) | Value::Float(number) | Value::Str(number)) = value? else { return None };
    let seconds: f64 = number.trim().parse().ok()?;
    (seconds.is_finite() && seconds > 0.0).then(|| Duration::from_secs_f64(seconds.min(3600.0)))
}

fn launch(
    entry: &Value,
    variables: &Variables,
    secrets: &mut Secrets,
    notes: &mut Vec<String>,
) -> Result<Launch, EndpointError> {
    let command = match entry.get("command") {
        Some(Value::Str(command)) => command.trim().to_owned(),
        Some(other) => return Err(wrong(format!("\"command\" is {}, not text", other.kind()))),
        None => return Err(wrong("it has no \"command\"")),
    };
    let command = match (command.strip_prefix("~/"), variables.user_home()) {
        (Some(below), Some(home)) => home.join(below).display().to_string(),
        _ => command,
    };
    let args = arguments(entry.get("args"), notes)?;
    let mut before = None;
    for argument in &args {
        secrets.add_argument(before, argument);
        before = Some(argument.as_str());
    }
    let mut environment: HashMap<String, String> = variables
        .environment()
        .filter(|(name, _)| INHERITED.contains(name) || name.starts_with("XDG_"))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    match entry.get("env") {
        None | Some(Value::Null) => {}
        Some(Value::Map(pairs)) => {
            for (name, value) in pairs {
                let value = value.py_str().into_owned();
                secrets.add(&value);
                environment.insert(name.py_str().into_owned(), value);
            }
        }
        Some(other) => return Err(wrong(format!("\"env\" is {}, not a mapping of names to texts", other.kind()))),
    }
    let folder = match entry.get("cwd") {
        Some(Value::Str(folder)) if !folder.is_empty() => {
            Some(match (folder.strip_prefix("~/"), variables.user_home()) {
                (Some(below), Some(home)) => home.join(below),
                _ => PathBuf::from(folder),
            })
        }
        _ => None,
    };
    let has_nul = |text: &str| text.contains('\0');
    if has_nul(&command)
        || args.iter().any(|argument| has_nul(argument))
        || environment
            .iter()
            .any(|(name, value)| name.is_empty() || name.contains('=') || has_nul(name) || has_nul(value))
    {
        return Err(wrong(
            "its command, arguments or environment hold what no process can be given (a NUL byte or an unusable name)",
        ));
    }
    Ok(Launch { command, args, environment, folder })
}

fn arguments(args: Option<&Value>, notes: &mut Vec<String>) -> Result<Vec<String>, EndpointError> {
    match args {
        None => Ok(Vec::new()),
        Some(Value::Null) => {
            notes.push("\"args\" is empty: 0.19 fails to start such a server".to_owned());
            Ok(Vec::new())
        }
        Some(Value::Seq(items)) => Ok(items.iter().map(|item| item.py_str().into_owned()).collect()),
        Some(Value::Str(_)) => {
            Err(wrong("\"args\" is text where a list is expected; write one item for each argument"))
        }
        Some(other) => Err(wrong(format!("\"args\" is {}, not a list", other.kind()))),
    }
}

fn remote(entry: &Value, secrets: &mut Secrets, notes: &mut Vec<String>) -> Result<Remote, EndpointError> {
    let Some(Value::Str(text)) = entry.get("url") else {
        return Err(wrong("\"url\" is not text"));
    };
    let text = text.trim();
    if let Some((_, address)) = text.split_once("://") {
        secrets.add_address(address);
    }
    let unset = |text: &str| {
        let name = unfilled(text).next()?;
        Some(wrong(format!("${{{}}} is not set, neither in the environment nor in the home's .env", visible(name))))
    };
    if let Some(error) = unset(text) {
        return Err(error);
    }
    let url = reqwest::Url::parse(text).map_err(|_| wrong("\"url\" is no address"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(wrong("\"url\" is no http or https address"));
    }
    let mut headers = reqwest::header::HeaderMap::new();
    match entry.get("headers") {
        None | Some(Value::Null) => {}
        Some(Value::Map(pairs)) => {
            for (name, value) in pairs {
                let (name, value) = (name.py_str(), value.py_str());
                secrets.add(&value);
                if let Some(error) = unset(&value) {
                    return Err(error);
                }
                let shown = visible(&name).into_owned();
                let name = reqwest::header::HeaderName::from_bytes(name.as_bytes())
                    .map_err(|_| wrong(format!("'{shown}' is no name of a header")))?;
                if value.trim() != value {
                    notes.push(format!("the header '{shown}' has blanks around its value"));
                }
                let mut value = reqwest::header::HeaderValue::from_str(&value)
                    .map_err(|_| wrong(format!("the header '{shown}' has a value that cannot be sent")))?;
                value.set_sensitive(true);
                headers.append(name, value);
            }
        }
        Some(Value::Str(_)) => {
            return Err(wrong("\"headers\" is text where a mapping is expected; write one line for each header"));
        }
        Some(other) => return Err(wrong(format!("\"headers\" is {}, not a mapping", other.kind()))),
    }
    let any_certificate = entry.get("ssl_verify") == Some(&Value::Bool(false));
    if entry.get("client_cert").is_some_and(Value::is_truthy) {
        notes.push("its client certificate is not presented".to_owned());
    }
    Ok(Remote { url, headers, any_certificate })
}

#[cfg(test)]
mod tests;
