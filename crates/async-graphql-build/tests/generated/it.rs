//! Generated code, compiled and executed; `build.rs` says what is bound in which contract.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::expect_used,
    reason = "a test has no public API, and fails by panicking"
)]

mod bindings;
mod conformance;
mod constraints;
mod kitchen_sink;
mod root_values;
mod served;
mod several;
mod synchronous_resolution;
mod values;

pub use kitchen_sink::model::{Day, Human, Store};
