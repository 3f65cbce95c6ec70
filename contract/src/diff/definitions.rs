//! Definitions of directives.

use apollo_compiler::{
    Node,
    ast::{DirectiveDefinition, DirectiveLocation},
};

use super::{Comparison, DescriptionKinds, Spans, inputs, part::Part};
use crate::{ChangeKind as Kind, rule, schema::is_specified};

impl<'a> Comparison<'a> {
    pub(super) fn directives(&mut self) {
        let old = &self.old.tree().directive_definitions;
        let new = &self.new.tree().directive_definitions;
        for (name, before) in old.iter().filter(|(name, _)| !is_specified(name)) {
            if let Some(now) = new.get(name) {
                self.directive(before, now);
                continue;
            }
            let part = Part::Directive(name);
            let message = format!("{part} was removed");
            let spans = (before.name.location(), None);
            let (rule, kind) = (&rule::DIRECTIVE_REMOVED, Kind::DirectiveRemoved);
            self.add(rule, kind, part, message, spans);
        }
        for (name, now) in new.iter().filter(|(name, _)| !is_specified(name)) {
            if !old.contains_key(name) {
                let part = Part::Directive(name);
                let message = format!("{part} was added");
                let spans = (None, now.name.location());
                let (rule, kind) = (&rule::DIRECTIVE_ADDED, Kind::DirectiveAdded);
                self.add(rule, kind, part, message, spans);
            }
        }
    }

    fn directive(
        &mut self,
        before: &'a Node<DirectiveDefinition>,
        now: &'a Node<DirectiveDefinition>,
    ) {
        if before == now {
            return;
        }
        let name = now.name.as_str();
        let part = Part::Directive(name);
        let spans = (before.name.location(), now.name.location());
        self.description(
            &DescriptionKinds::one(Kind::DirectiveDescriptionChanged),
            part,
            before.description.as_ref(),
            now.description.as_ref(),
            spans,
        );
        self.locations(part, before, now, spans);
        if before.repeatable && !now.repeatable {
            let rule = if before.locations.iter().copied().any(is_executable) {
                &rule::REPEATABLE_REMOVED
            } else {
                &rule::REPEATABLE_REMOVED_IN_SCHEMA
            };
            let message = format!("{part} may no longer be repeated");
            self.add(rule, Kind::DirectiveRepeatableRemoved, part, message, spans);
        }
        if !before.repeatable && now.repeatable {
            let message = format!("{part} may be repeated");
            let (rule, kind) = (&rule::REPEATABLE_ADDED, Kind::DirectiveRepeatableAdded);
            self.add(rule, kind, part, message, spans);
        }
        self.inputs(
            &inputs::DIRECTIVE_ARGUMENT,
            |argument| Part::DirectiveArgument(name, argument),
            &before.arguments,
            &now.arguments,
        );
    }

    fn locations(
        &mut self,
        part: Part,
        before: &DirectiveDefinition,
        now: &DirectiveDefinition,
        spans: Spans,
    ) {
        for location in &before.locations {
            if !now.locations.contains(location) {
                let message = format!("{part} may no longer stand on {}", location.name());
                let (rule, kind) = (&rule::LOCATION_REMOVED, Kind::DirectiveLocationRemoved);
                self.add(rule, kind, part, message, spans);
            }
        }
        for location in &now.locations {
            if !before.locations.contains(location) {
                let message = format!("{part} may stand on {}", location.name());
                let (rule, kind) = (&rule::LOCATION_ADDED, Kind::DirectiveLocationAdded);
                self.add(rule, kind, part, message, spans);
            }
        }
    }
}

/// Whether an operation may have a directive there.
fn is_executable(location: DirectiveLocation) -> bool {
    match location {
        DirectiveLocation::Query
        | DirectiveLocation::Mutation
        | DirectiveLocation::Subscription
        | DirectiveLocation::Field
        | DirectiveLocation::FragmentDefinition
        | DirectiveLocation::FragmentSpread
        | DirectiveLocation::InlineFragment
        | DirectiveLocation::VariableDefinition => true,
        DirectiveLocation::Schema
        | DirectiveLocation::Scalar
        | DirectiveLocation::Object
        | DirectiveLocation::FieldDefinition
        | DirectiveLocation::ArgumentDefinition
        | DirectiveLocation::Interface
        | DirectiveLocation::Union
        | DirectiveLocation::Enum
        | DirectiveLocation::EnumValue
        | DirectiveLocation::InputObject
        | DirectiveLocation::InputFieldDefinition => false,
    }
}
