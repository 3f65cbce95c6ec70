//! Documents in source code: what is found, where, and what is not checked.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod support;

use std::time::Instant;

use graphql_schema_review::operations::{Checked, Documents, check};
use proptest::prelude::*;
use support::{OLD, checked, files, schema};

const EXTENSIONS: [&str; 15] =
    ["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte", "kt", "swift", "go", "rs", "py"];

/// Checks files against a schema without `Book.title`.
fn check_files(sources: &[(&str, &str)]) -> Checked {
    checked("title: String author", "author", files(sources))
}

/// The names of the broken operations, and where the file has the field that was removed.
fn broken(sources: &[(&str, &str)]) -> Vec<String> {
    let checked = check_files(sources);
    let broken = checked.broken.iter().map(|operation| {
        let name = operation.operation.name.as_deref().unwrap_or("anonymous");
        let location = operation.problems[0].location.as_ref().unwrap();
        let (_, text) = sources.iter().find(|(file, _)| **file == *location.file).unwrap();
        let line = text.lines().nth(location.position.line - 1).unwrap();
        let rest: String = line.chars().skip(location.position.column - 1).collect();
        assert!(rest.starts_with("title"), "{location}: {rest}");
        name.to_owned()
    });
    broken.collect()
}

fn broken_in(file: &str, text: &str) -> Vec<String> {
    broken(&[(file, text)])
}

#[test]
fn tags_calls_and_comments_state_documents() {
    let text = r#"
import { gql, graphql } from "é";
const a = gql`query A { book(id: 1) { title } }`, url = "https://example.com";
const b = gql<Data, Record<string, () => void>>`
  query B { book(id: 1) { title } }
`;
const c = graphql(`query C { book(id: "1\\t") { title } }`, [parts]);
const d = client.graphql(/* GraphQL */ `{ book(id: 1) { title } }`);
const e = /* GraphQL */ `mutation E { rename(id: 1) { title } }`;
const f = gql("query F { book(id: 1) { title } }");
const g = fetch("/graphql", { body: JSON.stringify({ query: `query G { book(id: 1) { title } }` }) });
"#;
    let names = ["A", "B", "C", "anonymous", "E", "F", "G"];
    for extension in &EXTENSIONS[..10] {
        assert_eq!(broken_in(&format!("a.{extension}"), text), names);
    }
}

#[test]
fn literals_of_other_languages_contain_documents() {
    let kotlin = "val a = \"\"\"\n  query Kotlin(${'$'}id: ID!) { book(id: ${'$'}id) { title } }\n\"\"\"\nval b = '\"'";
    let swift = "let a = \"\"\"\n  query Swift { book(id: \\\"1\\\") { title } }\n  \"\"\"";
    let go = "import graphql \"example.com/graphql\"\nconst a = `# @genqlient\nquery Go { book(id: 1) { title } }`\n";
    let rust = "fn a<'a>(b: &'a str) { c(r#\"query Rust { book(id: \"1\") { title } }\"#, '\"') }";
    let rust_hashes = "a(r##\"query Two { book(id: \"#1\") { title } }\"##, '\\''); b(r###\"query Three { book(id: 1) { title } }\"###)";
    let swift_raw = "let a = #\"\"\"\n  query Raw { book(id: \"\\\\\") { title } }\n  \\#(parts)\"\"\"#";
    let python = "\"\"\"query the database\"\"\"\na = gql(r\"\"\"\n  query Python { book(id: 1) { title } }\n\"\"\")\n";
    for (file, text, names) in [
        ("a.kt", kotlin, &["Kotlin"][..]),
        ("a.swift", swift, &["Swift"]),
        ("b.swift", swift_raw, &["Raw"]),
        ("a.go", go, &["Go"]),
        ("a.rs", rust, &["Rust"]),
        ("b.rs", rust_hashes, &["Two", "Three"]),
        ("a.py", python, &["Python"]),
    ] {
        assert_eq!(broken_in(file, text), names, "{text}");
        assert!(check_files(&[(file, text)]).unchecked.is_empty(), "{text}");
    }
}

#[test]
fn what_is_no_document_is_not_read() {
    for (file, text) in [
        ("a.ts", "// gql`query A { nothing }`\n/*\n gql`{` */"),
        ("a.ts", "const text = 'gql`{`'; app.use(graphql(\"/graphql\"));"),
        ("a.ts", "const typeDefs = gql`type Query { nothing: Int }`; gql``; gql`${A}${B}`;"),
        ("a.py", "# gql(\"\"\"{\"\"\")\nf'query {x}'\n\"\"\"query the table {x}\"\"\""),
        ("a.go", "import gql \"example.com/gql\"\nlog(\"query (%s)\")"),
        ("a.rs", "format!(\"query {}\", gql); // r#\"query A {\"#"),
    ] {
        let source = files(&[(file, text), ("b.graphql", "{ __typename }")]);
        let documents = Documents::read([source]).unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(documents.len(), 1, "{text}");
    }
}

