//! What a server tells about its tools, read from the very text it sent.
//!
//! One odd row never costs the others: it is left out and named. No recursion: a schema is passed over as text, however
//! deep it is.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::engine::schema::RawTool;
use crate::engine::text::{clip, visible};

/// One tool, with the text it was told in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldTool {
    /// The server's own name; never empty.
    pub name: String,
    /// The JSON object exactly as sent.
    pub text: Box<str>,
}

/// One answer to `tools/list`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    pub tools: Vec<ToldTool>,
    /// Where the next page begins; `None` on the last one.
    pub next_cursor: Option<String>,
    /// Rows that are no tools, in words. Sanitised.
    pub odd: Vec<String>,
}

#[derive(Deserialize)]
struct PageText<'a> {
    #[serde(borrow)]
    tools: Option<&'a RawValue>,
    #[serde(borrow, rename = "nextCursor")]
    next_cursor: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ToolText<'a> {
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    #[serde(borrow)]
    description: Option<&'a RawValue>,
    #[serde(borrow, rename = "inputSchema")]
    input_schema: Option<&'a RawValue>,
}

/// Reads the `result` of an answer.
///
/// # Errors
/// In words, where it is no page of tools at all.
pub fn page(result: &str) -> Result<Page, String> {
    let page: PageText<'_> = serde_json::from_str(result).map_err(|_| "its answer is no list of tools".to_owned())?;
    let rows: Vec<&RawValue> = match page.tools.map(RawValue::get) {
        None => return Err("its answer has no \"tools\"".to_owned()),
        Some(rows) => serde_json::from_str(rows).map_err(|_| "\"tools\" in its answer is no list".to_owned())?,
    };
    let mut read = Page { next_cursor: page.next_cursor.and_then(text), ..Page::default() };
    for (number, row) in rows.into_iter().enumerate() {
        match tool(row.get()) {
            Ok(tool) => read.tools.push(tool),
            Err(why) => read.odd.push(format!("row {} {why}", number + 1)),
        }
    }
    Ok(read)
}

/// Reads one row.
///
/// # Errors
/// Why it is no tool, to follow what names the row.
pub fn tool(text: &str) -> Result<ToldTool, String> {
    Ok(ToldTool { name: name(text)?, text: text.into() })
}

fn name(row: &str) -> Result<String, String> {
    let row: ToolText<'_> = serde_json::from_str(row).map_err(|_| "is no object".to_owned())?;
    match row.name {
        None => Err("has no name".to_owned()),
        Some(name) => match text(name) {
            Some(name) if !name.is_empty() => Ok(name),
            Some(_) => Err("has an empty name".to_owned()),
            None => Err(format!("has a name that is no text: {}", clip(&visible(name.get()), 40))),
        },
    }
}

/// A JSON text; `None` for every other kind of value. Lone surrogates become replacement characters.
fn text(value: &RawValue) -> Option<String> {
    let value = value.get();
    if !value.starts_with('"') {
        return None;
    }
    serde_json::from_str(value).or_else(|_| serde_json::from_str(&replaced_surrogates(value))).ok()
}

/// Half a surrogate pair is text to Python and none to us.
pub(crate) fn replaced_surrogates(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find("\\") {
        out.push_str(&rest[..at]);
        let escape = &rest[at..];
        let code = escape.get(2..6).filter(|_| escape.starts_with("\\u"));
        let surrogate =
            |digits: &str| u32::from_str_radix(digits, 16).ok().filter(|code| (0xd800..0xe000).contains(code));
        match code.and_then(surrogate) {
            Some(high) if high < 0xdc00 && is_low_half(escape.get(6..12)) => {
                out.push_str(&escape[..12]);
                rest = &escape[12..];
            }
            Some(_) => {
                out.push_str("\\ufffd");
                rest = &escape[6..];
            }
            None => {
                let end = escape.char_indices().nth(2).map_or(escape.len(), |(end, _)| end);
                out.push_str(&escape[..end]);
                rest = &escape[end..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn is_low_half(escape: Option<&str>) -> bool {
    escape
        .and_then(|escape| escape.strip_prefix("\\u"))
        .and_then(|digits| u32::from_str_radix(digits, 16).ok())
        .is_some_and(|code| (0xdc00..0xe000).contains(&code))
}

impl ToldTool {
    /// Levels of lists and objects in it, its own included.
    pub fn depth(&self) -> usize {
        let (mut depth, mut deepest, mut quoted, mut escaped) = (0_usize, 0, false, false);
        for byte in self.text.bytes() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = quoted,
                b'"' => quoted = !quoted,
                b'{' | b'[' if !quoted => {
                    depth += 1;
                    deepest = deepest.max(depth);
                }
                b'}' | b']' if !quoted => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        deepest
    }

    /// As Hermes takes it: what is no text is no description, and what is no object is no schema.
    pub fn as_raw(&self) -> RawTool {
        let row = serde_json::from_str::<ToolText<'_>>(&self.text).ok();
        let schema = row.as_ref().and_then(|row| row.input_schema).map_or("{}", RawValue::get);
        RawTool {
            name: self.name.clone(),
            description: row.as_ref().and_then(|row| row.description).and_then(text).unwrap_or_default(),
            input_schema: if schema.starts_with('{') { schema.to_owned() } else { "{}".to_owned() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_keeps_the_text_it_was_told_in() {
        let told = r#"{"title":"T", "name" : "a", "inputSchema":{"b":1E5,"a":12345678901234567890123}}"#;
        let page = page(&format!(r#"{{"tools":[{told}],"nextCursor":"x"}}"#)).unwrap();
        assert_eq!(&*page.tools[0].text, told);
        assert_eq!((page.tools[0].name.as_str(), page.next_cursor.as_deref()), ("a", Some("x")));
        assert_eq!(page.tools[0].as_raw().input_schema, r#"{"b":1E5,"a":12345678901234567890123}"#);
    }

    #[test]
    fn an_odd_row_costs_only_itself() {
        let rows = r#"[{"name":"a"},{"name":null},5,{"name":7},{},{"name":""},{"name":"b","inputSchema":true,"description":9},null]"#;
        let page = page(&format!(r#"{{"tools":{rows},"nextCursor":null}}"#)).unwrap();
        let names: Vec<&str> = page.tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(page.odd.len(), 6);
        assert_eq!(page.odd[1], "row 3 is no object");
        let raw = page.tools[1].as_raw();
        assert_eq!((raw.description.as_str(), raw.input_schema.as_str()), ("", "{}"));
    }

    #[test]
    fn what_is_no_page_says_so() {
        assert!(page("[]").is_err());
        assert!(page("{}").unwrap_err().contains("tools"));
        assert!(page(r#"{"tools":{}}"#).unwrap_err().contains("no list"));
        assert_eq!(page(r#"{"tools":[]}"#), Ok(Page::default()));
    }

    #[test]
    fn depth_and_half_surrogates_are_no_matter() {
        let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        let page =
            page(&format!(r#"{{"tools":[{{"name":"a\ud800\ud83d\ude00\\ud800","inputSchema":{{"x":{deep}}}}}]}}"#));
        let tools = page.unwrap().tools;
        assert_eq!(tools[0].name, "a\u{fffd}😀\\ud800");
        assert_eq!(tools[0].as_raw().input_schema.len(), deep.len() + 6);
        assert_eq!(tools[0].depth(), 100_002);
        assert_eq!(tool(r#"{"name":"[[{\"]","a":[{},[]]}"#).unwrap().depth(), 3);
    }
}
