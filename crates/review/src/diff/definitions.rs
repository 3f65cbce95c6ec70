//! Compares the definitions of directives.

use apollo_compiler::{
    Node,
    ast::{DirectiveDefinition, DirectiveLocation},
};

use schema::{Element, built_in};

use super::{Comparison, DescriptionKinds, Spans, inputs, spans};
use crate::{ChangeKind as Kind, rule};

type Definition = Node<DirectiveDefinition>;

impl<'a> Comparison<'a> {
    pub(super) fn directives(&mut self) {
        let old = &self.old.tree().directive_definitions;
        let new = &self.new.tree().directive_definitions;
        for (name, before) in old.iter().filter(|(name, _)| !built_in::is_directive(name)) {
            match new.get(name) {
                Some(now) if before == now => {}
                Some(now) => self.directive(before, now),
                None => {
                    let element = Element::Directive(before);
                    self.removed(
                        [&rule::DIRECTIVE_REMOVED; 2],
                        Kind::DirectiveRemoved,
                        element,
                    );
                }
            }
        }
        for (name, now) in new.iter().filter(|(name, _)| !built_in::is_directive(name)) {
            if !old.contains_key(name) {
                let element = Element::Directive(now);
                self.added(&rule::DIRECTIVE_ADDED, Kind::DirectiveAdded, element, "");
            }
        }
    }

    fn directive(&mut self, old: &'a Definition, new: &'a Definition) {
        let (before, now) = (Element::Directive(old), Element::Directive(new));
        let spans = spans(before, now);
        let kinds = DescriptionKinds::one(Kind::DirectiveDescriptionChanged);
        self.element(&kinds, before, now);
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
        self.inputs(
            &inputs::DIRECTIVE_ARGUMENT,
            |argument| Element::DirectiveArgument(&new.name, argument),
            &old.arguments,
            &new.arguments,
        );
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
