//! A middleware for cross-origin resource sharing: which web pages may read responses (Fetch standard, section 3.2).
//!
//! `poem::middleware::Cors` answers 403 to the pages of the service itself unless their origin is listed, although they
//! need no permission, and replaces the `Vary` of a response, so that caches mix the media types of responses.

use poem::{
    Request, Response,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
};

use super::middleware::{Changed, EarlyResponse, Hooks, hooks};

/// How long a browser may cache a preflight response: two hours, the maximum of Chromium.
const MAX_AGE_SECONDS: &str = "7200";

/// The allowed request headers if the preflight request lists none.
const DEFAULT_ALLOWED_HEADERS: &str = "content-type, authorization, idempotency-key";

/// The response headers that a page may read besides the safelisted ones.
const EXPOSED_HEADERS: &str =
    "idempotent-replayed, retry-after, schema-hash, www-authenticate, x-request-id";

/// The origins whose web pages may read responses, besides the origin of the service itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origins {
    /// No origin.
    None,
    /// Any origin, without credentials.
    Any,
    /// These origins, such as `https://a.example`, with credentials.
    These(Vec<String>),
}

impl Origins {
    /// Parses `none`, `*`, or origins separated by commas.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "none" => Some(Self::None),
            "*" => Some(Self::Any),
            list => {
                let origins = list.split(',').map(str::trim);
                origins
                    .map(|origin| is_origin(origin).then(|| as_sent(origin).to_owned()))
                    .collect::<Option<_>>()
                    .map(Self::These)
            }
        }
    }

    /// The response to a preflight request of a permitted origin.
    fn preflight(&self, request: &Request) -> Option<Response> {
        if request.method() != Method::OPTIONS
            || !request
                .headers()
                .contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
            || !self.permits(request.headers().get(header::ORIGIN)?)
        {
            return None;
        }
        let mut response = Response::builder()
            .status(StatusCode::NO_CONTENT)
            .header(header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST")
            .header(header::ACCESS_CONTROL_MAX_AGE, MAX_AGE_SECONDS)
            .header(header::VARY, "Access-Control-Request-Headers")
            .finish();
        // No request header grants a page additional rights, so all are allowed.
        let requested = request
            .headers()
            .get(header::ACCESS_CONTROL_REQUEST_HEADERS);
        let allowed = requested.cloned();
        response.headers_mut().insert(
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            allowed.unwrap_or(HeaderValue::from_static(DEFAULT_ALLOWED_HEADERS)),
        );
        Some(response)
    }

    /// Adds the CORS headers of a response to a request from this origin.
    fn add_headers(&self, origin: Option<&HeaderValue>, headers: &mut HeaderMap) {
        if let Self::These(_) = self {
            headers.append(header::VARY, HeaderValue::from_static("Origin"));
        }
        let Some(origin) = origin.filter(|origin| self.permits(origin)) else {
            return;
        };
        let mut insert = |name: HeaderName, value| headers.insert(name, value);
        insert(
            header::ACCESS_CONTROL_EXPOSE_HEADERS,
            HeaderValue::from_static(EXPOSED_HEADERS),
        );
        match self {
            Self::None => {}
            Self::Any => {
                let any = HeaderValue::from_static("*");
                insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, any);
            }
            Self::These(_) => {
                let allowed = HeaderValue::from_static("true");
                insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
                insert(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, allowed);
            }
        }
    }

    pub(super) fn permits(&self, origin: &HeaderValue) -> bool {
        match self {
            Self::None => false,
            Self::Any => true,
            Self::These(origins) => origins.iter().any(|known| known == origin),
        }
    }
}

hooks!(Origins);

impl Hooks for Origins {
    type Context = Option<HeaderValue>;

    fn before(&self, request: &mut Request) -> Result<Option<HeaderValue>, EarlyResponse<'_>> {
        let origin = request.headers().get(header::ORIGIN).cloned();
        if let Some(mut response) = self.preflight(request) {
            self.add_headers(origin.as_ref(), response.headers_mut());
            return Err(response.into());
        }
        Ok(origin)
    }

    fn after(&self, origin: Option<HeaderValue>, mut response: Response) -> Changed<'_> {
        self.add_headers(origin.as_ref(), response.headers_mut());
        response.into()
    }
}

/// The origin as browsers send it: without the default port of its scheme.
fn as_sent(origin: &str) -> &str {
    let port = match origin.split_once("://") {
        Some(("https", _)) => ":443",
        Some(("http", _)) => ":80",
        _ => return origin,
    };
    origin.strip_suffix(port).unwrap_or(origin)
}

/// An origin: in lower case, without a path.
fn is_origin(text: &str) -> bool {
    let Some((scheme, host)) = text.split_once("://") else {
        return false;
    };
    let in_scheme =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"+-.".contains(&byte);
    let in_host =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-._:[]".contains(&byte);
    !scheme.is_empty()
        && scheme.bytes().all(in_scheme)
        && !host.is_empty()
        && host.bytes().all(in_host)
}

#[cfg(test)]
mod tests {
    use super::Origins;

    #[test]
    fn parses_exact_origins_and_any() {
        assert_eq!(Origins::parse("none"), Some(Origins::None));
        assert_eq!(Origins::parse("*"), Some(Origins::Any));
        let two = ["https://a.example", "http://[::1]:3000"].map(str::to_owned);
        assert_eq!(
            Origins::parse("https://a.example, http://[::1]:3000"),
            Some(Origins::These(two.to_vec()))
        );
        for wrong in [
            "",
            "a.example",
            "https://",
            "https://a.example/",
            "https://A.example",
            "https://*.a.example",
            "https://a.example,*",
            "null",
        ] {
            assert_eq!(Origins::parse(wrong), None, "{wrong}");
        }
    }
}
