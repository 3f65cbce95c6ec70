//! Compares the definitions of directives.

use graphql_sdl::Element;

use super::comparison::{Comparison, spans};
use crate::{ChangeKind as Kind, reach::is_executable, rule};

impl Comparison<'_> {
    pub(super) fn directive(&mut self, before: Element, now: Element) {
        let (Element::Directive(old), Element::Directive(new)) = (before, now) else {
            return;
        };
        let spans = spans(before, now);
        for location in &old.locations {
            if !new.locations.contains(location) {
                let message = format!("{now} is no longer allowed on {}", location.name());
                let rule =
                    if is_executable(*location) { &rule::LOCATION_REMOVED } else { &rule::LOCATION_REMOVED_IN_SCHEMA };
                let kind = Kind::DirectiveLocationRemoved;
                self.add(rule, kind, now, message, spans);
            }
        }
        for location in &new.locations {
            if !old.locations.contains(location) {
                let message = format!("{now} is allowed on {} now", location.name());
                let (rule, kind) = (&rule::LOCATION_ADDED, Kind::DirectiveLocationAdded);
                self.add(rule, kind, now, message, spans);
            }
        }
        if self.omits("__Directive.isRepeatable") {
            return;
        }
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
}
