//! Logs, metrics and traces of a GraphQL service.
//!
#![doc = include_str!("../README.md")]

pub mod log;
pub mod metrics;
pub mod trace;
