//! Straight-line resolving: a selection set is planned once and applied to each value by a loop,
//! without futures. A value becomes a tree of async-graphql, or, where the request brings its plans,
//! JSON text at once.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

use async_graphql::{
    Context, ContextSelectionSet, Error, ID, Name, OutputType, Positioned, ServerError,
    ServerResult, Value,
    indexmap::IndexMap,
    parser::types::{Field as SelectedField, FragmentDefinition, Selection, SelectionSet},
};

use super::{
    json::{write_key, write_list, write_text, write_value},
    plans::Plans,
};

/// The fragments of a document.
pub type Fragments = HashMap<Name, Positioned<FragmentDefinition>>;

/// The error of a resolver, with the place and path of its field.
pub(crate) fn failed(ctx: &Context<'_>, error: impl Into<Error>) -> ServerError {
    ctx.set_error_path(error.into().into_server_error(ctx.item.pos))
}

/// Ends an error at a field that may be null (GraphQL specification, section 6.4.4).
pub(crate) fn nullable(ctx: &Context<'_>, result: ServerResult<Value>) -> Value {
    result.unwrap_or_else(|error| {
        ctx.add_error(error);
        Value::Null
    })
}

/// Resolves an answer that needs resolvers of its own.
pub(crate) async fn resolve<T: OutputType>(ctx: &Context<'_>, answer: &T) -> ServerResult<Value> {
    let selected = ctx.with_selection_set(&ctx.item.node.selection_set);
    answer.resolve(&selected, ctx.item).await
}

/// Resolves an answer that is complete: a straight loop, no futures.
pub(crate) fn answer<T: Plain>(ctx: &Context<'_>, answer: T) -> ServerResult<Value> {
    if let Some(planned) = Plans::find(ctx) {
        return Ok(planned.json(&answer));
    }
    let fragments = &ctx.query_env.fragments;
    let plan = T::plan(fragments, &[&ctx.item.node.selection_set.node])?;
    Ok(answer.into_value(&plan))
}

/// `answer`, for a value that async-graphql holds.
pub(crate) fn answer_borrowed<T: Plain>(
    ctx: &ContextSelectionSet<'_>,
    answer: &T,
) -> ServerResult<Value> {
    let plan = T::plan(&ctx.query_env.fragments, &[&ctx.item.node])?;
    Ok(answer.value(&plan))
}

/// What a selection set asks of a value, worked out once and then applied to every item of a list.
pub enum Plan {
    /// A value without fields.
    Leaf,
    /// The fields of an object.
    Object(Vec<Step>),
    /// The fields for each object type that a union or an interface may be, in its order.
    Abstract(Vec<Vec<Step>>),
}

/// One field of an object as it was asked for.
pub struct Step {
    key: Name,
    /// The key as JSON, with the comma before it and the colon behind it.
    json_key: Box<[u8]>,
    /// The position of the field in the type, or none for `__typename`.
    field: Option<usize>,
    plan: Plan,
}

/// An output type whose values are complete: resolving them waits for nothing and cannot fail.
pub(crate) trait Plain: OutputType {
    /// Works out what the selection sets, which are merged, ask of a value of this type.
    fn plan(_: &Fragments, _: &[&SelectionSet]) -> ServerResult<Plan> {
        Ok(Plan::Leaf)
    }

    /// What is asked of this value.
    fn value(&self, plan: &Plan) -> Value;

    /// `value`, without copying what can be moved.
    fn into_value(self, plan: &Plan) -> Value
    where
        Self: Sized,
    {
        self.value(plan)
    }

    /// Writes what is asked of this value as JSON.
    fn write(&self, plan: &Plan, json: &mut Vec<u8>);
}

