//! A valid schema, with the locations of its parts.

use std::{collections::BTreeSet, ops::Range, path::Path, sync::Arc};

use apollo_compiler::{Name, parser::SourceSpan, validation::Valid};

use crate::{
    Element, Hash, Location, Position, Problems, built_in, canonical, element, introspection, position::Source, rewrite,
};

/// A valid schema and the name of the file it was read from.
#[derive(Clone, Debug)]
pub struct Schema {
    pub(crate) name: Arc<str>,
    pub(crate) tree: Valid<apollo_compiler::Schema>,
    /// The file of the schema; `None` after introspection.
    pub(crate) source: Option<Source>,
    /// The fields of introspection that the response omits.
    pub(crate) omitted: Vec<&'static str>,
    /// The names in definitions of built-in scalars.
    pub(crate) scalars: Vec<Name>,
    /// Whether the file has no syntax error.
    pub(crate) is_parsed: bool,
    /// The locations of what is not read.
    pub(crate) unreadable: Vec<Location>,
}

impl Schema {
    /// Reads the text of a file: an introspection response if its name ends in `.json`, else SDL.
    pub fn read(name: &str, text: &str) -> Result<Self, Problems> {
        if Path::new(name).extension().is_none_or(|end| end != "json") {
            return Self::parse(name, text);
        }
        // A parser may ignore a byte order mark (RFC 8259, section 8.1).
        let json = text.strip_prefix('\u{feff}').unwrap_or(text);
        let response = serde_json::from_str(json).map_err(|error| {
            let (line, column) = (error.line().max(1), error.column().max(1));
            let mut problems = Problems::new(name);
            let message = if error.to_string().starts_with("recursion limit") {
                "nested too deeply (limit 127)".to_owned()
            } else {
                format!("is not an introspection response ({error})")
            };
            problems.add(Position { line, column }, message);
            problems
        })?;
        Self::from_introspection(name, &response)
    }

    /// Reads an introspection response: the whole response, its `data`, or the `__schema` object.
    /// `name` is its name in messages. Its parts have no locations.
    pub fn from_introspection(name: impl AsRef<str>, response: &serde_json::Value) -> Result<Self, Problems> {
        let name: Arc<str> = Arc::from(name.as_ref());
        let (sdl, omitted) = introspection::to_sdl(response).map_err(|message| {
            let mut problems = Problems::new(name.clone());
            problems.add(None, message);
            problems
        })?;
        // Positions would refer to the generated SDL.
        let read = Self::parse(&name, &sdl).map_err(Problems::without_positions)?;
        Ok(Self { source: None, omitted, scalars: Vec::new(), ..read })
    }

    /// The names in definitions of built-in scalars, which are ignored.
    pub fn defined_scalars(&self) -> &[Name] {
        &self.scalars
    }

    /// Whether the file has no syntax error, so that every definition in it is read.
    pub fn is_parsed(&self) -> bool {
        self.is_parsed
    }

    /// Whether an element itself, without its parts, has a problem because of which it is not read: a syntax error, a
    /// second definition, or an unknown type.
    pub fn is_unreadable(&self, element: Element) -> bool {
        if self.unreadable.is_empty() {
            return false;
        }
        let is_in = |element: Element, location: &Location| {
            element.spans().into_iter().any(|span| self.contains(span, location))
        };
        let parts = element.parts();
        let mut inside = self.unreadable.iter();
        inside.any(|location| is_in(element, location) && !parts.iter().any(|part| is_in(*part, location)))
    }

    fn contains(&self, span: SourceSpan, location: &Location) -> bool {
        let Some(begin) = self.location(Some(span)) else {
            return false;
        };
        let end = self.location_of_offset(span.end_offset());
        begin.file == location.file
            && begin.position <= location.position
            && end.is_some_and(|end| location.position < end.position)
    }

    /// The name of the schema in messages and locations.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names of its files, in their order; none after introspection.
    pub fn files(&self) -> Vec<Arc<str>> {
        self.source.as_ref().map_or_else(Vec::new, Source::names)
    }

    /// The definitions, with their extensions merged in.
    pub fn tree(&self) -> &Valid<apollo_compiler::Schema> {
        &self.tree
    }

    /// The position of a part of [`Self::tree`]; `None` if it is built in or read by introspection.
    pub fn position(&self, span: Option<SourceSpan>) -> Option<Position> {
        Some(self.location(span)?.position)
    }

    /// The location of a part of [`Self::tree`]; `None` if it is built in or read by introspection.
    pub fn location(&self, span: Option<SourceSpan>) -> Option<Location> {
        self.source.as_ref()?.location(span?)
    }

    /// Whether it is unknown where this directive is applied: introspection omits applied directives that are not
    /// built in, and a response without `isOneOf` or `specifiedByURL` omits `@oneOf` or `@specifiedBy`.
    pub fn omits_directive(&self, name: &str) -> bool {
        match name {
            "oneOf" => self.omits("__Type.isOneOf"),
            "specifiedBy" => self.omits("__Type.specifiedByURL"),
            _ => self.source.is_none() && !built_in::is_directive(name),
        }
    }

    /// Whether the schema was read from an introspection response without a field that not every server or query has, so that what
    /// it states is unknown: `__Schema.description`, `__Type.specifiedByURL`, `__Type.isOneOf`, `__Directive.isRepeatable` or
    /// `__InputValue.isDeprecated`, without which a response can also omit the inputs that are deprecated.
    pub fn omits(&self, field: &str) -> bool {
        self.omitted.contains(&field)
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
        self.elements().into_iter().map(Element::coordinate).collect()
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
    /// use graphql_sdl::Schema;
    ///
    /// let one = Schema::parse("one", "type Query { a: Int b(x: ID, y: ID): Int }")?;
    /// let other = Schema::parse("other", "type Query { b(y: ID x: ID): Int, a: Int }")?;
    /// assert_eq!(one.hash(), other.hash());
    /// # Ok::<(), graphql_sdl::Problems>(())
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
        Some(self.source.as_ref()?.location_of_offset(offset))
    }
}
