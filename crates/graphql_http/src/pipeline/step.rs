//! The next step of a GraphQL request after its head.

use engine::{Caller, Permitted, Request};
use poem::{Body, Response};
use tokio::sync::SemaphorePermit;

use super::super::{authorizer::AuthContext, idempotency_key::HeaderKey, media_type::ResponseType};

/// The next step after the head of a request.
pub(super) enum Step<'e> {
    /// Send a response that needs no execution.
    Respond(Response),
    /// Execute the operation in the URL.
    Execute(Box<Request>, Head, SemaphorePermit<'e>),
    /// Read the body and execute its operations.
    ReadBody(Body, Head),
}

/// What the head of a request determines for its operations.
pub(super) struct Head {
    pub(super) auth: AuthContext,
    pub(super) permitted: Permitted,
    pub(super) key: HeaderKey,
    /// `None` if use is not recorded.
    pub(super) caller: Option<Caller>,
    pub(super) response_type: ResponseType,
}
