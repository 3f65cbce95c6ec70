//! The rules of texts: stored unchanged, within the limits of every database.

use super::violation::{Rule, Violations};

/// The maximum number of characters (Unicode scalar values) of a text.
pub const MAX_CHARACTERS: usize = 255;

/// The minimum number of characters that are not white space, in a text that must not be blank.
pub const MIN_CHARACTERS: usize = 1;

/// Whether a text may be empty or blank.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Blank {
    Allowed,
    Refused,
}

/// Returns the text unchanged, and adds every rule that it breaks.
pub(super) fn check(found: &mut Violations, argument: &str, text: String, blank: Blank) -> String {
    if blank == Blank::Refused && text.chars().all(char::is_whitespace) {
        let reason = match text.as_str() {
            "" => "must not be blank, it is empty",
            _ => "must not be blank, it contains only white space",
        };
        found.add(argument, Rule::NotBlank, reason);
    }
    // A character has at least one byte, so shorter texts need no counting.
    let length = match text.len() {
        bytes if bytes > MAX_CHARACTERS => text.chars().count(),
        bytes => bytes,
    };
    if length > MAX_CHARACTERS {
        let must = format!("must have at most {MAX_CHARACTERS} characters, it has {length}");
        found.add(argument, Rule::MaxLength, must);
    }
    if let Some(index) = text.chars().position(|character| character == '\0') {
        let must = format!("must not contain U+0000, found at character {}", index + 1);
        found.add(argument, Rule::NoNul, must);
    }
    text
}
