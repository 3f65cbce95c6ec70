//! One difference between two schemas.

use serde::Serialize;

use crate::{ChangeKind, Level, Place};

/// A difference between two schemas, judged.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Change {
    /// The schema coordinate of what changed: `Vehicle.brandName`, `Query.vehicles(count:)`,
    /// `@constraint(max:)`; `schema` for the root types and the directives of the schema itself.
    pub coordinate: String,
    /// What happened.
    pub kind: ChangeKind,
    /// What it means for clients.
    pub level: Level,
    /// What happened, in a sentence.
    pub message: String,
    /// Why it has this level.
    pub reason: &'static str,
    /// Where it stands in the old schema; none if it is not there or came by introspection.
    pub old: Option<Place>,
    /// Where it stands in the new schema; none if it is not there or came by introspection.
    pub new: Option<Place>,
}
