//! Two contracts are compared, and each is linted, printed and parsed again.

use graphql_schema_review::{Change, Review, diff, lint, report};
use graphql_sdl::Schema;

/// Suffixes of the paired kinds of changes: an addition in one direction is a removal in the other.
const OPPOSITES: [(&str, &str); 2] = [("_ADDED", "_REMOVED"), ("_REMOVED", "_ADDED")];

pub(super) fn check(old: &str, new: &str) {
    let (old, new) = (Schema::parse("old.graphql", old), Schema::parse("new.graphql", new));
    for problems in [&old, &new].into_iter().filter_map(|side| side.as_ref().err()) {
        assert!(problems.iter().next().is_some(), "rejected without a problem");
        for problem in problems {
            let message = &problem.message;
            assert!(!message.is_empty(), "a problem without a message");
            assert!(!message.contains(char::is_control), "control characters in the message: {message:?}");
        }
    }
    for schema in [&old, &new].into_iter().flatten() {
        check_schema(schema);
    }
    if let (Ok(old), Ok(new)) = (&old, &new) {
        check_pair(old, new);
    }
}

fn check_schema(schema: &Schema) {
    assert_eq!(diff(schema, schema), [], "a schema differs from itself");
    let canonical_form = schema.canonical();
    let again = Schema::parse("canonical.graphql", &canonical_form)
        .unwrap_or_else(|problems| panic!("the canonical form is rejected: {problems}"));
    assert_eq!(schema.hash(), again.hash(), "the hash of the canonical form");
    assert_eq!(canonical_form, again.canonical(), "the canonical form of the canonical form");
    assert!(
        diff(schema, &again).is_empty() && diff(&again, schema).is_empty(),
        "a schema differs from its canonical form"
    );
    lint::lint(schema);
}

fn check_pair(old: &Schema, new: &Schema) {
    let (forward, backward) = (diff(old, new), diff(new, old));
    assert_eq!(forward.len(), backward.len(), "the directions differ in length");
    for change in &forward {
        let kind = change.kind.name();
        let opposite = OPPOSITES.iter().find_map(|(end, opposite)| Some(kind.strip_suffix(end)?.to_owned() + opposite));
        // Changes of a description or a default have the same kind in both directions.
        let opposite = opposite.unwrap_or_else(|| kind.to_owned());
        assert_eq!(count(&forward, kind), count(&backward, &opposite), "{kind} forward, {opposite} backward");
    }
    if old.hash() == new.hash() {
        assert_eq!(forward, [], "schemas with the same hash differ");
    }
    let review = Review::new(forward);
    review.report().text(report::Colours::None);
    let json = report::json(&review.changes);
    serde_json::from_str::<serde_json::Value>(&json).expect("the JSON report is valid JSON");
    review.report().markdown();
}

fn count(changes: &[Change], kind: &str) -> usize {
    let of_kind = |change: &&Change| change.kind.name() == kind;
    changes.iter().filter(of_kind).count()
}
