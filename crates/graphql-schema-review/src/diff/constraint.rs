//! Constraint directives, and whether a change of one tightens or loosens the constraint.
//!
//! Names are those of widely used libraries: `@constraint` with its arguments, and the directives
//! named after Jakarta's validations (`@Size`, `@Range`, `@NotBlank`, …). Case is ignored.

use std::cmp::Ordering;

use apollo_compiler::{
    Schema,
    ast::{Directive, Value},
    schema::ExtendedType,
};
use graphql_sdl::Element;

use super::comparison::Comparison;
use crate::rule::{self, Rule};

/// Directives that state a constraint by an argument.
const BY_ARGUMENT: [&str; 9] =
    ["constraint", "containersize", "decimalmax", "decimalmin", "length", "max", "min", "range", "size"];

/// Directives that state a constraint without an argument.
const BY_PRESENCE: [&str; 7] =
    ["negative", "negativeorzero", "notblank", "notempty", "pattern", "positive", "positiveorzero"];

/// The effect of a change of a constraint on the set of valid values.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Direction {
    /// Fewer values are valid.
    Tightened,
    /// More values are valid.
    Loosened,
    /// Other values are valid, or the effect is not known.
    Unclear,
}

/// The constraint that an argument states.
#[derive(Clone, Copy)]
enum ArgumentKind {
    /// A lower bound of the value or of its length.
    Minimum,
    /// An upper bound of the value or of its length.
    Maximum,
    /// The value must be a multiple of the argument.
    Multiple,
    /// A pattern; which of two patterns is the narrower is not known.
    Pattern,
}

fn argument_kind(directive: &str, argument: &str) -> Option<ArgumentKind> {
    let directive = directive.to_ascii_lowercase();
    let known = |names: &[&str]| names.contains(&&*directive);
    if !known(&BY_ARGUMENT) && !known(&BY_PRESENCE) {
        return None;
    }
    match &*argument.to_ascii_lowercase() {
        "min" | "minlength" | "minitems" | "exclusivemin" => Some(ArgumentKind::Minimum),
        "max" | "maxlength" | "maxitems" | "exclusivemax" => Some(ArgumentKind::Maximum),
        "value" if known(&["min", "decimalmin"]) => Some(ArgumentKind::Minimum),
        "value" if known(&["max", "decimalmax"]) => Some(ArgumentKind::Maximum),
        "multipleof" => Some(ArgumentKind::Multiple),
        "pattern" | "regex" | "regexp" | "format" | "startswith" | "endswith" | "contains" | "notcontains" => {
            Some(ArgumentKind::Pattern)
        }
        _ => None,
    }
}

/// The effect of adding the directive; removing it has the opposite effect.
pub(super) fn added(directive: &Directive, schema: &Schema) -> Direction {
    let name = directive.name.to_ascii_lowercase();
    let definition = schema.directive_definitions.get(&directive.name);
    let arguments = definition.map_or(&[][..], |definition| &definition.arguments);
    let mut stated = arguments.iter().filter(|argument| {
        let given = directive.argument_by_name(&argument.name, schema);
        given.is_ok_and(|given| !given.is_null())
    });
    if BY_PRESENCE.contains(&&*name) || stated.any(|argument| argument_kind(&directive.name, &argument.name).is_some())
    {
        Direction::Tightened
    } else {
        Direction::Unclear
    }
}

/// The effect of changing the value of the argument; an omitted argument is null.
pub(super) fn argument(directive: &str, argument: &str, old: &Value, new: &Value) -> Direction {
    let Some(kind) = argument_kind(directive, argument) else {
        return Direction::Unclear;
    };
    match (old.is_null(), new.is_null()) {
        (true, true) => return Direction::Unclear,
        (true, false) => return Direction::Tightened,
        (false, true) => return Direction::Loosened,
        (false, false) => {}
    }
    match (kind, compare(old, new)) {
        (ArgumentKind::Minimum, Some(Ordering::Less)) | (ArgumentKind::Maximum, Some(Ordering::Greater)) => {
            Direction::Tightened
        }
        (ArgumentKind::Minimum, Some(Ordering::Greater)) | (ArgumentKind::Maximum, Some(Ordering::Less)) => {
            Direction::Loosened
        }
        (ArgumentKind::Multiple, Some(_)) if divides(old, new) => Direction::Tightened,
        (ArgumentKind::Multiple, Some(_)) if divides(new, old) => Direction::Loosened,
        _ => Direction::Unclear,
    }
}

impl Direction {
    /// The direction of the opposite change.
    pub(super) fn reversed(self) -> Self {
        match self {
            Self::Tightened => Self::Loosened,
            Self::Loosened => Self::Tightened,
            Self::Unclear => Self::Unclear,
        }
    }
}

impl Comparison<'_> {
    /// The rule for a change of a constraint, by whether the element is an input or an output.
    pub(super) fn constraint(&self, element: Element, direction: Direction) -> &'static Rule {
        let (is_input, is_output) = match element {
            Element::Type(ExtendedType::Scalar(scalar)) => {
                let reaches = [&self.old_reach, &self.new_reach];
                (
                    reaches.iter().any(|reach| reach.is_input(&scalar.name)),
                    reaches.iter().any(|reach| reach.is_output(&scalar.name)),
                )
            }
            Element::Field(..) => (false, true),
            _ => (element.input().is_some(), false),
        };
        match direction {
            Direction::Tightened if is_input => &rule::INPUT_TIGHTENED,
            Direction::Tightened if is_output => &rule::OUTPUT_TIGHTENED,
            Direction::Loosened if is_output => &rule::OUTPUT_LOOSENED,
            Direction::Loosened if is_input => &rule::INPUT_LOOSENED,
            _ => &rule::UNKNOWN_DIRECTIVE,
        }
    }
}

/// Compares numbers, including numbers in strings, which represent decimal fractions.
fn compare(old: &Value, new: &Value) -> Option<Ordering> {
    match (integer(old), integer(new)) {
        (Some(old), Some(new)) => Some(old.cmp(&new)),
        _ => number(old)?.partial_cmp(&number(new)?),
    }
}

fn integer(value: &Value) -> Option<i128> {
    match value {
        Value::Int(digits) => digits.as_str().parse().ok(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Int(digits) => digits.try_to_f64().ok()?,
        Value::Float(digits) => digits.try_to_f64().ok()?,
        Value::String(text) => text.parse().ok()?,
        _ => return None,
    };
    number.is_finite().then_some(number)
}

/// Whether an integer divides another without a remainder.
fn divides(divisor: &Value, number: &Value) -> bool {
    let (divisor, number) = (integer(divisor), integer(number));
    match (divisor, number) {
        (Some(divisor), Some(number)) => number.checked_rem(divisor) == Some(0),
        _ => false,
    }
}
