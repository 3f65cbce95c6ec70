//! Validates the host of requests, in `Host`, `:authority` or an absolute request target (RFC 9112,
//! section 3.2, and RFC 9113, section 8.3.1).
//!
//! This prevents DNS rebinding: a web page whose host name resolves to the address of the service is of
//! the same origin for the browser, but its requests have the host of the page and are refused.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use poem::{
    Request,
    http::{Version, header, uri::Scheme},
};

/// Maximum length of a host or an origin that is quoted in an error message.
const MAX_QUOTED_CHARACTERS: usize = 64;

/// The first characters of a host or an origin.
pub(super) fn quoted(text: &str) -> String {
    text.chars().take(MAX_QUOTED_CHARACTERS).collect()
}

/// The allowed hosts of requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AllowedHosts {
    /// Any host.
    Any,
    /// The hosts of the loopback interface, which no other machine can have, and these.
    Only(Vec<AllowedHost>),
}

/// An allowed host, with any port or with a certain one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedHost {
    pattern: Pattern,
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Pattern {
    /// In lower case.
    Name(String),
    /// Every name that ends with this, such as `.example.com`; in lower case.
    Subdomains(String),
    Network(IpNet),
}

/// Why the host of a request is refused. The message is sent to the client.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum HostError {
    /// There is no host.
    #[error("the Host header is missing")]
    Missing,
    /// There is more than one host.
    #[error("the request has more than one host; send one Host header or :authority")]
    Repeated,
    /// It is not a host with an optional port.
    #[error("the Host header is not a host name or address with an optional port")]
    Invalid,
    /// It is not allowed; contains its first characters.
    #[error(
        "the host {0:?} is not allowed; use another name of this server, or add the host to \
         allowed-hosts"
    )]
    NotAllowed(String),
}

impl AllowedHosts {
    /// The hosts of the loopback interface.
    pub fn loopback() -> Self {
        Self::Only(Vec::new())
    }

    /// Adds the listen address, which health checks of the same machine use as the host.
    #[must_use]
    pub fn with_address(mut self, address: IpAddr) -> Self {
        if let Self::Only(hosts) = &mut self
            && !address.is_unspecified()
        {
            let (pattern, port) = (Pattern::Network(address.to_canonical().into()), None);
            hosts.push(AllowedHost { pattern, port });
        }
        self
    }

    /// Adds every address. It needs no protection: a page cannot make an address resolve to another one.
    #[must_use]
    pub fn with_addresses(mut self) -> Self {
        if let Self::Only(hosts) = &mut self {
            let all = [IpNet::from(Ipv4Net::default()), Ipv6Net::default().into()];
            hosts.extend(all.map(|network| AllowedHost {
                pattern: Pattern::Network(network),
                port: None,
            }));
        }
        self
    }

    /// Parses `*`, or a list of names, subdomain patterns such as `*.example.com`, addresses and
    /// networks, separated by commas. All but networks may have a port.
    pub fn parse(text: &str) -> Option<Self> {
        if text == "*" {
            return Some(Self::Any);
        }
        let hosts = text.split(',').map(|host| AllowedHost::parse(host.trim()));
        hosts.collect::<Option<_>>().map(Self::Only)
    }

    /// Validates the host of a request.
    pub(super) fn check(&self, request: &Request) -> Result<(), HostError> {
        let mut lines = request.headers().get_all(header::HOST).iter();
        let line = lines.next();
        if lines.next().is_some() {
            return Err(HostError::Repeated);
        }
        let version = request.version();
        let text = match (request.uri().authority(), line) {
            (Some(authority), Some(line)) if version >= Version::HTTP_2 => {
                let authority = authority.as_str();
                if !line.as_bytes().eq_ignore_ascii_case(authority.as_bytes()) {
                    return Err(HostError::Repeated);
                }
                authority
            }
            (None | Some(_), None) if version == Version::HTTP_11 => {
                return Err(HostError::Missing);
            }
            // An absolute request target takes precedence over `Host`.
            (Some(authority), _) => authority.as_str(),
            (None, Some(line)) => line.to_str().map_err(|_| HostError::Invalid)?,
            (None, None) if version >= Version::HTTP_2 => return Err(HostError::Missing),
            // HTTP/1.0 has no `Host`, and no browser uses it.
            (None, None) => return Ok(()),
        };
        let host = Host::parse(text).ok_or(HostError::Invalid)?;
        if self.allow(&host, request.scheme()) {
            Ok(())
        } else {
            Err(HostError::NotAllowed(quoted(text)))
        }
    }

