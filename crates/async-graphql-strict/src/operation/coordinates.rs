//! The [coordinates](https://spec.graphql.org/September2025/#sec-Schema-Coordinates) of the fields, arguments, input fields
//! and enum values that a document names, and of the input objects and enums of its variables.

use std::collections::{BTreeSet, HashSet};

use apollo_compiler::{
    Schema,
    ast::Type,
    executable::{ExecutableDocument, Selection, SelectionSet},
    schema::ExtendedType,
};
use async_graphql::{Value, Variables};

use super::variables::value;

/// The coordinates that a document names, whatever the values of its variables: without one of them it is not valid, whichever
/// operation is executed.
pub(crate) fn of_document(schema: &Schema, document: &ExecutableDocument) -> BTreeSet<String> {
    let (mut found, mut visited, mut pending) = (BTreeSet::new(), HashSet::new(), Vec::new());
    for operation in document.operations.iter() {
        let types = operation.variables.iter().map(|variable| variable.ty.inner_named_type());
        let types = types.filter(|name| schema.types.get(*name).is_some_and(|ty| !ty.is_scalar()));
        found.extend(types.map(ToString::to_string));
        pending.push(&operation.selection_set);
    }
    while let Some(set) = pending.pop() {
        for selection in &set.selections {
            match selection {
                Selection::Field(_) => {
                    pending.extend(of_field(schema, set, selection, &mut found));
                }
                Selection::InlineFragment(inline) => pending.push(&inline.selection_set),
                Selection::FragmentSpread(spread) => {
                    let fragment = document.fragments.get(&spread.fragment_name);
                    let fragment = fragment.filter(|_| visited.insert(&spread.fragment_name));
                    pending.extend(fragment.map(|fragment| &fragment.selection_set));
                }
            }
        }
    }
    found
}

/// Adds those of a field and its arguments, and returns its selections. Introspection is no part of the contract.
fn of_field<'a>(
    schema: &Schema,
    parent: &SelectionSet,
    selection: &'a Selection,
    found: &mut BTreeSet<String>,
) -> Option<&'a SelectionSet> {
    let field = selection.as_field().filter(|field| !field.name.starts_with("__"))?;
    let coordinate = format!("{}.{}", parent.ty, field.name);
    for argument in &field.arguments {
        found.insert(format!("{coordinate}({}:)", argument.name));
        if let Some(definition) = field.definition.argument_by_name(&argument.name) {
            let ty = &definition.ty;
            let literal = value(schema, &Variables::default(), Some(ty), &argument.value);
            of_value(schema, ty, &literal.unwrap_or_default(), found);
        }
    }
    found.insert(coordinate);
    Some(&field.selection_set)
}

/// Adds the input fields and enum values in a value of this type.
fn of_value(schema: &Schema, ty: &Type, value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::List(items) => {
            for item in items {
                of_value(schema, ty, item, found);
            }
        }
        Value::Enum(name) => {
            found.insert(format!("{}.{name}", ty.inner_named_type()));
        }
        Value::Object(members) => {
            let input = schema.types.get(ty.inner_named_type());
            let fields = input.and_then(ExtendedType::as_input_object);
            let fields = fields.map(|input| &input.fields).into_iter().flatten();
            for (name, field) in fields {
                if let Some(member) = members.get(name.as_str()) {
                    found.insert(format!("{}.{name}", ty.inner_named_type()));
                    of_value(schema, &field.ty, member, found);
                }
            }
        }
        _ => {}
    }
}
