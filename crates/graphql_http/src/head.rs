//! The limits of the head of a request, beyond those of the protocols.

use poem::Request;

use super::refusal::Refusal;

/// Maximum number of header lines: that of hyper for HTTP/1, which has none for HTTP/2.
const MAX_LINES: usize = 100;

/// Validates the length of the URL and the number of header lines.
pub(super) fn check(request: &Request, url_limit_bytes: usize) -> Result<(), Refusal> {
    let (maximum, actual) = (MAX_LINES, request.headers().len());
    if actual > maximum {
        return Err(Refusal::TooManyHeaderLines { maximum, actual });
    }
    let url = request.original_uri().path_and_query();
    let (limit, actual) = (url_limit_bytes, url.map_or(0, |url| url.as_str().len()));
    if actual > limit {
        return Err(Refusal::UrlTooLong { limit, actual });
    }
    Ok(())
}
