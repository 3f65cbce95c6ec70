//! Compares the constraints of the contract with the columns that store the values.

use std::collections::BTreeSet;

use database::{Column, ColumnType};
use schema::{Constraint, Element, Limit, Schema};

use super::{
    drift::{Drift, located},
    field::Field,
};

/// The constraints that the column does not guarantee: on the field, for values that it returns, and on the arguments
/// and input fields of this name with which mutations change the type.
pub(super) fn mismatches(contract: &Schema, field: &Field, column: &Column) -> Vec<Drift> {
    let mut drifts = Vec::new();
    for element in stored_as(contract, field) {
        // A wrong constraint does not compile, and `schema-review lint` reports it.
        let Ok(Some(constraint)) = Constraint::of(contract, element) else {
            continue;
        };
        let fits = |max_length: f64| match (&column.ty, element) {
            (ColumnType::Text { characters }, Element::Field(..)) => {
                characters.is_some_and(|max| f64::from(max) <= max_length)
            }
            (ColumnType::Text { characters }, _) => {
                characters.is_none_or(|max| max_length <= f64::from(max))
            }
            _ => true,
        };
        let is_date = column.ty == ColumnType::Date;
        let max_length = constraint.limit(Limit::MaxLength).filter(|max| !fits(*max));
        let format = constraint.format;
        let format = format.filter(|format| (*format == "date") != is_date);
        let stated = [
            max_length.map(|max| format!("the maxLength is {max}")),
            format.map(|format| format!("the format is {format}")),
        ];
        for stated in stated.into_iter().flatten() {
            let location = located(contract, contract.location(constraint.span));
            let message = format!("{stated} but the column holds {}", column.ty);
            drifts.push(Drift::of_column(
                element.coordinate(),
                location,
                column,
                message,
            ));
        }
    }
    drifts
}

/// The field, and the inputs with its name of the mutations that return its type.
fn stored_as<'a>(contract: &'a Schema, field: &Field) -> Vec<Element<'a>> {
    let root = contract.tree().schema_definition.mutation.as_ref();
    let root = root.map_or("", |root| root.name.as_str());
    let returns_type = |mutation: &str| {
        let mutation = contract.tree().type_field(root, mutation);
        mutation.is_ok_and(|mutation| mutation.ty.inner_named_type() == field.ty.as_str())
    };
    let is_input = |element: &Element, inputs: &BTreeSet<&str>| match element {
        Element::Argument(owner, mutation, _) => owner.as_str() == root && returns_type(mutation),
        Element::InputField(owner, _) => inputs.contains(owner.as_str()),
        _ => false,
    };
    let elements = contract.elements();
    // The types of the arguments of the mutations, and of the fields of these types, at every depth.
    let mut inputs = BTreeSet::new();
    loop {
        let reached = elements.iter().filter(|element| is_input(element, &inputs));
        let types = reached.filter_map(|element| element.ty());
        let types: BTreeSet<&str> = types.map(|ty| ty.inner_named_type().as_str()).collect();
        if types == inputs {
            break;
        }
        inputs = types;
    }
    let is_stored = |element: &Element| {
        let is_output = matches!(element, Element::Field(owner, _) if owner.as_str() == field.ty);
        let has_name = element
            .name()
            .is_some_and(|name| name.as_str() == field.name);
        has_name && (is_output || is_input(element, &inputs))
    };
    elements.iter().copied().filter(is_stored).collect()
}
