//! `health`: requests the health of a running service, for container checks.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    time::Duration,
};

use clap::{Args, builder::TypedValueParser};
use reqwest::{Client, StatusCode, Url, redirect::Policy};
use settings::{masked_url, print, seconds, secret};

use super::{failure::Failure, http_client};
use crate::Settings;

/// The maximum number of bytes that are read from the response.
const MAX_RESPONSE_BYTES: usize = 64 * 1024;

/// The arguments of `health`.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct HealthArguments {
    /// URL of the service or its admin listener; default: the local service of the settings, whose
    /// certificate is not verified
    #[arg(long, value_name = "URL", value_parser = url())]
    url: Option<Url>,

    /// Check liveness instead of readiness
    #[arg(long)]
    live: bool,

    /// Timeout of the response, from 1 to 60 seconds
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds(1..=60))]
    timeout_seconds: Duration,
}

pub(super) async fn run(health: &HealthArguments, settings: &Settings) -> Result<(), Failure> {
    let url = health.target(settings)?;
    let request_error = |error: reqwest::Error| {
        Failure::HealthRequest(masked_url(url.as_str()), error.without_url())
    };
    let client = Client::builder()
        .timeout(health.timeout_seconds)
        // The certificate of the local service does not contain its address.
        .tls_danger_accept_invalid_certs(health.url.is_none())
        .redirect(Policy::none())
        // The response of a proxy is not that of the service.
        .no_proxy();
    let client = client.build().map_err(request_error)?;
    let response = client
        .get(url.clone())
        .send()
        .await
        .map_err(request_error)?;
    let status = response.status();
    let body = http_client::read(response, MAX_RESPONSE_BYTES).await;
    let body = body.map_err(request_error)?;
    let text = String::from_utf8_lossy(&body[..body.len().min(MAX_RESPONSE_BYTES)]);
    print(&format!("{}\n", text.trim_end())).map_err(Failure::Print)?;
    match status {
        StatusCode::OK => Ok(()),
        status => Err(Failure::Unhealthy(masked_url(url.as_str()), status)),
    }
}

impl HealthArguments {
    /// The URL to request.
    fn target(&self, settings: &Settings) -> Result<Url, Failure> {
        let mut url = match &self.url {
            Some(url) => url.clone(),
            None => local_url(settings)?,
        };
        let check = if self.live { "live" } else { "ready" };
        url.path_segments_mut()
            .expect("the parsers make URLs of HTTP")
            .pop_if_empty()
            .extend(["health", check]);
        Ok(url)
    }
}

/// The URL of the service that the settings describe, from the same machine.
fn local_url(settings: &Settings) -> Result<Url, Failure> {
    let http = &settings.http;
    let (scheme, mut address) = match (http.admin_listen, http.tls_files()) {
        (Some(admin), _) => ("http", admin),
        (None, Some(_)) => ("https", http.listen),
        (None, None) => ("http", http.listen),
    };
    if address.port() == 0 {
        return Err(Failure::UnknownPort);
    }
    // A listener on the unspecified address also accepts connections to the loopback address.
    match address.ip() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    let url = format!("{scheme}://{address}");
    Ok(Url::parse(&url).expect("an address and a port make a URL"))
}

fn url() -> impl TypedValueParser<Value = Url> {
    let must_be = "a URL such as http://127.0.0.1:8000 or https://service.example";
    secret(must_be, |text| {
        let url = Url::parse(text).ok();
        let url = url.filter(|url| matches!(url.scheme(), "http" | "https"));
        url.ok_or_else(|| format!("it is {:?}", masked_url(text)))
    })
}
