//! How the catalogue is asked: resolvers that fulfil the contract, and the errors clients see.
//!
//! Knows the store and the catalogue; knows nothing of HTTP.

mod contract;
mod cost;
mod document;
mod engine;
mod error_code;
mod failure;
mod identity;
mod permitted;
mod persisted;
mod resolvers;
mod settings;
mod text;
mod truncation;
mod variables;
mod vehicle;

pub use document::{DocumentFigures, DocumentLimits, LimitsMode, OperationKind, Profile};
pub use engine::{Answer, Engine, Outcome};
pub use error_code::{ErrorCode, request_error};
pub use failure::Cause;
pub use identity::{contract, contract_hash};
pub use permitted::{Permitted, Scope, Scopes};
pub use persisted::{PersistedFigures, PersistedQueries, TrustedDocuments, TrustedMode};
pub use settings::{EngineSettings, Introspection};
pub use vehicle::SharedVehicle;

/// The contract: what is served, word for word.
pub const SCHEMA: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/schema.graphql"));
