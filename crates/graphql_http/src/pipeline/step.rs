//! The next step of a GraphQL request after its head.

use engine::{CallerIndex, Permitted, Request};
use poem::{Body, Response};
use tokio::sync::SemaphorePermit;

use super::super::{authorizer::AuthContext, idempotency::HeaderKey};

/// The next step after the head of a request.
pub(super) enum Step<'e> {
    /// Send a response that needs no execution.
    Respond(Response),
    /// Execute the operation in the URL.
    Execute {
        graphql: Box<Request>,
        permitted: Permitted,
        permit: SemaphorePermit<'e>,
        caller: Option<CallerIndex>,
    },
    /// Read the body and execute its operations.
    ReadBody {
        body: Body,
        auth: AuthContext,
        permitted: Permitted,
        key: HeaderKey,
        caller: Option<CallerIndex>,
    },
}
