//! The plan of an operation: its root fields, collected and planned once for all requests, unless they depend on
//! variables.

use apollo_compiler::executable::Operation;
use async_graphql::{Name, ServerError, Value, Variables};
use async_graphql_value::Value as InputValue;
use indexmap::{IndexMap, IndexSet};

use crate::{
    cost::ItemsArgument,
    introspection::is_introspection,
    runtime::{CollectedFields, JsonKey, Planner, Root, Step, write_text},
    service::DynService,
};

/// An operation, planned for execution.
pub(crate) struct Executable {
    /// Its merged root fields without introspection fields.
    pub(crate) steps: Box<[Step]>,
    /// The response keys of the root fields, in the order of the document.
    pub(crate) keys: IndexSet<Name>,
    /// The error of a condition of a root field that is null.
    pub(crate) invalid: Option<ServerError>,
    /// The constant data of an operation that selects only `__typename`, as health checks of clients do.
    pub(crate) constant: Option<Box<[u8]>>,
}

impl Executable {
    /// Plans an operation.
    pub(super) fn new(
        service: &dyn DynService,
        planner: &Planner<'_>,
        root: Root,
        operation: &Operation,
        creating_fields: &[&str],
    ) -> Self {
        let collected = planner.collect(&[&operation.selection_set], None);
        let invalid = planner.take_invalid();
        let fields = collected.fields.iter().enumerate();
        let fields = fields.filter(|(_, (_, (field, _)))| !is_introspection(field));
        let mut creations = 0..;
        let steps = fields.map(|(index, (key, (field, sets)))| {
            let mut step = service.plan_field(root, planner, index, key, field, sets);
            if root == Root::Mutation
                && creating_fields.contains(&field.name.as_str())
                && let Some(call) = &mut step.call
            {
                call.creation = creations.next();
            }
            step
        });
        Self {
            steps: steps.collect(),
            keys: collected.fields.keys().map(Name::new).collect(),
            invalid,
            constant: constant(&collected, operation),
        }
    }

    /// The number of items that the root fields of a mutation process.
    pub(crate) fn items(&self, items: Option<ItemsArgument>, variables: &Variables) -> u64 {
        // `__typename` is no field of the type.
        let fields = self.steps.iter().filter(|step| step.field.is_some());
        let items = fields.filter_map(|step| step.call.as_deref()).map(|call| {
            let of_call = items.and_then(|ItemsArgument { name, limit, .. }| {
                let argument = call
                    .arguments
                    .iter()
                    .find(|argument| argument.name == name)?;
                Some(length(&argument.value, variables).clamp(1, limit.into()))
            });
            of_call.unwrap_or(1)
        });
        items.sum()
    }

    /// The size of the data without the values of the root fields.
    pub(crate) fn key_bytes(&self) -> usize {
        let keys = self.keys.iter().map(|key| key.len() + br#""":,"#.len());
        // There is one comma less, and there are two braces.
        keys.sum::<usize>() + 1
    }

    /// Writes the data of a response: the fields of the steps, and those of introspection. Needs no more space than
    /// the data.
    pub(crate) fn write_data(
        &self,
        fields: &[Vec<u8>],
        introspected: &IndexMap<Name, Vec<u8>>,
        json: &mut Vec<u8>,
    ) {
        json.push(b'{');
        let mut fields = self.steps.iter().zip(fields);
        for (index, key) in self.keys.iter().enumerate() {
            if let Some(value) = introspected.get(key) {
                json.extend_from_slice(JsonKey::new(key, index == 0).as_bytes());
                json.extend_from_slice(value);
            } else if let Some((step, value)) = fields.next() {
                json.extend_from_slice(step.json_key.as_bytes());
                json.extend_from_slice(value);
            }
        }
        json.push(b'}');
    }
}

/// The length of a list; a value that is not a list is a list of it.
pub(super) fn length(value: &InputValue, variables: &Variables) -> u64 {
    let items = match value {
        InputValue::List(items) => items.len(),
        InputValue::Variable(name) => match variables.get(name) {
            Some(Value::List(items)) => items.len(),
            _ => 1,
        },
        _ => 1,
    };
    items as u64
}

fn constant(collected: &CollectedFields<'_>, operation: &Operation) -> Option<Box<[u8]>> {
    let mut json = vec![b'{'];
    for (index, (key, (field, _))) in collected.fields.iter().enumerate() {
        if field.name != "__typename" {
            return None;
        }
        JsonKey::new(key, index == 0).write(&mut json);
        write_text(operation.object_type(), &mut json);
    }
    json.push(b'}');
    Some(json.into_boxed_slice())
}
