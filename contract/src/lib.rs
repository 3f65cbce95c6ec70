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

mod canonical;
mod change;
mod diff;
mod introspection;
mod kind;
mod level;
pub mod lint;
mod problem;
mod rule;
mod schema;

pub use self::{
    canonical::{Hash, NotAHash, canonical, hash},
    change::Change,
    diff::diff,
    kind::ChangeKind,
    level::Level,
    problem::{Place, Problem, Problems},
    rule::Rule,
    schema::Schema,
};
