//! The middleware of this crate, and the endpoint that each makes of another endpoint.
//!
//! It combines futures instead of awaiting them in an `async fn`, which would store the request, too: every request in
//! flight would take some hundred bytes more for each middleware.

use std::future::{Ready, ready};

use futures_util::{
    FutureExt,
    future::{BoxFuture, Either},
};
use poem::{Endpoint, IntoResponse, Request, Response};

/// What a middleware does before and after an endpoint handles a request.
pub(super) trait Hooks: Clone + Send + Sync {
    /// What `after` needs of the request. It is dropped early if the client disconnects.
    type Context: Send;

    /// Handles the request before the endpoint, which does not get it if this is an error.
    fn before(&self, request: &mut Request) -> poem::Result<Self::Context>;

    /// Handles the response of the endpoint.
    fn after(&self, _context: Self::Context, response: Response) -> Changed<'_> {
        unchanged(response)
    }
}

/// A response, at once or after a while.
pub(super) type Changed<'a> =
    Either<Ready<poem::Result<Response>>, BoxFuture<'a, poem::Result<Response>>>;

/// A response that needs no further changes.
pub(super) fn unchanged<'a>(response: Response) -> Changed<'a> {
    ready(Ok(response)).left_future()
}

/// A middleware that handles a request by calling an endpoint.
pub(super) trait Around: Clone + Send + Sync {
    /// Handles a request.
    fn around<'a, E: Endpoint>(
        &'a self,
        endpoint: &'a E,
        request: Request,
    ) -> impl Future<Output = poem::Result<Response>> + Send;
}

impl<H: Hooks> Around for H {
    fn around<'a, E: Endpoint>(
        &'a self,
        endpoint: &'a E,
        mut request: Request,
    ) -> impl Future<Output = poem::Result<Response>> + Send {
        let context = match self.before(&mut request) {
            Ok(context) => context,
            Err(error) => return ready(Err(error)).left_future(),
        };
        let call = endpoint.call(request);
        let response = call.then(move |result| self.after(context, into_response(result)));
        response.right_future()
    }
}

/// The response, or that of the error.
pub(super) fn into_response<T: IntoResponse>(result: poem::Result<T>) -> Response {
    result.map_or_else(poem::Error::into_response, T::into_response)
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

/// Implements poem's trait, which can be implemented only for single types.
macro_rules! middleware {
    ($name:ty) => {
        impl<E: poem::Endpoint> poem::Middleware<E> for $name {
            type Output = $crate::middleware::Handled<Self, E>;

            fn transform(&self, endpoint: E) -> Self::Output {
                let middleware = self.clone();
                $crate::middleware::Handled {
                    middleware,
                    endpoint,
                }
            }
        }
    };
}

pub(super) use middleware;
