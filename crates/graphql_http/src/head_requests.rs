//! A middleware that handles HEAD as GET.

use poem::{Body, Request, Response, http::Method};

use super::middleware::{Changed, EarlyResponse, Hooks, hooks};

/// Handles HEAD as GET, without the content of the response: hyper would send it in HTTP/2.
#[derive(Clone, Copy, Debug, Default)]
pub struct HeadRequests;

hooks!(HeadRequests);

impl Hooks for HeadRequests {
    /// Whether the method is HEAD.
    type Context = bool;

    fn before(&self, request: &mut Request) -> Result<bool, EarlyResponse<'_>> {
        let is_head = request.method() == Method::HEAD;
        if is_head {
            request.set_method(Method::GET);
        }
        Ok(is_head)
    }

    fn after(&self, is_head: bool, mut response: Response) -> Changed<'_> {
        if is_head {
            response.set_body(Body::empty());
        }
        response.into()
    }
}
