//! Measures a diff of two large schemas, and the check of many operations:
//! `cargo run --release -p graphql-schema-review --example large`.
//!
//! With a folder as its argument it also writes the two schemas there, `old.graphql` and
//! `new.graphql`, and the documents to the folder `clients`, to measure other programs with the same
//! input.

#![allow(clippy::print_stdout, clippy::expect_used, reason = "a program to be run by hand")]

use std::{env, fmt::Write, fs, path::Path, time::Instant};

use graphql_schema_review::{
    Level, Review, diff,
    operations::{DocumentSource, Documents, check},
    report,
};
use graphql_sdl::Schema;

/// How many types each schema has besides its root and the interface of all objects.
const TYPES: usize = 10_000;

/// How many documents there are, each with one operation.
const DOCUMENTS: usize = 5_000;

/// Which of the two schemas.
#[derive(Clone, Copy, PartialEq)]
enum Version {
    Old,
    New,
}

/// Object types, inputs, enums and interfaces with descriptions, arguments and deprecations; the
/// two versions differ in about one type of twenty.
fn schema(version: Version) -> String {
    let mut sdl = String::from("interface Node { id: ID! }\ntype Query {\n  node(id: ID!): Node\n");
    for index in (0..TYPES).step_by(5) {
        let _ = writeln!(sdl, "  find{index}(by: Input{}): Object{index}", index + 1);
    }
    sdl.push_str("}\n");
    for index in 0..TYPES {
        let differs = version == Version::New && index % 20 < 5 && index % 4 == 0;
        let extra = |text: &'static str| if differs { text } else { "" };
        let _ = writeln!(sdl, "\"What number {index} of the types is about.\"");
        let _ = match index % 5 {
            0 => writeln!(
                sdl,
                "type Object{index} implements Node & Interface{} {{\n  id: ID!\n  \"Its name.\"\n  \
                 name(short: Boolean = false, size: Int{}): String{}\n  kind: Enum{}\n  next: \
                 Object{index}\n  old: Int @deprecated(reason: \"Use `name`.\")\n}}",
                index + 3,
                extra("!"),
                extra("!"),
                index + 2,
            ),
            1 => writeln!(
                sdl,
                "input Input{index} {{\n  text: String = \"a\"\n  limit: Int! = 7\n  kinds: \
                 [Enum{}!]\n{}}}",
                index + 1,
                extra("  more: Int!\n"),
            ),
            2 => writeln!(sdl, "enum Enum{index} {{ SMALL LARGE {} }}", extra("HUGE")),
            3 => writeln!(sdl, "interface Interface{index} {{ id: ID! }}"),
            _ => writeln!(sdl, "union Union{index} = Object{}{}", index - 4, extra(" | Query")),
        };
    }
    sdl
}

/// Documents with variables, arguments and nested fields; every third one uses a fragment of another
/// file.
fn documents() -> Vec<(String, String)> {
    let operation = |number: usize| {
        let index = number * 5 % TYPES;
        let parts = if number.is_multiple_of(2) && !number.is_multiple_of(3) {
            format!("...Parts{index}")
        } else {
            "name(short: true)".to_owned()
        };
        let text = format!(
            "query Find{number}($by: Input{}) {{\n  find{index}(by: $by) {{\n    id\n    kind\n    {parts}\n    \
             next {{ id next {{ id old }} }}\n  }}\n  other: find{index}(by: {{text: \"a\", kinds: SMALL, limit: 3}}) \
             {{ ... on Interface{} {{ id }} }}\n  node(id: 1) {{ ... on Interface{} {{ id }} }}\n}}\n",
            index + 1,
            index + 3,
            index + 3
        );
        (format!("clients/find{number}.graphql"), text)
    };
    let fragment = |index: usize| {
        let text = format!("fragment Parts{index} on Object{index} {{ name(size: 3) kind }}\n");
        (format!("clients/parts{index}.graphql"), text)
    };
    let fragments = (0..TYPES).step_by(10).map(fragment);
    (0..DOCUMENTS).map(operation).chain(fragments).collect()
}

fn main() {
    let (old_sdl, new_sdl) = (schema(Version::Old), schema(Version::New));
    if let Some(folder) = env::args().nth(1) {
        let folder = Path::new(&folder);
        fs::write(folder.join("old.graphql"), &old_sdl).expect("the folder can be written to");
        fs::write(folder.join("new.graphql"), &new_sdl).expect("the folder can be written to");
        fs::create_dir_all(folder.join("clients")).expect("the folder can be written to");
        for (file, text) in documents() {
            fs::write(folder.join(file), text).expect("the folder can be written to");
        }
    }
    let start = Instant::now();
    let old = Schema::parse("old.graphql", &old_sdl).expect("it is valid");
    let new = Schema::parse("new.graphql", &new_sdl).expect("it is valid");
    let read = start.elapsed();
    let start = Instant::now();
    let review = Review::new(diff(&old, &new));
    let compared = start.elapsed();
    let start = Instant::now();
    let report = report::json(&review.changes);
    let reported = start.elapsed();
    println!(
        "{TYPES} types, {} bytes of SDL each; {} changes, {} breaking; {} bytes of report",
        old_sdl.len(),
        review.changes.len(),
        review.count(Level::Breaking),
        report.len()
    );
    println!("read in {read:.0?}, compared in {compared:.0?}, reported in {reported:.0?}");
    let start = Instant::now();
    let documents = Documents::read([DocumentSource::Files(documents())]).expect("they are valid");
    let read = start.elapsed();
    let changes: Vec<_> = review.changes.into_iter().map(|one| one.change).collect();
    let start = Instant::now();
    let checked = check(&documents, Some(&old), &new, &changes);
    let validated = start.elapsed();
    println!(
        "{} operations read in {read:.0?}, checked in {validated:.0?}; {} stop working, {} were not \
         valid before",
        checked.count,
        checked.broken.len(),
        checked.invalid_before.len()
    );
}
