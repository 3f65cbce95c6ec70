//! Compares the types of fields and inputs, and the names in types: implemented interfaces and members
//! of unions.

use apollo_compiler::schema::ExtendedType;
use graphql_sdl::Element;

use super::{
    comparison::{Comparison, spans},
    inputs::kinds,
};
use crate::{ChangeKind as Kind, rule};

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
            Element::Field(of, field) if new.is_assignable_to(old) => {
                let rule = if self.new_reach.is_selected_beside(of, &field.name, old) {
                    &rule::OUTPUT_TYPE_CONFLICTS
                } else {
                    &rule::OUTPUT_TYPE_NARROWED
                };
                (rule, Kind::FieldTypeChanged)
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
        let is_union = matches!(now, Element::Type(ExtendedType::Union(_)));
        for name in old.difference(new) {
            let (rule, kind, verb) = if is_union {
                let (rule, kind) = (&rule::MEMBER_REMOVED, Kind::UnionMemberRemoved);
                (rule, kind, "no longer has the member")
            } else {
                let (rule, kind) = (&rule::INTERFACE_REMOVED, Kind::ObjectTypeInterfaceRemoved);
                (rule, kind, "no longer implements")
            };
            let message = format!("{now} {verb} '{name}'");
            self.add(rule, kind, now, message, (name.location(), None));
        }
        for name in new.difference(old) {
            let (rule, kind, verb) = if is_union {
                let (rule, kind) = (&rule::MEMBER_ADDED, Kind::UnionMemberAdded);
                (rule, kind, "now has the member")
            } else {
                let (rule, kind) = (&rule::INTERFACE_ADDED, Kind::ObjectTypeInterfaceAdded);
                (rule, kind, "now implements")
            };
            let message = format!("{now} {verb} '{name}'");
            self.add(rule, kind, now, message, (None, name.location()));
        }
    }
}
