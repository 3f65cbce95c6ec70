//! The kinds and rules of what was added or removed as a whole, and of descriptions.

use apollo_compiler::schema::ExtendedType;
use graphql_sdl::Element;

use super::{comparison::Comparison, inputs};
use crate::{ChangeKind as Kind, rule};

impl Comparison<'_> {
    /// An element that only the new schema has.
    pub(super) fn added(&mut self, element: Element) {
        let (rule, kind, details) = match element {
            Element::Schema(_) => return,
            Element::Type(ty) => {
                let rule = if self.is_returned(ty) { &rule::IMPLEMENTATION_ADDED } else { &rule::TYPE_ADDED };
                (rule, Kind::TypeAdded, String::new())
            }
            Element::Field(_, field) => {
                let details = format!(" with the type '{}'", field.ty);
                (&rule::FIELD_ADDED, Kind::FieldAdded, details)
            }
            Element::EnumValue(of, _) => {
                let rule = if self.old_reach.is_output(of) || self.new_reach.is_output(of) {
                    &rule::ENUM_VALUE_ADDED
                } else {
                    &rule::ENUM_VALUE_ADDED_TO_INPUT
                };
                (rule, Kind::EnumValueAdded, String::new())
            }
            Element::Directive(_) => (&rule::DIRECTIVE_ADDED, Kind::DirectiveAdded, String::new()),
            Element::Argument(_, _, input) | Element::InputField(_, input) | Element::DirectiveArgument(_, input) => {
                inputs::kinds(element).added(input)
            }
        };
        let message = format!("{element} was added{details}");
        self.add(rule, kind, element, message, (None, element.name_span()));
    }

    /// An element that only the old schema has.
    pub(super) fn removed(&mut self, element: Element) {
        let (rule, rule_if_deprecated, kind) = match element {
            Element::Schema(_) => return,
            Element::Type(_) => (&rule::TYPE_REMOVED, &rule::TYPE_REMOVED, Kind::TypeRemoved),
            Element::Field(..) => (&rule::FIELD_REMOVED, &rule::DEPRECATED_FIELD_REMOVED, Kind::FieldRemoved),
            Element::EnumValue(of, _) if !self.old_reach.is_input(of) && !self.new_reach.is_input(of) => {
                (&rule::ENUM_VALUE_REMOVED_FROM_OUTPUT, &rule::ENUM_VALUE_REMOVED_FROM_OUTPUT, Kind::EnumValueRemoved)
            }
            Element::EnumValue(..) => {
                (&rule::ENUM_VALUE_REMOVED, &rule::DEPRECATED_ENUM_VALUE_REMOVED, Kind::EnumValueRemoved)
            }
            Element::Directive(_) => (&rule::DIRECTIVE_REMOVED, &rule::DIRECTIVE_REMOVED, Kind::DirectiveRemoved),
            Element::Argument(..) | Element::InputField(..) | Element::DirectiveArgument(..) => {
                (&rule::INPUT_REMOVED, &rule::DEPRECATED_INPUT_REMOVED, inputs::kinds(element).removed)
            }
        };
        let (rule, prefix) = match element.deprecation() {
            Some(_) => (rule_if_deprecated, "deprecated "),
            None => (rule, ""),
        };
        let message = format!("{prefix}{element} was removed");
        self.add(rule, kind, element, message, (element.name_span(), None));
    }
}

impl Comparison<'_> {
    /// Whether fields of the old schema can return a new type, because it implements an interface.
    fn is_returned(&self, ty: &ExtendedType) -> bool {
        let ExtendedType::Object(object) = ty else {
            return false;
        };
        let mut interfaces = object.implements_interfaces.iter();
        interfaces.any(|interface| self.old_reach.is_output(interface))
    }
}

/// The kinds of an added, a changed and a removed description.
pub(super) fn description_kinds(element: Element) -> [Kind; 3] {
    match element {
        Element::Schema(_) => [Kind::SchemaDescriptionChanged; 3],
        Element::Type(_) => [Kind::TypeDescriptionAdded, Kind::TypeDescriptionChanged, Kind::TypeDescriptionRemoved],
        Element::Field(..) => {
            [Kind::FieldDescriptionAdded, Kind::FieldDescriptionChanged, Kind::FieldDescriptionRemoved]
        }
        Element::Argument(..) => [Kind::FieldArgumentDescriptionChanged; 3],
        Element::InputField(..) => {
            [Kind::InputFieldDescriptionAdded, Kind::InputFieldDescriptionChanged, Kind::InputFieldDescriptionRemoved]
        }
        Element::EnumValue(..) => [Kind::EnumValueDescriptionChanged; 3],
        Element::Directive(_) => [Kind::DirectiveDescriptionChanged; 3],
        Element::DirectiveArgument(..) => [Kind::DirectiveArgumentDescriptionChanged; 3],
    }
}