/// Text that is not GraphQL and ends in a word that is a tag where it is code, by the extension of its file.
const TEXT_LIKE_A_TAG: &[(&str, &str)] = &[
    ("ts", "const api = `${host}/graphql`;"),
    ("ts", "const a = `/graphql`, b = `${`${host}/gql`}/v1`, c = [`gql`, `graphql`];"),
    ("ts", "const a = ok ? `${root ? `/graphql` : `${root}/gql`}` : `a\\`b ${\"}\"} gql`;"),
    ("ts", "throw new Error(`unknown tag\n  gql`); // gql`\n/* `graphql` */"),
    ("ts", "text.replace(/`/g, '').split(/[/`'\"]/); x = a / b / `${c}/graphql`.length;"),
    ("ts", "const [a, b] = [gql(`/path`), graphql(\"/graphql\"), graphql('users')];"),
    ("js", "module.exports = { uri: `https://${process.env.HOST}/graphql`, ws: `wss://${h}//gql` };"),
    ("jsx", "const A = () => <Link to={`${base}/graphql`}>`gql` and ` in text: don't</Link>;"),
    ("kt", "val a = \"$host/graphql\"; val b = \"\"\"$host/graphql\"\"\"; val c = \"${of(\"a\")}/graphql(\""),
    ("kt", "@Test fun `posts to graphql`() { graphql(\"/graphql\") }"),
    ("swift", "let a = \"\\(host)/graphql\"; let b = \"\"\"\n\\(of(\"a\"))/graphql\n\"\"\"; let c = #\"/graphql\"#"),
    ("vue", "<template><a :href=\"`${host}/graphql`\">Don't use `gql</a></template>"),
    ("svelte", "<a href={`${host}/graphql`}>It's {`${count} gql`}</a>"),
];

#[test]
fn text_that_ends_in_a_tag_is_no_document() {
    for (extension, text) in TEXT_LIKE_A_TAG {
        let document = match *extension {
            "kt" | "swift" => "\na(\"\"\"query A { book(id: 1) { title } }\"\"\")",
            _ => "\nconst a = gql`query A { book(id: 1) { title } }`",
        };
        let (file, text) = (format!("a.{extension}"), (*text).to_owned() + document);
        assert_eq!(broken_in(&file, &text), ["A"], "{text}");
        let unchecked = check_files(&[(&file, &text)]).unchecked;
        assert_eq!(unchecked, [], "{text}");
    }
}

#[test]
fn text_of_elements_does_not_hide_documents() {
    let text = "export const A = () => <p>Don't use ` in src/*.ts, see https://example.com</p>;\nconst b = gql`query B { book(id: 1) { title } }`;";
    assert_eq!(broken_in("a.tsx", text), ["B"]);
    let text =
        "<template><p>It's a `</p></template>\n<script>\nconst b = gql`query B { book(id: 1) { title } }`\n</script>";
    assert_eq!(broken_in("a.vue", text), ["B"]);
}

#[test]
fn expressions_are_not_evaluated() {
    for (text, reason, names) in [
        (
            "gql`query A { book(id: 1) { ${fields.map(f => `${f} }`).join(\"}\")} title } }`",
            "the expressions in a document",
            &["A"][..],
        ),
        (
            "gql`query A { book(id: ${id}) { title } }`",
            "a document that cannot be read without the values of its expressions",
            &[],
        ),
        (
            "gql`query A { book(id: 1) { ...${name} title } }`",
            "a document that cannot be read without the values of its expressions",
            &[],
        ),
        (
            "gql`query A { book(id: 1) { ...Imported title } } ${IMPORTED}`",
            "query A (unknown fragment \"Imported\")",
            &[],
        ),
        (
            "a(`query A { book(id: 1) title }}`)",
            "a document (syntax error: expected a StringValue, Name or OperationDefinition)",
            &[],
        ),
    ] {
        let checked = check_files(&[("a.ts", text)]);
        let reasons: Vec<_> = checked.unchecked.iter().map(|one| &*one.reason).collect();
        assert_eq!(reasons, [reason], "{text}");
        assert_eq!(broken_in("a.ts", text), names, "{text}");
    }
}

