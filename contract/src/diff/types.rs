//! Types of every sort, and what is particular to one sort: interfaces, members, values.

use apollo_compiler::{
    collections::IndexSet,
    schema::{ComponentName, EnumType, EnumValueDefinition, ExtendedType},
};

use super::{
    Comparison, DescriptionKinds, inputs,
    part::{Form, Part},
    usages::{ast_nodes, is_deprecated, nodes},
};
use crate::{
    ChangeKind as Kind,
    rule::{self, Rule},
    schema::is_built_in,
};

const DESCRIPTION: DescriptionKinds = DescriptionKinds {
    added: Kind::TypeDescriptionAdded,
    changed: Kind::TypeDescriptionChanged,
    removed: Kind::TypeDescriptionRemoved,
};

/// What is said of a name that is new in a list of names or gone from it.
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

fn part(definition: &ExtendedType) -> Part<'_> {
    Part::Type(Form::of(definition), definition.name())
}

impl<'a> Comparison<'a> {
    pub(super) fn types(&mut self) {
        let (old, new) = (&self.old.tree().types, &self.new.tree().types);
        for (name, before) in old.iter().filter(|(_, before)| !is_built_in(before)) {
            if let Some(now) = new.get(name) {
                self.ty(before, now);
                continue;
            }
            let message = format!("{} was removed", part(before));
            let spans = (before.name().location(), None);
            let (rule, kind) = (&rule::TYPE_REMOVED, Kind::TypeRemoved);
            self.add(rule, kind, part(before), message, spans);
        }
        for (name, now) in new.iter().filter(|(_, now)| !is_built_in(now)) {
            if !old.contains_key(name) {
                let message = format!("{} was added", part(now));
                let spans = (None, now.name().location());
                let (rule, kind) = (&rule::TYPE_ADDED, Kind::TypeAdded);
                self.add(rule, kind, part(now), message, spans);
            }
        }
    }

    fn ty(&mut self, before: &'a ExtendedType, now: &'a ExtendedType) {
        if before == now {
            return;
        }
        let (part, spans) = (part(now), (before.name().location(), now.name().location()));
        let name = now.name();
        match (before, now) {
            (ExtendedType::Scalar(_), ExtendedType::Scalar(_)) => {}
            (ExtendedType::Object(before), ExtendedType::Object(now)) => {
                let names = (&before.implements_interfaces, &now.implements_interfaces);
                self.names(&INTERFACES, part, names.0, names.1);
                self.fields(name, &before.fields, &now.fields);
            }
            (ExtendedType::Interface(before), ExtendedType::Interface(now)) => {
                let names = (&before.implements_interfaces, &now.implements_interfaces);
                self.names(&INTERFACES, part, names.0, names.1);
                self.fields(name, &before.fields, &now.fields);
            }
            (ExtendedType::Union(before), ExtendedType::Union(now)) => {
                self.names(&MEMBERS, part, &before.members, &now.members);
            }
            (ExtendedType::Enum(before), ExtendedType::Enum(now)) => self.enum_values(before, now),
            (ExtendedType::InputObject(before), ExtendedType::InputObject(now)) => {
                let part = |field| Part::InputField(name, field);
                let old = before.fields.values().map(|field| &field.node);
                let new = now.fields.values().map(|field| &field.node);
                self.inputs(&inputs::INPUT_FIELD, part, old, new);
            }
            // Nothing inside of the one has anything to do with what is inside of the other.
            (before, now) => {
                let (old, new) = (Form::of(before), Form::of(now));
                let message = format!("type '{name}' changed its kind from {old} to {new}");
                let (rule, kind) = (&rule::TYPE_KIND_CHANGED, Kind::TypeKindChanged);
                return self.add(rule, kind, part, message, spans);
            }
        }
        let descriptions = (before.description(), now.description());
        self.description(&DESCRIPTION, part, descriptions.0, descriptions.1, spans);
        let (old, new) = (nodes(before.directives()), nodes(now.directives()));
        self.usages(part, old, new, spans);
    }

    fn names(
        &mut self,
        rules: &NameRules,
        part: Part,
        old: &IndexSet<ComponentName>,
        new: &IndexSet<ComponentName>,
    ) {
        for name in old.difference(new) {
            let (rule, kind, verb) = rules.removed;
            let spans = (name.location(), None);
            self.add(rule, kind, part, format!("{part} {verb} '{name}'"), spans);
        }
        for name in new.difference(old) {
            let (rule, kind, verb) = rules.added;
            let spans = (None, name.location());
            self.add(rule, kind, part, format!("{part} {verb} '{name}'"), spans);
        }
    }

    fn enum_values(&mut self, before: &'a EnumType, now: &'a EnumType) {
        let ty = &*now.name;
        for (name, old) in &before.values {
            if let Some(new) = now.values.get(name) {
                self.enum_value(ty, old, new);
                continue;
            }
            let (rule, sort) = if is_deprecated(&ast_nodes(&old.directives)) {
                (&rule::DEPRECATED_ENUM_VALUE_REMOVED, "deprecated ")
            } else {
                (&rule::ENUM_VALUE_REMOVED, "")
            };
            let part = Part::EnumValue(ty, name);
            let message = format!("{sort}{part} was removed");
            let spans = (old.value.location(), None);
            self.add(rule, Kind::EnumValueRemoved, part, message, spans);
        }
        for (name, new) in &now.values {
            if !before.values.contains_key(name) {
                let part = Part::EnumValue(ty, name);
                let message = format!("{part} was added");
                let spans = (None, new.value.location());
                let (rule, kind) = (&rule::ENUM_VALUE_ADDED, Kind::EnumValueAdded);
                self.add(rule, kind, part, message, spans);
            }
        }
    }

    fn enum_value(
        &mut self,
        ty: &str,
        before: &'a EnumValueDefinition,
        now: &'a EnumValueDefinition,
    ) {
        let part = Part::EnumValue(ty, &now.value);
        let spans = (before.value.location(), now.value.location());
        self.description(
            &DescriptionKinds::one(Kind::EnumValueDescriptionChanged),
            part,
            before.description.as_ref(),
            now.description.as_ref(),
            spans,
        );
        let (old, new) = (ast_nodes(&before.directives), ast_nodes(&now.directives));
        self.usages(part, old, new, spans);
    }
}
