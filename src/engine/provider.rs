//! What those who take a tools array refuse.

use super::catalog::Facts;
use super::text::visible;

/// Who reads the array: the protocols nearly every model is reached by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Vendor {
    /// Also of the many servers that speak its protocol.
    OpenAi,
    Anthropic,
    Google,
}

impl Vendor {
    /// The name on the command line and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Google => "google",
        }
    }

    /// Their API in words.
    pub fn title(self) -> &'static str {
        Provider::by(self).title
    }
}

/// What a provider takes, by its own documentation of autumn 2026.
#[derive(Debug)]
pub struct Provider {
    pub vendor: Vendor,
    pub title: &'static str,
    /// Words in a provider's or model's name.
    words: &'static [&'static str],
    max_chars: usize,
    /// Characters beside letters, digits and `_`.
    more: &'static str,
    /// A name begins with a letter or `_`.
    letter_first: bool,
    pub max_tools: Option<u64>,
}

/// The first is what most providers that speak OpenAI's protocol follow.
const PROVIDERS: [Provider; 3] = [
    Provider {
        vendor: Vendor::OpenAi,
        title: "OpenAI's API",
        words: &["openai", "azure", "gpt", "codex"],
        max_chars: 64,
        more: "-",
        letter_first: false,
        max_tools: Some(128),
    },
    Provider {
        vendor: Vendor::Anthropic,
        title: "Anthropic's API",
        words: &["anthropic", "claude"],
        max_chars: 128,
        more: "-",
        letter_first: false,
        max_tools: None,
    },
    Provider {
        vendor: Vendor::Google,
        title: "Google's API",
        words: &["google", "gemini", "vertex"],
        max_chars: 64,
        more: "-.",
        letter_first: true,
        max_tools: Some(128),
    },
];

impl Provider {
    /// The one of a vendor.
    pub fn by(vendor: Vendor) -> &'static Self {
        PROVIDERS.iter().find(|provider| provider.vendor == vendor).unwrap_or(&PROVIDERS[0])
    }

    /// The one of this model; where none is known, the strictest common rule.
    pub fn of(facts: &Facts) -> &'static Self {
        let named = |text: &Option<String>| {
            let text = text.as_deref().unwrap_or_default().to_lowercase();
            PROVIDERS.iter().find(|provider| provider.words.iter().any(|word| text.contains(word)))
        };
        named(&facts.provider).or_else(|| named(&facts.model)).unwrap_or(&PROVIDERS[0])
    }

    /// Why it refuses a name, if it does.
    pub fn refuses(&self, name: &str) -> Option<String> {
        let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || self.more.contains(letter);
        if name.is_empty() {
            return Some("is empty".to_owned());
        }
        if let Some(odd) = name.chars().find(|letter| !fits(*letter)) {
            return Some(format!("has '{}' in it", visible(&odd.to_string())));
        }
        if name.len() > self.max_chars {
            return Some(format!("has {} characters, and {} are taken", name.len(), self.max_chars));
        }
        let first = name.chars().next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
        (self.letter_first && !first).then(|| "does not begin with a letter or '_'".to_owned())
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
