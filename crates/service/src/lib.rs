//! The server, the settings and the commands of a GraphQL service.
#![doc = include_str!("../README.md")]
// The futures of the server nest deeper than the compiler's default allows.
#![recursion_limit = "256"]

mod app;
mod command_line;
mod commands;
mod contract_check;
mod database_failure;
mod definition;
mod error_chain;
mod http;
mod program;
mod settings;

pub use app::{App, StartError};
pub use command_line::{CommandLine, EXIT_CODES, hide_in_short_help, hide_unused_settings, parse};
pub use commands::{
    Command, Failure, HealthArguments, Migrate, Schema, StopSignal, StopSignals, close_database,
    open_database,
};
pub use contract_check::{Drift, Tables, indexes, served, tables};
pub use database_failure::DatabaseFailure;
pub use definition::Definition;
pub use http::{Applications, Http, HttpEndpoint};
pub use program::main;
pub use settings::{
    AuthArguments, DatabaseArguments, GraphqlArguments, HttpArguments, MigrateWhen, Production,
    Settings, TelemetryArguments,
};
