//! Reads and validates GraphQL schemas, and gives them a canonical form and a hash.
//!
#![doc = include_str!("../README.md")]

pub mod built_in;
mod canonical;
mod causes;
mod constraint;
mod default_values;
mod document_text;
mod element;
mod federation;
mod hash;
mod introspection;
mod line_index;
mod manifest;
mod message;
mod problem;
mod reader;
mod rewrite;
mod schema;
mod source;
mod subscription;
mod values;

pub use self::{
    causes::{causes, contains},
    constraint::{Constraint, ConstraintProblem, Limit, Measure},
    document_text::DocumentText,
    element::Element,
    hash::Hash,
    introspection::INTROSPECTION,
    line_index::{LineIndex, Position},
    manifest::{ManifestEntry, read_manifest},
    message::{
        MAX_NESTING, counted, document_diagnostic, excerpt, file_name, is_interpreted, masked_url, missing_selection,
        printable, printable_lines, suggestion, suggestion_for,
    },
    problem::{Location, Problem, Problems},
    rewrite::executable,
    schema::Schema,
    source::is_graphql_file,
    subscription::is_one_root_field,
    values::{InvalidValue, invalid_values},
};