    fn allow(&self, host: &Host<'_>, scheme: &Scheme) -> bool {
        match self {
            Self::Any => true,
            Self::Only(hosts) => {
                host.is_loopback() || hosts.iter().any(|allowed| allowed.matches(host, scheme))
            }
        }
    }
}

impl AllowedHost {
    fn parse(text: &str) -> Option<Self> {
        let text = text.to_ascii_lowercase();
        let network = text.parse::<IpNet>();
        if let Ok(network) = network.or_else(|_| text.parse::<IpAddr>().map(IpNet::from)) {
            let (pattern, port) = (Pattern::Network(network), None);
            return Some(Self { pattern, port });
        }
        let Host { name, port } = Host::parse(&text)?;
        let pattern = match name {
            Name::Address(address) => Pattern::Network(address.into()),
            Name::Registered(name) => match name.strip_prefix('*') {
                Some(suffix) => {
                    let is_suffix = suffix.strip_prefix('.').is_some_and(is_plain_name);
                    is_suffix.then(|| Pattern::Subdomains(suffix.to_owned()))?
                }
                None => is_plain_name(name).then(|| Pattern::Name(name.to_owned()))?,
            },
        };
        Some(Self { pattern, port })
    }

    fn matches(&self, host: &Host<'_>, scheme: &Scheme) -> bool {
        let default = if *scheme == Scheme::HTTPS { 443 } else { 80 };
        if self.port.is_some() && self.port != Some(host.port.unwrap_or(default)) {
            return false;
        }
        match (&self.pattern, &host.name) {
            (Pattern::Name(allowed), Name::Registered(name)) => name.eq_ignore_ascii_case(allowed),
            (Pattern::Subdomains(suffix), Name::Registered(name)) => ends_with(name, suffix),
            (Pattern::Network(network), Name::Address(address)) => {
                network.contains(&address.to_canonical())
            }
            _ => false,
        }
    }
}

/// The host of a request.
struct Host<'r> {
    name: Name<'r>,
    port: Option<u16>,
}

enum Name<'r> {
    /// Without the trailing dot of an absolute name.
    Registered(&'r str),
    Address(IpAddr),
}

impl<'r> Host<'r> {
    /// Parses `host` or `host:port` (RFC 3986, sections 3.2.2 and 3.2.3).
    fn parse(text: &'r str) -> Option<Self> {
        let (name, port) = if let Some(bracketed) = text.strip_prefix('[') {
            let (address, port) = bracketed.split_once(']')?;
            let address: Ipv6Addr = address.parse().ok()?;
            let port = port.strip_prefix(':').or(port.is_empty().then_some(""))?;
            (Name::Address(address.into()), port)
        } else {
            let (name, port) = text.split_once(':').unwrap_or((text, ""));
            let is_name =
                |byte: u8| byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=".contains(&byte);
            let name = match name.parse::<Ipv4Addr>() {
                Ok(address) => Name::Address(address.into()),
                Err(_) if name.bytes().all(is_name) => {
                    Name::Registered(name.strip_suffix('.').unwrap_or(name))
                }
                Err(_) => return None,
            };
            (name, port)
        };
        let port = match port {
            "" => None,
            digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(digits.parse().ok()?)
            }
            _ => return None,
        };
        Some(Self { name, port })
    }

    fn is_loopback(&self) -> bool {
        match self.name {
            Name::Registered(name) => {
                name.eq_ignore_ascii_case("localhost") || ends_with(name, ".localhost")
            }
            Name::Address(address) => address.to_canonical().is_loopback(),
        }
    }
}

/// Whether a name is a subdomain; the suffix begins with a dot.
fn ends_with(name: &str, suffix: &str) -> bool {
    let (name, suffix) = (name.as_bytes(), suffix.as_bytes());
    name.len() > suffix.len() && name[name.len() - suffix.len()..].eq_ignore_ascii_case(suffix)
}

