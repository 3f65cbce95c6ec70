//! Builds a [`CatalogueClient`]: its options and their defaults, the HTTP client and its TLS.

use std::{sync::Arc, time::Duration};

use reqwest::{
    Client, Url,
    header::{self, HeaderMap, HeaderName, HeaderValue},
    redirect::Policy,
};
use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{
        CertificateDer,
        pem::{self, PemObject},
    },
};
use rustls_platform_verifier::Verifier;

use crate::{error::BuildError, retry::RetryPolicy, transport::CatalogueClient};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The default execution timeout of the service.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// Builds a [`CatalogueClient`].
#[derive(Debug)]
#[must_use]
pub struct Builder {
    url: String,
    request_timeout: Duration,
    retry_policy: RetryPolicy,
    headers: Result<HeaderMap, BuildError>,
    root_certificates: Result<Vec<CertificateDer<'static>>, BuildError>,
    http_client: Option<Client>,
}

impl CatalogueClient {
    /// Builds a client for the endpoint at this URL, which the service prints at its start:
    /// `http://127.0.0.1:8000/graphql`.
    pub fn builder(url: impl Into<String>) -> Builder {
        Builder {
            url: url.into(),
            request_timeout: REQUEST_TIMEOUT,
            retry_policy: RetryPolicy::default(),
            headers: Ok(HeaderMap::new()),
            root_certificates: Ok(Vec::new()),
            http_client: None,
        }
    }
}

impl Builder {
    /// Sets the timeout of each attempt, from connecting to the complete response. The default is 30 seconds.
    pub fn request_timeout(self, request_timeout: Duration) -> Self {
        Self { request_timeout, ..self }
    }

    /// Sets the policy by which queries and mutations with an idempotency key are retried: by default twice.
    pub fn retry_policy(self, retry_policy: RetryPolicy) -> Self {
        Self { retry_policy, ..self }
    }

    /// Sends a bearer token with each request. Debug output omits it.
    pub fn bearer_token(self, token: impl AsRef<str>) -> Self {
        self.header("Authorization", format!("Bearer {}", token.as_ref()))
    }

    /// Sends a header with each request, such as `Call-Source` and `App-Version`, which the service logs.
    pub fn header(mut self, name: impl AsRef<str>, value: impl AsRef<str>) -> Self {
        let (name, value) = (name.as_ref(), value.as_ref());
        self.headers = self.headers.and_then(|mut headers| {
            let (Ok(header_name), Ok(mut value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) else {
                return Err(BuildError::Header { name: name.to_owned() });
            };
            value.set_sensitive(header_name == header::AUTHORIZATION);
            headers.insert(header_name, value);
            Ok(headers)
        });
        self
    }

    /// Trusts the certificates of a PEM text in addition to those of the platform.
    pub fn root_certificates_pem(mut self, pem: impl AsRef<[u8]>) -> Self {
        self.root_certificates = self.root_certificates.and_then(|mut certificates| {
            certificates.extend(parse_certificates(pem.as_ref()).map_err(BuildError::Certificate)?);
            Ok(certificates)
        });
        self
    }

    /// Uses this HTTP client with its connection pool, connect timeout, proxies and trusted certificates, instead of one
    /// that connects within 5 seconds, by the proxies of the system.
    pub fn http_client(self, http_client: Client) -> Self {
        Self { http_client: Some(http_client), ..self }
    }

    /// Builds the client, which connects on first use.
    pub fn build(self) -> Result<CatalogueClient, BuildError> {
        let url = parse_endpoint(&self.url)?;
        let root_certificates = self.root_certificates?;
        let http_client = match self.http_client {
            None => http_client(&url, root_certificates)?,
            Some(http_client) if root_certificates.is_empty() => http_client,
            Some(_) => return Err(BuildError::ConflictingCertificates),
        };
        Ok(CatalogueClient {
            http_client,
            url,
            headers: self.headers?,
            request_timeout: self.request_timeout,
            retry_policy: self.retry_policy,
        })
    }
}

/// Parses the URL of an endpoint: it has a host and a path, and no query string, which would be sent
/// with every request.
fn parse_endpoint(text: &str) -> Result<Url, BuildError> {
    let url = Url::parse(text).ok().filter(Url::has_host);
    let has_credentials = |url: &Url| !url.username().is_empty() || url.password().is_some();
    // Checked first, since the other error contains the URL.
    if (url.as_ref()).map_or(text.contains('@'), has_credentials) {
        return Err(BuildError::Credentials);
    }
    let url = url.filter(|url| matches!(url.scheme(), "http" | "https") && url.query().is_none() && url.path() != "/");
    url.ok_or_else(|| BuildError::Url { url: text.split(['?', '#']).next().unwrap_or_default().to_owned() })
}

fn parse_certificates(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, pem::Error> {
    let parsed: Vec<_> = CertificateDer::pem_slice_iter(pem).collect::<Result<_, _>>()?;
    if parsed.is_empty() { Err(pem::Error::NoItemsFound) } else { Ok(parsed) }
}

fn http_client(url: &Url, root_certificates: Vec<CertificateDer<'static>>) -> Result<Client, BuildError> {
    Client::builder()
        .tls_backend_preconfigured(tls_config(url, root_certificates)?)
        .connect_timeout(CONNECT_TIMEOUT)
        // A redirect is an error, since a mutation must not be sent to another endpoint.
        .redirect(Policy::none())
        .user_agent(concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(BuildError::Http)
}

/// The certificates of the platform and extra ones. No process-wide provider is installed, since other libraries may
/// use another one.
fn tls_config(url: &Url, extra_roots: Vec<CertificateDer<'static>>) -> Result<ClientConfig, BuildError> {
    let provider = Arc::new(ring::default_provider());
    let config = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(BuildError::Tls)?;
    let mut config = match Verifier::new_with_extra_roots(extra_roots, provider) {
        Ok(verifier) => config.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth(),
        // Plain HTTP works on machines without root certificates.
        Err(_) if url.scheme() == "http" => config.with_root_certificates(RootCertStore::empty()).with_no_client_auth(),
        Err(error) => return Err(BuildError::Tls(error)),
    };
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}
