//! Two GraphQL schemas compared, one schema linted: what a change means for its clients.
//!
//! A reviewer of a contract asks one question: can what is merged here break somebody? The answer
//! is a list of [`Change`]s, each with a [`Level`] and the reason for it:
//!
//! ```
//! use contract::{Level, Schema, diff};
//!
//! let old = Schema::parse("old.graphql", "type Query { name: String! age: Int }")?;
//! let new = Schema::parse("new.graphql", "type Query { name: String }")?;
//! let changes = diff(&old, &new);
//! assert_eq!(changes.len(), 2);
//! assert!(changes.iter().all(|change| change.level == Level::Breaking));
//! assert_eq!(changes[0].coordinate, "Query.age");
//! # Ok::<(), contract::Problems>(())
//! ```
//!
//! A command that reports them reads the file of accepted changes if there is one, and fails
//! unless the review passes:
//!
//! ```
//! use contract::{Review, Schema, accepted::Accepted, diff, report};
//!
//! # let accepted_file: Option<&str> = None;
//! # let today = chrono::NaiveDate::default();
//! # let old = Schema::parse("old.graphql", "type Query { name: String! age: Int }")?;
//! # let new = Schema::parse("new.graphql", "type Query { name: String }")?;
//! let changes = diff(&old, &new);
//! let review = match accepted_file {
//!     Some(text) => {
//!         let accepted = Accepted::parse("schema.accepted.toml", text)?;
//!         accepted.review(&old, &new, changes, today)
//!     }
//!     None => Review::of(changes),
//! };
//! let report = report::text(&review, report::Colours::None);
//! assert!(report.ends_with("2 breaking, 0 dangerous, 0 safe\n"));
//! let exit_code = if review.passes() { 0 } else { 1 };
//! # assert_eq!(exit_code, 1);
//! # Ok::<(), contract::Problems>(())
//! ```
//!
//! There are three forms of a report: [`report::text`], [`report::json`] and [`report::markdown`].

pub mod accepted;
mod canonical;
mod change;
mod coordinates;
mod defaults;
mod diff;
mod hash;
mod introspection;
mod kind;
mod level;
pub mod lint;
mod problem;
pub mod report;
mod review;
mod rule;
mod schema;
mod text;

pub use self::{
    canonical::canonical,
    change::Change,
    diff::diff,
    hash::{Hash, NotAHash, hash},
    introspection::INTROSPECTION,
    kind::ChangeKind,
    level::Level,
    problem::{Place, Problem, Problems},
    review::{Acceptance, Review, Reviewed},
    rule::Rule,
    schema::Schema,
};
