//! A middleware for the limits of the head of a request, beyond those of the protocols.

use poem::Request;

use super::{
    middleware::{EarlyResponse, Hooks, hooks},
    refusal::Refusal,
    settings::HttpSettings,
};

/// Maximum number of header lines: that of hyper for HTTP/1, which has none for HTTP/2.
const MAX_LINES: usize = 100;

/// Refuses requests with a long URL or many header lines.
#[derive(Clone, Copy, Debug)]
pub struct HeadLimits {
    url_bytes: usize,
}

impl HeadLimits {
    /// The limits of the settings.
    pub fn new(settings: &HttpSettings) -> Self {
        let url_bytes = settings.url_limit_bytes;
        Self { url_bytes }
    }
}

hooks!(HeadLimits);

impl Hooks for HeadLimits {
    type Context = ();

    fn before(&self, request: &mut Request) -> Result<(), EarlyResponse<'_>> {
        let (maximum, actual) = (MAX_LINES, request.headers().len());
        if actual > maximum {
            return Err(Refusal::TooManyHeaderLines { maximum, actual }.into());
        }
        let url = request.original_uri().path_and_query();
        let (limit, actual) = (self.url_bytes, url.map_or(0, |url| url.as_str().len()));
        if actual > limit {
            return Err(Refusal::UrlTooLong { limit, actual }.into());
        }
        Ok(())
    }
}
