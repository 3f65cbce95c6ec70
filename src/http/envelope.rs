//! What every response carries, whatever it answers: protection, permissions for web pages of
//! other origins, validators and compression. The length of the URL is checked here too.

use std::{borrow::Cow, future::Future};

use poem::{
    Endpoint, Request, Response,
    http::{HeaderMap, HeaderName, HeaderValue, Method, header, uri::Scheme},
};

use super::{HttpSettings, encoding, entity_tag, media_type::ResponseType, refusal::Refusal};

/// An endpoint whose responses are complete.
pub(super) struct Envelope<E> {
    inner: E,
    settings: HttpSettings,
}

impl<E: Endpoint<Output = Response>> Envelope<E> {
    pub(super) fn new(inner: E, settings: HttpSettings) -> Self {
        Self { inner, settings }
    }

    /// The answer to a request that is not let in.
    fn refuse(&self, request: &Request) -> Option<Response> {
        if let Some(response) = self.settings.cors_origins.preflight(request) {
            return Some(response);
        }
        let limit = self.settings.url_limit_bytes;
        let url = request.original_uri().path_and_query();
        let actual = url.map_or(0, |url| url.as_str().len());
        (actual > limit).then(|| {
            let accept = header_text(request.headers(), &header::ACCEPT);
            let response_type = ResponseType::negotiate(&accept).unwrap_or(ResponseType::Json);
            Refusal::UrlTooLong { limit, actual }.into_response(response_type)
        })
    }

    async fn encode(&self, mut response: Response, asked: &Asked) -> Response {
        let threshold = self.settings.compression_threshold_bytes;
        let coding = encoding::choose(&mut response, &asked.accept_encoding, threshold).await;
        if let Some(coding) = coding {
            entity_tag::mark_encoded(&mut response, coding.name());
        }
        let read = asked.method == Method::GET || asked.method == Method::HEAD;
        if read && entity_tag::is_known(&response, &asked.if_none_match) {
            return entity_tag::not_modified(response);
        }
        if let Some(coding) = coding
            && let Err(error) = Box::pin(encoding::encode(&mut response, coding)).await
        {
            tracing::error!(%error, "an answer cannot be compressed");
            return Response::builder()
                .status(poem::http::StatusCode::INTERNAL_SERVER_ERROR)
                .finish();
        }
        response
    }
}

/// What is needed of a request when it is answered.
struct Asked {
    method: Method,
    encrypted: bool,
    accept_encoding: String,
    if_none_match: String,
    origin: Option<HeaderValue>,
}

impl Asked {
    fn of(request: &Request) -> Self {
        let headers = request.headers();
        Self {
            method: request.method().clone(),
            encrypted: *request.scheme() == Scheme::HTTPS,
            accept_encoding: header_text(headers, &header::ACCEPT_ENCODING).into_owned(),
            if_none_match: header_text(headers, &header::IF_NONE_MATCH).into_owned(),
            origin: headers.get(header::ORIGIN).cloned(),
        }
    }
}

impl<E: Endpoint<Output = Response>> Endpoint for Envelope<E> {
    type Output = Response;

    fn call(&self, request: Request) -> impl Future<Output = poem::Result<Response>> + Send {
        let asked = Asked::of(&request);
        // In a box, so that those around it move no more than a pointer.
        let answer = match self.refuse(&request) {
            Some(refusal) => Err(refusal),
            None => Ok(Box::pin(self.inner.call(request))),
        };
        async move {
            let mut response = match answer {
                Ok(answer) => answer.await?,
                Err(refusal) => refusal,
            };
            let origin = asked.origin.as_ref();
            self.settings
                .cors_origins
                .mark(origin, response.headers_mut());
            protect(&mut response, &asked);
            Ok(self.encode(response, &asked).await)
        }
    }
}

/// Adds what keeps browsers from misusing an answer.
fn protect(response: &mut Response, asked: &Asked) {
    // A link, an address that is typed in and a frame show what is read with GET. Of what is posted
    // a browser may show only what a form can post, and none can post a request of GraphQL.
    let may_be_shown = asked.method != Method::POST || !response.is_success();
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (CROSS_ORIGIN_RESOURCE_POLICY, "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if may_be_shown {
        for (name, value) in PROTECTION_OF_PAGES {
            // A page that says more for itself is left its word.
            let headers = headers.entry(name);
            headers.or_insert(HeaderValue::from_static(value));
        }
    }
    if asked.encrypted {
        let promise = HeaderValue::from_static(ONLY_ENCRYPTED);
        headers.insert(header::STRICT_TRANSPORT_SECURITY, promise);
    }
}

const PROTECTION_OF_PAGES: [(HeaderName, &str); 3] = [
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; frame-ancestors 'none'",
    ),
];

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

/// For a year browsers do not come without TLS any more.
const ONLY_ENCRYPTED: &str = "max-age=31536000";

/// All lines of a header as one. A line that is not text says nothing that could be understood.
pub(super) fn header_text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Cow<'a, str> {
    let mut lines = headers
        .get_all(name)
        .iter()
        .map(|line| line.to_str().unwrap_or("?"));
    let first = lines.next().unwrap_or_default();
    lines.fold(Cow::Borrowed(first), |text, line| {
        Cow::Owned(format!("{text},{line}"))
    })
}
