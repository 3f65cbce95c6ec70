//! Who calls: the subject of a token, or an address as far as it can be believed.

use std::net::{IpAddr, Ipv6Addr};

use ipnet::IpNet;

/// Who has a bucket of their own.
#[derive(Clone, Debug, Hash, PartialEq, Eq)]
pub enum Caller {
    /// The subject of a token, from wherever it comes.
    Subject(String),
    /// An address of IPv4, or the first 64 bits of one of IPv6: a host has all the others.
    Address(IpAddr),
}

impl Caller {
    /// Whoever has this address.
    pub fn at(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = address.to_bits() & !u128::from(u64::MAX);
                IpAddr::V6(Ipv6Addr::from_bits(network))
            }
            address @ IpAddr::V4(_) => address,
        })
    }
}

/// The proxies that are believed when they say for whom they ask.
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
            let alone = || part.parse::<IpAddr>().ok().map(IpNet::from);
            part.parse::<IpNet>().ok().or_else(alone)
        });
        networks.collect::<Option<_>>().map(Self)
    }

    /// The last address that nobody who is trusted stands for: each proxy appends whom it got the
    /// request from, and what stands before the word of a stranger can be made up.
    pub(super) fn client<'a>(
        &self,
        peer: IpAddr,
        forwarded: impl Iterator<Item = &'a str>,
    ) -> IpAddr {
        let mut client = peer.to_canonical();
        if !self.trusts(client) {
            return client;
        }
        let named: Vec<&str> = forwarded.flat_map(|value| value.split(',')).collect();
        for name in named.into_iter().rev() {
            let Some(address) = address(name.trim()) else {
                break;
            };
            client = address;
            if !self.trusts(client) {
                break;
            }
        }
        client
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }
}

/// An address, with or without a port.
fn address(text: &str) -> Option<IpAddr> {
    let with_port = || {
        text.parse()
            .ok()
            .map(|socket: std::net::SocketAddr| socket.ip())
    };
    let address = text.trim_start_matches('[').trim_end_matches(']');
    let address = address.parse().ok().or_else(with_port);
    address.map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_believed_as_far_as_those_who_tell_it() {
        for (trusted, peer, forwarded, expected) in [
            ("none", "192.0.2.1", &["203.0.113.9"][..], "192.0.2.1"),
            ("10.0.0.0/8", "192.0.2.1", &["203.0.113.9"], "192.0.2.1"),
            ("10.0.0.0/8", "10.0.0.1", &[], "10.0.0.1"),
            ("10.0.0.0/8", "10.0.0.1", &["203.0.113.9"], "203.0.113.9"),
            // What a client has made up stands before what the proxy says.
            (
                "10.0.0.0/8",
                "10.0.0.1",
                &["1.1.1.1, 203.0.113.9"],
                "203.0.113.9",
            ),
            (
                "10.0.0.0/8",
                "10.0.0.1",
                &["1.1.1.1", "203.0.113.9, 10.0.0.2"],
                "203.0.113.9",
            ),
            (
                "10.0.0.0/8",
                "10.0.0.1",
                &["203.0.113.9, 10.0.0.2, x"],
                "10.0.0.1",
            ),
            (
                "10.0.0.0/8",
                "10.0.0.1",
                &["203.0.113.9:4711"],
                "203.0.113.9",
            ),
            (
                "10.0.0.0/8",
                "::ffff:10.0.0.1",
                &["203.0.113.9"],
                "203.0.113.9",
            ),
            ("::1, 10.0.0.1", "::1", &["[2001:db8::7]:80"], "2001:db8::7"),
            ("::1, 10.0.0.1", "::1", &["[2001:db8::7]"], "2001:db8::7"),
        ] {
            let proxies = TrustedProxies::parse(trusted).unwrap();
            let client = proxies.client(peer.parse().unwrap(), forwarded.iter().copied());
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

    #[test]
    fn a_host_of_ipv6_is_one_caller() {
        let caller = |text: &str| Caller::at(text.parse().unwrap());
        assert_eq!(caller("2001:db8:0:1::1"), caller("2001:db8:0:1:ffff::9"));
        assert_ne!(caller("2001:db8:0:1::1"), caller("2001:db8:0:2::1"));
        assert_eq!(caller("::ffff:192.0.2.1"), caller("192.0.2.1"));
        assert_ne!(caller("192.0.2.1"), caller("192.0.2.2"));
    }
}
