//! `@constraint`: what it states, and the values of arguments and input fields that violate it.

use std::{
    error::Error as StdError,
    fmt::{self, Display, Write},
};

use async_graphql::{ID, MaybeUndefined};

/// The maximum number of violations that are collected.
const MAX_VIOLATIONS: usize = 10_000;

/// What `@constraint` states about a value.
#[derive(Clone, Copy, Debug)]
pub struct Constraint {
    /// The minimum number of characters of a text, or of each text in a list.
    pub min_length: Option<usize>,
    /// The maximum number of characters of a text, or of each text in a list.
    pub max_length: Option<usize>,
    /// The minimum of a number, or of each number in a list.
    pub min: Option<f64>,
    /// The maximum of a number, or of each number in a list.
    pub max: Option<f64>,
    /// The minimum number of items of a list.
    pub min_items: Option<usize>,
    /// The maximum number of items of a list.
    pub max_items: Option<usize>,
    /// What parses texts that match the pattern.
    pub pattern: Option<ParseText>,
    /// What parses texts that have the format.
    pub format: Option<ParseText>,
}

/// Parses a text; the build script names the function.
pub type ParseText = fn(&str) -> Result<(), Box<dyn StdError + Send + Sync>>;

impl Constraint {
    /// Every value meets it.
    pub const NONE: Self = Self {
        min_length: None,
        max_length: None,
        min: None,
        max: None,
        min_items: None,
        max_items: None,
        pattern: None,
        format: None,
    };
}

/// Arguments with values that have not been checked against their constraints.
#[derive(Clone, Debug)]
#[must_use]
pub struct Unchecked<A>(A);

impl<A> From<A> for Unchecked<A> {
    fn from(arguments: A) -> Self {
        Self(arguments)
    }
}

impl<A: Constrained> Unchecked<A> {
    /// The arguments, or every violation.
    pub fn check(self) -> Result<A, Violations> {
        let (arguments, violations) = self.with_violations();
        if violations.0.is_empty() { Ok(arguments) } else { Err(violations) }
    }

    /// The arguments and every violation, to be reported with those of other rules.
    pub fn with_violations(self) -> (A, Violations) {
        let mut checking = Checking { path: String::new(), found: Vec::new() };
        self.0.check(&Constraint::NONE, &mut checking);
        (self.0, Violations(checking.found))
    }
}

/// The violations of constraints, in the order of the arguments.
#[derive(Debug)]
#[must_use]
pub struct Violations(pub Vec<Violation>);

/// A value that violates a constraint.
#[derive(Debug)]
pub struct Violation {
    /// Where the value is: `books[3].title`.
    pub path: String,
    /// The argument of `@constraint` that it violates: `maxLength`.
    pub argument: &'static str,
    /// What is valid, without the path and the value: `must have at most 9 characters, it has 10`.
    pub message: String,
    /// The error of the function that parses texts of the pattern or format.
    pub error: Option<Box<dyn StdError + Send + Sync>>,
}

impl Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.path, self.message)
    }
}

/// All of them, separated by semicolons. async-graphql publishes it as the message of an error.
impl Display for Violations {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, violation) in self.0.iter().enumerate() {
            let separator = if index > 0 { "; " } else { "" };
            write!(formatter, "{separator}{violation}")?;
        }
        Ok(())
    }
}

/// What is found while arguments are checked.
pub struct Checking {
    /// That of the current value.
    path: String,
    found: Vec<Violation>,
}

impl Checking {
    /// Checks an argument or an input field.
    pub fn member(&mut self, name: &str, value: &impl Constrained, constraint: &Constraint) {
        let dot = if self.path.is_empty() { "" } else { "." };
        self.within(format_args!("{dot}{name}"), |checking| value.check(constraint, checking));
    }

    fn within(&mut self, part: fmt::Arguments<'_>, check: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        // Writing to a text never fails.
        let _ = self.path.write_fmt(part);
        check(self);
        self.path.truncate(length);
    }

