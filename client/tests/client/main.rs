//! The client against servers that do whatever a test wants of them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on fails"
)]

mod contract;
mod exchange;
mod support;
