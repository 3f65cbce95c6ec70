//! What generated code needs beside async-graphql: values without resolvers are written as JSON text by one loop, and
//! objects with resolvers are executed as the GraphQL specification says (section 6).
//!
//! async-graphql 7.0.19 takes a nullable field that failed for a non-null one, and replaces the path of an error in a list.
//! (7.1 and 7.2 also execute the fields of nested objects in the order of completion and leave out those that failed:
//! <https://github.com/async-graphql/async-graphql/issues/1746>.) [`resolve_object`] and [`Complete`] do not. They need items
//! that its documentation hides:
//! `query_env.fragments`, `item`, `with_field`, `with_index` and `create_context`; the traits name `Registry`, and those of
//! subscriptions `futures_util`. [`register`] uses what the derives register.

mod complete;
mod constraints;
mod events;
mod json;
mod omitted;
mod registered;
mod resolving;
mod selections;
mod served;
mod write_json;

pub use self::{
    complete::{Complete, nullable, resolve_object},
    constraints::{Checking, Constrained, Constraint, ParseText, Unchecked, Violation, Violations},
    events::{Completed, Json, events},
    json::{ResponseBytes, written},
    registered::{FieldInfo, TypeInfo, register, register_fields},
    resolving::{Resolving, applied, argument, completed_field, default_scalar, guarded, written_field},
    selections::Selections,
    served::{Described, DirectiveInfo, Served, build},
    write_json::{JsonWriter, Plan, Text, WriteJson, plan_object, write_object},
};
