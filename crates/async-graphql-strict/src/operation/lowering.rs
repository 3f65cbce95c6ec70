//! Lowers a valid operation to a document of async-graphql's in which nothing is left to decide: fragments are expanded,
//! each response key occurs once, `@skip` and `@include` are evaluated, variables are replaced by their values, and
//! arguments without a value are left out.
//!
//! async-graphql's executor expects such documents: it resolves a field once for each selection of it, ignores the
//! defaults of variables in `@skip` and `@include`, and turns an omitted variable into null.

use std::{cell::Cell, collections::HashSet};

use apollo_compiler::{
    Name as TypeName, Node,
    ast::{self, Argument, InputValueDefinition},
    executable::{self, Field, OperationType, Selection, SelectionSet},
    schema::ExtendedType,
};
use async_graphql::{
    Name, Pos, Positioned, ServerError, Value, Variables,
    parser::types::{self as lowered, DocumentOperations, TypeCondition},
};
use graphql_sdl::excerpt;
use indexmap::IndexMap;

use super::{
    Lowered,
    cost::{Arguments, CostModel, Estimate, SizedField},
    variables::value,
};
use crate::{
    contract::Contract,
    document::Document,
    error::{ErrorCode, RequestError, exceeded, limit_exceeded},
    introspection::is_introspection,
    json,
    settings::Limits,
};

/// The line in the position of a lowered field, whose column is its offset in the document: only positions of errors are
/// needed. That of the value of an argument has the offset as line, and the column 0.
pub(crate) const FIELD_LINE: usize = 0;

/// Lowers an operation with coerced variables.
pub(crate) fn lower(
    contract: &Contract,
    document: &Document,
    operation: &executable::Operation,
    variables: &Variables,
    (limits, model): (&Limits, &CostModel),
) -> Result<Lowered, RequestError> {
    let sizes = variables.values().map(json::size);
    let lowering = Lowering {
        contract,
        document,
        variables,
        variables_bytes: sizes.sum::<usize>() as u64,
        limits,
        model,
        selections: Cell::new(0),
        bytes: Cell::new(0),
    };
    lowering.operation(operation)
}

struct Lowering<'a> {
    contract: &'a Contract,
    document: &'a Document,
    variables: &'a Variables,
    variables_bytes: u64,
    limits: &'a Limits,
    model: &'a CostModel,
    /// The number of selections up to now, in which a fragment counts as often as it is expanded.
    selections: Cell<u64>,
    /// The size of their response keys and arguments, in which a variable counts as often as it is used.
    bytes: Cell<u64>,
}

/// Where a field is selected.
#[derive(Clone, Copy)]
struct Place {
    /// The maximum length of a list without a size of its own.
    list_limit: u64,
    /// The number of fields around it.
    depth: u32,
}

/// The selections of an object by their response keys, in the order of the response.
type Fields<'a> = IndexMap<&'a str, Vec<&'a Node<Field>>>;

struct Collected<'a> {
    ty: &'a str,
    fields: Fields<'a>,
    visited: HashSet<&'a str>,
    /// Whether a fragment was left out because it does not apply to each value of the type.
    is_partial: bool,
}

type Selections = (Vec<Positioned<lowered::Selection>>, Estimate);

impl<'a> Lowering<'a> {
    fn operation(&self, operation: &'a executable::Operation) -> Result<Lowered, RequestError> {
        let root = operation.object_type().as_str();
        let collected = self.collect(root, &[&operation.selection_set])?;
        let (mut items, mut root_fields) = (Vec::new(), Vec::new());
        let mut estimate = Estimate::default();
        for (key, fields) in collected.fields {
            let place = Place { list_limit: self.model.list_limit.into(), depth: 0 };
            let (field, mut of_field) = self.field(&fields, place)?;
            if operation.is_mutation() && !fields[0].name.starts_with("__") {
                of_field.items = of_field.items.max(1);
            }
            estimate = estimate.plus(of_field);
            let mut introspection = None;
            // Answered from the contract, which the introspection of async-graphql differs from.
            if is_introspection(fields[0]) {
                introspection = Some(field.node);
            } else {
                items.push(unlocated(lowered::Selection::Field(field)));
            }
            root_fields.push((Name::new(key), introspection));
        }
        let has_fields = !items.is_empty();
        let definition = lowered::OperationDefinition {
            ty: match operation.operation_type {
                OperationType::Query => lowered::OperationType::Query,
                OperationType::Mutation => lowered::OperationType::Mutation,
                OperationType::Subscription => lowered::OperationType::Subscription,
            },
            variable_definitions: Vec::new(),
            directives: self.directives(&operation.directives)?,
            selection_set: unlocated(lowered::SelectionSet { items }),
        };
        let document = lowered::ExecutableDocument {
            operations: DocumentOperations::Single(unlocated(definition)),
            fragments: std::collections::HashMap::new(),
        };
        Ok(Lowered { document: has_fields.then_some(document), root_fields, estimate })
    }

