use jiff::Timestamp;
use jiff::fmt::rfc2822;
use memoir_egress::{HeaderMap, header};
use std::time::Duration;
use tokio::time::Instant;

use crate::Reason;

/// How often one attempt comes back to a provider that asked for a pause.
const MOST_PAUSES: u8 = 2;

/// How long a provider that was asked too often is waited for.
#[derive(Debug, Default)]
pub(crate) struct Patience {
    pauses: u8,
}

impl Patience {
    /// How long to wait before asking again, if that leaves any time.
    pub(crate) fn after(&mut self, reason: Reason, until: Instant) -> Option<Duration> {
        let Reason::RateLimited { retry_after: Some(wait) } = reason else { return None };
        self.pauses += 1;
        let in_time = Instant::now().checked_add(wait).is_some_and(|then| then < until);
        (self.pauses <= MOST_PAUSES && in_time).then_some(wait)
    }
}

/// The pause that a server asks for: in milliseconds, in seconds, or until a date.
pub(crate) fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let read = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let seconds =
        |text: &str| text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    if let Some(wait) = read("retry-after-ms").and_then(seconds) {
        return Some(wait / 1000);
    }
    let text = read(header::RETRY_AFTER.as_str())?;
    seconds(text).or_else(|| {
        let then = rfc2822::parse(text).ok()?.timestamp();
        Some(Duration::try_from(then.duration_since(now)).unwrap_or(Duration::ZERO))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_said_in_three_ways() {
        let now: Timestamp = "2026-03-01T08:00:00Z".parse().unwrap();
        let table = [
            ("retry-after", "2", Some(Duration::from_secs(2))),
            ("retry-after", "0.5", Some(Duration::from_millis(500))),
            ("retry-after-ms", "70", Some(Duration::from_millis(70))),
            ("retry-after", "Sun, 01 Mar 2026 08:00:05 GMT", Some(Duration::from_secs(5))),
            ("retry-after", "Sun, 01 Mar 2026 07:00:00 GMT", Some(Duration::ZERO)),
            ("retry-after", "soon", None),
            ("retry-after", "-1", None),
        ];
        for (name, value, wait) in table {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().unwrap());
            assert_eq!(retry_after(&headers, now), wait, "{name}: {value}");
        }
        assert_eq!(retry_after(&HeaderMap::new(), now), None);
    }
}
