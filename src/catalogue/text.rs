//! The rules of texts that the contract cannot state: what every database stores unchanged.

use super::violation::{Rule, Violations};

/// Whether a text may be blank.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Blank {
    Allowed,
    Refused,
}

/// Returns the text unchanged, and adds every rule that it breaks.
pub(super) fn check(found: &mut Violations, argument: &str, text: String, blank: Blank) -> String {
    if blank == Blank::Refused && text.is_empty() {
        // Instead of the minimum length.
        found.take_stated(argument);
        found.add(argument, Rule::NotBlank, "must not be blank, it is empty");
    } else if blank == Blank::Refused && text.chars().all(char::is_whitespace) {
        found.add(argument, Rule::NotBlank, "must not be blank, it contains only white space");
    }
    found.add_stated(argument);
    if let Some(index) = text.chars().position(|character| character == '\0') {
        let must = format!("must not contain U+0000, found at character {}", index + 1);
        found.add(argument, Rule::NoNul, must);
    }
    text
}
