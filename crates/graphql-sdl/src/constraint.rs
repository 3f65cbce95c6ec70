//! Constraints on values: the directive `@constraint`, whose arguments have the names and the meaning of the
//! library graphql-constraint-directive. Lengths count Unicode scalar values.

use std::fmt;

use apollo_compiler::{
    Node,
    ast::{Directive, Type, Value},
    parser::SourceSpan,
};

use crate::{Element, Schema};

/// An argument of `@constraint` that is a number.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Limit {
    /// The minimum number of characters of a text.
    MinLength,
    /// The maximum number of characters of a text.
    MaxLength,
    /// The minimum of a number.
    Min,
    /// The maximum of a number.
    Max,
    /// The minimum number of items of a list.
    MinItems,
    /// The maximum number of items of a list.
    MaxItems,
}

/// What a pair of limits bounds.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Measure {
    /// The number of characters of a text, or of each text in a list.
    Length,
    /// A number, or each number in a list.
    Number,
    /// The number of items of a list.
    Items,
}

impl Limit {
    /// Every limit.
    pub const ALL: [Self; 6] = [Self::MinLength, Self::MaxLength, Self::Min, Self::Max, Self::MinItems, Self::MaxItems];

    /// The name of the argument.
    pub fn name(self) -> &'static str {
        match self {
            Self::MinLength => "minLength",
            Self::MaxLength => "maxLength",
            Self::Min => "min",
            Self::Max => "max",
            Self::MinItems => "minItems",
            Self::MaxItems => "maxItems",
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl Measure {
    /// Every measure.
    pub const ALL: [Self; 3] = [Self::Length, Self::Number, Self::Items];

    /// The lower and the upper limit.
    pub fn limits(self) -> [Limit; 2] {
        match self {
            Self::Length => [Limit::MinLength, Limit::MaxLength],
            Self::Number => [Limit::Min, Limit::Max],
            Self::Items => [Limit::MinItems, Limit::MaxItems],
        }
    }

    /// Why values of this type do not have the measure.
    fn mismatch(self, ty: &Type) -> Option<&'static str> {
        let named = ty.inner_named_type().as_str();
        let (fits, expected) = match self {
            Self::Length => (matches!(named, "String" | "ID"), "String or ID"),
            Self::Number => (matches!(named, "Int" | "Float"), "Int or Float"),
            Self::Items => (ty.is_list(), "a list"),
        };
        (!fits).then_some(expected)
    }
}

/// A problem of a constraint: its source, and a message.
pub type ConstraintProblem = (Option<SourceSpan>, String);

/// What `@constraint` states about the values of an argument, an input field or a field.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint<'a> {
    /// The source of the directive.
    pub span: Option<SourceSpan>,
    /// The stated limits, in the order of [`Limit::ALL`].
    pub limits: Vec<(Limit, f64)>,
    /// The regular expression that texts match.
    pub pattern: Option<&'a str>,
    /// The name of the format that texts have.
    pub format: Option<&'a str>,
}

impl<'a> Constraint<'a> {
    /// The name of the directive.
    pub const DIRECTIVE: &'static str = "constraint";

    /// The names of the arguments that are texts.
    pub const TEXTS: [&'static str; 2] = ["pattern", "format"];

    /// The constraint on an element, if it has one.
    ///
    /// # Errors
    ///
    /// Every problem: limits that its type does not have, that no value meets or that its default value violates. A
    /// pattern or format is not applied to the default value.
    pub fn of(schema: &'a Schema, element: Element<'a>) -> Result<Option<Self>, Vec<ConstraintProblem>> {
        let Some(ty) = element.ty() else {
            return Ok(None);
        };
        let mut reader = Reader { schema, problems: Vec::new() };
        let found = reader.find(&element.directives(), ty);
        if let Some(input) = element.input()
            && let Some(value) = &input.default_value
        {
            // The limits of the fields of an object are read here, and reported where they are stated.
            let mut defaults = Reader { schema, problems: Vec::new() };
            let violations = defaults.violations(found.as_ref(), ty, value);
            reader.problems.extend(violations.into_iter().map(|violation| {
                let message = format!("the default value of \"{}\" violates @constraint({violation})", input.name);
                (value.location(), message)
            }));
        }
        if reader.problems.is_empty() { Ok(found) } else { Err(reader.problems) }
    }

    /// The number that the constraint states as this limit.
    pub fn limit(&self, limit: Limit) -> Option<f64> {
        self.limits.iter().find(|(found, _)| *found == limit).map(|(_, number)| *number)
    }

    /// The limit that this number violates, as an argument of the directive.
    fn violation(&self, measure: Measure, number: f64) -> Option<String> {
        let [lower, upper] = measure.limits();
        let below = self.limit(lower).filter(|min| number < *min);
        let above = self.limit(upper).filter(|max| number > *max);
        below.map(|min| format!("{lower}: {min}")).or_else(|| above.map(|max| format!("{upper}: {max}")))
    }
}

struct Reader<'a> {
    schema: &'a Schema,
    problems: Vec<ConstraintProblem>,
}

