//! `agent.disabled_toolsets`, read as each Hermes version reads it.

use super::literal;
use crate::engine::rules::Rules;
use crate::engine::value::Value;

/// The names the deny list holds, at the two places Hermes looks at it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Deny {
    /// Taken out of the resolved set.
    pub(crate) names: Vec<String>,
    /// Whose tools are taken out when an array is built.
    pub(crate) tool_level: Vec<String>,
}

impl Deny {
    /// Before 0.22 a text is a sequence of one-letter names and a mapping its keys; 0.22 reads text as one name or as
    /// the list it spells. A number or `true` stops 0.19 with an error; it denies nothing here.
    pub(crate) fn read(config: &Value, rules: &Rules) -> Self {
        let Some(value) = config.at(&["agent", "disabled_toolsets"]).filter(|value| value.is_truthy()) else {
            return Self::default();
        };
        let items = |items: &[Value]| items.iter().map(|item| item.py_str().into_owned()).collect();
        let tool_level: Vec<String> = match value {
            Value::Seq(list) => items(list),
            Value::Str(text) if rules.disabled_may_be_text => {
                literal::list_items(text).unwrap_or_else(|| vec![text.clone()])
            }
            Value::Str(text) => text.chars().map(String::from).collect(),
            Value::Map(entries) if !rules.disabled_may_be_text => {
                entries.iter().map(|(key, _)| key.py_str().into_owned()).collect()
            }
            _ => Vec::new(),
        };
        let names = if rules.disabled_may_be_text {
            tool_level.iter().map(|name| literal::trim(name).to_owned()).filter(|name| !name.is_empty()).collect()
        } else {
            tool_level.clone()
        };
        Self { names, tool_level }
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|denied| denied == name)
    }
}
