//! Compares two GraphQL schemas and lints one: detects changes that break clients.
//!
#![doc = include_str!("../README.md")]

pub mod annotation;
mod change;
#[cfg(feature = "cli")]
pub mod cli;
mod diff;
mod kind;
pub mod lint;
mod named;
mod names;
pub mod operations;
mod policy;
mod reach;
pub mod report;
mod review;
mod rule;
pub mod usage;
mod without;

pub use self::{
    change::{Change, Level},
    diff::diff,
    kind::ChangeKind,
    policy::Policy,
    review::{Acceptance, Review, Reviewed},
    rule::Rule,
};
