//! A schema-first GraphQL service for vehicles.

pub mod catalogue;
pub mod store;
