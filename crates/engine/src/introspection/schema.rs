//! The schema as values of the introspection types (GraphQL specification, section 4.2).

use std::borrow::Cow;

use ::schema::Element;
use apollo_compiler::{
    Name, Node, Schema,
    ast::Type,
    collections::HashMap,
    schema::{ComponentName, ExtendedType, Implementers, SchemaDefinition},
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
    Element(Element<'a>),
    /// A list, or a non-null type; a non-null list is the non-null type of a list.
    Wrapper {
        ty: &'a Type,
        non_null: bool,
    },
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
        let Self::Element(element) = self else {
            return "__Type";
        };
        match element {
            Element::Schema(_) => "__Schema",
            Element::Type(_) => "__Type",
            Element::Field(..) => "__Field",
            Element::Argument(..) | Element::InputField(..) | Element::DirectiveArgument(..) => {
                "__InputValue"
            }
            Element::EnumValue(..) => "__EnumValue",
            Element::Directive(_) => "__Directive",
        }
    }
}

impl<'a> IntrospectedSchema<'a> {
    /// The value of `__schema`.
    pub(super) fn root(self) -> Object<'a> {
        Object::Element(Element::Schema(&self.schema.schema_definition))
    }

    /// The type with this name.
    pub(super) fn named(self, name: &str) -> Option<Object<'a>> {
        let definition = self.schema.types.get(name)?;
        Some(Object::Element(Element::Type(definition)))
    }

    /// The value of a field. An unknown field, which validation refuses, is null.
    pub(super) fn field(
        self,
        object: Object<'a>,
        field: &str,
        include_deprecated: bool,
    ) -> Value<'a> {
        let element = match object {
            _ if field == "__typename" => return Value::Text(object.type_name().into()),
            Object::Wrapper { ty, non_null } => return self.wrapper_field(ty, non_null, field),
            Object::Element(element) => element,
        };
        match (field, element) {
            ("name", _) => Value::text(element.name().map(Name::as_str)),
            ("description", _) => Value::text(element.description().map(|text| &**text)),
            ("isDeprecated", _) => Value::Boolean(element.deprecation().is_some()),
            ("deprecationReason", _) => self.deprecation_reason(element),
            ("type", _) => element.ty().and_then(|ty| self.reference(ty)).into(),
            ("defaultValue", _) => {
                let input = element.input();
                let default = input.and_then(|input| input.default_value.as_ref());
                default.map_or(Value::Null, |value| {
                    Value::Text(value.serialize().no_indent().to_string().into())
                })
            }
            ("args", _)
            | ("fields", Element::Type(ExtendedType::Object(_) | ExtendedType::Interface(_)))
            | ("enumValues", Element::Type(ExtendedType::Enum(_)))
            | ("inputFields", Element::Type(ExtendedType::InputObject(_))) => {
                let parts = element.parts().into_iter();
                let parts = parts.filter(|part| include_deprecated || part.deprecation().is_none());
                Value::List(parts.map(Object::Element).collect())
            }
            ("locations", Element::Directive(directive)) => {
                let locations = directive.locations.iter();
                Value::Names(locations.map(|location| location.name()).collect())
            }
            ("isRepeatable", Element::Directive(directive)) => Value::Boolean(directive.repeatable),
            (_, Element::Schema(definition)) => self.schema_field(definition, field),
            (_, Element::Type(definition)) => self.type_field(definition, field),
            _ => Value::Null,
        }
    }

    fn schema_field(self, definition: &'a SchemaDefinition, field: &str) -> Value<'a> {
        let root = |name: &Option<ComponentName>| {
            let ty = name.as_ref().and_then(|name| self.named(name));
            Value::from(ty)
        };
        match field {
            "types" => {
                let types = self.schema.types.values().map(Element::Type);
                Value::List(types.map(Object::Element).collect())
            }
            "directives" => {
                let directives = self.schema.directive_definitions.values();
                let directives = directives.map(Element::Directive);
                Value::List(directives.map(Object::Element).collect())
            }
            "queryType" => root(&definition.query),
            "mutationType" => root(&definition.mutation),
            "subscriptionType" => root(&definition.subscription),
            _ => Value::Null,
        }
    }

    fn type_field(self, ty: &'a ExtendedType, field: &str) -> Value<'a> {
        let types = |names: &mut dyn Iterator<Item = &'a Name>| {
            Value::List(names.filter_map(|name| self.named(name)).collect())
        };
        match (field, ty) {
            ("kind", _) => Value::text(Some(kind(ty))),
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

    fn deprecation_reason(self, element: Element<'a>) -> Value<'a> {
        let mut directives = element.directives().into_iter();
        let directive: Option<&Node<_>> = directives.find(|applied| applied.name == "deprecated");
        Value::text(directive.and_then(|directive| {
            let reason = directive.argument_by_name("reason", self.schema).ok()?;
            reason.as_str()
        }))
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
