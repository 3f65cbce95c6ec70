//! Directives that state a constraint, and whether a change of one lets more or less through.
//!
//! Names are those of the libraries that many schemas use: `@constraint` with its arguments, and
//! the directives named after Jakarta's validations (`@Size`, `@Range`, `@NotBlank`, …); upper and
//! lower case are the same.

use std::cmp::Ordering;

use apollo_compiler::{
    Schema,
    ast::{Directive, Value},
    schema::{ExtendedType, Type},
};

use super::{
    Comparison,
    part::{Form, Part},
};
use crate::rule::{self, Rule};

/// Every directive of these names states a constraint, if it has an argument that does.
const BY_ARGUMENT: [&str; 9] = [
    "constraint",
    "containersize",
    "decimalmax",
    "decimalmin",
    "length",
    "max",
    "min",
    "range",
    "size",
];

/// Every directive of these names states a constraint by being there.
const BY_PRESENCE: [&str; 7] = [
    "negative",
    "negativeorzero",
    "notblank",
    "notempty",
    "pattern",
    "positive",
    "positiveorzero",
];

/// What a change of a constraint does to the set of values that keep it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Direction {
    /// Fewer values keep it.
    Tightened,
    /// More values keep it.
    Loosened,
    /// Others keep it, or it is not known which.
    Unclear,
}

/// What an argument of a constraint says of a value.
#[derive(Clone, Copy)]
enum Sense {
    /// It must be at least that, or have that many parts.
    Lower,
    /// It must be at most that, or have that many parts.
    Upper,
    /// It must be a multiple of that.
    Multiple,
    /// It must have this form: which form is the narrower is not known.
    Form,
}

fn sense(directive: &str, argument: &str) -> Option<Sense> {
    let directive = directive.to_ascii_lowercase();
    let known = |names: &[&str]| names.contains(&&*directive);
    if !known(&BY_ARGUMENT) && !known(&BY_PRESENCE) {
        return None;
    }
    match &*argument.to_ascii_lowercase() {
        "min" | "minlength" | "minitems" | "exclusivemin" => Some(Sense::Lower),
        "max" | "maxlength" | "maxitems" | "exclusivemax" => Some(Sense::Upper),
        "value" if known(&["min", "decimalmin"]) => Some(Sense::Lower),
        "value" if known(&["max", "decimalmax"]) => Some(Sense::Upper),
        "multipleof" => Some(Sense::Multiple),
        "pattern" | "regex" | "regexp" | "format" | "startswith" | "endswith" | "contains"
        | "notcontains" => Some(Sense::Form),
        _ => None,
    }
}

/// What putting the directive where there was none does; taking it away does the opposite.
pub(super) fn put(directive: &Directive, schema: &Schema) -> Direction {
    let name = directive.name.to_ascii_lowercase();
    let definition = schema.directive_definitions.get(&directive.name);
    let arguments = definition.map_or(&[][..], |definition| &definition.arguments);
    let mut stated = arguments.iter().filter(|argument| {
        let given = directive.argument_by_name(&argument.name, schema);
        given.is_ok_and(|given| !given.is_null())
    });
    if BY_PRESENCE.contains(&&*name)
        || stated.any(|argument| sense(&directive.name, &argument.name).is_some())
    {
        Direction::Tightened
    } else {
        Direction::Unclear
    }
}

/// What giving the argument another value does; null is the value of an argument that is not given.
pub(super) fn argument(directive: &str, argument: &str, old: &Value, new: &Value) -> Direction {
    let Some(sense) = sense(directive, argument) else {
        return Direction::Unclear;
    };
    match (old.is_null(), new.is_null()) {
        (true, true) => return Direction::Unclear,
        (true, false) => return Direction::Tightened,
        (false, true) => return Direction::Loosened,
        (false, false) => {}
    }
    match (sense, compare(old, new)) {
        (Sense::Lower, Some(Ordering::Less)) | (Sense::Upper, Some(Ordering::Greater)) => {
            Direction::Tightened
        }
        (Sense::Lower, Some(Ordering::Greater)) | (Sense::Upper, Some(Ordering::Less)) => {
            Direction::Loosened
        }
        (Sense::Multiple, Some(_)) if divides(old, new) => Direction::Tightened,
        (Sense::Multiple, Some(_)) if divides(new, old) => Direction::Loosened,
        _ => Direction::Unclear,
    }
}

impl Direction {
    /// The way back.
    pub(super) fn reversed(self) -> Self {
        match self {
            Self::Tightened => Self::Loosened,
            Self::Loosened => Self::Tightened,
            Self::Unclear => Self::Unclear,
        }
    }
}

impl Comparison<'_> {
    /// Judges a change of a constraint by whether the part is given by clients or answered to them.
    pub(super) fn constraint(&self, part: Part, direction: Direction) -> &'static Rule {
        let (is_given, is_answered) = match part {
            Part::Argument(..) | Part::DirectiveArgument(..) | Part::InputField(..) => {
                (true, false)
            }
            Part::Field(..) => (false, true),
            Part::Type(Form::Scalar, name) => self.uses(name),
            _ => (false, false),
        };
        match direction {
            Direction::Tightened if is_given => &rule::INPUT_TIGHTENED,
            Direction::Tightened if is_answered => &rule::OUTPUT_TIGHTENED,
            Direction::Loosened if is_answered => &rule::OUTPUT_LOOSENED,
            Direction::Loosened if is_given => &rule::INPUT_LOOSENED,
            _ => &rule::UNKNOWN_DIRECTIVE,
        }
    }

    /// Whether values of a scalar are given by clients, and whether they are answered, in either
    /// schema.
    fn uses(&self, scalar: &str) -> (bool, bool) {
        let is_it = |ty: &Type| ty.inner_named_type() == scalar;
        let (mut is_given, mut is_answered) = (false, false);
        for tree in [self.old.tree(), self.new.tree()] {
            for definition in tree.types.values() {
                let fields = match definition {
                    ExtendedType::Object(object) => &object.fields,
                    ExtendedType::Interface(interface) => &interface.fields,
                    ExtendedType::InputObject(input) => {
                        is_given |= input.fields.values().any(|field| is_it(&field.ty));
                        continue;
                    }
                    _ => continue,
                };
                for field in fields.values() {
                    is_answered |= is_it(&field.ty);
                    is_given |= field.arguments.iter().any(|argument| is_it(&argument.ty));
                }
            }
        }
        (is_given, is_answered)
    }
}

/// Numbers, also those that stand in a text because they are decimal fractions.
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

/// Whether one integer goes into another without a remainder.
fn divides(divisor: &Value, number: &Value) -> bool {
    let (divisor, number) = (integer(divisor), integer(number));
    match (divisor, number) {
        (Some(divisor), Some(number)) => number.checked_rem(divisor) == Some(0),
        _ => false,
    }
}
