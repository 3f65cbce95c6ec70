//! Trusted proxies, which forward the address of a client in `X-Forwarded-For`.

use std::net::{IpAddr, SocketAddr};

use ipnet::IpNet;

/// The proxies whose `X-Forwarded-For` header is trusted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustedProxies(Vec<IpNet>);

impl TrustedProxies {
    /// Reads `none`, or addresses and networks such as `10.0.0.0/8` separated by commas.
    pub fn parse(text: &str) -> Option<Self> {
        if text == "none" {
            return Some(Self::default());
        }
        let networks = text.split(',').map(|part| {
            let part = part.trim();
            let single = || part.parse::<IpAddr>().ok().map(IpNet::from);
            part.parse::<IpNet>().ok().or_else(single)
        });
        networks.collect::<Option<_>>().map(Self)
    }

    /// The client address of a connection from `peer`: the last forwarded address that is not a trusted
    /// proxy. `forwarded` are the values of `X-Forwarded-For` in the order of the request. Each proxy
    /// appends the address of its peer, so everything before the entry of an untrusted peer can be forged.
    pub fn client_address<'a>(
        &self,
        peer: IpAddr,
        forwarded: impl Iterator<Item = &'a str>,
    ) -> IpAddr {
        let mut client = peer.to_canonical();
        if !self.trusts(client) {
            return client;
        }
        let hops: Vec<&str> = forwarded.flat_map(|value| value.split(',')).collect();
        for hop in hops.into_iter().rev() {
            let Some(address) = parse_address(hop.trim()) else {
                break;
            };
            client = address;
            if !self.trusts(client) {
                break;
            }
        }
        client
    }

    /// Whether the address belongs to a trusted proxy.
    pub fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }
}

/// Parses an address with or without a port.
fn parse_address(text: &str) -> Option<IpAddr> {
    let with_port = || text.parse().ok().map(|socket: SocketAddr| socket.ip());
    let address = text.trim_start_matches('[').trim_end_matches(']');
    let address = address.parse().ok().or_else(with_port);
    address.map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_client_is_the_last_address_that_is_no_trusted_proxy() {
        let (network, proxy, client) = ("10.0.0.0/8", "10.0.0.1", "203.0.113.9");
        for (trusted, peer, forwarded, expected) in [
            ("none", "192.0.2.1", &[client][..], "192.0.2.1"),
            (network, "192.0.2.1", &[client], "192.0.2.1"),
            (network, proxy, &[], proxy),
            (network, proxy, &[client], client),
            // A forged address precedes the one that the proxy appends.
            (network, proxy, &["1.1.1.1, 203.0.113.9"], client),
            (
                network,
                proxy,
                &["1.1.1.1", "203.0.113.9, 10.0.0.2"],
                client,
            ),
            (network, proxy, &["203.0.113.9, 10.0.0.2, x"], proxy),
            (network, proxy, &["203.0.113.9:4711"], client),
            (network, "::ffff:10.0.0.1", &[client], client),
            ("::1, 10.0.0.1", "::1", &["[2001:db8::7]:80"], "2001:db8::7"),
            ("::1, 10.0.0.1", "::1", &["[2001:db8::7]"], "2001:db8::7"),
        ] {
            let proxies = TrustedProxies::parse(trusted).unwrap();
            let client = proxies.client_address(peer.parse().unwrap(), forwarded.iter().copied());
            assert_eq!(
                client.to_string(),
                expected,
                "{trusted} {peer} {forwarded:?}"
            );
        }
        for wrong in ["", "10.0.0.0/33", "proxy.example", "10.0.0.1,", "*"] {
            assert_eq!(TrustedProxies::parse(wrong), None, "{wrong}");
        }
    }
}
