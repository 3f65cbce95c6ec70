//! Lowers a valid operation to a document of async-graphql's in which every response key occurs once: fragments are
//! expanded, fields are merged, `@skip` and `@include` are evaluated, and arguments without a value are left out.
//!
//! async-graphql's executor expects such documents: it resolves a field once for each selection of it, ignores the
//! defaults of variables in `@skip` and `@include`, and turns an omitted variable into null.

use std::{cell::Cell, collections::HashSet, rc::Rc};

use apollo_compiler::{
    Name as TypeName, Node, Schema,
    ast::{Argument, Directive as ValidDirective, InputValueDefinition},
    collections::HashMap,
    executable::{
        ExecutableDocument as ValidDocument, Field as ValidField, Operation,
        OperationType as ValidOperationType, Selection as ValidSelection,
        SelectionSet as ValidSelectionSet, VariableDefinition as ValidVariable,
    },
    parser::SourceSpan,
    schema::{ExtendedType, Implementers},
};
use async_graphql::{
    Name, Pos, Positioned, ServerError, Value as ConstValue, Variables,
    parser::types::{
        Directive, DocumentOperations, ExecutableDocument, Field, InlineFragment,
        OperationDefinition, OperationType, Selection, SelectionSet, Type, TypeCondition,
        VariableDefinition,
    },
};
use async_graphql_value::Value;
use indexmap::IndexMap;
use schema::LineIndex;

use super::{
    merged_size::MergedSize,
    possible_types::{PossibleTypes, Types},
};
use crate::{
    conditions::{includes, null_argument},
    introspection::is_introspection,
    literal::literal,
    merged_operation::{MergedOperation, RootField},
    position::position,
};

/// Merges the selections of the operations of a document.
pub(super) struct Merger<'a> {
    schema: &'a Schema,
    types: PossibleTypes<'a>,
    document: &'a ValidDocument,
    lines: &'a LineIndex,
    /// Coerced (GraphQL specification, section 6.1.2).
    variables: &'a Variables,
    max_size: MergedSize,
    size: Cell<MergedSize>,
    /// The error of the first condition that is null.
    invalid: Cell<Option<ServerError>>,
}

/// A selected field.
struct Selected<'a> {
    /// The types to which the selection applies.
    types: Types<'a>,
    field: &'a Node<ValidField>,
    /// Its position among the selections.
    position: usize,
}

/// The selections of an object, by their response keys in the order of the response.
#[derive(Default)]
struct Collected<'a> {
    fields: IndexMap<&'a str, Vec<Selected<'a>>>,
    selections: usize,
    /// A fragment is visited once for the same types, because expanding nested fragments takes exponential time.
    visited: HashSet<(&'a str, Types<'a>)>,
}

impl<'a> Merger<'a> {
    /// Merges selections up to a maximum size. An operation of a larger [`size`](Self::size) is incomplete.
    pub(super) fn new(
        (schema, implementers): (&'a Schema, &'a HashMap<TypeName, Implementers>),
        (document, lines): (&'a ValidDocument, &'a LineIndex),
        variables: &'a Variables,
        max_size: MergedSize,
    ) -> Self {
        Self {
            schema,
            types: PossibleTypes {
                schema,
                implementers,
            },
            document,
            lines,
            variables,
            max_size,
            size: Cell::default(),
            invalid: Cell::default(),
        }
    }

    /// The size of what was merged.
    pub(super) fn size(&self) -> MergedSize {
        self.size.get()
    }

    /// Merges an operation. Fields of a mutation with the names `creating_fields` create something.
    pub(super) fn operation(
        &self,
        operation: &'a Operation,
        creating_fields: &[&str],
    ) -> MergedOperation {
        let parent = operation.object_type().as_str();
        let selected = self.collect(parent, &[&operation.selection_set]);
        let invalid = self.invalid.take();
        let (mut items, mut creations) = (Vec::new(), Vec::new());
        let root_fields = selected.fields.iter().map(|(key, selections)| {
            let fields: Vec<_> = selections.iter().map(|selected| selected.field).collect();
            let (key, field) = (Name::new(key), fields[0]);
            if operation.is_mutation() && creating_fields.contains(&field.name.as_str()) {
                creations.push(key.clone());
            }
            let merged = self.field(&fields);
            let (invalid, mut introspection) = (self.invalid.take().map(Box::new), None);
            if invalid.is_none() {
                // Answered from the contract, which the introspection of async-graphql differs from.
                if is_introspection(field) {
                    introspection = Some(Box::new(merged.node));
                } else {
                    items.push(selection(merged));
                }
            }
            let is_nullable = !field.definition.ty.is_non_null();
            RootField {
                key,
                is_nullable,
                invalid,
                introspection,
            }
        });
        let root_fields = root_fields.collect();
        let present = operation.variables.iter();
        let present = present.filter(|variable| self.value(&variable.name).is_some());
        let definition = OperationDefinition {
            ty: match operation.operation_type {
                ValidOperationType::Query => OperationType::Query,
                ValidOperationType::Mutation => OperationType::Mutation,
                ValidOperationType::Subscription => OperationType::Subscription,
            },
            variable_definitions: present.map(|variable| self.variable(variable)).collect(),
            directives: self.directives(&operation.directives),
            selection_set: Positioned::new(SelectionSet { items }, Pos::default()),
        };
        let definition = Positioned::new(definition, Pos::default());
        MergedOperation {
            document: ExecutableDocument {
                operations: DocumentOperations::Single(definition),
                fragments: std::collections::HashMap::new(),
            },
            root_fields,
            creations,
            invalid,
        }
    }

