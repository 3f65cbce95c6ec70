//! A prepared operation with the variables of a request.

use std::sync::Arc;

use async_graphql::Variables;

use super::{executable::Executable, merged_operation::MergedOperation};
use crate::cost::ItemsArgument;

/// A prepared operation with the variables of a request.
#[derive(Clone)]
pub(crate) enum Planned {
    /// Planned for the root types that `codegen` generates.
    Generated(Arc<Executable>),
    /// Merged for a schema of async-graphql's.
    Merged(Arc<MergedOperation>),
}

impl Planned {
    /// The number of items that the root fields of a mutation process: those of a list, at most its limit, because a
    /// resolver refuses more, and one for each other field.
    pub(crate) fn items(&self, items: Option<ItemsArgument>, variables: &Variables) -> u64 {
        match self {
            Self::Generated(executable) => executable.items(items, variables),
            Self::Merged(merged) => merged.items(items, variables),
        }
    }
}
