//! JSON text exactly as Python's `json.dumps(json.loads(text), ensure_ascii=False)` prints it.
//!
//! Bytes are what we measure, so nothing goes through a value type: numbers keep Python's spelling (`1e-07`, integers
//! of any length, `-0` as `0`), keys keep their order, a repeated key keeps its first place with its last value.
//! Checked against CPython 3.11 by `tests/data/pyjson/table.json`.

/// Levels of nesting we follow. Python stops near a thousand too, depending on who calls it.
pub const MAX_DEPTH: usize = 1000;

/// Digits of an integer Python converts before it refuses (`sys.get_int_max_str_digits`).
const MAX_INT_DIGITS: usize = 4300;

/// Why a text is no JSON Python would load and print.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not JSON at byte {at}: {message}")]
pub struct JsonError {
    pub at: usize,
    pub message: &'static str,
}

/// Rewrites JSON text with Python's default separators (`", "`, `": "`), floats and escapes.
///
/// # Errors
/// Where `json.loads` would raise, and for a lone surrogate, which no UTF-8 can hold.
pub fn python_text(json: &str) -> Result<String, JsonError> {
    Transcoder::new(json, ", ", ": ").run()
}

/// The same with compact separators (`,` and `:`): what estimates and tokenizers count.
///
/// # Errors
/// As [`python_text`].
pub fn compact_text(json: &str) -> Result<String, JsonError> {
    Transcoder::new(json, ",", ":").run()
}

/// The text over several lines, two blanks a level, for people. Takes valid JSON; nothing but blanks changes.
pub fn indented(json: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut level = 0_usize;
    let mut in_string = false;
    let mut escaped = false;
    let mut characters = json.chars().peekable();
    while let Some(character) = characters.next() {
        if in_string {
            push(&mut lines, character);
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
            continue;
        }
        match character {
            '"' => {
                in_string = true;
                push(&mut lines, character);
            }
            '{' | '[' => {
                push(&mut lines, character);
                while characters.peek().is_some_and(|next| next.is_ascii_whitespace()) {
                    characters.next();
                }
                // An empty one stays on its line.
                if let Some(close) = characters.next_if(|next| matches!(next, '}' | ']')) {
                    push(&mut lines, close);
                } else {
                    level += 1;
                    lines.push("  ".repeat(level));
                }
            }
            '}' | ']' => {
                level = level.saturating_sub(1);
                lines.push("  ".repeat(level));
                push(&mut lines, character);
            }
            ',' => {
                push(&mut lines, character);
                lines.push("  ".repeat(level));
            }
            ':' => {
                push(&mut lines, character);
                push(&mut lines, ' ');
            }
            blank if blank.is_ascii_whitespace() => {}
            other => push(&mut lines, other),
        }
    }
    lines
}

fn push(lines: &mut [String], character: char) {
    if let Some(last) = lines.last_mut() {
        last.push(character);
    }
}

/// Whether valid JSON is surely spelled as [`python_text`] would spell it. False means only that it has to be asked.
pub fn is_python_text(json: &str) -> bool {
    let bytes = json.as_bytes();
    // Keys of the open objects, and where those of each open bracket begin.
    let mut keys: Vec<&[u8]> = Vec::new();
    let mut open: Vec<(bool, usize)> = Vec::new();
    let mut at = 0;
    // The place of a text directly after `{`, or after a comma inside one, is a key's.
    let mut key_next = false;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let Some(end) = plain_string_end(bytes, at + 1) else { return false };
                if key_next {
                    let key = &bytes[at..end];
                    let first = open.last().map_or(0, |(_, first)| *first);
                    // Python keeps one of two equal keys. An object with very many is left to the slow way.
                    if keys[first..].contains(&key) || keys.len() - first >= 64 || !bytes[end..].starts_with(b": ") {
                        return false;
                    }
                    keys.push(key);
                    key_next = false;
                    at = end + 2;
                    continue;
                }
                at = end;
                continue;
            }
            b'{' | b'[' => {
                let object = *byte == b'{';
                open.push((object, keys.len()));
                key_next = object;
            }
            b'}' | b']' => {
                if let Some((_, first)) = open.pop() {
                    keys.truncate(first);
                }
                key_next = false;
            }
            b',' => {
                if bytes.get(at + 1) != Some(&b' ') {
                    return false;
                }
                key_next = open.last().is_some_and(|(object, _)| *object);
                at += 2;
                continue;
            }
            // Floats, exponents and `-0` have a spelling of their own; words and plain integers have one only.
            b'-' | b'.' | b'E' | b' ' | b'\t' | b'\n' | b'\r' => return false,
            b'e' if bytes.get(at.wrapping_sub(1)).is_some_and(u8::is_ascii_digit) => return false,
            _ => {}
        }
        at += 1;
    }
    true
}

