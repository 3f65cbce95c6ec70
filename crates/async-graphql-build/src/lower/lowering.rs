//! What the lowering reads, and the problems that it collects.

use std::collections::BTreeSet;

use apollo_compiler::{Name, Schema, parser::SourceSpan};
use graphql_sdl::{Position, Problems};

use crate::{bindings::Bindings, names::Names, reachability::Boxing};

pub(super) struct Lowering<'a> {
    pub(super) source: &'a graphql_sdl::Schema,
    pub(super) schema: &'a Schema,
    pub(super) bindings: &'a Bindings,
    pub(super) names: Names,
    pub(super) roots: BTreeSet<String>,
    pub(super) boxing: Boxing,
    pub(super) resolved: BTreeSet<String>,
    /// The root type of subscriptions.
    pub(super) subscription: Option<Name>,
    /// Objects that need a Rust type and have none, each with the reason.
    pub(super) unbound_objects: Vec<(Name, String)>,
    pub(super) unbound_scalars: Vec<Name>,
    pub(super) problems: Problems,
}

impl Lowering<'_> {
    /// The position of a part of the file. Built-in definitions, which have none, are not lowered.
    pub(super) fn position(&self, span: Option<SourceSpan>) -> Position {
        self.source.position(span).unwrap_or_default()
    }

    pub(super) fn add(&mut self, span: Option<SourceSpan>, message: impl AsRef<str>) {
        let position = self.source.position(span);
        self.problems.add(position, message);
    }
}
