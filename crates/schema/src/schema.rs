//! A valid schema, with the locations of its parts.

use std::{collections::BTreeSet, ops::Range, sync::Arc};

use apollo_compiler::{parser::SourceSpan, validation::Valid};

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
}

impl Schema {
    /// Parses and validates SDL, or returns every problem. `name` is the name of the file in messages and
    /// locations.
    pub fn parse(name: impl AsRef<str>, sdl: &str) -> Result<Self, Problems> {
        let name: Arc<str> = Arc::from(name.as_ref());
        let (tree, source) = reader::read(&name, sdl)?;
        Ok(Self {
            name,
            tree,
            source: Some(source),
            states_one_of: true,
        })
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
        let (tree, _) = reader::read(&name, &sdl).map_err(Problems::without_positions)?;
        Ok(Self {
            name,
            tree,
            source: None,
            states_one_of,
        })
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
