//! What is given: arguments of fields, arguments of directives, fields of input objects.

use std::collections::HashMap;

use apollo_compiler::{
    Node,
    ast::{InputValueDefinition, Value},
};

use super::{
    Comparison, DescriptionKinds, Spans,
    part::Part,
    usages::{ast_nodes, is_deprecated},
    values::{is_within, mean_the_same, shown},
};
use crate::{
    ChangeKind as Kind,
    rule::{self, Rule},
};

/// How changes of one sort of input are called and judged.
pub(super) struct InputRules {
    added: Kind,
    removed: Kind,
    type_changed: Kind,
    default_changed: Kind,
    description: DescriptionKinds,
    /// The judgement of a new one that may be omitted, without a default and with one.
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
    /// Compares the inputs of one owner; `part` says what one of them is called.
    pub(super) fn inputs(
        &mut self,
        rules: &InputRules,
        part: impl Fn(&'a str) -> Part<'a>,
        old: impl IntoIterator<Item = &'a Input>,
        new: impl IntoIterator<Item = &'a Input>,
    ) {
        let new: Vec<&Input> = new.into_iter().collect();
        let mut unpaired: HashMap<&str, &Input> = new
            .iter()
            .map(|input| (input.name.as_str(), *input))
            .collect();
        for before in old {
            let part = part(&before.name);
            match unpaired.remove(before.name.as_str()) {
                Some(now) => self.input(rules, part, before, now),
                None => self.input_removed(rules, part, before),
            }
        }
        for now in new {
            if unpaired.contains_key(now.name.as_str()) {
                self.input_added(rules, part(&now.name), now);
            }
        }
    }

    fn input(&mut self, rules: &InputRules, part: Part, before: &'a Input, now: &'a Input) {
        if before == now {
            return;
        }
        let spans = (before.name.location(), now.name.location());
        if before.ty != now.ty {
            let rule = if is_within(&before.ty, &now.ty) {
                &rule::INPUT_WIDENED
            } else {
                &rule::INPUT_CHANGED
            };
            let message = format!(
                "{part} changed its type from '{}' to '{}'",
                before.ty, now.ty
            );
            self.add(rule, rules.type_changed, part, message, spans);
        }
        self.default_value(rules.default_changed, part, before, now, spans);
        self.description(
            &rules.description,
            part,
            before.description.as_ref(),
            now.description.as_ref(),
            spans,
        );
        let (old, new) = (ast_nodes(&before.directives), ast_nodes(&now.directives));
        self.usages(part, old, new, spans);
    }

    fn default_value(&mut self, kind: Kind, part: Part, before: &Input, now: &Input, spans: Spans) {
        let message = match (&before.default_value, &now.default_value) {
            (Some(old), Some(new)) if !self.is_same_default(before, now, old, new) => {
                let (old, new) = (shown(old), shown(new));
                format!("{part} changed its default from {old} to {new}")
            }
            (Some(old), None) => format!("{part} lost its default {}", shown(old)),
            (None, Some(new)) => format!("{part} got the default {}", shown(new)),
            _ => return,
        };
        let rule = match (before.is_required(), now.is_required()) {
            (true, _) => &rule::DEFAULT_ALLOWED,
            (false, true) => &rule::DEFAULT_REQUIRED,
            (false, false) => &rule::DEFAULT_CHANGED,
        };
        self.add(rule, kind, part, message, spans);
    }

    /// Whether a default means the same, for the old type and for the new one.
    fn is_same_default(&self, before: &Input, now: &Input, old: &Value, new: &Value) -> bool {
        mean_the_same(self.old.tree(), &before.ty, old, new)
            && mean_the_same(self.new.tree(), &now.ty, old, new)
    }

    fn input_added(&mut self, rules: &InputRules, part: Part, now: &Input) {
        let [without_default, with_default] = rules.optional_added;
        let (rule, sort) = match &now.default_value {
            _ if now.is_required() => (&rule::REQUIRED_ADDED, "required ".to_owned()),
            None => (without_default, String::new()),
            Some(_) => (with_default, String::new()),
        };
        let default = now.default_value.as_ref();
        let default = default.map(|value| format!(" and the default {}", shown(value)));
        let message = format!(
            "{sort}{part} was added with the type '{}'{}",
            now.ty,
            default.unwrap_or_default()
        );
        self.add(
            rule,
            rules.added,
            part,
            message,
            (None, now.name.location()),
        );
    }

    fn input_removed(&mut self, rules: &InputRules, part: Part, before: &Input) {
        let (rule, sort) = if is_deprecated(&ast_nodes(&before.directives)) {
            (&rule::DEPRECATED_INPUT_REMOVED, "deprecated ")
        } else {
            (&rule::INPUT_REMOVED, "")
        };
        let message = format!("{sort}{part} was removed");
        let spans = (before.name.location(), None);
        self.add(rule, rules.removed, part, message, spans);
    }
}
