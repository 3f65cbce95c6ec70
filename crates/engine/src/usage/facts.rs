//! The facts of a document, which every request with it has: the coordinates that its operations and fragments
//! name, since without one of them the document is not valid.

use std::collections::{BTreeSet, HashMap, HashSet};

use apollo_compiler::{
    Schema,
    ast::{Type, Value, VariableDefinition},
    executable::{ExecutableDocument, Operation, Selection, SelectionSet},
    schema::ExtendedType,
};
use schema::UseFact;

use super::{
    UsageRecorder,
    fact::{FactSet, VariableUse, fact},
};

/// The arguments and input fields whose value is a variable, by the name of the variable.
pub(crate) struct VariablePositions(HashMap<String, BTreeSet<u32>>);

impl UsageRecorder {
    /// The facts of each request with a document that is valid under the contract.
    pub(crate) fn document(
        &self,
        contract: &Schema,
        document: &ExecutableDocument,
    ) -> (FactSet, VariablePositions) {
        let variables = document
            .operations
            .iter()
            .flat_map(|operation| &operation.variables);
        let nullable = variables.filter(|variable| can_be_null(variable) && !has_default(variable));
        let mut collector = Collector {
            recorder: self,
            contract,
            nullable: nullable.map(|variable| variable.name.as_str()).collect(),
            facts: FactSet::new(),
            positions: HashMap::new(),
        };
        for operation in document.operations.iter() {
            for variable in &operation.variables {
                collector.used(variable.ty.inner_named_type());
                if let Some(default) = &variable.default_value {
                    collector.value(&variable.ty, default);
                }
            }
            collector.selections(&operation.selection_set);
        }
        for fragment in document.fragments.values() {
            collector.used(fragment.type_condition());
            collector.selections(&fragment.selection_set);
        }
        (collector.facts, VariablePositions(collector.positions))
    }

    /// The variables of an operation whose values have facts.
    pub(crate) fn variables(
        &self,
        operation: &Operation,
        positions: &VariablePositions,
    ) -> Box<[VariableUse]> {
        let variables = operation.variables.iter().map(|variable| {
            let positions = positions.0.get(variable.name.as_str());
            let of = |kind, applies: bool| {
                let positions = positions.filter(|_| applies).into_iter().flatten();
                positions.map(|position| fact(*position, kind)).collect()
            };
            let can_be_null = can_be_null(variable);
            VariableUse {
                name: variable.name.to_string(),
                omitted: of(
                    UseFact::Omitted,
                    can_be_null && variable.default_value.is_none(),
                ),
                // Without a default value, each request has the fact.
                null: of(UseFact::Null, can_be_null && has_default(variable)),
                ty: variable.ty.inner_named_type().to_string(),
            }
        });
        let variables = variables.filter(|variable| {
            let has_coordinates = self.inputs.contains_key(&variable.ty);
            !variable.omitted.is_empty() || !variable.null.is_empty() || has_coordinates
        });
        variables.collect()
    }
}

fn can_be_null(variable: &VariableDefinition) -> bool {
    !variable.ty.is_non_null()
}

/// Whether it has a default value other than null.
fn has_default(variable: &VariableDefinition) -> bool {
    let default = variable.default_value.as_ref();
    default.is_some_and(|default| !default.is_null())
}

struct Collector<'a> {
    recorder: &'a UsageRecorder,
    contract: &'a Schema,
    /// The variables that are not allowed where null is not.
    nullable: HashSet<&'a str>,
    facts: FactSet,
    positions: HashMap<String, BTreeSet<u32>>,
}

impl<'a> Collector<'a> {
    fn used(&mut self, coordinate: &str) {
        // Introspection and built-in types have none.
        if let Some(coordinate) = self.recorder.coordinate(coordinate) {
            self.facts.insert(fact(coordinate, UseFact::Used));
        }
    }

    /// The parser bounds the recursion. Fragments are visited one by one.
    fn selections(&mut self, set: &'a SelectionSet) {
        for selection in &set.selections {
            match selection {
                Selection::Field(field) => {
                    let coordinate = format!("{}.{}", set.ty, field.name);
                    self.used(&coordinate);
                    for definition in &field.definition.arguments {
                        let mut given = field.arguments.iter();
                        let given = given.find(|given| given.name == definition.name);
                        self.input(
                            &format!("{coordinate}({}:)", definition.name),
                            &definition.ty,
                            given.map(|given| &*given.value),
                        );
                    }
                    self.selections(&field.selection_set);
                }
                Selection::InlineFragment(fragment) => {
                    if let Some(condition) = &fragment.type_condition {
                        self.used(condition);
                    }
                    self.selections(&fragment.selection_set);
                }
                Selection::FragmentSpread(_) => {}
            }
        }
    }

    fn input(&mut self, coordinate: &str, ty: &Type, value: Option<&Value>) {
        let Some(coordinate) = self.recorder.coordinate(coordinate) else {
            return;
        };
        let Some(value) = value else {
            self.facts.insert(fact(coordinate, UseFact::Omitted));
            return;
        };
        self.facts.insert(fact(coordinate, UseFact::Used));
        let can_be_null = match value {
            Value::Null => true,
            Value::Variable(name) => {
                let positions = self.positions.entry(name.to_string());
                positions.or_default().insert(coordinate);
                self.nullable.contains(name.as_str())
            }
            _ => false,
        };
        if can_be_null {
            self.facts.insert(fact(coordinate, UseFact::Null));
        }
        self.value(ty, value);
    }

    fn value(&mut self, ty: &Type, value: &Value) {
        let named = ty.inner_named_type();
        match value {
            Value::Enum(name) => self.used(&format!("{named}.{name}")),
            Value::List(items) => {
                for item in items {
                    self.value(ty, item);
                }
            }
            Value::Object(members) => {
                let definition = self.contract.types.get(named);
                let Some(input) = definition.and_then(ExtendedType::as_input_object) else {
                    return;
                };
                for (name, field) in &input.fields {
                    let given = members.iter().find(|(given, _)| given == name);
                    self.input(
                        &format!("{named}.{name}"),
                        &field.ty,
                        given.map(|(_, value)| &**value),
                    );
                }
            }
            _ => {}
        }
    }
}
