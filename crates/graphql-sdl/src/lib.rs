//! Reads and validates GraphQL schemas, and gives them a canonical form and a hash.
//!
#![doc = include_str!("../README.md")]

pub mod built_in;
mod canonical;
mod constraint;
mod default_values;
mod document;
mod element;
mod federation;
mod introspection;
mod manifest;
mod message;
mod position;
mod problem;
mod reader;
mod rewrite;
mod schema;

pub use self::{
    canonical::Hash,
    constraint::{Constraint, ConstraintProblem, Limit, Measure},
    document::{InvalidValue, causes, contains, invalid_values, is_one_root_field},
    element::Element,
    introspection::INTROSPECTION,
    manifest::{ManifestEntry, read_manifest},
    message::{
        MAX_NESTING, counted, document_diagnostic, excerpt, file_name, is_interpreted, masked_url, missing_selection,
        printable, printable_lines, suggestion, suggestion_for,
    },
    position::{DocumentText, LineIndex, Location, Position, is_graphql_file},
    problem::{Problem, Problems},
    rewrite::executable,
    schema::Schema,
};
