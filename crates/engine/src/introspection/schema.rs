//! The schema as values of the introspection types (GraphQL specification, section 4.2).

use std::borrow::Cow;

use apollo_compiler::{
    Name, Node, Schema,
    ast::{Directive, DirectiveDefinition, DirectiveList, Type},
    collections::HashMap,
    schema::{
        ComponentName, EnumValueDefinition, ExtendedType, FieldDefinition, Implementers,
        InputValueDefinition,
    },
};

/// The schema that introspection describes.
#[derive(Clone, Copy)]
pub(super) struct IntrospectedSchema<'a> {
    pub(super) schema: &'a Schema,
    pub(super) implementers: &'a HashMap<Name, Implementers>,
}

/// A value of an introspection type.
#[derive(Clone, Copy)]
pub(super) enum Object<'a> {
    Schema,
    Type(&'a ExtendedType),
    /// A list, or a non-null type; a non-null list is the non-null type of a list.
    Wrapper {
        ty: &'a Type,
        non_null: bool,
    },
    Field(&'a FieldDefinition),
    InputValue(&'a InputValueDefinition),
    EnumValue(&'a EnumValueDefinition),
    Directive(&'a DirectiveDefinition),
}

/// The value of a field.
pub(super) enum Value<'a> {
    Null,
    Boolean(bool),
    Text(Cow<'a, str>),
    Names(Vec<&'a str>),
    Object(Object<'a>),
    List(Vec<Object<'a>>),
}

impl<'a> Value<'a> {
    fn text(text: Option<&'a str>) -> Self {
        text.map_or(Self::Null, |text| Self::Text(Cow::Borrowed(text)))
    }
}

impl<'a> From<Option<Object<'a>>> for Value<'a> {
    fn from(object: Option<Object<'a>>) -> Self {
        object.map_or(Self::Null, Self::Object)
    }
}

impl Object<'_> {
    /// The name of its type.
    pub(super) fn type_name(self) -> &'static str {
        match self {
            Self::Schema => "__Schema",
            Self::Type(_) | Self::Wrapper { .. } => "__Type",
            Self::Field(_) => "__Field",
            Self::InputValue(_) => "__InputValue",
            Self::EnumValue(_) => "__EnumValue",
            Self::Directive(_) => "__Directive",
        }
    }
}

impl<'a> IntrospectedSchema<'a> {
    /// The type with this name.
    pub(super) fn named(self, name: &str) -> Option<Object<'a>> {
        self.schema.types.get(name).map(Object::Type)
    }

    /// The value of a field. An unknown field, which validation refuses, is null.
    pub(super) fn field(
        self,
        object: Object<'a>,
        field: &str,
        include_deprecated: bool,
    ) -> Value<'a> {
        match object {
            _ if field == "__typename" => Value::Text(Cow::Borrowed(object.type_name())),
            Object::Schema => self.schema_field(field),
            Object::Type(definition) => self.type_field(definition, field, include_deprecated),
            Object::Wrapper { ty, non_null } => self.wrapper_field(ty, non_null, field),
            Object::Field(definition) => match field {
                "name" => Value::text(Some(&definition.name)),
                "description" => Value::text(definition.description.as_deref()),
                "args" => input_values(&definition.arguments, include_deprecated),
                "type" => self.reference(&definition.ty).into(),
                _ => self.deprecation(&definition.directives, field),
            },
            Object::InputValue(definition) => match field {
                "name" => Value::text(Some(&definition.name)),
                "description" => Value::text(definition.description.as_deref()),
                "type" => self.reference(&definition.ty).into(),
                "defaultValue" => definition
                    .default_value
                    .as_ref()
                    .map_or(Value::Null, |value| {
                        Value::Text(value.serialize().no_indent().to_string().into())
                    }),
                _ => self.deprecation(&definition.directives, field),
            },
            Object::EnumValue(definition) => match field {
                "name" => Value::text(Some(&definition.value)),
                "description" => Value::text(definition.description.as_deref()),
                _ => self.deprecation(&definition.directives, field),
            },
            Object::Directive(definition) => match field {
                "name" => Value::text(Some(&definition.name)),
                "description" => Value::text(definition.description.as_deref()),
                "args" => input_values(&definition.arguments, include_deprecated),
                "locations" => {
                    let locations = definition.locations.iter();
                    Value::Names(locations.map(|location| location.name()).collect())
                }
                "isRepeatable" => Value::Boolean(definition.repeatable),
                _ => Value::Null,
            },
        }
    }

    fn schema_field(self, field: &str) -> Value<'a> {
        let definition = &self.schema.schema_definition;
        let root = |name: &Option<ComponentName>| {
            let ty = name.as_ref().and_then(|name| self.named(name));
            Value::from(ty)
        };
        match field {
            "description" => Value::text(definition.description.as_deref()),
            "types" => Value::List(self.schema.types.values().map(Object::Type).collect()),
            "directives" => {
                let directives = self.schema.directive_definitions.values();
                Value::List(directives.map(|node| Object::Directive(node)).collect())
            }
            "queryType" => root(&definition.query),
            "mutationType" => root(&definition.mutation),
            "subscriptionType" => root(&definition.subscription),
            _ => Value::Null,
        }
    }

    fn type_field(self, ty: &'a ExtendedType, field: &str, include_deprecated: bool) -> Value<'a> {
        let is_included =
            |directives: &DirectiveList| include_deprecated || !directives.has("deprecated");
        let types = |names: &mut dyn Iterator<Item = &'a Name>| {
            Value::List(names.filter_map(|name| self.named(name)).collect())
        };
        match (field, ty) {
            ("kind", _) => Value::text(Some(kind(ty))),
            ("name", _) => Value::text(Some(ty.name())),
            ("description", _) => Value::text(ty.description().map(|text| &**text)),
            ("fields", ExtendedType::Object(_) | ExtendedType::Interface(_)) => {
                let fields = match ty {
                    ExtendedType::Object(object) => &object.fields,
                    ExtendedType::Interface(interface) => &interface.fields,
                    _ => return Value::Null,
                };
                let fields = fields
                    .values()
                    .filter(|field| is_included(&field.directives));
                Value::List(fields.map(|field| Object::Field(field)).collect())
            }
            ("interfaces", ExtendedType::Object(object)) => {
                types(&mut object.implements_interfaces.iter().map(|name| &name.name))
            }
            ("interfaces", ExtendedType::Interface(interface)) => types(
                &mut interface
                    .implements_interfaces
                    .iter()
                    .map(|name| &name.name),
            ),
            ("possibleTypes", ExtendedType::Interface(interface)) => {
                let implementers = self.implementers.get(&interface.name).into_iter();
                types(&mut implementers.flat_map(|implementers| &implementers.objects))
            }
            ("possibleTypes", ExtendedType::Union(union_type)) => {
                types(&mut union_type.members.iter().map(|name| &name.name))
            }
            ("enumValues", ExtendedType::Enum(definition)) => {
                let values = definition.values.values();
                let values = values.filter(|value| is_included(&value.directives));
                Value::List(values.map(|value| Object::EnumValue(value)).collect())
            }
            ("inputFields", ExtendedType::InputObject(definition)) => {
                let fields = definition.fields.values();
                let fields = fields.filter(|field| is_included(&field.directives));
                Value::List(fields.map(|field| Object::InputValue(field)).collect())
            }
            ("isOneOf", ExtendedType::InputObject(definition)) => {
                Value::Boolean(definition.directives.has("oneOf"))
            }
            ("specifiedByURL", ExtendedType::Scalar(definition)) => {
                let directive = definition.directives.get("specifiedBy");
                Value::text(
                    directive.and_then(|directive| {
                        directive.specified_argument_by_name("url")?.as_str()
                    }),
                )
            }
            _ => Value::Null,
        }
    }

    fn wrapper_field(self, ty: &'a Type, non_null: bool, field: &str) -> Value<'a> {
        match field {
            "kind" => Value::text(Some(if non_null { "NON_NULL" } else { "LIST" })),
            "ofType" => match ty {
                Type::Named(name) | Type::NonNullNamed(name) => self.named(name).into(),
                Type::NonNullList(_) if non_null => Value::Object(Object::Wrapper {
                    ty,
                    non_null: false,
                }),
                Type::List(item) | Type::NonNullList(item) => self.reference(item).into(),
            },
            _ => Value::Null,
        }
    }

    fn reference(self, ty: &'a Type) -> Option<Object<'a>> {
        match ty {
            Type::Named(name) => self.named(name),
            _ => Some(Object::Wrapper {
                ty,
                non_null: ty.is_non_null(),
            }),
        }
    }

    fn deprecation(self, directives: &'a DirectiveList, field: &str) -> Value<'a> {
        let directive: Option<&'a Node<Directive>> = directives.get("deprecated");
        match field {
            "isDeprecated" => Value::Boolean(directive.is_some()),
            "deprecationReason" => Value::text(directive.and_then(|directive| {
                let reason = directive.argument_by_name("reason", self.schema).ok()?;
                reason.as_str()
            })),
            _ => Value::Null,
        }
    }
}

fn kind(ty: &ExtendedType) -> &'static str {
    match ty {
        ExtendedType::Scalar(_) => "SCALAR",
        ExtendedType::Object(_) => "OBJECT",
        ExtendedType::Interface(_) => "INTERFACE",
        ExtendedType::Union(_) => "UNION",
        ExtendedType::Enum(_) => "ENUM",
        ExtendedType::InputObject(_) => "INPUT_OBJECT",
    }
}

fn input_values(definitions: &[Node<InputValueDefinition>], include_deprecated: bool) -> Value<'_> {
    let definitions = definitions
        .iter()
        .filter(|definition| include_deprecated || !definition.directives.has("deprecated"));
    Value::List(definitions.map(|node| Object::InputValue(node)).collect())
}
