//! A client that costs as little as it can: one connection, one request after the other.

use anyhow::{Context, Result, ensure};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

/// A connection that is kept.
pub(crate) struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Client {
    pub(crate) fn connect(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Client { stream, buffer: Vec::with_capacity(64 << 10) })
    }

    /// The body of the reply to a POST; anything but 200 is an error.
    pub(crate) fn post(&mut self, path: &str, body: &str) -> Result<&[u8]> {
        let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n");
        let request = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
        self.stream.write_all(request.as_bytes())?;
        self.buffer.clear();
        let mut end = None;
        let mut part = [0; 16 << 10];
        while end.is_none_or(|end| self.buffer.len() < end) {
            let read = self.stream.read(&mut part)?;
            ensure!(read > 0, "the server hung up");
            self.buffer.extend_from_slice(&part[..read]);
            if end.is_none() {
                end = reply_length(&self.buffer)?;
            }
        }
        let is_well = self.buffer.starts_with(b"HTTP/1.1 200");
        ensure!(is_well, "the server answered {}", String::from_utf8_lossy(&self.buffer));
        let head = self.buffer.windows(4).position(|window| window == b"\r\n\r\n").unwrap_or_default();
        Ok(&self.buffer[head + 4..])
    }
}

/// How long the whole reply is, once its head is complete.
pub(crate) fn reply_length(buffer: &[u8]) -> Result<Option<usize>> {
    const BLANK: &[u8] = b"\r\n\r\n";
    let Some(head) = buffer.windows(BLANK.len()).position(|window| window == BLANK) else { return Ok(None) };
    let text = std::str::from_utf8(&buffer[..head])?;
    let length = text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    Ok(Some(head + BLANK.len() + length.context("a reply without content-length")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_as_long_as_its_head_says() {
        let reply = b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}";
        assert_eq!(reply_length(reply).unwrap(), Some(reply.len()));
        assert_eq!(reply_length(&reply[..30]).unwrap(), None);
        assert!(reply_length(b"HTTP/1.1 201 Created\r\n\r\n").is_err());
    }
}
