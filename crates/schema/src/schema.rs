//! A valid schema, with the locations of its parts.

use std::{collections::BTreeSet, ops::Range, sync::Arc};

use apollo_compiler::{Name, parser::SourceSpan, validation::Valid};

use crate::{
    Element, Hash, Location, Position, Problems, built_in, canonical, element, introspection,
    reader, rewrite, source::Source,
};

/// A valid schema and the name of the file it was read from.
#[derive(Clone, Debug)]
pub struct Schema {
    name: Arc<str>,
    tree: Valid<apollo_compiler::Schema>,
    /// The file of the schema; `None` after introspection.
    source: Option<Source>,
    /// Whether it is known which input objects are `@oneOf`.
    states_one_of: bool,
    /// The names in definitions of built-in scalars.
    scalars: Vec<Name>,
    /// The positions of what is not valid.
    unreadable: Vec<Position>,
}

impl Schema {
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
        let (read, problems) = reader::read_partly(&name, sdl);
        let schema = Self {
            name,
            tree: read.tree,
            source: Some(read.source),
            states_one_of: true,
            scalars: read.scalars,
            unreadable: problems.iter().filter_map(|one| one.position).collect(),
        };
        (schema, problems)
    }

    /// Reads an introspection response: the whole response, its `data`, or the `__schema` object.
    /// `name` is its name in messages. Its parts have no locations.
    pub fn from_introspection(
        name: impl AsRef<str>,
        response: &serde_json::Value,
    ) -> Result<Self, Problems> {
        let name: Arc<str> = Arc::from(name.as_ref());
        let (sdl, states_one_of) = introspection::to_sdl(response).map_err(|message| {
            let mut problems = Problems::new(name.clone());
            problems.add(None, message);
            problems
        })?;
        // Positions would refer to the generated SDL.
        let read = reader::read(&name, &sdl).map_err(Problems::without_positions)?;
        Ok(Self {
            name,
            tree: read.tree,
            source: None,
            states_one_of,
            scalars: Vec::new(),
            unreadable: Vec::new(),
        })
    }

    /// The names in definitions of built-in scalars, which are ignored.
    pub fn defined_scalars(&self) -> &[Name] {
        &self.scalars
    }

    /// Whether an element itself, without its parts, has a problem.
    pub fn is_unreadable(&self, element: Element) -> bool {
        if self.unreadable.is_empty() {
            return false;
        }
        let is_in = |element: Element, position: &Position| {
            let mut spans = element.spans().into_iter();
            spans.any(|span| self.contains(span, *position))
        };
        let parts = element.parts();
        let mut inside = self.unreadable.iter();
        inside.any(|position| {
            is_in(element, position) && !parts.iter().any(|part| is_in(*part, position))
        })
    }

    fn contains(&self, span: SourceSpan, position: Position) -> bool {
        let Some(source) = &self.source else {
            return false;
        };
        let begin = source.position(span);
        begin.is_some_and(|begin| begin <= position)
            && position < source.lines.position(span.end_offset())
    }

    /// The name of the schema in messages and locations.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The definitions, with their extensions merged in.
    pub fn tree(&self) -> &Valid<apollo_compiler::Schema> {
        &self.tree
    }

    /// The position of a part of [`Self::tree`]; `None` if it is built in or read by introspection.
    pub fn position(&self, span: Option<SourceSpan>) -> Option<Position> {
        self.source.as_ref()?.position(span?)
    }

    /// The location of a part of [`Self::tree`]; `None` if it is built in or read by introspection.
    pub fn location(&self, span: Option<SourceSpan>) -> Option<Location> {
        Some(self.location_of(self.position(span)?))
    }

    fn location_of(&self, position: Position) -> Location {
        let file = self.name.clone();
        Location { file, position }
    }

    /// Whether it is unknown where this directive is applied: introspection omits applied directives that are not
    /// built in, and a response without `isOneOf` omits `@oneOf`.
    pub fn omits_directive(&self, name: &str) -> bool {
        match name {
            "oneOf" => !self.states_one_of,
            _ => self.source.is_none() && !built_in::is_directive(name),
        }
    }

    /// The schema itself, its directives and its types, without built-in ones.
    pub fn definitions(&self) -> Vec<Element<'_>> {
        element::definitions(&self.tree)
    }

    /// The elements that the schema defines, without built-in ones.
    pub fn elements(&self) -> Vec<Element<'_>> {
        element::elements(&self.tree)
    }

    /// Every coordinate of the schema, as [`Element::coordinate`] writes them.
    pub fn coordinates(&self) -> BTreeSet<String> {
        self.elements()
            .into_iter()
            .map(Element::coordinate)
            .collect()
    }

    /// The canonical form, as SDL: everything that clients can see of the schema, in one order and layout.
    ///
    /// Two schemas have the same canonical form, and so the same [`Hash`](crate::Hash), exactly if no client can distinguish
    /// them by reading them. Descriptions, deprecations and applied directives are part of it. Comments, white
    /// space, the order of definitions, fields, arguments and values, and the split into definitions and
    /// extensions are not. Built-in definitions are omitted; implied parts (`schema { query: Query }`, the default
    /// reason of `@deprecated`) are explicit.
    pub fn canonical(&self) -> String {
        canonical::canonical(&self.tree)
    }

    /// The hash of the canonical form.
    ///
    /// ```
    /// use schema::Schema;
    ///
    /// let one = Schema::parse("one", "type Query { a: Int b(x: ID, y: ID): Int }")?;
    /// let other = Schema::parse("other", "type Query { b(y: ID x: ID): Int, a: Int }")?;
    /// assert_eq!(one.hash(), other.hash());
    /// # Ok::<(), schema::Problems>(())
    /// ```
    pub fn hash(&self) -> Hash {
        Hash::of(&self.canonical())
    }

    /// The comments of the file as byte ranges, and its text; `None` after introspection.
    pub fn comments(&self) -> Option<(&str, Vec<Range<usize>>)> {
        let file = self.tree.sources.get(&self.source.as_ref()?.file)?;
        let text = file.source_text();
        Some((text, rewrite::comments(text)))
    }

    /// The location of a byte offset in the file; `None` after introspection.
    pub fn location_of_offset(&self, offset: usize) -> Option<Location> {
        let lines = &self.source.as_ref()?.lines;
        Some(self.location_of(lines.position(offset)))
    }
}
