//! Inputs out of those of a corpus: parts are lost, doubled, exchanged, or replaced by words that
//! mean something to whoever reads them.

use std::ops::Range;

use super::dice::Dice;

const MOST_CHANGES: usize = 4;
const MOST_BYTES: usize = 8 * 1024;

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

/// An input that is like one of the corpus, and like another in places.
pub(crate) fn of(corpus: &[&[u8]], target: &str, dice: &mut Dice) -> Vec<u8> {
    let words = match target {
        "http" => JSON_AND_QUERIES,
        "values" => VALUES,
        _ => SDL,
    };
    let mut input = dice.one(corpus).to_vec();
    for _ in 0..=dice.below(MOST_CHANGES) {
        change(&mut input, corpus, words, dice);
    }
    input.truncate(MOST_BYTES);
    input
}

fn change(input: &mut Vec<u8>, corpus: &[&[u8]], words: &[&str], dice: &mut Dice) {
    let here = part(input, dice);
    match dice.below(12) {
        0 => drop(input.drain(here)),
        1 => drop(input.splice(here.start..here.start, input[here].to_vec())),
        2 => {
            // As deep or as long as it gets.
            let times = 1 << dice.below(10);
            let many = input[short(here.clone())].repeat(times);
            drop(input.splice(here.start..here.start, many));
        }
        3 => {
            let other = dice.one(corpus);
            let theirs = part(other, dice);
            drop(input.splice(here, other[theirs].iter().copied()));
        }
        4 => {
            if let Some(byte) = input.get_mut(here.start) {
                *byte ^= 1 << dice.below(8);
            }
        }
        5 => drop(input.splice(here, dice.one(words).bytes())),
        6 => drop(input.splice(here.start..here.start, dice.one(words).bytes())),
        // What most often leaves sense behind: another word in the place of one.
        _ => {
            let other = match dice.below(3) {
                0 => dice.one(corpus).to_vec(),
                _ => input.clone(),
            };
            let (theirs, own) = (word(&other, dice), word(input, dice));
            drop(input.splice(own, other[theirs].iter().copied()));
        }
    }
}

/// Some part of the input: it often ends where words do.
fn part(input: &[u8], dice: &mut Dice) -> Range<usize> {
    let start = dice.below(input.len() + 1);
    let most = (input.len() - start).min(1 << dice.below(12));
    let end = start + dice.below(most + 1);
    let is_border = |place: &usize| !input[*place].is_ascii_alphanumeric();
    if dice.below(2) == 0 {
        return start..end;
    }
    let start = (start..input.len()).find(is_border).unwrap_or(start);
    let end = (start + 1..input.len()).find(is_border).unwrap_or(start);
    start..end.max(start)
}

/// The next word from somewhere on.
fn word(input: &[u8], dice: &mut Dice) -> Range<usize> {
    let is_letter = |place: &usize| input[*place].is_ascii_alphanumeric();
    let somewhere = dice.below(input.len() + 1);
    let start = (somewhere..input.len()).find(is_letter);
    let start = start.unwrap_or(input.len());
    let end = (start..input.len()).find(|place| !is_letter(place));
    start..end.unwrap_or(input.len())
}

fn short(part: Range<usize>) -> Range<usize> {
    part.start..part.end.min(part.start + 16)
}
