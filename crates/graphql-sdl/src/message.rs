//! The text of messages: quotes of the input, suggestions.

use std::{borrow::Cow, fmt::Display};

use apollo_compiler::{Name, Schema, schema::ExtendedType, validation::DiagnosticData};

/// The maximum number of characters that a message quotes.
const QUOTE_CHARACTERS: usize = 64;

/// The maximum number of characters of the name of a file in a message.
const FILE_CHARACTERS: usize = 256;

/// The maximum nesting of selection sets, values and types that is parsed, which prevents a stack overflow.
pub const MAX_NESTING: usize = 200;

/// The end of a message of apollo-compiler about a chain of definitions.
const CHAIN_LIMIT: &str = " contains too much nesting";

/// The text, truncated with an ellipsis if it is too long.
pub fn excerpt(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(QUOTE_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

/// The message for an error of apollo-compiler in SDL.
pub(crate) fn sdl_diagnostic(message: &str) -> String {
    let text = diagnostic(message);
    match text.strip_suffix(CHAIN_LIMIT) {
        Some(definition) => format!("{definition} is nested too deeply (limit 32 definitions)"),
        None => text,
    }
}

/// The keywords that begin a definition.
pub(crate) const DEFINITIONS: [&str; 9] =
    ["schema", "scalar", "type", "interface", "union", "enum", "input", "directive", "extend"];

/// The message for a syntax error of apollo-compiler in SDL after this text, in words of GraphQL instead of those of its
/// grammar.
pub(crate) fn syntax_error(message: &str, before: &str) -> String {
    let Some(expected) = message.strip_prefix("syntax error: ") else {
        return sdl_diagnostic(message);
    };
    let expected = match expected.strip_prefix("expected ").unwrap_or(expected) {
        "a type" | "a Type" if before.ends_with([':', '[']) => "a type",
        "a type" | "a Type" => "\":\" and a type",
        "item type" => "a type",
        "a Name" | "a name" => "a name",
        "a valid Value" => "a value",
        "a Name Type" => "\":\" and an object type",
        "Union Member Type" => "an object type",
        "an Interface name" => "an interface",
        "@ symbol" => "\"@\" and the name of the directive",
        "valid Directive Location" => "a location, such as FIELD_DEFINITION",
        "Field Definition" => "a field",
        "Enum Value Definition" | "Enum Value" => "a value of the enum",
        "an Input Value Definition" => "an argument or a field",
        "Root Operation Type Definition" => "query, mutation or subscription",
        "Unexpected <EOF>." => return "the file is empty; define the type Query".to_owned(),
        text if text.contains("efinition") || text.contains("Invalid Type System Extension") => {
            return format!("syntax error: expected a definition ({})", DEFINITIONS.join(", "));
        }
        text if text.contains("irective") => "a directive, or what the type has",
        _ => return sdl_diagnostic(message),
    };
    format!("syntax error: expected {expected}")
}

/// The message for an error of apollo-compiler in an executable document, whose types and directives are those of the
/// schema.
pub fn document_diagnostic(message: &str) -> String {
    let text = match message {
        "too much recursion" => return "nested too deeply (limit 128 fields, 500 selections)".to_owned(),
        "syntax error: Unexpected <EOF>." => return "syntax error: the document is empty".to_owned(),
        _ => diagnostic(message),
    };
    if let Some(fragment) = text.strip_suffix(CHAIN_LIMIT) {
        return format!("{fragment} is nested too deeply (limit 100 fragments)");
    }
    let is_of_schema = !text.starts_with("cannot find fragment");
    match text.strip_suffix(" in this document") {
        Some(missing) if is_of_schema => format!("{missing} in the schema"),
        _ => text,
    }
}

/// A message of apollo-compiler with double quotes instead of backticks, in which quoted input is truncated:
/// names, which have no spaces, and the unexpected token.
fn diagnostic(message: &str) -> String {
    if message == "parser recursion limit reached" {
        return format!("nested too deeply (limit {MAX_NESTING})");
    }
    let (message, token) = match message.split_once(", got ") {
        Some((message, token)) => (message, Some(token)),
        None => (message, None),
    };
    // apollo-parser names some of the tokens that it expects.
    let names = [(" R_CURLY", " \"}\""), (" R_PAREN", " \")\""), (" R_BRACK", " \"]\""), (" AT", " \"@\"")];
    let mut names = names.into_iter().filter(|_| token.is_some());
    let expected = names.find_map(|(name, character)| Some(message.strip_suffix(name)?.to_owned() + character));
    let message = expected.as_deref().unwrap_or(message);
    let mut text = String::with_capacity(message.len().min(1024));
    for part in message.split_inclusive([' ', '`']) {
        let end = part.trim_end_matches([' ', '`']).len();
        text.push_str(&excerpt(&part[..end]));
        text.push_str(&part[end..]);
    }
    text = text.replace('`', "\"");
    match token {
        Some("EOF") => text += ", found the end of the document",
        Some(token) => text.extend([", found ", &excerpt(token)]),
        None => {}
    }
    text
}

/// The message for a field without the selection set that its type must have, if that is the error.
pub fn missing_selection(error: &DiagnosticData) -> Option<String> {
    if error.unstable_error_name() != Some("MissingSubselection") {
        return None;
    }
    let message = error.unstable_compat_message()?;
    let field = excerpt(message.split('"').nth(1)?);
    Some(format!("the field \"{field}\" must have a selection of fields: {field} {{ … }}"))
}

/// The [`suggestion`] for a message of apollo-compiler about a name in a document that the schema does not define.
/// Nothing for a message of another text.
pub fn suggestion_for(schema: &Schema, message: &str) -> String {
    let quotes: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let types = |is_possible: fn(&ExtendedType) -> bool| {
        schema.types.iter().filter(move |(_, ty)| is_possible(ty)).map(|(name, _)| name.as_str())
    };
    let ty = |name: &str| schema.types.get(name);
    match quotes[..] {
        [on, name] if message.contains("does not have a field") => {
            let fields = match ty(on) {
                Some(ExtendedType::Object(object)) => &object.fields,
                Some(ExtendedType::Interface(interface)) => &interface.fields,
                _ => return String::new(),
            };
            suggestion(name, fields.keys().map(Name::as_str))
        }
        [name, on] if message.contains("does not exist on") => match ty(on) {
            Some(ExtendedType::Enum(of)) => suggestion(name, of.values.keys().map(Name::as_str)),
            Some(ExtendedType::InputObject(input)) => suggestion(name, input.fields.keys().map(Name::as_str)),
            _ => String::new(),
        },
        [name, on] if message.contains("is not supported by") => {
            let arguments = if let Some((on, field)) = on.split_once('.') {
                schema.type_field(on, field).ok().map(|field| &field.arguments)
            } else {
                let directive = schema.directive_definitions.get(on.trim_start_matches('@'));
                directive.map(|directive| &directive.arguments)
            };
            suggestion(name, arguments.into_iter().flatten().map(|argument| argument.name.as_str()))
        }
        // The type of a variable.
        [name] if message.starts_with("cannot find type") => suggestion(name, types(ExtendedType::is_input_type)),
        [name, ..] if message.ends_with("is not a type defined in the schema") => {
            suggestion(name, types(|ty| ty.is_object() || ty.is_interface() || ty.is_union()))
        }
        [name] if message.starts_with("cannot find directive") => {
            suggestion(name.trim_start_matches('@'), schema.directive_definitions.keys().map(Name::as_str))
        }
        _ => String::new(),
    }
}

/// `; did you mean "…"?` with the most similar of the known names, or nothing.
pub fn suggestion<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let similarity = |candidate: &str| strsim::jaro_winkler(&name.to_lowercase(), &candidate.to_lowercase());
    // The time grows with the product of both lengths, and a name in a request can be long.
    let known = known.into_iter().filter(|_| name.len() <= QUOTE_CHARACTERS);
    known
        .map(|candidate| (similarity(candidate), candidate))
        .filter(|(similarity, _)| *similarity > 0.8)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map_or_else(String::new, |(_, candidate)| format!("; did you mean {:?}?", excerpt(candidate)))
}

/// A number of things, such as `1 row` and `2 rows`.
pub fn counted<N: Copy + Display + From<u8> + PartialEq>(count: N, noun: &str) -> String {
    let plural = if count == N::from(1) { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// The text with escapes for what a terminal or the log of a CI job interprets: control characters, line separators,
/// characters that change the direction of text, and workflow commands, which are `::` at the begin of a line, and
/// `##[` or `##vso[` anywhere.
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_command = text.trim_start().starts_with("::");
    if !is_command && !text.contains("##") && !text.contains(is_interpreted) {
        return text.into();
    }
    let begin = text.len() - text.trim_start().len();
    let mut line = String::with_capacity(text.len());
    for (index, character) in text.char_indices() {
        let begins_command = match character {
            ':' => is_command && index == begin,
            '#' => line.ends_with('#'),
            _ => false,
        };
        if begins_command {
            line.extend(character.escape_unicode());
        } else if is_interpreted(character) {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    line.into()
}

/// Each line of the text, [`printable`].
pub fn printable_lines(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(printable).collect();
    lines.join("\n")
}

/// Whether a terminal or an editor interprets the character instead of displaying it.
pub fn is_interpreted(character: char) -> bool {
    let separators = '\u{2028}'..='\u{2029}';
    let directions = ['\u{61c}'..='\u{61c}', '\u{200e}'..='\u{200f}', '\u{202a}'..='\u{202e}', '\u{2066}'..='\u{2069}'];
    // Noncharacters are not allowed in XML.
    let is_noncharacter = u32::from(character) & 0xfffe == 0xfffe || ('\u{fdd0}'..='\u{fdef}').contains(&character);
    is_noncharacter
        || character.is_control()
        || separators.contains(&character)
        || directions.iter().any(|range| range.contains(&character))
}

/// The name of a file in a message: [`printable`], and the end of a long one.
pub fn file_name(name: &str) -> Cow<'_, str> {
    let first = name.char_indices().rev().nth(FILE_CHARACTERS - 1);
    match first {
        Some((begin, _)) if begin > 0 => printable(&format!("…{}", &name[begin..])).into_owned().into(),
        _ => printable(name),
    }
}

/// A text in which a URL has no user, password, query and fragment.
pub fn masked_url(text: &str) -> String {
    let without_query = |text: &str| text.split(['?', '#']).next().unwrap_or_default().to_owned();
    let Some((user, host)) = text.rsplit_once('@') else {
        return without_query(text);
    };
    let scheme = user.find("://").map_or("", |end| &user[..end + 3]);
    // An `@` after a question mark can be in a query, or in a password.
    let host = if user.contains(['?', '#']) { String::new() } else { format!("@{}", without_query(host)) };
    format!("{scheme}********{host}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_shown_without_its_user_its_password_and_its_query() {
        for (url, shown) in [
            ("http://a.example:8000/b", "http://a.example:8000/b"),
            ("https://a.example/v1?key=canary#canary", "https://a.example/v1"),
            ("https://a.example/v1#canary", "https://a.example/v1"),
            ("https://a.example/v1?key=c@nary", "https://********"),
            ("http://canary@a.example/", "http://********@a.example/"),
            ("http://u:can/ary@a.example/", "http://********@a.example/"),
            ("http://u:ca@nary@a.example/", "http://********@a.example/"),
            ("postgres://u:canary@a.example/b?c=canary", "postgres://********@a.example/b"),
            ("mysql://u:c@n?ary@a.example/b", "mysql://********"),
            ("u:canary@a.example/b", "********@a.example/b"),
            ("/graphql?key=canary", "/graphql"),
            ("sqlite:data.db", "sqlite:data.db"),
        ] {
            assert_eq!(masked_url(url), shown, "{url}");
        }
    }

    #[test]
    fn what_a_terminal_or_a_workflow_interprets_is_escaped() {
        for (text, expected) in [
            ("a::b # c: d", "a::b # c: d"),
            ("a\u{1b}[2J\n\u{9b}", "a\\u{1b}[2J\\n\\u{9b}"),
            ("\u{202e}\u{2028}é", "\\u{202e}\\u{2028}é"),
            ("\u{ffff}\u{1fffe}\u{fdd0}\u{fffd}", "\\u{ffff}\\u{1fffe}\\u{fdd0}\u{fffd}"),
            ("::error::x", "\\u{3a}:error::x"),
            (" ::error::x", " \\u{3a}:error::x"),
            ("a ##[error]x", "a #\\u{23}[error]x"),
            ("####", "#\\u{23}#\\u{23}"),
        ] {
            assert_eq!(printable(text), expected);
        }
    }

    #[test]
    fn a_name_of_a_file_has_at_most_256_characters() {
        let (fits, long) = ("é".repeat(256), format!("ab{}", "é".repeat(255)));
        assert_eq!(file_name(&fits), fits);
        assert_eq!(file_name(&long), format!("…b{}", "é".repeat(255)));
    }
}
