//! What a merged operation depends on, so that it can be cached.

use std::collections::HashSet;

use apollo_compiler::{
    Name,
    ast::Value,
    executable::{ExecutableDocument, Operation, Selection},
};
use async_graphql::{Value as ConstValue, Variables};

/// Which variables of an operation have a value, and the values of those in conditions.
pub(super) type Shape = Box<[VariableShape]>;

#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum VariableShape {
    Omitted,
    Condition(Option<bool>),
    Given,
}

/// The variables of an operation, each with whether `@skip` or `@include` reads it.
pub(super) struct Shapes(Vec<(Name, bool)>);

impl Shapes {
    /// The variables of an operation.
    pub(super) fn new(document: &ExecutableDocument, operation: &Operation) -> Self {
        let conditions = conditions(document, operation);
        let variables = operation.variables.iter();
        let variables = variables.map(|variable| {
            let name = variable.name.clone();
            let is_condition = conditions.contains(&name);
            (name, is_condition)
        });
        Self(variables.collect())
    }

    /// The shape of these values.
    pub(super) fn of(&self, variables: &Variables) -> Shape {
        let shapes = self.0.iter().map(|(name, is_condition)| {
            match (variables.get(name.as_str()), is_condition) {
                (None, _) => VariableShape::Omitted,
                (Some(ConstValue::Boolean(value)), true) => VariableShape::Condition(Some(*value)),
                (Some(_), true) => VariableShape::Condition(None),
                (Some(_), false) => VariableShape::Given,
            }
        });
        shapes.collect()
    }
}

/// The variables that `@skip` and `@include` read in an operation.
fn conditions(document: &ExecutableDocument, operation: &Operation) -> HashSet<Name> {
    let mut found = HashSet::new();
    let mut visited = HashSet::new();
    let mut pending = vec![&operation.selection_set];
    while let Some(set) = pending.pop() {
        for selection in &set.selections {
            for directive in selection.directives() {
                if !matches!(&*directive.name, "skip" | "include") {
                    continue;
                }
                let condition = directive.specified_argument_by_name("if");
                if let Some(Value::Variable(name)) = condition.map(|condition| &**condition) {
                    found.insert(name.clone());
                }
            }
            match selection {
                Selection::Field(field) => pending.push(&field.selection_set),
                Selection::InlineFragment(fragment) => pending.push(&fragment.selection_set),
                Selection::FragmentSpread(spread) => {
                    if visited.insert(&spread.fragment_name)
                        && let Some(fragment) = document.fragments.get(&spread.fragment_name)
                    {
                        pending.push(&fragment.selection_set);
                    }
                }
            }
        }
    }
    found
}
