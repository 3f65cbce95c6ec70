//! The engine of a GraphQL service. It knows neither HTTP nor what the service is about.
#![doc = include_str!("../README.md")]

mod completion;
mod conditions;
mod contract;
mod coordinates;
mod cost;
mod document;
mod dyn_executor;
mod engine;
mod error_code;
mod error_facts;
mod execute;
mod executor;
mod idempotency;
mod introspection;
mod json;
mod literal;
mod masked;
mod merged_operation;
mod operation_info;
mod permitted;
mod persisted;
mod position;
mod prepare;
mod quote;
mod request;
mod request_state;
mod response;
mod settings;
mod skip_validation;
#[cfg(test)]
mod testing;
mod trusted_files;
mod variables;

pub use apollo_compiler::executable::OperationType;
pub use contract::Contract;
pub use cost::{CostModel, ItemsArgument};
pub use document::{DocumentLimits, DocumentStats};
pub use engine::Engine;
pub use error_code::ErrorCode;
pub use error_facts::{Cause, ErrorFacts, ExceededLimit};
pub use executor::EngineExecutor;
pub use idempotency::{FieldKey, IdempotencyKey};
pub use introspection::Introspection;
pub use masked::masked;
pub use operation_info::OperationInfo;
pub use permitted::{Permitted, ScopeNames, Scopes};
pub use persisted::{PersistedQueries, PersistedStats, TrustedDocuments, TrustedMode};
pub use request::{PreparedRequest, Request};
pub use request_state::ResolverContext;
pub use response::{EngineResponse, Outcome, errors_to_json};
pub use settings::{EngineSettings, ParseSpan};
pub use skip_validation::SkipValidation;
pub use trusted_files::{UnreadableDocuments, read_trusted_documents};