#[test]
fn a_syntax_error_is_located_in_the_source_file() {
    let text = "const a = 1;\nconst b = gql`\n  query B { book(id: \"é\\u00e9\", ) { }\n`;";
    let unchecked = check_files(&[("a.ts", text)]).unchecked;
    assert_eq!(unchecked[0].location.to_string(), "a.ts:3:37");
    assert!(unchecked[0].reason.starts_with("a document (syntax error"));
    // It ends with the file.
    let read = Documents::read([files(&[("a.ts", "gql`query B { book(id: 1) { id } } ")])]);
    assert_eq!(read.unwrap().len(), 1);
}

#[test]
fn literals_of_one_file_can_have_fragments_of_the_same_name() {
    let text = "a(`query A { book(id: 1) { ...F } } fragment F on Book { id }`);
        b(`query B { book(id: 1) { ...F } } fragment F on Book { title }`);
        c(`query C { book(id: 1) { ...F } }`);
        d(`query D { book(id: 1) { ...Missing } }`);
        e(`fragment E on Book { id } fragment E on Book { title }`, `query E { book(id: 1) { ...E } }`);";
    assert_eq!(broken_in("a.ts", text), ["B"]);
    let checked = check_files(&[("a.ts", text)]);
    let reasons: Vec<_> = checked.unchecked.iter().map(|one| &*one.reason).collect();
    assert_eq!(
        reasons,
        [
            "query C (the fragment \"F\" is defined in 2 documents; rename all but one)",
            "query D (unknown fragment \"Missing\")",
            "query E (the fragment \"E\" is defined more than once in a document; rename all but one)",
        ]
    );
}

#[test]
fn the_nearest_fragment_of_a_name_is_used() {
    let query = |name: &str| format!("gql`query {name} {{ book(id: 1) {{ ...Parts }} }}`");
    let parts = |field: &str| format!("gql`fragment Parts on Book {{ {field} }}`");
    let (web, admin) = (query("Web"), query("Admin"));
    let (title, pages) = (parts("title"), parts("pages"));
    let sources = [
        ("clients/web/pages/book.ts", &*web),
        ("clients/web/parts.ts", &title),
        ("clients/admin/book.ts", &admin),
        ("clients/admin/parts/parts.ts", &pages),
    ];
    assert_eq!(broken(&sources), ["Web"]);
}

/// Files with two fragments of a name, of which `query Web` uses the one with the title, which is not the nearest.
const IMPORTED: &[(&str, &[(&str, &str)])] = &[
    (
        "a comment",
        &[
            ("web/parts.graphql", "fragment Parts on Book { title }"),
            ("app/parts.graphql", "fragment Parts on Book { id }"),
            ("app/book.graphql", "#import \"../web/parts.graphql\"\nquery Web { book(id: 1) { ...Parts } }"),
        ],
    ),
    (
        "a comment without ./",
        &[
            ("app/web/parts.graphql", "fragment Parts on Book { title }"),
            ("app/parts.graphql", "fragment Parts on Book { id }"),
            ("app/book.graphql", "# import Parts from 'web/parts.graphql'\nquery Web { book(id: 1) { ...Parts } }"),
        ],
    ),
    (
        "ES modules with an index",
        &[
            ("web/fragments/parts.tsx", "export const PARTS = gql`fragment Parts on Book { title }`;"),
            ("web/fragments/index.ts", "export * from './parts';"),
            ("app/parts.ts", "export const OTHER = gql`fragment Parts on Book { id }`;"),
            (
                "app/book.ts",
                "import React from 'react';\nimport { PARTS } from \"../web/fragments\";\ngql`query Web { book(id: 1) { ...Parts } } ${PARTS}`",
            ),
        ],
    ),
    (
        "CommonJS, and the extension of what TypeScript becomes",
        &[
            ("web/parts.ts", "export const parts = gql`fragment Parts on Book { title }`;"),
            ("app/parts.ts", "export const other = gql`fragment Parts on Book { id }`;"),
            ("app/book.js", "const parts = require('../web/parts.js');\ngql`query Web { book(id: 1) { ...Parts } }`"),
        ],
    ),
    (
        "a list of fragments",
        &[
            ("app/parts.ts", "export const Other = graphql(`fragment Parts on Book { id }`);"),
            ("web/parts.ts", "export const Parts: Of<A, B> = graphql(`fragment Parts on Book { title }`);"),
            (
                "app/book.ts",
                "import { Parts } from '@acme/web';\nconst query = graphql(`query Web { book(id: 1) { ...Parts } }`,\n  [Author, Parts])",
            ),
        ],
    ),
    (
        "an expression, in one file",
        &[(
            "app/book.ts",
            "const A = gql`fragment Parts on Book { id }`;\nconst B = gql`fragment Parts on Book { title }`;\ngql`query Web { book(id: 1) { ...Parts } } ${B}`",
        )],
    ),
];

