use reqwest::Url;
use std::net::IpAddr;

use crate::EgressError;
use crate::address::is_public;

/// Whom a client may speak to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// Anyone. For URLs that the operator wrote: a model server often runs on the same machine. Proxies named in the
    /// environment are used, except for the machine itself.
    Any,
    /// Public addresses only, also after a name was looked up. For URLs that a tenant wrote. Never goes through a proxy:
    /// behind one, the address that is spoken to could not be checked.
    PublicOnly,
}

impl Policy {
    pub(crate) fn allows(self, address: IpAddr) -> bool {
        match self {
            Policy::Any => true,
            Policy::PublicOnly => is_public(address),
        }
    }

    /// Refuses a URL that is wrong in itself: another scheme, no host, credentials, or an address that is not allowed.
    /// Names are checked when they are looked up.
    pub(crate) fn check(self, url: &Url) -> Result<(), EgressError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(EgressError::BadUrl("only http and https are spoken"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(EgressError::BadUrl("it must not contain a user or a password"));
        }
        let Some(host) = url.host_str() else { return Err(EgressError::BadUrl("it names no host")) };
        match literal(host) {
            Some(address) if !self.allows(address) => Err(EgressError::Forbidden { host: host.to_owned() }),
            _ => Ok(()),
        }
    }
}

/// The address that a host is written as, if it is not a name.
pub(crate) fn literal(host: &str) -> Option<IpAddr> {
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

/// Whether a host is this machine, by its name or its address.
pub(crate) fn is_this_machine(host: &str) -> bool {
    let name = host.trim_end_matches('.');
    name == "localhost" || name.ends_with(".localhost") || literal(host).is_some_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_checked_before_anything_is_sent() {
        let table = [
            ("https://example.com/hook?token=s3cret", true, true),
            ("http://127.0.0.1:11434/v1", true, false),
            ("http://[::1]/", true, false),
            ("http://2130706433/", true, false),
            ("http://0x7f.1/", true, false),
            ("http://[::ffff:169.254.169.254]/", true, false),
            ("file:///etc/passwd", false, false),
            ("ftp://example.com/", false, false),
            ("https://user:s3cret@example.com/", false, false),
        ];
        for (url, any, public) in table {
            let url: Url = url.parse().unwrap();
            assert_eq!(Policy::Any.check(&url).is_ok(), any, "{url}");
            let checked = Policy::PublicOnly.check(&url);
            assert_eq!(checked.is_ok(), public, "{url}");
            assert!(checked.err().is_none_or(|error| !error.to_string().contains("s3cret")));
        }
    }

    #[test]
    fn this_machine_has_several_names() {
        for host in ["localhost", "db.localhost", "127.0.0.1", "127.9.9.9", "[::1]"] {
            assert!(is_this_machine(host), "{host}");
        }
        for host in ["example.com", "localhost.example.com", "10.0.0.1"] {
            assert!(!is_this_machine(host), "{host}");
        }
    }
}
