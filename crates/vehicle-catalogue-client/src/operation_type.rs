//! The types of operations, which determine the effect of a failure and whether to retry.

use crate::error::Effect;

/// Whether an operation may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OperationType {
    Query,
    Mutation,
    /// Executed at most once for its idempotency key.
    MutationWithKey,
}

impl OperationType {
    /// The effect of a failure after the request was sent.
    pub(crate) fn effect_once_sent(self) -> Effect {
        match self {
            Self::Query => Effect::Nothing,
            Self::Mutation | Self::MutationWithKey => Effect::Unknown,
        }
    }

    /// Whether sending it twice has the same effect as sending it once.
    pub(crate) fn is_repeatable(self) -> bool {
        matches!(self, Self::Query | Self::MutationWithKey)
    }
}
