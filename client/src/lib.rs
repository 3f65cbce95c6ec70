//! Typed queries for the vehicle catalogue service.

mod answer;
mod builder;
mod client;
mod error;
mod exchange;
mod manifest;
pub mod operations;
mod refused;
mod retries;
mod tls;
mod verify;

pub use self::{
    answer::{Answer, Truncated},
    builder::{Builder, CallSource},
    client::{CatalogueClient, Vehicles},
    error::{BuildError, Decoding, DecodingCause, Effect, Error, Transport, TransportCause},
    manifest::Manifest,
    operations::{NewVehicle, Vehicle},
    refused::{Code, Limit, PathSegment, Reason, Refused, Violation},
    retries::Retries,
    verify::{Broken, ContractError},
};
pub use contract::{Change, Level};
pub use cynic;

/// The contract that this client was compiled with.
pub const SCHEMA: &str = include_str!("../../schema.graphql");

/// The contract as types, against which cynic's derives check fragments.
#[allow(missing_docs, reason = "cynic generates it")]
#[cynic::schema("catalogue")]
pub mod schema {}
