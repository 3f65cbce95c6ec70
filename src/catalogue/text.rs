//! The text values of a vehicle: stored unchanged, within the limits of every database.

use super::violation::{Rule, Violation, Violations};

/// The maximum number of characters (Unicode scalar values) of a text.
pub const MAX_CHARACTERS: usize = 255;

/// The minimum number of characters that are not white space, in a text that must not be blank.
pub const MIN_CHARACTERS: usize = 1;

macro_rules! text_value {
    ($(#[$doc:meta])* $name:ident, argument $argument:literal, min $min:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub struct $name(String);

        impl $name {
            /// Accepts the text unchanged, or returns every rule it breaks.
            pub fn parse(text: String) -> Result<Self, Violations> {
                Violations::none_of(violations($argument, &text, $min))?;
                Ok(Self(text))
            }

            /// The text, exactly as given.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> Self {
                value.0
            }
        }
    };
}

text_value!(
    /// What kind of vehicle it is: 1 to 255 characters, not blank.
    VehicleType, argument "type", min MIN_CHARACTERS
);
text_value!(
    /// The manufacturer's code of the model: 1 to 255 characters, not blank.
    ModelCode, argument "modelCode", min MIN_CHARACTERS
);
text_value!(
    /// The brand a vehicle is sold under: up to 255 characters; the empty text is a text.
    BrandName, argument "brandName", min 0
);

fn violations(argument: &'static str, text: &str, min_characters: usize) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut add = |rule, message| found.push(Violation::new(argument, rule, message));
    let visible = text.chars().filter(|character| !character.is_whitespace());
    if visible.take(min_characters).count() < min_characters {
        let reason = if text.is_empty() {
            "it is empty"
        } else {
            "it contains only white space"
        };
        add(
            Rule::NotBlank,
            format!("{argument} must not be blank, {reason}"),
        );
    }
    // A character has at least one byte, so shorter texts need no counting.
    if text.len() > MAX_CHARACTERS {
        let characters = text.chars().count();
        if characters > MAX_CHARACTERS {
            let message = format!(
                "{argument} must have at most {MAX_CHARACTERS} characters, it has {characters}"
            );
            add(Rule::MaxLength, message);
        }
    }
    if let Some(index) = text.chars().position(|character| character == '\0') {
        let message = format!(
            "{argument} must not contain U+0000, found at character {}",
            index + 1
        );
        add(Rule::NoNul, message);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules_broken_by(text: &str) -> Vec<Rule> {
        match ModelCode::parse(text.to_owned()) {
            Ok(_) => Vec::new(),
            Err(violations) => violations
                .into_iter()
                .map(|violation| violation.rule)
                .collect(),
        }
    }

    #[test]
    fn keeps_a_text_unchanged() {
        for text in [
            "XC60",
            " xc60 ",
            "é",
            "e\u{301}",
            "'; DROP TABLE vehicle; --",
            "🚗",
        ] {
            let code = ModelCode::parse(text.to_owned()).expect("the text breaks no rule");
            assert_eq!(code.as_str(), text);
        }
    }

    #[test]
    fn length_counts_characters_and_not_bytes() {
        assert_eq!(rules_broken_by(&"🚗".repeat(255)), []);
        assert_eq!(rules_broken_by(&"🚗".repeat(256)), [Rule::MaxLength]);
        assert_eq!(rules_broken_by(&"x".repeat(255)), []);
        assert_eq!(rules_broken_by(&"x".repeat(256)), [Rule::MaxLength]);
    }

    #[test]
    fn white_space_alone_is_blank() {
        for text in ["", " ", "\t\n", "\u{a0}", "\u{3000}\u{2003}"] {
            assert_eq!(rules_broken_by(text), [Rule::NotBlank], "{text:?}");
        }
        assert_eq!(
            rules_broken_by("\u{200b}"),
            [],
            "a zero-width space is not white space"
        );
    }

    #[test]
    fn rejects_the_nul_character_anywhere() {
        assert_eq!(rules_broken_by("a\0b\0"), [Rule::NoNul]);
        let brand = BrandName::parse("\0".to_owned()).expect_err("it has a NUL");
        assert_eq!(brand.as_slice()[0].rule, Rule::NoNul);
    }

    #[test]
    fn reports_every_broken_rule_once() {
        assert_eq!(
            rules_broken_by(&" ".repeat(300)),
            [Rule::NotBlank, Rule::MaxLength]
        );
        assert_eq!(
            rules_broken_by(&"\0".repeat(300)),
            [Rule::MaxLength, Rule::NoNul]
        );
    }

    #[test]
    fn a_brand_may_be_empty_or_blank() {
        for text in ["", "  "] {
            assert_eq!(
                BrandName::parse(text.to_owned()).map(String::from),
                Ok(text.to_owned())
            );
        }
    }

    #[test]
    fn a_message_contains_lengths_and_never_the_value() {
        let violations = ModelCode::parse("secret".repeat(50)).expect_err("it is too long");
        assert_eq!(
            violations.to_string(),
            "modelCode must have at most 255 characters, it has 300"
        );
    }
}
