//! The HTTP client of the commands.

use reqwest::{Error, Response};

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
