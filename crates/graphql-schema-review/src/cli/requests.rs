//! The requests of a command, with the headers of the command line.

use std::future::Future;

use graphql_sdl::{Schema, masked_url};
use reqwest::Url;
use tokio::runtime;

use super::{
    fetch::{fetch, fetch_usage},
    header::Header,
    source::Unreadable,
};

/// Sends requests.
pub(super) struct Requests {
    pub(super) headers: Vec<Header>,
}

impl Requests {
    /// The contract of the service at a URL.
    pub(super) fn schema(&self, url: &str) -> Result<Schema, Unreadable> {
        let schema = block_on(fetch(url, &self.headers))?;
        let schema = schema.map_err(|error| Unreadable::Service(masked_url(url), error))?;
        schema.map_err(Unreadable::Invalid)
    }

    /// The recorded use at a URL, which is that of a source.
    pub(super) fn usage(&self, source: &str, url: &Url) -> Result<String, Unreadable> {
        let text = block_on(fetch_usage(url, &self.headers))?;
        text.map_err(|error| Unreadable::UsageUrl(masked_url(source), error))
    }
}

fn block_on<T>(response: impl Future<Output = T>) -> Result<T, Unreadable> {
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    Ok(runtime.map_err(Unreadable::Runtime)?.block_on(response))
}
