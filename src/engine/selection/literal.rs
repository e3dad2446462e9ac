//! Lists written as text: the grammar of Python's `ast.literal_eval`, which Hermes 0.22 uses for
//! `platform_toolsets.cli: '["web", "file"]'` and for `agent.disabled_toolsets`.
//!
//! Only what can be an item of such a list is read, each item as the text Python's `str` gives it. What Python would
//! refuse is `None`; so is what no config holds: sets with several members, integers past 128 bits.

/// How deep brackets may nest. Python's own limit is higher; no config comes near either.
const MAX_DEPTH: usize = 64;

/// The items of a list literal as text, or `None` where Python reads no list.
pub(crate) fn list_items(text: &str) -> Option<Vec<String>> {
    let mut reader = Reader { rest: trim(text), depth: 0 };
    if !reader.rest.starts_with('[') {
        return None;
    }
    let list = reader.value()?;
    reader.space();
    match list {
        Literal::List(items) if reader.rest.is_empty() => Some(items.iter().map(Literal::py_str).collect()),
        _ => None,
    }
}

/// `str.strip()`: Python also counts the four ASCII separators as white space.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(|sign: char| sign.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&sign))
}

enum Literal {
    Str(String),
    /// Whatever prints the same by `str` and `repr`.
    Plain(String),
    List(Vec<Self>),
    Tuple(Vec<Self>),
    Set(Vec<Self>),
    Dict(Vec<(Self, Self)>),
}

impl Literal {
    fn py_str(&self) -> String {
        match self {
            Self::Str(text) => text.clone(),
            other => other.repr(),
        }
    }

    fn repr(&self) -> String {
        let join = |items: &[Self]| items.iter().map(Self::repr).collect::<Vec<_>>().join(", ");
        match self {
            Self::Str(text) => repr_str(text),
            Self::Plain(text) => text.clone(),
            Self::List(items) => format!("[{}]", join(items)),
            Self::Tuple(items) if items.len() == 1 => format!("({},)", join(items)),
            Self::Tuple(items) => format!("({})", join(items)),
            Self::Set(items) => format!("{{{}}}", join(items)),
            Self::Dict(entries) => {
                let entries: Vec<_> =
                    entries.iter().map(|(key, value)| format!("{}: {}", key.repr(), value.repr())).collect();
                format!("{{{}}}", entries.join(", "))
            }
        }
    }
}

fn repr_str(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for sign in text.chars() {
        match sign {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if sign == quote => {
                out.push('\\');
                out.push(sign);
            }
            _ if (sign as u32) < 0x20 || sign as u32 == 0x7f => out.push_str(&format!("\\x{:02x}", sign as u32)),
            _ => out.push(sign),
        }
    }
    out.push(quote);
    out
}

