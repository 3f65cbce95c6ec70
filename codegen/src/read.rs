//! SDL text to a valid schema, or every problem in it.

use apollo_compiler::{
    Schema, ast,
    diagnostic::ToCliReport as _,
    parser::{SourceMap, SourceSpan},
    schema::{ExtendedType, Type},
    validation::Valid,
};

use crate::problem::{Place, Problems, suggestion};

/// `@oneOf` is in the September 2025 edition of the GraphQL specification, but not built into
/// apollo-compiler 1.
const ONE_OF: &str = "directive @oneOf on INPUT_OBJECT";

/// Where something stands in the file.
pub(crate) fn place(sources: &SourceMap, span: Option<SourceSpan>) -> Option<Place> {
    let span = span?;
    let text = sources.get(&span.file_id())?.source_text();
    text.get(..span.offset()).map(end_of)
}

/// The place after this text. Lines end where GraphQL and editors say, not at every character that
/// Unicode calls the end of a line.
fn end_of(before: &str) -> Place {
    let ends = before.match_indices(['\n', '\r']);
    let ends = ends.filter(|(at, _)| !before[*at..].starts_with("\r\n"));
    let (line, start) = ends.fold((1, 0), |(line, _), (at, _)| (line + 1, at + 1));
    Place {
        line,
        column: before[start..].chars().count() + 1,
    }
}

/// Reads and validates; adds the problems and gives none if there are any.
pub(crate) fn read(sdl: &str, file: &str, problems: &mut Problems) -> Option<Valid<Schema>> {
    let document = match ast::Document::parse(sdl, file) {
        Ok(document) => document,
        // What a broken file means is anybody's guess: no more is said of it than where it breaks.
        Err(failed) => {
            add_all(&failed.errors, problems);
            return None;
        }
    };
    let mut builder = Schema::builder().add_ast(&document);
    if !defines_one_of(&document) {
        builder = builder.parse(ONE_OF, "built-in directives");
    }
    let schema = match builder.build() {
        Ok(schema) => schema,
        Err(failed) => {
            add_all(&failed.errors, problems);
            failed.partial
        }
    };
    unknown_types(&schema, problems);
    match schema.validate() {
        Ok(valid) if problems.is_empty() => Some(valid),
        Ok(_) => None,
        Err(failed) => {
            add_all(&failed.errors, problems);
            None
        }
    }
}

fn defines_one_of(document: &ast::Document) -> bool {
    let mut names = document
        .definitions
        .iter()
        .filter_map(|definition| match definition {
            ast::Definition::DirectiveDefinition(directive) => Some(&directive.name),
            _ => None,
        });
    names.any(|name| name == "oneOf")
}

fn add_all(found: &apollo_compiler::validation::DiagnosticList, problems: &mut Problems) {
    for diagnostic in found.iter() {
        let at = place(diagnostic.sources, diagnostic.error.location());
        // The same place twice is the same defect, described with a suggestion already.
        if problems.none_at(at) {
            problems.add(at, diagnostic.error.to_string().replace('`', "\""));
        }
    }
}

/// Reports types that are used but not defined, with the name that was probably meant.
fn unknown_types(schema: &Schema, problems: &mut Problems) {
    let mut check = |ty: &Type, span: Option<SourceSpan>| {
        let name = ty.inner_named_type();
        if !schema.types.contains_key(name) {
            let known = schema.types.keys().map(apollo_compiler::Name::as_str);
            let known = known.filter(|known| !known.starts_with("__"));
            let message = format!("unknown type \"{name}\"{}", suggestion(name, known));
            problems.add(place(&schema.sources, name.location().or(span)), message);
        }
    };
    for definition in schema
        .types
        .values()
        .filter(|definition| !definition.is_built_in())
    {
        let fields = match definition {
            ExtendedType::Object(object) => &object.fields,
            ExtendedType::Interface(interface) => &interface.fields,
            ExtendedType::InputObject(input) => {
                for field in input.fields.values() {
                    check(&field.ty, field.location());
                }
                continue;
            }
            ExtendedType::Scalar(_) | ExtendedType::Union(_) | ExtendedType::Enum(_) => continue,
        };
        for field in fields.values() {
            check(&field.ty, field.location());
            for argument in &field.arguments {
                check(&argument.ty, argument.location());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_where_editors_end_them() {
        for (before, line, column) in [
            ("", 1, 1),
            ("ab", 1, 3),
            ("a\nb", 2, 2),
            ("a\r\nb", 2, 2),
            ("a\rb", 2, 2),
            ("a\n\r\n\r", 4, 1),
            ("é\u{b}\u{c}\u{85}\u{2028}\u{2029}", 1, 7),
        ] {
            let place = end_of(before);
            assert_eq!((place.line, place.column), (line, column), "{before:?}");
        }
    }
}
