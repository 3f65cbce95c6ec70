//! The middleware of this crate, and the endpoint that each makes of another endpoint.
//!
//! Futures are combined instead of awaited in an `async fn`, which would store the request, too: every request in flight
//! would take some hundred bytes more for each middleware. Several [`Hooks`] are one endpoint ([`Inside`]), since each
//! endpoint moves the request, the response and the futures of those inside it.

use std::future::{Ready, ready};

use futures_util::{
    FutureExt,
    future::{BoxFuture, Either},
};
use poem::{Endpoint, IntoResponse, Request, Response};

/// What a middleware does before and after an endpoint handles a request.
pub(super) trait Hooks: Clone + Send + Sync {
    /// What `after` needs of the request. It is dropped early if the client disconnects.
    type Context: Send + 'static;

    /// Handles the request before the endpoint, which does not get it if this is a response.
    fn before(&self, request: &mut Request) -> Result<Self::Context, EarlyResponse<'_>>;

    /// Handles the response of the endpoint.
    fn after(&self, _context: Self::Context, response: Response) -> Changed<'_> {
        response.into()
    }
}

/// A response, at once or after a while.
pub(super) enum Changed<'a> {
    Now(Response),
    Later(BoxFuture<'a, poem::Result<Response>>),
}

impl<'a> Changed<'a> {
    pub(super) fn later(
        response: impl Future<Output = poem::Result<Response>> + Send + 'a,
    ) -> Self {
        Self::Later(response.boxed())
    }

    /// This response, handled by the hooks outside of those that made it.
    fn handled_by<O: Hooks>(self, outer: &'a O, context: O::Context) -> Self {
        match self {
            Self::Now(response) => outer.after(context, response),
            Self::Later(response) => Self::later(
                response.then(|result| outer.after(context, into_response(result)).future()),
            ),
        }
    }

    fn future(
        self,
    ) -> Either<Ready<poem::Result<Response>>, BoxFuture<'a, poem::Result<Response>>> {
        match self {
            Self::Now(response) => ready(Ok(response)).left_future(),
            Self::Later(response) => response.right_future(),
        }
    }
}

/// A response to a request that the endpoint does not get.
pub(super) type EarlyResponse<'a> = Box<Changed<'a>>;

impl<T: IntoResponse> From<T> for EarlyResponse<'_> {
    fn from(response: T) -> Self {
        Self::new(response.into())
    }
}

impl<T: IntoResponse> From<T> for Changed<'_> {
    fn from(response: T) -> Self {
        Self::Now(response.into_response())
    }
}

/// Some hooks inside others, as one middleware.
#[derive(Clone)]
pub struct Inside<I, O> {
    pub(super) inner: I,
    pub(super) outer: O,
}

impl<I: Hooks, O: Hooks> Hooks for Inside<I, O> {
    type Context = (I::Context, O::Context);

    fn before(&self, request: &mut Request) -> Result<Self::Context, EarlyResponse<'_>> {
        let outer = self.outer.before(request)?;
        match self.inner.before(request) {
            Ok(inner) => Ok((inner, outer)),
            Err(response) => Err(EarlyResponse::new(response.handled_by(&self.outer, outer))),
        }
    }

    fn after(&self, (inner, outer): Self::Context, response: Response) -> Changed<'_> {
        let response = self.inner.after(inner, response);
        response.handled_by(&self.outer, outer)
    }
}

/// Hooks that a setting can switch off.
impl<H: Hooks> Hooks for Option<H> {
    type Context = Option<H::Context>;

    fn before(&self, request: &mut Request) -> Result<Self::Context, EarlyResponse<'_>> {
        let context = self.as_ref().map(|hooks| hooks.before(request));
        context.transpose()
    }

    fn after(&self, context: Self::Context, response: Response) -> Changed<'_> {
        match self.as_ref().zip(context) {
            Some((hooks, context)) => hooks.after(context, response),
            None => response.into(),
        }
    }
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
            Err(response) => return response.future().left_future(),
        };
        let call = endpoint.call(request);
        let response = call.then(move |result| self.after(context, into_response(result)).future());
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
    ($name:ident $(<$($parameter:ident),*>)?) => {
        impl<E: poem::Endpoint $(, $($parameter: $crate::middleware::Hooks),*)?> poem::Middleware<E>
            for $name $(<$($parameter),*>)?
        {
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

/// A middleware that can be inside another one.
macro_rules! hooks {
    ($name:ident $(<$($parameter:ident),*>)?) => {
        $crate::middleware::middleware!($name $(<$($parameter),*>)?);

        impl $(<$($parameter),*>)? $name $(<$($parameter),*>)? {
            /// This middleware inside another one, as one. It is faster than two, since the request is not moved between
            /// them.
            #[must_use]
            pub fn inside<Outer>(self, outer: Outer) -> $crate::middleware::Inside<Self, Outer> {
                let inner = self;
                $crate::middleware::Inside { inner, outer }
            }
        }
    };
}

pub(super) use {hooks, middleware};

hooks!(Inside<I, O>);
