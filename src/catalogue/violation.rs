//! Violations of the rules of arguments, with messages for clients.

use std::{borrow::Cow, fmt};

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
    pub argument: Cow<'static, str>,
    /// The rule it breaks.
    pub rule: Rule,
    /// What is wrong and what is valid. Never contains the value, which can be long or secret.
    pub message: String,
}

impl Violation {
    /// A required `argument` was omitted or null.
    pub fn required(argument: &'static str) -> Self {
        Self::new(argument, Rule::Required, format!("{argument} is required"))
    }

    pub(super) fn new(argument: &'static str, rule: Rule, message: String) -> Self {
        Self {
            argument: Cow::Borrowed(argument),
            rule,
            message,
        }
    }

    /// The same violation of an argument within `prefix`: its path and its message, which begins with it.
    pub(super) fn within(self, prefix: &str) -> Self {
        Self {
            argument: format!("{prefix}.{}", self.argument).into(),
            rule: self.rule,
            message: format!("{prefix}.{}", self.message),
        }
    }
}

/// At least one violation, in the order of the arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violations(Vec<Violation>);

impl Violations {
    /// The violations; there is at least one.
    pub fn as_slice(&self) -> &[Violation] {
        &self.0
    }

    /// The same violations of arguments within `prefix`.
    pub(super) fn within(self, prefix: &str) -> Self {
        let violations = self.0.into_iter();
        Self(
            violations
                .map(|violation| violation.within(prefix))
                .collect(),
        )
    }

    /// Both values, or the violations of both.
    pub fn both<A, B>(
        first: Result<A, impl Into<Self>>,
        second: Result<B, impl Into<Self>>,
    ) -> Result<(A, B), Self> {
        let mut found = Vec::new();
        let first = collect(first, &mut found);
        let second = collect(second, &mut found);
        first.zip(second).ok_or(Self(found))
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

/// All messages, separated by semicolons.
impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let messages = self.0.iter().map(|violation| violation.message.as_str());
        f.write_str(&messages.collect::<Vec<_>>().join("; "))
    }
}

/// The parsed value, or `None` with its violations added to `found`.
pub(super) fn collect<T, E>(parsed: Result<T, E>, found: &mut Vec<Violation>) -> Option<T>
where
    E: Into<Violations>,
{
    match parsed {
        Ok(part) => Some(part),
        Err(violations) => {
            found.extend(violations.into());
            None
        }
    }
}

/// The minimum number of items of an argument.
pub const MIN_ITEMS: usize = 1;

/// The items of an argument, each parsed, or all violations of all items in order. There must be [`MIN_ITEMS`] to
/// `limit`.
pub fn all_of<T>(
    argument: &'static str,
    parsed: Vec<Result<T, Violations>>,
    limit: u32,
) -> Result<Vec<T>, Violations> {
    let count = parsed.len();
    if !(MIN_ITEMS..=limit as usize).contains(&count) {
        let message = format!("{argument} must have {MIN_ITEMS} to {limit} items, it has {count}");
        return Err(Violation::new(argument, Rule::Range, message).into());
    }
    let mut found = Vec::new();
    let mut items = Vec::with_capacity(count);
    for (index, parsed) in parsed.into_iter().enumerate() {
        match parsed {
            Ok(item) => items.push(item),
            Err(violations) => {
                let prefix = format!("{argument}[{index}]");
                found.extend(violations.into_iter().map(|broken| broken.within(&prefix)));
            }
        }
    }
    Violations::none_of(found)?;
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displays_all_messages() {
        let violations = Violations(vec![
            Violation::required("type"),
            Violation::required("modelCode"),
        ]);
        assert_eq!(
            violations.to_string(),
            "type is required; modelCode is required"
        );
    }

    #[test]
    fn both_reports_the_violations_of_both() {
        let broken = |argument| Err::<(), _>(Violation::required(argument));
        let ok = || Ok::<_, Violation>(7);
        assert_eq!(Violations::both(ok(), ok()), Ok((7, 7)));
        for (result, expected) in [
            (Violations::both(broken("a"), ok()).err(), "a is required"),
            (Violations::both(ok(), broken("b")).err(), "b is required"),
            (
                Violations::both(broken("a"), broken("b")).err(),
                "a is required; b is required",
            ),
        ] {
            assert_eq!(result.expect("one is broken").to_string(), expected);
        }
    }

    #[test]
    fn the_documentation_has_the_name_of_every_rule() {
        let lines = include_str!("violation.rs").lines();
        let names = lines.filter_map(|line| {
            let (variant, name) = line.split_once(" => \"")?;
            assert!(variant.contains("Self::"), "{line}");
            name.strip_suffix("\",")
        });
        let names: Vec<_> = names.collect();
        assert!(names.contains(&Rule::Cursor.as_str()), "{names:?}");
        for name in names {
            for documentation in [
                include_str!("../../docs/http.md"),
                include_str!("../../crates/client/src/error_response.rs"),
            ] {
                assert!(documentation.contains(&format!("`{name}`")), "{name}");
            }
        }
    }

    #[test]
    fn no_violations_are_ok() {
        assert_eq!(Violations::none_of(Vec::new()), Ok(()));
    }
}
