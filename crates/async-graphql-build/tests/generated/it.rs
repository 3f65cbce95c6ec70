//! Generated code, compiled and executed; `build.rs` says what is bound in which contract.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::expect_used,
    reason = "a test has no public API, and fails by panicking"
)]

#[macro_use]
mod contract;

mod bindings;
mod conformance;
mod kitchen_sink;
mod root_values;
#[path = "../served/mod.rs"]
mod served;
#[path = "../../src/support/mod.rs"]
#[allow(
    dead_code,
    unused_imports,
    reason = "the contracts do not use all of it"
)]
mod support;
mod synchronous_resolution;
mod values;

pub use kitchen_sink::model::{Bargain, Day, Holding, Human, Store};
