//! Compares two GraphQL schemas and lints one: detects changes that break clients.
//!
#![doc = include_str!("../README.md")]

pub mod annotation;
mod change;
#[cfg(feature = "cli")]
pub mod cli;
mod diff;
mod directive_name;
mod kind;
mod level;
pub mod lint;
mod named;
pub mod operations;
mod pattern;
mod policy;
mod reach;
pub mod report;
mod review;
mod rule;
mod text;
pub mod usage;
mod without;

pub use self::{
    change::Change,
    diff::diff,
    kind::ChangeKind,
    level::Level,
    policy::Policy,
    review::{Acceptance, Review, Reviewed},
    rule::Rule,
};
