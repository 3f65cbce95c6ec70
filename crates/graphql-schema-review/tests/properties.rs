//! Properties of every pair of schemas.

#![allow(missing_docs, clippy::expect_used, reason = "a test fails by panicking")]

use std::fmt::Write;

use graphql_schema_review::{Change, Level, diff};
use graphql_sdl::Schema;
use proptest::{collection::vec, option, prelude::*};

/// Suffixes of opposite kinds: what one direction adds, the other removes.
const OPPOSITES: [(&str, &str); 2] = [("_ADDED", "_REMOVED"), ("_REMOVED", "_ADDED")];

/// The types of fields, and the types and defaults of inputs.
const OUTPUTS: [&str; 6] = ["Int", "String!", "[Int!]", "T0", "[E0!]!", "U"];
const INPUTS: [&str; 7] = ["Int", "Int!", "Int = 1", "Int! = 2", "[Int]", "[E0!] = [A]", "I0"];
const NOTES: [&str; 5] = ["", " @deprecated", " @deprecated(reason: \"Gone.\")", " @tag", " @tag(max: 1) @tag(max: 2)"];

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

/// The parts by name, deduplicated; a description at the end of a part belongs to the next one.
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

/// A range of integers, each limit with a spelling of its number.
type Range = [Option<(i32, usize)>; 2];

prop_compose! {
    fn range()(
        min in option::of((-3..=3, 0..3_usize)),
        max in option::of((-3..=3, 0..3_usize)),
    ) -> Range {
        match (min, max) {
            (Some(min), Some(max)) if min.0 > max.0 => [Some(max), Some(min)],
            range => range.into(),
        }
    }
}

/// The directive that states the range; none without a limit.
fn constraint(range: &Range) -> String {
    let limits = ["min", "max"].into_iter().zip(range);
    let limits = limits.filter_map(|(name, limit)| {
        let (number, spelling) = (*limit)?;
        Some(format!("{name}: {number}{}", ["", ".0", "e0"][spelling]))
    });
    match limits.collect::<Vec<_>>().join(" ") {
        limits if limits.is_empty() => limits,
        limits => format!("@constraint({limits})"),
    }
}

fn contains(range: &Range, value: i32) -> bool {
    let [min, max] = range;
    min.is_none_or(|(min, _)| min <= value) && max.is_none_or(|(max, _)| value <= max)
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
    fn additions_are_removals_in_the_opposite_direction(old in sdl(), new in sdl()) {
        let (old, new) = (parse(&old), parse(&new));
        let (forward, backward) = (diff(&old, &new), diff(&new, &old));
        prop_assert_eq!(forward.len(), backward.len());
        for change in &forward {
            let kind = change.kind.name();
            let opposite = OPPOSITES.iter().find_map(|(end, opposite)| {
                Some(kind.strip_suffix(end)?.to_owned() + opposite)
            });
            // Changes of a description or a default have one kind for both directions.
            let opposite = opposite.unwrap_or_else(|| kind.to_owned());
            prop_assert_eq!(count(&forward, kind), count(&backward, &opposite), "{}", kind);
        }
    }

    #[test]
    fn changes_are_in_the_order_of_their_coordinates(old in sdl(), new in sdl()) {
        let changes = diff(&parse(&old), &parse(&new));
        prop_assert!(changes.is_sorted_by_key(|change| &change.coordinate));
        prop_assert_eq!(&changes, &diff(&parse(&old), &parse(&new)));
    }

    /// Of an input, every value that was accepted still is; of an output, no value is returned that was not before.
    #[test]
    fn a_constraint_changes_in_a_breaking_way_exactly_if_values_leave_an_input_or_enter_an_output(
        old in range(),
        new in range(),
    ) {
        let is_breaking = |part: &str| {
            let schema = |range: &Range| {
                let directive = "directive @constraint(min: Float, max: Float) on ARGUMENT_DEFINITION | \
                     FIELD_DEFINITION | INPUT_FIELD_DEFINITION";
                parse(&(part.replace('_', &constraint(range)) + directive))
            };
            let changes = diff(&schema(&old), &schema(&new));
            let breaks = changes.iter().any(|change| change.level == Level::Breaking);
            (breaks, changes.is_empty())
        };
        let leaves = (-5..=5).any(|value| contains(&old, value) && !contains(&new, value));
        let enters = (-5..=5).any(|value| !contains(&old, value) && contains(&new, value));
        let is_equal = !leaves && !enters;
        for (part, breaks) in [
            ("type Query { a(b: Int _): Int } ", leaves),
            ("type Query { a(b: In): Int } input In { c: Int _ } ", leaves),
            ("type Query { a: Int _ } ", enters),
        ] {
            prop_assert_eq!(is_breaking(part), (breaks, is_equal), "{}", part);
        }
    }

    /// Commas are ignored tokens.
    #[test]
    fn commas_between_any_two_tokens_change_nothing(
        sdl in sdl(),
        counts in vec(0..3_usize, 1..50),
    ) {
        let tokens = apollo_parser::Lexer::new(&sdl).zip(counts.iter().cycle());
        let with_commas: String = tokens
            .map(|(token, count)| ",".repeat(*count) + token.expect("it is SDL").data())
            .collect();
        let (one, other) = (parse(&sdl), parse(&with_commas));
        prop_assert_eq!(diff(&one, &other), []);
        prop_assert_eq!(one.canonical(), other.canonical());
    }
}
