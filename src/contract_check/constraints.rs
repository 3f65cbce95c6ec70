//! Compares the constraints of the contract with the columns that store the values.

use std::collections::BTreeSet;

use schema::{Constraint, Element, Limit, Schema};

use super::{Drift, tables::Field};
use crate::store::{Column, ColumnType};

/// The constraints that the column does not guarantee: on the field, for values that it returns, and on the arguments
/// and input fields of this name with which mutations change the type.
pub(super) fn mismatches(contract: &Schema, field: &Field, column: &Column) -> Vec<Drift> {
    let mut drifts = Vec::new();
    for element in stored_as(contract, field) {
        // A wrong constraint does not compile, and `schema lint` reports it.
        let Ok(Some(constraint)) = Constraint::of(contract, element) else {
            continue;
        };
        let mut add = |message: String| {
            let location = contract.location(constraint.span);
            drifts.push(Drift {
                coordinate: element.coordinate(),
                contract: location.map_or_else(
                    || contract.name().to_owned(),
                    |location| location.to_string(),
                ),
                elsewhere: format!("the column {}.{}", column.table, column.name),
                message,
            });
        };
        let fits = |max_length: f64| match (&column.ty, element) {
            (ColumnType::Text { characters: None }, Element::Field(..)) => false,
            (
                ColumnType::Text {
                    characters: Some(max),
                },
                Element::Field(..),
            ) => f64::from(*max) <= max_length,
            (
                ColumnType::Text {
                    characters: Some(max),
                },
                _,
            ) => max_length <= f64::from(*max),
            _ => true,
        };
        if let Some(max_length) = constraint.limit(Limit::MaxLength).filter(|max| !fits(*max)) {
            add(format!(
                "the maxLength is {max_length} but the column holds {}",
                column.ty
            ));
        }
        let is_date = |format: &str| format == "date";
        if let Some(format) = constraint.format
            && is_date(format) != (column.ty == ColumnType::Date)
        {
            add(format!(
                "the format is {format} but the column holds {}",
                column.ty
            ));
        }
    }
    drifts
}

/// The field, and the inputs with its name of the mutations that return its type.
fn stored_as<'a>(contract: &'a Schema, field: &Field) -> Vec<Element<'a>> {
    let elements = contract.elements();
    let root = contract.tree().schema_definition.mutation.as_ref();
    let root = root.map(|root| root.name.as_str());
    let is_mutation = |element: &Element| match element {
        Element::Field(owner, mutation) => {
            Some(owner.as_str()) == root && mutation.ty.inner_named_type() == field.ty.as_str()
        }
        _ => false,
    };
    let mutations = elements.iter().filter(|element| is_mutation(element));
    let mutations: BTreeSet<_> = mutations.filter_map(|element| element.name()).collect();
    // Arguments of the mutations, and the fields of their input objects, at every depth.
    let mut inputs = BTreeSet::new();
    let is_input = |element: &Element, inputs: &BTreeSet<&str>| match element {
        Element::Argument(owner, mutation, _) => {
            Some(owner.as_str()) == root && mutations.contains(mutation)
        }
        Element::InputField(owner, _) => inputs.contains(owner.as_str()),
        _ => false,
    };
    loop {
        let reached = elements.iter().filter(|element| is_input(element, &inputs));
        let types = reached.filter_map(|element| element.ty());
        let types: BTreeSet<&str> = types.map(|ty| ty.inner_named_type().as_str()).collect();
        if types == inputs {
            break;
        }
        inputs = types;
    }
    let is_output = |element: &Element| match element {
        Element::Field(owner, _) => owner.as_str() == field.ty,
        _ => false,
    };
    let has_name = |element: &Element| {
        element
            .name()
            .is_some_and(|name| name.as_str() == field.name)
    };
    let elements = elements.iter().copied();
    let stored = elements.filter(|element| is_output(element) || is_input(element, &inputs));
    stored.filter(|element| has_name(element)).collect()
}
