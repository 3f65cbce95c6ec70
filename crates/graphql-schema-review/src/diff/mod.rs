//! The comparison of two schemas. Parts are paired by name; unpaired parts were added or removed.
//! The contents of an added or removed part are not listed.

mod comparison;
mod constraint;
mod elements;
mod usages;
mod values;

use std::{collections::HashMap, mem};

use graphql_sdl::{Element, Schema};

use self::comparison::{Comparison, spans};
use crate::{Change, ChangeKind as Kind, names::DirectiveName, reach::Reach, rule};

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
}
