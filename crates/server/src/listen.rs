use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use memoir_model::{Error, ErrorCode, Result};
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

use crate::app::App;
use crate::router::router;

/// More connections than any machine can hold.
const MOST_PLACES: u32 = 1 << 20;
/// How long a client may take to send the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(15);

/// Without any key a server answers on loopback only, and refuses to start on another address.
pub fn check_address(address: SocketAddr, has_keys: bool) -> Result<()> {
    if has_keys || address.ip().is_loopback() {
        return Ok(());
    }
    let message = format!(
        "there is no API key, so the server may only listen on loopback, not on {address}; make a key with \
         `memoir keys create --role admin`, or set server.listen to 127.0.0.1:{}",
        address.port()
    );
    Err(Error::new(ErrorCode::Forbidden, message))
}

/// A server that is bound to its address.
pub struct Server {
    app: App,
    listener: TcpListener,
    head_timeout: Duration,
}

impl Server {
    /// Binds the address; port 0 takes any free one.
    pub async fn bind(app: App, address: SocketAddr) -> Result<Self> {
        let listener = TcpListener::bind(address).await.map_err(|e| {
            let message = format!("cannot listen on {address}: {e}; choose another server.listen");
            Error::new(ErrorCode::Conflict, message)
        })?;
        Ok(Server { app, listener, head_timeout: HEAD_TIMEOUT })
    }

    /// The same server, with another limit for the time in which the head of a request must arrive.
    #[must_use]
    pub fn head_timeout(self, head_timeout: Duration) -> Self {
        Server { head_timeout, ..self }
    }

    /// Where it listens.
    pub fn address(&self) -> Result<SocketAddr> {
        self.listener.local_addr().map_err(|e| Error::internal(e.to_string()))
    }

    /// Serves until `stop`, then lets requests that are under way finish, but not longer than `grace`.
    pub async fn run(self, stop: impl Future<Output = ()>, grace: Duration) {
        let service = router(self.app.clone());
        let most =
            u32::try_from(self.app.inner.settings.max_connections).unwrap_or(u32::MAX).clamp(1, MOST_PLACES);
        let places = Arc::new(Semaphore::new(most as usize));
        let (stopping, told_to_stop) = watch::channel(());
        // HTTP/1.1 only: telling HTTP/2 apart means to wait, without a limit, for the first bytes of who says nothing.
        let mut builder = Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(self.head_timeout);
        tokio::pin!(stop);
        loop {
            // A connection over the limit waits in the kernel's own bounded queue.
            let place = tokio::select! {
                place = places.clone().acquire_owned() => place,
                () = &mut stop => break,
            };
            let Ok(place) = place else { break };
            let stream = tokio::select! {
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) => stream,
                    Err(error) => {
                        tracing::warn!("a connection could not be accepted: {error}");
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    }
                },
                () = &mut stop => break,
            };
            drop(stream.set_nodelay(true));
            let connection = builder
                .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service.clone()))
                .with_upgrades();
            let mut told_to_stop = told_to_stop.clone();
            tokio::spawn(async move {
                tokio::pin!(connection);
                let ended = tokio::select! {
                    ended = connection.as_mut() => ended,
                    _ = told_to_stop.changed() => {
                        connection.as_mut().graceful_shutdown();
                        connection.await
                    }
                };
                if let Err(error) = ended {
                    tracing::debug!("a connection ended early: {error}");
                }
                drop(place);
            });
        }
        drop(self.listener);
        self.app.stop();
        stopping.send_replace(());
        // Every connection has its place until it ends.
        if tokio::time::timeout(grace, places.acquire_many(most)).await.is_err() {
            tracing::warn!("requests were still under way at the end of the grace period");
        }
    }
}
