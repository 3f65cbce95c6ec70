//! The rules of texts that the contract cannot state: what every database stores unchanged.

use super::violation::{Rule, Violations};

/// Returns the text of an argument unchanged, and adds the rules that it breaks.
pub(super) fn check(found: &mut Violations, argument: &str, text: String) -> String {
    if let Some(index) = text.chars().position(|character| character == '\0') {
        let must = format!("must not contain U+0000, found at character {}", index + 1);
        found.add(argument, Rule::NoNul, must);
    }
    text
}

/// Returns the text of an argument that must be given and not blank, and adds the rules that it breaks.
pub(super) fn required(found: &mut Violations, argument: &str, text: Option<String>, missing: &str) -> String {
    let Some(text) = text else {
        found.add(argument, Rule::Required, missing);
        return String::new();
    };
    if text.is_empty() {
        found.add(argument, Rule::NotBlank, "must not be blank, it is empty");
    } else if text.chars().all(char::is_whitespace) {
        found.add(argument, Rule::NotBlank, "must not be blank, it contains only white space");
    }
    check(found, argument, text)
}
