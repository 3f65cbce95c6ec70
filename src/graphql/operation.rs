//! The operation of a request, chosen before it is validated (GraphQL specification, section 6.1).

use std::collections::HashSet;

use async_graphql::{
    Name, Pos, Response, ServerError, Value, Variables,
    indexmap::IndexMap,
    parser::types::{
        ExecutableDocument, OperationDefinition, OperationType, Selection, SelectionSet, Type,
    },
};

/// What has to be known of an operation before and after it is executed.
pub(super) struct Operation {
    pub(super) ty: OperationType,
    /// The response keys of its root fields in the order of the document.
    keys: Vec<Name>,
    variables: Vec<Variable>,
}

/// A variable as the operation defines it.
struct Variable {
    name: Name,
    ty: Type,
    default: Option<Value>,
    pos: Pos,
}

impl Operation {
    /// The operation of this name, or the only one; else a sentence that says what would be right.
    pub(super) fn choose(
        document: &ExecutableDocument,
        name: Option<&str>,
    ) -> Result<Self, String> {
        let mut operations = document.operations.iter();
        let chosen = match name {
            Some(name) => operations
                .find(|(known, _)| known.is_some_and(|known| known == name))
                .ok_or_else(|| format!("the document has no operation named {name:?}"))?,
            None => {
                match (operations.next(), operations.next()) {
                    (Some(only), None) => only,
                    (None, _) => return Err("the document has no operation".to_owned()),
                    (Some(_), Some(_)) => {
                        return Err("the document has several operations: name one of them in operationName".to_owned());
                    }
                }
            }
        };
        Ok(Self::of(&chosen.1.node, document))
    }

    fn of(operation: &OperationDefinition, document: &ExecutableDocument) -> Self {
        let mut keys = Keys {
            document,
            found: Vec::new(),
            entered: HashSet::new(),
        };
        keys.collect(&operation.selection_set.node);
        let variables = operation
            .variable_definitions
            .iter()
            .map(|definition| Variable {
                name: definition.node.name.node.clone(),
                ty: definition.node.var_type.node.clone(),
                default: definition
                    .node
                    .default_value
                    .as_ref()
                    .map(|value| value.node.clone()),
                pos: definition.pos,
            });
        Self {
            ty: operation.ty,
            keys: keys.found,
            variables: variables.collect(),
        }
    }

    /// Gives defaults to the variables that the request leaves out, and refuses those that may not
    /// be null (GraphQL specification, section 6.1.2). async-graphql 7.2 knows neither for
    /// `@skip` and `@include`, and takes a required variable that is left out for null.
    pub(super) fn complete(&self, given: &mut Variables) -> Result<(), Vec<ServerError>> {
        let mut errors = Vec::new();
        for Variable {
            name,
            ty,
            default,
            pos,
        } in &self.variables
        {
            if let (None, Some(default)) = (given.get(name), default) {
                given.insert(name.clone(), default.clone());
            }
            let missing = match given.get(name) {
                None => "is not given",
                Some(Value::Null) => "is null",
                Some(_) => continue,
            };
            if !ty.nullable {
                let message = format!("the variable ${name} of the type {ty} {missing}");
                errors.push(ServerError::new(message, Some(*pos)));
            }
        }
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }

    /// Puts the root fields into the order of the document, as the specification demands
    /// (section 7.2.2): async-graphql 7.2 leaves them in the order in which they became ready.
    pub(super) fn restore_order(&self, response: &mut Response) {
        let Value::Object(data) = &mut response.data else {
            return;
        };
        if data.len() < 2 {
            return;
        }
        let mut ordered = IndexMap::with_capacity(data.len());
        for key in &self.keys {
            if let Some((key, value)) = data.swap_remove_entry(key) {
                ordered.insert(key, value);
            }
        }
        ordered.append(data);
        *data = ordered;
    }
}

struct Keys<'a> {
    document: &'a ExecutableDocument,
    found: Vec<Name>,
    /// The document is not validated yet: fragments may be spread in a circle.
    entered: HashSet<&'a Name>,
}

impl<'a> Keys<'a> {
    fn collect(&mut self, selection_set: &'a SelectionSet) {
        for selection in &selection_set.items {
            match &selection.node {
                Selection::Field(field) => self.found.push(field.node.response_key().node.clone()),
                Selection::InlineFragment(fragment) => {
                    self.collect(&fragment.node.selection_set.node);
                }
                Selection::FragmentSpread(spread) => {
                    let name = &spread.node.fragment_name.node;
                    if let Some(fragment) = self.document.fragments.get(name)
                        && self.entered.insert(name)
                    {
                        self.collect(&fragment.node.selection_set.node);
                    }
                }
            }
        }
    }
}
