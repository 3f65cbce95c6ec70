//! Whatever in a contract has a name, with its coordinate and its place.

use apollo_compiler::{
    Name, Node,
    ast::{DirectiveList, FieldDefinition, InputValueDefinition, Type},
    parser::SourceSpan,
    schema::{Component, ExtendedType},
};

use crate::Schema;

/// Something in a contract that has a name.
pub(super) struct Element<'a> {
    pub(super) kind: Kind<'a>,
    pub(super) name: &'a Name,
    pub(super) coordinate: String,
    pub(super) described: bool,
    /// The reason of its deprecation, if it is deprecated; empty if none is given.
    pub(super) deprecated: Option<&'a str>,
}

/// What an element is.
#[derive(Clone, Copy)]
pub(super) enum Kind<'a> {
    Type,
    Directive,
    EnumValue,
    /// A field of an object or an interface, and the type it belongs to.
    Field(&'a FieldDefinition, &'a Name),
    Argument(&'a Type),
    InputField(&'a Type),
}

impl Kind<'_> {
    /// What to call it in a message.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Directive => "directive",
            Self::EnumValue => "enum value",
            Self::Field(..) | Self::InputField(_) => "field",
            Self::Argument(_) => "argument",
        }
    }
}

impl Element<'_> {
    pub(super) fn span(&self) -> Option<SourceSpan> {
        self.name.location()
    }
}

/// Every element that the contract itself defines.
pub(super) fn of(schema: &Schema) -> Vec<Element<'_>> {
    let mut elements = Vec::new();
    let tree = schema.tree();
    for directive in tree.directive_definitions.values() {
        // GraphQL's own stand in no file; `@oneOf` stands in one that nobody wrote.
        if directive.is_built_in() || directive.name == "oneOf" {
            continue;
        }
        let coordinate = format!("@{}", directive.name);
        arguments(&mut elements, &coordinate, &directive.arguments);
        elements.push(Element {
            kind: Kind::Directive,
            name: &directive.name,
            coordinate,
            described: is_text(directive.description.as_ref()),
            deprecated: None,
        });
    }
    let types = tree.types.values();
    for definition in types.filter(|definition| !definition.is_built_in()) {
        elements.push(Element {
            kind: Kind::Type,
            name: definition.name(),
            coordinate: definition.name().to_string(),
            described: is_text(definition.description()),
            deprecated: None,
        });
        inside(&mut elements, definition);
    }
    elements
}

fn inside<'a>(elements: &mut Vec<Element<'a>>, definition: &'a ExtendedType) {
    let ty = definition.name();
    match definition {
        ExtendedType::Object(object) => fields(elements, ty, object.fields.values()),
        ExtendedType::Interface(interface) => fields(elements, ty, interface.fields.values()),
        ExtendedType::InputObject(input) => {
            for field in input.fields.values() {
                elements.push(Element {
                    kind: Kind::InputField(&field.ty),
                    name: &field.name,
                    coordinate: format!("{ty}.{}", field.name),
                    described: is_text(field.description.as_ref()),
                    deprecated: deprecated(&field.directives),
                });
            }
        }
        ExtendedType::Enum(of) => {
            for value in of.values.values() {
                elements.push(Element {
                    kind: Kind::EnumValue,
                    name: &value.value,
                    coordinate: format!("{ty}.{}", value.value),
                    described: is_text(value.description.as_ref()),
                    deprecated: deprecated(&value.directives),
                });
            }
        }
        ExtendedType::Scalar(_) | ExtendedType::Union(_) => {}
    }
}

fn fields<'a>(
    elements: &mut Vec<Element<'a>>,
    ty: &'a Name,
    fields: impl Iterator<Item = &'a Component<FieldDefinition>>,
) {
    for field in fields {
        let coordinate = format!("{ty}.{}", field.name);
        arguments(elements, &coordinate, &field.arguments);
        elements.push(Element {
            kind: Kind::Field(field, ty),
            name: &field.name,
            coordinate,
            described: is_text(field.description.as_ref()),
            deprecated: deprecated(&field.directives),
        });
    }
}

fn arguments<'a>(
    elements: &mut Vec<Element<'a>>,
    of: &str,
    arguments: &'a [Node<InputValueDefinition>],
) {
    for argument in arguments {
        elements.push(Element {
            kind: Kind::Argument(&argument.ty),
            name: &argument.name,
            coordinate: format!("{of}({}:)", argument.name),
            described: is_text(argument.description.as_ref()),
            deprecated: deprecated(&argument.directives),
        });
    }
}

fn is_text(description: Option<&Node<str>>) -> bool {
    description.is_some_and(|text| !text.trim().is_empty())
}

fn deprecated(directives: &DirectiveList) -> Option<&str> {
    let directive = directives.get("deprecated")?;
    let reason = directive.specified_argument_by_name("reason");
    Some(
        reason
            .and_then(|reason| reason.as_str())
            .unwrap_or_default(),
    )
}
