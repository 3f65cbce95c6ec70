//! The vehicle catalogue: a GraphQL service whose contract is `schema.graphql`.
//!
//! In reading order; an arrow of use only ever points down this list.

/// The composition root: the only module that knows every other one.
pub mod app;
/// What a vehicle is: values that cannot be wrong, and the rules that make them so.
pub mod catalogue;
/// What the command line can ask for: `serve`, `migrate`.
pub mod cli;
/// Every setting, with its flag, variable, default, unit and bound.
pub mod config;
/// How the catalogue is asked: resolvers, error codes, limits.
pub mod graphql;
/// How a request is carried: routes, media types, statuses.
pub mod http;
/// Where vehicles are kept.
pub mod store;
/// Where the log goes.
pub mod telemetry;
