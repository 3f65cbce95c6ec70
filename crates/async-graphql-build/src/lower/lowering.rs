//! What the lowering reads, and the problems that it collects.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use apollo_compiler::{Name, Schema, ast::Type, parser::SourceSpan};
use graphql_sdl::{Element, Location, Problems};

use crate::{
    bindings::Bindings,
    model::{Check, Constraint, Place},
    names::Names,
    reachability::Boxing,
};

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

/// The constraints of the contract.
#[derive(Default)]
pub(super) struct Constraints {
    pub(super) table: Vec<Constraint>,
    /// The index of each in the table, by its coordinate.
    pub(super) indices: BTreeMap<String, usize>,
    /// The input objects with constraints on their fields, or on fields of their fields.
    pub(super) inputs: BTreeSet<String>,
}

impl Constraints {
    /// What the generated code checks of an argument or an input field.
    pub(super) fn check(&self, element: Element, ty: &Type) -> Option<Check> {
        let named = ty.inner_named_type().as_str();
        let index = self.indices.get(&element.coordinate()).copied();
        let is_value = matches!(named, "String" | "ID" | "Int" | "Float") || self.inputs.contains(named);
        match index {
            None if !self.inputs.contains(named) => None,
            index => Some(Check { index, is_length_only: !is_value }),
        }
    }
}