/// A plain object type.
pub(crate) trait PlainObject: OutputType {
    /// Its name.
    const NAME: &'static str;
    /// The names of its fields.
    const FIELDS: &'static [&'static str];
    /// The type conditions that hold for it: its own name, its interfaces and unions.
    const CONDITIONS: &'static [&'static str];

    /// Plans the field at this position.
    fn plan_field(_: &Fragments, _field: usize, _: &[&SelectionSet]) -> ServerResult<Plan> {
        Ok(Plan::Leaf)
    }

    /// The value of the field at this position.
    fn field(&self, field: usize, plan: &Plan) -> Value;

    /// Writes the field at this position as JSON.
    fn write_field(&self, field: usize, plan: &Plan, json: &mut Vec<u8>);
}

/// Plans an object: `CollectFields` and `MergeSelectionSets` of the GraphQL specification
/// (sections 6.3.2 and 6.4.3). What `@skip` and `@include` leave out is gone already.
pub(crate) fn steps<T: PlainObject>(
    fragments: &Fragments,
    selections: &[&SelectionSet],
) -> ServerResult<Vec<Step>> {
    let mut selected = Selected::default();
    for selection_set in selections {
        selected.collect::<T>(fragments, selection_set)?;
    }
    let mut steps = Vec::with_capacity(selected.fields.len());
    for (key, (field, selections)) in selected.fields {
        let name = field.node.name.node.as_str();
        let (field, plan) = if name == "__typename" {
            (None, Plan::Leaf)
        } else {
            let Some(position) = T::FIELDS.iter().position(|known| *known == name) else {
                let message = format!("Cannot query field {name:?} on type {:?}.", T::NAME);
                return Err(ServerError::new(message, Some(field.pos)));
            };
            let plan = T::plan_field(fragments, position, &selections)?;
            (Some(position), plan)
        };
        steps.push(Step {
            json_key: write_key(&key, steps.is_empty()),
            key,
            field,
            plan,
        });
    }
    Ok(steps)
}

/// The fields of an object by their response keys, each with everything that is selected of it.
#[derive(Default)]
struct Selected<'a> {
    fields: IndexMap<Name, (&'a Positioned<SelectedField>, Vec<&'a SelectionSet>)>,
    /// Each fragment counts once: written out, fragments in fragments grow exponentially.
    visited: HashSet<&'a str>,
}

impl<'a> Selected<'a> {
    fn collect<T: PlainObject>(
        &mut self,
        fragments: &'a Fragments,
        selection_set: &'a SelectionSet,
    ) -> ServerResult<()> {
        for selection in &selection_set.items {
            let (condition, selection_set) = match &selection.node {
                Selection::Field(field) => {
                    let key = field.node.response_key().node.clone();
                    let (_, selections) = self
                        .fields
                        .entry(key)
                        .or_insert_with(|| (field, Vec::new()));
                    selections.push(&field.node.selection_set.node);
                    continue;
                }
                Selection::InlineFragment(fragment) => (
                    fragment.node.type_condition.as_ref(),
                    &fragment.node.selection_set,
                ),
                Selection::FragmentSpread(spread) => {
                    let name = &spread.node.fragment_name.node;
                    let Some(fragment) = fragments.get(name) else {
                        let message = format!("Unknown fragment {:?}.", name.as_str());
                        return Err(ServerError::new(message, Some(spread.pos)));
                    };
                    if !self.visited.insert(name.as_str()) {
                        continue;
                    }
                    (
                        Some(&fragment.node.type_condition),
                        &fragment.node.selection_set,
                    )
                }
            };
            let applies = condition
                .is_none_or(|condition| T::CONDITIONS.contains(&condition.node.on.node.as_str()));
            if applies {
                self.collect::<T>(fragments, &selection_set.node)?;
            }
        }
        Ok(())
    }
}

/// The value of an object: one entry for each step.
pub(crate) fn object<T: PlainObject>(object: &T, steps: &[Step]) -> Value {
    let mut members = IndexMap::with_capacity(steps.len());
    for step in steps {
        let value = match step.field {
            Some(field) => object.field(field, &step.plan),
            None => Value::String(T::NAME.to_owned()),
        };
        members.insert(step.key.clone(), value);
    }
    Value::Object(members)
}

