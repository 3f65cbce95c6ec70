//! Every question of naming: GraphQL names to Rust identifiers.

use proc_macro2::{Ident, Span};

/// Names that the generated code takes from Rust's prelude.
const PRELUDE: [&str; 11] = [
    "Box", "Err", "Into", "None", "Ok", "Option", "Result", "Send", "Some", "String", "Vec",
];

/// `Vehicle` → `Vehicle`, `vehicle_kind` → `VehicleKind`, `Option` → `Option_`.
pub(crate) fn of_type(name: &str) -> Ident {
    let pascal = pascal_case(name, std::borrow::ToOwned::to_owned);
    if PRELUDE.contains(&pascal.as_str()) {
        identifier(&format!("{pascal}_"))
    } else {
        identifier(&pascal)
    }
}

/// `DARK_RED` → `DarkRed`, `Red` → `Red`.
pub(crate) fn of_enum_value(name: &str) -> Ident {
    let shouted = !name.chars().any(char::is_lowercase);
    identifier(&pascal_case(name, |word| {
        if shouted {
            word.to_lowercase()
        } else {
            word.to_owned()
        }
    }))
}

/// `launchDate` → `launch_date`, `type` → `r#type`, `self` → `self_`.
pub(crate) fn of_field(name: &str) -> Ident {
    identifier(&snake_case(name))
}

/// `Query` → `QueryResolver`: the trait that answers for a type.
pub(crate) fn of_resolver(type_name: &str) -> Ident {
    identifier(&format!("{}Resolver", of_type(type_name)))
}

/// `Mutation`, `createVehicle` → `MutationCreateVehicleArguments`.
pub(crate) fn of_arguments(type_name: &str, field_name: &str) -> Ident {
    let field = pascal_case(field_name, std::borrow::ToOwned::to_owned);
    identifier(&format!("{}{field}Arguments", of_type(type_name)))
}

/// `Query`, `vehicles` → `resolve_query_vehicles`: the function that forwards one field.
pub(crate) fn of_forwarder(type_name: &str, field_name: &str) -> Ident {
    identifier(&format!(
        "resolve_{}_{}",
        snake_case(type_name),
        snake_case(field_name)
    ))
}

fn identifier(text: &str) -> Ident {
    if syn::parse_str::<Ident>(text).is_ok() {
        return Ident::new(text, Span::call_site());
    }
    // The keywords that are path segments can't be raw identifiers, and `_` is none at all.
    match text {
        "self" | "Self" | "super" | "crate" => Ident::new(&format!("{text}_"), Span::call_site()),
        text if text.chars().all(|letter| letter == '_') => {
            Ident::new(&format!("{text}underscore"), Span::call_site())
        }
        text if text.starts_with(|first: char| first.is_ascii_digit()) => {
            Ident::new(&format!("_{text}"), Span::call_site())
        }
        text => Ident::new_raw(text, Span::call_site()),
    }
}

fn pascal_case(name: &str, word: impl Fn(&str) -> String) -> String {
    let words = name.split('_').filter(|part| !part.is_empty()).map(|part| {
        let part = word(part);
        let (first, rest) = part.split_at(1);
        first.to_uppercase() + rest
    });
    let pascal: String = words.collect();
    if pascal.is_empty() {
        name.to_owned()
    } else {
        pascal
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
            ("vehicleURL", "vehicle_url"),
            ("iso8601Date", "iso8601_date"),
            ("_", "_underscore"),
            ("already_snake", "already_snake"),
        ] {
            assert_eq!(of_field(name).to_string(), expected, "{name}");
        }
    }

    #[test]
    fn types_keep_their_name_where_rust_allows_it() {
        for (name, expected) in [
            ("Vehicle", "Vehicle"),
            ("vehicle_kind", "VehicleKind"),
            ("URL", "URL"),
            ("Option", "Option_"),
            ("Self", "Self_"),
        ] {
            assert_eq!(of_type(name).to_string(), expected, "{name}");
        }
    }

    #[test]
    fn enum_values_become_pascal_case() {
        for (name, expected) in [
            ("DARK_RED", "DarkRed"),
            ("RED", "Red"),
            ("Red", "Red"),
            ("SELF", "Self_"),
            ("_4WD", "_4wd"),
        ] {
            assert_eq!(of_enum_value(name).to_string(), expected, "{name}");
        }
    }
}
