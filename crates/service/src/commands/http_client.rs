//! The HTTP client of the commands.

use reqwest::{Client, ClientBuilder, Error, Response};
use tokio_rustls::rustls::crypto::ring;

/// A client with the cryptography of the server.
pub(super) fn builder() -> ClientBuilder {
    // Fails if a provider is installed already, which can be used as well.
    let _ = ring::default_provider().install_default();
    Client::builder()
}

/// Reads the body until it ends or has more bytes than the limit.
pub(super) async fn read(mut response: Response, limit: usize) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    while bytes.len() <= limit
        && let Some(chunk) = response.chunk().await?
    {
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}
