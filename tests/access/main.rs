//! Who is let in, through the started program: tokens, their keys, and how often a caller may ask.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on fails"
)]

mod authentication;
mod keys;
mod rate;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../life/running.rs"]
mod running;
mod service;
mod signing;
mod tokens;
