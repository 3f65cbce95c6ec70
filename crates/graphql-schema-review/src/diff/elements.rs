//! The changes of elements that one schema has, and of what elements state in both: root types, types, names in types,
//! default values, descriptions and the definitions of directives.

use apollo_compiler::{
    Node, Schema,
    ast::{InputValueDefinition, OperationType},
    schema::ExtendedType,
};
use graphql_sdl::Element;

use super::{
    comparison::{Comparison, spans},
    values::{is_equivalent, shown},
};
use crate::{ChangeKind as Kind, reach::is_executable, rule};

impl Comparison<'_> {
    /// An element that only the new schema has.
    pub(super) fn added(&mut self, element: Element) {
        let rule = match element {
            Element::Schema(_) => return,
            Element::Type(ty) if self.is_returned(ty) => &rule::IMPLEMENTATION_ADDED,
            Element::Type(_) => &rule::TYPE_ADDED,
            Element::Field(..) => &rule::FIELD_ADDED,
            Element::EnumValue(of, _) if self.old_reach.is_output(of) || self.new_reach.is_output(of) => {
                &rule::ENUM_VALUE_ADDED
            }
            Element::EnumValue(..) => &rule::ENUM_VALUE_ADDED_TO_INPUT,
            Element::Directive(_) => &rule::DIRECTIVE_ADDED,
            Element::Argument(_, _, input) | Element::InputField(_, input) | Element::DirectiveArgument(_, input)
                if input.is_required() =>
            {
                &rule::REQUIRED_ADDED
            }
            Element::Argument(..) => &rule::ARGUMENT_ADDED,
            Element::InputField(_, input) if input.default_value.is_some() => &rule::INPUT_FIELD_WITH_DEFAULT_ADDED,
            Element::InputField(..) => &rule::INPUT_FIELD_ADDED,
            Element::DirectiveArgument(..) => &rule::DIRECTIVE_ARGUMENT_ADDED,
        };
        let ty = element.ty().map(|ty| format!(" with the type '{ty}'")).unwrap_or_default();
        let details = match element.input() {
            Some(input) if input.is_required() => " and is required".to_owned(),
            Some(input) => {
                let value = input.default_value.as_ref();
                value.map(|value| format!(" and the default value {}", shown(value))).unwrap_or_default()
            }
            None => String::new(),
        };
        let message = format!("{element} was added{ty}{details}");
        self.add(rule, Kind::of(element, &["ADDED"]), element, message, (None, element.name_span()));
    }

    /// An element that only the old schema has.
    pub(super) fn removed(&mut self, element: Element) {
        let (rule, rule_if_deprecated) = match element {
            Element::Schema(_) => return,
            Element::Type(_) => (&rule::TYPE_REMOVED, &rule::TYPE_REMOVED),
            Element::Field(..) => (&rule::FIELD_REMOVED, &rule::DEPRECATED_FIELD_REMOVED),
            Element::EnumValue(of, _) if !self.old_reach.is_input(of) && !self.new_reach.is_input(of) => {
                (&rule::ENUM_VALUE_REMOVED_FROM_OUTPUT, &rule::ENUM_VALUE_REMOVED_FROM_OUTPUT)
            }
            Element::EnumValue(..) => (&rule::ENUM_VALUE_REMOVED, &rule::DEPRECATED_ENUM_VALUE_REMOVED),
            Element::Directive(_) => (&rule::DIRECTIVE_REMOVED, &rule::DIRECTIVE_REMOVED),
            Element::Argument(..) | Element::InputField(..) | Element::DirectiveArgument(..) => {
                (&rule::INPUT_REMOVED, &rule::DEPRECATED_INPUT_REMOVED)
            }
        };
        let (rule, prefix) = match element.deprecation() {
            Some(_) => (rule_if_deprecated, "deprecated "),
            None => (rule, ""),
        };
        let message = format!("{prefix}{element} was removed");
        self.add(rule, Kind::of(element, &["REMOVED"]), element, message, (element.name_span(), None));
    }

    /// Whether fields of the old schema can return a new type, because it implements an interface.
    fn is_returned(&self, ty: &ExtendedType) -> bool {
        let ExtendedType::Object(object) = ty else {
            return false;
        };
        object.implements_interfaces.iter().any(|interface| self.old_reach.is_output(interface))
    }

    pub(super) fn description(&mut self, before: Element, now: Element) {
        if matches!(now, Element::Schema(_)) && self.omits("__Schema.description") {
            return;
        }
        let (old, new) = (before.description(), now.description());
        let (change, verb) = match (old, new) {
            (None, Some(_)) => ("DESCRIPTION_ADDED", "added"),
            (Some(_), None) => ("DESCRIPTION_REMOVED", "removed"),
            (Some(old), Some(new)) if old != new => ("DESCRIPTION_CHANGED", "changed"),
            _ => return,
        };
        let message = format!("the description of {now} was {verb}");
        let span_of = |node: Option<&Node<str>>| node.and_then(Node::location);
        let spans = (span_of(old).or(before.name_span()), span_of(new).or(now.name_span()));
        let kind = Kind::of(now, &[change, "DESCRIPTION_CHANGED"]);
        self.add(&rule::DESCRIPTION, kind, now, message, spans);
    }

    pub(super) fn roots(&mut self, before: Element, now: Element) {
        let Element::Schema(_) = now else { return };
        let (old, new) = (self.old.tree(), self.new.tree());
        for operation in [OperationType::Query, OperationType::Mutation, OperationType::Subscription] {
            let roots = (old.root_operation(operation), new.root_operation(operation));
            let (rule, message) = match roots {
                (Some(old), Some(new)) if old != new => {
                    (&rule::ROOT_CHANGED, format!("the {operation} root type changed from '{old}' to '{new}'"))
                }
                (Some(old), None) => (&rule::ROOT_CHANGED, format!("the {operation} root type '{old}' was removed")),
                (None, Some(new)) => (&rule::ROOT_ADDED, format!("the {operation} root type '{new}' was added")),
                _ => continue,
            };
            self.add(rule, Kind::of_root(operation), now, message, spans(before, now));
        }
    }

    /// Compares the type of a field or of an input.
    pub(super) fn value_type(&mut self, before: Element, now: Element) {
        let (Some(old), Some(new)) = (before.ty(), now.ty()) else {
            return;
        };
        if old == new {
            return;
        }
        let rule = match now {
            Element::Field(of, field) if new.is_assignable_to(old) => {
                if self.new_reach.is_selected_beside(of, &field.name, old) {
                    &rule::OUTPUT_TYPE_CONFLICTS
                } else {
                    &rule::OUTPUT_TYPE_NARROWED
                }
            }
            Element::Field(..) => &rule::OUTPUT_TYPE_CHANGED,
            _ if old.is_assignable_to(new) => &rule::INPUT_WIDENED,
            _ => &rule::INPUT_CHANGED,
        };
        let message = format!("{now} changed its type from '{old}' to '{new}'");
        self.add(rule, Kind::of(now, &["TYPE_CHANGED"]), now, message, spans(before, now));
    }

    pub(super) fn default_value(&mut self, before: Element, now: Element) {
        let (Some(old), Some(new)) = (before.input(), now.input()) else {
            return;
        };
        let one = |value, verb| format!("the default value {} of {now} was {verb}", shown(value));
        let message = match (&old.default_value, &new.default_value) {
            (Some(before), Some(after)) => {
                // They are equal if they are for the old type and for the new one.
                let is_equal =
                    |tree: &Schema, input: &InputValueDefinition| is_equivalent(tree, &input.ty, before, after);
                if is_equal(self.old.tree(), old) && is_equal(self.new.tree(), new) {
                    return;
                }
                format!("the default value of {now} changed from {} to {}", shown(before), shown(after))
            }
            (Some(old), None) => one(old, "removed"),
            (None, Some(new)) => one(new, "added"),
            (None, None) => return,
        };
        let rule = match (old.is_required(), new.is_required()) {
            (true, _) => &rule::DEFAULT_ALLOWED,
            (false, true) => &rule::DEFAULT_REQUIRED,
            (false, false) => &rule::DEFAULT_CHANGED,
        };
        let kind = Kind::of(now, &["DEFAULT_CHANGED", "DEFAULT_VALUE_CHANGED"]);
        self.add(rule, kind, now, message, spans(before, now));
    }

    /// Compares the implemented interfaces of a type, and the members of a union.
    pub(super) fn names(&mut self, before: Element, now: Element) {
        let (Element::Type(old), Element::Type(new)) = (before, now) else {
            return;
        };
        let is_union = matches!(now, Element::Type(ExtendedType::Union(_)));
        let (old, new) = match (old, new) {
            (ExtendedType::Object(old), ExtendedType::Object(new)) => {
                (&old.implements_interfaces, &new.implements_interfaces)
            }
            (ExtendedType::Interface(old), ExtendedType::Interface(new)) => {
                (&old.implements_interfaces, &new.implements_interfaces)
            }
            (ExtendedType::Union(old), ExtendedType::Union(new)) => (&old.members, &new.members),
            _ => return,
        };
        let [removed, added] = if is_union {
            [
                (&rule::MEMBER_REMOVED, Kind::UnionMemberRemoved, "no longer has the member"),
                (&rule::MEMBER_ADDED, Kind::UnionMemberAdded, "now has the member"),
            ]
        } else {
            [
                (&rule::INTERFACE_REMOVED, Kind::ObjectTypeInterfaceRemoved, "no longer implements"),
                (&rule::INTERFACE_ADDED, Kind::ObjectTypeInterfaceAdded, "now implements"),
            ]
        };
        let removed = old.difference(new).map(|name| (name, removed, (name.location(), None)));
        let added = new.difference(old).map(|name| (name, added, (None, name.location())));
        for (name, (rule, kind, verb), spans) in removed.chain(added) {
            self.add(rule, kind, now, format!("{now} {verb} '{name}'"), spans);
        }
    }

    /// Compares the locations of a directive, and whether it is repeatable.
    pub(super) fn directive(&mut self, before: Element, now: Element) {
        let (Element::Directive(old), Element::Directive(new)) = (before, now) else {
            return;
        };
        let spans = spans(before, now);
        for location in old.locations.iter().filter(|location| !new.locations.contains(location)) {
            let message = format!("{now} is no longer allowed on {}", location.name());
            let rule =
                if is_executable(*location) { &rule::LOCATION_REMOVED } else { &rule::LOCATION_REMOVED_IN_SCHEMA };
            self.add(rule, Kind::DirectiveLocationRemoved, now, message, spans);
        }
        for location in new.locations.iter().filter(|location| !old.locations.contains(location)) {
            let message = format!("{now} is allowed on {} now", location.name());
            self.add(&rule::LOCATION_ADDED, Kind::DirectiveLocationAdded, now, message, spans);
        }
        if old.repeatable == new.repeatable || self.omits("__Directive.isRepeatable") {
            return;
        }
        let (rule, kind, message) = if new.repeatable {
            (&rule::REPEATABLE_ADDED, Kind::DirectiveRepeatableAdded, format!("{now} is repeatable now"))
        } else {
            let rule = if old.locations.iter().copied().any(is_executable) {
                &rule::REPEATABLE_REMOVED
            } else {
                &rule::REPEATABLE_REMOVED_IN_SCHEMA
            };
            (rule, Kind::DirectiveRepeatableRemoved, format!("{now} is no longer repeatable"))
        };
        self.add(rule, kind, now, message, spans);
    }
}
