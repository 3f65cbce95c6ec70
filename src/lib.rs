//! The vehicle catalogue: a GraphQL service whose contract is `schema.graphql`.
//!
//! Modules in reading order: each one depends only on those below it.
//!
//! - [`cli`]: the commands
//! - [`app`]: the composition root, the only module that depends on every other one
//! - [`settings`]: every setting
//! - [`contract_check`]: checks that the contract, the resolvers and the tables agree
//! - [`graphql`]: the GraphQL engine and resolvers
//! - [`import_export`]: the CSV and NDJSON files of vehicles
//! - [`store`]: the database
//! - [`catalogue`]: the domain types of vehicles

// The futures of the server nest deeper than the compiler's default allows.
#![recursion_limit = "256"]

pub mod cli;

pub mod app;

pub mod settings;

pub mod contract_check;

pub mod graphql;

pub mod import_export;

pub mod store;

pub mod catalogue;
