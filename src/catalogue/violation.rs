//! What is wrong with an argument, in words for the person who sent it.

use std::fmt;

/// A rule that an argument can break. Its name is part of the contract and never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
}

impl Rule {
    /// The stable name that clients can tell rules apart by.
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
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One argument that breaks one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The argument, as the contract names it: `modelCode`.
    pub argument: &'static str,
    /// The rule it breaks.
    pub rule: Rule,
    /// What is wrong and what would be right. Never repeats the value, which can be long or secret.
    pub message: String,
}

impl Violation {
    /// `argument` was omitted or null, though there is nothing to do without it.
    pub fn required(argument: &'static str) -> Self {
        Self::new(
            argument,
            Rule::Required,
            format!("{argument} must be given"),
        )
    }

    pub(super) fn new(argument: &'static str, rule: Rule, message: String) -> Self {
        Self {
            argument,
            rule,
            message,
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Violation {}

/// At least one violation, in the order of the arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violations(Vec<Violation>);

impl Violations {
    /// The violations; there is at least one.
    pub fn as_slice(&self) -> &[Violation] {
        &self.0
    }

    /// The violations one by one; there is at least one.
    pub fn iter(&self) -> std::slice::Iter<'_, Violation> {
        self.0.iter()
    }

    /// `Ok` if nothing was found.
    pub(super) fn none_of(found: Vec<Violation>) -> Result<(), Self> {
        if found.is_empty() {
            Ok(())
        } else {
            Err(Self(found))
        }
    }
}

impl From<Violation> for Violations {
    fn from(violation: Violation) -> Self {
        Self(vec![violation])
    }
}

impl IntoIterator for Violations {
    type Item = Violation;
    type IntoIter = std::vec::IntoIter<Violation>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Violations {
    type Item = &'a Violation;
    type IntoIter = std::slice::Iter<'a, Violation>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// All messages, separated by semicolons.
impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, violation) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{violation}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Violations {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn violations_read_as_one_sentence_list() {
        let violations = Violations(vec![
            Violation::required("type"),
            Violation::required("modelCode"),
        ]);
        assert_eq!(
            violations.to_string(),
            "type must be given; modelCode must be given"
        );
    }

    #[test]
    fn nothing_found_is_not_a_violation() {
        assert_eq!(Violations::none_of(Vec::new()), Ok(()));
    }
}