/// An unsigned number of the text.
enum Number {
    /// As Python prints it.
    Real(String),
    /// What stands before the `j`.
    Imaginary(f64),
}

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl Reader<'_> {
    /// White space, line ends and comments: all mean nothing inside brackets.
    fn space(&mut self) {
        loop {
            self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r', '\u{c}']);
            match self.rest.strip_prefix('#') {
                Some(comment) => self.rest = comment.find('\n').map_or("", |end| &comment[end..]),
                None => return,
            }
        }
    }

    fn take(&mut self, token: &str) -> bool {
        self.space();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn value(&mut self) -> Option<Literal> {
        self.space();
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let value = match self.rest.chars().next()? {
            '[' => {
                self.take("[");
                Literal::List(self.items("]")?.0)
            }
            '(' => {
                self.take("(");
                let (mut items, comma) = self.items(")")?;
                // A bracket around one value is only a bracket.
                if items.len() == 1 && !comma { items.remove(0) } else { Literal::Tuple(items) }
            }
            '{' => {
                self.take("{");
                self.braced()?
            }
            '+' | '-' | '.' | '0'..='9' => self.number_or_dots()?,
            _ => self.word_or_text()?,
        };
        self.depth -= 1;
        Some(value)
    }

    /// Comma-separated values up to the closing token, and whether a comma came last.
    fn items(&mut self, close: &str) -> Option<(Vec<Literal>, bool)> {
        let mut items = Vec::new();
        let mut comma = false;
        while !self.take(close) {
            if !items.is_empty() && !comma {
                return None;
            }
            items.push(self.value()?);
            comma = self.take(",");
        }
        Some((items, comma))
    }

    fn braced(&mut self) -> Option<Literal> {
        if self.take("}") {
            return Some(Literal::Dict(Vec::new()));
        }
        let first = self.value()?;
        if !self.take(":") {
            self.take(",");
            return self.take("}").then(|| Literal::Set(vec![first]));
        }
        let mut entries = vec![(first, self.value()?)];
        loop {
            let comma = self.take(",");
            if self.take("}") {
                return Some(Literal::Dict(entries));
            }
            if !comma {
                return None;
            }
            let key = self.value()?;
            if !self.take(":") {
                return None;
            }
            let value = self.value()?;
            match entries.iter_mut().find(|(known, _)| known.repr() == key.repr()) {
                Some(entry) => entry.1 = value,
                None => entries.push((key, value)),
            }
        }
    }

    fn number_or_dots(&mut self) -> Option<Literal> {
        if self.take("...") {
            return Some(Literal::Plain("Ellipsis".into()));
        }
        let minus = self.sign().is_some_and(|sign| sign == '-');
        let printed = match self.number()? {
            Number::Imaginary(value) => {
                return Some(Literal::Plain(if minus { complex_repr(-0.0, -value) } else { complex_repr(0.0, value) }));
            }
            Number::Real(printed) if minus && printed != "0" => format!("-{printed}"),
            Number::Real(printed) => printed,
        };
        // The only sum there is: a real number and an imaginary one make a complex one.
        self.space();
        let Some(sign) = self.sign() else { return Some(Literal::Plain(printed)) };
        let Number::Imaginary(value) = self.number()? else { return None };
        let real: f64 = printed.parse().ok().filter(|real: &f64| real.is_finite())?;
        let (real, imaginary) = if sign == '-' { (real - 0.0, 0.0 - value) } else { (real + 0.0, 0.0 + value) };
        Some(Literal::Plain(complex_repr(real, imaginary)))
    }

    fn sign(&mut self) -> Option<char> {
        let sign = self.rest.chars().next().filter(|sign| matches!(sign, '+' | '-'))?;
        self.rest = &self.rest[1..];
        self.space();
        Some(sign)
    }

    fn number(&mut self) -> Option<Number> {
        let len = number_len(self.rest);
        let (token, rest) = self.rest.split_at(len);
        self.rest = rest;
        match token.strip_suffix(['j', 'J']) {
            Some(digits) => imaginary(digits).map(Number::Imaginary),
            None => number(token).map(Number::Real),
        }
    }

    fn word_or_text(&mut self) -> Option<Literal> {
        let len = self.rest.find(|sign: char| !sign.is_alphanumeric() && sign != '_').unwrap_or(self.rest.len());
        let word = &self.rest[..len];
        if self.rest[len..].starts_with(['"', '\'']) {
            return self.text();
        }
        let printed = match word {
            "None" | "True" | "False" => word.to_owned(),
            _ => return None,
        };
        self.rest = &self.rest[len..];
        Some(Literal::Plain(printed))
    }

    /// One or more adjacent string literals, joined. Bytes print as their `repr`.
    fn text(&mut self) -> Option<Literal> {
        let mut joined = String::new();
        let mut bytes = None;
        loop {
            self.space();
            let quote_at = self.rest.find(['"', '\''])?;
            let prefix = self.rest[..quote_at].to_lowercase();
            let is_bytes = prefix.contains('b');
            if !matches!(prefix.as_str(), "" | "r" | "u" | "b" | "br" | "rb")
                || bytes.is_some_and(|was| was != is_bytes)
            {
                return None;
            }
            bytes = Some(is_bytes);
            self.rest = &self.rest[quote_at..];
            self.one_text(&mut joined, prefix.contains('r'), is_bytes)?;
            self.space();
            let next = self.rest.trim_start_matches(|sign: char| sign.is_ascii_alphabetic());
            if !next.starts_with(['"', '\'']) || self.rest.len() - next.len() > 2 {
                break;
            }
        }
        Some(if bytes == Some(true) { Literal::Plain(format!("b{}", repr_str(&joined))) } else { Literal::Str(joined) })
    }

    fn one_text(&mut self, out: &mut String, raw: bool, bytes: bool) -> Option<()> {
        let quote = self.rest.chars().next()?;
        let triple: String = std::iter::repeat_n(quote, 3).collect();
        let close = if self.rest.starts_with(&triple) { triple } else { quote.to_string() };
        let multiline = close.len() == 3;
        self.rest = &self.rest[close.len()..];
        loop {
            if let Some(rest) = self.rest.strip_prefix(close.as_str()) {
                self.rest = rest;
                return Some(());
            }
            let sign = self.next()?;
            match sign {
                '\n' if !multiline => return None,
                '\\' if raw => {
                    out.push('\\');
                    out.push(self.next()?);
                }
                '\\' => self.escape(out, bytes)?,
                _ if bytes && !sign.is_ascii() => return None,
                _ => out.push(sign),
            }
        }
    }

    fn next(&mut self) -> Option<char> {
        let sign = self.rest.chars().next()?;
        self.rest = &self.rest[sign.len_utf8()..];
        Some(sign)
    }

    fn escape(&mut self, out: &mut String, bytes: bool) -> Option<()> {
        let sign = self.next()?;
        match sign {
            '\n' => {}
            '\\' | '\'' | '"' => out.push(sign),
            'a' => out.push('\u{7}'),
            'b' => out.push('\u{8}'),
            'f' => out.push('\u{c}'),
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            'v' => out.push('\u{b}'),
            '0'..='7' => {
                let more = self.rest.bytes().take(2).take_while(|digit| (b'0'..=b'7').contains(digit)).count();
                let digits = format!("{sign}{}", &self.rest[..more]);
                self.rest = &self.rest[more..];
                out.push(char::from_u32(u32::from_str_radix(&digits, 8).ok()?)?);
            }
            'x' => self.hex(out, 2)?,
            'u' if !bytes => self.hex(out, 4)?,
            'U' if !bytes => self.hex(out, 8)?,
            // A name of the Unicode database.
            'N' if !bytes => return None,
            // Python keeps the backslash of an escape it does not know.
            _ => {
                out.push('\\');
                out.push(sign);
            }
        }
        Some(())
    }

    fn hex(&mut self, out: &mut String, len: usize) -> Option<()> {
        let digits = self.rest.get(..len).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
        out.push(char::from_u32(u32::from_str_radix(digits, 16).ok()?)?);
        self.rest = &self.rest[len..];
        Some(())
    }
}

