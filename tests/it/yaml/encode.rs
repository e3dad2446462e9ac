//! Values in the form `tests/oracle/yaml_load.py` prints: `[kind, payload]`.

use hermes_tools::engine::value::Value;
use serde_json::{Value as Json, json};

pub(crate) fn encode(value: &Value) -> Json {
    match value {
        Value::Null => json!(["null", ""]),
        Value::Bool(value) => json!(["bool", if *value { "True" } else { "False" }]),
        Value::Int(text) => json!(["int", text]),
        Value::Float(text) => json!(["float", text]),
        Value::Str(text) => json!(["str", text]),
        Value::Time(text) => json!(["time", text]),
        Value::Seq(items) => json!(["seq", items.iter().map(encode).collect::<Vec<_>>()]),
        Value::Map(entries) => {
            json!(["map", entries.iter().map(|(key, value)| json!([encode(key), encode(value)])).collect::<Vec<_>>()])
        }
    }
}
