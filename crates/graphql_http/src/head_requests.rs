//! A middleware that handles HEAD as GET.

use poem::{
    Body, Request, Response,
    http::{HeaderValue, Method, StatusCode, header},
};

use super::{
    content::content_size,
    middleware::{Changed, EarlyResponse, Hooks, hooks},
};

/// Handles HEAD as GET. The response has the headers of that to GET, including `Content-Length`, and no content (RFC 9110,
/// section 9.3.2). poem's routes drop the length.
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

    fn after(&self, is_head: bool, response: Response) -> Changed<'_> {
        Changed::Now(if is_head {
            without_content(response)
        } else {
            response
        })
    }
}

fn without_content(mut response: Response) -> Response {
    let length = content_size(&mut response);
    response.set_body(Body::empty());
    let never_has_content =
        [StatusCode::NO_CONTENT, StatusCode::NOT_MODIFIED].contains(&response.status());
    if let Some(length) = length
        && !never_has_content
    {
        let length = HeaderValue::from(length);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_LENGTH, length);
    }
    response
}