/// The end of a text whose escapes are all Python's own; `at` is after its opening quote.
fn plain_string_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += bytes[at..].iter().position(|byte| matches!(byte, b'"' | b'\\'))?;
        if bytes[at] == b'"' {
            return Some(at + 1);
        }
        if !matches!(bytes.get(at + 1), Some(b'"' | b'\\' | b'n' | b'r' | b't' | b'b' | b'f')) {
            return None;
        }
        at += 2;
    }
}

/// Characters of the compact form of a text that [`python_text`] wrote: one pass, nothing built.
pub fn compact_chars(python_text: &str) -> u64 {
    let bytes = python_text.as_bytes();
    let (mut in_string, mut escaped) = (false, false);
    let mut chars = 0;
    for byte in bytes {
        // Continuation bytes are no characters of their own.
        let starts_char = (byte & 0xC0) != 0x80;
        if in_string {
            chars += u64::from(starts_char);
            if escaped {
                escaped = false;
            } else if *byte == b'\\' {
                escaped = true;
            } else if *byte == b'"' {
                in_string = false;
            }
        } else {
            // Outside strings the only blanks are those of the separators.
            chars += u64::from(starts_char && *byte != b' ');
            in_string = *byte == b'"';
        }
    }
    chars
}

/// What is open: a list or an object, with where its members begin on the shared stack.
struct Frame {
    object: bool,
    /// Offset of the opening bracket in the output.
    start: usize,
    first_member: usize,
    /// Where the member being written begins: its key, and after the key its value.
    key: (usize, usize),
    value_start: usize,
}

/// A written member of an object, as ranges of the output.
#[derive(Clone, Copy)]
struct Member {
    key: (usize, usize),
    value: (usize, usize),
}

/// Reads the input once and writes the output as it goes; an explicit stack, so depth cannot overflow ours.
struct Transcoder<'a> {
    input: &'a str,
    at: usize,
    out: String,
    comma: &'static str,
    colon: &'static str,
    frames: Vec<Frame>,
    members: Vec<Member>,
}

impl<'a> Transcoder<'a> {
    fn new(input: &'a str, comma: &'static str, colon: &'static str) -> Self {
        let out = String::with_capacity(input.len() + input.len() / 16);
        Self { input, at: 0, out, comma, colon, frames: Vec::new(), members: Vec::new() }
    }

    fn run(mut self) -> Result<String, JsonError> {
        loop {
            self.skip_blanks();
            let opened = self.value()?;
            if !opened && self.close_while_done()? {
                self.skip_blanks();
                return if self.at == self.input.len() {
                    Ok(self.out)
                } else {
                    Err(self.error("text after the value"))
                };
            }
        }
    }

    /// Writes a scalar or an empty container, or opens a container and its first key. True: a value must follow.
    fn value(&mut self) -> Result<bool, JsonError> {
        match self.peek() {
            Some(b'"') => self.string()?,
            Some(b'{' | b'[') => return self.open(),
            Some(b'-' | b'0'..=b'9') if !self.rest().starts_with("-Infinity") => self.number()?,
            _ => {
                let words = ["null", "true", "false", "NaN", "Infinity", "-Infinity"];
                let Some(word) = words.into_iter().find(|word| self.rest().starts_with(word)) else {
                    return Err(self.error("a value is expected here"));
                };
                self.at += word.len();
                self.out.push_str(word);
            }
        }
        Ok(false)
    }

    fn open(&mut self) -> Result<bool, JsonError> {
        if self.frames.len() == MAX_DEPTH {
            return Err(self.error("nested too deeply"));
        }
        let object = self.peek() == Some(b'{');
        let start = self.out.len();
        self.out.push(if object { '{' } else { '[' });
        self.at += 1;
        self.skip_blanks();
        if self.peek() == Some(if object { b'}' } else { b']' }) {
            self.at += 1;
            self.out.push(if object { '}' } else { ']' });
            return Ok(false);
        }
        self.frames.push(Frame { object, start, first_member: self.members.len(), key: (0, 0), value_start: 0 });
        if object {
            self.key()?;
        }
        Ok(true)
    }

