//! Plans operations: collects and merges the fields of selection sets, and lowers arguments.

use std::{cell::Cell, collections::HashSet};

use apollo_compiler::{
    Node, Schema,
    ast::{self, Type, Value},
    executable::{ExecutableDocument, Field, Selection, SelectionSet},
    parser::SourceSpan,
    schema::ExtendedType,
};
use async_graphql::{Name, Number, Pos, ServerError, Variables};
use async_graphql_value::Value as InputValue;
use indexmap::IndexMap;
use schema::{LineIndex, excerpt};

use super::{
    json::JsonKey,
    plan::{Argument, Call, Invalid, Plan, Step},
};
use crate::position::position;

/// An object type.
pub trait Object {
    /// Its name.
    const NAME: &'static str;
    /// The names of its fields.
    const FIELDS: &'static [&'static str];
    /// The type conditions that apply to it: its own name, its interfaces and unions.
    const CONDITIONS: &'static [&'static str];
    /// Whether its fields are resolved by asynchronous resolvers.
    const HAS_RESOLVERS: bool = false;

    /// Plans the field at this position.
    fn plan_field(_: &Planner<'_>, _field: usize, _: &[&SelectionSet]) -> Plan {
        Plan::Leaf
    }
}

/// A type with fields: an object, an interface or a union.
pub trait Planned {
    /// Plans merged selection sets for values of this type.
    fn plan(planner: &Planner<'_>, sets: &[&SelectionSet]) -> Plan;
}

impl<T: Object> Planned for T {
    fn plan(planner: &Planner<'_>, sets: &[&SelectionSet]) -> Plan {
        planner.object::<T>(sets)
    }
}

/// Plans the selections of an operation with its variables.
pub struct Planner<'a> {
    pub(crate) contract: &'a Schema,
    document: &'a ExecutableDocument,
    /// The line index of its text.
    pub(crate) lines: &'a LineIndex,
    pub(crate) variables: &'a Variables,
    depends_on_variables: Cell<bool>,
    /// The first condition that is null in the selections of the field that is planned.
    invalid: Cell<Option<ServerError>>,
    max_size: PlanSize,
    size: Cell<PlanSize>,
}

/// The size of a plan, in which a fragment counts as often as it is expanded.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PlanSize {
    /// The number of selections.
    pub(crate) selections: u64,
    /// The size of their response keys and arguments, each followed by a separator, in bytes.
    pub(crate) bytes: u64,
}

impl PlanSize {
    /// Without a limit.
    pub(crate) const MAX: Self = Self {
        selections: u64::MAX,
        bytes: u64::MAX,
    };

    /// This size with one selection more.
    pub(crate) fn with(mut self, selection: &Selection) -> Self {
        self.selections += 1;
        if let Selection::Field(field) = selection {
            let arguments = field.arguments.iter();
            let arguments = arguments.filter_map(Node::location);
            let arguments: usize = arguments.map(|span| span.node_len() + 1).sum();
            self.bytes += (field.response_key().len() + 1 + arguments) as u64;
        }
        self
    }

    /// Whether this size is within a maximum.
    pub(crate) fn fits(self, max: Self) -> bool {
        self.selections <= max.selections && self.bytes <= max.bytes
    }
}

impl<'a> Planner<'a> {
    /// Plans selections up to a maximum size. A plan of a larger [`size`](Self::size) is incomplete.
    pub(crate) fn new(
        contract: &'a Schema,
        document: &'a ExecutableDocument,
        lines: &'a LineIndex,
        variables: &'a Variables,
        max_size: PlanSize,
    ) -> Self {
        Self {
            contract,
            document,
            lines,
            variables,
            depends_on_variables: Cell::new(false),
            invalid: Cell::new(None),
            max_size,
            size: Cell::default(),
        }
    }

    /// The size of what was planned.
    pub(crate) fn size(&self) -> PlanSize {
        self.size.get()
    }

    /// Whether `@skip` or `@include` read a variable, so that the plan depends on the variables.
    pub(crate) fn depends_on_variables(&self) -> bool {
        self.depends_on_variables.get()
    }

    /// Takes the error of a condition that is null in the selections that were collected or planned.
    pub(crate) fn take_invalid(&self) -> Option<ServerError> {
        self.invalid.take()
    }

