//! Skips the validation of documents that are valid.

use std::sync::Arc;

use async_graphql::{
    CacheControl, ServerError, ValidationResult,
    async_trait::async_trait,
    extensions::{Extension, ExtensionContext, ExtensionFactory, NextValidation},
};

use crate::resolver_context::OperationRecord;

/// An extension of a schema behind [`Strict`](crate::Strict). async-graphql validates each request again, also in the mode
/// [`Fast`](async_graphql::ValidationMode::Fast), which takes longer than the execution of a small operation. Requests
/// that do not come from `Strict` are validated.
#[derive(Clone, Copy, Debug, Default)]
pub struct SkipValidation;

impl ExtensionFactory for SkipValidation {
    fn create(&self) -> Arc<dyn Extension> {
        Arc::new(Self)
    }
}

#[async_trait]
impl Extension for SkipValidation {
    async fn validation(
        &self,
        ctx: &ExtensionContext<'_>,
        next: NextValidation<'_>,
    ) -> Result<ValidationResult, Vec<ServerError>> {
        if ctx.data_opt::<Arc<OperationRecord>>().is_none() {
            return next.run(ctx).await;
        }
        Ok(ValidationResult { cache_control: CacheControl::default(), complexity: 0, depth: 0 })
    }
}
