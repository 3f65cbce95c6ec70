//! Random introspection requests with nested fragments and aliases: short queries with large results.

use std::fmt::Write;

use super::random::Random;

const MAX_LEVELS: usize = 7;
const MAX_ALIASES: usize = 10;

/// Selections that lead from a `__Type` to another one: the text before and after its selection set.
const PATHS: &[(&str, &str)] = &[
    ("fields{type", "}"),
    ("fields(includeDeprecated:true){args{type", "}}"),
    ("fields{args{type{ofType", "}}}"),
    ("ofType", ""),
    ("interfaces", ""),
    ("possibleTypes", ""),
    ("inputFields{type", "}"),
];
const LEAVES: &[&str] = &[
    "name",
    "kind",
    "description",
    "__typename",
    "name name",
    "enumValues{name}",
];
const ROOTS: &[&str] = &[
    "__type(name:\\\"__Type\\\")",
    "__type(name:\\\"Query\\\")",
    "__schema{types",
    "__schema{queryType",
];

/// A random request body.
pub(crate) fn random_body(random: &mut Random) -> Vec<u8> {
    let levels = 1 + random.below(MAX_LEVELS);
    let aliases = 1 + random.below(MAX_ALIASES);
    let root = *random.choose(ROOTS);
    let end = if root.contains('{') { "}" } else { "" };
    let mut query = format!("{{{root}{{...F1}}{end}}}");
    for level in 1..=levels {
        write!(
            query,
            " fragment F{level} on __Type{{{} ",
            random.choose(LEAVES)
        )
        .expect("a text can be written to");
        for alias in 0..aliases {
            if level == levels {
                break;
            }
            let (before, after) = match random.below(3) {
                0 => *random.choose(PATHS),
                _ => PATHS[0],
            };
            let next = level + 1;
            write!(query, "a{alias}:{before}{{...F{next}}}{after} ")
                .expect("a text can be written to");
        }
        query.push('}');
    }
    format!("{{\"query\":\"{query}\"}}").into_bytes()
}