#[test]
fn the_fragment_that_a_file_imports_or_names_is_used() {
    for (how, sources) in IMPORTED {
        assert_eq!(broken(sources), ["Web"], "{how}");
        assert_eq!(check_files(sources).unchecked, [], "{how}");
    }
}

#[test]
fn what_a_client_interprets_is_not_validated() {
    let text = "query A($key: String, $local: LocalInput!) @live {
      isLoggedIn @client
      book(id: 1) { id @required(action: LOG) draft(of: {a: [$local]}) @client { ...Draft } ...F @arguments(count: 3) }
      other: book(id: 2) { draft @client }
      ...Local @client
    }
    query OnlyLocal($local: LocalInput!) { isLoggedIn(of: $local) @client ... on LocalType @client { name } }
    fragment Draft on LocalDraft { name ...Local }
    fragment Local on LocalType { name }
    fragment Empty on Book { draft @client }
    query B { book(id: 1) { ...Empty } }
    fragment F on Book @argumentDefinitions(count: {type: \"Int\", defaultValue: 1}) {
      author @connection(key: $key) { size @include(if: $count) }
    }";
    let documents = Documents::read([files(&[("a.graphql", text)])]).unwrap();
    let new = schema("new.graphql", OLD);
    let checked = check(&documents, None, &new, &[]);
    assert!(checked.broken.is_empty(), "{checked:#?}");
    // One that the server defines, and then removes, is a change.
    let live = "directive @live on QUERY\n";
    let old = schema("old.graphql", &(live.to_owned() + OLD));
    let changes = graphql_schema_review::diff(&old, &new);
    let checked = check(&documents, Some(&old), &new, &changes);
    assert_eq!(checked.broken[0].changes[0].coordinate, "@live");
}

#[test]
fn the_operation_output_of_apollo_kotlin_is_a_manifest() {
    let json =
        "{\n  \"3f2a\": {\n    \"name\": \"Book\",\n    \"source\": \"query Book { book(id: 1) { title } }\"\n  }\n}";
    let source = graphql_schema_review::operations::DocumentSource::Manifest("a.json".to_owned(), json.to_owned());
    let checked = checked("title: String author", "author", source);
    let location = checked.broken[0].problems[0].location.as_ref().unwrap();
    assert_eq!(location.to_string(), "a.json:4:43");
}

#[test]
fn the_time_is_linear() {
    let size = 200_000;
    for part in [
        "\"",
        "'",
        "`",
        "gql`",
        "gql<",
        "gql(",
        "\"\\",
        "/*",
        "/* ",
        "#",
        "\"#",
        "${",
        "gql`${`",
        "gql`{${\"",
        "\"\"\"",
        "r#\"",
        "query A {",
        "\"query A {",
        "gql`{ a ${b} ",
        "\\(",
        "'\\\"",
        "fragment ",
        " ",
    ] {
        for extension in ["ts", "kt", "swift", "go", "rs", "py"] {
            let text = part.repeat(size / part.len());
            let begin = Instant::now();
            let _ = Documents::read([files(&[(&format!("a.{extension}"), &text)])]);
            let seconds = begin.elapsed().as_secs_f32();
            assert!(seconds < 5.0, "{part:?} in {extension}: {seconds} s");
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_read(
        text in prop::collection::vec(
            prop_oneof![
                Just("gql`"), Just("graphql("), Just("`"), Just("${"), Just("}"), Just("\\"), Just("\""),
                Just("\"\"\""), Just("'"), Just("r#\""), Just("\"#"), Just("/*"), Just("*/"), Just("//"), Just("#"),
                Just("\n"), Just("é"), Just("🚗"), Just("query A {"), Just("{ a }"), Just("\\u{1F697}"), Just("\\("),
                Just("/* GraphQL */"), Just("gql<"), Just(">"), Just("(id: "), Just("...F"), Just("f"), Just("\u{0}"),
            ],
            0..30,
        ),
        extension in 0..EXTENSIONS.len(),
    ) {
        let file = format!("a.{}", EXTENSIONS[extension]);
        let _ = Documents::read([files(&[(&file, &text.concat())])]);
    }

    #[test]
    fn positions_are_those_of_the_file(
        before in "[a-zé🚗(){}<>.,;= \n]{0,30}",
        inside in prop::collection::vec(
            prop_oneof![Just("\\n"), Just("\\`"), Just("\\u{e9}"), Just("\\ud"), Just("é"), Just("${x}"), Just("🚗")],
            0..5,
        ),
    ) {
        let text = format!("{before};gql`# {}\nquery {{ book(id: 1) {{ title }} }}`", inside.concat().replace("\\n", " \\n# "));
        prop_assert_eq!(broken_in("a.ts", &text), ["anonymous"]);
    }
}
