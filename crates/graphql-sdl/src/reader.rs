//! Parses and validates SDL, and collects every problem.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use apollo_compiler::{
    Name, Schema,
    ast::{self, OperationType},
    diagnostic::ToCliReport as _,
    parser::{Parser, SourceSpan},
    schema::SchemaBuilder,
    validation::{DiagnosticList, Valid},
};

use crate::{
    Location, MAX_NESTING, Problem, Problems, built_in, default_values, element::elements, excerpt, federation,
    message, position::Source, rewrite, suggestion,
};

/// `@oneOf` is in the September 2025 edition of the GraphQL specification, but not built into
/// apollo-compiler 1.
const ONE_OF: &str = "directive @oneOf on INPUT_OBJECT";

/// The number of unknown types that have a suggestion: the time of each grows with the number of types.
const MAX_SUGGESTIONS: usize = 20;

/// Whether the definitions of Apollo Federation are known in a schema that uses them.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Federation {
    Known,
    Unknown,
}

impl crate::Schema {
    /// Parses and validates SDL, or returns every problem. `name` is the name of the file in messages and
    /// locations.
    pub fn parse(name: impl AsRef<str>, sdl: &str) -> Result<Self, Problems> {
        let (schema, problems) = Self::parse_partly(name, sdl);
        problems.into_result(schema)
    }

    /// Parses SDL, and returns what can be read of it with every problem. If there are problems, the schema is not
    /// valid and has [parts that cannot be read](Self::is_unreadable).
    pub fn parse_partly(name: impl AsRef<str>, sdl: &str) -> (Self, Problems) {
        let name: Arc<str> = Arc::from(name.as_ref());
        read_partly(name.clone(), &[(name, sdl)], Federation::Unknown)
    }

    /// Parses files of SDL, each a name and a text, as one schema, which [`Self::name`] calls `name`. The directives of
    /// Apollo Federation are known in a subgraph.
    pub fn parse_files_partly(name: impl AsRef<str>, files: &[(String, String)]) -> (Self, Problems) {
        let files: Vec<_> = files.iter().map(|(name, text)| (Arc::from(&**name), &**text)).collect();
        read_partly(Arc::from(name.as_ref()), &files, Federation::Known)
    }
}

/// Parses and validates files as one schema of this name. If there are problems, its tree has what can be read, and may
/// not be valid.
fn read_partly(name: Arc<str>, files: &[(Arc<str>, &str)], federation: Federation) -> (crate::Schema, Problems) {
    let sdl = &*Source::text(files);
    let parsed = Parser::new().recursion_limit(MAX_NESTING).parse_ast(rewrite::type_system(sdl), &*name);
    let (mut document, errors) = match parsed {
        Ok(document) => (document, None),
        Err(failed) => (failed.partial, Some(failed.errors)),
    };
    let file = document.sources.keys().next();
    let mut reader = Reader {
        source: Source::new(*file.expect("the parser adds the file that it reads"), files),
        problems: Problems::new(name.clone()),
        unreadable: 0,
        has_extensions: files.len() > 1,
        federation: None,
    };
    let is_parsed = errors.is_none();
    if federation == Federation::Known && federation::is_subgraph(sdl) {
        reader.federation = Some(federation::missing(&document));
        reader.has_extensions = true;
    }
    let scalars = remove_ignored(&mut document);
    let tree = match errors {
        None => reader.validate(&document),
        // After a syntax error, validation would report spurious problems.
        Some(errors) => {
            reader.add_syntax_errors(sdl, &errors);
            reader.unreadable = reader.problems.iter().len();
            Valid::assume_valid(reader.builder(&document).build().unwrap_or_else(|failed| failed.partial))
        }
    };
    // The others are problems of parts that are read.
    let unreadable = reader.problems.iter().take(reader.unreadable).filter_map(Problem::location).collect();
    let source = Some(reader.source);
    let schema = crate::Schema { name, tree, source, omitted: Vec::new(), scalars, is_parsed, unreadable };
    (schema, reader.problems)
}

/// Removes the definitions of built-in scalars, and returns their names; and operations and fragments, which are not
/// of the schema.
fn remove_ignored(document: &mut ast::Document) -> Vec<Name> {
    let mut scalars = Vec::new();
    document.definitions.retain(|definition| match definition {
        ast::Definition::ScalarTypeDefinition(scalar) if built_in::is_scalar(&scalar.name) => {
            scalars.push(scalar.name.clone());
            false
        }
        ast::Definition::OperationDefinition(_) | ast::Definition::FragmentDefinition(_) => false,
        _ => true,
    });
    scalars
}

/// Collects the problems of a schema.
struct Reader {
    source: Source,
    problems: Problems,
    /// The number of problems because of which parts are not read.
    unreadable: usize,
    /// Whether extensions can define a type.
    has_extensions: bool,
    /// The definitions of federation that a subgraph uses and does not have.
    federation: Option<ast::Document>,
}

