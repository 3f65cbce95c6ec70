//! Compression of responses, negotiated with `Accept-Encoding` (RFC 9110, section 12.5.3).

use std::{
    io::{self, Write},
    sync::{LazyLock, Mutex, PoisonError},
    thread::available_parallelism,
};

use http_body_util::combinators::BoxBody;
use hyper::body::{Body, Bytes};
use poem::{
    IntoResponse, Response,
    http::{HeaderValue, StatusCode, header},
};
use tokio::{sync::Semaphore, task::spawn_blocking};
use zstd::zstd_safe::{CCtx, CParameter};

use super::{
    media_type::{self, is_text},
    metadata::RequestMetadata,
};

/// Bodies of this size are compressed on a blocking thread, since they would delay other requests.
const BLOCKING_BYTES: usize = 64 * 1024;

/// One permit for each processor: more concurrent compressions would only use more memory.
static BLOCKING_PERMITS: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(available_parallelism().map_or(1, Into::into)));

const GZIP_LEVEL: u32 = 5;
const BROTLI_QUALITY: u32 = 4;
const BROTLI_WINDOW_BITS: u32 = 20;
const ZSTD_LEVEL: i32 = 3;

/// Contexts of zstd that are not in use: it allocates them by the allocator of C, which keeps several megabytes for each
/// thread that has freed one.
static ZSTD_CONTEXTS: Mutex<Vec<CCtx<'static>>> = Mutex::new(Vec::new());

/// The value of `Vary` of a GraphQL response that can be compressed.
pub(super) const ACCEPT_AND_ENCODING: &str = "Accept, Accept-Encoding";

/// A content coding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coding {
    Gzip,
    Brotli,
    Zstd,
}

impl Coding {
    /// In ascending preference: of two codings with the same quality the later one is faster or smaller.
    const ALL: [Self; 3] = [Self::Gzip, Self::Brotli, Self::Zstd];

    /// The name in `Content-Encoding`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Brotli => "br",
            Self::Zstd => "zstd",
        }
    }

    /// Chooses by the value of the `Accept-Encoding` header; several header lines are joined by commas.
    fn negotiate(accept_encoding: &str) -> Option<Self> {
        // An identity coding that is not listed is acceptable, but not preferred.
        let identity = qvalue(accept_encoding, "identity").unwrap_or(1);
        Self::ALL
            .into_iter()
            .map(|coding| (quality(accept_encoding, coding), coding))
            .filter(|&(quality, _)| quality > 0 && quality >= identity)
            .max_by_key(|&(quality, _)| quality)
            .map(|(_, coding)| coding)
    }

    async fn compress(self, body: Bytes) -> io::Result<Vec<u8>> {
        if body.len() < BLOCKING_BYTES {
            self.compress_blocking(&body)
        } else {
            let permit = BLOCKING_PERMITS.acquire().await.map_err(io::Error::other)?;
            let (compressed, body) = spawn_blocking(move || {
                // Held to the end, although a client that disconnects drops the future before it.
                let _permit = permit;
                (self.compress_blocking(&body), body)
            })
            .await?;
            // Here, because mimalloc keeps what another thread frees until the thread that allocated it is active.
            drop(body);
            compressed
        }
    }

    fn compress_blocking(self, body: &[u8]) -> io::Result<Vec<u8>> {
        let compressed = Vec::with_capacity(body.len() / 16);
        let mut compressed = match self {
            Self::Gzip => {
                let level = flate2::Compression::new(GZIP_LEVEL);
                let mut encoder = flate2::write::GzEncoder::new(compressed, level);
                encoder.write_all(body)?;
                encoder.finish()?
            }
            Self::Brotli => {
                let mut encoder = brotli::CompressorWriter::new(
                    compressed,
                    4096,
                    BROTLI_QUALITY,
                    BROTLI_WINDOW_BITS,
                );
                encoder.write_all(body)?;
                encoder.into_inner()
            }
            Self::Zstd => compress_zstd(body, compressed)?,
        };
        // The capacity is not counted as unsent.
        compressed.shrink_to_fit();
        Ok(compressed)
    }
}

