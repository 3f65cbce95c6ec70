//! The comparison of two schemas. Parts are paired by name; unpaired parts were added or removed.
//! The contents of an added or removed part are not listed.

mod constraint;
mod elements;
mod usages;
mod values;

use std::{collections::HashMap, mem};

use apollo_compiler::parser::SourceSpan;
use graphql_sdl::{Element, Schema};

use crate::{
    Change, ChangeKind as Kind, Level,
    names::DirectiveName,
    reach::{Reach, is_in_operations},
    rule::{self, Rule},
};

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

/// The two schemas, and the changes found so far.
struct Comparison<'a> {
    old: &'a Schema,
    new: &'a Schema,
    /// The directives that are documentation.
    documentation: &'a [DirectiveName],
    old_reach: Reach<'a>,
    new_reach: Reach<'a>,
    found: Vec<Change>,
}

/// The spans of a part in the old and in the new schema.
type Spans = (Option<SourceSpan>, Option<SourceSpan>);

/// The spans of the names of an element.
fn spans(before: Element, now: Element) -> Spans {
    (before.name_span(), now.name_span())
}

impl Comparison<'_> {
    fn add(&mut self, rule: &Rule, kind: Kind, element: Element, message: String, spans: Spans) {
        let rule = self.rule_of_use(rule, kind, element);
        debug_assert!(rule.kinds.contains(&kind), "{kind} is not a kind of the rule {}", rule.when);
        let (old, new) = spans;
        self.found.push(Change {
            coordinate: element.coordinate(),
            kind,
            level: rule.level,
            message,
            reason: rule.reason,
            old: self.old.location(old),
            new: self.new.location(new),
        });
    }

    /// Whether one of the schemas was read by introspection without this field.
    fn omits(&self, field: &str) -> bool {
        self.old.omits(field) || self.new.omits(field)
    }

    /// Whether it is unknown if one of the schemas has this input, or deprecates it.
    fn omits_deprecated(&self, element: Element) -> bool {
        let is_deprecated = element.input().is_some() && element.deprecation().is_some();
        is_deprecated && self.omits("__InputValue.isDeprecated")
    }

    /// The rule for a change of what no operation can use, or the given one.
    fn rule_of_use<'r>(&self, rule: &'r Rule, kind: Kind, element: Element) -> &'r Rule {
        let no_use = match element {
            Element::Directive(_) | Element::DirectiveArgument(..) => &rule::IN_SCHEMA,
            _ => &rule::UNREACHABLE,
        };
        let is_usable = match element {
            Element::Schema(_) => true,
            Element::Directive(directive) => is_in_operations(self.old, &directive.name),
            Element::DirectiveArgument(directive, _) => is_in_operations(self.old, directive),
            Element::Type(ty) => self.old_reach.reaches(ty.name()),
            _ => element.owner().is_none_or(|owner| self.old_reach.reaches(owner)),
        };
        let is_decided = rule.level == Level::Safe || *rule == rule::UNKNOWN_DIRECTIVE;
        if is_usable || is_decided || !no_use.kinds.contains(&kind) {
            return rule;
        }
        no_use
    }
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
