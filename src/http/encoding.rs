//! Compression of answers, as far as the client takes it (RFC 9110, section 12.5.3).

use std::io::{self, Write};

use poem::{
    Response,
    http::{HeaderValue, StatusCode, header},
};
use tokio::task::spawn_blocking;

use super::media_type::{self, is_text};

/// From here on compression would hold other requests up too long.
const LARGE_BYTES: usize = 64 * 1024;

const GZIP_LEVEL: u32 = 5;
const BROTLI_QUALITY: u32 = 4;
const BROTLI_WINDOW_BITS: u32 = 20;
const ZSTD_LEVEL: i32 = 3;

/// How an answer is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coding {
    Gzip,
    Brotli,
    Zstd,
}

impl Coding {
    /// Of two that are equally welcome the later one is taken: it is faster or smaller.
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
        // Without a word about it an answer as it is remains possible, but not preferred.
        let identity = welcome(accept_encoding, "identity").unwrap_or(1);
        Self::ALL
            .into_iter()
            .map(|coding| (quality(accept_encoding, coding), coding))
            .filter(|&(quality, _)| quality > 0 && quality >= identity)
            .max_by_key(|&(quality, _)| quality)
            .map(|(_, coding)| coding)
    }

    async fn compress(self, body: Vec<u8>) -> io::Result<Vec<u8>> {
        if body.len() < LARGE_BYTES {
            self.compress_now(&body)
        } else {
            spawn_blocking(move || self.compress_now(&body)).await?
        }
    }

    fn compress_now(self, body: &[u8]) -> io::Result<Vec<u8>> {
        let compressed = Vec::with_capacity(body.len() / 4);
        match self {
            Self::Gzip => {
                let level = flate2::Compression::new(GZIP_LEVEL);
                let mut encoder = flate2::write::GzEncoder::new(compressed, level);
                encoder.write_all(body)?;
                encoder.finish()
            }
            Self::Brotli => {
                let mut encoder = brotli::CompressorWriter::new(
                    compressed,
                    4096,
                    BROTLI_QUALITY,
                    BROTLI_WINDOW_BITS,
                );
                encoder.write_all(body)?;
                Ok(encoder.into_inner())
            }
            Self::Zstd => zstd::bulk::compress(body, ZSTD_LEVEL),
        }
    }
}

/// How an answer is going to be encoded; says in its headers what that depends on.
pub(super) async fn choose(
    response: &mut Response,
    accept_encoding: &str,
    threshold_bytes: usize,
) -> Option<Coding> {
    let compressible = response.status() == StatusCode::OK
        && !response.headers().contains_key(header::CONTENT_ENCODING)
        && response.content_type().is_some_and(is_text);
    if !compressible {
        return None;
    }
    let headers = response.headers_mut();
    if headers.get_all(header::VARY).iter().eq(["Accept"]) {
        let both = HeaderValue::from_static("Accept, Accept-Encoding");
        headers.insert(header::VARY, both);
    } else {
        headers.append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    }
    if accept_encoding.is_empty() {
        return None;
    }
    // The bodies of this service are in memory: nothing is waited for.
    let body = response.take_body().into_bytes().await.unwrap_or_default();
    let large = body.len() >= threshold_bytes;
    response.set_body(body);
    // Most answers are small, and what a browser sends takes its time to be understood.
    large.then(|| Coding::negotiate(accept_encoding))?
}

/// Compresses an answer.
pub(super) async fn encode(response: &mut Response, coding: Coding) -> io::Result<()> {
    let body = response.take_body().into_vec().await;
    let body = coding.compress(body.map_err(io::Error::other)?).await?;
    response.set_body(body);
    let headers = response.headers_mut();
    headers.remove(header::CONTENT_LENGTH);
    let name = HeaderValue::from_static(coding.name());
    headers.insert(header::CONTENT_ENCODING, name);
    Ok(())
}

/// Whether the client takes answers in this coding.
pub(super) fn accepts(accept_encoding: &str, coding: Coding) -> bool {
    quality(accept_encoding, coding) > 0
}

/// In thousandths; `*` stands for the codings that are not named.
fn quality(accept_encoding: &str, coding: Coding) -> u16 {
    let named = welcome(accept_encoding, coding.name());
    let welcome = named.or_else(|| welcome(accept_encoding, "*"));
    welcome.unwrap_or(0)
}

/// In thousandths, where the header names this coding.
fn welcome(accept_encoding: &str, name: &str) -> Option<u16> {
    accept_encoding
        .split(',')
        .map(|element| element.split_once(';').unwrap_or((element, "")))
        .find(|(coding, _)| coding.trim().eq_ignore_ascii_case(name))
        .and_then(|(_, parameters)| media_type::quality(parameters))
}

#[cfg(test)]
mod tests {
    use super::Coding::{self, Brotli, Gzip, Zstd};

    #[test]
    fn the_accept_encoding_header_chooses_the_coding() {
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
