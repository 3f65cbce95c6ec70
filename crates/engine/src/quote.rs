//! Quotes parts of a request in messages: bounded, and without characters that are not printable.

use std::fmt::{self, Write as _};

use async_graphql::Value;
use schema::excerpt;

/// More bytes than an excerpt has.
const ENOUGH_BYTES: usize = 1024;

/// A value as in a document, truncated.
pub(crate) fn quoted(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text).expect("a string accepts every text");
    excerpt(&text).into_owned()
}

/// A message in which characters that are not printable are escaped.
pub(crate) fn printable(message: &str) -> String {
    let mut text = String::with_capacity(message.len());
    for character in message.chars() {
        match character {
            '"' | '\'' | '\\' => text.push(character),
            other => text.extend(other.escape_debug()),
        }
    }
    text
}

fn write(value: &Value, text: &mut String) -> fmt::Result {
    match value {
        Value::String(content) => write!(text, "{:?}", excerpt(content)),
        Value::List(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                separate(index, text);
                write(item, text)?;
                if text.len() > ENOUGH_BYTES {
                    break;
                }
            }
            text.write_char(']')
        }
        Value::Object(members) => {
            text.push('{');
            for (index, (name, member)) in members.iter().enumerate() {
                separate(index, text);
                write!(text, "{}: ", printable(&excerpt(name)))?;
                write(member, text)?;
                if text.len() > ENOUGH_BYTES {
                    break;
                }
            }
            text.write_char('}')
        }
        scalar => write!(text, "{scalar}"),
    }
}

fn separate(index: usize, text: &mut String) {
    if index > 0 {
        text.push_str(", ");
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::{Name, value};

    use super::*;

    #[test]
    fn a_value_is_quoted_as_in_a_document() {
        for (value, text) in [
            (value!(null), "null"),
            (
                value!("a \"b\" \u{1b}\u{85}\u{202e}\n"),
                r#""a \"b\" \u{1b}\u{85}\u{202e}\n""#,
            ),
            (value!([1, 2.5, [true, "é"]]), r#"[1, 2.5, [true, "é"]]"#),
            (
                Value::Object([(Name::new("a\u{1b}\n"), value!({}))].into()),
                r"{a\u{1b}\n: {}}",
            ),
        ] {
            assert_eq!(quoted(&value), text);
        }
    }

    #[test]
    fn a_quote_is_bounded() {
        let long = "Z".repeat(1 << 20);
        let many = vec![value!([0]); 1 << 20];
        for value in [
            Value::String(long.clone()),
            Value::List(many),
            Value::Object([(Name::new(&long), Value::String(long))].into()),
        ] {
            assert_eq!(quoted(&value).chars().count(), 65);
        }
    }
}