impl Reader {
    fn builder(&self, document: &ast::Document) -> SchemaBuilder {
        let mut builder = Schema::builder().add_ast(document);
        // A subgraph extends the types of others, and one of several files `Query`.
        if self.has_extensions {
            builder = builder.adopt_orphan_extensions();
        }
        if let Some(federation) = &self.federation {
            builder = builder.add_ast(federation);
        }
        if defines_one_of(document) { builder } else { builder.parse(ONE_OF, "built-in directives") }
    }

    fn validate(&mut self, document: &ast::Document) -> Valid<Schema> {
        let schema = self.builder(document).build().unwrap_or_else(|failed| {
            self.add_all(&failed.errors);
            failed.partial
        });
        self.add_unknown_types(&schema);
        self.unreadable = self.problems.iter().len();
        self.add_wrong_roots(document, &schema);
        let tree = match schema.validate() {
            Ok(valid) => {
                default_values::validate(&valid, |span, message| self.add(span, &message));
                valid
            }
            Err(failed) => {
                self.add_all(&failed.errors);
                if self.problems.is_empty() {
                    self.problems.add(None, "is not a valid schema");
                }
                Valid::assume_valid(failed.partial)
            }
        };
        match &self.federation {
            None => tree,
            // They are not of the schema.
            Some(known) => federation::remove(tree, known),
        }
    }

    fn location(&self, span: Option<SourceSpan>) -> Option<Location> {
        self.source.location(span?)
    }

    fn add(&mut self, span: Option<SourceSpan>, message: &str) {
        match self.location(span) {
            Some(Location { file, position }) => self.problems.add_in(file, position, message),
            None => self.problems.add(None, message),
        }
    }

    fn add_all(&mut self, found: &DiagnosticList) {
        let mut positions: HashSet<_> = self.problems.iter().filter_map(Problem::location).collect();
        for diagnostic in found.iter() {
            let span = diagnostic.error.location();
            let position = self.location(span);
            // A second diagnostic at the same position repeats a problem that has a suggestion.
            if position.is_none_or(|position| positions.insert(position)) {
                self.add(span, &message::sdl_diagnostic(&diagnostic.error.to_string()));
            }
        }
    }

    /// Adds the first syntax error of each definition, since the parser goes on in the middle of it.
    fn add_syntax_errors(&mut self, sdl: &str, errors: &DiagnosticList) {
        let errors = errors.iter().map(|diagnostic| {
            let span = diagnostic.error.location();
            let offset = span.map_or(0, |span| span.offset());
            (offset, span, diagnostic.error.to_string())
        });
        let mut errors: Vec<_> = errors.collect();
        errors.sort_by_key(|(offset, ..)| *offset);
        let mut reported_to = 0;
        for (offset, span, message) in errors {
            if offset >= reported_to {
                let before = sdl.get(..offset).unwrap_or_default().trim_end();
                self.add(span, &message::syntax_error(&message, before));
                reported_to = next_definition(sdl, offset + 1);
            }
        }
    }

    /// Reports types that are used but not defined, with a suggestion.
    fn add_unknown_types(&mut self, schema: &Schema) {
        let mut suggestions: HashMap<&Name, String> = HashMap::new();
        for element in elements(schema) {
            let Some(ty) = element.ty() else { continue };
            let name = ty.inner_named_type();
            if schema.types.contains_key(name) {
                continue;
            }
            if !suggestions.contains_key(name) && suggestions.len() < MAX_SUGGESTIONS {
                let known = schema.types.keys().map(Name::as_str);
                let known = known.filter(|known| !known.starts_with("__"));
                suggestions.insert(name, suggestion(name, known));
            }
            let suggestion = suggestions.get(name).map_or("", String::as_str);
            self.add(name.location(), &format!("unknown type {:?}{suggestion}", excerpt(name)));
        }
    }

    /// Reports types that are root types by their names, but not object types.
    fn add_wrong_roots(&mut self, document: &ast::Document, schema: &Schema) {
        if document.definitions.iter().any(|definition| definition.as_schema_definition().is_some()) {
            return;
        }
        for operation in [OperationType::Query, OperationType::Mutation, OperationType::Subscription] {
            let name = operation.default_type_name();
            if let Some(ty) = schema.types.get(&name).filter(|ty| !ty.is_object()) {
                let message = format!(
                    "the type {name} is the {operation} root type by its name, but not an object type; rename it, or \
                     define the schema"
                );
                self.add(ty.name().location(), &message);
            }
        }
    }
}

/// The offset of the next line that begins with the keyword of a definition; definitions are not indented.
fn next_definition(sdl: &str, offset: usize) -> usize {
    let mut end = 0;
    let mut starts = sdl.split_inclusive('\n').map(|line| {
        end += line.len();
        (end - line.len(), line)
    });
    let next = starts.find(|(start, line)| {
        let mut keywords = message::DEFINITIONS.iter();
        let begins = |keyword: &&str| line.strip_prefix(*keyword).is_some_and(|rest| rest.starts_with([' ', '{']));
        *start >= offset && keywords.any(begins)
    });
    next.map_or(sdl.len() + 1, |(start, _)| start)
}

fn defines_one_of(document: &ast::Document) -> bool {
    document.definitions.iter().any(|definition| match definition {
        ast::Definition::DirectiveDefinition(directive) => directive.name == "oneOf",
        _ => false,
    })
}
