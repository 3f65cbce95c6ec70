//! The text of messages: quotes of the input, suggestions.

use std::borrow::Cow;

use apollo_compiler::{Name, Schema, schema::ExtendedType};

/// The maximum number of characters that a message quotes.
const QUOTE_CHARACTERS: usize = 64;

/// The maximum nesting of selection sets, values and types that is parsed, which prevents a stack overflow.
pub const MAX_NESTING: usize = 200;

/// The message of apollo-parser beyond [`MAX_NESTING`].
const PARSER_LIMIT: &str = "parser recursion limit reached";

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

/// The message for an error of apollo-compiler in an executable document, whose types and directives are those of the
/// schema.
pub fn document_diagnostic(message: &str) -> String {
    if message == "too much recursion" {
        return "nested too deeply (limit 128 fields, 500 selections)".to_owned();
    }
    let text = diagnostic(message);
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
    if message == PARSER_LIMIT {
        return format!("nested too deeply (limit {MAX_NESTING})");
    }
    let (message, token) = match message.split_once(", got ") {
        Some((message, token)) => (message, Some(token)),
        None => (message, None),
    };
    let mut text = String::with_capacity(message.len().min(1024));
    for part in message.split_inclusive([' ', '`']) {
        let end = part.trim_end_matches([' ', '`']).len();
        text.push_str(&excerpt(&part[..end]));
        text.push_str(&part[end..]);
    }
    if let Some(token) = token {
        text.push_str(", got ");
        text.push_str(&excerpt(token));
    }
    text.replace('`', "\"")
}

/// The [`suggestion`] for a message of apollo-compiler about a name in a document that the schema does not define.
/// Nothing for a message of another text.
pub fn suggestion_for(schema: &Schema, message: &str) -> String {
    let quotes: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let types = |is_possible: fn(&ExtendedType) -> bool| {
        let types = schema.types.iter().filter(move |(_, ty)| is_possible(ty));
        types.map(|(name, _)| name.as_str())
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
            Some(ExtendedType::InputObject(input)) => {
                suggestion(name, input.fields.keys().map(Name::as_str))
            }
            _ => String::new(),
        },
        [name, on] if message.contains("is not supported by") => {
            let arguments = match on.split_once('.') {
                Some((on, field)) => match schema.type_field(on, field) {
                    Ok(field) => &field.arguments,
                    Err(_) => return String::new(),
                },
                None => match schema.directive_definitions.get(on.trim_start_matches('@')) {
                    Some(directive) => &directive.arguments,
                    None => return String::new(),
                },
            };
            suggestion(
                name,
                arguments.iter().map(|argument| argument.name.as_str()),
            )
        }
        // The type of a variable.
        [name] if message.starts_with("cannot find type") => {
            suggestion(name, types(ExtendedType::is_input_type))
        }
        [name, ..] if message.ends_with("is not a type defined in the schema") => {
            suggestion(name, types(is_composite))
        }
        [name] if message.starts_with("cannot find directive") => {
            let directives = schema.directive_definitions.keys();
            suggestion(name.trim_start_matches('@'), directives.map(Name::as_str))
        }
        _ => String::new(),
    }
}

fn is_composite(ty: &ExtendedType) -> bool {
    ty.is_object() || ty.is_interface() || ty.is_union()
}

/// `; did you mean "…"?` with the most similar of the known names, or nothing.
pub fn suggestion<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let similarity =
        |candidate: &str| strsim::jaro_winkler(&name.to_lowercase(), &candidate.to_lowercase());
    // The time grows with the product of both lengths, and a name in a request can be long.
    let known = known.into_iter().filter(|_| name.len() <= QUOTE_CHARACTERS);
    known
        .map(|candidate| (similarity(candidate), candidate))
        .filter(|(similarity, _)| *similarity > 0.8)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map_or_else(String::new, |(_, candidate)| {
            format!("; did you mean {:?}?", excerpt(candidate))
        })
}

/// Escapes control characters: a message is one line, and a terminal interprets escape sequences.
pub(crate) fn escape_controls(message: &str) -> String {
    let mut line = String::with_capacity(message.len());
    for character in message.chars() {
        if character.is_control() {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_has_at_most_64_characters() {
        let (fits, long) = ("é".repeat(64), "é".repeat(65));
        assert_eq!(excerpt(&fits), fits);
        assert_eq!(excerpt(&long), format!("{fits}…"));
    }

    #[test]
    fn truncates_every_name_and_token_of_a_diagnostic() {
        let (name, truncated) = ("x".repeat(900), "x".repeat(64));
        assert_eq!(
            diagnostic(&format!("type `{name}` does not have a field `{name}`")),
            format!("type \"{truncated}…\" does not have a field \"{truncated}…\"")
        );
        let string = format!("\"a b {name}\"");
        let token = diagnostic(&format!("syntax error: expected Name, got {string}"));
        assert_eq!(
            token,
            format!("syntax error: expected Name, got {}…", &string[..64])
        );
    }
}
