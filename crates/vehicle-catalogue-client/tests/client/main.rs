//! The client against mock servers with scripted responses.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed precondition fails the test")]

mod completeness;
mod contract;
mod support;
mod transport;
