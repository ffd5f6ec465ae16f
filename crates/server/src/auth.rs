use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use memoir_engine::Caller;
use memoir_model::{Error, ErrorCode, TenantId};

use crate::app::App;
use crate::failure::Failure;

/// Who makes the request. Taking it as an argument is what makes a handler ask for a key.
pub(crate) struct Auth(pub(crate) Caller);

impl FromRequestParts<App> for Auth {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let caller = match token(&parts.headers) {
            Some(token) => {
                let caller = app.engine().authenticate(token).await?;
                app.inner.rates.check(&caller.actor)?;
                caller
            }
            None if app.is_open().await? => {
                check_local(parts)?;
                Caller::local(TenantId::default_tenant(), "loopback")
            }
            None => {
                let message = "this server has keys and the request has none";
                return Err(Error::new(ErrorCode::Unauthenticated, message).into());
            }
        };
        Ok(Auth(caller))
    }
}

fn token(headers: &HeaderMap) -> Option<&str> {
    let bearer = || {
        let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
        let (scheme, token) = value.split_once(' ')?;
        (scheme.eq_ignore_ascii_case("bearer") || scheme.eq_ignore_ascii_case("token"))
            .then_some(token.trim())
    };
    bearer().or_else(|| headers.get("x-api-key")?.to_str().ok())
}

/// A server without keys trusts this machine. A web page in a browser on this machine is not trusted: it can make
/// its own name resolve to loopback, but it cannot make the browser send another Host; and it can ask for loopback
/// by its right name, but then the browser says in Origin whose page it is.
fn check_local(parts: &Parts) -> Result<(), Failure> {
    let refuse = |header: &str| {
        let message = "without keys this server answers to localhost only";
        Err(Error::new(ErrorCode::Forbidden, message).at(header).into())
    };
    let host = parts.headers.get(header::HOST).and_then(|host| host.to_str().ok());
    if !is_local(host.or_else(|| parts.uri.host()).unwrap_or_default()) {
        return refuse("Host");
    }
    if let Some(origin) = parts.headers.get(header::ORIGIN) {
        let origin = origin.to_str().unwrap_or_default();
        let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        if !host.is_some_and(is_local) {
            return refuse("Origin");
        }
    }
    Ok(())
}

/// Whether a host, with or without a port, is this machine.
fn is_local(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}