    fn variable(&self, variable: &Node<ValidVariable>) -> Positioned<VariableDefinition> {
        let pos = self.pos(variable.location());
        let var_type = Type::new(&variable.ty.to_string()).expect("it is printed as GraphQL");
        let definition = VariableDefinition {
            name: Positioned::new(Name::new(&variable.name), pos),
            var_type: Positioned::new(var_type, pos),
            directives: Vec::new(),
            default_value: None,
        };
        Positioned::new(definition, pos)
    }

    /// Collects the fields of merged selection sets (`CollectFields` and `CollectSubfields`, GraphQL specification,
    /// sections 6.3.2 and 6.3.3) for each possible type of the parent.
    fn collect(&self, parent: &'a str, sets: &[&'a ValidSelectionSet]) -> Collected<'a> {
        let types = self.types.possible(parent);
        let mut collected = Collected::default();
        for set in sets {
            self.types.narrowed(&types, &set.ty, |types| {
                self.add(&mut collected, types, set);
            });
        }
        collected
    }

    fn add(&self, collected: &mut Collected<'a>, types: &Types<'a>, set: &'a ValidSelectionSet) {
        for selection in &set.selections {
            if !self.count(selection) {
                return;
            }
            if !self.includes(selection) {
                continue;
            }
            match selection {
                ValidSelection::Field(field) => {
                    let selected = collected.fields.entry(field.response_key().as_str());
                    selected.or_default().push(Selected {
                        types: Rc::clone(types),
                        field,
                        position: collected.selections,
                    });
                    collected.selections += 1;
                }
                ValidSelection::InlineFragment(fragment) => {
                    let set = &fragment.selection_set;
                    self.types
                        .narrowed(types, &set.ty, |types| self.add(collected, types, set));
                }
                ValidSelection::FragmentSpread(spread) => {
                    let name = spread.fragment_name.as_str();
                    let Some(fragment) = self.document.fragments.get(name) else {
                        continue;
                    };
                    let set = &fragment.selection_set;
                    self.types.narrowed(types, &set.ty, |types| {
                        if collected.visited.insert((name, Rc::clone(types))) {
                            self.add(collected, types, set);
                        }
                    });
                }
            }
        }
    }

    fn selection_set(
        &self,
        parent: &'a str,
        collected: &Collected<'a>,
    ) -> Positioned<SelectionSet> {
        let types = self.types.possible(parent);
        // A union has no fields, also where its members have them in common.
        let is_union = matches!(self.schema.types.get(parent), Some(ExtendedType::Union(_)));
        let is_unconditional = |selected: &Selected<'_>| {
            selected.types.len() == types.len()
                && (!is_union || selected.field.name == "__typename")
        };
        let fields = collected.fields.values();
        let mut items: Vec<Positioned<Selection>>;
        if fields.clone().flatten().all(is_unconditional) {
            let fields = fields.map(|selections| {
                let selections: Vec<_> = selections.iter().map(|selected| selected.field).collect();
                selection(self.field(&selections))
            });
            items = fields.collect();
        } else {
            // The order of the fields differs between the types.
            items = Vec::with_capacity(types.len());
            for ty in &*types {
                let fields = fields.clone().filter_map(|selections| {
                    let selections = selections.iter();
                    let mut applying = selections.filter(|selected| selected.types.contains(ty));
                    let first = applying.next()?;
                    let mut merged = vec![first.field];
                    merged.extend(applying.map(|selected| selected.field));
                    Some((first.position, merged))
                });
                let mut fields: Vec<_> = fields.collect();
                fields.sort_by_key(|(position, _)| *position);
                let fields = fields.iter();
                let fields = fields.map(|(_, merged)| selection(self.field(merged)));
                items.push(on_type(ty, fields.collect()));
            }
        }
        Positioned::new(SelectionSet { items }, Pos::default())
    }

    /// A field that is selected several times, with its selections merged.
    fn field(&self, selections: &[&'a Node<ValidField>]) -> Positioned<Field> {
        let field = selections[0];
        let pos = self.pos(field.name.location());
        let positioned = |name: &str| Positioned::new(Name::new(name), pos);
        let parent = field.selection_set.ty.as_str();
        let sets = selections.iter().map(|field| &field.selection_set);
        let sets: Vec<_> = sets.filter(|set| !set.selections.is_empty()).collect();
        let selection_set = self.selection_set(parent, &self.collect(parent, &sets));
        let definitions = &field.definition.arguments;
        let field = Field {
            alias: field.alias.as_deref().map(positioned),
            name: positioned(&field.name),
            arguments: self.arguments(&field.arguments, definitions),
            directives: self.directives(&field.directives),
            selection_set,
        };
        Positioned::new(field, pos)
    }

    /// The arguments that have a value.
    fn arguments(
        &self,
        arguments: &[Node<Argument>],
        definitions: &[Node<InputValueDefinition>],
    ) -> Vec<(Positioned<Name>, Positioned<Value>)> {
        let arguments = arguments.iter().filter_map(|argument| {
            let mut definitions = definitions.iter();
            let definition = definitions.find(|definition| definition.name == argument.name);
            let ty = definition.map(|definition| &*definition.ty);
            let value = self.given(literal(self.schema, ty, &argument.value))?;
            let pos = self.pos(argument.value.location());
            let name = Positioned::new(Name::new(&argument.name), pos);
            Some((name, Positioned::new(value, pos)))
        });
        arguments.collect()
    }

    /// The directives other than `@skip` and `@include`, which are evaluated.
    fn directives(&self, directives: &[Node<ValidDirective>]) -> Vec<Positioned<Directive>> {
        let others = directives.iter();
        let others = others.filter(|directive| !matches!(&*directive.name, "skip" | "include"));
        let others = others.map(|directive| {
            let pos = self.pos(directive.location());
            let definition = self.schema.directive_definitions.get(&directive.name);
            let definitions = definition.map_or(&[][..], |definition| &definition.arguments);
            let directive = Directive {
                name: Positioned::new(Name::new(&directive.name), pos),
                arguments: self.arguments(&directive.arguments, definitions),
            };
            Positioned::new(directive, pos)
        });
        others.collect()
    }

    /// The value without variables that have none: such an argument or member of an object is absent, such an item of
    /// a list is null (GraphQL specification, sections 3.10, 3.11 and 6.4.1).
    fn given(&self, value: Value) -> Option<Value> {
        Some(match value {
            Value::Variable(name) => {
                self.value(&name)?;
                Value::Variable(name)
            }
            Value::List(items) => {
                let items = items.into_iter();
                let items = items.map(|item| self.given(item).unwrap_or_default());
                Value::List(items.collect())
            }
            Value::Object(members) => {
                let members = members.into_iter();
                let members = members.filter_map(|(name, value)| Some((name, self.given(value)?)));
                Value::Object(members.collect())
            }
            value => value,
        })
    }

    fn value(&self, name: &str) -> Option<&ConstValue> {
        self.variables.get(name)
    }

    fn includes(&self, selection: &ValidSelection) -> bool {
        includes(selection.directives(), |directive, name, location| {
            if let Some(ConstValue::Boolean(value)) = self.value(name) {
                return *value;
            }
            let of = format!("@{}", directive.name);
            let error = || null_argument(("if", &of, "Boolean!"), name, self.pos(location));
            let first = self.invalid.take().unwrap_or_else(error);
            self.invalid.set(Some(first));
            false
        })
    }

    /// Adds a selection to the size; false if the size exceeds the maximum.
    fn count(&self, selection: &ValidSelection) -> bool {
        let size = self.size.get().with(selection);
        self.size.set(size);
        size.fits(self.max_size)
    }

    fn pos(&self, span: Option<SourceSpan>) -> Pos {
        span.map_or_else(Pos::default, |span| position(self.lines, span))
    }
}

fn selection(field: Positioned<Field>) -> Positioned<Selection> {
    let pos = field.pos;
    Positioned::new(Selection::Field(field), pos)
}

/// The selections for values of one type.
fn on_type(ty: &str, items: Vec<Positioned<Selection>>) -> Positioned<Selection> {
    let pos = Pos::default();
    let on = Positioned::new(Name::new(ty), pos);
    let fragment = InlineFragment {
        type_condition: Some(Positioned::new(TypeCondition { on }, pos)),
        directives: Vec::new(),
        selection_set: Positioned::new(SelectionSet { items }, pos),
    };
    Positioned::new(
        Selection::InlineFragment(Positioned::new(fragment, pos)),
        pos,
    )
}
