//! Random mutations of corpus inputs: parts are removed, duplicated, exchanged, or replaced by tokens of the
//! input format.

use std::ops::Range;

use super::random::Random;

const MAX_CHANGES: usize = 4;
const MAX_BYTES: usize = 8 * 1024;

const JSON_AND_QUERIES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\"",
    "\\\"",
    ":",
    ",",
    "null",
    "-1",
    "1e400",
    "18446744073709551616",
    "\\u0000",
    "\\ud800",
    "query",
    "mutation",
    "subscription",
    "fragment F on Vehicle {id}",
    "...F",
    "... on Query ",
    "@skip(if: true)",
    "@include(if: $a)",
    "$a",
    "($a: Int)",
    "(id: 1)",
    "(count: 2147483648)",
    "vehicle",
    "vehicles",
    "__typename",
    "__schema",
    "__type(name: \\\"__Type\\\")",
    "fields { type { name } }",
    "ofType { kind }",
    "a: ",
    "id",
    "\"operationName\":\"Q\"",
    "\"variables\":{\"a\":1}",
    "\"extensions\":{\"persistedQuery\":",
    "#",
    "\"\"\"",
    "%22",
    "&query=",
    "\u{feff}",
];

const SDL: &[&str] = &[
    "type ",
    "input ",
    "enum ",
    "union ",
    "interface ",
    "scalar ",
    "directive @d on ",
    "extend ",
    "schema { query: Query }",
    "implements ",
    " & ",
    " | ",
    "!",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    ": ",
    " = ",
    "Int",
    "String",
    "ID",
    "Boolean",
    "Float",
    "Query",
    "Mutation",
    "Subscription",
    "@deprecated",
    "@deprecated(reason: \"r\")",
    "@specifiedBy(url: \"u\")",
    "@oneOf",
    "\"\"\"",
    "\"",
    "#",
    "null",
    "[1, 2]",
    "{a: 1}",
    "$a",
    "repeatable",
    "FIELD_DEFINITION",
    "self",
    "Self",
    "type",
    "crate",
    "_",
    "__a",
    "\n---\n",
    "-1",
    "1e400",
    "9223372036854775808",
    "\\u{0}",
    "\u{feff}",
];

const VALUES: &[&str] = &[
    "-",
    "0",
    "1",
    "9",
    "00",
    "29",
    "30",
    "31",
    "1000",
    "0999",
    "9999",
    "2024",
    "1900",
    "2000",
    "02",
    "04",
    "12",
    "13",
    "9223372036854775807",
    "9223372036854775808",
    "100000",
    " ",
    "\u{0}",
    "\u{a0}",
    "\u{200b}",
    "\u{661}",
    "\u{1F697}",
    "+",
    "e",
];

/// A corpus input with random changes.
pub(crate) fn mutate(corpus: &[&[u8]], target: &str, random: &mut Random) -> Vec<u8> {
    let tokens = match target {
        "http" => JSON_AND_QUERIES,
        "values" => VALUES,
        _ => SDL,
    };
    let mut input = random.choose(corpus).to_vec();
    for _ in 0..=random.below(MAX_CHANGES) {
        change(&mut input, corpus, tokens, random);
    }
    input.truncate(MAX_BYTES);
    input
}

fn change(input: &mut Vec<u8>, corpus: &[&[u8]], tokens: &[&str], random: &mut Random) {
    let range = part(input, random);
    match random.below(12) {
        0 => drop(input.drain(range)),
        1 => drop(input.splice(range.start..range.start, input[range].to_vec())),
        2 => {
            // Deep nesting and long lists.
            let times = 1 << random.below(10);
            let repeated = input[short(range.clone())].repeat(times);
            drop(input.splice(range.start..range.start, repeated));
        }
        3 => {
            let other = random.choose(corpus);
            let source = part(other, random);
            drop(input.splice(range, other[source].iter().copied()));
        }
        4 => {
            if let Some(byte) = input.get_mut(range.start) {
                *byte ^= 1 << random.below(8);
            }
        }
        5 => drop(input.splice(range, random.choose(tokens).bytes())),
        6 => drop(input.splice(range.start..range.start, random.choose(tokens).bytes())),
        // Most changes replace a word, because the result is likely to be valid.
        _ => {
            let other = match random.below(3) {
                0 => random.choose(corpus).to_vec(),
                _ => input.clone(),
            };
            let (source, target) = (word(&other, random), word(input, random));
            drop(input.splice(target, other[source].iter().copied()));
        }
    }
}

/// A random part of the input, which often ends at word boundaries.
fn part(input: &[u8], random: &mut Random) -> Range<usize> {
    let start = random.below(input.len() + 1);
    let max_length = (input.len() - start).min(1 << random.below(12));
    let end = start + random.below(max_length + 1);
    let is_boundary = |index: &usize| !input[*index].is_ascii_alphanumeric();
    if random.below(2) == 0 {
        return start..end;
    }
    let start = (start..input.len()).find(is_boundary).unwrap_or(start);
    let end = (start + 1..input.len()).find(is_boundary).unwrap_or(start);
    start..end.max(start)
}

/// A random word of the input.
fn word(input: &[u8], random: &mut Random) -> Range<usize> {
    let is_letter = |index: &usize| input[*index].is_ascii_alphanumeric();
    let offset = random.below(input.len() + 1);
    let start = (offset..input.len()).find(is_letter);
    let start = start.unwrap_or(input.len());
    let end = (start..input.len()).find(|index| !is_letter(index));
    start..end.unwrap_or(input.len())
}

fn short(part: Range<usize>) -> Range<usize> {
    part.start..part.end.min(part.start + 16)
}
