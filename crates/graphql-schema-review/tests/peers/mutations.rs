//! Schemas that differ from a kitchen sink in one location each.

use std::collections::BTreeSet;

/// Replacements of a text, applied at every occurrence.
const REPLACEMENTS: &[(&str, &[&str])] = &[
    ("!", &[""]),
    ("String", &["Int", "String!", "[String]"]),
    ("Int", &["String", "Int!", "[Int]", "Int = 5", "Int! = 5"]),
    ("ID", &["ID!", "String", "[ID]", "ID = 5"]),
    ("Day", &["Day!", "[Day]", "String"]),
    ("Boolean", &["Boolean!", "Boolean = true"]),
    ("Filter", &["Filter!"]),
    ("[[Int!]]", &["[Int!]"]),
    ("[Kind!]", &["Kind!", "[Kind]"]),
    ("[Found!]", &["Found!"]),
    ("[Day!]", &["Day"]),
    (" = 7", &[" = 8", ""]),
    (" = 1.5", &[" = 1.50", " = 2.5", ""]),
    (" = \"you\"", &[" = \"me\"", ""]),
    (" = \"none\"", &[" = \"all\"", ""]),
    (" = \"a\"", &[" = \"b\"", ""]),
    (" = false", &[" = true", ""]),
    (" = EUR", &[" = USD", ""]),
    ("[BOOK, CAR]", &["[CAR, BOOK]", "BOOK", "[BOOK, CAR, BOAT]"]),
    ("{limit: 7, nested: {limit: 7, text: \"a\"}}", &["{limit: 8}", "{nested: {limit: 7, text: \"a\"}, limit: 7}"]),
    ("(", &["(extra: Int, ", "(extra: Int!, ", "(extra: Int = 5, "]),
    (":", &["(extra: Int):"]),
    (" @deprecated", &[""]),
    ("@deprecated", &["@deprecated(reason: \"Now.\")"]),
    ("(reason: \"Use `node`.\")", &[""]),
    ("(reason: \"Sunk.\")", &["", "(reason: \"Lost.\")"]),
    ("(reason: \"Unused.\")", &["", "(reason: \"Gone.\")"]),
    ("Use `node`.", &["Use another."]),
    (" @owner", &[""]),
    ("team: \"", &["team: \"x", "level: 5, team: \""]),
    ("(team: \"d\")", &[""]),
    (", level: 7", &["", ", level: 8"]),
    (" @label(text: \"x\")", &["", " @label(text: \"w\")"]),
    (" @label(text: \"y\")", &["", " @label(text: \"y\") @label(text: \"x\")"]),
    (" @label(text: \"z\")", &[""]),
    (" @oneOf", &[""]),
    ("example.org", &["example.com"]),
    (" @specifiedBy(url: \"https://example.org/day\")", &[""]),
    (" implements Named & Node", &[" implements Node", ""]),
    (" implements Node", &[""]),
    ("Book | Car", &["Book", "Book | Boat", "Book | Boat | Car"]),
    (" repeatable", &[""]),
    ("on QUERY | FIELD", &["on QUERY", "repeatable on QUERY | FIELD"]),
    ("| ENUM_VALUE", &["", "| ENUM_VALUE | FIELD"]),
    ("on SCHEMA", &["repeatable on SCHEMA"]),
    ("type Boat", &["interface Boat", "input Boat"]),
    ("scalar Money", &["enum Money { EURO } scalar Other", "type Money { amount: Int } scalar Other"]),
    ("mutation: Mutation", &["mutation: Boat"]),
    ("query: Query", &["query: Boat"]),
];

/// Texts appended to a line, before an opening bracket.
const APPENDED: [&str; 6] = [
    "@deprecated",
    "@deprecated(reason: \"New.\")",
    "@owner",
    "@owner(team: \"new\")",
    "@label(text: \"new\")",
    "@oneOf",
];

/// Every different edit of the schema, valid or not.
pub(crate) fn edits(sdl: &str) -> BTreeSet<String> {
    let lines: Vec<&str> = sdl.lines().collect();
    let mut edits = BTreeSet::new();
    for (index, line) in lines.iter().enumerate() {
        for edited in edited_lines(line) {
            let mut lines = lines.clone();
            lines[index] = &edited;
            edits.insert(lines.join("\n"));
        }
        if line.ends_with(['{', '(']) {
            let end = lines[index..].iter().position(|line| line.trim_start().starts_with(['}', ')']));
            let end = end.expect("what is opened is closed");
            let without: Vec<&str> = [&lines[..index], &lines[index + end + 1..]].concat();
            edits.insert(without.join("\n"));
        }
    }
    edits.remove(sdl);
    edits
}

fn edited_lines(line: &str) -> Vec<String> {
    let mut edited = vec![String::new(), format!("\"New.\"\n{line}")];
    if line.trim_start().starts_with('"') {
        edited.push("\"Other.\"".to_owned());
        return edited;
    }
    for (from, replacements) in REPLACEMENTS {
        for (offset, _) in line.match_indices(from) {
            let (before, after) = (&line[..offset], &line[offset + from.len()..]);
            edited.extend(replacements.iter().map(|to| format!("{before}{to}{after}")));
        }
    }
    let (start, bracket) = match line.strip_suffix(" {") {
        Some(start) => (start, " {"),
        None => (line, ""),
    };
    edited.extend(APPENDED.iter().map(|more| format!("{start} {more}{bracket}")));
    let indented = line.trim_start();
    let name_end = indented.find(|letter: char| !letter.is_alphanumeric());
    let (name, tail) = indented.split_at(name_end.unwrap_or(indented.len()));
    let copy = if name == name.to_uppercase() { "EXTRA" } else { "extra" };
    edited.push(format!("{line}\n{copy}{tail}"));
    edited.push(format!("{line}\n{copy}: Int"));
    edited.push(format!("{line}\n{copy}: Int! = 5"));
    edited
}
