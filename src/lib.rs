//! The vehicle catalogue: a GraphQL service whose contract is `schema.graphql`.
//!
//! Modules in reading order: each one depends only on those below it.
//!
//! - [`cli`]: the command line, and the commands that only this service has
//! - [`definition`](mod@definition): what the crate `service` has to know of this service
//! - [`app`]: the routes and the middleware of the HTTP server
//! - [`settings`]: the settings
//! - [`graphql`]: the GraphQL engine and resolvers
//! - [`import_export`]: the CSV and NDJSON files of vehicles
//! - [`store`]: the database
//! - [`catalogue`]: the domain types of vehicles

// The futures of the server nest deeper than the compiler's default allows.
#![recursion_limit = "256"]

pub mod cli;

pub mod definition;

pub mod app;

pub mod settings;

pub mod graphql;

pub mod import_export;

pub mod store;

pub mod catalogue;