/// How far a number token reaches, an exponent's sign included.
fn number_len(text: &str) -> usize {
    let mut len = 0;
    let mut previous = ' ';
    let hexadecimal = text.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("0x"));
    for sign in text.chars() {
        let exponent_sign = matches!(sign, '+' | '-') && matches!(previous, 'e' | 'E') && !hexadecimal;
        if !(sign.is_ascii_alphanumeric() || sign == '_' || sign == '.' || exponent_sign) {
            break;
        }
        previous = sign;
        len += 1;
    }
    len
}

/// Digits before a `j`: a decimal number, which may start with zeros.
fn imaginary(digits: &str) -> Option<f64> {
    let badly_grouped = digits.starts_with('_') || digits.ends_with('_') || digits.contains("__");
    let plain = digits.replace('_', "").to_ascii_lowercase();
    let starts = plain.starts_with(|sign: char| sign.is_ascii_digit() || sign == '.');
    let known = plain.bytes().all(|sign| sign.is_ascii_digit() || matches!(sign, b'.' | b'e' | b'+' | b'-'));
    if badly_grouped || !starts || !known { None } else { plain.parse().ok() }
}

/// Python's `repr` of a complex number.
fn complex_repr(real: f64, imaginary: f64) -> String {
    let part = |value: f64| {
        let text = float_repr(value);
        text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
    };
    if real == 0.0 && real.is_sign_positive() {
        return format!("{}j", part(imaginary));
    }
    let plus = if imaginary.is_sign_negative() { "" } else { "+" };
    format!("({}{plus}{}j)", part(real), part(imaginary))
}

