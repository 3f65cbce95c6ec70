//! Violations of the rules of arguments, with messages for clients.

use std::fmt;

/// A rule that an argument can break. Its name is part of the contract and never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The argument must be given.
    Required,
    /// The text must have a character that is not white space.
    NotBlank,
    /// The text must not have more characters than can be stored.
    MaxLength,
    /// The text must not contain the character U+0000.
    NoNul,
    /// The text must have the form `YYYY-MM-DD`.
    DateForm,
    /// The date must be in the calendar.
    DateExists,
    /// The date must lie between the first and the last that can be stored.
    DateRange,
    /// The number must lie between its bounds.
    Range,
    /// Only one of several conditions must be given.
    OneCondition,
    /// The order must allow the conditions.
    Order,
    /// The cursor must be of the same order.
    Cursor,
}

impl Rule {
    /// The stable name for clients.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::NotBlank => "not_blank",
            Self::MaxLength => "max_length",
            Self::NoNul => "no_nul",
            Self::DateForm => "date_form",
            Self::DateExists => "date_exists",
            Self::DateRange => "date_range",
            Self::Range => "range",
            Self::OneCondition => "one_condition",
            Self::Order => "order",
            Self::Cursor => "cursor",
        }
    }
}

/// One argument that breaks one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The name of the argument in the contract: `modelCode`, or its path: `vehicles[3].modelCode`.
    pub argument: String,
    /// The rule it breaks.
    pub rule: Rule,
    /// What is wrong and what is valid. Never contains the value, which can be long or secret.
    pub message: String,
}

/// The violations of all arguments, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Violations(Vec<Violation>);

impl Violations {
    /// Adds a violation; its message is the argument and this text.
    pub fn add(&mut self, argument: &str, rule: Rule, text: impl fmt::Display) {
        self.0.push(Violation { argument: argument.to_owned(), rule, message: format!("{argument} {text}") });
    }

    /// Adds the violations of another value.
    pub fn append(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// The same violations of arguments within `prefix`, with which their messages begin.
    #[must_use]
    pub fn within(self, prefix: &str) -> Self {
        let violations = self.0.into_iter().map(|violation| Violation {
            argument: format!("{prefix}.{}", violation.argument),
            message: format!("{prefix}.{}", violation.message),
            ..violation
        });
        Self(violations.collect())
    }

    /// The value, if nothing is wrong.
    pub fn unless_any<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }

    /// The violations.
    pub fn as_slice(&self) -> &[Violation] {
        &self.0
    }
}

/// All messages, separated by semicolons.
impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let messages = self.0.iter().map(|violation| violation.message.as_str());
        f.write_str(&messages.collect::<Vec<_>>().join("; "))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_documentation_has_the_name_of_every_rule() {
        let lines = include_str!("violation.rs").lines();
        let names = lines.filter_map(|line| {
            let (variant, name) = line.split_once(" => \"")?;
            assert!(variant.contains("Self::"), "{line}");
            name.strip_suffix("\",")
        });
        for name in names {
            for documentation in [
                include_str!("../../docs/http.md"),
                include_str!("../../crates/vehicle-catalogue-client/src/error_response.rs"),
            ] {
                assert!(documentation.contains(&format!("`{name}`")), "{name}");
            }
        }
    }
}
