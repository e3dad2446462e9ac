//! The model of a config: its size, where its name tells, and whether it runs on this machine.

use crate::engine::catalog::Facts;
use crate::engine::value::Value;

/// What is known of the model without asking anybody.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Foreign; empty where none is configured.
    pub name: String,
    /// Parameters in billions, as the name says.
    pub billions: Option<f64>,
    /// Served from this machine.
    pub local: bool,
}

/// Providers that serve from one's own machine.
const LOCAL_PROVIDERS: [&str; 7] = ["ollama", "lmstudio", "lm-studio", "llamacpp", "llama.cpp", "vllm", "mlx"];

impl Model {
    pub fn read(config: &Value, facts: &Facts) -> Self {
        let name = facts.model.clone().unwrap_or_default();
        let provider = facts.provider.as_deref().unwrap_or_default().to_lowercase();
        let local = LOCAL_PROVIDERS.contains(&provider.as_str())
            || config.at(&["model", "base_url"]).and_then(Value::as_str).is_some_and(is_loopback);
        Self { billions: billions(&name), local, name }
    }
}

/// The size a model's name tells: `qwen2.5-coder:7b`, `llama-3.3-70B-instruct`, `mixtral-8x7b` (all its experts).
fn billions(name: &str) -> Option<f64> {
    let name = name.to_lowercase();
    name.split(['-', ':', '/', '_', ' ', '@']).find_map(|word| {
        let number = word.strip_suffix('b')?;
        let (experts, each) = number.split_once('x').unwrap_or(("1", number));
        let digits = |text: &str| text.starts_with(|first: char| first.is_ascii_digit());
        (digits(experts) && digits(each)).then_some(())?;
        let size = experts.parse::<f64>().ok()? * each.parse::<f64>().ok()?;
        (size > 0.0 && size < 100_000.0).then_some(size)
    })
}

/// Whether a URL's host is this machine.
fn is_loopback(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = host
        .strip_prefix('[')
        .map_or_else(|| host.split(':').next().unwrap_or_default(), |host| host.split(']').next().unwrap_or_default());
    matches!(host, "localhost" | "::1" | "0.0.0.0") || host.starts_with("127.")
}

#[cfg(test)]
mod tests {
    use super::{billions, is_loopback};

    #[test]
    fn sizes_are_read_from_names() {
        for (name, size) in [
            ("qwen2.5-coder:7b", Some(7.0)),
            ("meta-llama/Llama-3.3-70B-Instruct", Some(70.0)),
            ("mixtral-8x7b", Some(56.0)),
            ("phi-3.8b", Some(3.8)),
            ("gpt-4o", None),
            ("web-b", None),
            ("inf-b", None),
            ("", None),
        ] {
            assert_eq!(billions(name), size, "{name}");
        }
    }

    #[test]
    fn only_this_machine_is_local() {
        for url in ["http://localhost:11434/v1", "http://127.0.0.1/v1", "http://[::1]:8080", "http://u:p@127.0.0.2:1/x"]
        {
            assert!(is_loopback(url), "{url}");
        }
        for url in
            ["https://api.example.com", "https://localhost.example.com", "http://10.0.0.2", "https://x/?localhost"]
        {
            assert!(!is_loopback(url), "{url}");
        }
    }
}
