//! What must never come back out: values a server was given to reach something else.

use crate::engine::text::visible;

/// In place of a secret.
const HIDDEN: &str = "***";

/// Shorter values are words that stand in many texts, and no secrets.
const SHORTEST: usize = 4;

/// Values of one server's `env`, headers, address and arguments that may not be shown.
#[derive(Clone, Default)]
pub(super) struct Secrets(Vec<String>);

impl std::fmt::Debug for Secrets {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Secrets({})", self.0.len())
    }
}

impl Secrets {
    pub(super) fn add(&mut self, value: &str) {
        for value in [value, value.trim()] {
            if value.len() >= SHORTEST && !self.0.iter().any(|known| known == value) {
                self.0.push(value.to_owned());
            }
        }
        // Of `Bearer x` the second word is the secret.
        if let Some((scheme, token)) = value.trim().split_once(' ')
            && scheme.chars().all(|letter| letter.is_ascii_alphabetic())
            && token.len() >= SHORTEST
        {
            self.add(token.trim());
        }
    }

    /// An argument, where it looks like a secret: it follows or belongs to an option that names one, or it is long and
    /// neither a word nor a path.
    pub(super) fn add_argument(&mut self, before: Option<&str>, argument: &str) {
        let named = |option: &str| {
            let option = option.to_ascii_lowercase();
            option.starts_with('-')
                && ["key", "token", "secret", "pass", "auth", "cred", "header", "dsn"]
                    .iter()
                    .any(|word| option.contains(word))
        };
        match argument.split_once('=') {
            Some((option, value)) if named(option) || is_random(value) => self.add(value),
            _ if before.is_some_and(named) || is_random(argument) => self.add(argument),
            _ => {}
        }
        // An address can hold a password or a key.
        if let Some((_, address)) = argument.split_once("://") {
            self.add_address(address);
        }
    }

    /// What follows `://`: user and password, and the values of its query.
    pub(super) fn add_address(&mut self, address: &str) {
        let (place, query) = address.split_once('?').unwrap_or((address, ""));
        if let Some((user, _)) = place.split('/').next().and_then(|host| host.rsplit_once('@')) {
            self.add(user);
            user.split(':').for_each(|part| self.add(part));
        }
        for pair in query.split(['&', '#']) {
            let value = pair.split_once('=').map_or(pair, |(_, value)| value);
            self.add(value);
        }
        place.split('/').filter(|part| is_random(part)).for_each(|part| self.add(part));
    }

    /// A foreign text that may be shown: sanitised, and without any of the secrets, in plain or as JSON spells them.
    pub(super) fn cleared(&self, text: &str) -> String {
        visible(&self.hidden(text)).into_owned()
    }

    /// The text without the secrets; else as it is.
    pub(super) fn hidden(&self, text: &str) -> String {
        let mut out = text.to_owned();
        // Longest first: a secret can hold another.
        let mut secrets: Vec<&String> = self.0.iter().collect();
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        for secret in secrets {
            if out.contains(secret.as_str()) {
                out = out.replace(secret.as_str(), HIDDEN);
            }
            let spelled = serde_json::to_string(secret).unwrap_or_default();
            let spelled = spelled.trim_matches('"');
            if spelled != secret && out.contains(spelled) {
                out = out.replace(spelled, HIDDEN);
            }
        }
        out
    }
}

/// Long, of letters and digits, and neither a path nor a name with dots: nobody's word.
fn is_random(text: &str) -> bool {
    text.len() >= 16
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && text.bytes().any(|byte| byte.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_+=:~".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(list: &[&str]) -> Secrets {
        let mut secrets = Secrets::default();
        let mut before = None;
        for argument in list {
            secrets.add_argument(before, argument);
            before = Some(*argument);
        }
        secrets
    }

    #[test]
    fn arguments_that_look_like_secrets_are_hidden_and_others_stay() {
        let secrets = arguments(&[
            "-y",
            "@scope/server-everything",
            "/home/demo/projects2",
            "--api-key",
            "short1",
            "--token=t0ken",
            "sk-abcdef0123456789",
            "postgres://ann:pa55word@db.invalid/x",
        ]);
        let text = secrets
            .cleared("-y @scope/server-everything /home/demo/projects2 short1 t0ken sk-abcdef0123456789 ann pa55word");
        assert_eq!(text, "-y @scope/server-everything /home/demo/projects2 *** *** *** ann ***");
    }

    #[test]
    fn a_bearer_token_is_hidden_with_and_without_its_scheme() {
        let mut secrets = Secrets::default();
        secrets.add("Bearer abcdef");
        assert_eq!(secrets.cleared("got Bearer abcdef, wanted abcdeg; abcdef"), "got ***, wanted abcdeg; ***");
    }

    #[test]
    fn queries_and_spelled_secrets_are_hidden() {
        let mut secrets = Secrets::default();
        secrets.add_address("h.invalid/mcp?apikey=k3yk3y&x=1#frag");
        secrets.add("a\"b\\cd");
        assert_eq!(secrets.hidden(r#"{"k":"a\"b\\cd"} k3yk3y"#), r#"{"k":"***"} ***"#);
        assert!(!format!("{secrets:?}").contains("k3y"));
    }

    #[test]
    fn what_is_left_cannot_move_the_cursor() {
        assert!(!Secrets::default().cleared("\u{1b}[2Jx\u{202e}").contains(['\u{1b}', '\u{202e}']));
    }
}
