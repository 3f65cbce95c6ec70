//! The vehicle catalogue: a GraphQL service whose contract is `schema.graphql`.
//!
//! Modules in reading order: each one depends only on those below it.
//!
//! - [`commands`]: the command line; each command is a function
//! - [`app`]: the servers; `routes`: what they serve; `start`: what both are made of; `health`: readiness
//! - `observe`: what is recorded of a request; `authorization` and `rate_limit`: who may send one
//! - [`settings`]: the settings
//! - `auth`: tokens; [`telemetry`]: log, metrics and traces
//! - [`transfer`]: import and export of CSV and NDJSON files
//! - [`graphql`]: the resolvers, and the errors that clients receive
//! - [`store`]: the database
//! - [`catalogue`]: the entity, and the rules of its values
//! - `contract`: what the generator makes of the contract

pub mod commands;

pub mod app;

mod routes;

mod start;

mod observe;

mod health;

mod authorization;

mod rate_limit;

pub mod settings;

mod auth;

pub mod telemetry;

pub mod transfer;

pub mod graphql;

pub mod store;

pub mod catalogue;

// The module `contract`, which `build.rs` generates: the traits that the resolvers implement, and the input types.
include!(concat!(env!("OUT_DIR"), "/contract.rs"));