impl<'a> Reader<'a> {
    fn find(&mut self, directives: &[&'a Node<Directive>], ty: &Type) -> Option<Constraint<'a>> {
        let directive = directives.iter().copied().find(|applied| applied.name == Constraint::DIRECTIVE)?;
        let limits = Limit::ALL.into_iter().filter_map(|limit| {
            let value = self.argument(directive, limit.name())?;
            Some((limit, self.number(limit, value, ty)?))
        });
        let limits = limits.collect();
        let [pattern, format] = Constraint::TEXTS.map(|name| self.text(name, self.argument(directive, name)?, ty));
        let constraint = Constraint { span: directive.location(), limits, pattern, format };
        for [lower, upper] in Measure::ALL.map(Measure::limits) {
            if let (Some(min), Some(max)) = (constraint.limit(lower), constraint.limit(upper))
                && min > max
            {
                let message = format!(
                    "@constraint({lower}: {min}, {upper}: {max}) has no valid value; correct one of the limits"
                );
                self.problems.push((directive.location(), message));
            }
        }
        Some(constraint)
    }

    /// The value of an argument: as given, or its default value. Null is no value.
    fn argument(&self, directive: &'a Directive, name: &str) -> Option<&'a Node<Value>> {
        let value = directive.argument_by_name(name, self.schema.tree());
        value.ok().filter(|value| !value.is_null())
    }

    fn number(&mut self, limit: Limit, value: &Node<Value>, ty: &Type) -> Option<f64> {
        let measure = Measure::ALL.into_iter();
        let mut measure = measure.filter(|measure| measure.limits().contains(&limit));
        let measure = measure.next().expect("every limit bounds a measure");
        let is_int = measure == Measure::Number && ty.inner_named_type() == "Int";
        let number = match &**value {
            Value::Int(number) => number.try_to_f64().ok(),
            Value::Float(number) => number.try_to_f64().ok(),
            _ => None,
        };
        let (range, expected) = match measure {
            _ if is_int => (f64::from(i32::MIN)..=f64::from(i32::MAX), "a 32-bit integer"),
            Measure::Number => (f64::MIN..=f64::MAX, "a number"),
            _ => (0.0..=f64::from(u32::MAX), "a 32-bit integer from 0"),
        };
        let is_whole = |number: f64| number.fract() == 0.0;
        let fits =
            |number: &f64| range.contains(number) && (is_whole(*number) || measure == Measure::Number && !is_int);
        let message = if let Some(expected) = measure.mismatch(ty) {
            format!("@constraint({limit}:) needs {expected}, not {ty}; remove it")
        } else if let Some(number) = number.filter(fits) {
            return Some(number);
        } else {
            let value = value.serialize().no_indent().to_string();
            let value = crate::excerpt(&value);
            format!("@constraint({limit}: {value}) needs {expected}; correct it")
        };
        self.problems.push((value.location(), message));
        None
    }

    fn text(&mut self, name: &str, value: &'a Node<Value>, ty: &Type) -> Option<&'a str> {
        let message = match (Measure::Length.mismatch(ty), value.as_str()) {
            (None, Some(text)) => return Some(text),
            (Some(expected), _) => {
                format!("@constraint({name}:) needs {expected}, not {ty}; remove it")
            }
            (None, None) => format!("@constraint({name}:) needs a text; correct it"),
        };
        self.problems.push((value.location(), message));
        None
    }

    /// The limits that a value of this type violates, those of the fields of objects included.
    fn violations(&mut self, constraint: Option<&Constraint>, ty: &Type, value: &'a Value) -> Vec<String> {
        let mut found = Vec::new();
        let mut check = |measure, number| {
            let violation = constraint.and_then(|constraint| constraint.violation(measure, number));
            found.extend(violation);
        };
        if ty.is_list() && !value.is_null() {
            // A single value is coerced to a list of one item.
            check(Measure::Items, value.as_list().map_or(1.0, |items| count(items.len())));
        }
        let (mut pending, mut objects) = (vec![value], Vec::new());
        while let Some(value) = pending.pop() {
            match value {
                Value::List(items) => pending.extend(items.iter().map(|item| &**item)),
                Value::Object(fields) => objects.extend(fields),
                Value::String(text) => check(Measure::Length, count(text.chars().count())),
                Value::Int(digits) if ty.inner_named_type() == "ID" => {
                    check(Measure::Length, count(digits.as_str().len()));
                }
                Value::Int(digits) => check(Measure::Number, digits.try_to_f64().unwrap_or(0.0)),
                Value::Float(digits) => check(Measure::Number, digits.try_to_f64().unwrap_or(0.0)),
                Value::Null | Value::Boolean(_) | Value::Enum(_) | Value::Variable(_) => {}
            }
        }
        if let Some(input) = self.schema.tree().get_input_object(ty.inner_named_type()) {
            for (name, value) in objects {
                if let Some(field) = input.fields.get(name) {
                    let directives: Vec<_> = field.directives.iter().collect();
                    let constraint = self.find(&directives, &field.ty);
                    found.extend(self.violations(constraint.as_ref(), &field.ty, value));
                }
            }
        }
        found
    }
}

#[expect(clippy::cast_precision_loss, reason = "a default value has fewer than 2^52 characters")]
fn count(count: usize) -> f64 {
    count as f64
}
