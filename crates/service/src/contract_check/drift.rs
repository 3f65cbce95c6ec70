//! The differences that the checks report.

use database::Column;
use schema::{Location, Schema, file_name};
use serde::Serialize;

/// A difference between the contract and the served schema, or the contract and the database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Drift {
    /// The schema coordinate, a column without a field, or the name of a migration or an index.
    pub coordinate: String,
    /// The location in the contract: `schema.graphql:12:3`.
    pub contract: String,
    /// The other side: `the served schema, Query.books`, or `the column book.title`.
    pub elsewhere: String,
    /// What differs, and how to fix it.
    pub message: String,
}

impl Drift {
    /// A difference between a part of the contract and a column.
    pub(super) fn of_column(
        coordinate: String,
        contract: String,
        column: &Column,
        message: String,
    ) -> Self {
        Self {
            coordinate,
            contract,
            elsewhere: format!("the column {}.{}", column.table, column.name),
            message,
        }
    }
}

/// The location, or the name of the contract if there is none.
pub(super) fn located(contract: &Schema, location: Option<Location>) -> String {
    location.map_or_else(
        || file_name(contract.name()).into_owned(),
        |location| location.to_string(),
    )
}

/// The location of a coordinate in the contract, or of the innermost existing part around it.
pub(super) fn location(contract: &Schema, coordinate: &str) -> Option<Location> {
    let tree = contract.tree();
    let (ty, field) = coordinate.split_once('.').unwrap_or((coordinate, ""));
    let field = field.split('(').next().unwrap_or_default();
    let type_span = tree.types.get(ty).and_then(|ty| ty.name().location());
    let span = match tree.type_field(ty, field) {
        Ok(field) => field.name.location(),
        Err(_) => type_span,
    };
    contract.location(span)
}
