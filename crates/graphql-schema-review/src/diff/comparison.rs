//! The two schemas that are compared, and the changes found so far.

use apollo_compiler::parser::SourceSpan;
use graphql_sdl::{Element, Schema};

use crate::{
    Change, ChangeKind as Kind, Level,
    names::DirectiveName,
    reach::{Reach, is_in_operations},
    rule::{self, Rule},
};

/// The two schemas, and the changes found so far.
pub(super) struct Comparison<'a> {
    pub(super) old: &'a Schema,
    pub(super) new: &'a Schema,
    /// The directives that are documentation.
    pub(super) documentation: &'a [DirectiveName],
    pub(super) old_reach: Reach<'a>,
    pub(super) new_reach: Reach<'a>,
    pub(super) found: Vec<Change>,
}

/// The spans of a part in the old and in the new schema.
pub(super) type Spans = (Option<SourceSpan>, Option<SourceSpan>);

/// The spans of the names of an element.
pub(super) fn spans(before: Element, now: Element) -> Spans {
    (before.name_span(), now.name_span())
}

impl Comparison<'_> {
    pub(super) fn add(&mut self, rule: &Rule, kind: Kind, element: Element, message: String, spans: Spans) {
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
    pub(super) fn omits(&self, field: &str) -> bool {
        self.old.omits(field) || self.new.omits(field)
    }

    /// Whether it is unknown if one of the schemas has this input, or deprecates it.
    pub(super) fn omits_deprecated(&self, element: Element) -> bool {
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
