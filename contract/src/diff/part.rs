//! The parts of a schema that can change, by name.

use std::fmt;

use apollo_compiler::schema::ExtendedType;

/// What sort of type a type is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Form {
    Scalar,
    Object,
    Interface,
    Union,
    Enum,
    InputObject,
}

impl Form {
    pub(super) fn of(definition: &ExtendedType) -> Self {
        match definition {
            ExtendedType::Scalar(_) => Self::Scalar,
            ExtendedType::Object(_) => Self::Object,
            ExtendedType::Interface(_) => Self::Interface,
            ExtendedType::Union(_) => Self::Union,
            ExtendedType::Enum(_) => Self::Enum,
            ExtendedType::InputObject(_) => Self::InputObject,
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Scalar => "scalar",
            Self::Object => "object type",
            Self::Interface => "interface",
            Self::Union => "union",
            Self::Enum => "enum",
            Self::InputObject => "input object type",
        })
    }
}

/// A part of a schema; cheap to make, since most parts don't change.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part<'a> {
    Schema,
    Type(Form, &'a str),
    Field(&'a str, &'a str),
    Argument(&'a str, &'a str, &'a str),
    InputField(&'a str, &'a str),
    EnumValue(&'a str, &'a str),
    Directive(&'a str),
    DirectiveArgument(&'a str, &'a str),
}

impl Part<'_> {
    /// The schema coordinate; the schema itself has none in the specification and is `schema` here.
    pub(super) fn coordinate(self) -> String {
        match self {
            Self::Schema => "schema".to_owned(),
            Self::Type(_, ty) => ty.to_owned(),
            Self::Field(ty, part) | Self::InputField(ty, part) | Self::EnumValue(ty, part) => {
                format!("{ty}.{part}")
            }
            Self::Argument(ty, field, argument) => format!("{ty}.{field}({argument}:)"),
            Self::Directive(directive) => format!("@{directive}"),
            Self::DirectiveArgument(directive, argument) => format!("@{directive}({argument}:)"),
        }
    }
}

/// As a sentence names it: `field 'Vehicle.brandName'`.
impl fmt::Display for Part<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Schema => return formatter.write_str("the schema"),
            Self::Type(form, _) => write!(formatter, "{form}")?,
            Self::Field(..) => formatter.write_str("field")?,
            Self::Argument(..) | Self::DirectiveArgument(..) => formatter.write_str("argument")?,
            Self::InputField(..) => formatter.write_str("input field")?,
            Self::EnumValue(..) => formatter.write_str("enum value")?,
            Self::Directive(_) => formatter.write_str("directive")?,
        }
        write!(formatter, " '{}'", self.coordinate())
    }
}
