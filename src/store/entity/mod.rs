//! The SeaORM entities of the tables.

pub(super) mod created_vehicle;
pub(super) mod vehicle;
