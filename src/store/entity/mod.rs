//! The rows of the database, as SeaORM sees them.

pub(super) mod vehicle;
