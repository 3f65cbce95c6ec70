//! The messages about values of another type, which apollo-compiler writes without the argument and the value.

use apollo_compiler::{
    Node,
    ast::{Definition, Document, Selection, Value},
    parser::SourceSpan,
};
use graphql_sdl::excerpt;

/// The message for an error of apollo-compiler about the value at this position, if that is the error.
pub(super) fn message(document: &Document, span: SourceSpan, error: &str) -> Option<String> {
    let (ty, found) = match error.split_once("expected value of type ") {
        Some((_, rest)) => rest.split_once(", found ")?,
        None if error.starts_with("int cannot represent") => ("Int", "no integer of 32 bits"),
        None if error.starts_with("float cannot represent") => ("Float", "no float of 64 bits"),
        None => return None,
    };
    let (place, value) = find(document, span)?;
    let defect = match value {
        Value::Null => "it must not be null".to_owned(),
        Value::Variable(name) => format!("the variable \"${}\" has another one", excerpt(name)),
        value => {
            let value = value.serialize().no_indent().to_string();
            format!("{} is {found}", excerpt(&value))
        }
    };
    Some(format!("the {place} has the type {}: {defect}", excerpt(ty)))
}

/// The value at this position, and where it is, such as `argument "books[3].title"`.
fn find(document: &Document, span: SourceSpan) -> Option<(String, &Value)> {
    let mut pending = Vec::new();
    for definition in &document.definitions {
        match definition {
            Definition::OperationDefinition(operation) => {
                for variable in &operation.variables {
                    let name = || format!("${}", excerpt(&variable.name));
                    let default = variable.default_value.as_ref();
                    if let Some((path, value)) = default.and_then(|it| within(it, span, &name)) {
                        return Some((format!("variable {path:?}"), value));
                    }
                }
                pending.extend(&operation.selection_set);
            }
            Definition::FragmentDefinition(fragment) => pending.extend(&fragment.selection_set),
            _ => {}
        }
    }
    while let Some(selection) = pending.pop() {
        let (arguments, directives) = match selection {
            Selection::Field(field) => {
                pending.extend(&field.selection_set);
                (&field.arguments[..], &field.directives)
            }
            Selection::InlineFragment(fragment) => {
                pending.extend(&fragment.selection_set);
                (&[][..], &fragment.directives)
            }
            Selection::FragmentSpread(spread) => (&[][..], &spread.directives),
        };
        let of_directives = directives.iter().flat_map(|it| &it.arguments);
        for argument in arguments.iter().chain(of_directives) {
            let name = || excerpt(&argument.name).into_owned();
            if let Some((path, value)) = within(&argument.value, span, &name) {
                return Some((format!("argument {path:?}"), value));
            }
        }
    }
    None
}

/// The value at this position in another one, and its path, which begins with a name.
fn within<'v>(value: &'v Node<Value>, span: SourceSpan, name: &dyn Fn() -> String) -> Option<(String, &'v Value)> {
    if value.location() == Some(span) {
        return Some((name(), value));
    }
    match &**value {
        Value::List(items) => {
            items.iter().enumerate().find_map(|(index, item)| within(item, span, &|| format!("{}[{index}]", name())))
        }
        Value::Object(fields) => {
            fields.iter().find_map(|(field, value)| within(value, span, &|| format!("{}.{}", name(), excerpt(field))))
        }
        _ => None,
    }
}
