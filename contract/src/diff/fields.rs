//! What is answered: the fields of object types and interfaces.

use apollo_compiler::{
    Name,
    collections::IndexMap,
    schema::{Component, FieldDefinition},
};

use super::{
    Comparison, DescriptionKinds, inputs,
    part::Part,
    usages::{ast_nodes, is_deprecated},
    values::is_within,
};
use crate::{ChangeKind as Kind, rule};

type Fields = IndexMap<Name, Component<FieldDefinition>>;

const DESCRIPTION: DescriptionKinds = DescriptionKinds {
    added: Kind::FieldDescriptionAdded,
    changed: Kind::FieldDescriptionChanged,
    removed: Kind::FieldDescriptionRemoved,
};

impl<'a> Comparison<'a> {
    pub(super) fn fields(&mut self, ty: &'a str, old: &'a Fields, new: &'a Fields) {
        for (name, before) in old {
            match new.get(name) {
                Some(now) => self.field(ty, before, now),
                None => self.field_removed(ty, before),
            }
        }
        for (name, now) in new {
            if !old.contains_key(name) {
                let part = Part::Field(ty, name);
                let message = format!("{part} was added with the type '{}'", now.ty);
                let spans = (None, now.name.location());
                self.add(&rule::FIELD_ADDED, Kind::FieldAdded, part, message, spans);
            }
        }
    }

    fn field(&mut self, ty: &'a str, before: &'a FieldDefinition, now: &'a FieldDefinition) {
        if before == now {
            return;
        }
        let part = Part::Field(ty, &now.name);
        let spans = (before.name.location(), now.name.location());
        if before.ty != now.ty {
            let rule = if is_within(&now.ty, &before.ty) {
                &rule::ANSWER_NARROWED
            } else {
                &rule::ANSWER_CHANGED
            };
            let message = format!(
                "{part} changed its type from '{}' to '{}'",
                before.ty, now.ty
            );
            self.add(rule, Kind::FieldTypeChanged, part, message, spans);
        }
        self.inputs(
            &inputs::ARGUMENT,
            |argument| Part::Argument(ty, &now.name, argument),
            &before.arguments,
            &now.arguments,
        );
        let descriptions = (before.description.as_ref(), now.description.as_ref());
        self.description(&DESCRIPTION, part, descriptions.0, descriptions.1, spans);
        let (old, new) = (ast_nodes(&before.directives), ast_nodes(&now.directives));
        self.usages(part, old, new, spans);
    }

    fn field_removed(&mut self, ty: &'a str, before: &'a FieldDefinition) {
        let part = Part::Field(ty, &before.name);
        let (rule, sort) = if is_deprecated(&ast_nodes(&before.directives)) {
            (&rule::DEPRECATED_FIELD_REMOVED, "deprecated ")
        } else {
            (&rule::FIELD_REMOVED, "")
        };
        let message = format!("{sort}{part} was removed");
        let spans = (before.name.location(), None);
        self.add(rule, Kind::FieldRemoved, part, message, spans);
    }
}
