//! Validates the host of requests, in `Host`, `:authority` or an absolute request target (RFC 9112, section 3.2, and RFC
//! 9113, section 8.3.1).
//!
//! This prevents DNS rebinding: a web page whose host name resolves to the address of the service is of the same origin
//! for the browser, but its requests have the host of the page and are refused.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use poem::{
    Request,
    http::{
        StatusCode, Version, header,
        uri::{Authority, Scheme},
    },
};

use crate::refusal::Refusal;

/// The first 64 characters of a host or an origin.
pub(crate) fn quoted(text: &str) -> String {
    text.chars().take(64).collect()
}

/// The allowed hosts of requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AllowedHosts {
    /// Any host.
    Any,
    /// The hosts of the loopback interface, which no other machine can have, and these.
    Only(Vec<AllowedHost>),
}

/// An allowed host, with any port or a certain one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedHost {
    pattern: Pattern,
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Pattern {
    /// A name, or `*.` and a name, in lower case.
    Name(String),
    Network(IpNet),
}

impl AllowedHosts {
    /// Parses `*`, or a list of names, subdomain patterns such as `*.example.com`, addresses and networks, separated by
    /// commas. All but networks may have a port.
    pub fn parse(text: &str) -> Option<Self> {
        if text == "*" {
            return Some(Self::Any);
        }
        let hosts = text.split(',').map(|host| allowed(host.trim()));
        hosts.collect::<Option<_>>().map(Self::Only)
    }

    /// Adds the listen address, which health checks of the same machine use as the host.
    #[must_use]
    pub fn with_address(self, address: IpAddr) -> Self {
        let is_one = !address.is_unspecified();
        self.with_networks(is_one.then(|| address.to_canonical().into()))
    }

    /// Adds every address. It needs no protection: a page cannot make an address resolve to another one.
    #[must_use]
    pub fn with_addresses(self) -> Self {
        self.with_networks([Ipv4Net::default().into(), Ipv6Net::default().into()])
    }

    fn with_networks(mut self, networks: impl IntoIterator<Item = IpNet>) -> Self {
        if let Self::Only(hosts) = &mut self {
            let networks = networks.into_iter();
            hosts.extend(networks.map(|network| AllowedHost { pattern: Pattern::Network(network), port: None }));
        }
        self
    }

    /// Refuses a request whose host is not allowed.
    pub fn check(&self, request: &Request) -> poem::Result<()> {
        let bad_request = |message| Err(Refusal::bad_request(StatusCode::BAD_REQUEST, message).into());
        let mut lines = request.headers().get_all(header::HOST).iter();
        let (line, version) = (lines.next(), request.version());
        let authority = request.uri().authority().map(Authority::as_str);
        let is_repeated = lines.next().is_some()
            || version >= Version::HTTP_2
                && line
                    .zip(authority)
                    .is_some_and(|(line, authority)| !line.as_bytes().eq_ignore_ascii_case(authority.as_bytes()));
        if is_repeated {
            return bad_request("the request has more than one host; send one Host header or :authority");
        }
        // HTTP/1.0 has no `Host`, and no browser uses it; a target does not replace that of HTTP/1.1.
        let is_missing = line.is_none() && (version == Version::HTTP_11 || authority.is_none());
        if is_missing && version < Version::HTTP_11 {
            return Ok(());
        } else if is_missing {
            return bad_request("the Host header is missing");
        }
        let line = line.map(|line| line.to_str().unwrap_or("?"));
        let text = authority.or(line).unwrap_or_default();
        match parse(text) {
            None => bad_request("the Host header is not a host name or address with an optional port"),
            Some(host) if self.allow(&host, request.scheme()) => Ok(()),
            Some(_) => {
                let text = quoted(text);
                let message = format!(
                    "the host {text:?} is not allowed; use another name of this server, or add \
                     the host to allowed-hosts"
                );
                Err(Refusal::bad_request(StatusCode::MISDIRECTED_REQUEST, message).into())
            }
        }
    }

    fn allow(&self, (host, port): &(Host<'_>, Option<u16>), scheme: &Scheme) -> bool {
        let Self::Only(allowed) = self else {
            return true;
        };
        let is_loopback = match host {
            Host::Name(name) => name.eq_ignore_ascii_case("localhost") || ends_with(name, ".localhost"),
            Host::Address(address) => address.to_canonical().is_loopback(),
        };
        let default = if *scheme == Scheme::HTTPS { 443 } else { 80 };
        let port = port.unwrap_or(default);
        let matches = |pattern: &Pattern| match (pattern, host) {
            (Pattern::Name(pattern), Host::Name(name)) => match pattern.strip_prefix('*') {
                Some(suffix) => ends_with(name, suffix),
                None => name.eq_ignore_ascii_case(pattern),
            },
            (Pattern::Network(network), Host::Address(address)) => network.contains(&address.to_canonical()),
            _ => false,
        };
        let is_port = |required: Option<u16>| required.is_none_or(|required| required == port);
        let mut allowed = allowed.iter();
        is_loopback || allowed.any(|host| matches(&host.pattern) && is_port(host.port))
    }
}

fn allowed(text: &str) -> Option<AllowedHost> {
    let text = text.to_ascii_lowercase();
    let network = text.parse().or_else(|_| text.parse().map(IpAddr::into));
    let (pattern, port) = match network {
        Ok(network) => (Pattern::Network(network), None),
        Err(_) => match parse(&text)? {
            (Host::Address(address), port) => (Pattern::Network(address.into()), port),
            (Host::Name(name), port) => {
                let plain = name.strip_prefix("*.").unwrap_or(name);
                is_plain_name(plain).then(|| (Pattern::Name(name.to_owned()), port))?
            }
        },
    };
    Some(AllowedHost { pattern, port })
}

enum Host<'r> {
    /// Without the trailing dot of an absolute name.
    Name(&'r str),
    Address(IpAddr),
}

/// Parses `host` or `host:port` (RFC 3986, sections 3.2.2 and 3.2.3).
fn parse(text: &str) -> Option<(Host<'_>, Option<u16>)> {
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port),
        _ => (text, ""),
    };
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=".contains(&byte);
    let host = if let Some(address) = host.strip_prefix('[') {
        Host::Address(address.strip_suffix(']')?.parse::<Ipv6Addr>().ok()?.into())
    } else if let Ok(address) = host.parse::<Ipv4Addr>() {
        Host::Address(address.into())
    } else if host.bytes().all(is_name) {
        Host::Name(host.strip_suffix('.').unwrap_or(host))
    } else {
        return None;
    };
    let is_number = port.bytes().all(|byte| byte.is_ascii_digit());
    match port {
        "" => Some((host, None)),
        _ if is_number => Some((host, Some(port.parse().ok()?))),
        _ => None,
    }
}

/// Whether a name is a subdomain; the suffix begins with a dot.
fn ends_with(name: &str, suffix: &str) -> bool {
    let (name, suffix) = (name.as_bytes(), suffix.as_bytes());
    name.len() > suffix.len() && name[name.len() - suffix.len()..].eq_ignore_ascii_case(suffix)
}

fn is_plain_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    name.split('.').all(|label| !label.is_empty() && label.bytes().all(is_plain))
}
