//! A typed client of the vehicle catalogue service, checked against `schema.graphql` at compile time.
//!
#![doc = include_str!("../README.md")]

mod builder;
mod client;
mod error;
mod error_response;
mod manifest;
mod operations;
mod response;
mod retry;
mod transport;
mod verify;

pub use self::{
    builder::Builder,
    client::{Page, Vehicles},
    error::{BuildError, Effect, Error, ErrorKind},
    error_response::{Conflict, ErrorCode, ErrorResponse, GraphqlError, Limit, Violation},
    manifest::Manifest,
    operations::{FieldChange, NewVehicle, PageArguments, Vehicle, VehicleChanges, VehicleFilter, VehicleOrder},
    response::{Response, TruncatedList},
    retry::RetryPolicy,
    transport::CatalogueClient,
    verify::{ContractError, Verified},
};
pub use cynic::{self, GraphQlErrorPathSegment as PathSegment};

/// The contract that the client is compiled with.
pub const SCHEMA: &str = include_str!("../../../schema.graphql");

/// The types of the contract, against which cynic's derives check fragments.
#[allow(missing_docs, reason = "cynic generates it")]
#[cynic::schema("catalogue")]
pub mod schema {}
