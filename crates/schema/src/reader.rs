//! Parses and validates SDL, and collects every problem.

use std::sync::Arc;

use apollo_compiler::{
    Name, Schema, ast,
    diagnostic::ToCliReport as _,
    parser::{Parser, SourceSpan},
    validation::{DiagnosticList, Valid},
};

use crate::{
    LineIndex, MAX_NESTING, Position, Problems, default_values, element::elements, excerpt,
    message, rewrite, source::Source, suggestion,
};

/// `@oneOf` is in the September 2025 edition of the GraphQL specification, but not built into
/// apollo-compiler 1.
const ONE_OF: &str = "directive @oneOf on INPUT_OBJECT";

/// Parses and validates one file.
pub(crate) fn read(name: &Arc<str>, sdl: &str) -> Result<(Valid<Schema>, Source), Problems> {
    let parsed = Parser::new()
        .recursion_limit(MAX_NESTING)
        .parse_ast(rewrite::type_system(sdl), &**name);
    let document = parsed.as_ref().unwrap_or_else(|failed| &failed.partial);
    let file = document.sources.keys().next();
    let mut reader = Reader {
        source: Source {
            file: *file.expect("the parser adds the file that it reads"),
            lines: LineIndex::new(sdl).into(),
        },
        problems: Problems::new(name.clone()),
    };
    let valid = match parsed {
        Ok(document) => reader.validate(&document),
        // After a syntax error, validation would report spurious problems.
        Err(failed) => {
            reader.add_all(&failed.errors);
            None
        }
    };
    if valid.is_none() && reader.problems.is_empty() {
        reader.problems.add(None, "is not a valid schema");
    }
    let valid = reader.problems.into_result(valid)?;
    Ok((
        valid.expect("an invalid schema has a problem"),
        reader.source,
    ))
}

/// Collects the problems of one file.
struct Reader {
    source: Source,
    problems: Problems,
}

impl Reader {
    fn validate(&mut self, document: &ast::Document) -> Option<Valid<Schema>> {
        let mut builder = Schema::builder().add_ast(document);
        if !defines_one_of(document) {
            builder = builder.parse(ONE_OF, "built-in directives");
        }
        let schema = builder.build().unwrap_or_else(|failed| {
            self.add_all(&failed.errors);
            failed.partial
        });
        self.add_unknown_types(&schema);
        match schema.validate() {
            Ok(valid) => {
                default_values::validate(&valid, |span, message| self.add(span, &message));
                Some(valid)
            }
            Err(failed) => {
                self.add_all(&failed.errors);
                None
            }
        }
    }

    fn position(&self, span: Option<SourceSpan>) -> Option<Position> {
        self.source.position(span?)
    }

    fn add(&mut self, span: Option<SourceSpan>, message: &str) {
        self.problems.add(self.position(span), message);
    }

    fn add_all(&mut self, found: &DiagnosticList) {
        for diagnostic in found.iter() {
            let span = diagnostic.error.location();
            let position = self.position(span);
            let mut others = self.problems.iter();
            // A second diagnostic at the same position repeats a problem that has a suggestion.
            if position.is_none() || others.all(|other| other.position != position) {
                self.add(
                    span,
                    &message::sdl_diagnostic(&diagnostic.error.to_string()),
                );
            }
        }
    }

    /// Reports types that are used but not defined, with a suggestion.
    fn add_unknown_types(&mut self, schema: &Schema) {
        for element in elements(schema) {
            let Some(ty) = element.ty() else { continue };
            let name = ty.inner_named_type();
            if !schema.types.contains_key(name) {
                let known = schema.types.keys().map(Name::as_str);
                let known = known.filter(|known| !known.starts_with("__"));
                let (shown, suggestion) = (excerpt(name), suggestion(name, known));
                self.add(
                    name.location(),
                    &format!("unknown type {shown:?}{suggestion}"),
                );
            }
        }
    }
}

fn defines_one_of(document: &ast::Document) -> bool {
    let mut definitions = document.definitions.iter();
    definitions.any(|definition| match definition {
        ast::Definition::DirectiveDefinition(directive) => directive.name == "oneOf",
        _ => false,
    })
}
