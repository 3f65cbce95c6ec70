//! Compares inputs: arguments of fields, arguments of directives, fields of input objects.

use std::collections::HashMap;

use apollo_compiler::{
    Node,
    ast::{InputValueDefinition, Value},
};
use schema::Element;

use super::{
    Comparison, DescriptionKinds, spans,
    values::{is_equivalent, shown},
};
use crate::{
    ChangeKind as Kind,
    rule::{self, Rule},
};

/// The kinds and rules for changes of one sort of input.
pub(super) struct InputRules {
    added: Kind,
    removed: Kind,
    type_changed: Kind,
    default_changed: Kind,
    description: DescriptionKinds,
    /// The rules for a new optional input, without a default and with one.
    optional_added: [&'static Rule; 2],
}

pub(super) const ARGUMENT: InputRules = InputRules {
    added: Kind::FieldArgumentAdded,
    removed: Kind::FieldArgumentRemoved,
    type_changed: Kind::FieldArgumentTypeChanged,
    default_changed: Kind::FieldArgumentDefaultChanged,
    description: DescriptionKinds::one(Kind::FieldArgumentDescriptionChanged),
    optional_added: [&rule::ARGUMENT_ADDED, &rule::ARGUMENT_ADDED],
};

pub(super) const INPUT_FIELD: InputRules = InputRules {
    added: Kind::InputFieldAdded,
    removed: Kind::InputFieldRemoved,
    type_changed: Kind::InputFieldTypeChanged,
    default_changed: Kind::InputFieldDefaultValueChanged,
    description: DescriptionKinds {
        added: Kind::InputFieldDescriptionAdded,
        changed: Kind::InputFieldDescriptionChanged,
        removed: Kind::InputFieldDescriptionRemoved,
    },
    optional_added: [
        &rule::INPUT_FIELD_ADDED,
        &rule::INPUT_FIELD_WITH_DEFAULT_ADDED,
    ],
};

pub(super) const DIRECTIVE_ARGUMENT: InputRules = InputRules {
    added: Kind::DirectiveArgumentAdded,
    removed: Kind::DirectiveArgumentRemoved,
    type_changed: Kind::DirectiveArgumentTypeChanged,
    default_changed: Kind::DirectiveArgumentDefaultValueChanged,
    description: DescriptionKinds::one(Kind::DirectiveArgumentDescriptionChanged),
    optional_added: [
        &rule::DIRECTIVE_ARGUMENT_ADDED,
        &rule::DIRECTIVE_ARGUMENT_ADDED,
    ],
};

type Input = Node<InputValueDefinition>;

impl<'a> Comparison<'a> {
    /// Compares the inputs of one owner, which `element` makes of their definitions.
    pub(super) fn inputs(
        &mut self,
        rules: &InputRules,
        element: impl Fn(&'a Input) -> Element<'a>,
        old: impl IntoIterator<Item = &'a Input>,
        new: impl IntoIterator<Item = &'a Input>,
    ) {
        let new: Vec<&Input> = new.into_iter().collect();
        let mut unpaired: HashMap<&str, &Input> = new
            .iter()
            .map(|input| (input.name.as_str(), *input))
            .collect();
        for before in old {
            match unpaired.remove(before.name.as_str()) {
                Some(now) if before == now => {}
                Some(now) => self.input(rules, (element(before), before), (element(now), now)),
                None => {
                    let removed = [&rule::INPUT_REMOVED, &rule::DEPRECATED_INPUT_REMOVED];
                    self.removed(removed, rules.removed, element(before));
                }
            }
        }
        for now in new {
            if unpaired.contains_key(now.name.as_str()) {
                self.input_added(rules, element(now), now);
            }
        }
    }

    fn input(
        &mut self,
        rules: &InputRules,
        (before, old): (Element<'a>, &Input),
        (now, new): (Element<'a>, &Input),
    ) {
        if old.ty != new.ty {
            let rule = if old.ty.is_assignable_to(&new.ty) {
                &rule::INPUT_WIDENED
            } else {
                &rule::INPUT_CHANGED
            };
            let message = format!("{now} changed its type from '{}' to '{}'", old.ty, new.ty);
            self.add(rule, rules.type_changed, now, message, spans(before, now));
        }
        if let Some(message) = self.default_change(now, old, new) {
            let rule = match (old.is_required(), new.is_required()) {
                (true, _) => &rule::DEFAULT_ALLOWED,
                (false, true) => &rule::DEFAULT_REQUIRED,
                (false, false) => &rule::DEFAULT_CHANGED,
            };
            self.add(
                rule,
                rules.default_changed,
                now,
                message,
                spans(before, now),
            );
        }
        self.element(&rules.description, before, now);
    }

    /// How the default value changed, in a sentence.
    fn default_change(&self, element: Element, before: &Input, now: &Input) -> Option<String> {
        let one =
            |value, verb| format!("the default value {} of {element} was {verb}", shown(value));
        match (&before.default_value, &now.default_value) {
            (Some(old), Some(new)) if !self.is_same_default(before, now, old, new) => {
                let (old, new) = (shown(old), shown(new));
                Some(format!(
                    "the default value of {element} changed from {old} to {new}"
                ))
            }
            (Some(old), None) => Some(one(old, "removed")),
            (None, Some(new)) => Some(one(new, "added")),
            _ => None,
        }
    }

    /// Whether two defaults are equal, for the old type and for the new one.
    fn is_same_default(&self, before: &Input, now: &Input, old: &Value, new: &Value) -> bool {
        is_equivalent(self.old.tree(), &before.ty, old, new)
            && is_equivalent(self.new.tree(), &now.ty, old, new)
    }

    fn input_added(&mut self, rules: &InputRules, element: Element, now: &Input) {
        let [without_default, with_default] = rules.optional_added;
        let (rule, details) = match &now.default_value {
            _ if now.is_required() => (&rule::REQUIRED_ADDED, " and is required".to_owned()),
            None => (without_default, String::new()),
            Some(value) => (
                with_default,
                format!(" and the default value {}", shown(value)),
            ),
        };
        let details = format!(" with the type '{}'{details}", now.ty);
        self.added(rule, rules.added, element, &details);
    }
}
