//! The operations of the client compared with the contract.

use std::collections::BTreeSet;

use apollo_compiler::{
    ExecutableDocument, Schema,
    executable::{Selection, SelectionSet},
    schema::ExtendedType,
    validation::Valid,
};
use serde_json::Value;
use vehicle_catalogue_client::{Manifest, SCHEMA};

/// Coordinates that the client leaves out: pages are read forwards, and only the last cursor is used.
const OMITTED: [&str; 5] = [
    "PageInfo.hasPreviousPage",
    "PageInfo.startCursor",
    "VehicleConnection.edges",
    "VehicleEdge.cursor",
    "VehicleEdge.node",
];

#[test]
fn the_client_selects_every_field_and_sends_every_argument() {
    let schema = Schema::parse_and_validate(SCHEMA, "schema.graphql").unwrap();
    let manifest = Manifest::with_client_operations().to_json();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    let mut used = BTreeSet::new();
    for operation in manifest["operations"].as_array().unwrap() {
        let text = operation["body"].as_str().unwrap();
        let document = ExecutableDocument::parse_and_validate(&schema, text, "query").unwrap();
        for operation in document.operations.iter() {
            add_used(&document, &operation.selection_set, &mut used);
        }
    }
    let omitted: Vec<_> = coordinates(&schema).difference(&used).cloned().collect();
    assert_eq!(omitted, OMITTED);
}

/// Every field and argument of the object types.
fn coordinates(schema: &Valid<Schema>) -> BTreeSet<String> {
    let mut coordinates = BTreeSet::new();
    for (name, ty) in &schema.types {
        let ExtendedType::Object(object) = ty else {
            continue;
        };
        for (field, definition) in object.fields.iter().filter(|_| !ty.is_built_in()) {
            coordinates.insert(format!("{name}.{field}"));
            for argument in &definition.arguments {
                coordinates.insert(format!("{name}.{field}({}:)", argument.name));
            }
        }
    }
    coordinates
}

fn add_used(document: &ExecutableDocument, set: &SelectionSet, used: &mut BTreeSet<String>) {
    for selection in &set.selections {
        match selection {
            Selection::Field(field) => {
                let coordinate = format!("{}.{}", set.ty, field.name);
                for argument in &field.arguments {
                    used.insert(format!("{coordinate}({}:)", argument.name));
                }
                used.insert(coordinate);
                add_used(document, &field.selection_set, used);
            }
            Selection::InlineFragment(fragment) => {
                add_used(document, &fragment.selection_set, used);
            }
            Selection::FragmentSpread(spread) => {
                let fragment = &document.fragments[&spread.fragment_name];
                add_used(document, &fragment.selection_set, used);
            }
        }
    }
}
