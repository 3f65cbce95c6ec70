//! How long a diff of two large schemas takes: `cargo run --release -p contract --example large`.
//!
//! With a folder as its argument it also writes the two schemas there, `old.graphql` and
//! `new.graphql`, so that other programs can be measured with the same.

#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a program to be run by hand"
)]

use std::{env, fmt::Write, fs, path::Path, time::Instant};

use contract::{Level, Review, Schema, diff, report};

/// How many types each schema has besides its root.
const TYPES: usize = 10_000;

/// Which of the two schemas.
#[derive(Clone, Copy, PartialEq)]
enum Version {
    Old,
    New,
}

/// Object types, inputs, enums and interfaces with descriptions, arguments and deprecations; the
/// two versions differ in about one type of twenty.
fn schema(version: Version) -> String {
    let mut sdl = String::from("type Query {\n");
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
                "type Object{index} implements Interface{} {{\n  id: ID!\n  \"Its name.\"\n  \
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
            _ => writeln!(
                sdl,
                "union Union{index} = Object{}{}",
                index - 4,
                extra(" | Query")
            ),
        };
    }
    sdl
}

fn main() {
    let (old_sdl, new_sdl) = (schema(Version::Old), schema(Version::New));
    if let Some(folder) = env::args().nth(1) {
        let folder = Path::new(&folder);
        fs::write(folder.join("old.graphql"), &old_sdl).expect("the folder can be written to");
        fs::write(folder.join("new.graphql"), &new_sdl).expect("the folder can be written to");
    }
    let start = Instant::now();
    let old = Schema::parse("old.graphql", &old_sdl).expect("it is valid");
    let new = Schema::parse("new.graphql", &new_sdl).expect("it is valid");
    let read = start.elapsed();
    let start = Instant::now();
    let review = Review::of(diff(&old, &new));
    let compared = start.elapsed();
    let start = Instant::now();
    let report = report::json(&review);
    let reported = start.elapsed();
    println!(
        "{TYPES} types, {} bytes of SDL each; {} changes, {} breaking; {} bytes of report",
        old_sdl.len(),
        review.changes.len(),
        review.count(Level::Breaking),
        report.len()
    );
    println!("read in {read:.0?}, compared in {compared:.0?}, reported in {reported:.0?}");
}
