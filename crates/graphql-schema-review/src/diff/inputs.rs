//! Compares the default values of inputs: arguments of fields, arguments of directives, fields of input
//! objects.

use apollo_compiler::{
    Node,
    ast::{InputValueDefinition, Value},
};
use graphql_sdl::Element;

use super::{
    comparison::{Comparison, spans},
    values::{is_equivalent, shown},
};
use crate::{
    ChangeKind as Kind,
    rule::{self, Rule},
};

/// The kinds and rules for changes of one sort of input.
pub(super) struct InputKinds {
    added: Kind,
    pub(super) removed: Kind,
    pub(super) type_changed: Kind,
    default_changed: Kind,
    /// The rules for a new optional input, without a default and with one.
    optional_added: [&'static Rule; 2],
}

pub(super) fn kinds(input: Element) -> InputKinds {
    match input {
        Element::InputField(..) => InputKinds {
            added: Kind::InputFieldAdded,
            removed: Kind::InputFieldRemoved,
            type_changed: Kind::InputFieldTypeChanged,
            default_changed: Kind::InputFieldDefaultValueChanged,
            optional_added: [&rule::INPUT_FIELD_ADDED, &rule::INPUT_FIELD_WITH_DEFAULT_ADDED],
        },
        Element::DirectiveArgument(..) => InputKinds {
            added: Kind::DirectiveArgumentAdded,
            removed: Kind::DirectiveArgumentRemoved,
            type_changed: Kind::DirectiveArgumentTypeChanged,
            default_changed: Kind::DirectiveArgumentDefaultValueChanged,
            optional_added: [&rule::DIRECTIVE_ARGUMENT_ADDED; 2],
        },
        _ => InputKinds {
            added: Kind::FieldArgumentAdded,
            removed: Kind::FieldArgumentRemoved,
            type_changed: Kind::FieldArgumentTypeChanged,
            default_changed: Kind::FieldArgumentDefaultChanged,
            optional_added: [&rule::ARGUMENT_ADDED; 2],
        },
    }
}

impl InputKinds {
    /// The rule and the kind of a new input, and the end of the message.
    pub(super) fn added(self, input: &Input) -> (&'static Rule, Kind, String) {
        let [without_default, with_default] = self.optional_added;
        let (rule, details) = match &input.default_value {
            _ if input.is_required() => (&rule::REQUIRED_ADDED, " and is required".to_owned()),
            None => (without_default, String::new()),
            Some(value) => (with_default, format!(" and the default value {}", shown(value))),
        };
        let details = format!(" with the type '{}'{details}", input.ty);
        (rule, self.added, details)
    }
}

type Input = Node<InputValueDefinition>;

impl Comparison<'_> {
    pub(super) fn default_value(&mut self, before: Element, now: Element) {
        let (Some(old), Some(new)) = (before.input(), now.input()) else {
            return;
        };
        if let Some(message) = self.default_change(now, old, new) {
            let rule = match (old.is_required(), new.is_required()) {
                (true, _) => &rule::DEFAULT_ALLOWED,
                (false, true) => &rule::DEFAULT_REQUIRED,
                (false, false) => &rule::DEFAULT_CHANGED,
            };
            let (kind, spans) = (kinds(now).default_changed, spans(before, now));
            self.add(rule, kind, now, message, spans);
        }
    }

    /// How the default value changed, in a sentence.
    fn default_change(&self, element: Element, before: &Input, now: &Input) -> Option<String> {
        let one = |value, verb| format!("the default value {} of {element} was {verb}", shown(value));
        match (&before.default_value, &now.default_value) {
            (Some(old), Some(new)) if !self.is_same_default(before, now, old, new) => {
                let (old, new) = (shown(old), shown(new));
                Some(format!("the default value of {element} changed from {old} to {new}"))
            }
            (Some(old), None) => Some(one(old, "removed")),
            (None, Some(new)) => Some(one(new, "added")),
            _ => None,
        }
    }

    /// Whether two defaults are equal, for the old type and for the new one.
    fn is_same_default(&self, before: &Input, now: &Input, old: &Value, new: &Value) -> bool {
        is_equivalent(self.old.tree(), &before.ty, old, new) && is_equivalent(self.new.tree(), &now.ty, old, new)
    }
}
