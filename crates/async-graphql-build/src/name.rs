//! Converts GraphQL names to Rust identifiers.

/// Names that the generated code uses: of Rust's prelude, its primitive types, the type parameter of resolvers, functions,
/// modules and constants.
const RESERVED: &str = "Box CONTRACT Err From Into None Ok Option R Result SDL SERVED Send Some String Sync Vec async_graphql \
     bool build f64 i32 str support usize";

/// `Book` → `Book`, `book_kind` → `BookKind`, `Option` → `Option_`.
pub(crate) fn type_ident(name: &str) -> String {
    verbatim_ident(&pascal_case(name))
}

/// A name that stays as it is, unless Rust or the generated code has another use for it: `type` → `r#type`, `Option` →
/// `Option_`.
pub(crate) fn verbatim_ident(name: &str) -> String {
    if RESERVED.split(' ').any(|reserved| reserved == name) {
        identifier(&format!("{name}_"))
    } else {
        identifier(name)
    }
}

/// `DARK_RED` → `DarkRed`, `Red` → `Red`.
pub(crate) fn enum_value_ident(name: &str) -> String {
    let is_upper_case = !name.chars().any(char::is_lowercase);
    identifier(&if is_upper_case { pascal_case(&name.to_lowercase()) } else { pascal_case(name) })
}

/// `launchDate` → `launch_date`, `type` → `r#type`, `self` → `self_`.
pub(crate) fn field_ident(name: &str) -> String {
    identifier(&snake_case(name))
}

/// `createBook` → `CreateBook`: a part of a name.
pub(crate) fn pascal_case(name: &str) -> String {
    let parts = name.split('_').filter(|part| !part.is_empty()).map(|part| {
        let (first, rest) = part.split_at(1);
        first.to_uppercase() + rest
    });
    let pascal: String = parts.collect();
    if pascal.is_empty() { name.to_owned() } else { pascal }
}

/// `Query`, `Resolver` → `QueryResolver`.
pub(crate) fn suffixed(ident: &str, suffix: &str) -> String {
    identifier(&format!("{}{suffix}", ident.trim_start_matches("r#")))
}

/// `Book` → `__Book`: what is registered of a type. No type of a contract has this name.
pub(crate) fn info_ident(type_name: &str) -> String {
    identifier(&format!("__{type_name}"))
}

/// `first` → `default_first`: the function that returns the default value of a field of an input object.
pub(crate) fn default_ident(field_name: &str) -> String {
    format!("default_{field_name}")
}

fn identifier(text: &str) -> String {
    // syn does not know the keyword of edition 2024.
    if text != "gen" && syn::parse_str::<syn::Ident>(text).is_ok() {
        return text.to_owned();
    }
    // The keywords that are path segments can't be raw identifiers, and `_` is not an identifier.
    match text {
        "self" | "Self" | "super" | "crate" => format!("{text}_"),
        text if text.chars().all(|letter| letter == '_') => format!("{text}underscore"),
        text if text.starts_with(|first: char| first.is_ascii_digit()) => format!("_{text}"),
        text => format!("r#{text}"),
    }
}

fn snake_case(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut snake = String::with_capacity(name.len() + 4);
    for (position, &letter) in letters.iter().enumerate() {
        let before = position.checked_sub(1).map(|before| letters[before]);
        let after = letters.get(position + 1);
        let starts_word = letter.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || before.is_ascii_digit()
                    || (before.is_uppercase() && after.is_some_and(|after| after.is_lowercase()))
            });
        if starts_word {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_become_snake_case() {
        for (name, expected) in [
            ("launchDate", "launch_date"),
            ("id", "id"),
            ("type", "r#type"),
            ("self", "self_"),
            ("HTTPServer", "http_server"),
            ("bookURL", "book_url"),
            ("iso8601Date", "iso8601_date"),
            ("_", "_underscore"),
            ("already_snake", "already_snake"),
        ] {
            assert_eq!(field_ident(name), expected, "{name}");
        }
    }

    #[test]
    fn types_keep_their_name_if_rust_permits_it() {
        for (name, expected) in
            [("Book", "Book"), ("book_kind", "BookKind"), ("URL", "URL"), ("Option", "Option_"), ("Self", "Self_")]
        {
            assert_eq!(type_ident(name), expected, "{name}");
        }
    }

    #[test]
    fn enum_values_become_pascal_case() {
        for (name, expected) in
            [("DARK_RED", "DarkRed"), ("RED", "Red"), ("Red", "Red"), ("SELF", "Self_"), ("_4WD", "_4wd")]
        {
            assert_eq!(enum_value_ident(name), expected, "{name}");
        }
    }
}
