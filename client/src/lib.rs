//! Typed queries for the vehicle catalogue service.

pub mod operations;

/// The contract as types, against which cynic's derives check fragments.
#[allow(missing_docs, reason = "cynic generates it")]
#[cynic::schema("catalogue")]
pub mod schema {}
