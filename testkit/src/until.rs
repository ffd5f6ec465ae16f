use std::time::{Duration, Instant};

/// How long something that must happen may take on a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_secs(30);

/// Looks again and again until there is something to see, and returns it. A test that waits for background work waits
/// with this: it passes as soon as it can, and fails with `what` when it never does.
pub async fn until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(seen) = look().await {
            return seen;
        }
        assert!(begun.elapsed() < PATIENCE, "waited in vain until {what}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}
