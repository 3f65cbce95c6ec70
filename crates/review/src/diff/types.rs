//! Compares the types of fields and inputs, and the names in types: implemented interfaces and members
//! of unions.

use apollo_compiler::schema::ExtendedType;
use schema::Element;

use super::{Comparison, inputs::kinds, spans};
use crate::{
    ChangeKind as Kind,
    rule::{self, Rule},
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

impl Comparison<'_> {
    /// Compares the type of a field or of an input.
    pub(super) fn value_type(&mut self, before: Element, now: Element) {
        let (Some(old), Some(new)) = (before.ty(), now.ty()) else {
            return;
        };
        if old == new {
            return;
        }
        let (rule, kind) = match now {
            Element::Field(..) if new.is_assignable_to(old) => {
                (&rule::OUTPUT_TYPE_NARROWED, Kind::FieldTypeChanged)
            }
            Element::Field(..) => (&rule::OUTPUT_TYPE_CHANGED, Kind::FieldTypeChanged),
            _ if old.is_assignable_to(new) => (&rule::INPUT_WIDENED, kinds(now).type_changed),
            _ => (&rule::INPUT_CHANGED, kinds(now).type_changed),
        };
        let message = format!("{now} changed its type from '{old}' to '{new}'");
        self.add(rule, kind, now, message, spans(before, now));
    }

    pub(super) fn names(&mut self, before: Element, now: Element) {
        let (Element::Type(old), Element::Type(new)) = (before, now) else {
            return;
        };
        let (rules, old, new) = match (old, new) {
            (ExtendedType::Object(old), ExtendedType::Object(new)) => {
                let (old, new) = (&old.implements_interfaces, &new.implements_interfaces);
                (&INTERFACES, old, new)
            }
            (ExtendedType::Interface(old), ExtendedType::Interface(new)) => {
                let (old, new) = (&old.implements_interfaces, &new.implements_interfaces);
                (&INTERFACES, old, new)
            }
            (ExtendedType::Union(old), ExtendedType::Union(new)) => {
                (&MEMBERS, &old.members, &new.members)
            }
            _ => return,
        };
        for name in old.difference(new) {
            let (rule, kind, verb) = rules.removed;
            let message = format!("{now} {verb} '{name}'");
            self.add(rule, kind, now, message, (name.location(), None));
        }
        for name in new.difference(old) {
            let (rule, kind, verb) = rules.added;
            let message = format!("{now} {verb} '{name}'");
            self.add(rule, kind, now, message, (None, name.location()));
        }
    }
}
