//! The GraphQL API: the resolvers that implement the contract, and the errors that clients receive.
//!
//! Knows the store and the catalogue; knows nothing of HTTP.

mod creation;
mod failure;
mod page;
mod resolvers;
mod service;
mod vehicle;

pub use contract::SDL as SERVED_SDL;
pub use page::{PagedVehicle, VehiclePage};
pub use service::{CONTRACT, engine};
pub use vehicle::SharedVehicle;

// The module `contract`, which `build.rs` generates: the traits that the resolvers implement.
include!(concat!(env!("OUT_DIR"), "/contract.rs"));
