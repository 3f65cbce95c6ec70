//! Compares types, and what one kind of type has: implemented interfaces, members, enum values.

use apollo_compiler::{
    collections::IndexSet,
    schema::{ComponentName, EnumType, ExtendedType},
};

use schema::{Element, built_in};

use super::{Comparison, DescriptionKinds, inputs, spans};
use crate::{
    ChangeKind as Kind,
    rule::{self, Rule},
};

const DESCRIPTION: DescriptionKinds = DescriptionKinds {
    added: Kind::TypeDescriptionAdded,
    changed: Kind::TypeDescriptionChanged,
    removed: Kind::TypeDescriptionRemoved,
};

/// The rule, the kind and the verb for a name that was added to or removed from a list of names.
struct NameRules {
    added: (&'static Rule, Kind, &'static str),
    removed: (&'static Rule, Kind, &'static str),
}

const INTERFACES: NameRules = NameRules {
    added: (
        &rule::INTERFACE_ADDED,
        Kind::ObjectTypeInterfaceAdded,
        "now implements",
    ),
    removed: (
        &rule::INTERFACE_REMOVED,
        Kind::ObjectTypeInterfaceRemoved,
        "no longer implements",
    ),
};

const MEMBERS: NameRules = NameRules {
    added: (
        &rule::MEMBER_ADDED,
        Kind::UnionMemberAdded,
        "now has the member",
    ),
    removed: (
        &rule::MEMBER_REMOVED,
        Kind::UnionMemberRemoved,
        "no longer has the member",
    ),
};

impl<'a> Comparison<'a> {
    pub(super) fn types(&mut self) {
        let (old, new) = (&self.old.tree().types, &self.new.tree().types);
        for (name, before) in old.iter().filter(|(name, _)| !built_in::is_type(name)) {
            match new.get(name) {
                Some(now) if before == now => {}
                Some(now) => self.ty(before, now),
                None => {
                    let element = Element::Type(before);
                    self.removed([&rule::TYPE_REMOVED; 2], Kind::TypeRemoved, element);
                }
            }
        }
        for (name, now) in new.iter().filter(|(name, _)| !built_in::is_type(name)) {
            if !old.contains_key(name) {
                self.added(&rule::TYPE_ADDED, Kind::TypeAdded, Element::Type(now), "");
            }
        }
    }

    fn ty(&mut self, old: &'a ExtendedType, new: &'a ExtendedType) {
        let (before, now) = (Element::Type(old), Element::Type(new));
        let name = new.name();
        match (old, new) {
            (ExtendedType::Scalar(_), ExtendedType::Scalar(_)) => {}
            (ExtendedType::Object(old), ExtendedType::Object(new)) => {
                let names = (&old.implements_interfaces, &new.implements_interfaces);
                self.names(&INTERFACES, now, names.0, names.1);
                self.fields(name, &old.fields, &new.fields);
            }
            (ExtendedType::Interface(old), ExtendedType::Interface(new)) => {
                let names = (&old.implements_interfaces, &new.implements_interfaces);
                self.names(&INTERFACES, now, names.0, names.1);
                self.fields(name, &old.fields, &new.fields);
            }
            (ExtendedType::Union(old), ExtendedType::Union(new)) => {
                self.names(&MEMBERS, now, &old.members, &new.members);
            }
            (ExtendedType::Enum(old), ExtendedType::Enum(new)) => self.enum_values(old, new),
            (ExtendedType::InputObject(old), ExtendedType::InputObject(new)) => {
                let element = |field| Element::InputField(name, field);
                let old = old.fields.values().map(|field| &field.node);
                let new = new.fields.values().map(|field| &field.node);
                self.inputs(&inputs::INPUT_FIELD, element, old, new);
            }
            // The contents of types of different kinds cannot be compared.
            _ => {
                let (old, new) = (before.kind(), now.kind());
                let message = format!("type '{name}' changed its kind from {old} to {new}");
                let (rule, kind) = (&rule::TYPE_KIND_CHANGED, Kind::TypeKindChanged);
                return self.add(rule, kind, now, message, spans(before, now));
            }
        }
        self.element(&DESCRIPTION, before, now);
    }

    fn names(
        &mut self,
        rules: &NameRules,
        element: Element,
        old: &IndexSet<ComponentName>,
        new: &IndexSet<ComponentName>,
    ) {
        for name in old.difference(new) {
            let (rule, kind, verb) = rules.removed;
            let message = format!("{element} {verb} '{name}'");
            self.add(rule, kind, element, message, (name.location(), None));
        }
        for name in new.difference(old) {
            let (rule, kind, verb) = rules.added;
            let message = format!("{element} {verb} '{name}'");
            self.add(rule, kind, element, message, (None, name.location()));
        }
    }

    fn enum_values(&mut self, old: &'a EnumType, new: &'a EnumType) {
        let ty = &new.name;
        for (name, before) in &old.values {
            let before = Element::EnumValue(ty, &before.node);
            if let Some(now) = new.values.get(name) {
                let kinds = DescriptionKinds::one(Kind::EnumValueDescriptionChanged);
                self.element(&kinds, before, Element::EnumValue(ty, &now.node));
                continue;
            }
            let rules = [
                &rule::ENUM_VALUE_REMOVED,
                &rule::DEPRECATED_ENUM_VALUE_REMOVED,
            ];
            self.removed(rules, Kind::EnumValueRemoved, before);
        }
        for (name, now) in &new.values {
            if !old.values.contains_key(name) {
                let value = Element::EnumValue(ty, &now.node);
                self.added(&rule::ENUM_VALUE_ADDED, Kind::EnumValueAdded, value, "");
            }
        }
    }
}
