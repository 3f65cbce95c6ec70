//! Compares outputs: the fields of object types and interfaces.

use apollo_compiler::{
    Name, Node,
    collections::IndexMap,
    schema::{Component, FieldDefinition},
};
use schema::Element;

use super::{Comparison, DescriptionKinds, inputs, spans};
use crate::{ChangeKind as Kind, rule};

type Fields = IndexMap<Name, Component<FieldDefinition>>;

const DESCRIPTION: DescriptionKinds = DescriptionKinds {
    added: Kind::FieldDescriptionAdded,
    changed: Kind::FieldDescriptionChanged,
    removed: Kind::FieldDescriptionRemoved,
};

impl<'a> Comparison<'a> {
    pub(super) fn fields(&mut self, ty: &'a Name, old: &'a Fields, new: &'a Fields) {
        for (name, before) in old {
            if let Some(now) = new.get(name) {
                self.field(ty, &before.node, &now.node);
                continue;
            }
            let rules = [&rule::FIELD_REMOVED, &rule::DEPRECATED_FIELD_REMOVED];
            let field = Element::Field(ty, &before.node);
            self.removed(rules, Kind::FieldRemoved, field);
        }
        for (name, now) in new {
            if !old.contains_key(name) {
                let details = format!(" with the type '{}'", now.ty);
                let field = Element::Field(ty, &now.node);
                self.added(&rule::FIELD_ADDED, Kind::FieldAdded, field, &details);
            }
        }
    }

    fn field(
        &mut self,
        ty: &'a Name,
        old: &'a Node<FieldDefinition>,
        new: &'a Node<FieldDefinition>,
    ) {
        if old == new {
            return;
        }
        let (before, now) = (Element::Field(ty, old), Element::Field(ty, new));
        if old.ty != new.ty {
            let rule = if new.ty.is_assignable_to(&old.ty) {
                &rule::OUTPUT_TYPE_NARROWED
            } else {
                &rule::OUTPUT_TYPE_CHANGED
            };
            let message = format!("{now} changed its type from '{}' to '{}'", old.ty, new.ty);
            self.add(
                rule,
                Kind::FieldTypeChanged,
                now,
                message,
                spans(before, now),
            );
        }
        self.inputs(
            &inputs::ARGUMENT,
            |argument| Element::Argument(ty, &new.name, argument),
            &old.arguments,
            &new.arguments,
        );
        self.element(&DESCRIPTION, before, now);
    }
}
