//! Violations of the rules of arguments, with messages for clients.

use std::fmt;

use serde::Serialize;

use crate::contract::support;

/// A rule that an argument can break. Its name is part of the contract and never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(sea_orm::EnumIter))]
#[serde(rename_all = "snake_case")]
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

/// Why a text does not have a format of the contract.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("{must}")]
pub struct FormatError {
    /// The rule that it breaks.
    pub rule: Rule,
    pub(super) must: &'static str,
}

/// One argument that breaks one rule, as clients receive it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// The name of the argument in the contract: `modelCode`, or its path: `vehicles[3].modelCode`.
    pub argument: String,
    /// The rule it breaks.
    pub rule: Rule,
    /// What is wrong and what is valid. Never contains the value, which can be long or secret.
    pub message: String,
}

impl From<support::Violation> for Violation {
    fn from(stated: support::Violation) -> Self {
        let format = stated.error.as_ref().and_then(|error| error.downcast_ref::<FormatError>());
        let (rule, must) = match (stated.argument, format) {
            (_, Some(error)) => (error.rule, stated.message),
            ("minLength", _) => (Rule::NotBlank, stated.message),
            ("maxLength", _) => (Rule::MaxLength, stated.message),
            _ => (Rule::Range, stated.message),
        };
        Self { message: format!("{} {must}", stated.path), argument: stated.path, rule }
    }
}

/// The violations of all arguments, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Violations {
    found: Vec<Violation>,
    /// Those of the rules that the contract states, until their argument is checked.
    stated: Vec<Violation>,
    /// What the paths of arguments begin with: `vehicles[3].`.
    prefix: String,
}

impl From<support::Violations> for Violations {
    fn from(stated: support::Violations) -> Self {
        let found = stated.0.into_iter().map(Violation::from).collect();
        Self { found, ..Self::default() }
    }
}

impl Violations {
    /// Those of the rules that the contract states, to be added among others.
    pub(super) fn stated(stated: support::Violations) -> Self {
        let stated = Self::from(stated).found;
        Self { stated, ..Self::default() }
    }

    /// Adds a violation; its message is the argument and this text.
    pub fn add(&mut self, argument: &str, rule: Rule, text: impl fmt::Display) {
        let argument = format!("{}{argument}", self.prefix);
        self.found.push(Violation { message: format!("{argument} {text}"), argument, rule });
    }

    /// Adds those of this argument that the contract states.
    pub(super) fn add_stated(&mut self, argument: &str) {
        let stated = self.take_stated(argument);
        self.found.extend(stated);
    }

    /// Removes those of this argument that the contract states.
    pub(super) fn take_stated(&mut self, argument: &str) -> Vec<Violation> {
        let prefix = self.prefix.as_str();
        let is_of = |stated: &mut Violation| stated.argument.strip_prefix(prefix) == Some(argument);
        self.stated.extract_if(.., is_of).collect()
    }

    /// Sets what the paths of arguments begin with.
    pub(super) fn set_prefix(&mut self, prefix: String) {
        self.prefix = prefix;
    }

    /// The value, if nothing is wrong.
    pub fn unless_any<T>(mut self, value: T) -> Result<T, Self> {
        self.found.append(&mut self.stated);
        if self.found.is_empty() { Ok(value) } else { Err(self) }
    }

    /// The violations.
    pub fn as_slice(&self) -> &[Violation] {
        &self.found
    }
}

/// All messages, separated by semicolons.
impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let messages = self.found.iter().map(|violation| violation.message.as_str());
        f.write_str(&messages.collect::<Vec<_>>().join("; "))
    }
}

#[cfg(test)]
mod tests {
    use sea_orm::Iterable;

    use super::Rule;

    #[test]
    fn the_documentation_has_the_name_of_every_rule() {
        for rule in Rule::iter() {
            let name = serde_json::to_value(rule).expect("it is a text");
            let name = format!("`{}`", name.as_str().expect("it is a text"));
            for documentation in [
                include_str!("../../docs/http.md"),
                include_str!("../../crates/vehicle-catalogue-client/src/error_response.rs"),
            ] {
                assert!(documentation.contains(&name), "{name}");
            }
        }
    }
}
