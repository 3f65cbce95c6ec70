//! One difference between two schemas.

use graphql_sdl::Location;
use serde::Serialize;

use crate::{ChangeKind, Level};

/// A difference between two schemas, with its level.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Change {
    /// The schema coordinate of what changed: `Book.title`, `Query.books(first:)`,
    /// `@constraint(max:)`; `schema` for the root types and the directives of the schema itself.
    pub coordinate: String,
    /// What happened.
    pub kind: ChangeKind,
    /// How much it affects clients.
    pub level: Level,
    /// What happened, in a sentence.
    pub message: String,
    /// Why it has this level.
    pub reason: &'static str,
    /// The location in the old schema; `None` if absent there or read by introspection.
    pub old: Option<Location>,
    /// The location in the new schema; `None` if absent there or read by introspection.
    pub new: Option<Location>,
}
