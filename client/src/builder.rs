//! How a client is made: what can be chosen, and what it is otherwise.

use std::time::Duration;

use reqwest::{
    Client, Url,
    header::{self, HeaderMap, HeaderName, HeaderValue},
    redirect::Policy,
};
use rustls::pki_types::CertificateDer;

use crate::{
    client::CatalogueClient,
    error::BuildError,
    retries::Retries,
    tls::{self, Encryption},
};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// As long as the service itself gives an operation unless its operator has set another time.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// What kind of program asks: the values of the header `Call-Source` that the service counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallSource {
    /// An app on iOS.
    Ios,
    /// An app on Android.
    Android,
    /// A desktop program.
    Pc,
    /// A mini program of `WeChat`.
    Wechat,
    /// A web page or its server.
    Web,
}

impl CallSource {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Ios => "IOS",
            Self::Android => "ANDROID",
            Self::Pc => "PC",
            Self::Wechat => "WECHAT",
            Self::Web => "WEB",
        }
    }
}

/// Makes a [`CatalogueClient`].
#[derive(Debug)]
#[must_use]
pub struct Builder {
    url: String,
    connect_timeout: Option<Duration>,
    request_timeout: Duration,
    retries: Retries,
    headers: Result<HeaderMap, BuildError>,
    root_certificates: Result<Vec<CertificateDer<'static>>, BuildError>,
    proxies: Proxies,
    http_client: Option<Client>,
}

/// Whether requests go through the proxies that the system names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proxies {
    OfSystem,
    None,
}

impl Builder {
    pub(crate) fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            connect_timeout: None,
            request_timeout: REQUEST_TIMEOUT,
            retries: Retries::default(),
            headers: Ok(HeaderMap::new()),
            root_certificates: Ok(Vec::new()),
            proxies: Proxies::OfSystem,
            http_client: None,
        }
    }

    /// How long to wait for a connection: 5 seconds unless it is said here.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = Some(timeout);
        self
    }

    /// How long to wait for the whole answer, from connecting on; for each attempt anew. 30 seconds
    /// unless it is said here.
    pub fn request_timeout(mut self, timeout: Duration) -> Self {
        self.request_timeout = timeout;
        self
    }

    /// How often reads are tried again when the service can't be reached or says that it is unavailable:
    /// twice unless it is said here. Mutations are never sent again.
    pub fn retries(mut self, retries: Retries) -> Self {
        self.retries = retries;
        self
    }

    /// Says what kind of program asks. The service counts and logs it.
    pub fn call_source(self, source: CallSource) -> Self {
        self.header("Call-Source", source.as_str())
    }

    /// Says which version of the program asks. The service logs it.
    pub fn app_version(self, version: impl AsRef<str>) -> Self {
        self.header("App-Version", version)
    }

    /// Sends a token with each request. It never appears in debug output.
    pub fn bearer_token(self, token: impl AsRef<str>) -> Self {
        self.header("Authorization", format!("Bearer {}", token.as_ref()))
    }

    /// Sends a header with each request.
    pub fn header(mut self, name: impl AsRef<str>, value: impl AsRef<str>) -> Self {
        let wrong = || BuildError::Header {
            name: name.as_ref().to_owned(),
        };
        let parsed = name.as_ref().parse::<HeaderName>().map_err(|_| wrong());
        let parsed = parsed.and_then(|name| {
            let mut value = HeaderValue::from_str(value.as_ref()).map_err(|_| wrong())?;
            value.set_sensitive(name == header::AUTHORIZATION);
            Ok((name, value))
        });
        self.headers = self.headers.and_then(|mut headers| {
            let (name, value) = parsed?;
            headers.insert(name, value);
            Ok(headers)
        });
        self
    }

    /// Trusts the certificates of a PEM text, beside those that the platform trusts.
    pub fn root_certificates_pem(mut self, pem: impl AsRef<[u8]>) -> Self {
        self.root_certificates = self.root_certificates.and_then(|mut known| {
            known.extend(tls::certificates(pem.as_ref())?);
            Ok(known)
        });
        self
    }

    /// Asks the service itself, whatever proxies the system or the environment name.
    pub fn no_proxy(mut self) -> Self {
        self.proxies = Proxies::None;
        self
    }

    /// Sends requests through this HTTP client, with its connection pool, its time-out for connecting,
    /// its proxies and the certificates that it trusts.
    pub fn http_client(mut self, http_client: Client) -> Self {
        self.http_client = Some(http_client);
        self
    }

    /// The client. It connects when it is first used.
    pub fn build(self) -> Result<CatalogueClient, BuildError> {
        let url = endpoint(&self.url)?;
        let root_certificates = self.root_certificates?;
        let http_client = match self.http_client {
            None => {
                let timeout = self.connect_timeout.unwrap_or(CONNECT_TIMEOUT);
                http_client(&url, timeout, self.proxies, root_certificates)?
            }
            Some(_) if self.connect_timeout.is_some() => {
                return Err(BuildError::BelongsToHttpClient("the connect time-out"));
            }
            Some(_) if !root_certificates.is_empty() => {
                return Err(BuildError::BelongsToHttpClient("the root certificate"));
            }
            Some(_) if self.proxies == Proxies::None => {
                return Err(BuildError::BelongsToHttpClient("doing without proxies"));
            }
            Some(http_client) => http_client,
        };
        Ok(CatalogueClient {
            http_client,
            url,
            headers: self.headers?,
            request_timeout: self.request_timeout,
            retries: self.retries,
        })
    }
}

/// The URL of an endpoint has a host and a path, and no query that would be sent with every request.
fn endpoint(text: &str) -> Result<Url, BuildError> {
    let url = Url::parse(text).ok().filter(|url| {
        matches!(url.scheme(), "http" | "https") && url.query().is_none() && url.path() != "/"
    });
    let url = url.ok_or_else(|| BuildError::Url {
        url: text.to_owned(),
    })?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(BuildError::Credentials);
    }
    Ok(url)
}

fn http_client(
    url: &Url,
    connect_timeout: Duration,
    proxies: Proxies,
    root_certificates: Vec<CertificateDer<'static>>,
) -> Result<Client, BuildError> {
    let encryption = match url.scheme() {
        "https" => Encryption::Needed,
        _ => Encryption::NotNeeded,
    };
    let http_client = Client::builder()
        .tls_backend_preconfigured(tls::config(root_certificates, encryption)?)
        .connect_timeout(connect_timeout)
        // An endpoint that moved is told as what it answers: a mutation must not be sent elsewhere.
        .redirect(Policy::none())
        .user_agent(concat!(
            env!("CARGO_PKG_NAME"),
            "/",
            env!("CARGO_PKG_VERSION")
        ));
    let http_client = match proxies {
        Proxies::OfSystem => http_client,
        Proxies::None => http_client.no_proxy(),
    };
    http_client.build().map_err(BuildError::Http)
}
