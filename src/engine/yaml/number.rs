//! Numbers as Python prints them: integers of any length, and the shortest text of a float.

use std::fmt;

/// A natural number of any size: limbs of nine decimal digits, smallest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Big(Vec<u32>);

const LIMB: u64 = 1_000_000_000;

impl Big {
    /// `None` for an empty text or a foreign digit.
    pub(super) fn from_radix(digits: &str, radix: u32) -> Option<Self> {
        if digits.is_empty() {
            return None;
        }
        let mut value = Self::default();
        for digit in digits.chars() {
            value.mul_add(radix, digit.to_digit(radix)?);
        }
        Some(value)
    }

    /// `self * factor + addend`.
    pub(super) fn mul_add(&mut self, factor: u32, addend: u32) {
        let mut carry = u64::from(addend);
        for limb in &mut self.0 {
            let sum = u64::from(*limb) * u64::from(factor) + carry;
            *limb = (sum % LIMB) as u32;
            carry = sum / LIMB;
        }
        while carry > 0 {
            self.0.push((carry % LIMB) as u32);
            carry /= LIMB;
        }
    }
}

impl fmt::Display for Big {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, rest)) = self.0.split_last() else { return out.write_str("0") };
        write!(out, "{first}")?;
        rest.iter().rev().try_for_each(|limb| write!(out, "{limb:09}"))
    }
}

/// Python's `repr` of a float.
pub(super) fn float_repr(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    // Rust's `e` form has the same shortest digits.
    let text = format!("{value:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if !(-4..16).contains(&exponent) {
        return format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs());
    }
    let plain = format!("{value}");
    if plain.contains('.') { plain } else { format!("{plain}.0") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_print_as_pythons_repr() {
        for (value, expected) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1000.0, "1000.0"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1e-4, "0.0001"),
            (1e-5, "1e-05"),
            (685_230.15, "685230.15"),
            (1.5e300, "1.5e+300"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(float_repr(value), expected);
        }
    }

    #[test]
    fn integers_of_any_length_convert() {
        let hex = Big::from_radix("ffffffffffffffffffffffff", 16).unwrap();
        assert_eq!(hex.to_string(), "79228162514264337593543950335");
        assert_eq!(Big::from_radix("000", 8).unwrap().to_string(), "0");
        assert_eq!(Big::from_radix("", 10), None);
        assert_eq!(Big::from_radix("9", 8), None);
    }
}
