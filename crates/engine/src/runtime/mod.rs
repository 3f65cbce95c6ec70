//! What introspection needs.

mod json;
mod planner;

pub(crate) use self::{json::write_text, planner::Planner};
