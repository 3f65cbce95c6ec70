//! GraphQL as specified, in front of any async-graphql schema. It knows neither HTTP nor what the service is about.
#![doc = include_str!("../README.md")]

mod contract;
mod document;
mod error;
mod introspection;
mod json;
mod operation;
mod persisted;
mod request;
mod resolver_context;
mod response;
mod settings;
mod skip_validation;
mod strict;

pub use apollo_compiler::executable::OperationType;

pub use self::{
    document::DocumentStats,
    error::{
        Cause, ErrorCode, ErrorDetails, ExceededLimit, RequestError, RequestErrorKind, errors_to_json, internal_error,
    },
    operation::{AllowedOperations, CostModel, ItemsArgument, Operation, ScopeNames, Scopes},
    persisted::{TrustedDocuments, TrustedMode},
    request::{Prepared, Request},
    resolver_context::ResolverContext,
    settings::{Limits, Settings},
    skip_validation::SkipValidation,
    strict::Strict,
};
