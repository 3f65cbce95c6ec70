//! Compares applied directives, including deprecations.

use std::collections::BTreeMap;

use apollo_compiler::{
    Name, Node,
    ast::{Directive, Value},
    collections::IndexSet,
    schema::ExtendedType,
};

use graphql_sdl::{Element, Schema};

use super::{
    comparison::{Comparison, Spans, spans},
    constraint,
    values::{is_equivalent, shown},
};
use crate::{ChangeKind, report::shortened, rule};

/// The directives on an element.
type Directives<'a> = Vec<&'a Node<Directive>>;

/// The kind of adding a directive to an element (`ADDED`) or of removing it (`REMOVED`).
fn kind(element: Element, verb: &str) -> ChangeKind {
    let on = match element {
        Element::Schema(_) => "SCHEMA",
        Element::Type(ExtendedType::Scalar(_)) => "SCALAR",
        Element::Type(ExtendedType::Object(_)) => "OBJECT",
        Element::Type(ExtendedType::Interface(_)) => "INTERFACE",
        Element::Type(ExtendedType::Union(_)) => "UNION_MEMBER",
        Element::Type(ExtendedType::Enum(_)) => "ENUM",
        Element::Type(ExtendedType::InputObject(_)) => "INPUT_OBJECT",
        Element::Field(..) => "FIELD_DEFINITION",
        // A directive definition cannot have directives.
        Element::Argument(..) | Element::DirectiveArgument(..) | Element::Directive(_) => "ARGUMENT_DEFINITION",
        Element::InputField(..) => "INPUT_FIELD_DEFINITION",
        Element::EnumValue(..) => "ENUM_VALUE",
    };
    ChangeKind::named(&format!("DIRECTIVE_USAGE_{on}_{verb}")).expect("every element has both kinds")
}

impl<'a> Comparison<'a> {
    /// Compares the directives on an element. Directives of the same name are paired in order, equal
    /// ones first.
    pub(super) fn usages(&mut self, before: Element<'a>, now: Element<'a>) {
        let (mut old, mut new) = (before.directives(), now.directives());
        // A directive that introspection omits is neither added nor removed.
        let is_omitted = |name: &Name| {
            let is_of_input = now.input().is_some() && name == "deprecated";
            self.old.omits_directive(name)
                || self.new.omits_directive(name)
                || is_of_input && self.omits("__InputValue.isDeprecated")
        };
        for directives in [&mut old, &mut new] {
            directives.retain(|directive| !is_omitted(&directive.name));
        }
        if old.is_empty() && new.is_empty() {
            return;
        }
        let (element, spans) = (now, spans(before, now));
        let has_own_kinds = matches!(element, Element::Field(..) | Element::EnumValue(..));
        if has_own_kinds {
            self.deprecations(before, now);
        }
        let mut by_name: BTreeMap<&Name, (Directives, Directives)> = BTreeMap::new();
        for directive in old {
            let (before, _) = by_name.entry(&directive.name).or_default();
            before.push(directive);
        }
        for directive in new {
            let (before, now) = by_name.entry(&directive.name).or_default();
            match before.iter().position(|before| *before == directive) {
                Some(equal) => drop(before.remove(equal)),
                None => now.push(directive),
            }
        }
        for (name, (before, now)) in by_name {
            if has_own_kinds && name == "deprecated" {
                continue;
            }
            let paired = before.len().min(now.len());
            for (before, now) in before.iter().zip(&now) {
                self.usage_changed(element, before, now);
            }
            for directive in &before[paired..] {
                self.usage(element, directive, "REMOVED", spans);
            }
            for directive in &now[paired..] {
                self.usage(element, directive, "ADDED", spans);
            }
        }
    }

