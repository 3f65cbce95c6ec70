//! What an operation may cost: every field counts one, and below a list as often as the list may be long.

use std::collections::HashMap;

use apollo_compiler::{
    ast::Value,
    executable::{ExecutableDocument, Field, Operation, Selection, SelectionSet},
};
use async_graphql::Variables;

/// Estimates the cost of operations.
pub(super) struct Cost<'a> {
    pub(super) document: &'a ExecutableDocument,
    pub(super) variables: &'a Variables,
    /// How long a list is whose length is not asked for.
    pub(super) list_limit: u64,
}

impl<'a> Cost<'a> {
    /// The cost of an operation. Introspection is free; its depth is limited.
    pub(super) fn of(&self, operation: &'a Operation) -> u64 {
        self.selections(&operation.selection_set, &mut HashMap::new())
    }

    /// Each fragment is estimated once: written out, fragments in fragments grow exponentially.
    fn selections(&self, set: &'a SelectionSet, known: &mut HashMap<&'a str, u64>) -> u64 {
        let costs = set.selections.iter().map(|selection| match selection {
            Selection::Field(field) if field.name.starts_with("__") => 0,
            Selection::Field(field) => {
                let below = self.selections(&field.selection_set, known);
                self.length(field).saturating_mul(below.saturating_add(1))
            }
            Selection::InlineFragment(fragment) => self.selections(&fragment.selection_set, known),
            Selection::FragmentSpread(spread) => {
                let name = spread.fragment_name.as_str();
                if let Some(cost) = known.get(name) {
                    return *cost;
                }
                let fragment = self.document.fragments.get(name);
                let cost = fragment.map_or(0, |fragment| {
                    self.selections(&fragment.selection_set, known)
                });
                known.insert(name, cost);
                cost
            }
        });
        costs.fold(0, u64::saturating_add)
    }

    /// How many values the field may have: what its argument `count` says, for lists that have one.
    fn length(&self, field: &Field) -> u64 {
        if !field.ty().is_list() {
            return 1;
        }
        let count = match field
            .specified_argument_by_name("count")
            .map(|value| &**value)
        {
            Some(Value::Int(count)) => count.try_to_i32().ok().map(i64::from),
            Some(Value::Variable(name)) => match self.variables.get(name.as_str()) {
                Some(async_graphql::Value::Number(count)) => count.as_i64(),
                _ => None,
            },
            _ => None,
        };
        // What is negative or above the list limit is refused by the resolver; it costs nothing more.
        count.map_or(self.list_limit, |count| {
            u64::try_from(count).unwrap_or(0).min(self.list_limit)
        })
    }
}

#[cfg(test)]
mod tests {
    use apollo_compiler::Schema;

    use super::*;
    use crate::graphql::SCHEMA;

    fn cost(text: &str) -> u64 {
        let contract = Schema::parse_and_validate(SCHEMA, "schema.graphql").expect("it is valid");
        let document = ExecutableDocument::parse_and_validate(&contract, text, "query");
        let document = document.expect("the document is valid");
        let operation = document
            .operations
            .get(None)
            .expect("there is one operation");
        let mut variables = Variables::default();
        variables.insert(async_graphql::Name::new("count"), 7.into());
        Cost {
            document: &document,
            variables: &variables,
            list_limit: 1000,
        }
        .of(operation)
    }

    #[test]
    fn a_list_costs_its_length_times_its_fields() {
        for (text, expected) in [
            ("{ vehicle(id: 1) { id type } }", 3),
            ("{ vehicles(count: 10) { id type } }", 30),
            ("{ vehicles { id type } }", 3000),
            ("{ vehicles(count: null) { id } }", 2000),
            ("{ vehicles(count: 2000000) { id } }", 2000),
            ("{ vehicles(count: -5) { id } }", 0),
            ("query ($count: Int) { vehicles(count: $count) { id } }", 14),
            (
                "{ a: vehicles { ...F } b: vehicles { ...F ... { type } } } fragment F on Vehicle { id __typename }",
                5000,
            ),
            ("{ __schema { types { fields { name } } } }", 0),
        ] {
            assert_eq!(cost(text), expected, "{text}");
        }
    }
}
