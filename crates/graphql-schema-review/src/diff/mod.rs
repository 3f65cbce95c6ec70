//! The comparison of two schemas. Parts are paired by name; unpaired parts were added or removed.
//! The contents of an added or removed part are not listed.

mod comparison;
mod constraint;
mod definitions;
mod inputs;
mod parts;
mod types;
mod usages;
mod values;

use std::{collections::HashMap, mem};

use apollo_compiler::{Node, ast::OperationType};
use graphql_sdl::{Element, Schema};

use self::comparison::{Comparison, spans};
use crate::{Change, ChangeKind as Kind, directive_name::DirectiveName, reach::Reach, rule};

/// Every difference between two schemas, in the order of the coordinates; none if they are equal. What cannot be read is not
/// compared.
///
/// The order of definitions, fields and arguments is ignored, and so is the spelling of a default
/// value. Built-in definitions are not compared.
pub fn diff(old: &Schema, new: &Schema) -> Vec<Change> {
    compare(old, new, &[])
}

/// Every difference, where these directives are documentation.
pub(crate) fn compare(old: &Schema, new: &Schema, documentation: &[DirectiveName]) -> Vec<Change> {
    let mut comparison = Comparison {
        old,
        new,
        documentation,
        old_reach: Reach::new(old),
        new_reach: Reach::new(new),
        found: Vec::new(),
    };
    comparison.parts(old.definitions(), new.definitions());
    let mut found = comparison.found;
    found.sort_by_cached_key(|change| {
        let (coordinate, message) = (change.coordinate.clone(), change.message.clone());
        (coordinate, change.kind, change.level, message)
    });
    found
}

impl<'a> Comparison<'a> {
    fn parts(&mut self, old: Vec<Element<'a>>, new: Vec<Element<'a>>) {
        let key = |element: Element<'a>| (mem::discriminant(&element), element.name());
        let mut unpaired: HashMap<_, _> = new.iter().map(|now| (key(*now), *now)).collect();
        for before in old {
            match unpaired.remove(&key(before)) {
                Some(now) if before == now => {}
                Some(now) => self.part(before, now),
                None if self.omits_deprecated(before) => {}
                None => self.removed(before),
            }
        }
        for now in new {
            if unpaired.contains_key(&key(now)) && !self.omits_deprecated(now) {
                self.added(now);
            }
        }
    }

    fn part(&mut self, before: Element<'a>, now: Element<'a>) {
        let is_read = !self.old.is_unreadable(before) && !self.new.is_unreadable(now);
        if is_read && !self.element(before, now) {
            return;
        }
        self.parts(before.parts(), now.parts());
    }

    /// Compares two elements without their parts. Returns whether their parts can be compared.
    fn element(&mut self, before: Element<'a>, now: Element<'a>) -> bool {
        let (old_kind, new_kind) = (before.kind(), now.kind());
        if old_kind != new_kind {
            // The contents of types of different kinds cannot be compared.
            let name = now.coordinate();
            let message = format!("type '{name}' changed its kind from {old_kind} to {new_kind}");
            let (rule, kind) = (&rule::TYPE_KIND_CHANGED, Kind::TypeKindChanged);
            self.add(rule, kind, now, message, spans(before, now));
            self.description(before, now);
            return false;
        }
        self.roots(before, now);
        self.names(before, now);
        self.directive(before, now);
        self.value_type(before, now);
        self.default_value(before, now);
        self.description(before, now);
        self.usages(before, now);
        true
    }

    fn description(&mut self, before: Element, now: Element) {
        if matches!(now, Element::Schema(_)) && self.omits("__Schema.description") {
            return;
        }
        let [added, changed, removed] = parts::description_kinds(now);
        let (old, new) = (before.description(), now.description());
        let (kind, verb) = match (old, new) {
            (None, Some(_)) => (added, "added"),
            (Some(_), None) => (removed, "removed"),
            (Some(old), Some(new)) if old != new => (changed, "changed"),
            _ => return,
        };
        let message = format!("the description of {now} was {verb}");
        let span_of = |node: Option<&Node<str>>| node.and_then(Node::location);
        let spans = (span_of(old).or(before.name_span()), span_of(new).or(now.name_span()));
        self.add(&rule::DESCRIPTION, kind, now, message, spans);
    }

    fn roots(&mut self, before: Element, now: Element) {
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
}