    fn deprecations(&mut self, before: Element, now: Element) {
        let (change, message) = match (before.deprecation(), now.deprecation()) {
            (None, None) => return,
            (Some(old), Some(new)) if old == new => return,
            (None, Some("")) => ("ADDED", format!("{now} was deprecated without a reason")),
            (None, Some(reason)) => ("ADDED", format!("{now} was deprecated: {}", shortened(reason))),
            (Some(_), None) => ("REMOVED", format!("{now} is no longer deprecated")),
            (Some(_), Some("")) => ("REASON_REMOVED", format!("the deprecation reason of {now} was removed")),
            (Some(old), Some(new)) => {
                let (change, verb) =
                    if old.is_empty() { ("REASON_ADDED", "was added") } else { ("REASON_CHANGED", "changed") };
                (change, format!("the deprecation reason of {now} {verb}: {}", shortened(new)))
            }
        };
        // An enum value has only the kinds of a reason.
        let kind = ChangeKind::of(now, &[&format!("DEPRECATION_{change}"), &format!("DEPRECATION_REASON_{change}")]);
        self.add(&rule::DEPRECATION, kind, now, message, spans(before, now));
    }

    fn is_documentation(&self, directive: &str) -> bool {
        self.documentation.iter().any(|name| name.0 == directive)
    }

    /// A directive that only the new schema has on an element (`ADDED`), or only the old one (`REMOVED`).
    fn usage(&mut self, element: Element, directive: &Node<Directive>, verb: &str, spans: Spans) {
        let is_added = verb == "ADDED";
        let rule = match &*directive.name {
            "deprecated" => &rule::DEPRECATED_USAGE_CHANGED,
            "oneOf" if is_added => &rule::ONE_OF_ADDED,
            "oneOf" => &rule::ONE_OF_REMOVED,
            "specifiedBy" => &rule::SPECIFICATION_STATED,
            name if self.is_documentation(name) => &rule::DOCUMENTATION,
            _ if is_added => self.constraint(element, constraint::added(directive, self.new.tree())),
            _ => self.constraint(element, constraint::added(directive, self.old.tree()).reversed()),
        };
        let written = shortened(&directive.serialize().no_indent().to_string());
        let (verb_and_place, spans) = if is_added {
            ("added to", (spans.0, directive.location().or(spans.1)))
        } else {
            ("removed from", (directive.location().or(spans.0), spans.1))
        };
        let message = format!("{written} was {verb_and_place} {element}");
        self.add(rule, kind(element, verb), element, message, spans);
    }

    fn usage_changed(&mut self, element: Element, old: &'a Node<Directive>, new: &'a Node<Directive>) {
        let given = old.arguments.iter().chain(&new.arguments);
        let names: IndexSet<&Name> = given.map(|given| &given.name).collect();
        let spans = (old.location(), new.location());
        for name in names {
            let (before, now) = (argument_value(self.old, old, name), argument_value(self.new, new, name));
            let tree = self.new.tree();
            let definition = tree.directive_definitions.get(&new.name);
            let same = match definition.and_then(|found| found.argument_by_name(name)) {
                Some(argument) => is_equivalent(tree, &argument.ty, before, now),
                None => before == now,
            };
            if same {
                continue;
            }
            let directive = &new.name;
            let rule = match &**directive {
                "deprecated" => &rule::DEPRECATED_USAGE_CHANGED,
                "specifiedBy" => &rule::SPECIFICATION_CHANGED,
                name if self.is_documentation(name) => &rule::DOCUMENTATION,
                _ => self.constraint(element, constraint::argument(directive, name, before, now)),
            };
            let given = (old.specified_argument_by_name(name), new.specified_argument_by_name(name));
            let (kind, message) = match given {
                (None, _) => (
                    ChangeKind::DirectiveUsageArgumentAdded,
                    format!("the argument {name}: {} was added to @{directive} on {element}", shown(now)),
                ),
                (_, None) => (
                    ChangeKind::DirectiveUsageArgumentRemoved,
                    format!("the argument {name}: {} was removed from @{directive} on {element}", shown(before)),
                ),
                (Some(_), Some(_)) => (
                    ChangeKind::DirectiveUsageArgumentChanged,
                    format!(
                        "the argument {name} of @{directive} on {element} changed from {} to {}",
                        shown(before),
                        shown(now)
                    ),
                ),
            };
            self.add(rule, kind, element, message, spans);
        }
    }
}

/// The value of an argument of a directive: as written, or the default.
fn argument_value<'a>(schema: &'a Schema, directive: &'a Directive, argument: &str) -> &'a Value {
    let value = directive.argument_by_name(argument, schema.tree());
    value.map_or(&Value::Null, |value| value)
}
