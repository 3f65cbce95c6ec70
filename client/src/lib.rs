//! Typed queries for the vehicle catalogue service: what compiles here fits `schema.graphql`.
//!
//! ```no_run
//! use vehicle_catalogue_client::{CatalogueClient, NewVehicle};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let client = CatalogueClient::builder("http://127.0.0.1:8000/graphql").build()?;
//! client.verify_contract().await?;
//! let created = client.create_vehicle(NewVehicle::new("SUV", "XC60")).await?;
//! let found = client.vehicle(created.id).await?;
//! let first_ten = client.vehicles(10).await?.vehicles;
//! # Ok(())
//! # }
//! ```
//!
//! # Errors
//!
//! No answer, a refusal, and an answer of another form are one type, [`Error`]. A refusal has the
//! code and the broken arguments of the contract:
//!
//! ```no_run
//! # use vehicle_catalogue_client::{CatalogueClient, Code, Effect, NewVehicle};
//! # async fn example(client: CatalogueClient, new_vehicle: NewVehicle) {
//! match client.create_vehicle(new_vehicle).await {
//!     Ok(vehicle) => println!("{}", vehicle.id.inner()),
//!     Err(error) => match error.refused() {
//!         Some(refused) if *refused.code() == Code::BadUserInput => {
//!             for violation in refused.violations() {
//!                 println!("{}: {}", violation.argument, violation.message);
//!             }
//!         }
//!         _ if error.effect() == Effect::Unknown => println!("look whether it was stored"),
//!         _ => println!("nothing was stored: {error}"),
//!     },
//! }
//! # }
//! ```
//!
//! # Queries of your own
//!
//! They are cynic's, checked against your copy of the contract, and may contain [`Vehicle`]:
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
//!     schema_path = "../schema.graphql",
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
//! [`CatalogueClient::verify_contract_of`] compares the same copy with the running service, and
//! [`Manifest`] writes such operations out for a service that executes only those it knows.

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