    /// Collects the fields of merged selection sets for values of a type (`CollectFields` and `CollectSubfields`, GraphQL
    /// specification, sections 6.3.2 and 6.3.3).
    fn collect(&self, ty: &'a str, sets: &[&'a SelectionSet]) -> Result<Collected<'a>, RequestError> {
        let mut collected = Collected { ty, fields: Fields::new(), visited: HashSet::new(), is_partial: false };
        for set in sets {
            self.add(&mut collected, set)?;
        }
        Ok(collected)
    }

    fn add(&self, collected: &mut Collected<'a>, set: &'a SelectionSet) -> Result<(), RequestError> {
        if set.ty != collected.ty && !self.contract.schema.is_subtype(&set.ty, collected.ty) {
            collected.is_partial = true;
            return Ok(());
        }
        for selection in &set.selections {
            self.count(1, selection.as_field().map_or(0, |field| field.response_key().len() + 1))?;
            if !self.includes(selection)? {
                continue;
            }
            match selection {
                Selection::Field(field) => {
                    let fields = collected.fields.entry(field.response_key().as_str());
                    fields.or_default().push(field);
                }
                Selection::InlineFragment(inline) => self.add(collected, &inline.selection_set)?,
                Selection::FragmentSpread(spread) => {
                    // Once, because expanding nested fragments takes exponential time.
                    if collected.visited.insert(&spread.fragment_name)
                        && let Some(fragment) = self.document.tree.fragments.get(&spread.fragment_name)
                    {
                        self.add(collected, &fragment.selection_set)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn selection_set(&self, ty: &'a str, sets: &[&'a SelectionSet], place: Place) -> Result<Selections, RequestError> {
        let collected = self.collect(ty, sets)?;
        if !collected.is_partial {
            return self.fields(&collected.fields, place);
        }
        let possible: Vec<&TypeName> = match self.contract.schema.types.get(ty) {
            Some(ExtendedType::Interface(_)) => {
                let implementers = self.contract.implementers.get(ty).into_iter();
                implementers.flat_map(|types| &types.objects).collect()
            }
            Some(ExtendedType::Union(union)) => union.members.iter().map(|ty| &ty.name).collect(),
            // No field of the fragments that were left out can apply.
            _ => return self.fields(&collected.fields, place),
        };
        // The order of the fields differs between the types.
        let (mut items, mut estimate) = (Vec::new(), Estimate::default());
        for ty in possible {
            let fields = self.collect(ty, sets)?.fields;
            let (fields, of_type) = self.fields(&fields, place)?;
            items.push(on_type(ty, fields));
            estimate = estimate.max(of_type);
        }
        Ok((items, estimate))
    }

    fn fields(&self, fields: &Fields<'a>, place: Place) -> Result<Selections, RequestError> {
        let (mut items, mut estimate) = (Vec::with_capacity(fields.len()), Estimate::default());
        for selections in fields.values() {
            let (field, of_field) = self.field(selections, place)?;
            items.push(unlocated(lowered::Selection::Field(field)));
            estimate = estimate.plus(of_field);
        }
        Ok((items, estimate))
    }

    /// A field that is selected several times, with its selections merged, and its estimate.
    fn field(
        &self,
        selections: &[&'a Node<Field>],
        place: Place,
    ) -> Result<(Positioned<lowered::Field>, Estimate), RequestError> {
        let field = selections[0];
        let arguments = self.arguments(&field.arguments, &field.definition.arguments)?;
        let sized = SizedField::new(self.model, field, &arguments);
        let sets = selections.iter().map(|field| &field.selection_set);
        let sets: Vec<_> = sets.filter(|set| !set.selections.is_empty()).collect();
        let (mut items, mut nested) = (Vec::new(), Estimate::default());
        if !sets.is_empty() {
            let below = Place { list_limit: sized.list_limit(), depth: place.depth + 1 };
            exceeded("depth-limit", self.limits.depth, below.depth.into())?;
            (items, nested) = self.selection_set(&field.selection_set.ty, &sets, below)?;
        }
        let estimate = sized.estimate(nested, place.list_limit);
        let pos = Pos { line: FIELD_LINE, column: field.name.location().map_or(0, |span| span.offset()) };
        let lowered = lowered::Field {
            alias: field.alias.as_deref().map(name),
            name: name(&field.name),
            arguments,
            directives: self.directives(&field.directives)?,
            selection_set: unlocated(lowered::SelectionSet { items }),
        };
        Ok((Positioned::new(lowered, pos), estimate))
    }

    /// The arguments that have a value.
    fn arguments(
        &self,
        arguments: &[Node<Argument>],
        definitions: &[Node<InputValueDefinition>],
    ) -> Result<Arguments, RequestError> {
        let mut lowered = Arguments::with_capacity(arguments.len());
        for argument in arguments {
            let mut definitions = definitions.iter();
            let definition = definitions.find(|definition| definition.name == argument.name);
            let ty = definition.map(|definition| &*definition.ty);
            if let Some(value) = value(&self.contract.schema, self.variables, ty, &argument.value) {
                self.count(0, json::size(&value))?;
                let pos = Pos { line: argument.value.location().map_or(0, |span| span.offset()), column: 0 };
                let value = Positioned::new(value.into_value(), pos);
                lowered.push((name(&argument.name), value));
            }
        }
        Ok(lowered)
    }

    /// The directives other than `@skip` and `@include`, which are evaluated.
    fn directives(
        &self,
        directives: &[Node<ast::Directive>],
    ) -> Result<Vec<Positioned<lowered::Directive>>, RequestError> {
        let others = directives.iter();
        let others = others.filter(|directive| !matches!(&*directive.name, "skip" | "include"));
        let definitions = &self.contract.schema.directive_definitions;
        let others = others.map(|directive| {
            let definition = definitions.get(&directive.name);
            let definitions = definition.map_or(&[][..], |definition| &definition.arguments);
            Ok(unlocated(lowered::Directive {
                name: name(&directive.name),
                arguments: self.arguments(&directive.arguments, definitions)?,
            }))
        });
        others.collect()
    }

    /// Evaluates `@skip` and `@include` (GraphQL specification, sections 3.13.1 and 3.13.2).
    fn includes(&self, selection: &Selection) -> Result<bool, RequestError> {
        for (name, excludes) in [("skip", true), ("include", false)] {
            let directive = selection.directives().get(name);
            let Some(condition) = directive.and_then(|of| of.specified_argument_by_name("if")) else {
                continue;
            };
            let is_true = match &**condition {
                ast::Value::Variable(variable) => match self.variables.get(variable.as_str()) {
                    Some(Value::Boolean(value)) => *value,
                    _ => return Err(self.null(condition, variable, name)),
                },
                literal => *literal == ast::Value::Boolean(true),
            };
            if is_true == excludes {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The error of a condition whose variable is null: validation permits a nullable one with a default value.
    fn null(&self, condition: &Node<ast::Value>, variable: &str, of: &str) -> RequestError {
        let variable = excerpt(variable);
        let message = format!("${variable} must not be null, the argument \"if\" of @{of} is Boolean!");
        let location = condition.location();
        let location = location.map(|span| self.document.position(span.offset()));
        let error = ServerError::new(message, location);
        RequestError::with_errors(ErrorCode::BadUserInput, vec![error])
    }

    /// Adds to the size of the operation, and refuses it if it is too large.
    fn count(&self, selections: u64, bytes: usize) -> Result<(), RequestError> {
        self.selections.set(self.selections.get() + selections);
        self.bytes.set(self.bytes.get() + bytes as u64);
        // A request contains its variables once.
        let bytes = self.bytes.get().saturating_sub(self.variables_bytes);
        for (name, limit, actual) in [
            ("token-limit", self.limits.tokens, self.selections.get()),
            ("query-limit-bytes", self.limits.query_bytes, bytes),
        ] {
            if actual > limit.into() {
                let message = format!("the query exceeds {name} with its fragments expanded ({actual}, limit {limit})");
                return Err(limit_exceeded(message, name, limit, Some(actual)));
            }
        }
        Ok(())
    }
}

fn unlocated<T>(node: T) -> Positioned<T> {
    Positioned::new(node, Pos::default())
}

fn name(name: &str) -> Positioned<Name> {
    unlocated(Name::new(name))
}

/// The selections for values of one type.
fn on_type(ty: &str, items: Vec<Positioned<lowered::Selection>>) -> Positioned<lowered::Selection> {
    unlocated(lowered::Selection::InlineFragment(unlocated(lowered::InlineFragment {
        type_condition: Some(unlocated(TypeCondition { on: name(ty) })),
        directives: Vec::new(),
        selection_set: unlocated(lowered::SelectionSet { items }),
    })))
}
