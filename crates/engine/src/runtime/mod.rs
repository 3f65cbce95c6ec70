//! The runtime that generated contracts call: plans, plain types as JSON, arguments, resolvers.

mod context;
mod input;
mod json;
mod plan;
mod planner;
mod resolve;
mod writer;

pub use apollo_compiler::executable::SelectionSet;
pub use async_graphql::{ServerResult, Value};

pub use self::{
    context::Context,
    input::{Input, InputError, Scalar, enum_value, member, members, only_member},
    plan::{Id, Object, Plain, Plan, Planned, Step, Text, write_object},
    planner::Planner,
    resolve::{At, NoMutation, Resolve, Resolvers, resolve},
    writer::JsonWriter,
};
pub(crate) use self::{
    context::RequestState,
    input::constant,
    json::{JsonKey, write_text},
    planner::{CollectedFields, PlanSize, literal},
    resolve::resolve_steps,
};

#[cfg(test)]
mod tests;
