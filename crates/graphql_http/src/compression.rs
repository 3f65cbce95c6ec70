//! A middleware that compresses responses, negotiated with `Accept-Encoding` (RFC 9110, section 12.5.3).
//!
//! `poem::middleware::Compression` compresses what is small, what is compressed already and what is no text, adds no
//! `Vary`, prefers a coding with the quality 0, and never chooses zstd, because it reads `zsdt`. Its codecs are used. They
//! are run to the end at once, because a codec that waits for its client takes megabytes.

use std::{io, panic::resume_unwind, sync::LazyLock, thread::available_parallelism};

use poem::{
    IntoResponse, Request, Response,
    http::{HeaderValue, StatusCode, header},
    web::{Compress, CompressionAlgo, CompressionLevel},
};
use tokio::{runtime::Handle, sync::Semaphore, task::spawn_blocking};

use super::{
    client::header_text,
    content::{content_size, take_content},
    media_type::{self, is_text},
    middleware::{Changed, EarlyResponse, Hooks, hooks},
    settings::HttpSettings,
};

/// Content of this size is compressed on a blocking thread, since it would delay other requests.
const BLOCKING_BYTES: usize = 64 * 1024;

/// One permit for each processor: more concurrent compressions would only use more memory.
static BLOCKING_PERMITS: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(available_parallelism().map_or(1, Into::into)));

/// The names of the codings, in ascending preference: of two codings with the same quality the later one is faster or
/// smaller.
const CODINGS: [&str; 3] = ["gzip", "br", "zstd"];

/// Their codecs, and levels at which each takes about the same time.
const CODECS: [(CompressionAlgo, i32); 3] = [
    (CompressionAlgo::GZIP, 5),
    (CompressionAlgo::BR, 4),
    (CompressionAlgo::ZSTD, 3),
];

/// Compresses texts of a minimum size.
#[derive(Clone, Copy, Debug)]
pub struct Compression {
    threshold_bytes: usize,
}

impl Compression {
    /// Compresses texts as the settings say.
    pub fn new(settings: &HttpSettings) -> Self {
        let threshold_bytes = settings.compression_threshold_bytes;
        Self { threshold_bytes }
    }

    /// The coding with which a response is to be compressed.
    fn coding(self, response: &mut Response, accepted: &str) -> Option<usize> {
        let is_large = content_size(response)? >= self.threshold_bytes as u64;
        let is_stored = response.header(header::CACHE_CONTROL) != Some("no-store");
        if !(is_large || is_stored) || !is_compressible(response) {
            return None;
        }
        if is_stored {
            let vary = HeaderValue::from_static("Accept-Encoding");
            response.headers_mut().append(header::VARY, vary);
        }
        is_large.then(|| negotiate(accepted)).flatten()
    }

    async fn compress(mut response: Response, coding: usize) -> poem::Result<Response> {
        let (algorithm, level) = CODECS[coding];
        let level = CompressionLevel::Precise(level);
        let content = take_content(&mut response).await?;
        let size = content.len();
        // Dropped here, because mimalloc keeps what another thread frees until the thread that allocated it is active.
        let plain = content.clone();
        let compress = async move {
            let compressed = Compress::new(content, algorithm).with_quality(level);
            compressed.into_response().into_body().into_vec().await
        };
        let compressed = if size < BLOCKING_BYTES {
            compress.await
        } else {
            let permit = BLOCKING_PERMITS.acquire().await;
            let permit = permit.expect("the semaphore is never closed");
            let runtime = Handle::current();
            let compressing = spawn_blocking(move || {
                // Held to the end, although a client that disconnects drops the future before it.
                let _permit = permit;
                runtime.block_on(compress)
            });
            compressing
                .await
                .unwrap_or_else(|error| match error.try_into_panic() {
                    Ok(panic) => resume_unwind(panic),
                    Err(cancelled) => Err(io::Error::from(cancelled).into()),
                })
        };
        drop(plain);
        let mut compressed = match compressed {
            Ok(compressed) => compressed,
            Err(error) => {
                tracing::error!(%error, "cannot compress a response");
                return Ok(StatusCode::INTERNAL_SERVER_ERROR.into_response());
            }
        };
        // Its client may read it slowly.
        compressed.shrink_to_fit();
        response.set_body(compressed);
        let headers = response.headers_mut();
        headers.remove(header::CONTENT_LENGTH);
        let name = HeaderValue::from_static(CODINGS[coding]);
        headers.insert(header::CONTENT_ENCODING, name);
        Ok(response)
    }
}

