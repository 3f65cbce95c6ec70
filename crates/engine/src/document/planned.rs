//! A prepared operation with the variables of a request.

use std::sync::Arc;

use async_graphql::{ServerError, Variables};

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
    /// The error of a condition of a root field that is null.
    pub(crate) fn invalid(&self) -> Option<&ServerError> {
        match self {
            Self::Generated(executable) => executable.invalid.as_ref(),
            Self::Merged(merged) => merged.invalid.as_ref(),
        }
    }

    /// The data of an operation that selects only `__typename`.
    pub(crate) fn constant(&self) -> Option<&[u8]> {
        match self {
            Self::Generated(executable) => executable.constant.as_deref(),
            Self::Merged(_) => None,
        }
    }

    /// The number of items that the root fields of a mutation process: those of a list, at most its limit, because a
    /// resolver refuses more, and one for each other field.
    pub(crate) fn items(&self, items: Option<ItemsArgument>, variables: &Variables) -> u64 {
        match self {
            Self::Generated(executable) => executable.items(items, variables),
            Self::Merged(merged) => merged.items(items, variables),
        }
    }
}
