//! Validates the host of requests, in `Host`, `:authority` or an absolute request target (RFC 9112, section 3.2, and RFC
//! 9113, section 8.3.1).
//!
//! This prevents DNS rebinding: a web page whose host name resolves to the address of the service is of the same origin
//! for the browser, but its requests have the host of the page and are refused.

use std::net::{Ipv4Addr, Ipv6Addr};

use poem::{
    Request,
    http::{StatusCode, Version, header, uri::Authority},
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
    /// These names, `localhost`, its subdomains, and every address: a page cannot make an address resolve to another one. A
    /// name is in lower case; with `*.` before it, it matches its subdomains.
    Only(Vec<String>),
}

impl AllowedHosts {
    /// Parses `*`, or a list of names and subdomain patterns such as `*.example.com`, separated by commas.
    pub fn parse(text: &str) -> Option<Self> {
        if text == "*" {
            return Some(Self::Any);
        }
        let names = text.split(',').map(allowed_name);
        names.collect::<Option<_>>().map(Self::Only)
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
            Some(host) if self.allow(&host) => Ok(()),
            Some(_) => {
                let text = quoted(text);
                let message = format!(
                    "the host {text:?} is not allowed; use another name or an address of this server, or add the host \
                     to allowed-hosts"
                );
                Err(Refusal::bad_request(StatusCode::MISDIRECTED_REQUEST, message).into())
            }
        }
    }

    fn allow(&self, host: &Host<'_>) -> bool {
        let (Self::Only(allowed), Host::Name(name)) = (self, host) else {
            return true;
        };
        let name = name.to_ascii_lowercase();
        let is_match = |allowed: &str| match allowed.strip_prefix('*') {
            Some(suffix) => name.strip_suffix(suffix).is_some_and(|subdomain| !subdomain.is_empty()),
            None => name == allowed,
        };
        let allowed = allowed.iter().map(String::as_str);
        ["localhost", "*.localhost"].into_iter().chain(allowed).any(is_match)
    }
}

/// A name, or `*.` and a name, in lower case.
fn allowed_name(text: &str) -> Option<String> {
    let text = text.trim().to_ascii_lowercase();
    let name = text.strip_prefix("*.").unwrap_or(&text);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    let is_name = name.split('.').all(|label| !label.is_empty() && label.bytes().all(is_plain));
    // A listed address could be taken as the only one that is allowed.
    let is_address = name.parse::<Ipv4Addr>().is_ok();
    (is_name && !is_address).then_some(text)
}

enum Host<'r> {
    /// Without the trailing dot of an absolute name.
    Name(&'r str),
    Address,
}

/// Parses `host` or `host:port` (RFC 3986, sections 3.2.2 and 3.2.3).
fn parse(text: &str) -> Option<Host<'_>> {
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port),
        _ => (text, ""),
    };
    let is_number = port.bytes().all(|byte| byte.is_ascii_digit());
    let is_port = port.is_empty() || is_number && port.parse::<u16>().is_ok();
    if !is_port {
        return None;
    }
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=".contains(&byte);
    if let Some(address) = host.strip_prefix('[') {
        let address = address.strip_suffix(']')?.parse::<Ipv6Addr>();
        address.is_ok().then_some(Host::Address)
    } else if host.parse::<Ipv4Addr>().is_ok() {
        Some(Host::Address)
    } else {
        let name = host.strip_suffix('.').unwrap_or(host);
        host.bytes().all(is_name).then_some(Host::Name(name))
    }
}
