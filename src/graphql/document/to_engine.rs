//! Parts of a valid document of apollo-compiler as the trees that async-graphql executes.

use std::{cell::Cell, collections::HashMap};

use apollo_compiler::{
    Node, Schema,
    ast::{self, Type, Value},
    executable::{ExecutableDocument, Field, Operation, Selection, SelectionSet},
    parser::SourceSpan,
    schema::ExtendedType,
};
use async_graphql::{
    Name, Number, Pos, Positioned, Variables,
    parser::types::{self, BaseType},
};
use async_graphql_value::Value as EngineValue;

/// Lowers the parts of a document. What `@skip` and `@include` leave out is left out.
pub(super) struct Lowering<'a> {
    pub(super) contract: &'a Schema,
    pub(super) document: &'a ExecutableDocument,
    pub(super) variables: &'a Variables,
    /// Whether a variable was asked: the same document with other variables is another one then.
    pub(super) depends_on_variables: Cell<bool>,
}

impl Lowering<'_> {
    /// The fragments of the document.
    pub(super) fn fragments(&self) -> HashMap<Name, Positioned<types::FragmentDefinition>> {
        let fragments = self.document.fragments.iter().map(|(name, fragment)| {
            let definition = types::FragmentDefinition {
                type_condition: self.condition(fragment.type_condition()),
                directives: Vec::new(),
                selection_set: self.selections(&[&fragment.selection_set]),
            };
            (Name::new(name), self.at(fragment.location(), definition))
        });
        fragments.collect()
    }

    /// Whether something with these directives is part of the operation (GraphQL specification,
    /// sections 3.13.1 and 3.13.2).
    pub(super) fn includes(&self, directives: &ast::DirectiveList) -> bool {
        let says = |name: &str| {
            let directive = directives.get(name)?;
            match &**directive.specified_argument_by_name("if")? {
                Value::Boolean(value) => Some(*value),
                Value::Variable(name) => {
                    self.depends_on_variables.set(true);
                    match self.variables.get(name.as_str())? {
                        async_graphql::Value::Boolean(value) => Some(*value),
                        _ => None,
                    }
                }
                _ => None,
            }
        };
        says("skip") != Some(true) && says("include") != Some(false)
    }

    fn at<T>(&self, span: Option<SourceSpan>, node: T) -> Positioned<T> {
        let start = span.and_then(|span| span.line_column(&self.document.sources));
        let pos = start.map_or_else(Pos::default, |start| Pos {
            line: start.line,
            column: start.column,
        });
        Positioned::new(node, pos)
    }

    fn name(&self, name: &apollo_compiler::Name) -> Positioned<Name> {
        self.at(name.location(), Name::new(name))
    }

    fn condition(&self, name: &apollo_compiler::Name) -> Positioned<types::TypeCondition> {
        let on = self.name(name);
        self.at(name.location(), types::TypeCondition { on })
    }

    /// An operation of these root fields.
    pub(super) fn operation(
        &self,
        operation: &Node<Operation>,
        fields: Vec<Positioned<types::Selection>>,
    ) -> Positioned<types::OperationDefinition> {
        let variables = operation.variables.iter().map(|variable| {
            let default = variable.default_value.as_ref();
            let definition = types::VariableDefinition {
                name: self.name(&variable.name),
                var_type: self.at(variable.location(), engine_type(&variable.ty)),
                directives: Vec::new(),
                default_value: default.and_then(|value| {
                    let constant = self.value(Some(&variable.ty), value).into_const()?;
                    Some(self.at(value.location(), constant))
                }),
            };
            self.at(variable.location(), definition)
        });
        let definition = types::OperationDefinition {
            ty: match operation.operation_type {
                ast::OperationType::Query => types::OperationType::Query,
                ast::OperationType::Mutation => types::OperationType::Mutation,
                ast::OperationType::Subscription => types::OperationType::Subscription,
            },
            variable_definitions: variables.collect(),
            directives: Vec::new(),
            selection_set: self.at(None, types::SelectionSet { items: fields }),
        };
        self.at(operation.location(), definition)
    }

    /// Selection sets, one after the other in one.
    fn selections(&self, sets: &[&SelectionSet]) -> Positioned<types::SelectionSet> {
        let selections = sets.iter().flat_map(|set| &set.selections);
        let included = selections.filter(|selection| self.includes(selection.directives()));
        let items = included.map(|selection| match selection {
            Selection::Field(field) => self.field(field, &[&field.selection_set]),
            Selection::FragmentSpread(spread) => {
                let lowered = types::FragmentSpread {
                    fragment_name: self.name(&spread.fragment_name),
                    directives: Vec::new(),
                };
                let lowered = self.at(spread.location(), lowered);
                self.at(spread.location(), types::Selection::FragmentSpread(lowered))
            }
            Selection::InlineFragment(fragment) => {
                let condition = fragment.type_condition.as_ref();
                let lowered = types::InlineFragment {
                    type_condition: condition.map(|condition| self.condition(condition)),
                    directives: Vec::new(),
                    selection_set: self.selections(&[&fragment.selection_set]),
                };
                let lowered = self.at(fragment.location(), lowered);
                self.at(
                    fragment.location(),
                    types::Selection::InlineFragment(lowered),
                )
            }
        });
        let items = items.collect();
        self.at(None, types::SelectionSet { items })
    }

    /// A field with what is selected of it, here and where else it has the same response key.
    pub(super) fn field(
        &self,
        field: &Node<Field>,
        selected: &[&SelectionSet],
    ) -> Positioned<types::Selection> {
        let arguments = field.arguments.iter().map(|argument| {
            let definition = field.definition.argument_by_name(&argument.name);
            let ty = definition.map(|definition| &*definition.ty);
            let value = self.value(ty, &argument.value);
            (
                self.name(&argument.name),
                self.at(argument.value.location(), value),
            )
        });
        let lowered = types::Field {
            alias: field.alias.as_ref().map(|alias| self.name(alias)),
            name: self.name(&field.name),
            arguments: arguments.collect(),
            directives: Vec::new(),
            selection_set: self.selections(selected),
        };
        let lowered = self.at(field.name.location(), lowered);
        self.at(field.location(), types::Selection::Field(lowered))
    }

    /// An integer in the place of an ID becomes its text, however long it is.
    fn value(&self, ty: Option<&Type>, value: &Value) -> EngineValue {
        let named = ty.map(|ty| ty.inner_named_type().as_str());
        match value {
            Value::Null => EngineValue::Null,
            Value::Variable(name) => EngineValue::Variable(Name::new(name)),
            Value::Enum(name) => EngineValue::Enum(Name::new(name)),
            Value::String(text) => EngineValue::String(text.clone()),
            Value::Boolean(value) => EngineValue::Boolean(*value),
            Value::Int(number) if named == Some("ID") => {
                EngineValue::String(number.as_str().to_owned())
            }
            Value::Int(number) => match number.as_str().parse::<i64>() {
                Ok(number) => EngineValue::Number(number.into()),
                Err(_) => float(number.try_to_f64().ok()),
            },
            Value::Float(number) => float(number.try_to_f64().ok()),
            Value::List(items) => {
                let item = ty.map(|ty| if ty.is_list() { ty.item_type() } else { ty });
                EngineValue::List(items.iter().map(|value| self.value(item, value)).collect())
            }
            Value::Object(members) => {
                let definition = named.and_then(|named| self.contract.types.get(named));
                let fields = definition.and_then(ExtendedType::as_input_object);
                let members = members.iter().map(|(name, value)| {
                    let field = fields.and_then(|object| object.fields.get(name));
                    let ty = field.map(|field| &*field.ty);
                    (Name::new(name), self.value(ty, value))
                });
                EngineValue::Object(members.collect())
            }
        }
    }
}

/// A number without a finite value is none; validation lets no such thing through.
fn float(number: Option<f64>) -> EngineValue {
    number
        .and_then(Number::from_f64)
        .map_or(EngineValue::Null, EngineValue::Number)
}

fn engine_type(ty: &Type) -> types::Type {
    let base = match ty {
        Type::Named(name) | Type::NonNullNamed(name) => BaseType::Named(Name::new(name)),
        Type::List(item) | Type::NonNullList(item) => BaseType::List(Box::new(engine_type(item))),
    };
    types::Type {
        base,
        nullable: !ty.is_non_null(),
    }
}
