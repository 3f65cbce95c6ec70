//! Support for the tests and benchmarks of a service.
#![doc = include_str!("../README.md")]
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test that cannot continue panics, and logs are printed when it does"
)]

mod context;
mod databases;
mod gate;
mod harness;
pub mod http;
pub mod http2;
mod log;
pub mod npm;
mod program;
mod started;
mod variables;
mod wait;

pub use context::{Context, FromContext};
pub use databases::{Backend, Databases, Extras, OwnServer, TestDatabase, connect, free_port, is_ready};
pub use gate::Concurrency;
pub use harness::{Group, Harness, Module, Test};
pub use program::{CommandOutput, Program};
pub use started::{Running, Started};
pub use variables::{is_required, variable};
pub use wait::{TIMEOUT, until, wait_until};

#[doc(hidden)]
pub use context::run;
