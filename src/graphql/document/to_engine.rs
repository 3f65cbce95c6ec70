//! A valid document of apollo-compiler as the tree that async-graphql executes.

use apollo_compiler::{
    Schema,
    ast::{self, Type, Value},
    executable::{ExecutableDocument, Field, Operation, Selection, SelectionSet},
    parser::{SourceMap, SourceSpan},
    schema::ExtendedType,
};
use async_graphql::{
    Name, Number, Pos, Positioned,
    parser::types::{self, BaseType, DocumentOperations},
};
use async_graphql_value::Value as EngineValue;

/// Lowers a whole document.
pub(super) fn document(
    contract: &Schema,
    document: &ExecutableDocument,
) -> types::ExecutableDocument {
    let lowering = Lowering {
        contract,
        sources: &document.sources,
    };
    let operations = if let Some(operation) = &document.operations.anonymous {
        DocumentOperations::Single(lowering.operation(operation))
    } else {
        let named = document.operations.named.iter();
        DocumentOperations::Multiple(
            named
                .map(|(name, operation)| (Name::new(name), lowering.operation(operation)))
                .collect(),
        )
    };
    let fragments = document.fragments.iter().map(|(name, fragment)| {
        let definition = types::FragmentDefinition {
            type_condition: lowering.condition(fragment.type_condition()),
            directives: lowering.directives(&fragment.directives),
            selection_set: lowering.selections(&fragment.selection_set),
        };
        let definition = lowering.at(fragment.location(), definition);
        (Name::new(name), definition)
    });
    types::ExecutableDocument {
        operations,
        fragments: fragments.collect(),
    }
}

struct Lowering<'a> {
    contract: &'a Schema,
    sources: &'a SourceMap,
}

impl Lowering<'_> {
    fn at<T>(&self, span: Option<SourceSpan>, node: T) -> Positioned<T> {
        let start = span.and_then(|span| span.line_column(self.sources));
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

    fn operation(
        &self,
        operation: &apollo_compiler::Node<Operation>,
    ) -> Positioned<types::OperationDefinition> {
        let variables = operation.variables.iter().map(|variable| {
            let default = variable.default_value.as_ref();
            let definition = types::VariableDefinition {
                name: self.name(&variable.name),
                var_type: self.at(variable.location(), engine_type(&variable.ty)),
                directives: self.directives(&variable.directives),
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
            directives: self.directives(&operation.directives),
            selection_set: self.selections(&operation.selection_set),
        };
        self.at(operation.location(), definition)
    }

    fn selections(&self, set: &SelectionSet) -> Positioned<types::SelectionSet> {
        let items = set.selections.iter().map(|selection| match selection {
            Selection::Field(field) => {
                let lowered = self.at(field.name.location(), self.field(field));
                self.at(field.location(), types::Selection::Field(lowered))
            }
            Selection::FragmentSpread(spread) => {
                let lowered = types::FragmentSpread {
                    fragment_name: self.name(&spread.fragment_name),
                    directives: self.directives(&spread.directives),
                };
                let lowered = self.at(spread.location(), lowered);
                self.at(spread.location(), types::Selection::FragmentSpread(lowered))
            }
            Selection::InlineFragment(fragment) => {
                let condition = fragment.type_condition.as_ref();
                let lowered = types::InlineFragment {
                    type_condition: condition.map(|condition| self.condition(condition)),
                    directives: self.directives(&fragment.directives),
                    selection_set: self.selections(&fragment.selection_set),
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

    fn field(&self, field: &Field) -> types::Field {
        let arguments = field.arguments.iter().map(|argument| {
            let definition = field.definition.argument_by_name(&argument.name);
            let ty = definition.map(|definition| &*definition.ty);
            let value = self.value(ty, &argument.value);
            (
                self.name(&argument.name),
                self.at(argument.value.location(), value),
            )
        });
        types::Field {
            alias: field.alias.as_ref().map(|alias| self.name(alias)),
            name: self.name(&field.name),
            arguments: arguments.collect(),
            directives: self.directives(&field.directives),
            selection_set: self.selections(&field.selection_set),
        }
    }

    fn directives(&self, directives: &ast::DirectiveList) -> Vec<Positioned<types::Directive>> {
        let lowered = directives.iter().map(|directive| {
            let arguments = directive.arguments.iter().map(|argument| {
                let value = self.value(None, &argument.value);
                (
                    self.name(&argument.name),
                    self.at(argument.value.location(), value),
                )
            });
            let lowered = types::Directive {
                name: self.name(&directive.name),
                arguments: arguments.collect(),
            };
            self.at(directive.location(), lowered)
        });
        lowered.collect()
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
