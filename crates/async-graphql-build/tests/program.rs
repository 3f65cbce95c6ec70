//! The program: problems, expanded types, and a project to start from.

#![allow(
    missing_docs,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

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
    fs::write(
        directory.join("wrong.graphql"),
        "type Query { a: Bok }\ntype Book { a: Int }\n",
    )
    .expect("a file");
    let expected = "wrong.graphql:1:17: unknown type \"Bok\"; did you mean \"Book\"?\n";
    let found = failure(&directory, &["check", "wrong.graphql"]);
    assert_eq!(found, (Some(1), expected.to_owned()));
}

#[test]
fn a_closed_pipe_does_not_change_the_exit_code() {
    let directory = directory("closed", SCHEMA);
    for (arguments, code) in [
        (&["expand", "schema.graphql", "Query"][..], 0),
        (&["check", "missing.graphql"], 1),
        (&["unknown"], 2),
    ] {
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

#[test]
fn a_project_is_started_with_or_without_stubs() {
    let directory = directory("init", SCHEMA);
    let printed = stdout(&directory, &["init", "schema.graphql"]);
    assert!(printed.contains("impl contract::QueryResolver for Resolvers {"));
    assert!(printed.contains("async fn add_book( // schema.graphql:6:3"));
    let read = |file: &str| fs::read_to_string(directory.join(file)).expect("it was written");
    assert!(read("build.rs").contains(".serde_scalar(\"Date\", \"async_graphql::Value\")"));
    assert!(!read("src/graphql.rs").contains("todo!()"));
    let again = failure(&directory, &["init", "schema.graphql", "--stubs"]);
    assert_eq!(
        again,
        (Some(1), "build.rs exists; nothing was written\n".to_owned())
    );
    for file in ["build.rs", "src/graphql.rs"] {
        fs::remove_file(directory.join(file)).expect("it was written");
    }
    let written = stdout(&directory, &["init", "schema.graphql", "--stubs"]);
    assert_eq!(
        written,
        "wrote build.rs and src/graphql.rs; declare `mod graphql;`\n"
    );
    let module = read("src/graphql.rs");
    syn::parse_file(&module).expect("it is Rust");
    assert!(module.ends_with(&printed), "the same implementations");
}

#[test]
fn wrong_arguments_are_refused_with_the_right_ones() {
    let directory = directory("usage", SCHEMA);
    let help = stdout(&directory, &["--help"]);
    for (arguments, message) in [
        (&["chekc", "schema.graphql"][..], "expected `check SCHEMA`"),
        (
            &["check", "--stubs", "schema.graphql"],
            "expected `check SCHEMA`",
        ),
        (&["check", "--strict"], "invalid option '--strict'"),
        (&["init", "/schema.graphql"], "must be relative"),
    ] {
        let (code, found) = failure(&directory, arguments);
        assert_eq!(code, Some(2), "{arguments:?}");
        assert!(
            found.contains(message) && found.contains("--help"),
            "{found}"
        );
    }
    for command in ["check", "expand", "init", "--stubs"] {
        assert!(help.contains(command), "{help}");
    }
    let (code, found) = failure(&directory, &["check", "none.graphql"]);
    assert_eq!(code, Some(1));
    assert!(
        found.starts_with("none.graphql: cannot be read: "),
        "{found}"
    );
}
