//! The real server over loopback, and a client that costs as little as it can.

use anyhow::{Result, ensure};
use memoir_engine::{Engine, Workers};
use memoir_model::SpaceId;
use memoir_server::{App, Server, ServerSettings};
use serde_json::json;
use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use super::contender::{Contender, Slice};
use crate::client::reply_length;
use crate::memoir;
use crate::usage::measured;

/// How the messages are sent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    pub(super) connections: usize,
    /// Connection `i` sends to space `i`, modulo this.
    pub(super) spaces: usize,
    /// How many messages a request has.
    pub(super) batch: usize,
}

/// A server with its own runtime, and keep-alive connections to it on a thread of their own.
pub(super) struct Http {
    name: &'static str,
    shape: Shape,
    server: Runtime,
    client: Runtime,
    connections: Vec<TcpStream>,
    engine: Engine,
    workers: Option<Workers>,
    spaces: Vec<SpaceId>,
    stop: Option<oneshot::Sender<()>>,
}

impl Http {
    pub(super) fn new(name: &'static str, folder: &Path, shape: Shape) -> Result<Self> {
        let engine = memoir::open(&folder.join(format!("{name}.db")))?;
        let server = memoir::runtime()?;
        let (stop, stopped) = oneshot::channel::<()>();
        let app = App::new(engine.clone(), ServerSettings::default(), true);
        let (address, workers) = server.block_on(async {
            let bound = Server::bind(app, SocketAddr::from(([127, 0, 0, 1], 0))).await?;
            let address = bound.address()?;
            tokio::spawn(bound.run(async move { drop(stopped.await) }, Duration::from_secs(5)));
            anyhow::Ok((address, engine.start_workers()))
        })?;
        let client = Builder::new_current_thread().enable_all().build()?;
        let connections = client.block_on(async {
            let mut connections = Vec::new();
            for _ in 0..shape.connections {
                let stream = TcpStream::connect(address).await?;
                stream.set_nodelay(true)?;
                connections.push(stream);
            }
            std::io::Result::Ok(connections)
        })?;
        let spaces =
            (0..shape.spaces).map(|i| Ok(format!("group:talk-{i}").parse()?)).collect::<Result<_>>()?;
        Ok(Http {
            name,
            shape,
            server,
            client,
            connections,
            engine,
            workers: Some(workers),
            spaces,
            stop: Some(stop),
        })
    }

    /// The bytes of a request that stores these messages.
    fn request(&self, space: &SpaceId, texts: &[String]) -> Vec<u8> {
        let message = |text: &String| json!({ "space": space.to_string(), "content": text });
        let body = match texts {
            [text] if self.shape.batch == 1 => message(text),
            _ => json!({ "messages": texts.iter().map(message).collect::<Vec<_>>() }),
        };
        let body = body.to_string();
        let length = body.len();
        let head = "POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
        format!("{head}Content-Length: {length}\r\n\r\n{body}").into_bytes()
    }
}

impl Contender for Http {
    fn name(&self) -> &'static str {
        self.name
    }

    fn unit(&self) -> usize {
        self.shape.connections * self.shape.batch
    }

    fn run(&mut self, texts: Vec<String>) -> Result<Slice> {
        let rows = texts.len();
        let mut loads: Vec<Vec<Vec<u8>>> = vec![Vec::new(); self.shape.connections];
        for (i, batch) in texts.chunks(self.shape.batch).enumerate() {
            let connection = i % self.shape.connections;
            loads[connection].push(self.request(&self.spaces[connection % self.spaces.len()], batch));
        }
        let connections = std::mem::take(&mut self.connections);
        let (sent, elapsed, usage) = measured(|| self.client.block_on(send_all(connections, loads)));
        let mut latencies = Vec::with_capacity(rows);
        for (stream, times) in sent? {
            self.connections.push(stream);
            latencies.extend(times);
        }
        Ok(Slice { rows, elapsed, usage, latencies })
    }

    fn settle(&mut self) -> Result<()> {
        self.server.block_on(memoir::sealed(&self.engine, &self.spaces))
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        // The server runs until this end of the channel is gone.
        drop(self.stop.take());
        if let Some(workers) = self.workers.take() {
            self.server.block_on(workers.drain(Duration::from_secs(5)));
        }
    }
}

/// Sends every load over its own connection, all at once. Connections come back in their order.
async fn send_all(
    connections: Vec<TcpStream>,
    loads: Vec<Vec<Vec<u8>>>,
) -> Result<Vec<(TcpStream, Vec<Duration>)>> {
    let mut sending = JoinSet::new();
    for (i, (mut stream, requests)) in connections.into_iter().zip(loads).enumerate() {
        sending.spawn(async move {
            let mut times = Vec::with_capacity(requests.len());
            let mut buffer = Vec::with_capacity(32 << 10);
            for request in requests {
                let start = Instant::now();
                stream.write_all(&request).await?;
                read_created(&mut stream, &mut buffer).await?;
                times.push(start.elapsed());
            }
            anyhow::Ok((i, stream, times))
        });
    }
    let mut done = sending.join_all().await.into_iter().collect::<Result<Vec<_>>>()?;
    done.sort_by_key(|(i, ..)| *i);
    Ok(done.into_iter().map(|(_, stream, times)| (stream, times)).collect())
}

/// Reads one reply to its end; anything but 201 is an error.
async fn read_created(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Result<()> {
    buffer.clear();
    let mut end = None;
    while end.is_none_or(|end| buffer.len() < end) {
        ensure!(stream.read_buf(buffer).await? > 0, "the server hung up");
        if end.is_none() {
            end = reply_length(buffer)?;
        }
    }
    let created = buffer.starts_with(b"HTTP/1.1 201");
    ensure!(created, "the server answered {}", String::from_utf8_lossy(buffer));
    Ok(())
}
