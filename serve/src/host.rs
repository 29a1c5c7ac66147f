//! The names that the server answers to.
//!
//! A foreign site can let its own name resolve to this machine (DNS rebinding). A browser then lets that site's scripts read
//! the answers of this server. It still states the foreign name, so a name that is not ours is refused. An address
//! cannot be rebound.

use std::net::IpAddr;

use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use tabletop::input::quote;

use crate::failure::Failure;

/// Allows every name.
const ANY: &str = "*";

/// A name that the server answers to besides `localhost`, or [`ANY`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostName(String);

impl std::str::FromStr for HostName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<HostName, Self::Err> {
        let is_name = text == ANY || text.parse::<Authority>().is_ok_and(|authority| authority.host() == text);
        if is_name { Ok(HostName(normal(text))) } else { Err("write a name without scheme and port, or * for all") }
    }
}

/// The form in which names are compared.
fn normal(name: &str) -> String {
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

/// Refuses a request to a name that is not ours. A request without a name is accepted: browsers always state one.
pub fn check(allowed: &[HostName], target: &Uri, headers: &HeaderMap) -> Result<(), Failure> {
    let target = target.authority().map(|authority| authority.as_str().as_bytes());
    let mut stated = headers.get_all(header::HOST).iter().map(|host| host.as_bytes()).chain(target);
    let Some(foreign) = stated.find(|host| !is_ours(allowed, host)) else { return Ok(()) };
    let what = format!("the host {} is not a name of this server", quote(foreign));
    let remedy = "use its address or localhost, or start it with --allow-host NAME";
    Err(Failure::new(StatusCode::MISDIRECTED_REQUEST, what, remedy))
}

fn is_ours(allowed: &[HostName], host: &[u8]) -> bool {
    if allowed.iter().any(|HostName(allowed)| allowed == ANY) {
        return true;
    }
    let Ok(authority) = Authority::try_from(host) else { return false };
    let is_address = authority.host().trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
    let name = normal(authority.host());
    let is_loopback = name == "localhost" || name.ends_with(".localhost");
    is_address || is_loopback || allowed.iter().any(|HostName(allowed)| *allowed == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_loopback_names_and_allowed_names_are_ours() {
        let allowed = ["Games.Example.org".parse().unwrap()];
        for host in ["127.0.0.1:8017", "192.0.2.7", "[::1]:8017", "localhost", "LOCALHOST:80", "a.localhost"] {
            assert!(is_ours(&[], host.as_bytes()), "{host}");
        }
        for host in ["games.example.org", "games.example.org.:443"] {
            assert!(is_ours(&allowed, host.as_bytes()) && !is_ours(&[], host.as_bytes()), "{host}");
        }
        for host in ["", "example.org", "a.games.example.org", "notlocalhost", "127.0.0.1.example.org", "\u{1}"] {
            assert!(!is_ours(&allowed, host.as_bytes()), "{host}");
            assert!(is_ours(&["*".parse().unwrap()], host.as_bytes()), "{host}");
        }
    }

    #[test]
    fn an_allowed_name_has_no_scheme_and_no_port() {
        for text in ["", "https://example.org", "example.org:80", "me@example.org", "two words"] {
            assert!(text.parse::<HostName>().is_err(), "{text}");
        }
    }
}
