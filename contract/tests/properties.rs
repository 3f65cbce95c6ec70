//! What holds for every pair of schemas.

#![allow(
    missing_docs,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

use std::fmt::Write;

use contract::{Change, Schema, diff};
use proptest::{collection::vec, prelude::*};

/// Words of kinds that come in pairs: what one direction adds, the other removes.
const OPPOSITES: [(&str, &str); 2] = [("_ADDED", "_REMOVED"), ("_REMOVED", "_ADDED")];

/// The types that fields answer and that inputs take, and the defaults of the latter.
const OUTPUTS: [&str; 6] = ["Int", "String!", "[Int!]", "T0", "[E0!]!", "U"];
const INPUTS: [&str; 7] = [
    "Int",
    "Int!",
    "Int = 1",
    "Int! = 2",
    "[Int]",
    "[E0!] = [A]",
    "I0",
];
const NOTES: [&str; 5] = [
    "",
    " @deprecated",
    " @deprecated(reason: \"Gone.\")",
    " @tag",
    " @tag(max: 1) @tag(max: 2)",
];

prop_compose! {
    fn input()(name in 1..4, ty in 0..INPUTS.len(), note in 3..NOTES.len(), is_noted: bool)
        -> (i32, String) {
        let note = if is_noted { NOTES[note] } else { "" };
        (name, format!("{}{note}", INPUTS[ty]))
    }
}

prop_compose! {
    fn field()(
        name in 1..5,
        ty in 0..OUTPUTS.len(),
        arguments in vec(input(), 0..3),
        note in 0..NOTES.len(),
        described: bool,
    ) -> (i32, String) {
        let mut arguments = arguments;
        arguments.sort();
        arguments.dedup_by_key(|argument| argument.0);
        let list: Vec<String> = arguments.iter().map(|(name, ty)| format!("a{name}: {ty}")).collect();
        let list = list.join(" ");
        let list = if list.is_empty() { list } else { format!("({list})") };
        let description = if described { "\"Described.\" " } else { "" };
        (name, format!("{list}: {}{}\n", OUTPUTS[ty], NOTES[note]) + description)
    }
}

/// The parts by name, each once; a description, which ends a part, belongs to the next one.
fn block(parts: Vec<(i32, String)>, prefix: &str) -> String {
    let mut parts = parts;
    parts.sort();
    parts.dedup_by_key(|part| part.0);
    let mut block = String::new();
    for (name, part) in parts {
        let _ = write!(block, "{prefix}{name}{part} ");
    }
    let end = block.rfind('\n').map_or(block.len(), |end| end + 1);
    block.truncate(end);
    block
}

prop_compose! {
    /// The SDL of a valid schema.
    fn sdl()(
        objects in vec(vec(field(), 0..4), 1..4),
        query in vec(field(), 0..4),
        inputs in vec(input(), 0..4),
        values in vec(1..5, 0..4),
        members in vec(0..3_usize, 0..3),
        tag in 0..4_usize,
    ) -> String {
        let mut sdl = String::from("type Query implements N { id: ID! ");
        sdl.push_str(&block(query, "f"));
        sdl.push_str("}\ninterface N { id: ID! }\n");
        for (index, fields) in objects.iter().enumerate() {
            let implements = if index % 2 == 0 { "implements N" } else { "" };
            let fields = block(fields.clone(), "f");
            let _ = writeln!(sdl, "type T{index} {implements} {{ id: ID! {fields} }}");
        }
        let inputs: Vec<_> = inputs.into_iter().map(|(name, ty)| (name, format!(": {ty}\n"))).collect();
        let _ = writeln!(sdl, "input I0 {{ f0: Int {} }}", block(inputs, "f"));
        let mut unique: Vec<String> = values.iter().map(|value| format!("V{value}")).collect();
        unique.sort_unstable();
        unique.dedup();
        let _ = writeln!(sdl, "enum E0 {{ A {} }}", unique.join(" "));
        let mut members: Vec<usize> = members.into_iter().filter(|at| *at < objects.len()).collect();
        members.sort_unstable();
        members.dedup();
        let members: Vec<String> = members.iter().map(|at| format!("| T{at}")).collect();
        let members = members.join(" ");
        let _ = writeln!(sdl, "union U = Query {members}");
        let more = ["", "SCALAR |", "FIELD |", "FIELD | QUERY |"][tag];
        let argument = ["", ", min: Int", ", min: Int = 1", ", min: [Int!] = [1]"][tag];
        let _ = writeln!(
            sdl,
            "directive @tag(max: Int{argument}) repeatable on {more} FIELD_DEFINITION | \
             ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION"
        );
        sdl
    }
}

fn parse(sdl: &str) -> Schema {
    Schema::parse("schema.graphql", sdl).unwrap_or_else(|problems| panic!("{problems}\n{sdl}"))
}

fn count(changes: &[Change], kind: &str) -> usize {
    let of_kind = |change: &&Change| change.kind.name() == kind;
    changes.iter().filter(of_kind).count()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 128,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_schema_does_not_differ_from_itself(sdl in sdl()) {
        let (one, other) = (parse(&sdl), parse(&sdl));
        prop_assert_eq!(diff(&one, &other), []);
    }

    #[test]
    fn what_is_added_one_way_is_removed_the_other_way(old in sdl(), new in sdl()) {
        let (old, new) = (parse(&old), parse(&new));
        let (there, back) = (diff(&old, &new), diff(&new, &old));
        prop_assert_eq!(there.len(), back.len());
        for change in &there {
            let kind = change.kind.name();
            let opposite = OPPOSITES.iter().find_map(|(end, opposite)| {
                Some(kind.strip_suffix(end)?.to_owned() + opposite)
            });
            // One kind for all that happens to a description, a default and the like.
            let opposite = opposite.unwrap_or_else(|| kind.to_owned());
            prop_assert_eq!(count(&there, kind), count(&back, &opposite), "{}", kind);
        }
    }

    #[test]
    fn changes_are_in_the_order_of_their_coordinates(old in sdl(), new in sdl()) {
        let changes = diff(&parse(&old), &parse(&new));
        prop_assert!(changes.is_sorted_by_key(|change| &change.coordinate));
        prop_assert_eq!(&changes, &diff(&parse(&old), &parse(&new)));
    }

    /// A defect or a schema, never a panic.
    #[test]
    fn any_text_is_read(text in "[a-zA-Z{}()\\[\\]!@&|=:\"$. \n#0-9-]{0,80}") {
        let _ = Schema::parse("schema.graphql", &text);
        let _ = Schema::parse("schema.graphql", &format!("type Query {{ a: Int }} {text}"));
    }
}
