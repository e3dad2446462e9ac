//! Dates and timestamps: recognised as the loaders recognise them, printed as Python's `str` prints them.

use crate::engine::value::Value;

use super::grammar::Grammar;

/// The parts of a timestamp's text.
struct Parts<'a> {
    date: [&'a str; 3],
    clock: Option<[&'a str; 3]>,
    fraction: &'a str,
    zone: &'a str,
}

/// Splits a text the way the loaders' timestamp pattern does.
fn split(text: &str) -> Option<Parts<'_>> {
    let (year, rest) = digits(text, 4, 4)?;
    let (month, rest) = digits(rest.strip_prefix('-')?, 1, 2)?;
    let (day, rest) = digits(rest.strip_prefix('-')?, 1, 2)?;
    let date = [year, month, day];
    if rest.is_empty() {
        return Some(Parts { date, clock: None, fraction: "", zone: "" });
    }
    let rest = match rest.strip_prefix(['T', 't']) {
        Some(rest) => rest,
        None => blanks(rest).filter(|after| after.len() < rest.len())?,
    };
    let (hour, rest) = digits(rest, 1, 2)?;
    let (minute, rest) = digits(rest.strip_prefix(':')?, 2, 2)?;
    let (second, mut rest) = digits(rest.strip_prefix(':')?, 2, 2)?;
    let mut fraction = "";
    if let Some(after) = rest.strip_prefix('.') {
        let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        (fraction, rest) = after.split_at(end);
    }
    let zone = blanks(rest)?;
    if zone.is_empty() != rest.is_empty() {
        return None;
    }
    if let Some(offset) = zone.strip_prefix(['-', '+']) {
        let (_, rest) = digits(offset, 1, 2)?;
        if !rest.is_empty() {
            let (_, rest) = digits(rest.strip_prefix(':')?, 2, 2)?;
            rest.is_empty().then_some(())?;
        }
    } else if !zone.is_empty() && zone != "Z" {
        return None;
    }
    Some(Parts { date, clock: Some([hour, minute, second]), fraction, zone })
}

fn blanks(text: &str) -> Option<&str> {
    Some(text.trim_start_matches([' ', '\t']))
}

fn digits(text: &str, least: usize, most: usize) -> Option<(&str, &str)> {
    let count = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
    (count >= least).then(|| text.split_at(count))
}

/// Whether the implicit rule takes the text for a date or timestamp. A bare date needs two-digit month and day.
pub(super) fn looks_like(text: &str) -> bool {
    split(text).is_some_and(|parts| parts.clock.is_some() || text.len() == 10)
}

/// The date, or why Python cannot make one of it.
pub(super) fn parse(text: &str, grammar: Grammar) -> Result<Value, String> {
    let wrong = || "this is no date".to_owned();
    let parts = split(text).ok_or_else(wrong)?;
    let number = |digits: &str| digits.parse::<i64>().map_err(|_| wrong());
    let (year, month, day) = (number(parts.date[0])?, number(parts.date[1])?, number(parts.date[2])?);
    if year < 1 || !(1..=12).contains(&month) || day < 1 || day > days_in(year, month) {
        return Err(wrong());
    }
    let Some(clock) = parts.clock else { return Ok(Value::Time(format!("{year:04}-{month:02}-{day:02}"))) };
    let (hour, minute, second) = (number(clock[0])?, number(clock[1])?, number(clock[2])?);
    if hour > 23 || minute > 59 || second > 59 {
        return Err(wrong());
    }
    let mut micros = number(&format!("{:0<6}", parts.fraction.get(..6).unwrap_or(parts.fraction)))?;
    let mut seconds = (hour * 60 + minute) * 60 + second;
    let mut date = (year, month, day);
    // ruamel rounds by the seventh digit; PyYAML cuts.
    if !grammar.is_pyyaml() && parts.fraction.as_bytes().get(6).is_some_and(|digit| *digit > b'4') {
        micros += 1;
        if micros == 1_000_000 {
            micros = 0;
            seconds += 1;
            if seconds == 86_400 {
                seconds = 0;
                date = next_day(date);
            }
        }
    }
    let mut out = format!(
        "{:04}-{:02}-{:02} {:02}:{:02}:{:02}",
        date.0,
        date.1,
        date.2,
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    );
    if micros > 0 {
        out.push_str(&format!(".{micros:06}"));
    }
    if parts.zone == "Z" {
        out.push_str("+00:00");
    } else if let Some(offset) = parts.zone.strip_prefix(['-', '+']) {
        let (hours, minutes) = offset.split_once(':').unwrap_or((offset, "0"));
        let total = number(hours)? * 60 + number(minutes)?;
        if total >= 24 * 60 {
            return Err(wrong());
        }
        let sign = if parts.zone.starts_with('-') && total != 0 { '-' } else { '+' };
        out.push_str(&format!("{sign}{:02}:{:02}", total / 60, total % 60));
    }
    Ok(Value::Time(out))
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

fn next_day((year, month, day): (i64, i64, i64)) -> (i64, i64, i64) {
    if day < days_in(year, month) {
        (year, month, day + 1)
    } else if month < 12 {
        (year, month + 1, 1)
    } else {
        (year + 1, 1, 1)
    }
}
