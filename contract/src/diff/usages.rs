//! Directives where they stand, deprecations among them.

use std::collections::BTreeMap;

use apollo_compiler::{
    Name, Node,
    ast::{self, Directive, Value},
    schema::DirectiveList,
};

use super::{
    Comparison, Spans, constraint,
    part::{Form, Part},
    values::{mean_the_same, shown},
};
use crate::{ChangeKind, Schema, rule, text::shortened};

/// The text that `@deprecated` has when it is given none.
const NO_REASON: &str = "No longer supported";

/// The directives on a part of a schema.
pub(super) type Directives<'a> = Vec<&'a Node<Directive>>;

pub(super) fn nodes(list: &DirectiveList) -> Directives<'_> {
    list.iter().map(|directive| &directive.node).collect()
}

pub(super) fn ast_nodes(list: &ast::DirectiveList) -> Directives<'_> {
    list.iter().collect()
}

/// The reason of a deprecation: none if there is no deprecation, empty if it gives no reason.
fn deprecation<'a>(directives: &Directives<'a>) -> Option<&'a str> {
    let found = directives.iter().find(|found| found.name == "deprecated")?;
    let reason = found.specified_argument_by_name("reason");
    let reason = reason.and_then(|reason| reason.as_str());
    Some(reason.filter(|reason| *reason != NO_REASON).unwrap_or(""))
}

/// Whether a part is deprecated.
pub(super) fn is_deprecated(directives: &Directives) -> bool {
    deprecation(directives).is_some()
}

/// The kinds of putting a directive on a part and of taking it away.
fn kinds(part: Part) -> (ChangeKind, ChangeKind) {
    use ChangeKind as Kind;
    match part {
        Part::Schema => (
            Kind::DirectiveUsageSchemaAdded,
            Kind::DirectiveUsageSchemaRemoved,
        ),
        Part::Type(Form::Scalar, _) => (
            Kind::DirectiveUsageScalarAdded,
            Kind::DirectiveUsageScalarRemoved,
        ),
        Part::Type(Form::Object, _) => (
            Kind::DirectiveUsageObjectAdded,
            Kind::DirectiveUsageObjectRemoved,
        ),
        Part::Type(Form::Interface, _) => (
            Kind::DirectiveUsageInterfaceAdded,
            Kind::DirectiveUsageInterfaceRemoved,
        ),
        Part::Type(Form::Union, _) => (
            Kind::DirectiveUsageUnionMemberAdded,
            Kind::DirectiveUsageUnionMemberRemoved,
        ),
        Part::Type(Form::Enum, _) => (
            Kind::DirectiveUsageEnumAdded,
            Kind::DirectiveUsageEnumRemoved,
        ),
        Part::Type(Form::InputObject, _) => (
            Kind::DirectiveUsageInputObjectAdded,
            Kind::DirectiveUsageInputObjectRemoved,
        ),
        Part::Field(..) => (
            Kind::DirectiveUsageFieldDefinitionAdded,
            Kind::DirectiveUsageFieldDefinitionRemoved,
        ),
        // The definition of a directive carries none itself.
        Part::Argument(..) | Part::DirectiveArgument(..) | Part::Directive(_) => (
            Kind::DirectiveUsageArgumentDefinitionAdded,
            Kind::DirectiveUsageArgumentDefinitionRemoved,
        ),
        Part::InputField(..) => (
            Kind::DirectiveUsageInputFieldDefinitionAdded,
            Kind::DirectiveUsageInputFieldDefinitionRemoved,
        ),
        Part::EnumValue(..) => (
            Kind::DirectiveUsageEnumValueAdded,
            Kind::DirectiveUsageEnumValueRemoved,
        ),
    }
}