    /// A key and its colon, into the innermost frame.
    fn key(&mut self) -> Result<(), JsonError> {
        if self.peek() != Some(b'"') {
            return Err(self.error("a key in double quotes is expected here"));
        }
        let start = self.out.len();
        self.string()?;
        let end = self.out.len();
        self.skip_blanks();
        if self.peek() != Some(b':') {
            return Err(self.error("a colon is expected here"));
        }
        self.at += 1;
        self.out.push_str(self.colon);
        let value_start = self.out.len();
        if let Some(frame) = self.frames.last_mut() {
            frame.key = (start, end);
            frame.value_start = value_start;
        }
        Ok(())
    }

    /// After a value: a comma asks for the next one (false); closing brackets are taken until one does, or until
    /// nothing is open (true).
    fn close_while_done(&mut self) -> Result<bool, JsonError> {
        while let Some(frame) = self.frames.last() {
            let object = frame.object;
            if object {
                self.members.push(Member { key: frame.key, value: (frame.value_start, self.out.len()) });
            }
            self.skip_blanks();
            match self.peek() {
                Some(b',') => {
                    self.at += 1;
                    self.out.push_str(self.comma);
                    self.skip_blanks();
                    if object {
                        self.key()?;
                    }
                    return Ok(false);
                }
                Some(b'}') if object => self.close_object(),
                Some(b']') if !object => {
                    self.at += 1;
                    self.out.push(']');
                    self.frames.pop();
                }
                _ => return Err(self.error("a comma or the closing bracket is expected here")),
            }
        }
        Ok(true)
    }

    fn close_object(&mut self) {
        self.at += 1;
        if let Some(frame) = self.frames.pop() {
            let members: Vec<Member> = self.members.drain(frame.first_member..).collect();
            if let Some(unique) = self.without_repeats(&members) {
                let mut body = String::with_capacity(self.out.len() - frame.start);
                for (idx, member) in unique.iter().enumerate() {
                    body.push_str(if idx > 0 { self.comma } else { "" });
                    body.push_str(&self.out[member.key.0..member.key.1]);
                    body.push_str(self.colon);
                    body.push_str(&self.out[member.value.0..member.value.1]);
                }
                self.out.truncate(frame.start + 1);
                self.out.push_str(&body);
            }
        }
        self.out.push('}');
    }

    /// The members with each repeated key once, or `None` when no key repeats. Keys are compared as written, which is
    /// canonical: equal texts are spelled equally.
    fn without_repeats(&self, members: &[Member]) -> Option<Vec<Member>> {
        let text = |member: &Member| &self.out[member.key.0..member.key.1];
        // Small objects, nearly all there are, are cheaper to compare than to hash.
        let repeats = if members.len() <= 12 {
            members.iter().enumerate().any(|(idx, member)| members[..idx].iter().any(|seen| text(seen) == text(member)))
        } else {
            let mut seen = std::collections::HashSet::with_capacity(members.len());
            !members.iter().all(|member| seen.insert(text(member)))
        };
        if !repeats {
            return None;
        }
        let mut place = std::collections::HashMap::new();
        let mut unique: Vec<Member> = Vec::new();
        for member in members {
            let idx = *place.entry(text(member)).or_insert(unique.len());
            match unique.get_mut(idx) {
                Some(first) => first.value = member.value,
                None => unique.push(*member),
            }
        }
        Some(unique)
    }

