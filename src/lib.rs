//! The vehicle catalogue: a GraphQL service whose contract is `schema.graphql`.
//!
//! In reading order; whatever uses another module stands above it.
//!
//! - [`cli`]: what the command line can ask for
//! - [`app`]: the composition root, the only module that knows every room
//! - [`config`]: every setting, and the only reader of the environment
//! - [`check`]: the proof that the contract, the resolvers and the tables agree
//! - [`telemetry`]: what an operator sees: the log and the metrics
//! - [`readiness`]: whether the service can do its work
//! - [`trusted`]: the files in which an operator lists the trusted documents
//! - [`http`]: how a request is carried
//! - [`access`]: who may ask, and how often
//! - [`graphql`]: how the catalogue is asked
//! - [`transfer`]: how vehicles are written in files
//! - [`store`]: where vehicles are kept
//! - [`trace`]: where a request spends its time
//! - [`catalogue`]: what a vehicle is

pub mod cli;

pub mod app;

pub mod config;

pub mod check;

pub mod telemetry;

pub mod readiness;

pub mod trusted;

pub mod http;

pub mod access;

pub mod graphql;

pub mod transfer;

pub mod store;

pub mod trace;

pub mod catalogue;
