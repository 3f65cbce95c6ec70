//! Documents of clients: files that share fragments, manifests, and their problems.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod support;

use graphql_schema_review::operations::{DocumentSource, Documents, check};
use support::{OLD, checked, files, schema};

fn problems(sources: impl IntoIterator<Item = DocumentSource>) -> String {
    let read = Documents::read(sources);
    read.err().expect("the documents are invalid").to_string()
}

#[test]
fn locations_in_manifests_are_those_of_the_json_file() {
    let list = "{\"format\": \"apollo-persisted-query-manifest\", \"version\": 1, \"operations\": [\n  {\"id\": \"x\", \"name\": \"A\", \"type\": \"query\",\n   \"body\": \"query A { # \\u00e9 \\ud83d\\ude97\\n  book(id: \\\"1\\\") { title } }\"}]}";
    let map = "{\n  \"x\": \"query A { book(id: 1) { title } }\"\n}";
    for json in [list, map] {
        let source = DocumentSource::Manifest("m.json".to_owned(), json.to_owned());
        let checked = checked("title: String author", "author", source);
        let broken = &checked.broken[0];
        assert_eq!(broken.operation.id.as_deref(), Some("x"));
        assert_eq!(broken.operation.to_string(), "query A of the document \"x\"");
        let at = broken.problems[0].location.as_ref().unwrap();
        assert_eq!(broken.problems.len(), 1, "{:#?}", broken.problems);
        assert!(
            json.lines()
                .nth(at.position.line - 1)
                .unwrap()
                .chars()
                .skip(at.position.column - 1)
                .collect::<String>()
                .starts_with("title")
        );
    }
}

#[test]
fn a_file_uses_its_own_fragment_before_those_of_other_files() {
    let parts = |field: &str| format!("fragment Parts on Book {{ {field} }}");
    let one = "query One { book(id: 1) { ...Parts } } ".to_owned() + &parts("id");
    let other = "query Other { book(id: 1) { ...Parts } } ".to_owned() + &parts("title");
    let source = files(&[("one.graphql", &one), ("other.graphql", &other)]);
    let checked = checked("title: String author", "author", source);
    assert_eq!(checked.broken.len(), 1);
    assert_eq!(checked.broken[0].operation.name.as_deref(), Some("Other"));

    let third = "query Third { book(id: 1) { ...Parts } }";
    let ambiguous = files(&[("one.graphql", &one), ("other.graphql", &other), ("third.graphql", third)]);
    let unchecked = support::checked("title: String author", "author", ambiguous).unchecked;
    let reason = "query Third (the fragment \"Parts\" is defined in 2 documents; rename all but one)";
    assert_eq!(&*unchecked[0].reason, reason);
    let equal = files(&[("one.graphql", &one), ("copy.graphql", &parts("id")), ("third.graphql", third)]);
    assert_eq!(Documents::read([equal]).unwrap().len(), 2);
}

