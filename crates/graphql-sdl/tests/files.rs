//! Several files that are one schema, and subgraphs of Apollo Federation.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

use graphql_sdl::{Problems, Schema};

fn read(files: &[(&str, &str)]) -> Result<Schema, Problems> {
    let files = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let files: Vec<_> = files.collect();
    let (schema, problems) = Schema::parse_files_partly("shop", &files);
    problems.into_result(schema)
}

#[test]
fn the_definitions_of_files_are_one_schema() {
    let schema = read(&[
        ("a.graphql", "type Query { book: Book } # é"),
        ("b.graphql", "\u{feff}type Book { title: String }\r\nextend type Query { a: Int }"),
    ]);
    let schema = schema.unwrap();
    let one = Schema::parse("one", "type Query { book: Book a: Int } type Book { title: String }");
    assert_eq!(schema.hash(), one.unwrap().hash());
    let locations = schema.elements().into_iter().filter_map(|element| {
        let location = schema.location(element.name_span())?;
        Some(format!("{} {location}", element.coordinate()))
    });
    let locations: Vec<_> = locations.collect();
    assert_eq!(
        locations,
        [
            "Query a.graphql:1:6",
            "Query.book a.graphql:1:14",
            "Query.a b.graphql:2:21",
            "Book b.graphql:1:6",
            "Book.title b.graphql:1:13",
        ]
    );
}

#[test]
fn problems_are_in_their_files() {
    let files = [
        ("a.graphql", "type Query { book: Bok }"),
        ("b.graphql", "type Quexy { book: Bok }"),
        ("c.graphql", "type Book { title: String, title: Int }"),
    ];
    let (schema, problems) = {
        let files = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
        Schema::parse_files_partly("shop", &files)
    };
    let text = problems.into_result(()).unwrap_err().to_string();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "a.graphql:1:20: unknown type \"Bok\"; did you mean \"Book\"?");
    assert_eq!(lines[1], "b.graphql:1:20: unknown type \"Bok\"; did you mean \"Book\"?");
    assert!(lines[2].starts_with("c.graphql:1:"), "{text}");
    assert_eq!(lines.len(), 3, "{text}");
    let unreadable = schema.elements().into_iter().filter(|element| schema.is_unreadable(*element));
    let unreadable: Vec<_> = unreadable.map(graphql_sdl::Element::coordinate).collect();
    assert_eq!(unreadable, ["Query.book", "Quexy.book", "Book"]);
}

#[test]
fn the_directives_of_federation_are_known_in_a_subgraph() {
    let second = "extend schema @link(url: \"https://specs.apollo.dev/federation/v2.5\", import: [\"@key\", {name: \"@shareable\", as: \"@shared\"}])
        type Product @key(fields: \"id\") @key(fields: \"sku\", resolvable: false) { id: ID! sku: String @shared weight: Int @federation__external }
        type Query { product: Product }";
    let schema = read(&[("a.graphql", second)]).unwrap_or_else(|problems| panic!("{problems}"));
    assert!(
        schema
            .elements()
            .iter()
            .all(|element| schema.location(element.name_span()).is_some() || element.name().is_none())
    );
    assert!(schema.coordinates().contains("Product.sku"));
    assert!(!schema.canonical().contains("directive "), "{}", schema.canonical());

    let first = "extend type Query { me: User } type User @key(fields: \"id\") { id: ID! } \
        extend type Product @key(fields: \"upc\") { upc: ID! @external owner: User @requires(fields: \"upc\") }";
    let schema = read(&[("a.graphql", first)]).unwrap_or_else(|problems| panic!("{problems}"));
    assert!(schema.coordinates().contains("Product.owner"));

    let problems = read(&[("a.graphql", "type Query @key(field: \"id\") @shared { id: ID }")]);
    let problems = problems.unwrap_err().to_string();
    assert!(problems.contains("shared") && problems.contains("field"), "{problems}");
    let plain = read(&[("a.graphql", "type Query @shareable { id: ID }")]);
    assert!(plain.unwrap_err().to_string().contains("shareable"));
}

#[test]
fn a_subgraph_can_define_the_directives_itself() {
    let sdl = "directive @key(fields: String!) repeatable on OBJECT
        scalar federation__FieldSet
        type Query @key(fields: \"id\") { id: ID @shareable }";
    let schema = read(&[("a.graphql", sdl)]).unwrap_or_else(|problems| panic!("{problems}"));
    let coordinates = schema.coordinates();
    assert!(coordinates.contains("@key(fields:)") && coordinates.contains("federation__FieldSet"));
    assert!(!coordinates.contains("@shareable"));
}
