//! What the lowering reads, and the problems that it collects.

use std::collections::{BTreeMap, BTreeSet};

use apollo_compiler::{Name, Schema, ast::Type, parser::SourceSpan};
use graphql_sdl::{Element, Location, Position, Problems};

use crate::{bindings::Bindings, model::Constraint, names::Names, reachability::Boxing};

pub(super) struct Lowering<'a> {
    pub(super) source: &'a graphql_sdl::Schema,
    pub(super) schema: &'a Schema,
    pub(super) bindings: &'a Bindings,
    pub(super) names: Names,
    pub(super) roots: BTreeSet<String>,
    pub(super) boxing: Boxing,
    pub(super) constraints: Constraints,
    /// The types with resolvers, each with the reason.
    pub(super) resolved: BTreeMap<String, String>,
    /// The root type of subscriptions.
    pub(super) subscription: Option<Name>,
    /// Objects that need a Rust type and have none, each with a message.
    pub(super) unbound_objects: Vec<(Name, String)>,
    /// The same of scalars.
    pub(super) unbound_scalars: Vec<(Name, String)>,
    pub(super) problems: Problems,
}

impl Lowering<'_> {
    /// The location of a part of a file. Built-in definitions, which have none, are not lowered.
    pub(super) fn location(&self, span: Option<SourceSpan>) -> Location {
        let location = self.source.location(span);
        location.unwrap_or_else(|| Location { file: self.source.name().into(), position: Position::default() })
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
    /// What the generated code checks an argument or an input field against.
    pub(super) fn of(&self, element: Element, ty: &Type) -> Option<String> {
        match self.indices.get(&element.coordinate()) {
            Some(index) => Some(format!("CONSTRAINTS[{index}].1")),
            None if self.inputs.contains(ty.inner_named_type().as_str()) => {
                Some("support::Constraint::NONE".to_owned())
            }
            None => None,
        }
    }
}
