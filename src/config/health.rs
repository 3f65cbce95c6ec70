//! What `vehicle-catalogue health` is told on the command line.

use std::{net::SocketAddr, time::Duration};

use clap::Args;
use reqwest::Url;

use super::{
    Settings,
    checked::{Checked, number, value},
};

/// Which service is asked for its health, and how.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct HealthArguments {
    /// The service or its address for operators; without it the one on this machine that the
    /// settings describe, whose certificate is not checked
    #[arg(long, value_name = "URL", value_parser = url())]
    url: Option<Url>,

    /// Ask only whether the process lives, not whether it is ready
    #[arg(long)]
    live: bool,

    /// How long the answer may take, from 1 to 60 seconds
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = number(1..=60))]
    timeout_seconds: u32,
}

/// Whether the certificate of a service says who it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certificate {
    /// It must be valid for the name in the URL.
    Checked,
    /// The service is this machine's own, under an address that its certificate does not have.
    Ignored,
}

/// No service can be asked: the settings have it listen on a port that nobody knows.
#[derive(Debug, thiserror::Error)]
#[error("port 0 takes a free port, which nobody else knows; say with --url which service to ask")]
pub struct UnknownPort;

impl HealthArguments {
    /// What to ask, and what is expected of a certificate.
    pub fn target(&self, settings: &Settings) -> Result<(Url, Certificate), UnknownPort> {
        let path = if self.live {
            "health/live"
        } else {
            "health/ready"
        };
        let (mut base, certificate) = match &self.url {
            Some(url) => (url.clone(), Certificate::Checked),
            None => (own(settings)?, Certificate::Ignored),
        };
        base.path_segments_mut()
            .expect("the parsers make URLs of HTTP")
            .pop_if_empty()
            .extend(path.split('/'));
        Ok((base, certificate))
    }

    /// How long the answer may take.
    pub fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout_seconds.into())
    }
}

/// The service that the settings describe, as it is reached from the same machine.
fn own(settings: &Settings) -> Result<Url, UnknownPort> {
    let http = &settings.http;
    let (scheme, listen) = match (http.admin_listen(), http.tls_files()) {
        (Some(admin), _) => ("http", admin),
        (None, Some(_)) => ("https", http.listen),
        (None, None) => ("http", http.listen),
    };
    if listen.port() == 0 {
        return Err(UnknownPort);
    }
    let url = format!("{scheme}://{}", reachable(listen));
    Ok(Url::parse(&url).expect("an address and a port make a URL"))
}

/// A service on every interface is on that of the machine itself, too.
fn reachable(listen: SocketAddr) -> SocketAddr {
    match listen {
        SocketAddr::V4(v4) if v4.ip().is_unspecified() => ([127, 0, 0, 1], v4.port()).into(),
        SocketAddr::V6(v6) if v6.ip().is_unspecified() => {
            ([0, 0, 0, 0, 0, 0, 0, 1], v6.port()).into()
        }
        other => other,
    }
}

fn url() -> Checked<Url> {
    let must_be = "a URL such as http://127.0.0.1:8000 or https://catalogue.example";
    value(must_be, |text| {
        let url = Url::parse(text).ok()?;
        matches!(url.scheme(), "http" | "https").then_some(url)
    })
}
