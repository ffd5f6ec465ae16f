use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use memoir_model::{Error, ErrorCode, Result};
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::app::App;
use crate::router::router;

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
}

impl Server {
    /// Binds the address; port 0 takes any free one.
    pub async fn bind(app: App, address: SocketAddr) -> Result<Self> {
        let listener = TcpListener::bind(address).await.map_err(|e| {
            let message = format!("cannot listen on {address}: {e}; choose another server.listen");
            Error::new(ErrorCode::Conflict, message)
        })?;
        Ok(Server { app, listener })
    }

    /// Where it listens.
    pub fn address(&self) -> Result<SocketAddr> {
        self.listener.local_addr().map_err(|e| Error::internal(e.to_string()))
    }

    /// Serves until `stop`, then lets requests that are under way finish, but not longer than `grace`.
    pub async fn run(self, stop: impl Future<Output = ()>, grace: Duration) {
        let service = router(self.app.clone());
        let places = Arc::new(Semaphore::new(self.app.inner.settings.max_connections.max(1)));
        let graceful = GracefulShutdown::new();
        let mut builder = Builder::new(TokioExecutor::new());
        builder.http1().timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT);
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
                .serve_connection_with_upgrades(TokioIo::new(stream), TowerToHyperService::new(service.clone()))
                .into_owned();
            let connection = graceful.watch(connection);
            tokio::spawn(async move {
                if let Err(error) = connection.await {
                    tracing::debug!("a connection ended early: {error}");
                }
                drop(place);
            });
        }
        drop(self.listener);
        self.app.stop();
        if tokio::time::timeout(grace, graceful.shutdown()).await.is_err() {
            tracing::warn!("requests were still under way at the end of the grace period");
        }
    }
}
