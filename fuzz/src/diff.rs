//! Two contracts compared, each linted, printed and read again.

use contract::{Change, Review, Schema, canonical, diff, hash, lint, report};

/// Words of kinds that come in pairs: what one direction adds, the other removes.
const OPPOSITES: [(&str, &str); 2] = [("_ADDED", "_REMOVED"), ("_REMOVED", "_ADDED")];

pub(super) fn check(old: &str, new: &str) {
    let (old, new) = (
        Schema::parse("old.graphql", old),
        Schema::parse("new.graphql", new),
    );
    for refused in [&old, &new]
        .into_iter()
        .filter_map(|side| side.as_ref().err())
    {
        assert!(refused.iter().next().is_some(), "refused without a reason");
        for problem in refused {
            let message = &problem.message;
            assert!(!message.is_empty(), "a reason without words");
            assert!(
                !message.contains(char::is_control),
                "more than a line: {message:?}"
            );
        }
    }
    for schema in [&old, &new].into_iter().flatten() {
        alone(schema);
    }
    if let (Ok(old), Ok(new)) = (&old, &new) {
        both(old, new);
    }
}

fn alone(schema: &Schema) {
    assert_eq!(diff(schema, schema), [], "a schema differs from itself");
    let canonical_form = canonical(schema);
    let again = Schema::parse("canonical.graphql", &canonical_form)
        .unwrap_or_else(|problems| panic!("the canonical form is refused: {problems}"));
    assert_eq!(hash(schema), hash(&again), "the hash of the canonical form");
    assert_eq!(
        canonical_form,
        canonical(&again),
        "the canonical form of the canonical form"
    );
    assert!(
        diff(schema, &again).is_empty() && diff(&again, schema).is_empty(),
        "a schema differs from its canonical form"
    );
    lint::lint(schema);
}

fn both(old: &Schema, new: &Schema) {
    let (there, back) = (diff(old, new), diff(new, old));
    assert_eq!(there.len(), back.len(), "more one way than the other");
    for change in &there {
        let kind = change.kind.name();
        let opposite = OPPOSITES
            .iter()
            .find_map(|(end, opposite)| Some(kind.strip_suffix(end)?.to_owned() + opposite));
        // One kind for all that happens to a description, a default and the like.
        let opposite = opposite.unwrap_or_else(|| kind.to_owned());
        assert_eq!(
            count(&there, kind),
            count(&back, &opposite),
            "{kind} one way, {opposite} the other"
        );
    }
    if hash(old) == hash(new) {
        assert_eq!(there, [], "schemas of the same hash differ");
    }
    let review = Review::of(there);
    report::text(&review, report::Colours::None);
    let json = report::json(&review);
    serde_json::from_str::<serde_json::Value>(&json).expect("the report in JSON is JSON");
    report::markdown(&review);
}

fn count(changes: &[Change], kind: &str) -> usize {
    let of_kind = |change: &&Change| change.kind.name() == kind;
    changes.iter().filter(of_kind).count()
}
