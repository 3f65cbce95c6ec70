//! The two schemas that are compared, and the changes found so far.

use apollo_compiler::parser::SourceSpan;
use schema::{Element, Schema};

use crate::{Change, ChangeKind as Kind, rule::Rule};

/// The two schemas, and the changes found so far.
pub(super) struct Comparison<'a> {
    pub(super) old: &'a Schema,
    pub(super) new: &'a Schema,
    pub(super) found: Vec<Change>,
}

/// The spans of a part in the old and in the new schema.
pub(super) type Spans = (Option<SourceSpan>, Option<SourceSpan>);

/// The spans of the names of an element.
pub(super) fn spans(before: Element, now: Element) -> Spans {
    (before.name_span(), now.name_span())
}

impl Comparison<'_> {
    pub(super) fn add(
        &mut self,
        rule: &Rule,
        kind: Kind,
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
}
