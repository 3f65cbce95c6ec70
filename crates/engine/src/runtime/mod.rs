//! The runtime that generated contracts call: plans, plain types as JSON, arguments, resolvers.

mod context;
mod input;
mod json;
mod path;
mod plain;
mod plan;
mod planner;
mod request_state;
mod resolve;
mod writer;

pub use apollo_compiler::executable::SelectionSet;
pub use async_graphql::{ServerResult, Value};

pub use self::{
    context::Context,
    input::{Input, InputError, Scalar, enum_value, member, members, only_member},
    plain::{Id, Plain, Text, write_object},
    plan::{Plan, Step},
    planner::{Object, Planned, Planner},
    resolve::{At, NoMutation, Resolve, Resolvers, resolve},
    writer::JsonWriter,
};
pub(crate) use self::{
    input::constant,
    json::{JsonKey, write_text},
    planner::{CollectedFields, PlanSize, includes, literal, null_argument},
    request_state::RequestState,
    resolve::{Root, resolve_steps},
};

#[cfg(test)]
mod tests;
