//! `vehicle-catalogue health`: asks a running service for its health, for container checks.

use std::io::{self, Write};

use reqwest::{Client, Response, StatusCode, Url, redirect::Policy};
use tokio_rustls::rustls::crypto::ring;

use super::Failure;
use crate::config::{Certificate, HealthArguments, Settings};

/// More than a service says about its health.
const MOST_BYTES: usize = 64 * 1024;

pub(super) async fn run(health: &HealthArguments, settings: &Settings) -> Result<(), Failure> {
    let (url, certificate) = health.target(settings)?;
    let no_answer = |error: reqwest::Error| Failure::NoHealth(url.clone(), error.without_url());
    // Whoever has installed one before has installed the same.
    let _ = ring::default_provider().install_default();
    let client = Client::builder()
        .timeout(health.timeout())
        .tls_danger_accept_invalid_certs(certificate == Certificate::Ignored)
        .redirect(Policy::none())
        // What a proxy answers says nothing about the service.
        .no_proxy();
    let client = client.build().map_err(no_answer)?;
    let response = client.get(url.clone()).send().await.map_err(no_answer)?;
    let status = response.status();
    let text = text(response).await.map_err(no_answer)?;
    print(&text).map_err(Failure::Print)?;
    judge(url, status)
}

fn judge(url: Url, status: StatusCode) -> Result<(), Failure> {
    match status {
        StatusCode::OK => Ok(()),
        status => Err(Failure::Unhealthy(url, status)),
    }
}

async fn text(mut response: Response) -> Result<String, reqwest::Error> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > MOST_BYTES {
            bytes.truncate(MOST_BYTES);
            break;
        }
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn print(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{}", text.trim_end())?;
    stdout.flush()
}
