//! Checks that the contract, the schema that the resolvers serve and the tables of the database
//! agree.

mod constraints;
mod drift;
mod field;
mod served;
mod tables;

pub use drift::Drift;
pub use served::served;
pub(crate) use tables::columns;
pub use tables::{Tables, indexes, tables};