    fn text(&mut self, text: &str, constraint: &Constraint) {
        let limits = [constraint.min_length, constraint.max_length];
        // A character has one to four bytes, so most texts need no counting.
        let is_counted =
            limits[0].is_some_and(|min| text.len() < 4 * min) || limits[1].is_some_and(|max| text.len() > max);
        if is_counted {
            let length = text.chars().count();
            self.count(length, limits, ["minLength", "maxLength"], "characters");
        }
        for (argument, parse) in [("pattern", constraint.pattern), ("format", constraint.format)] {
            if let Some(Err(error)) = parse.map(|parse| parse(text)) {
                self.add(argument, error.to_string(), Some(error));
            }
        }
    }

    fn number(&mut self, number: f64, constraint: &Constraint) {
        if let Some(min) = constraint.min.filter(|min| number < *min) {
            self.add("min", format!("must be at least {min}"), None);
        }
        if let Some(max) = constraint.max.filter(|max| number > *max) {
            self.add("max", format!("must be at most {max}"), None);
        }
    }

    fn count(&mut self, count: usize, [min, max]: [Option<usize>; 2], [lower, upper]: [&'static str; 2], of: &str) {
        if let Some(min) = min.filter(|min| count < *min) {
            self.add(lower, format!("must have at least {min} {of}, it has {count}"), None);
        }
        if let Some(max) = max.filter(|max| count > *max) {
            self.add(upper, format!("must have at most {max} {of}, it has {count}"), None);
        }
    }

    fn add(&mut self, argument: &'static str, message: String, error: Option<Box<dyn StdError + Send + Sync>>) {
        if self.found.len() < MAX_VIOLATIONS {
            let path = self.path.clone();
            self.found.push(Violation { path, argument, message, error });
        }
    }
}

/// A value of an argument or an input field. Null meets every constraint.
pub trait Constrained {
    /// Adds what violates its constraint, and those of its parts.
    fn check(&self, _: &Constraint, _: &mut Checking) {}
}

impl Constrained for bool {}

impl Constrained for String {
    fn check(&self, constraint: &Constraint, checking: &mut Checking) {
        checking.text(self, constraint);
    }
}

impl Constrained for ID {
    fn check(&self, constraint: &Constraint, checking: &mut Checking) {
        checking.text(self, constraint);
    }
}

impl Constrained for i32 {
    fn check(&self, constraint: &Constraint, checking: &mut Checking) {
        checking.number(f64::from(*self), constraint);
    }
}

impl Constrained for f64 {
    fn check(&self, constraint: &Constraint, checking: &mut Checking) {
        checking.number(*self, constraint);
    }
}

impl<T: Constrained> Constrained for Option<T> {
    fn check(&self, constraint: &Constraint, checking: &mut Checking) {
        self.iter().for_each(|value| value.check(constraint, checking));
    }
}

impl<T: Constrained> Constrained for MaybeUndefined<T> {
    fn check(&self, constraint: &Constraint, checking: &mut Checking) {
        self.as_opt_ref().flatten().into_iter().for_each(|value| value.check(constraint, checking));
    }
}

impl<T: Constrained> Constrained for Box<T> {
    fn check(&self, constraint: &Constraint, checking: &mut Checking) {
        T::check(self, constraint, checking);
    }
}

impl<T: Constrained> Constrained for Vec<T> {
    fn check(&self, constraint: &Constraint, checking: &mut Checking) {
        let limits = [constraint.min_items, constraint.max_items];
        checking.count(self.len(), limits, ["minItems", "maxItems"], "items");
        // The items of lists in a list are not counted.
        let constraint = Constraint { min_items: None, max_items: None, ..*constraint };
        for (index, item) in self.iter().enumerate() {
            checking.within(format_args!("[{index}]"), |checking| item.check(&constraint, checking));
        }
    }
}
