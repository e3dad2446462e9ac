//! What operations do to a loaded value: the twin of the text edits in [`crate::engine::yaml`].

use super::{NewValue, Op};
use crate::engine::value::Value;

/// The value after the operations, in order.
///
/// `Set` makes missing and null parents; where a parent is something else (text, a list) nothing changes, and the
/// text edit refuses. `EditList` ignores positions that are not there and values that are no list. A root that is no
/// mapping stays as it is.
pub fn apply(config: &Value, ops: &[Op]) -> Value {
    let mut value = config.clone();
    for op in ops {
        match op {
            Op::EditList { path, remove, append } => {
                if let Some(Value::Seq(items)) = find(&mut value, path) {
                    let mut at = 0;
                    items.retain(|_| {
                        at += 1;
                        !remove.contains(&(at - 1))
                    });
                    items.extend(append.iter().cloned().map(Value::Str));
                }
            }
            Op::Set { path, value: new } => set(&mut value, path, new),
            Op::Remove { path } => {
                if let Some((key, parents)) = path.split_last()
                    && let Some(Value::Map(entries)) = find(&mut value, parents)
                {
                    entries.retain(|(name, _)| name.py_str() != key.as_str());
                }
            }
        }
    }
    value
}

fn find<'a>(value: &'a mut Value, path: &[String]) -> Option<&'a mut Value> {
    path.iter().try_fold(value, |value, key| match value {
        Value::Map(entries) => {
            entries.iter_mut().find(|(name, _)| name.py_str() == key.as_str()).map(|(_, value)| value)
        }
        _ => None,
    })
}

fn set(value: &mut Value, path: &[String], new: &NewValue) {
    let Some((key, rest)) = path.split_first() else {
        *value = loaded(new);
        return;
    };
    if value.is_null() {
        *value = Value::empty_map();
    }
    let Value::Map(entries) = value else { return };
    let at = entries.iter().position(|(name, _)| name.py_str() == key.as_str()).unwrap_or_else(|| {
        entries.push((Value::Str(key.clone()), Value::Null));
        entries.len() - 1
    });
    set(&mut entries[at].1, rest, new);
}

/// A new value as it reads back.
pub(super) fn loaded(new: &NewValue) -> Value {
    match new {
        NewValue::Null => Value::Null,
        NewValue::Bool(value) => Value::Bool(*value),
        NewValue::Int(number) => Value::Int(number.to_string()),
        NewValue::Decimal(digits) => Value::Float(digits.clone()),
        NewValue::Word(word) => Value::Str(word.clone()),
        NewValue::List(items) => Value::Seq(items.iter().cloned().map(Value::Str).collect()),
    }
}
