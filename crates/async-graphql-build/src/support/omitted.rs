//! Variables without a value, which async-graphql makes null.

use std::{collections::BTreeSet, convert::Infallible, mem, sync::Arc};

use async_graphql::{
    Name, Positioned, Request, ServerResult, Value, Variables,
    async_trait::async_trait,
    extensions::{Extension, ExtensionContext, ExtensionFactory, NextPrepareRequest},
    parser::types::{Directive, DocumentOperations, ExecutableDocument, Selection, SelectionSet},
};

/// Leaves out arguments and input fields whose variable has no value, so that their defaults apply (GraphQL specification,
/// section 6.4.1), and states the defaults of variables, which `@skip` and `@include` ignore. async-graphql refuses a nullable
/// variable at a non-null argument with a default value; here it is accepted if it has a value.
pub struct OmittedVariables;

impl ExtensionFactory for OmittedVariables {
    fn create(&self) -> Arc<dyn Extension> {
        Arc::new(Self)
    }
}

#[async_trait]
impl Extension for OmittedVariables {
    async fn prepare_request(
        &self,
        ctx: &ExtensionContext<'_>,
        request: Request,
        next: NextPrepareRequest<'_>,
    ) -> ServerResult<Request> {
        let mut request = next.run(ctx, request).await?;
        let document = request.parsed_query()?;
        let mut operations = document.operations.iter();
        if operations.any(|(_, operation)| !operation.node.variable_definitions.is_empty()) {
            let mut document = document.clone();
            let name = request.operation_name.as_deref();
            leave_out(&mut document, name, &mut request.variables);
            request.set_parsed_query(document);
        }
        Ok(request)
    }
}

fn leave_out(document: &mut ExecutableDocument, name: Option<&str>, variables: &mut Variables) {
    let operation = match &mut document.operations {
        DocumentOperations::Single(operation) => Some(operation),
        DocumentOperations::Multiple(operations) => match name {
            Some(name) => operations.get_mut(name),
            None => operations.values_mut().next(),
        },
    };
    let Some(operation) = operation.map(|operation| &mut operation.node) else {
        return;
    };
    let mut omitted = BTreeSet::new();
    for definition in &mut operation.variable_definitions {
        let definition = &mut definition.node;
        let name = definition.name.node.clone();
        match (variables.get(&name), &definition.default_value) {
            (Some(Value::Null), _) => {}
            (Some(_), _) => definition.var_type.node.nullable = false,
            (None, Some(default)) => {
                variables.insert(name, default.node.clone());
            }
            (None, None) if definition.var_type.node.nullable => {
                omitted.insert(name);
            }
            (None, None) => {}
        }
    }
    if omitted.is_empty() {
        return;
    }
    let mut omission = Omission { omitted, variables, replaced: BTreeSet::new(), kept: BTreeSet::new() };
    omission.directives(&mut operation.directives);
    omission.selection_set(&mut operation.selection_set.node);
    for fragment in document.fragments.values_mut() {
        omission.selection_set(&mut fragment.node.selection_set.node);
    }
    // A definition without uses is not valid.
    let Omission { replaced, kept, .. } = omission;
    operation.variable_definitions.retain(|definition| {
        let name = &definition.node.name.node;
        kept.contains(name) || !replaced.contains(name)
    });
}

struct Omission<'v> {
    omitted: BTreeSet<Name>,
    variables: &'v Variables,
    /// The variables of arguments that were left out or replaced by values.
    replaced: BTreeSet<Name>,
    /// Those of other arguments.
    kept: BTreeSet<Name>,
}

impl Omission<'_> {
    fn selection_set(&mut self, set: &mut SelectionSet) {
        for selection in &mut set.items {
            match &mut selection.node {
                Selection::Field(field) => {
                    let field = &mut field.node;
                    // async-graphql does not export the type of an argument's value.
                    let mut arguments =
                        Directive { name: field.name.clone(), arguments: mem::take(&mut field.arguments) };
                    self.arguments(&mut arguments);
                    field.arguments = arguments.arguments;
                    self.directives(&mut field.directives);
                    self.selection_set(&mut field.selection_set.node);
                }
                Selection::InlineFragment(inline) => {
                    self.directives(&mut inline.node.directives);
                    self.selection_set(&mut inline.node.selection_set.node);
                }
                Selection::FragmentSpread(spread) => self.directives(&mut spread.node.directives),
            }
        }
    }

    fn directives(&mut self, directives: &mut [Positioned<Directive>]) {
        for directive in directives {
            self.arguments(&mut directive.node);
        }
    }

    fn arguments(&mut self, of: &mut Directive) {
        let arguments = mem::take(&mut of.arguments).into_iter();
        let arguments = arguments.filter_map(|(name, mut value)| {
            let mut used = BTreeSet::new();
            let Ok(replaced) = value.node.clone().into_const_with(|variable| {
                let replaced = if self.omitted.contains(&variable) {
                    // No document has an enum value without a name.
                    Value::Enum(Name::new(""))
                } else {
                    self.variables.get(&variable).cloned().unwrap_or_default()
                };
                used.insert(variable);
                Ok::<_, Infallible>(replaced)
            });
            if used.is_disjoint(&self.omitted) {
                self.kept.extend(used);
            } else {
                self.replaced.extend(used);
                value.node = present(replaced)?.into_value();
            }
            Some((name, value))
        });
        of.arguments = arguments.collect();
    }
}

/// The value without input fields that are omitted; `None` if it is omitted itself. An item of a list is null.
fn present(value: Value) -> Option<Value> {
    Some(match value {
        Value::Enum(name) if name.is_empty() => return None,
        Value::List(items) => {
            let items = items.into_iter();
            Value::List(items.map(|item| present(item).unwrap_or_default()).collect())
        }
        Value::Object(fields) => {
            let fields = fields.into_iter();
            let fields = fields.filter_map(|(name, value)| Some((name, present(value)?)));
            Value::Object(fields.collect())
        }
        value => value,
    })
}
