use memoir_testkit::TestServer;
use serde_json::Value;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A connection that sends exactly the bytes it is given; a client library would be too polite.
pub(crate) struct Raw {
    stream: TcpStream,
    unread: Vec<u8>,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct RawReply {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Raw {
    pub(crate) async fn to(server: &TestServer) -> Self {
        Raw::at(server.address).await
    }

    pub(crate) async fn at(address: SocketAddr) -> Self {
        Raw { stream: TcpStream::connect(address).await.unwrap(), unread: Vec::new() }
    }

    /// Sends bytes. That the server may have hung up by now is seen when the reply is read.
    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        drop(self.stream.write_all(bytes.as_ref()).await);
    }

    /// Says that nothing more will come.
    pub(crate) async fn finish(&mut self) {
        drop(self.stream.shutdown().await);
    }

    /// Sends a POST with a JSON body.
    pub(crate) async fn post(&mut self, path: &str, body: &[u8]) -> RawReply {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        self.send([head.as_bytes(), body].concat()).await;
        self.reply().await
    }

    /// The next reply.
    pub(crate) async fn reply(&mut self) -> RawReply {
        self.try_reply().await.unwrap_or_else(|| panic!("the server hung up without a reply"))
    }

    /// The next reply; nothing when the server hung up.
    pub(crate) async fn try_reply(&mut self) -> Option<RawReply> {
        let end = loop {
            match self.unread.windows(4).position(|four| four == b"\r\n\r\n") {
                Some(end) => break end,
                None => self.more().await?,
            }
        };
        let head = String::from_utf8(self.unread.drain(..end + 4).collect()).unwrap();
        let mut lines = head.trim_end().split("\r\n");
        let status = lines.next().and_then(|line| line.split(' ').nth(1)).unwrap().parse().unwrap();
        let header = |line: &str| {
            let (name, value) = line.split_once(':').unwrap();
            (name.to_ascii_lowercase(), value.trim().to_owned())
        };
        let mut reply = RawReply { status, headers: lines.map(header).collect(), body: Vec::new() };
        let length = reply.header("content-length").map_or(0, |length| length.parse().unwrap());
        while self.unread.len() < length {
            self.more().await?;
        }
        reply.body = self.unread.drain(..length).collect();
        Some(reply)
    }

    /// Waits until the server hangs up; what it said before that is thrown away.
    pub(crate) async fn hung_up(&mut self) {
        while self.more().await.is_some() {}
    }

    async fn more(&mut self) -> Option<()> {
        let mut buffer = [0; 4096];
        match self.stream.read(&mut buffer).await {
            Ok(0) | Err(_) => None,
            Ok(read) => {
                self.unread.extend_from_slice(&buffer[..read]);
                Some(())
            }
        }
    }
}

impl RawReply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The reply in the form in which [`crate::refusal`] reads it.
    pub(crate) fn json(&self) -> crate::Reply {
        let body = serde_json::from_slice(&self.body).unwrap_or_else(|e| {
            let text = String::from_utf8_lossy(&self.body);
            panic!("{} with a body that is not JSON ({e}): {text}", self.status)
        });
        (reqwest::StatusCode::from_u16(self.status).unwrap(), body)
    }

    pub(crate) fn value(&self) -> Value {
        self.json().1
    }
}