/// An unsigned number token as Python prints its value.
fn number(token: &str) -> Option<String> {
    let badly_grouped = token.starts_with('_') || token.ends_with('_') || token.contains("__");
    if badly_grouped || !token.starts_with(|sign: char| sign.is_ascii_digit() || sign == '.') {
        return None;
    }
    let lower = token.to_ascii_lowercase();
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = lower.strip_prefix(prefix) {
            return u128::from_str_radix(&digits.replace('_', ""), radix).ok().map(|value| value.to_string());
        }
    }
    let plain = lower.replace('_', "");
    if plain.bytes().all(|digit| digit.is_ascii_digit()) {
        let trimmed = plain.trim_start_matches('0');
        // `007` is no Python number, `000` is.
        return match trimmed {
            "" => Some("0".into()),
            _ if trimmed.len() == plain.len() => Some(plain),
            _ => None,
        };
    }
    let looks_like_float = plain.bytes().all(|sign| sign.is_ascii_digit() || matches!(sign, b'.' | b'e' | b'+' | b'-'));
    if !looks_like_float {
        return None;
    }
    plain.parse::<f64>().ok().map(float_repr)
}

/// Python's `repr` of a positive float: shortest digits, exponent form outside 1e-4..1e16.
fn float_repr(value: f64) -> String {
    if value.is_infinite() {
        return "inf".into();
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..16).contains(&exponent) {
        let fixed = value.to_string();
        if fixed.contains('.') { fixed } else { format!("{fixed}.0") }
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{digits}e{sign}{:02}", exponent.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::list_items;

    /// Every right side was printed by Python 3.11's `ast.literal_eval`.
    #[test]
    fn lists_read_as_python_reads_them() {
        for (text, items) in [
            (r#"["web", "file"]"#, vec!["web", "file"]),
            ("['web',]", vec!["web"]),
            (" [ 'web' ]\n", vec!["web"]),
            ("[]", vec![]),
            ("[\n  'a', # first\n  'b'\n]", vec!["a", "b"]),
            ("['a' \"b\"]", vec!["ab"]),
            (
                "[1, -2, 0x1F, 1_000, 007.5, 1e3, 1e20, .5]",
                vec!["1", "-2", "31", "1000", "7.5", "1000.0", "1e+20", "0.5"],
            ),
            (
                "[1+2j, -1.5 - 2J, 3j, -3j, 1e20+0.5j, 1-0j, -0.0+2j]",
                vec!["(1+2j)", "(-1.5-2j)", "3j", "(-0-3j)", "(1e+20+0.5j)", "(1+0j)", "2j"],
            ),
            ("[None, True, ...]", vec!["None", "True", "Ellipsis"]),
            ("[['a'], ('b',), (1), {'k': 'v'}, {2}]", vec!["['a']", "('b',)", "1", "{'k': 'v'}", "{2}"]),
            (r"['\x41\u00e9\n', r'\d', b'x']", vec!["Aé\n", "\\d", "b'x'"]),
            ("['''a\nb''']", vec!["a\nb"]),
            ("['a'] # done", vec!["a"]),
        ] {
            assert_eq!(
                list_items(text).as_deref(),
                Some(items.as_slice())
                    .map(|items| { items.iter().map(|item| (*item).to_owned()).collect::<Vec<_>>() })
                    .as_deref(),
                "{text}"
            );
        }
    }

    #[test]
    fn what_python_refuses_is_no_list() {
        for text in [
            "[web, file]",
            "[true]",
            "web",
            "",
            "['a'",
            "['a'] ['b']",
            "['a'], ['b']",
            "['a'; 'b']",
            "[007]",
            "['a' b'b']",
            "[,]",
            "['a',,]",
            "['a\nb']",
            "[f'a']",
            "[1__0]",
            "[1+2]",
            "[1j+2j]",
            "[1+2j+3j]",
            "[1+-2j]",
            "[0x1j]",
            r"['\xZZ']",
            "('a', 'b')",
        ] {
            assert_eq!(list_items(text), None, "{text}");
        }
        assert_eq!(list_items(&"[".repeat(10_000)), None);
    }
}
