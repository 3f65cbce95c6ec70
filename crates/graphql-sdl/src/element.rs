//! The named parts of a schema, with what all of them have: coordinate, description, directives.

use std::{fmt, iter};

use apollo_compiler::{
    Name, Node, Schema,
    ast::{Directive, DirectiveDefinition, EnumValueDefinition, FieldDefinition, Type},
    collections::IndexSet,
    parser::SourceSpan,
    schema::{Component, ExtendedType, ExtensionId, InputValueDefinition, SchemaDefinition},
};

use crate::built_in;

/// A named part of a schema, or the schema itself. It is borrowed and `Copy`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Element<'a> {
    /// The schema: its root types, and the directives on it.
    Schema(&'a Node<SchemaDefinition>),
    /// A type.
    Type(&'a ExtendedType),
    /// A field of the object type or interface with this name.
    Field(&'a Name, &'a Node<FieldDefinition>),
    /// An argument of the field with this type name and field name.
    Argument(&'a Name, &'a Name, &'a Node<InputValueDefinition>),
    /// A field of the input object type with this name.
    InputField(&'a Name, &'a Node<InputValueDefinition>),
    /// A value of the enum with this name.
    EnumValue(&'a Name, &'a Node<EnumValueDefinition>),
    /// The definition of a directive.
    Directive(&'a Node<DirectiveDefinition>),
    /// An argument of the directive with this name.
    DirectiveArgument(&'a Name, &'a Node<InputValueDefinition>),
}

/// The schema, the directives and the types, without built-in ones, even if the file repeats them.
pub(crate) fn definitions(schema: &Schema) -> Vec<Element<'_>> {
    let directives = schema.directive_definitions.iter().filter(|(name, _)| !built_in::is_directive(name));
    let types = schema.types.iter().filter(|(name, _)| !built_in::is_type(name));
    let mut definitions = vec![Element::Schema(&schema.schema_definition)];
    definitions.extend(directives.map(|(_, directive)| Element::Directive(directive)));
    definitions.extend(types.map(|(_, definition)| Element::Type(definition)));
    definitions
}

/// Every element that is not built in, each followed by its parts.
pub(crate) fn elements(schema: &Schema) -> Vec<Element<'_>> {
    definitions(schema).into_iter().flat_map(Element::with_parts).collect()
}

impl<'a> Element<'a> {
    /// The name; `None` for the schema.
    pub fn name(self) -> Option<&'a Name> {
        match self {
            Self::Schema(_) => None,
            Self::Type(definition) => Some(definition.name()),
            Self::Field(_, field) => Some(&field.name),
            Self::Argument(_, _, input) | Self::InputField(_, input) | Self::DirectiveArgument(_, input) => {
                Some(&input.name)
            }
            Self::EnumValue(_, value) => Some(&value.value),
            Self::Directive(directive) => Some(&directive.name),
        }
    }

    /// The fields, arguments and values that it has.
    pub fn parts(self) -> Vec<Self> {
        match self {
            Self::Type(definition) => {
                let ty = definition.name();
                let field = |field: &'a Component<FieldDefinition>| Self::Field(ty, &field.node);
                match definition {
                    ExtendedType::Object(object) => object.fields.values().map(field).collect(),
                    ExtendedType::Interface(interface) => interface.fields.values().map(field).collect(),
                    ExtendedType::InputObject(input) => {
                        input.fields.values().map(|field| Self::InputField(ty, &field.node)).collect()
                    }
                    ExtendedType::Enum(definition) => {
                        definition.values.values().map(|value| Self::EnumValue(ty, &value.node)).collect()
                    }
                    ExtendedType::Scalar(_) | ExtendedType::Union(_) => Vec::new(),
                }
            }
            Self::Field(ty, field) => {
                field.arguments.iter().map(|node| Self::Argument(ty, &field.name, node)).collect()
            }
            Self::Directive(directive) => {
                directive.arguments.iter().map(|node| Self::DirectiveArgument(&directive.name, node)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn with_parts(self) -> Vec<Self> {
        let parts = self.parts().into_iter().flat_map(Self::with_parts);
        iter::once(self).chain(parts).collect()
    }

    /// The name of the type that it is a part of; `None` for types and what is no part of one.
    pub fn owner(self) -> Option<&'a Name> {
        match self {
            Self::Field(owner, _)
            | Self::Argument(owner, ..)
            | Self::InputField(owner, _)
            | Self::EnumValue(owner, _) => Some(owner),
            Self::Schema(_) | Self::Type(_) | Self::Directive(_) | Self::DirectiveArgument(..) => None,
        }
    }

    /// The schema coordinate: `Book.title`, `Query.books(first:)`, `@constraint(max:)`.
    /// The schema itself has none in the specification; it is `schema` here.
    pub fn coordinate(self) -> String {
        match self {
            Self::Schema(_) => "schema".to_owned(),
            Self::Type(definition) => definition.name().to_string(),
            Self::Field(ty, field) => format!("{ty}.{}", field.name),
            Self::Argument(ty, field, argument) => format!("{ty}.{field}({}:)", argument.name),
            Self::InputField(ty, field) => format!("{ty}.{}", field.name),
            Self::EnumValue(ty, value) => format!("{ty}.{}", value.value),
            Self::Directive(directive) => format!("@{}", directive.name),
            Self::DirectiveArgument(directive, argument) => format!("@{directive}({}:)", argument.name),
        }
    }

    /// What it is: `enum value`.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Schema(_) => "schema",
            Self::Type(ExtendedType::Scalar(_)) => "scalar",
            Self::Type(ExtendedType::Object(_)) => "object type",
            Self::Type(ExtendedType::Interface(_)) => "interface",
            Self::Type(ExtendedType::Union(_)) => "union",
            Self::Type(ExtendedType::Enum(_)) => "enum",
            Self::Type(ExtendedType::InputObject(_)) => "input object type",
            Self::Field(..) => "field",
            Self::Argument(..) | Self::DirectiveArgument(..) => "argument",
            Self::InputField(..) => "input field",
            Self::EnumValue(..) => "enum value",
            Self::Directive(_) => "directive",
        }
    }

    /// The description, if it has one.
    pub fn description(self) -> Option<&'a Node<str>> {
        match self {
            Self::Schema(definition) => definition.description.as_ref(),
            Self::Type(definition) => definition.description(),
            Self::Field(_, field) => field.description.as_ref(),
            Self::Argument(_, _, input) | Self::InputField(_, input) | Self::DirectiveArgument(_, input) => {
                input.description.as_ref()
            }
            Self::EnumValue(_, value) => value.description.as_ref(),
            Self::Directive(directive) => directive.description.as_ref(),
        }
    }

    /// The directives on it, in their order.
    pub fn directives(self) -> Vec<&'a Node<Directive>> {
        let list = match self {
            Self::Schema(definition) => {
                return definition.directives.iter().map(|on| &on.node).collect();
            }
            Self::Type(definition) => {
                return definition.directives().iter().map(|on| &on.node).collect();
            }
            Self::Field(_, field) => &field.directives,
            Self::Argument(_, _, input) | Self::InputField(_, input) | Self::DirectiveArgument(_, input) => {
                &input.directives
            }
            Self::EnumValue(_, value) => &value.directives,
            // A directive definition cannot have directives.
            Self::Directive(_) => return Vec::new(),
        };
        list.iter().collect()
    }

    /// The reason of its deprecation: `None` if it is not deprecated, empty if there is no reason or
    /// only the default one.
    pub fn deprecation(self) -> Option<&'a str> {
        let directives = self.directives();
        let found = directives.iter().find(|found| found.name == "deprecated")?;
        let reason = found.specified_argument_by_name("reason");
        let reason = reason.and_then(|reason| reason.as_str());
        Some(reason.filter(|reason| *reason != built_in::DEPRECATION_REASON).unwrap_or(""))
    }

    /// The type of a field, argument or input field.
    pub fn ty(self) -> Option<&'a Type> {
        match self {
            Self::Field(_, field) => Some(&field.ty),
            _ => self.input().map(|input| &*input.ty),
        }
    }

    /// The definition of an argument or input field.
    pub fn input(self) -> Option<&'a Node<InputValueDefinition>> {
        match self {
            Self::Argument(_, _, input) | Self::InputField(_, input) | Self::DirectiveArgument(_, input) => Some(input),
            _ => None,
        }
    }

    /// The source of its name; for the schema, of its definition.
    pub fn name_span(self) -> Option<SourceSpan> {
        match self {
            Self::Schema(definition) => definition.location(),
            _ => self.name().and_then(Name::location),
        }
    }

    /// The sources of its definition and its extensions, with their descriptions.
    pub fn spans(self) -> Vec<SourceSpan> {
        let (definition, extensions) = match self {
            Self::Schema(definition) => (definition.location(), definition.extensions()),
            Self::Type(definition) => (definition.location(), definition.extensions()),
            Self::Argument(_, _, input) | Self::InputField(_, input) | Self::DirectiveArgument(_, input) => {
                (input.location(), IndexSet::default())
            }
            Self::Field(_, field) => (field.location(), IndexSet::default()),
            Self::EnumValue(_, value) => (value.location(), IndexSet::default()),
            Self::Directive(directive) => (directive.location(), IndexSet::default()),
        };
        let extensions = extensions.into_iter().filter_map(ExtensionId::location);
        definition.into_iter().chain(extensions).collect()
    }
}

/// As in messages: `field 'Book.title'`.
impl fmt::Display for Element<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Schema(_) => formatter.write_str("the schema"),
            _ => write!(formatter, "{} '{}'", self.kind(), self.coordinate()),
        }
    }
}
