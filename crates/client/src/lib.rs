//! A typed client of the vehicle catalogue service, checked against `schema.graphql` at compile time.
//!
//! ```no_run
//! use std::pin::pin;
//!
//! use futures_util::TryStreamExt;
//! use vehicle_catalogue_client::{CatalogueClient, NewVehicle, PageArguments};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let client = CatalogueClient::builder("http://127.0.0.1:8000/graphql").build()?;
//! client.verify_contract().await?;
//! let created = client.create_vehicle(NewVehicle::new("SUV", "XC60")).await?;
//! let found = client.vehicle(created.id).await?;
//! let first_ten = client.vehicles(10).await?.vehicles;
//! let mut pages = pin!(client.vehicles_pages(PageArguments::default()));
//! while let Some(page) = pages.try_next().await? {
//!     println!("{} vehicles", page.vehicles.len());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Errors
//!
//! Every failure is an [`Error`]: a transport error, a response with GraphQL errors, or a response that
//! cannot be decoded. GraphQL errors have a code and the violations of the input rules:
//!
//! ```no_run
//! # use vehicle_catalogue_client::{CatalogueClient, Effect, ErrorCode, NewVehicle};
//! # async fn example(client: CatalogueClient, new_vehicle: NewVehicle) {
//! match client.create_vehicle(new_vehicle).await {
//!     Ok(vehicle) => println!("{}", vehicle.id.inner()),
//!     Err(error) => match error.error_response() {
//!         Some(response) if *response.code() == ErrorCode::BadUserInput => {
//!             for violation in response.violations() {
//!                 println!("{}: {}", violation.argument, violation.message);
//!             }
//!         }
//!         _ if error.effect() == Effect::Unknown => println!("check whether it was stored"),
//!         _ => println!("nothing was stored: {error}"),
//!     },
//! }
//! # }
//! ```
//!
//! # Queries of your own
//!
//! They are cynic fragments, checked against your copy of the contract, and may contain [`Vehicle`]:
//!
//! ```
//! use vehicle_catalogue_client::{CatalogueClient, Error, Vehicle, cynic::{self, Id, QueryBuilder}};
//!
//! #[derive(cynic::QueryVariables)]
//! #[cynic(schema_module = "vehicle_catalogue_client::schema")]
//! struct PairVariables {
//!     one: Id,
//!     other: Id,
//! }
//!
//! #[derive(cynic::QueryFragment)]
//! #[cynic(
//!     graphql_type = "Query",
//!     variables = "PairVariables",
//!     schema_path = "../../schema.graphql",
//!     schema_module = "vehicle_catalogue_client::schema"
//! )]
//! struct Pair {
//!     #[arguments(id: $one)]
//!     #[cynic(alias, rename = "vehicle")]
//!     one: Option<Vehicle>,
//!     #[arguments(id: $other)]
//!     #[cynic(alias, rename = "vehicle")]
//!     other: Option<Vehicle>,
//! }
//!
//! async fn pair(client: &CatalogueClient, variables: PairVariables) -> Result<Pair, Error> {
//!     Ok(client.query(Pair::build(variables)).await?.data)
//! }
//! ```
//!
//! [`CatalogueClient::verify_contract_of`] compares that copy with the running service, and
//! [`Manifest`] lists the operations for a service that executes only trusted documents.

mod builder;
mod client;
mod error;
mod error_response;
mod manifest;
pub mod operations;
mod pages;
mod response;
mod retry;
mod tls;
mod transport;
mod verify;

pub use self::{
    builder::{Builder, CallSource},
    client::{CatalogueClient, Vehicles},
    error::{
        BuildError, DecodeError, DecodeErrorKind, Effect, Error, TransportError, TransportErrorKind,
    },
    error_response::{
        Conflict, ErrorCode, ErrorResponse, GraphqlError, Limit, PathSegment, Violation,
    },
    manifest::Manifest,
    operations::{
        FieldChange, NewVehicle, PageArguments, Vehicle, VehicleChanges, VehicleFilter,
        VehicleOrder,
    },
    pages::Page,
    response::{Response, TruncatedList},
    retry::RetryPolicy,
    verify::{BreakingChanges, ContractError},
};
pub use cynic;
pub use review::{Change, Level};

/// The contract that the client is compiled with.
pub const SCHEMA: &str = include_str!("../../../schema.graphql");

/// The types of the contract, against which cynic's derives check fragments.
#[allow(missing_docs, reason = "cynic generates it")]
#[cynic::schema("catalogue")]
pub mod schema {}
