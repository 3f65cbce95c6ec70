//! Two schemas compared: what is there before and after is paired by name, the rest was added or
//! removed. What is inside of an added or removed part is not listed again.

mod constraint;
mod definitions;
mod fields;
mod inputs;
mod part;
mod types;
mod usages;
mod values;

use apollo_compiler::{Node, ast::OperationType, parser::SourceSpan};

use self::part::Part;
use crate::{
    Change, ChangeKind, Schema,
    rule::{self, Rule},
};

/// Every difference between two schemas, in the order of the coordinates; none if they are equal.
///
/// The order of definitions, of fields, of arguments and of anything else has no meaning, nor has
/// the spelling of a default value. What is built into GraphQL is not compared.
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
    found.sort_by(|one, other| {
        let key = |change: &Change| (change.kind, change.level);
        let by_coordinate = one.coordinate.cmp(&other.coordinate);
        by_coordinate
            .then_with(|| key(one).cmp(&key(other)))
            .then_with(|| one.message.cmp(&other.message))
    });
    found
}

/// The two schemas, and what was found so far.
struct Comparison<'a> {
    old: &'a Schema,
    new: &'a Schema,
    found: Vec<Change>,
}

/// Where a part stands in the old and in the new schema.
type Spans = (Option<SourceSpan>, Option<SourceSpan>);

/// The kinds of a change of a description.
struct DescriptionKinds {
    added: ChangeKind,
    changed: ChangeKind,
    removed: ChangeKind,
}

impl DescriptionKinds {
    /// One kind for whatever happens to the description.
    const fn one(kind: ChangeKind) -> Self {
        Self {
            added: kind,
            changed: kind,
            removed: kind,
        }
    }
}

impl Comparison<'_> {
    fn add(&mut self, rule: &Rule, kind: ChangeKind, part: Part, message: String, spans: Spans) {
        debug_assert!(
            rule.kinds.contains(&kind),
            "{kind} is judged by {}",
            rule.when
        );
        let (old, new) = spans;
        self.found.push(Change {
            coordinate: part.coordinate(),
            kind,
            level: rule.level,
            message,
            reason: rule.reason,
            old: self.old.place(old),
            new: self.new.place(new),
        });
    }

    fn description(
        &mut self,
        kinds: &DescriptionKinds,
        part: Part,
        old: Option<&Node<str>>,
        new: Option<&Node<str>>,
        spans: Spans,
    ) {
        let (kind, verb) = match (old, new) {
            (None, Some(_)) => (kinds.added, "added"),
            (Some(_), None) => (kinds.removed, "removed"),
            (Some(before), Some(now)) if before != now => (kinds.changed, "changed"),
            _ => return,
        };
        let message = format!("the description of {part} was {verb}");
        let (old_part, new_part) = spans;
        let span_of = |node: Option<&Node<str>>| node.and_then(Node::location);
        let spans = (span_of(old).or(old_part), span_of(new).or(new_part));
        self.add(&rule::DESCRIPTION, kind, part, message, spans);
    }

    fn schemas(&mut self) {
        let (old, new) = (self.old.tree(), self.new.tree());
        let (before, now) = (&old.schema_definition, &new.schema_definition);
        let spans = (before.location(), now.location());
        for (operation, kind) in [
            (OperationType::Query, ChangeKind::SchemaQueryTypeChanged),
            (
                OperationType::Mutation,
                ChangeKind::SchemaMutationTypeChanged,
            ),
            (
                OperationType::Subscription,
                ChangeKind::SchemaSubscriptionTypeChanged,
            ),
        ] {
            let roots = (old.root_operation(operation), new.root_operation(operation));
            let sort = operation.name();
            let (rule, message) = match roots {
                (Some(before), Some(now)) if before != now => (
                    &rule::ROOT_CHANGED,
                    format!("the {sort} root changed from '{before}' to '{now}'"),
                ),
                (Some(before), None) => (
                    &rule::ROOT_CHANGED,
                    format!("the {sort} root '{before}' was removed"),
                ),
                (None, Some(now)) => (
                    &rule::ROOT_SET,
                    format!("the {sort} root was set to '{now}'"),
                ),
                _ => continue,
            };
            self.add(rule, kind, Part::Schema, message, spans);
        }
        self.description(
            &DescriptionKinds::one(ChangeKind::SchemaDescriptionChanged),
            Part::Schema,
            before.description.as_ref(),
            now.description.as_ref(),
            spans,
        );
        self.usages(
            Part::Schema,
            usages::nodes(&before.directives),
            usages::nodes(&now.directives),
            spans,
        );
    }
}
