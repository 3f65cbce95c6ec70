//! A schema that is valid, with the places of its parts.

use std::sync::Arc;

use apollo_compiler::{
    ast,
    parser::{LineColumn, Parser, SourceSpan},
    schema::{ExtendedType, Type},
    validation::{DiagnosticList, Valid},
};

use crate::{
    defaults,
    problem::{Place, Problem, Problems, suggestion},
    text::one_line,
};

/// `@oneOf` is in the September 2025 edition of the GraphQL specification, but not built into
/// apollo-compiler 1.
const ONE_OF: &str = "directive @oneOf on INPUT_OBJECT";

/// What every GraphQL service has without defining it.
pub(crate) const BUILT_IN_SCALARS: [&str; 5] = ["Boolean", "Float", "ID", "Int", "String"];
/// The directives of the GraphQL specification.
const SPECIFIED_DIRECTIVES: [&str; 5] = ["deprecated", "include", "oneOf", "skip", "specifiedBy"];

/// Whether the type is GraphQL's own, even if the schema repeats its definition.
pub(crate) fn is_built_in(definition: &ExtendedType) -> bool {
    let name = definition.name();
    definition.is_built_in() || name.starts_with("__") || BUILT_IN_SCALARS.contains(&name.as_str())
}

/// Whether the directive is GraphQL's own, even if the schema repeats its definition.
pub(crate) fn is_specified(directive: &str) -> bool {
    SPECIFIED_DIRECTIVES.contains(&directive)
}

/// A valid schema and the name of the file it was read from.
#[derive(Clone, Debug)]
pub struct Schema {
    name: Arc<str>,
    tree: Valid<apollo_compiler::Schema>,
    has_places: bool,
}

impl Schema {
    /// Reads and validates SDL. `name` is what messages and places call the file.
    pub fn parse(name: impl AsRef<str>, sdl: &str) -> Result<Self, Problems> {
        let name = Arc::from(name.as_ref());
        let tree = Reader::new(&name).read(sdl)?;
        Ok(Self {
            name,
            tree,
            has_places: true,
        })
    }

    /// Reads the answer to an introspection query: either the whole response, its `data`, or the
    /// `__schema` object. `name` is what messages call it. Its parts have no places.
    pub fn from_introspection(
        name: impl AsRef<str>,
        answer: &serde_json::Value,
    ) -> Result<Self, Problems> {
        let name: Arc<str> = Arc::from(name.as_ref());
        let sdl = crate::introspection::to_sdl(answer).map_err(|message| one(&name, message))?;
        let tree = Reader::new(&name)
            .read(&sdl)
            .map_err(|problems| without_places(&problems))?;
        Ok(Self {
            name,
            tree,
            has_places: false,
        })
    }

    /// What messages and places call the schema.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The definitions, with their extensions merged in.
    pub fn tree(&self) -> &Valid<apollo_compiler::Schema> {
        &self.tree
    }

    /// The place of a part of [`Self::tree`]; none if it is built in or came by introspection.
    pub fn place(&self, span: Option<SourceSpan>) -> Option<Place> {
        if !self.has_places {
            return None;
        }
        let start = span?.line_column(&self.tree.sources)?;
        Some(Place {
            file: self.name.clone(),
            line: start.line,
            column: start.column,
        })
    }
}

/// The one problem of a text as a whole.
fn one(name: &Arc<str>, message: String) -> Problems {
    let problem = Problem {
        file: name.clone(),
        place: None,
        message,
    };
    Problems::of(vec![problem]).expect("it has one problem")
}

/// What was read is a text made of an introspection answer: its lines are nobody's.
fn without_places(problems: &Problems) -> Problems {
    let found = problems.iter().cloned().map(|mut problem| {
        problem.place = None;
        problem
    });
    Problems::of(found.collect()).expect("it has as many as before")
}

/// Reads one file and collects its problems.
struct Reader<'a> {
    name: &'a Arc<str>,
    found: Vec<Problem>,
}

impl<'a> Reader<'a> {
    fn new(name: &'a Arc<str>) -> Self {
        let found = Vec::new();
        Self { name, found }
    }

    fn read(mut self, sdl: &str) -> Result<Valid<apollo_compiler::Schema>, Problems> {
        let document = match Parser::new().parse_ast(sdl, &**self.name) {
            Ok(document) => document,
            // What a broken file means is anybody's guess: no more is said of it than where it breaks.
            Err(failed) => {
                self.add_all(&failed.errors);
                return Err(self.problems());
            }
        };
        let mut builder = apollo_compiler::Schema::builder().add_ast(&document);
        if !defines_one_of(&document) {
            builder = builder.parse(ONE_OF, "built-in directives");
        }
        let schema = builder.build().unwrap_or_else(|failed| {
            self.add_all(&failed.errors);
            failed.partial
        });
        self.unknown_types(&schema);
        let validated = schema.validate();
        match &validated {
            Ok(valid) => defaults::check(valid, |value, message| {
                let start = value.line_column_range(&valid.sources);
                let place = start.map(|range| self.place(range.start));
                self.add(place, &message);
            }),
            Err(failed) => self.add_all(&failed.errors),
        }
        match validated {
            Ok(valid) if self.found.is_empty() => Ok(valid),
            _ => Err(self.problems()),
        }
    }

    fn problems(self) -> Problems {
        let name = self.name;
        Problems::of(self.found)
            .unwrap_or_else(|| one(name, "is not a schema, and nothing says why".to_owned()))
    }

    fn place(&self, start: LineColumn) -> Place {
        Place {
            file: self.name.clone(),
            line: start.line,
            column: start.column,
        }
    }

    fn add(&mut self, place: Option<Place>, message: &str) {
        self.found.push(Problem {
            file: self.name.clone(),
            place,
            message: one_line(message),
        });
    }

    fn add_all(&mut self, found: &DiagnosticList) {
        for diagnostic in found.iter() {
            let range = diagnostic.line_column_range();
            let place = range.map(|range| self.place(range.start));
            // The same place twice is the same defect, described with a suggestion already.
            if place.is_none() || self.found.iter().all(|problem| problem.place != place) {
                self.add(place, &diagnostic.error.to_string().replace('`', "\""));
            }
        }
    }

    /// Reports types that are used but not defined, with the name that was probably meant.
    fn unknown_types(&mut self, schema: &apollo_compiler::Schema) {
        let mut check = |ty: &Type, span: Option<SourceSpan>| {
            let name = ty.inner_named_type();
            if !schema.types.contains_key(name) {
                let known = schema.types.keys().map(apollo_compiler::Name::as_str);
                let known = known.filter(|known| !known.starts_with("__"));
                let message = format!("unknown type \"{name}\"{}", suggestion(name, known));
                let start = name
                    .location()
                    .or(span)
                    .and_then(|span| span.line_column(&schema.sources));
                let place = start.map(|start| self.place(start));
                self.add(place, &message);
            }
        };
        let definitions = schema.types.values();
        for definition in definitions.filter(|definition| !definition.is_built_in()) {
            let fields = match definition {
                ExtendedType::Object(object) => &object.fields,
                ExtendedType::Interface(interface) => &interface.fields,
                ExtendedType::InputObject(input) => {
                    for field in input.fields.values() {
                        check(&field.ty, field.location());
                    }
                    continue;
                }
                ExtendedType::Scalar(_) | ExtendedType::Union(_) | ExtendedType::Enum(_) => {
                    continue;
                }
            };
            for field in fields.values() {
                check(&field.ty, field.location());
                for argument in &field.arguments {
                    check(&argument.ty, argument.location());
                }
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
