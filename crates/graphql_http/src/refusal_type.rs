//! A middleware that gives refusals the media type that their clients prefer.

use futures_util::FutureExt;
use poem::{
    Endpoint, Request, Response,
    http::{HeaderValue, header},
};

use super::{
    client::header_text, handled::Around, into_response::into_response, media_type::ResponseType,
    refusal::IsRefusal,
};

/// Gives refusals of this crate's middleware the media type of GraphQL responses that the client accepts.
#[derive(Clone, Copy, Debug, Default)]
pub struct RefusalTypes;

impl Around for RefusalTypes {
    fn around<E: Endpoint>(
        &self,
        endpoint: &E,
        request: Request,
    ) -> impl Future<Output = poem::Result<Response>> + Send {
        let accept = header_text(request.headers(), header::ACCEPT);
        let response_type = ResponseType::negotiate(&accept).unwrap_or(ResponseType::Json);
        endpoint.call(request).map(move |result| {
            let mut response = into_response(result);
            if response.data::<IsRefusal>().is_some() {
                let content_type = HeaderValue::from_static(response_type.content_type());
                let headers = response.headers_mut();
                headers.insert(header::CONTENT_TYPE, content_type);
            }
            Ok(response)
        })
    }
}