fn is_plain_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    name.split('.')
        .all(|label| !label.is_empty() && label.bytes().all(is_plain))
}

#[cfg(test)]
mod tests {
    use poem::http::uri::Scheme;

    use super::{AllowedHosts, Host};

    #[test]
    fn allows_hosts_by_name_domain_network_and_port() {
        for (allowed, host, expected) in [
            ("*", "evil.example", true),
            ("a.example", "a.example", true),
            ("a.example", "A.Example.:8000", true),
            ("A.example", "a.example", true),
            ("a.example", "b.a.example", false),
            ("a.example", "aa.example", false),
            ("a.example:8000", "a.example:8000", true),
            ("a.example:8000", "a.example:8001", false),
            ("a.example:8000", "a.example", false),
            ("a.example:80", "a.example", true),
            ("*.a.example", "b.a.example", true),
            ("*.a.example", "c.b.a.example:1", true),
            ("*.a.example", "a.example", false),
            ("*.a.example", "ba.example", false),
            ("*.a.example", "evil-a.example", false),
            ("b.example, a.example", "a.example", true),
            ("10.0.0.0/8", "10.1.2.3:9000", true),
            ("10.0.0.0/8", "11.1.2.3", false),
            ("10.0.0.0/8", "10.example", false),
            ("192.0.2.1:8000", "192.0.2.1:8000", true),
            ("192.0.2.1:8000", "192.0.2.1:8001", false),
            ("2001:db8::/32", "[2001:db8::7]:8000", true),
            ("[2001:db8::7]:8000", "[2001:DB8::7]:8000", true),
            ("2001:db8::7", "[2001:db8::8]", false),
            // The hosts of the loopback interface are always allowed.
            ("a.example", "localhost:8000", true),
            ("a.example", "LOCALHOST.", true),
            ("a.example", "a.localhost", true),
            ("a.example", "127.255.0.1", true),
            ("a.example", "[::1]:8000", true),
            ("a.example", "[::ffff:127.0.0.1]", true),
            ("a.example", "notlocalhost", false),
            ("a.example", "localhost.evil.example", false),
            ("a.example", "128.0.0.1", false),
            ("a.example", "0.0.0.0", false),
            ("a.example", "2130706433", false),
            ("a.example", "", false),
        ] {
            let hosts = AllowedHosts::parse(allowed).unwrap();
            let named = Host::parse(host).unwrap();
            assert_eq!(
                hosts.allow(&named, &Scheme::HTTP),
                expected,
                "{allowed}: {host}"
            );
        }
    }

    #[test]
    fn allows_the_listen_address() {
        let hosts = AllowedHosts::parse("a.example").unwrap();
        for (listen, host, expected) in [
            ("192.0.2.1", "192.0.2.1:8000", true),
            ("192.0.2.1", "192.0.2.2:8000", false),
            ("0.0.0.0", "0.0.0.0:8000", false),
            ("::", "[2001:db8::1]:8000", false),
        ] {
            let hosts = hosts.clone().with_address(listen.parse().unwrap());
            let named = Host::parse(host).unwrap();
            assert_eq!(hosts.allow(&named, &Scheme::HTTP), expected, "{host}");
        }
    }

    #[test]
    fn rejects_invalid_hosts() {
        for wrong in [
            "a b",
            "a@b",
            "a/b",
            "a:b",
            "a:80:80",
            "a:-1",
            "a:65536",
            "[::1",
            "[::1]8000",
            "[a]",
            "::1",
            "\"a\"",
            "a?b",
            "a\\b",
        ] {
            assert!(Host::parse(wrong).is_none(), "{wrong}");
        }
        for wrong in [
            "",
            "a.example,",
            "a.*",
            "*a.example",
            "*.",
            "*.*.example",
            "https://a.example",
            "a.example/",
            "a..example",
            ".a.example",
            "10.0.0.0/33",
            "a.example,*",
            "a b",
        ] {
            assert_eq!(AllowedHosts::parse(wrong), None, "{wrong}");
        }
    }
}