impl<'a> Comparison<'a> {
    /// Compares the directives on a part. Those of the same name are paired in their order, equal
    /// ones first.
    pub(super) fn usages(
        &mut self,
        part: Part,
        old: Directives<'a>,
        new: Directives<'a>,
        spans: Spans,
    ) {
        if old.is_empty() && new.is_empty() {
            return;
        }
        let has_own_kinds = matches!(part, Part::Field(..) | Part::EnumValue(..));
        if has_own_kinds {
            self.deprecations(part, deprecation(&old), deprecation(&new), spans);
        }
        let mut by_name: BTreeMap<&Name, (Directives, Directives)> = BTreeMap::new();
        for directive in old {
            by_name
                .entry(&directive.name)
                .or_default()
                .0
                .push(directive);
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
                self.usage_changed(part, before, now);
            }
            for directive in &before[paired..] {
                self.usage_taken(part, directive, spans);
            }
            for directive in &now[paired..] {
                self.usage_put(part, directive, spans);
            }
        }
    }

    fn deprecations(&mut self, part: Part, old: Option<&str>, new: Option<&str>, spans: Spans) {
        use ChangeKind as Kind;
        let is_field = matches!(part, Part::Field(..));
        let choose = |field: Kind, value: Kind| if is_field { field } else { value };
        let (kind, message) = match (old, new) {
            (None, Some(reason)) => (
                choose(
                    Kind::FieldDeprecationAdded,
                    Kind::EnumValueDeprecationReasonAdded,
                ),
                match reason {
                    "" => format!("{part} was deprecated, without a reason"),
                    _ => format!("{part} was deprecated: {}", shortened(reason)),
                },
            ),
            (Some(_), None) => (
                choose(
                    Kind::FieldDeprecationRemoved,
                    Kind::EnumValueDeprecationReasonRemoved,
                ),
                format!("{part} is no longer deprecated"),
            ),
            (Some(""), Some(reason)) if !reason.is_empty() => (
                choose(
                    Kind::FieldDeprecationReasonAdded,
                    Kind::EnumValueDeprecationReasonAdded,
                ),
                format!(
                    "the deprecation of {part} has a reason: {}",
                    shortened(reason)
                ),
            ),
            (Some(reason), Some("")) if !reason.is_empty() => (
                choose(
                    Kind::FieldDeprecationReasonRemoved,
                    Kind::EnumValueDeprecationReasonRemoved,
                ),
                format!("the deprecation of {part} has no reason any more"),
            ),
            (Some(before), Some(now)) if before != now => (
                choose(
                    Kind::FieldDeprecationReasonChanged,
                    Kind::EnumValueDeprecationReasonChanged,
                ),
                format!(
                    "the deprecation of {part} has another reason: {}",
                    shortened(now)
                ),
            ),
            _ => return,
        };
        self.add(&rule::DEPRECATION, kind, part, message, spans);
    }

    fn usage_put(&mut self, part: Part, directive: &'a Node<Directive>, spans: Spans) {
        let rule = match &*directive.name {
            "deprecated" => &rule::DEPRECATED_PUT_OR_TAKEN,
            "oneOf" => &rule::ONE_OF_ADDED,
            _ => self.constraint(part, constraint::put(directive, self.new.tree())),
        };
        let written = shortened(&directive.serialize().no_indent().to_string());
        let message = format!("{written} was put on {part}");
        let spans = (spans.0, directive.location().or(spans.1));
        self.add(rule, kinds(part).0, part, message, spans);
    }

    fn usage_taken(&mut self, part: Part, directive: &'a Node<Directive>, spans: Spans) {
        let rule = match &*directive.name {
            "deprecated" => &rule::DEPRECATED_PUT_OR_TAKEN,
            "oneOf" => &rule::ONE_OF_REMOVED,
            _ => {
                let direction = constraint::put(directive, self.old.tree()).reversed();
                self.constraint(part, direction)
            }
        };
        let written = shortened(&directive.serialize().no_indent().to_string());
        let message = format!("{written} was taken from {part}");
        let spans = (directive.location().or(spans.0), spans.1);
        self.add(rule, kinds(part).1, part, message, spans);
    }

    fn usage_changed(&mut self, part: Part, old: &'a Node<Directive>, new: &'a Node<Directive>) {
        let mut names: Vec<&Name> = old.arguments.iter().map(|given| &given.name).collect();
        for given in &new.arguments {
            if !names.contains(&&given.name) {
                names.push(&given.name);
            }
        }
        let spans = (old.location(), new.location());
        for name in names {
            let (before, now) = (
                effective(self.old, old, name),
                effective(self.new, new, name),
            );
            let tree = self.new.tree();
            let definition = tree.directive_definitions.get(&new.name);
            let ty = definition
                .and_then(|definition| definition.argument_by_name(name))
                .map(|argument| &*argument.ty);
            let same = match ty {
                Some(ty) => mean_the_same(tree, ty, before, now),
                None => before == now,
            };
            if same {
                continue;
            }
            let directive = &new.name;
            let rule = if directive == "deprecated" {
                &rule::DEPRECATED_PUT_OR_TAKEN
            } else {
                self.constraint(part, constraint::argument(directive, name, before, now))
            };
            let given = (
                old.specified_argument_by_name(name),
                new.specified_argument_by_name(name),
            );
            let (kind, message) = match given {
                (None, _) => (
                    ChangeKind::DirectiveUsageArgumentAdded,
                    format!("@{directive} on {part} was given {name}: {}", shown(now)),
                ),
                (_, None) => (
                    ChangeKind::DirectiveUsageArgumentRemoved,
                    format!(
                        "@{directive} on {part} is no longer given {name}: {}",
                        shown(before)
                    ),
                ),
                (Some(_), Some(_)) => (
                    ChangeKind::DirectiveUsageArgumentChanged,
                    format!(
                        "@{directive} on {part} changed {name} from {} to {}",
                        shown(before),
                        shown(now)
                    ),
                ),
            };
            self.add(rule, kind, part, message, spans);
        }
    }
}

/// What the directive has for an argument, whether it is written there or is the default.
fn effective<'a>(schema: &'a Schema, directive: &'a Directive, argument: &str) -> &'a Value {
    let value = directive.argument_by_name(argument, schema.tree());
    value.map_or(&Value::Null, |value| value)
}
