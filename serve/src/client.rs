//! Who asks: the address by which connections and waiting questions are counted.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::http::HeaderMap;

/// The header to which a proxy appends the address of its own client.
const FORWARDED: &str = "x-forwarded-for";

tokio::task_local! {
    static CURRENT: Client;
}

/// A client: an IPv4 address, or an IPv6 network of 64 bits, which one client usually has as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Client(IpAddr);

impl Client {
    /// The client at an address.
    pub fn at(address: IpAddr) -> Client {
        const NETWORK: u128 = u128::MAX << 64;
        match address.to_canonical() {
            IpAddr::V6(address) => Client(Ipv6Addr::from_bits(address.to_bits() & NETWORK).into()),
            address => Client(address),
        }
    }

    /// The client of a proxy: the last address in `X-Forwarded-For`. The proxy has added this one itself. Those before it
    /// are the client's own claim.
    pub fn behind_proxy(headers: &HeaderMap) -> Option<Client> {
        let list = headers.get_all(FORWARDED).iter().next_back()?.to_str().ok()?;
        let last = list.rsplit(',').next()?.trim();
        let address = last.parse::<IpAddr>().ok();
        address.or_else(|| Some(last.parse::<SocketAddr>().ok()?.ip())).map(Client::at)
    }

    /// Answers a request of this client.
    pub async fn scope<F: Future>(self, request: F) -> F::Output {
        CURRENT.scope(self, request).await
    }

    /// The client whose request this task answers. Outside of a request it is the unspecified address.
    pub fn current() -> Client {
        CURRENT.try_with(|client| *client).unwrap_or(Client(Ipv4Addr::UNSPECIFIED.into()))
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn at(text: &str) -> Client {
        Client::at(text.parse().unwrap())
    }

    #[test]
    fn a_client_is_an_address_or_a_network() {
        assert_ne!(at("192.0.2.7"), at("192.0.2.8"));
        assert_eq!(at("::ffff:192.0.2.7"), at("192.0.2.7"));
        assert_eq!(at("2001:db8:1:2:3:4:5:6"), at("2001:db8:1:2::"));
        assert_ne!(at("2001:db8:1:2::"), at("2001:db8:1:3::"));
    }

    #[test]
    fn behind_a_proxy_only_the_address_that_the_proxy_added_counts() {
        let read = |lines: &[&'static str]| {
            let lines = lines.iter().map(|line| (FORWARDED.parse().unwrap(), HeaderValue::from_static(line)));
            Client::behind_proxy(&lines.collect())
        };
        assert_eq!(read(&["192.0.2.1, 192.0.2.7"]), Some(at("192.0.2.7")));
        assert_eq!(read(&["192.0.2.7:4711"]), Some(at("192.0.2.7")));
        assert_eq!(read(&["192.0.2.1", "[2001:db8::1]:80"]), Some(at("2001:db8::")));
        assert_eq!(read(&["192.0.2.7, unknown"]), None);
        assert_eq!(read(&[]), None);
    }
}