/// `object`, as JSON.
pub(crate) fn write_object<T: PlainObject>(object: &T, steps: &[Step], json: &mut Vec<u8>) {
    json.push(b'{');
    for step in steps {
        json.extend_from_slice(&step.json_key);
        match step.field {
            Some(field) => object.write_field(field, &step.plan, json),
            None => write_text(T::NAME, json),
        }
    }
    json.push(b'}');
}

impl<T: Plain> Plain for Option<T> {
    fn plan(fragments: &Fragments, selections: &[&SelectionSet]) -> ServerResult<Plan> {
        T::plan(fragments, selections)
    }

    fn value(&self, plan: &Plan) -> Value {
        self.as_ref().map_or(Value::Null, |value| value.value(plan))
    }

    fn into_value(self, plan: &Plan) -> Value {
        self.map_or(Value::Null, |value| value.into_value(plan))
    }

    fn write(&self, plan: &Plan, json: &mut Vec<u8>) {
        match self {
            Some(value) => value.write(plan, json),
            None => json.extend_from_slice(b"null"),
        }
    }
}

impl<T: Plain> Plain for Vec<T> {
    fn plan(fragments: &Fragments, selections: &[&SelectionSet]) -> ServerResult<Plan> {
        T::plan(fragments, selections)
    }

    fn value(&self, plan: &Plan) -> Value {
        Value::List(self.iter().map(|value| value.value(plan)).collect())
    }

    fn into_value(self, plan: &Plan) -> Value {
        Value::List(
            self.into_iter()
                .map(|value| value.into_value(plan))
                .collect(),
        )
    }

    fn write(&self, plan: &Plan, json: &mut Vec<u8>) {
        write_list(self, json, |value, json| value.write(plan, json));
    }
}

impl<T: Plain> Plain for Box<T> {
    fn plan(fragments: &Fragments, selections: &[&SelectionSet]) -> ServerResult<Plan> {
        T::plan(fragments, selections)
    }

    fn value(&self, plan: &Plan) -> Value {
        T::value(self, plan)
    }

    fn write(&self, plan: &Plan, json: &mut Vec<u8>) {
        T::write(self, plan, json);
    }
}

impl Plain for String {
    fn value(&self, _: &Plan) -> Value {
        Value::String(self.clone())
    }

    fn into_value(self, _: &Plan) -> Value {
        Value::String(self)
    }

    fn write(&self, _: &Plan, json: &mut Vec<u8>) {
        write_text(self, json);
    }
}

impl Plain for Cow<'_, str> {
    fn value(&self, _: &Plan) -> Value {
        Value::String(self.to_string())
    }

    fn into_value(self, _: &Plan) -> Value {
        Value::String(self.into_owned())
    }

    fn write(&self, _: &Plan, json: &mut Vec<u8>) {
        write_text(self, json);
    }
}

impl Plain for ID {
    fn value(&self, _: &Plan) -> Value {
        Value::String(self.0.clone())
    }

    fn into_value(self, _: &Plan) -> Value {
        Value::String(self.0)
    }

    fn write(&self, _: &Plan, json: &mut Vec<u8>) {
        write_text(&self.0, json);
    }
}

impl Plain for bool {
    fn value(&self, _: &Plan) -> Value {
        Value::Boolean(*self)
    }

    fn write(&self, plan: &Plan, json: &mut Vec<u8>) {
        write_value(&self.value(plan), json);
    }
}

impl Plain for i32 {
    fn value(&self, _: &Plan) -> Value {
        Value::from(*self)
    }

    fn write(&self, plan: &Plan, json: &mut Vec<u8>) {
        write_value(&self.value(plan), json);
    }
}

impl Plain for f64 {
    fn value(&self, _: &Plan) -> Value {
        Value::from(*self)
    }

    fn write(&self, plan: &Plan, json: &mut Vec<u8>) {
        write_value(&self.value(plan), json);
    }
}
