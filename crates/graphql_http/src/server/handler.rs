//! What handles the requests of a listener.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use poem::{Request, Response};

use crate::{metadata::RequestMetadata, unsent::UnsentResponses};

/// Handles requests, boxed since they are passed on several times. Dropping the future abandons the request.
pub(crate) trait Handler: Send + Sync + 'static {
    fn handle<'h>(
        &'h self,
        request: Box<Request>,
        metadata: Box<RequestMetadata>,
        unsent: &'h Arc<UnsentResponses>,
    ) -> BoxFuture<'h, Response>;
}