fn compress_zstd(body: &[u8], compressed: Vec<u8>) -> io::Result<Vec<u8>> {
    let contexts = || ZSTD_CONTEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    let mut context = contexts().pop().unwrap_or_else(CCtx::create);
    let mut encoder = zstd::Encoder::with_context(compressed, &mut context);
    encoder.set_parameter(CParameter::CompressionLevel(ZSTD_LEVEL))?;
    encoder.set_pledged_src_size(Some(body.len() as u64))?;
    encoder.write_all(body)?;
    let compressed = encoder.finish()?;
    contexts().push(context);
    Ok(compressed)
}

/// Negotiates the content coding of a response, and adds `Vary` where it can be compressed; GraphQL responses
/// that caches may store have it already.
pub(super) fn negotiate(
    response: &mut Response,
    metadata: &RequestMetadata,
    threshold_bytes: usize,
) -> Option<Coding> {
    let is_graphql = metadata.is_graphql && response.status() == StatusCode::OK;
    if !is_graphql && !vary_by_encoding(response) {
        return None;
    }
    let accept_encoding = &metadata.accept_encoding;
    if accept_encoding.is_empty() {
        return None;
    }
    let body = BoxBody::from(response.take_body());
    let bytes = body.size_hint().exact().unwrap_or_default();
    response.set_body(body);
    // The header is parsed last: most responses are too small to compress.
    (bytes >= threshold_bytes as u64).then(|| Coding::negotiate(accept_encoding))?
}

/// Adds `Accept-Encoding` to `Vary` of a response that can be compressed. Returns whether it can be.
fn vary_by_encoding(response: &mut Response) -> bool {
    let compressible = response.status() == StatusCode::OK
        && !response.headers().contains_key(header::CONTENT_ENCODING)
        && response.content_type().is_some_and(is_text);
    let headers = response.headers_mut();
    let mut vary = headers.get_all(header::VARY).iter();
    // The endpoint may have negotiated the coding itself.
    if !compressible || vary.any(|line| line == "Accept-Encoding") {
        return false;
    }
    headers.append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    true
}

/// Compresses a response. Several large ones wait for each other.
pub(super) async fn encode(mut response: Response, coding: Coding) -> Response {
    // Bodies are in memory, so this does not wait.
    let body = response.take_body().into_bytes().await.unwrap_or_default();
    match coding.compress(body).await {
        Ok(body) => response.set_body(body),
        Err(error) => {
            tracing::error!(%error, "cannot compress a response");
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        }
    }
    let headers = response.headers_mut();
    headers.remove(header::CONTENT_LENGTH);
    let name = HeaderValue::from_static(coding.name());
    headers.insert(header::CONTENT_ENCODING, name);
    response
}

/// Whether the client accepts this coding.
pub(super) fn accepts(accept_encoding: &str, coding: Coding) -> bool {
    quality(accept_encoding, coding) > 0
}

/// The quality of a coding in thousandths; `*` matches codings that are not listed.
fn quality(accept_encoding: &str, coding: Coding) -> u16 {
    qvalue(accept_encoding, coding.name())
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
    use super::Coding::{self, Brotli, Gzip, Zstd};

    #[test]
    fn negotiates_the_coding_by_quality_and_preference() {
        for (accept_encoding, expected) in [
            ("", None),
            ("identity", None),
            ("deflate", None),
            ("gzip", Some(Gzip)),
            ("GZIP;Q=0.5", Some(Gzip)),
            ("gzip, deflate, br, zstd", Some(Zstd)),
            ("gzip, deflate, br", Some(Brotli)),
            ("gzip;q=1.0, br;q=0.5", Some(Gzip)),
            ("br;q=0, gzip;q=0.1", Some(Gzip)),
            ("*", Some(Zstd)),
            ("zstd;q=0, *;q=0.3", Some(Brotli)),
            ("*;q=0", None),
            ("gzip;q=0", None),
            ("identity;q=0.9, gzip;q=0.5", None),
            ("identity;q=0.5, gzip;q=0.9", Some(Gzip)),
            ("gzip;q=nonsense", None),
        ] {
            assert_eq!(
                Coding::negotiate(accept_encoding),
                expected,
                "{accept_encoding}"
            );
        }
    }
}
