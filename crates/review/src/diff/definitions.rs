//! Compares the definitions of directives.

use apollo_compiler::ast::{DirectiveDefinition, DirectiveLocation};
use schema::Element;

use super::{Comparison, Spans, spans};
use crate::{ChangeKind as Kind, rule};

impl Comparison<'_> {
    pub(super) fn directive(
        &mut self,
        [before, now]: [Element; 2],
        old: &DirectiveDefinition,
        new: &DirectiveDefinition,
    ) {
        let spans = spans(before, now);
        self.locations(now, old, new, spans);
        if old.repeatable && !new.repeatable {
            let rule = if old.locations.iter().copied().any(is_executable) {
                &rule::REPEATABLE_REMOVED
            } else {
                &rule::REPEATABLE_REMOVED_IN_SCHEMA
            };
            let message = format!("{now} is no longer repeatable");
            self.add(rule, Kind::DirectiveRepeatableRemoved, now, message, spans);
        }
        if !old.repeatable && new.repeatable {
            let message = format!("{now} is repeatable now");
            let (rule, kind) = (&rule::REPEATABLE_ADDED, Kind::DirectiveRepeatableAdded);
            self.add(rule, kind, now, message, spans);
        }
    }

    fn locations(
        &mut self,
        element: Element,
        before: &DirectiveDefinition,
        now: &DirectiveDefinition,
        spans: Spans,
    ) {
        for location in &before.locations {
            if !now.locations.contains(location) {
                let message = format!("{element} is no longer allowed on {}", location.name());
                let (rule, kind) = (&rule::LOCATION_REMOVED, Kind::DirectiveLocationRemoved);
                self.add(rule, kind, element, message, spans);
            }
        }
        for location in &now.locations {
            if !before.locations.contains(location) {
                let message = format!("{element} is allowed on {} now", location.name());
                let (rule, kind) = (&rule::LOCATION_ADDED, Kind::DirectiveLocationAdded);
                self.add(rule, kind, element, message, spans);
            }
        }
    }
}

/// Whether the location is in executable documents, not in type systems.
fn is_executable(location: DirectiveLocation) -> bool {
    matches!(
        location,
        DirectiveLocation::Query
            | DirectiveLocation::Mutation
            | DirectiveLocation::Subscription
            | DirectiveLocation::Field
            | DirectiveLocation::FragmentDefinition
            | DirectiveLocation::FragmentSpread
            | DirectiveLocation::InlineFragment
            | DirectiveLocation::VariableDefinition
    )
}
