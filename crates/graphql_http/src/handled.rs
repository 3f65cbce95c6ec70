//! The endpoint that a middleware of this crate makes of another endpoint.

use poem::{Endpoint, Request, Response};

/// A middleware that handles a request by calling an endpoint.
pub(super) trait Around: Clone + Send + Sync {
    /// Handles a request.
    fn around<'a, E: Endpoint>(
        &'a self,
        endpoint: &'a E,
        request: Request,
    ) -> impl Future<Output = poem::Result<Response>> + Send;
}

/// An endpoint with a middleware.
pub struct Handled<M, E> {
    pub(super) middleware: M,
    pub(super) endpoint: E,
}

impl<M: Around, E: Endpoint> Endpoint for Handled<M, E> {
    type Output = Response;

    fn call(&self, request: Request) -> impl Future<Output = poem::Result<Response>> + Send {
        self.middleware.around(&self.endpoint, request)
    }
}
