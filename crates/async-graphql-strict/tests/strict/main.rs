//! [`async_graphql_strict::Strict`] in front of schemas that were written by hand.

#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::unused_async,
    reason = "a test fails by panicking; async-graphql resolves fields by asynchronous methods"
)]

mod documents;
mod errors;
mod introspection;
mod limits;
mod persisted;
mod subscriptions;
mod support;
mod variables;
