//! The coordinates of the contract that a document names.

use std::{collections::BTreeSet, sync::Arc};

use apollo_compiler::{
    Schema as Tree,
    ast::{Type, Value},
    executable::{ExecutableDocument, Selection, SelectionSet},
    schema::ExtendedType,
};
use schema::Schema;

/// The sorted coordinates of what documents can name: neither directives nor the schema itself.
pub(crate) fn of_contract(contract: &Schema) -> Vec<String> {
    let coordinates = contract.coordinates().into_iter();
    coordinates
        .filter(|coordinate| coordinate != "schema" && !coordinate.starts_with('@'))
        .collect()
}

/// The coordinates that a valid document names, as indices of those of the contract: fields, arguments, input fields,
/// enum values, and the types of variables and fragments. Without one of them the document is not valid. Values of
/// variables are no part of it.
pub(crate) fn of_document(
    coordinates: &[String],
    contract: &Tree,
    document: &ExecutableDocument,
) -> Arc<[u32]> {
    let mut collector = Collector {
        coordinates,
        contract,
        found: BTreeSet::new(),
    };
    for operation in document.operations.iter() {
        for variable in &operation.variables {
            collector.add(variable.ty.inner_named_type());
            if let Some(default) = &variable.default_value {
                collector.add_value(&variable.ty, default);
            }
        }
        collector.add_selections(&operation.selection_set);
    }
    for fragment in document.fragments.values() {
        collector.add(fragment.type_condition());
        collector.add_selections(&fragment.selection_set);
    }
    collector.found.into_iter().collect()
}

struct Collector<'a> {
    coordinates: &'a [String],
    contract: &'a Tree,
    found: BTreeSet<u32>,
}

impl Collector<'_> {
    /// Introspection and built-in types are not in the contract.
    fn add(&mut self, coordinate: &str) {
        let index = self
            .coordinates
            .binary_search_by(|candidate| candidate.as_str().cmp(coordinate));
        self.found
            .extend(index.ok().and_then(|index| u32::try_from(index).ok()));
    }

    /// The parser bounds the recursion. Fragments are visited one by one.
    fn add_selections(&mut self, set: &SelectionSet) {
        for selection in &set.selections {
            match selection {
                Selection::Field(field) => {
                    let coordinate = format!("{}.{}", set.ty, field.name);
                    for argument in &field.arguments {
                        self.add(&format!("{coordinate}({}:)", argument.name));
                        let mut definitions = field.definition.arguments.iter();
                        let definition = definitions.find(|one| one.name == argument.name);
                        if let Some(definition) = definition {
                            self.add_value(&definition.ty, &argument.value);
                        }
                    }
                    self.add(&coordinate);
                    self.add_selections(&field.selection_set);
                }
                Selection::InlineFragment(fragment) => {
                    if let Some(condition) = &fragment.type_condition {
                        self.add(condition);
                    }
                    self.add_selections(&fragment.selection_set);
                }
                Selection::FragmentSpread(_) => {}
            }
        }
    }

    fn add_value(&mut self, ty: &Type, value: &Value) {
        let named = ty.inner_named_type();
        match value {
            Value::Enum(name) => self.add(&format!("{named}.{name}")),
            Value::List(items) => {
                for item in items {
                    self.add_value(ty, item);
                }
            }
            Value::Object(members) => {
                let definition = self.contract.types.get(named);
                let Some(input) = definition.and_then(ExtendedType::as_input_object) else {
                    return;
                };
                for (name, value) in members {
                    if let Some(field) = input.fields.get(name) {
                        self.add(&format!("{named}.{name}"));
                        self.add_value(&field.ty, value);
                    }
                }
            }
            _ => {}
        }
    }
}