    /// Plans merged selection sets for an object type.
    pub fn object<T: Object>(&self, sets: &[&'a SelectionSet]) -> Plan {
        let fields = self.collect(sets, Some(T::CONDITIONS)).fields;
        let fields = fields.into_iter().enumerate();
        let steps =
            fields.map(|(index, (key, (field, sets)))| self.step::<T>(index, key, field, &sets));
        Plan::Object(steps.collect())
    }

    /// The step of a field with its merged selection sets. A document is valid, so the type has the field.
    pub(crate) fn step<T: Object>(
        &self,
        index: usize,
        key: &str,
        field: &'a Node<Field>,
        sets: &[&'a SelectionSet],
    ) -> Step {
        let position = T::FIELDS.iter().position(|name| field.name == *name);
        let outer = self.take_invalid();
        let plan = position.map_or(Plan::Leaf, |position| T::plan_field(self, position, sets));
        let call = T::HAS_RESOLVERS.then(|| Box::new(self.call(key, field)));
        // The error of a plain object is that of the field whose resolver returns it.
        self.invalid.set(outer.or_else(|| self.take_invalid()));
        Step {
            json_key: JsonKey::new(key, index == 0),
            field: position,
            plan,
            call,
        }
    }

    fn call(&self, key: &str, field: &Node<Field>) -> Call {
        let position = |span| position(self.lines, span);
        let arguments = field.arguments.iter().map(|argument| {
            let definition = field.definition.argument_by_name(&argument.name);
            let ty = definition.map(|definition| &*definition.ty);
            Argument {
                name: Name::new(&argument.name),
                value: literal(self.contract, ty, &argument.value),
                pos: argument
                    .value
                    .location()
                    .map_or_else(Pos::default, position),
            }
        });
        Call {
            creation: None,
            key: Name::new(key),
            pos: field.name.location().map_or_else(Pos::default, position),
            arguments: arguments.collect(),
            invalid: self.take_invalid().map(|error| {
                let is_nullable = !field.ty().is_non_null();
                Box::new(Invalid { error, is_nullable })
            }),
            last_bytes: 0.into(),
        }
    }

    /// Collects the fields of selection sets that are merged (`CollectFields` and `MergeSelectionSets`, GraphQL
    /// specification, sections 6.3.2 and 6.4.3). Without `conditions` every type condition applies.
    pub(crate) fn collect(
        &self,
        sets: &[&'a SelectionSet],
        conditions: Option<&[&str]>,
    ) -> CollectedFields<'a> {
        let mut collected = CollectedFields::default();
        // Nested fragments expand exponentially.
        if self.size().fits(self.max_size) {
            for set in sets {
                collected.add(self, conditions, set);
            }
        }
        collected
    }

    fn count(&self, selection: &Selection) {
        self.size.set(self.size.get().with(selection));
    }

    /// Sets the error of a non-null argument whose variable is null, unless there is an error.
    pub(crate) fn null_argument(
        &self,
        (argument, of): (&str, &str),
        variable: &str,
        location: Option<SourceSpan>,
    ) {
        let pos = location.map(|span| position(self.lines, span));
        let error = || null_argument((argument, of), variable, pos.unwrap_or_default());
        let first = self.take_invalid().unwrap_or_else(error);
        self.invalid.set(Some(first));
    }

    fn includes(&self, directives: &ast::DirectiveList) -> bool {
        includes(directives, |directive, name, location| {
            self.depends_on_variables.set(true);
            let value = self.variables.get(name);
            if let Some(async_graphql::Value::Boolean(value)) = value {
                return *value;
            }
            let of = format!("@{}", directive.name);
            self.null_argument(("if", &of), name, location);
            false
        })
    }
}

/// Evaluates `@skip` and `@include` (GraphQL specification, sections 3.13.1 and 3.13.2), with the value of a variable at
/// a location. The variable can be null: validation permits a nullable one with a default value.
pub(crate) fn includes(
    directives: &ast::DirectiveList,
    variable: impl Fn(&ast::Directive, &str, Option<SourceSpan>) -> bool,
) -> bool {
    let is_true = |directive: &ast::Directive| {
        let condition = directive.specified_argument_by_name("if");
        condition.is_some_and(|condition| match &**condition {
            Value::Boolean(value) => *value,
            Value::Variable(name) => variable(directive, name, condition.location()),
            _ => false,
        })
    };
    !directives.get("skip").is_some_and(|skip| is_true(skip))
        && directives
            .get("include")
            .is_none_or(|include| is_true(include))
}

/// The error of a non-null argument whose variable is null.
pub(crate) fn null_argument((argument, of): (&str, &str), variable: &str, pos: Pos) -> ServerError {
    let variable = excerpt(variable);
    let message =
        format!("${variable} must not be null, the argument {argument:?} of {of} is Boolean!");
    ServerError::new(message, Some(pos))
}

/// A literal of this type. An integer for an ID becomes its text, however long it is.
pub(crate) fn literal(contract: &Schema, ty: Option<&Type>, value: &Value) -> InputValue {
    let named = ty.map(|ty| ty.inner_named_type().as_str());
    match value {
        Value::Null => InputValue::Null,
        Value::Variable(name) => InputValue::Variable(Name::new(name)),
        Value::Enum(name) => InputValue::Enum(Name::new(name)),
        Value::String(text) => InputValue::String(text.clone()),
        Value::Boolean(value) => InputValue::Boolean(*value),
        Value::Int(number) if named == Some("ID") => InputValue::String(number.as_str().to_owned()),
        Value::Int(number) => match number.as_str().parse::<i64>() {
            Ok(number) => InputValue::Number(number.into()),
            Err(_) => float(number.try_to_f64().ok()),
        },
        Value::Float(number) => float(number.try_to_f64().ok()),
        Value::List(items) => {
            let item = ty.map(|ty| if ty.is_list() { ty.item_type() } else { ty });
            let items = items.iter().map(|value| literal(contract, item, value));
            InputValue::List(items.collect())
        }
        Value::Object(members) => {
            let definition = named.and_then(|named| contract.types.get(named));
            let fields = definition.and_then(ExtendedType::as_input_object);
            let members = members.iter().map(|(name, value)| {
                let field = fields.and_then(|object| object.fields.get(name));
                let ty = field.map(|field| &*field.ty);
                (Name::new(name), literal(contract, ty, value))
            });
            InputValue::Object(members.collect())
        }
    }
}

/// A number that is not finite becomes null; validation refuses it.
fn float(number: Option<f64>) -> InputValue {
    number
        .and_then(Number::from_f64)
        .map_or(InputValue::Null, InputValue::Number)
}

/// The fields of an object by their response keys, each with its selection sets to merge.
#[derive(Default)]
pub(crate) struct CollectedFields<'a> {
    pub(crate) fields: IndexMap<&'a str, (&'a Node<Field>, Vec<&'a SelectionSet>)>,
    /// Each fragment is visited once, because expanding nested fragments takes exponential time.
    visited: HashSet<&'a str>,
}

impl<'a> CollectedFields<'a> {
    fn add(&mut self, planner: &Planner<'a>, conditions: Option<&[&str]>, set: &'a SelectionSet) {
        let applies = |ty: &str| conditions.is_none_or(|conditions| conditions.contains(&ty));
        for selection in &set.selections {
            planner.count(selection);
            if !planner.includes(selection.directives()) {
                continue;
            }
            match selection {
                Selection::Field(field) => {
                    let key = field.response_key().as_str();
                    let (_, selected) = self.fields.entry(key).or_insert((field, Vec::new()));
                    selected.push(&field.selection_set);
                }
                Selection::InlineFragment(fragment) => {
                    if fragment
                        .type_condition
                        .as_ref()
                        .is_none_or(|ty| applies(ty))
                    {
                        self.add(planner, conditions, &fragment.selection_set);
                    }
                }
                Selection::FragmentSpread(spread) => {
                    let fragment = planner.document.fragments.get(&spread.fragment_name);
                    if let Some(fragment) = fragment
                        && self.visited.insert(spread.fragment_name.as_str())
                        && applies(fragment.type_condition())
                    {
                        self.add(planner, conditions, &fragment.selection_set);
                    }
                }
            }
        }
    }
}
