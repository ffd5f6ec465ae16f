use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::error::Error;
use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

use crate::Policy;

/// How names become addresses, before the policy looks at them.
pub(crate) type Lookup = Arc<dyn Fn(String) -> LookingUp + Send + Sync>;

/// A look-up that is under way.
pub(crate) type LookingUp = futures::future::BoxFuture<'static, std::io::Result<Vec<SocketAddr>>>;

/// Looks names up and hands on the addresses only if the policy allows **all** of them. The connection is made to what
/// was checked, so a name that changes its mind gains nothing.
pub(crate) struct Resolver {
    policy: Policy,
    lookup: Lookup,
}

impl Resolver {
    pub(crate) fn new(policy: Policy, lookup: Lookup) -> Self {
        Resolver { policy, lookup }
    }
}

/// The machine's own resolver.
pub(crate) fn system() -> Lookup {
    Arc::new(|name| {
        Box::pin(async move { tokio::net::lookup_host((name.as_str(), 0)).await.map(Iterator::collect) })
    })
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (policy, found) = (self.policy, (self.lookup)(name.as_str().to_owned()));
        Box::pin(async move {
            let found = found.await?;
            if found.iter().any(|address| !policy.allows(address.ip())) {
                return Err(Refused.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// What the resolver answers when the policy refuses a name; found again in the chain of an error's causes.
#[derive(Debug)]
pub(crate) struct Refused;

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the address is not allowed")
    }
}

impl Error for Refused {}

impl Refused {
    pub(crate) fn is_behind(error: &(dyn Error + 'static)) -> bool {
        let mut cause = Some(error);
        while let Some(error) = cause {
            if error.is::<Refused>() {
                return true;
            }
            cause = error.source();
        }
        false
    }
}
