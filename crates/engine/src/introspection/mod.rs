//! Executes introspection, `__schema` and `__type`, with limits of cost and response size.
//!
//! Introspection types refer to each other, so a short query can select a response of any size. The response
//! is rendered field by field, and the execution stops when it exceeds a limit.

mod definitions;
mod schema;

use std::{sync::Arc, vec};

use apollo_compiler::{
    Name as ApolloName, Node,
    ast::Value as Literal,
    collections::HashMap,
    executable::{Field, Operation, SelectionSet},
    schema::Implementers,
};
use async_graphql::{Name, PathSegment, ServerError, Value as EngineValue};
use indexmap::IndexMap;
use tokio::task::yield_now;

pub(super) use self::definitions::schema;
use self::schema::{IntrospectedSchema, Object, Value};
use crate::{
    position::position,
    runtime::{Planner, write_text},
};

/// The number of fields after which the task yields to other tasks: well below a millisecond.
const FIELDS_BETWEEN_YIELDS: u64 = 1024;

/// Whether clients may query `__schema` and `__type`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Introspection {
    /// Introspection is enabled.
    On,
    /// Introspection is refused.
    Off,
}

/// Whether a root field is `__schema` or `__type`.
pub(crate) fn is_introspection(field: &Field) -> bool {
    matches!(field.name.as_str(), "__schema" | "__type")
}

/// The result of `__schema` and `__type`.
#[derive(Default)]
pub(super) struct Introspected {
    /// The fields as JSON.
    pub(super) members: IndexMap<Name, Vec<u8>>,
    pub(super) errors: Vec<ServerError>,
    /// Whether a non-null field is null, and therefore the data.
    pub(super) is_null: bool,
}

impl Introspected {
    pub(super) fn bytes(&self) -> usize {
        self.members.values().map(Vec::len).sum()
    }
}

/// The execution of the introspection fields of one request.
pub(super) struct IntrospectionExecution<'a> {
    schema: IntrospectedSchema<'a>,
    planner: Planner<'a>,
    limits: Limits,
    /// The cost of the execution so far: one for each field of each object, and one for each selection that
    /// was merged into another one.
    pub(super) cost: u64,
    /// Errors of root fields with invalid arguments or conditions.
    pub(super) errors: Vec<ServerError>,
    /// Whether a non-null root field has an error.
    pub(super) is_null: bool,
    rendered_bytes: usize,
    yielded_at: u64,
}

/// The limits of an execution.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// The maximum cost.
    pub(super) cost: u64,
    /// The maximum size of the JSON in bytes.
    pub(super) bytes: usize,
}

/// A limit was exceeded.
#[derive(Clone, Copy, Debug)]
pub(super) struct LimitExceeded;

/// The selected fields of an object, or of every object of a list.
type Plan<'a> = Arc<[(&'a Node<Field>, Vec<&'a SelectionSet>)]>;

/// A frame of the explicit stack: suspending a recursive future would need an allocation for each level.
enum Frame<'a> {
    Object {
        object: Object<'a>,
        plan: Plan<'a>,
        next: usize,
    },
    List {
        objects: vec::IntoIter<Object<'a>>,
        plan: Plan<'a>,
    },
}

impl<'a> IntrospectionExecution<'a> {
    pub(super) fn new(
        planner: Planner<'a>,
        implementers: &'a HashMap<ApolloName, Implementers>,
        limits: Limits,
    ) -> Self {
        let schema = planner.contract;
        Self {
            schema: IntrospectedSchema {
                schema,
                implementers,
            },
            planner,
            limits,
            cost: 0,
            errors: Vec::new(),
            is_null: false,
            rendered_bytes: 0,
            yielded_at: 0,
        }
    }

    /// Executes the introspection fields of an operation. The results are JSON.
    pub(super) async fn execute(
        &mut self,
        operation: &'a Operation,
    ) -> Result<IndexMap<Name, Vec<u8>>, LimitExceeded> {
        let fields = self.plan(&[&operation.selection_set])?;
        let mut members = IndexMap::new();
        for (field, sets) in fields.iter().filter(|(field, _)| is_introspection(field)) {
            let value = match field.name.as_str() {
                "__schema" => Value::Object(self.schema.root()),
                _ => self.named_type(field),
            };
            let mut json = self.render(value, sets).await?;
            if let Some(mut error) = self.planner.take_invalid() {
                error.path = vec![PathSegment::Field(field.response_key().to_string())];
                self.errors.push(error);
                self.is_null |= field.ty().is_non_null();
                json = b"null".to_vec();
            }
            self.rendered_bytes += json.len();
            if self.rendered_bytes > self.limits.bytes {
                return Err(LimitExceeded);
            }
            let key = Name::new(field.response_key());
            members.insert(key, json);
        }
        Ok(members)
    }

