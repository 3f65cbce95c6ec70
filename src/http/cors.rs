//! Cross-origin resource sharing: which web pages may read answers (Fetch standard, section 3.2).

use poem::{
    Request, Response,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
};

/// How long a browser may remember what it was permitted: two hours, the longest that any keeps to.
const MAX_AGE_SECONDS: &str = "7200";

/// What a page may send when its browser does not say what it wants to.
const USUAL_HEADERS: &str = "content-type, authorization";

/// What a page may read beside the headers that it always may.
const READABLE_HEADERS: &str = "etag, retry-after, schema-hash, www-authenticate, x-request-id";

/// Web pages of which origins may read answers, apart from those of the service itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origins {
    /// Of none.
    None,
    /// Of any, without the credentials of the user.
    Any,
    /// Of these, such as `https://a.example`, with the credentials of the user.
    These(Vec<String>),
}

impl Origins {
    /// Reads `none`, `*`, or origins separated by commas.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "none" => Some(Self::None),
            "*" => Some(Self::Any),
            list => {
                let origins = list.split(',').map(str::trim);
                origins
                    .map(|origin| is_origin(origin).then(|| origin.to_owned()))
                    .collect::<Option<_>>()
                    .map(Self::These)
            }
        }
    }

    /// The answer to the question of a browser whether a page may send a request.
    pub(super) fn preflight(&self, request: &Request) -> Option<Response> {
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
        // No header gives a page rights that it does not have without, so each is permitted.
        let wanted = request
            .headers()
            .get(header::ACCESS_CONTROL_REQUEST_HEADERS);
        let permitted = wanted.cloned();
        response.headers_mut().insert(
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            permitted.unwrap_or(HeaderValue::from_static(USUAL_HEADERS)),
        );
        Some(response)
    }

    /// Says in an answer whether the page that asked may read it.
    pub(super) fn mark(&self, origin: Option<&HeaderValue>, headers: &mut HeaderMap) {
        if let Self::These(_) = self {
            headers.append(header::VARY, HeaderValue::from_static("Origin"));
        }
        let Some(origin) = origin.filter(|origin| self.permits(origin)) else {
            return;
        };
        let mut say = |name: HeaderName, value| headers.insert(name, value);
        say(
            header::ACCESS_CONTROL_EXPOSE_HEADERS,
            HeaderValue::from_static(READABLE_HEADERS),
        );
        match self {
            Self::None => {}
            Self::Any => {
                let any = HeaderValue::from_static("*");
                say(header::ACCESS_CONTROL_ALLOW_ORIGIN, any);
            }
            Self::These(_) => {
                let yes = HeaderValue::from_static("true");
                say(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
                say(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, yes);
            }
        }
    }

    fn permits(&self, origin: &HeaderValue) -> bool {
        match self {
            Self::None => false,
            Self::Any => true,
            Self::These(origins) => origins.iter().any(|known| known == origin),
        }
    }
}

/// An origin as browsers send it: in lower case, without a path.
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
    fn origins_are_exact_or_any() {
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
