//! The GraphQL API: the resolvers that implement the contract, and the errors that clients receive.
//!
//! Knows the store and the catalogue; knows nothing of HTTP.

mod contract;
mod creation;
mod failure;
mod page;
mod resolvers;
mod service;
mod vehicle;

use engine::Contract;

pub use contract::SDL as SERVED_SDL;
pub use page::{PagedVehicle, VehiclePage};
pub use service::engine;
pub use vehicle::SharedVehicle;

/// The SDL of the contract.
pub const SCHEMA: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/schema.graphql"));

/// The contract.
pub static CONTRACT: Contract = Contract::new("schema.graphql", SCHEMA);
