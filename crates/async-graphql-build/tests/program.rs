//! The program: problems, expanded types, and a project to start from.

#![allow(missing_docs, clippy::expect_used, reason = "a test fails by panicking")]

use std::{
    fs,
    io::pipe,
    path::PathBuf,
    process::{Command, Output},
};

const SCHEMA: &str = "\
type Query {
  books(first: Int! = 10): [Book!]!
}

type Mutation {
  addBook(title: String!, published: Date): Book!
}

type Book {
  title: String!
  published: Date
  author: Author
}

type Author {
  books(first: Int! = 10): [Book!]!
}

scalar Date
";

/// An empty directory with this schema.
fn directory(name: &str, schema: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).expect("a directory");
    fs::write(directory.join("schema.graphql"), schema).expect("a file");
    directory
}

fn run(directory: &PathBuf, arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_async-graphql-build");
    let mut command = Command::new(program);
    let output = command.args(arguments).current_dir(directory).output();
    output.expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn stdout(directory: &PathBuf, arguments: &[&str]) -> String {
    let output = run(directory, arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// The exit code and the error.
fn failure(directory: &PathBuf, arguments: &[&str]) -> (Option<i32>, String) {
    let output = run(directory, arguments);
    assert_eq!(text(&output.stdout), "");
    (output.status.code(), text(&output.stderr))
}

#[test]
fn a_schema_is_checked_without_a_build() {
    let directory = directory("check", SCHEMA);
    let checked = stdout(&directory, &["check", "schema.graphql"]);
    assert!(checked.starts_with("schema.graphql: "), "{checked}");
    fs::write(directory.join("wrong.graphql"), "type Query { a: Bok }\ntype Book { a: Int }\n").expect("a file");
    let expected = "wrong.graphql:1:17: unknown type \"Bok\"; did you mean \"Book\"?\n";
    let found = failure(&directory, &["check", "wrong.graphql"]);
    assert_eq!(found, (Some(1), expected.to_owned()));
}

#[test]
fn a_closed_pipe_does_not_change_the_exit_code() {
    let directory = directory("closed", SCHEMA);
    for (arguments, code) in
        [(&["expand", "schema.graphql", "Query"][..], 0), (&["check", "missing.graphql"], 1), (&["unknown"], 2)]
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_async-graphql-build"));
        command.args(arguments).current_dir(&directory);
        let (reader, writer) = pipe().expect("a pipe");
        drop(reader);
        let stderr = writer.try_clone().expect("a pipe");
        let status = command.stdout(writer).stderr(stderr).status();
        let status = status.expect("the program runs");
        assert_eq!(status.code(), Some(code), "{arguments:?}");
    }
}

#[test]
fn a_type_is_expanded_with_the_lines_of_the_schema() {
    let directory = directory("expand", SCHEMA);
    let author = stdout(&directory, &["expand", "schema.graphql", "Author"]);
    assert!(author.contains("pub trait AuthorResolver: Send + Sync { // schema.graphql:15:6"));
    let (code, message) = failure(&directory, &["expand", "schema.graphql", "Auhtor"]);
    assert_eq!(code, Some(1));
    let expected = "schema.graphql: defines no type \"Auhtor\"; did you mean \"Author\"?\n";
    assert_eq!(message, expected);
}

const MANIFEST: &str = "[package]\nname = \"books\"\n\n[dependencies]\ntokio.workspace = true\n";

#[test]
fn a_project_is_started_with_a_server_and_what_exists_stays() {
    let types = "type Resolvers { a(b: Int): Int }\nextend type Query { resolvers: Resolvers }\n";
    let directory = directory("init", &format!("{SCHEMA}{types}"));
    let read = |file: &str| fs::read_to_string(directory.join(file)).expect("it was written");
    let write = |file: &str, text: &str| fs::write(directory.join(file), text).expect("a file");
    write("Cargo.toml", MANIFEST);
    fs::create_dir(directory.join("src")).expect("a directory");
    write("src/main.rs", "fn main() {\n    println!(\"Hello, world!\");\n}\n");
    let written = stdout(&directory, &["init", "schema.graphql"]);
    assert!(written.starts_with("wrote build.rs\nwrote src/graphql.rs\nwrote src/main.rs\n"), "{written}");
    let manifest = read("Cargo.toml");
    let lines = [
        "[dependencies]\nasync-graphql = {",
        "\npoem = ",
        "\ntokio.workspace",
        "\n[build-dependencies]\nasync-graphql-build = ",
    ];
    assert!(lines.iter().all(|line| manifest.contains(line)) && !manifest.contains("\ntokio ="), "{manifest}");
    assert!(read("src/main.rs").contains("GraphiQLSource"));
    assert!(read("build.rs").contains(".serde_scalar(\"Date\", \"async_graphql::Value\")"));
    let module = read("src/graphql.rs");
    syn::parse_file(&module).expect("it is Rust");
    assert!(module.contains("impl contract::QueryResolver for Resolvers_ {"), "{module}");
    write("src/main.rs", "fn main() {}\n");
    let again = stdout(&directory, &["init", "schema.graphql", "--axum"]);
    assert!(again.contains("src/main.rs exists; add what it lacks of this:\n\nuse async_graphql"), "{again}");
    assert_eq!((read("src/main.rs").as_str(), read("src/graphql.rs")), ("fn main() {}\n", module));
}

#[test]
fn the_implementations_that_a_project_lacks_are_printed_with_its_bindings() {
    let directory = directory("stub", SCHEMA);
    let write = |file: &str, text: &str| fs::write(directory.join(file), text).expect("a file");
    fs::create_dir(directory.join("src")).expect("a directory");
    write(
        "build.rs",
        "fn main() {\n    Contract::new(\"other.graphql\").object(\"Author\", \"crate::Other\").generate();\n    Contract::new(\"schema.graphql\")\n        .module_name(\"api\")\n        .object(\"Author\", \"crate::people::Writer\") // who writes\n        .objects_in(\"crate\")\n        .scalar(\"Date\", \"crate::Day\")\n        .generate();\n}\n",
    );
    write(
        "src/main.rs",
        "struct Book;\nfn schema() {}\nmod api_of_books {\n    impl QueryResolver for All { async fn books() {} }\n    impl api::BookResolver for Book { async fn title() {} async fn author() {} }\n}\n",
    );
    let missing = stdout(&directory, &["stub", "schema.graphql"]);
    for text in [
        "impl api::MutationResolver for Resolvers {\n    type Error",
        "impl api::BookResolver for Book {\n    async fn published( // schema.graphql:11:3\n",
        "pub struct Writer;",
        "impl api::AuthorResolver for Writer {",
    ] {
        assert!(missing.contains(text), "{text}: {missing}");
    }
    for text in ["QueryResolver", "async fn title", "struct Book", "fn schema"] {
        assert!(!missing.contains(text), "{text}: {missing}");
    }
    let field = stdout(&directory, &["stub", "schema.graphql", "Query.books"]);
    assert!(field.starts_with("impl api::QueryResolver for Resolvers {\n    async fn books("), "{field}");
    let expanded = stdout(&directory, &["expand", "schema.graphql", "Author"]);
    assert!(expanded.starts_with("pub(super) use crate::people::Writer as Author; // schema.graphql:15:6: define this type and implement AuthorResolver for it, because books has arguments\n"), "{expanded}");
    let (code, message) = failure(&directory, &["stub", "schema.graphql", "Query.book"]);
    assert_eq!(
        (code, message.as_str()),
        (Some(1), "schema.graphql: \"Query.book\" is no object with resolvers or field of one\n")
    );
}

#[test]
fn the_recursion_limit_of_a_chain_of_types_is_named() {
    let types = (0..26).map(|at| format!("type T{at} {{ next: [T{}] }}\n", at + 1));
    let chain = format!("type Query {{ first: T0 }}\n{}type T26 {{ a: Int }}\n", types.collect::<String>());
    let directory = directory("chain", &chain);
    let checked = stdout(&directory, &["check", "schema.graphql"]);
    let attribute = "; begin the root of the crate with #![recursion_limit = \"256\"]\n";
    assert!(checked.ends_with(attribute), "{checked}");
}

#[test]
fn wrong_arguments_are_refused_with_the_right_ones() {
    let directory = directory("usage", SCHEMA);
    let help = stdout(&directory, &["--help"]);
    for (arguments, message) in [
        (&["chekc", "schema.graphql"][..], "expected `check SCHEMA`"),
        (&["check", "--axum", "schema.graphql"], "expected `check SCHEMA`"),
        (&["check", "--strict"], "invalid option '--strict'"),
    ] {
        let (code, found) = failure(&directory, arguments);
        assert_eq!(code, Some(2), "{arguments:?}");
        assert!(found.contains(message) && found.contains("--help"), "{found}");
    }
    for command in ["check", "expand", "stub", "init", "--axum"] {
        assert!(help.contains(command), "{help}");
    }
    let (code, found) = failure(&directory, &["check", "none.graphql"]);
    assert_eq!(code, Some(1));
    assert!(found.starts_with("none.graphql: cannot be read: "), "{found}");
}
