//! Compares two GraphQL schemas and lints one: detects changes that break clients.
//!
#![doc = include_str!("../README.md")]

pub mod accepted;
pub mod annotation;
pub mod annotation_formats;
mod change;
#[cfg(feature = "cli")]
pub mod cli;
mod diff;
mod directive_name;
mod format;
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
mod toml_reader;
pub mod usage;

pub use self::{
    change::Change,
    diff::diff,
    kind::ChangeKind,
    level::Level,
    policy::Policy,
    review::{Acceptance, Review, Reviewed},
    rule::Rule,
};
