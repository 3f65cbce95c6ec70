//! What the lowering reads, and the problems that it collects.

use std::{collections::BTreeSet, sync::Arc};

use apollo_compiler::{Name, Schema, parser::SourceSpan};
use graphql_sdl::{Location, Problems};

use super::constraints::Constraints;
use crate::{bindings::Bindings, model::Place, names::Names, reachability::Boxing};

pub(super) struct Lowering<'a> {
    pub(super) source: &'a graphql_sdl::Schema,
    /// The names of its files.
    pub(super) files: Vec<Arc<str>>,
    pub(super) schema: &'a Schema,
    pub(super) bindings: &'a Bindings,
    pub(super) names: Names,
    pub(super) roots: BTreeSet<String>,
    pub(super) boxing: Boxing,
    pub(super) constraints: Constraints,
    pub(super) resolved: BTreeSet<String>,
    /// The root type of subscriptions.
    pub(super) subscription: Option<Name>,
    /// Objects that need a Rust type and have none, each with the reason.
    pub(super) unbound_objects: Vec<(Name, String)>,
    pub(super) unbound_scalars: Vec<Name>,
    pub(super) problems: Problems,
}

impl Lowering<'_> {
    /// The place of a part of a file. Built-in definitions, which have none, are not lowered.
    pub(super) fn place(&self, span: Option<SourceSpan>) -> Place {
        let location = self.source.location(span);
        let place = location.and_then(|Location { file, position }| {
            let file = self.files.iter().position(|name| *name == file)?;
            Some(Place { file, position })
        });
        place.unwrap_or_default()
    }

    /// The same as `file:line:column`.
    pub(super) fn located(&self, span: Option<SourceSpan>) -> String {
        let location = self.source.location(span);
        location.map_or_else(String::new, |location| location.to_string())
    }

    pub(super) fn add(&mut self, span: Option<SourceSpan>, message: impl AsRef<str>) {
        match self.source.location(span) {
            Some(Location { file, position }) => self.problems.add_in(file, position, message),
            None => self.problems.add(None, message),
        }
    }
}