    /// Resolves `__type`.
    fn named_type(&mut self, field: &Node<Field>) -> Value<'a> {
        let name = match argument(field, "name") {
            Some(Literal::String(name)) => Some(name.as_str()),
            Some(Literal::Variable(name)) => match self.planner.variables.get(name.as_str()) {
                Some(EngineValue::String(name)) => Some(name.as_str()),
                _ => None,
            },
            _ => None,
        };
        if let Some(name) = name {
            return self.schema.named(name).into();
        }
        // Validation accepts a nullable variable with a default value, which can be null.
        let position = field
            .location()
            .map(|span| position(self.planner.lines, span));
        let mut error = ServerError::new("name must not be null", position);
        error.path = vec![PathSegment::Field(field.response_key().to_string())];
        self.errors.push(error);
        Value::Null
    }

    /// Renders a value with its selection sets.
    async fn render(
        &mut self,
        value: Value<'a>,
        sets: &[&'a SelectionSet],
    ) -> Result<Vec<u8>, LimitExceeded> {
        let (mut json, mut stack) = (Vec::new(), Vec::new());
        stack.extend(self.start(value, sets, &mut json)?);
        while let Some(frame) = stack.pop() {
            match frame {
                Frame::Object { object, plan, next } => {
                    let Some((field, sets)) = plan.get(next) else {
                        json.push(b'}');
                        continue;
                    };
                    separate(&mut json);
                    write_text(field.response_key(), &mut json);
                    json.push(b':');
                    self.charge(1)?;
                    let include_deprecated = self.includes_deprecated(field);
                    let value = self.schema.field(object, &field.name, include_deprecated);
                    let nested = self.start(value, sets, &mut json)?;
                    let next = next + 1;
                    stack.push(Frame::Object { object, plan, next });
                    stack.extend(nested);
                }
                Frame::List { mut objects, plan } => match objects.next() {
                    None => json.push(b']'),
                    Some(object) => {
                        separate(&mut json);
                        json.push(b'{');
                        let next = 0;
                        let rest = Frame::List {
                            objects,
                            plan: Arc::clone(&plan),
                        };
                        stack.extend([rest, Frame::Object { object, plan, next }]);
                    }
                },
            }
            if self.rendered_bytes + json.len() > self.limits.bytes {
                return Err(LimitExceeded);
            }
            if self.cost - self.yielded_at >= FIELDS_BETWEEN_YIELDS {
                self.yielded_at = self.cost;
                yield_now().await;
            }
        }
        Ok(json)
    }

    /// Renders a leaf value, or returns the frame of a value with selection sets.
    fn start(
        &mut self,
        value: Value<'a>,
        sets: &[&'a SelectionSet],
        json: &mut Vec<u8>,
    ) -> Result<Option<Frame<'a>>, LimitExceeded> {
        match value {
            Value::Null => json.extend_from_slice(b"null"),
            Value::Boolean(value) => {
                json.extend_from_slice(if value { b"true" } else { b"false" });
            }
            Value::Text(text) => write_text(&text, json),
            Value::Names(names) => {
                json.push(b'[');
                for name in names {
                    separate(json);
                    write_text(name, json);
                }
                json.push(b']');
            }
            Value::List(objects) if objects.is_empty() => json.extend_from_slice(b"[]"),
            Value::List(objects) => {
                json.push(b'[');
                return Ok(Some(Frame::List {
                    objects: objects.into_iter(),
                    plan: self.plan(sets)?,
                }));
            }
            Value::Object(object) => {
                json.push(b'{');
                return Ok(Some(Frame::Object {
                    object,
                    plan: self.plan(sets)?,
                    next: 0,
                }));
            }
        }
        Ok(None)
    }

    /// Collects the fields of selection sets that are merged.
    fn plan(&mut self, sets: &[&'a SelectionSet]) -> Result<Plan<'a>, LimitExceeded> {
        // Introspection types are object types, so every type condition applies.
        let before = self.planner.selections();
        let fields = self.planner.collect(sets, None).fields;
        let visited = self.planner.selections() - before;
        self.charge(visited.saturating_sub(fields.len() as u64))?;
        Ok(fields.into_values().collect())
    }

    fn charge(&mut self, cost: u64) -> Result<(), LimitExceeded> {
        self.cost += cost;
        if self.cost > self.limits.cost {
            return Err(LimitExceeded);
        }
        Ok(())
    }

    fn includes_deprecated(&self, field: &Field) -> bool {
        match argument(field, "includeDeprecated") {
            Some(Literal::Boolean(value)) => *value,
            Some(Literal::Variable(name)) => match self.planner.variables.get(name.as_str()) {
                Some(EngineValue::Null) => {
                    let argument = ("includeDeprecated", field.name.as_str());
                    self.planner
                        .null_argument(argument, name, field.name.location());
                    false
                }
                value => value == Some(&EngineValue::Boolean(true)),
            },
            _ => false,
        }
    }
}

/// Writes a comma unless an object or a list has just begun.
fn separate(json: &mut Vec<u8>) {
    if !matches!(json.last(), Some(b'{' | b'[')) {
        json.push(b',');
    }
}

fn argument<'f>(field: &'f Field, name: &str) -> Option<&'f Literal> {
    let argument = field.specified_argument_by_name(name);
    argument.map(|value| &**value)
}

#[cfg(test)]
mod tests;