    fn string(&mut self) -> Result<(), JsonError> {
        let bytes = self.input.as_bytes();
        let opened = self.at;
        self.out.push('"');
        self.at += 1;
        loop {
            let run = bytes[self.at..].iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f));
            let Some(run) = run else {
                return Err(JsonError { at: opened, message: "this text is not closed" });
            };
            self.out.push_str(&self.input[self.at..self.at + run]);
            self.at += run;
            match bytes[self.at] {
                b'"' => {
                    self.at += 1;
                    self.out.push('"');
                    return Ok(());
                }
                b'\\' => self.escape()?,
                _ => return Err(self.error("a control character stands bare inside text")),
            }
        }
    }

    fn escape(&mut self) -> Result<(), JsonError> {
        let character = match self.input.as_bytes().get(self.at + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            _ => return Err(self.error("no such escape")),
        };
        self.at += 2;
        push_escaped(&mut self.out, character);
        Ok(())
    }

    fn unicode_escape(&mut self) -> Result<(), JsonError> {
        let lone = "half of a surrogate pair: UTF-8 cannot hold it";
        let first = self.hex4(self.at + 2).ok_or_else(|| self.error("four hexadecimal digits are expected here"))?;
        let mut length = 6;
        let code = if (0xD800..0xDC00).contains(&first) {
            let second = self.rest()[6..].starts_with("\\u").then(|| self.hex4(self.at + 8)).flatten();
            let low = second.filter(|low| (0xDC00..0xE000).contains(low)).ok_or_else(|| self.error(lone))?;
            length = 12;
            0x1_0000 + ((first - 0xD800) << 10) + (low - 0xDC00)
        } else {
            first
        };
        let character = char::from_u32(code).ok_or_else(|| self.error(lone))?;
        self.at += length;
        push_escaped(&mut self.out, character);
        Ok(())
    }

    fn hex4(&self, at: usize) -> Option<u32> {
        let digits = self.input.as_bytes().get(at..at + 4)?;
        digits.iter().try_fold(0, |sum, digit| Some(sum * 16 + char::from(*digit).to_digit(16)?))
    }

    fn number(&mut self) -> Result<(), JsonError> {
        let bytes = self.rest().as_bytes();
        let digits =
            |from: usize| bytes[from.min(bytes.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let minus = usize::from(bytes[0] == b'-');
        // A number ends where it stops being one: `01` is `0` and then text that does not belong.
        let integer = match bytes.get(minus) {
            Some(b'0') => 1,
            Some(b'1'..=b'9') => digits(minus),
            _ => return Err(self.error("digits are expected after the minus")),
        };
        let mut end = minus + integer;
        let fraction = if bytes.get(end) == Some(&b'.') { digits(end + 1) } else { 0 };
        if fraction > 0 {
            end += 1 + fraction;
        }
        let mut exponent = 0;
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            exponent = digits(end + 1 + sign);
            if exponent > 0 {
                end += 1 + sign + exponent;
            }
        }
        let text = &self.input[self.at..self.at + end];
        if fraction == 0 && exponent == 0 {
            if integer > MAX_INT_DIGITS {
                return Err(self.error("an integer of more digits than Python reads"));
            }
            self.out.push_str(if text == "-0" { "0" } else { text });
        } else {
            // The grammar above is a subset of what Rust's parser takes, so this cannot fail.
            push_float(&mut self.out, text.parse().unwrap_or(f64::NAN));
        }
        self.at += end;
        Ok(())
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.input.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'a str {
        &self.input[self.at..]
    }

    fn error(&self, message: &'static str) -> JsonError {
        JsonError { at: self.at, message }
    }
}

/// A text as a JSON string, as `json.dumps(text, ensure_ascii=False)` prints it.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    text.chars().for_each(|character| push_escaped(&mut out, character));
    out.push('"');
    out
}

/// Writes a text with its quotes, as `json.dumps(text, ensure_ascii=False)` does.
pub(crate) fn push_text(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        push_escaped(out, character);
    }
    out.push('"');
}

fn push_escaped(out: &mut String, character: char) {
    match character {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        '\0'..='\x1f' => out.push_str(&format!("\\u{:04x}", u32::from(character))),
        _ => out.push(character),
    }
}

/// Python's `float.__repr__`: the shortest digits that read back, plain for exponents -4 to 15, else `d.ddde+NN`.
fn push_float(out: &mut String, number: f64) {
    if !number.is_finite() {
        out.push_str(if number.is_nan() {
            "NaN"
        } else if number > 0.0 {
            "Infinity"
        } else {
            "-Infinity"
        });
        return;
    }
    if number.is_sign_negative() {
        out.push('-');
    }
    if number == 0.0 {
        out.push_str("0.0");
        return;
    }
    // zmij's own notation differs from Python's, so only its digits and exponent are taken.
    let mut buffer = zmij::Buffer::new();
    let shortest = buffer.format_finite(number.abs());
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((shortest, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let leading_zeros = all.bytes().take_while(|digit| *digit == b'0').count();
    let digits = all[leading_zeros..].trim_end_matches('0');
    // Position of the decimal point, counted from the first digit kept.
    let point = whole.len() as i32 - leading_zeros as i32 + exponent.parse::<i32>().unwrap_or(0);
    let exponent = point - 1;
    if (-4..16).contains(&exponent) {
        if point <= 0 {
            out.push_str("0.");
            out.extend(std::iter::repeat_n('0', point.unsigned_abs() as usize));
            out.push_str(digits);
        } else if let Some((before, after)) = digits.split_at_checked(point as usize) {
            out.push_str(before);
            out.push('.');
            out.push_str(if after.is_empty() { "0" } else { after });
        } else {
            out.push_str(digits);
            out.extend(std::iter::repeat_n('0', point as usize - digits.len()));
            out.push_str(".0");
        }
        return;
    }
    let (first, after) = digits.split_at(1);
    out.push_str(first);
    if !after.is_empty() {
        out.push('.');
        out.push_str(after);
    }
    out.push_str(&format!("e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.unsigned_abs()));
}

#[cfg(test)]
mod tests;