#[test]
fn what_cannot_be_read_is_not_checked_and_the_rest_is() {
    let manifest = |json: &str| DocumentSource::Manifest("m.json".to_owned(), json.to_owned());
    let large = format!("{{ a }} # {}", "x".repeat(1024 * 1024));
    let deep = "{ a ".repeat(300) + &"}".repeat(300);
    let twice = "fragment A on Book { id }\nfragment A on Book { title }\nfragment B on Book { ...A }\nquery A { book(id: 1) { ...B } }";
    for (source, expected) in [
        (
            files(&[("a.graphql", "query A {\n  book(id: ) { id } }")]),
            "a.graphql:2:12: a document (syntax error: expected a valid Value)",
        ),
        (
            files(&[("a.graphql", twice)]),
            "a.graphql:3:25: query A (the fragment \"A\" is defined more than once in a document; rename all but one)",
        ),
        (
            files(&[("a.graphql", "{ book(id: 1) { ...Part } }"), ("b.graphql", "fragment Parts on Book { id }")]),
            "a.graphql:1:20: anonymous query (unknown fragment \"Part\"; did you mean \"Parts\"?)",
        ),
        (
            files(&[
                ("a.graphql", "query A { book(id: 1) { ...F } ...G } fragment F on Book { id }"),
                ("b.graphql", "fragment G on Query { book(id: 1) { ...F } } fragment F on Book { title }"),
            ]),
            "b.graphql:1:55: query A (it uses two fragments with the name \"F\"; rename one)",
        ),
        (
            files(&[("a.graphql", "\u{feff}{ a(id: ) }")]),
            "a.graphql:1:9: a document (syntax error: expected a valid Value)",
        ),
        (
            files(&[("a.graphql", "{ \u{fffd} }")]),
            "a.graphql:1:3: a document (syntax error: Unexpected character \"\u{fffd}\")",
        ),
        (files(&[("a.graphql", &large)]), "a.graphql:1:1: a document (1048584 bytes, the limit is 1048576)"),
        (files(&[("a.graphql", &deep)]), "a.graphql:1:803: a document (nested too deeply (limit 200))"),
        (
            manifest("{\n  \"a\": \"{ a\"}"),
            "m.json:2:12: a document (syntax error: expected \"}\", found the end of the document)",
        ),
        (
            manifest("{\n  \"a\": \"query A { ...F }\"}"),
            "m.json:2:22: query A of the document \"a\" (unknown fragment \"F\")",
        ),
    ] {
        let good = files(&[("good.graphql", "query Good { book(id: 1) { title } }")]);
        let (old, new) = (schema("old", OLD), schema("new", &OLD.replace("title: String author", "author")));
        let documents = Documents::read([source, good]).unwrap();
        let checked = check(&documents, Some(&old), &new, &[]);
        let unchecked = checked.unchecked.iter();
        let unchecked: Vec<_> = unchecked.map(|one| format!("{}: {}", one.location, one.reason)).collect();
        assert_eq!(unchecked, [expected]);
        assert_eq!((checked.count, checked.broken.len()), (1, 1), "{expected}");
    }
}

#[test]
fn what_is_no_manifest_is_a_problem() {
    for (json, expected) in [
        ("[]", "m.json:1:1: is not a manifest; use a JSON object of documents by identifier"),
        (
            "{\"a\": \"{ a }\",\n \"b\": \"{ a }\",\n \"a\": \"{ b }\"}",
            "m.json:3:8: the identifier \"a\" is that of another document, at m.json:1:8; change one",
        ),
        ("\u{feff}{\"a\": 1}", "m.json:1:7: is not a manifest"),
    ] {
        let source = DocumentSource::Manifest("m.json".to_owned(), json.to_owned());
        let problems = problems([source]);
        assert!(problems.starts_with(expected), "{problems}");
    }
}

#[test]
fn nested_fragments_do_not_take_exponential_time() {
    let fragment = |n: usize| {
        format!("fragment F{n} on Book {{ author {{ name }} ...F{0} ...F{0} x{n}: pages ...F{0} }}\n", n + 1)
    };
    let fragments: String = (0..40).map(fragment).collect();
    let text = format!("{{ book(id: 1) {{ ...F0 }} }}\n{fragments}fragment F40 on Book {{ title }}");
    let checked = checked("title: String author", "author", files(&[("a.graphql", &text)]));
    assert_eq!(checked.broken.len(), 1);
}

#[test]
fn definitions_of_types_are_skipped() {
    let source = files(&[
        ("schema.graphql", OLD),
        ("a.graphql", "{ book(id: 1) { title } } extend type Query { isLoggedIn: Boolean! }"),
    ]);
    let checked = checked("title: String author", "author", source);
    assert_eq!((checked.count, checked.broken.len()), (1, 1));
}

#[test]
fn a_long_chain_of_fragments_does_not_overflow_the_stack() {
    let chain = (0..20_000).map(|at| format!("fragment F{at} on Book {{ ...F{} }}\n", at + 1));
    let chain: String = chain.collect();
    let text = "{ book(id: 1) { ...F0 } } ".to_owned() + &chain + "fragment F20000 on Book { id }";
    let checked = checked("title: String author", "author", files(&[("a.graphql", &text)]));
    // apollo-compiler bounds the nesting, so it is not valid under either schema.
    assert_eq!((checked.broken.len(), checked.invalid_before.len()), (0, 1));
    let messages = checked.invalid_before[0].problems.iter();
    let messages: Vec<&str> = messages.map(|problem| &*problem.message).collect();
    assert_eq!(messages[0], "nested too deeply (limit 128 fields, 500 selections)");
    assert!(messages.contains(&"\"F0\" is nested too deeply (limit 100 fragments)"));
    let mut problems = checked.invalid_before[0].problems.iter();
    assert!(problems.all(|problem| problem.location.is_some()));
}
