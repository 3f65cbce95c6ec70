//! Parses JSON without losing the digits of large integers.

use std::iter::repeat_n;

use async_graphql::{Name, Number, Value};
use indexmap::IndexMap;

/// The largest float below which every integer is one.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// Maximum nesting of arrays and objects; `serde_json` has the same limit.
const MAX_DEPTH: usize = 128;

/// The error of `serde_json` for an integer that exceeds the range of a float.
const OUT_OF_RANGE: &str = "number out of range";

/// Parses a JSON text. An integer that neither 64 bits nor a float represent exactly becomes a [`Value::Enum`] of its
/// digits, also if it is written with an exponent or an empty fractional part.
pub(super) fn value(text: &str) -> Result<Value, serde_json::Error> {
    let parsed = serde_json::from_str(text);
    let is_exact = match &parsed {
        Ok(value) => !has_float(value),
        Err(error) => !error.to_string().starts_with(OUT_OF_RANGE),
    };
    if is_exact {
        return parsed;
    }
    let mut parser = Parser { remaining: text };
    let value = parser.value(MAX_DEPTH);
    match value.filter(|_| parser.peek().is_none()) {
        Some(value) => Ok(value),
        None => parsed,
    }
}

/// The message of an error in a part of a text, with its position in the whole text.
pub(super) fn message(error: &serde_json::Error, part: &str, text: &str) -> String {
    let message = error.to_string();
    let (line, column) = (error.line(), error.column());
    let Some(reason) = message.strip_suffix(&format!(" at line {line} column {column}")) else {
        return message;
    };
    let before = &text[..part.as_ptr().addr() - text.as_ptr().addr()];
    let lines = before.matches('\n').count();
    let in_first_line = before.len() - before.rfind('\n').map_or(0, |end| end + 1);
    let column = if line == 1 {
        in_first_line + column
    } else {
        column
    };
    format!("{reason} at line {} column {column}", lines + line)
}

/// Whether the value contains a number that `serde_json` parsed as a float, such as a large integer.
pub(super) fn has_float(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_f64(),
        Value::List(items) => items.iter().any(has_float),
        Value::Object(members) => members.values().any(has_float),
        _ => false,
    }
}

/// Parses one JSON text. Strings and numbers are parsed by `serde_json`.
struct Parser<'t> {
    remaining: &'t str,
}

impl Parser<'_> {
    fn value(&mut self, depth: usize) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        match self.peek()? {
            b'{' => {
                let mut members = IndexMap::new();
                self.list(b'{', b'}', |parser| {
                    parser.peek().filter(|byte| *byte == b'"')?;
                    let name = parser.string()?;
                    parser.take(b':')?;
                    members.insert(Name::new(name), parser.value(depth)?);
                    Some(())
                })?;
                Some(Value::Object(members))
            }
            b'[' => {
                let mut items = Vec::new();
                self.list(b'[', b']', |parser| {
                    items.push(parser.value(depth)?);
                    Some(())
                })?;
                Some(Value::List(items))
            }
            b'"' => self.string().map(Value::String),
            _ => self.scalar(),
        }
    }

    /// The next byte that is not white space.
    fn peek(&mut self) -> Option<u8> {
        self.remaining = self.remaining.trim_start_matches([' ', '\t', '\n', '\r']);
        self.remaining.bytes().next()
    }

    fn take(&mut self, expected: u8) -> Option<()> {
        self.peek().filter(|byte| *byte == expected)?;
        self.remaining = &self.remaining[1..];
        Some(())
    }

    fn list(
        &mut self,
        open: u8,
        close: u8,
        mut item: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.take(open)?;
        if self.take(close).is_some() {
            return Some(());
        }
        loop {
            item(self)?;
            if self.take(close).is_some() {
                return Some(());
            }
            self.take(b',')?;
        }
    }

    fn string(&mut self) -> Option<String> {
        let bytes = self.remaining.as_bytes();
        let mut end = 1;
        loop {
            match bytes.get(end)? {
                b'"' => break,
                b'\\' => end += 2,
                _ => end += 1,
            }
        }
        let (text, remaining) = self.remaining.split_at(end + 1);
        self.remaining = remaining;
        serde_json::from_str(text).ok()
    }

    /// A number, a boolean or null.
    fn scalar(&mut self) -> Option<Value> {
        let end = self.remaining.find([',', ']', '}', ' ', '\t', '\n', '\r']);
        let (text, remaining) = self.remaining.split_at(end.unwrap_or(self.remaining.len()));
        self.remaining = remaining;
        let value = serde_json::from_str(text);
        let lost_digits = value.as_ref().map_or(true, has_float);
        if lost_digits && is_integer(text) {
            return Some(Value::Enum(Name::new(text)));
        }
        let is_inexact = |number: &Number| {
            number.is_f64() && number.as_f64().is_some_and(|float| float.abs() > MAX_EXACT)
        };
        let digits = match &value {
            Ok(Value::Number(number)) if is_inexact(number) => integer(text),
            _ => None,
        };
        digits
            .map(|digits| Value::Enum(Name::new(digits)))
            .or(value.ok())
    }
}

/// Whether the text is a JSON integer.
fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let has_leading_zero = digits.len() > 1 && digits.starts_with('0');
    !digits.is_empty() && !has_leading_zero && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The digits of a number with a fractional part or an exponent, if it is an integer. Their number is bounded by that
