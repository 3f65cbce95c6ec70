//! Texts of a user in messages.

use schema::is_interpreted;

/// The maximum number of characters of a text from a file.
const EXCERPT_CHARACTERS: usize = 64;

/// The maximum number of characters of a file name.
const NAME_CHARACTERS: usize = 1024;

/// A text from a file in one line: at most 64 characters.
pub(super) fn excerpt(text: &str) -> String {
    one_line(text, EXCERPT_CHARACTERS)
}

/// The name of a file in one line.
pub fn file_name(name: &str) -> String {
    one_line(name, NAME_CHARACTERS)
}

/// The text, truncated with an ellipsis if it is too long, with escaped line ends and other characters that change how
/// a terminal displays a line.
fn one_line(text: &str, max_characters: usize) -> String {
    let mut line = String::new();
    for (index, character) in text.chars().enumerate() {
        if index == max_characters {
            line.push('…');
            break;
        }
        if is_interpreted(character) {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_is_one_bounded_line_without_control_characters() {
        let long = "é".repeat(65);
        for (text, expected) in [
            ("type", "type"),
            ("a \"b\" \\ c", "a \"b\" \\ c"),
            ("a\r\nb\u{1b}[31m", "a\\r\\nb\\u{1b}[31m"),
            ("\u{9b}31m\u{202e}cba", "\\u{9b}31m\\u{202e}cba"),
            (&long[2..], &long[2..]),
            (&long, &format!("{}…", &long[2..])),
        ] {
            assert_eq!(excerpt(text), expected);
        }
        assert_eq!(file_name(&long), long);
        let name = file_name(&"x".repeat(100_000));
        assert_eq!(name.chars().count(), NAME_CHARACTERS + 1);
    }
}
