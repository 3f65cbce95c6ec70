//! The proof that the contract is true: the file, what the resolvers serve, and the tables of the
//! database say the same.

mod served;
mod tables;

use contract::Schema;
use serde::Serialize;

pub use served::{served, served_sdl};
pub use tables::{Tables, columns, tables};

/// A place where the contract and the program, or the contract and the database, do not agree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Drift {
    /// What it is about: a schema coordinate, or the name of a migration.
    pub coordinate: String,
    /// Where the contract speaks of it: `schema.graphql:12:3`.
    pub contract: String,
    /// The other place: `what the resolvers serve, Query.vehicles`, or `the column vehicle.type`.
    pub elsewhere: String,
    /// What does not agree, and what to do.
    pub message: String,
}

/// Where the contract speaks of a coordinate, or of the nearest thing around it that it has.
fn place(contract: &Schema, coordinate: &str) -> String {
    let tree = contract.tree();
    let (ty, rest) = coordinate.split_once('.').unwrap_or((coordinate, ""));
    let field = rest.split('(').next().unwrap_or_default();
    let around = tree.types.get(ty).and_then(|ty| ty.name().location());
    let span = match tree.type_field(ty, field) {
        Ok(field) => field.name.location(),
        Err(_) => around,
    };
    let place = contract.place(span);
    place.map_or_else(|| contract.name().to_owned(), |place| place.to_string())
}
