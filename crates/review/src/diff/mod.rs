//! The comparison of two schemas. Parts are paired by name; unpaired parts were added or removed.
//! The contents of an added or removed part are not listed.

mod constraint;
mod definitions;
mod fields;
mod inputs;
mod types;
mod usages;
mod values;

use apollo_compiler::{Node, ast::OperationType, parser::SourceSpan};
use schema::{Element, Schema};

use crate::{
    Change, ChangeKind,
    rule::{self, Rule},
};

/// Every difference between two schemas, in the order of the coordinates; none if they are equal.
///
/// The order of definitions, fields and arguments is ignored, and so is the spelling of a default
/// value. Built-in definitions are not compared.
pub fn diff(old: &Schema, new: &Schema) -> Vec<Change> {
    let mut comparison = Comparison {
        old,
        new,
        found: Vec::new(),
    };
    comparison.schemas();
    comparison.types();
    comparison.directives();
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
    found: Vec<Change>,
}

/// The spans of a part in the old and in the new schema.
type Spans = (Option<SourceSpan>, Option<SourceSpan>);

/// The kinds of a change of a description.
struct DescriptionKinds {
    added: ChangeKind,
    changed: ChangeKind,
    removed: ChangeKind,
}

impl DescriptionKinds {
    /// One kind for every change of the description.
    const fn one(kind: ChangeKind) -> Self {
        Self {
            added: kind,
            changed: kind,
            removed: kind,
        }
    }
}

/// The spans of the names of an element.
fn spans(before: Element, now: Element) -> Spans {
    (before.name_span(), now.name_span())
}

/// `deprecated `, for messages about an element that was deprecated, or nothing.
fn deprecated_prefix(element: Element) -> &'static str {
    match element.deprecation() {
        Some(_) => "deprecated ",
        None => "",
    }
}

impl<'a> Comparison<'a> {
    fn add(
        &mut self,
        rule: &Rule,
        kind: ChangeKind,
        element: Element,
        message: String,
        spans: Spans,
    ) {
        debug_assert!(
            rule.kinds.contains(&kind),
            "{kind} is not a kind of the rule {}",
            rule.when
        );
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

    /// An element that only the new schema has; `details` end the message.
    fn added(&mut self, rule: &Rule, kind: ChangeKind, element: Element, details: &str) {
        let message = format!("{element} was added{details}");
        self.add(rule, kind, element, message, (None, element.name_span()));
    }

    /// An element that only the old schema has; the second rule applies if it was deprecated.
    fn removed(&mut self, rules: [&Rule; 2], kind: ChangeKind, element: Element) {
        let prefix = deprecated_prefix(element);
        let rule = rules[usize::from(!prefix.is_empty())];
        let message = format!("{prefix}{element} was removed");
        self.add(rule, kind, element, message, (element.name_span(), None));
    }

    /// Compares what every element has: the description and the directives.
    fn element(&mut self, kinds: &DescriptionKinds, before: Element<'a>, now: Element<'a>) {
        self.description(kinds, before, now);
        self.usages(before, now);
    }

    fn description(&mut self, kinds: &DescriptionKinds, before: Element, now: Element) {
        let (old, new) = (before.description(), now.description());
        let (kind, verb) = match (old, new) {
            (None, Some(_)) => (kinds.added, "added"),
            (Some(_), None) => (kinds.removed, "removed"),
            (Some(old), Some(new)) if old != new => (kinds.changed, "changed"),
            _ => return,
        };
        let message = format!("the description of {now} was {verb}");
        let span_of = |node: Option<&Node<str>>| node.and_then(Node::location);
        let spans = (
            span_of(old).or(before.name_span()),
            span_of(new).or(now.name_span()),
        );
        self.add(&rule::DESCRIPTION, kind, now, message, spans);
    }

    fn schemas(&mut self) {
        let (old, new) = (self.old.tree(), self.new.tree());
        let (before, now) = (
            Element::Schema(&old.schema_definition),
            Element::Schema(&new.schema_definition),
        );
        for operation in [
            OperationType::Query,
            OperationType::Mutation,
            OperationType::Subscription,
        ] {
            let roots = (old.root_operation(operation), new.root_operation(operation));
            let (rule, message) = match roots {
                (Some(old), Some(new)) if old != new => (
                    &rule::ROOT_CHANGED,
                    format!("the {operation} root type changed from '{old}' to '{new}'"),
                ),
                (Some(old), None) => (
                    &rule::ROOT_CHANGED,
                    format!("the {operation} root type '{old}' was removed"),
                ),
                (None, Some(new)) => (
                    &rule::ROOT_ADDED,
                    format!("the {operation} root type '{new}' was added"),
                ),
                _ => continue,
            };
            let kind = ChangeKind::of_root(operation);
            self.add(rule, kind, now, message, spans(before, now));
        }
        let kinds = DescriptionKinds::one(ChangeKind::SchemaDescriptionChanged);
        self.element(&kinds, before, now);
    }
}
