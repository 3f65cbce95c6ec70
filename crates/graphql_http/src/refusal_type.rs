//! A middleware that gives refusals the media type that their clients prefer.

use poem::{
    Request, Response,
    http::{HeaderValue, header},
};

use super::{
    client::header_text,
    media_type::ResponseType,
    middleware::{Changed, EarlyResponse, Hooks, hooks},
    refusal::IsRefusal,
};

/// Gives refusals of this crate's middleware the media type of GraphQL responses that the client accepts.
#[derive(Clone, Copy, Debug, Default)]
pub struct RefusalTypes;

hooks!(RefusalTypes);

impl Hooks for RefusalTypes {
    type Context = String;

    fn before(&self, request: &mut Request) -> Result<String, EarlyResponse<'_>> {
        Ok(header_text(request.headers(), header::ACCEPT).into_owned())
    }

    fn after(&self, accept: String, mut response: Response) -> Changed<'_> {
        if response.data::<IsRefusal>().is_some() {
            let response_type = ResponseType::negotiate(&accept).unwrap_or(ResponseType::Json);
            let content_type = HeaderValue::from_static(response_type.content_type());
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_TYPE, content_type);
        }
        response.into()
    }
}