/// of a finite float.
fn integer(number: &str) -> Option<String> {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let (sign, whole) = whole
        .strip_prefix('-')
        .map_or(("", whole), |whole| ("-", whole));
    let mut digits = format!("{whole}{fraction}");
    let exponent: i64 = exponent.parse().ok()?;
    let shift = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?;
    let places = usize::try_from(shift.unsigned_abs()).ok()?;
    if shift >= 0 {
        digits.extend(repeat_n('0', places));
    } else {
        let kept = digits.len().checked_sub(places)?;
        if digits[kept..].bytes().any(|digit| digit != b'0') {
            return None;
        }
        digits.truncate(kept);
    }
    Some(format!("{sign}{}", digits.trim_start_matches('0')))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn preserves_the_digits_of_integers() {
        let long = "9".repeat(400);
        for digits in ["-0", "18446744073709551616", "-9223372036854775809", &long] {
            let text = format!(" [1.5, {{\"a\" : {digits} }}, 18446744073709551615, \"]\\\"\"] ");
            let read = value(&text).unwrap();
            let Value::List(items) = &read else {
                panic!("{read}")
            };
            assert_eq!(items[0], Value::from(1.5));
            let Value::Object(members) = &items[1] else {
                panic!("{read}")
            };
            assert_eq!(members["a"], Value::Enum(Name::new(digits)));
            assert_eq!(items[2], Value::from(u64::MAX));
            assert_eq!(items[3], Value::from("]\""));
        }
    }

    #[test]
    fn preserves_the_digits_of_integers_with_an_exponent_or_an_empty_fraction() {
        for (text, digits) in [
            ("1e20", "100000000000000000000"),
            ("-12.50E+20", "-1250000000000000000000"),
            ("0.000123e30", "123000000000000000000000000"),
            ("9007199254740993.0", "9007199254740993"),
            ("90071992547409930e-1", "9007199254740993"),
        ] {
            assert_eq!(
                value(text).unwrap(),
                Value::Enum(Name::new(digits)),
                "{text}"
            );
        }
        for text in [
            "1.0",
            "1e15",
            "9007199254740993.5",
            "90071992547409935e-1",
            "0e999",
        ] {
            assert!(has_float(&value(text).unwrap()), "{text}");
        }
        for text in ["1e400", "-1e999999999999999999999", "1.5e400"] {
            assert!(value(text).is_err(), "{text}");
        }
    }

    #[test]
    fn rejects_invalid_json_with_a_large_integer() {
        let long = "9".repeat(400);
        for text in [
            format!("[{long}"),
            format!("[{long},]"),
            format!("[{long}] x"),
            format!("[0{long}]"),
            format!("[{long}.5]"),
            format!("{{a: {long}}}"),
            format!("[\"\n\", {long}]"),
            format!("{}{long}{}", "[".repeat(200), "]".repeat(200)),
        ] {
            assert!(value(&text).is_err(), "{text}");
        }
    }

    /// Whether a value is what `serde_json` reads, which rounds long integers and those with an exponent.
    fn agrees(found: &Value, expected: &Value) -> bool {
        match (found, expected) {
            (Value::Enum(digits), Value::Number(rounded)) => {
                let exact: f64 = digits.parse().unwrap();
                let rounded = rounded.as_f64().unwrap();
                (exact - rounded).abs() <= f64::EPSILON * exact.abs()
            }
            (Value::List(found), Value::List(expected)) => {
                let items = found.iter().zip(expected);
                found.len() == expected.len() && items.into_iter().all(|(a, b)| agrees(a, b))
            }
            (Value::Object(found), Value::Object(expected)) => {
                let members = found.iter().zip(expected);
                found.len() == expected.len()
                    && members
                        .into_iter()
                        .all(|((name, a), (expected, b))| name == expected && agrees(a, b))
            }
            (found, expected) => found == expected,
        }
    }

    /// A JSON text with numbers of every form and white space.
    fn json() -> impl Strategy<Value = String> {
        let number = "-?(0|[1-9][0-9]{0,25})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,2})?";
        let leaf = prop_oneof![4 => number, 1 => "null|true|false", 1 => r#""[a-z,:\[{]{0,3}""#];
        leaf.prop_recursive(4, 20, 4, |value| {
            let member = ("[a-c]{1,2}", value.clone());
            let member = member.prop_map(|(name, value)| format!(r#"{{ "{name}" :{value}}}"#));
            let list = proptest::collection::vec(value, 0..4);
            prop_oneof![
                member,
                list.prop_map(|items| format!("[{}]", items.join(" ,\n")))
            ]
        })
    }

    /// The value of the parser, which `value` uses only for texts with floats.
    fn parsed(text: &str) -> Option<Value> {
        let mut parser = Parser { remaining: text };
        let parsed = parser.value(MAX_DEPTH);
        parsed.filter(|_| parser.peek().is_none())
    }

    proptest! {
        #[test]
        fn agrees_with_serde_json(text in json()) {
            let expected = serde_json::from_str::<Value>(&text).unwrap();
            for found in [parsed(&text).unwrap(), value(&text).unwrap()] {
                prop_assert!(agrees(&found, &expected), "{} {}", found, expected);
            }
        }

        #[test]
        fn accepts_what_serde_json_accepts(text in "[\\[\\]{},:\"\\\\ 0-9.e-]{0,20}|[a-z ]{0,5}") {
            let expected = serde_json::from_str::<Value>(&text);
            prop_assert_eq!(parsed(&text).is_some(), expected.is_ok());
        }

        #[test]
        fn keeps_the_digits_of_every_integer(digits in "-?[1-9][0-9]{0,60}") {
            let expected = match (digits.parse::<u64>(), digits.parse::<i64>()) {
                (Ok(number), _) => Value::from(number),
                (_, Ok(number)) => Value::from(number),
                _ => Value::Enum(Name::new(&digits)),
            };
            prop_assert_eq!(value(&digits).unwrap(), expected);
        }
    }
}