hooks!(Compression);

impl Hooks for Compression {
    type Context = String;

    fn before(&self, request: &mut Request) -> Result<String, EarlyResponse<'_>> {
        Ok(header_text(request.headers(), header::ACCEPT_ENCODING).into_owned())
    }

    fn after(&self, accepted: String, mut response: Response) -> Changed<'_> {
        match self.coding(&mut response, &accepted) {
            Some(coding) => Changed::later(Self::compress(response, coding)),
            None => response.into(),
        }
    }
}

/// Whether a response is a text that its endpoint has not negotiated the coding of.
fn is_compressible(response: &Response) -> bool {
    let headers = response.headers();
    let mut vary = headers.get_all(header::VARY).iter();
    response.status() == StatusCode::OK
        && !headers.contains_key(header::CONTENT_ENCODING)
        && !vary.any(|line| line == "Accept-Encoding")
        && response.content_type().is_some_and(is_text)
}

/// Chooses a coding by the value of the `Accept-Encoding` header; several header lines are joined by commas.
fn negotiate(accept_encoding: &str) -> Option<usize> {
    // An identity coding that is not listed is acceptable, but not preferred.
    let identity = qvalue(accept_encoding, "identity").unwrap_or(1);
    CODINGS
        .iter()
        .enumerate()
        .map(|(index, coding)| (quality(accept_encoding, coding), index))
        .filter(|&(quality, _)| quality > 0 && quality >= identity)
        .max()
        .map(|(_, index)| index)
}

/// Whether the client accepts this coding.
pub(super) fn accepts(accept_encoding: &str, coding: &str) -> bool {
    quality(accept_encoding, coding) > 0
}

/// The quality of a coding in thousandths; `*` matches codings that are not listed.
fn quality(accept_encoding: &str, coding: &str) -> u16 {
    qvalue(accept_encoding, coding)
        .or_else(|| qvalue(accept_encoding, "*"))
        .unwrap_or(0)
}

/// The quality value of a listed coding in thousandths.
fn qvalue(accept_encoding: &str, name: &str) -> Option<u16> {
    accept_encoding
        .split(',')
        .map(|element| element.split_once(';').unwrap_or((element, "")))
        .find(|(coding, _)| coding.trim().eq_ignore_ascii_case(name))
        .and_then(|(_, parameters)| media_type::qvalue(parameters))
}

#[cfg(test)]
mod tests {
    use super::{CODINGS, negotiate};

    #[test]
    fn negotiates_the_coding_by_quality_and_preference() {
        for (accept_encoding, expected) in [
            ("", None),
            ("identity", None),
            ("deflate", None),
            ("gzip", Some("gzip")),
            ("GZIP;Q=0.5", Some("gzip")),
            ("gzip, deflate, br, zstd", Some("zstd")),
            ("gzip, deflate, br", Some("br")),
            ("gzip;q=1.0, br;q=0.5", Some("gzip")),
            ("br;q=0, gzip;q=0.1", Some("gzip")),
            ("*", Some("zstd")),
            ("zstd;q=0, *;q=0.3", Some("br")),
            ("*;q=0", None),
            ("gzip;q=0", None),
            ("identity;q=0.9, gzip;q=0.5", None),
            ("identity;q=0.5, gzip;q=0.9", Some("gzip")),
            ("gzip;q=nonsense", None),
        ] {
            let coding = negotiate(accept_encoding).map(|index| CODINGS[index]);
            assert_eq!(coding, expected, "{accept_encoding}");
        }
    }
}
