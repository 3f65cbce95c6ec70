//! The plain types, which are written as JSON by their plan, in a loop without futures.

use async_graphql::ID;
use chrono::{Datelike, NaiveDate};

use super::{json::write_number, plan::Plan, planner::Object, writer::JsonWriter};

/// An output type whose values are written synchronously.
pub trait Plain {
    /// Whether every value can be represented in JSON, so that a nullable value needs no check.
    const INFALLIBLE: bool = false;

    /// Writes the selected parts of this value. A list or an object stops, incomplete, after the item or field with
    /// which the writer is full.
    fn write(&self, plan: &Plan, json: &mut JsonWriter);
}

/// Writes the selected fields of a plain object of this type, whose field at a position `write_field` writes. It
/// stops, incomplete, after the field with which the writer is full.
pub fn write_object<T: Object>(
    plan: &Plan,
    json: &mut JsonWriter,
    write_field: impl Fn(usize, &Plan, &mut JsonWriter),
) {
    json.bytes.push(b'{');
    for step in plan.steps() {
        step.json_key.write(&mut json.bytes);
        match step.field {
            Some(field) => write_field(field, &step.plan, json),
            None => json.text(T::NAME),
        }
        if json.is_full() {
            return;
        }
    }
    json.bytes.push(b'}');
}

impl<T: Plain> Plain for Option<T> {
    fn write(&self, plan: &Plan, json: &mut JsonWriter) {
        let Some(value) = self else {
            return json.null();
        };
        let start = json.bytes.len();
        value.write(plan, json);
        if !T::INFALLIBLE {
            json.end_nullable(start);
        }
    }
}

impl<T: Plain> Plain for Vec<T> {
    fn write(&self, plan: &Plan, json: &mut JsonWriter) {
        json.bytes.push(b'[');
        for (index, item) in self.iter().enumerate() {
            if index > 0 {
                json.bytes.push(b',');
            }
            item.write(plan, json);
            if json.is_full() {
                return;
            }
        }
        json.bytes.push(b']');
    }
}

impl<T: Plain> Plain for Box<T> {
    fn write(&self, plan: &Plan, json: &mut JsonWriter) {
        T::write(self, plan, json);
    }
}

impl Plain for String {
    const INFALLIBLE: bool = true;

    fn write(&self, _: &Plan, json: &mut JsonWriter) {
        json.text(self);
    }
}

impl Plain for ID {
    const INFALLIBLE: bool = true;

    fn write(&self, _: &Plan, json: &mut JsonWriter) {
        json.text(self);
    }
}

/// A `String` that a getter returns.
pub enum Text<'a> {
    /// A part of the object.
    Borrowed(&'a str),
    /// A computed text.
    Owned(String),
    /// A date, written as `YYYY-MM-DD` (ISO 8601). Years before 0 and after 9999 have a sign.
    Date(NaiveDate),
}

impl Plain for Text<'_> {
    const INFALLIBLE: bool = true;

    #[inline]
    fn write(&self, _: &Plan, json: &mut JsonWriter) {
        match self {
            Self::Borrowed(text) => json.text(text),
            Self::Owned(text) => json.text(text),
            Self::Date(date) => write_date(*date, json),
        }
    }
}

fn write_date(date: NaiveDate, json: &mut JsonWriter) {
    let Ok(year @ 0..=9999) = u32::try_from(date.year()) else {
        return json.text(&date.to_string());
    };
    let digit = |number: u32| b"0123456789"[(number % 10) as usize];
    let [y1, y2, y3, y4] = [1000, 100, 10, 1].map(|divisor| digit(year / divisor));
    let [[m1, m2], [d1, d2]] =
        [date.month(), date.day()].map(|part| [digit(part / 10), digit(part)]);
    json.bytes.extend_from_slice(br#""YYYY-MM-DD""#);
    // Digits are overwritten in the buffer, because an array of single bytes cannot be read at once without a delay.
    if let Some(text) = json.bytes.last_chunk_mut() {
        *text = [b'"', y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2, b'"'];
    }
}

/// An `ID` that a getter returns.
pub enum Id {
    /// A text.
    Text(String),
    /// An integer, which is written as a string.
    Integer(i64),
}

impl Plain for Id {
    const INFALLIBLE: bool = true;

    fn write(&self, _: &Plan, json: &mut JsonWriter) {
        match self {
            Self::Text(text) => json.text(text),
            Self::Integer(number) => {
                json.bytes.push(b'"');
                write_number(*number, &mut json.bytes);
                json.bytes.push(b'"');
            }
        }
    }
}

impl Plain for bool {
    const INFALLIBLE: bool = true;

    fn write(&self, _: &Plan, json: &mut JsonWriter) {
        let text = if *self { "true" } else { "false" };
        json.bytes.extend_from_slice(text.as_bytes());
    }
}

impl Plain for i32 {
    const INFALLIBLE: bool = true;

    fn write(&self, _: &Plan, json: &mut JsonWriter) {
        write_number(*self, &mut json.bytes);
    }
}

impl Plain for f64 {
    fn write(&self, _: &Plan, json: &mut JsonWriter) {
        if self.is_finite() {
            write_number(*self, &mut json.bytes);
        } else {
            json.fail();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_every_day_like_chrono() {
        let years = [-1, 0, 1, 9, 99, 999, 1000, 1999, 2000, 2024, 9999, 10_000];
        let first_days = years.map(|year| NaiveDate::from_ymd_opt(year, 1, 1));
        for first_day in first_days.into_iter().flatten() {
            for day in first_day.iter_days().take(366) {
                assert_eq!(written(&Text::Date(day)), format!("\"{day}\""));
            }
        }
    }

    #[test]
    fn writes_an_integer_id_as_a_string() {
        let id = i64::MIN;
        assert_eq!(written(&Id::Integer(id)), format!("\"{id}\""));
    }

    #[test]
    fn a_list_stops_after_the_item_that_exceeds_the_maximum_size() {
        let list = ["abc"; 3].map(str::to_owned).to_vec();
        let bytes = |max_bytes: usize| {
            let mut json = JsonWriter::new(0, max_bytes);
            list.write(&Plan::Leaf, &mut json);
            json.bytes.len()
        };
        let whole = bytes(usize::MAX);
        assert_eq!(bytes(whole), whole);
        assert_eq!(bytes(0), r#"["abc""#.len());
        assert_eq!(bytes(6), r#"["abc","abc""#.len());
    }

    fn written(value: &impl Plain) -> String {
        let mut json = JsonWriter::new(0, usize::MAX);
        value.write(&Plan::Leaf, &mut json);
        String::from_utf8(json.bytes).expect("JSON is UTF-8")
    }
}
