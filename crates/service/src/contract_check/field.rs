//! The fields of the contract that columns store.

use database::Column;
use schema::Schema;

use super::drift::{Drift, located, location};

/// The field of the contract that a column stores.
pub(super) struct Field {
    pub(super) ty: String,
    pub(super) name: String,
}

impl Field {
    /// The column `first_edition` of the table `book` stores `Book.firstEdition`.
    pub(super) fn from_column(column: &Column) -> Self {
        let capitals = |text: &str| -> String {
            let parts = text.split('_').map(|part| {
                let (first, tail) = part.split_at(part.len().min(1));
                first.to_ascii_uppercase() + tail
            });
            parts.collect()
        };
        let name = capitals(&column.name);
        let (first, tail) = name.split_at(name.len().min(1));
        Self {
            ty: capitals(&column.table),
            name: first.to_ascii_lowercase() + tail,
        }
    }

    pub(super) fn drift(&self, contract: &Schema, column: &Column, message: String) -> Drift {
        let field = format!("{}.{}", self.ty, self.name);
        let location = located(contract, location(contract, &field));
        let coordinate = match contract.tree().type_field(&self.ty, &self.name) {
            Ok(_) => field,
            Err(_) => format!("{}.{}", column.table, column.name),
        };
        Drift::of_column(coordinate, location, column, message)
    }
}
