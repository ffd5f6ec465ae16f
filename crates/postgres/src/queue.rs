use memoir_model::{Error, Result};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::Options;

/// The commits of this process that are on their way. Has a limit, so that a slow database fills no memory.
pub(crate) struct Queue {
    commits: AtomicUsize,
    bytes: AtomicUsize,
    most_commits: usize,
    most_bytes: usize,
}

impl Queue {
    pub(crate) fn new(options: &Options) -> Self {
        let (commits, bytes) = Default::default();
        Queue { commits, bytes, most_commits: options.queue_commits.max(1), most_bytes: options.queue_bytes }
    }

    /// Takes note of a commit; refuses it when there are too many already. One alone may exceed the limit of bytes, or it
    /// could never be written.
    pub(crate) fn admit(&self, bytes: usize) -> Result<Admitted<'_>> {
        let commits = self.commits.fetch_add(1, Ordering::Relaxed);
        let before = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        let admitted = Admitted { queue: self, bytes };
        if commits >= self.most_commits {
            return Err(Error::busy("too many commits wait for the database", 1));
        }
        if before > 0 && before + bytes > self.most_bytes {
            return Err(Error::busy("too many bytes wait for the database", 1));
        }
        Ok(admitted)
    }
}

/// A commit that is on its way; no longer when this is dropped.
pub(crate) struct Admitted<'a> {
    queue: &'a Queue,
    bytes: usize,
}

impl Drop for Admitted<'_> {
    fn drop(&mut self) {
        self.queue.commits.fetch_sub(1, Ordering::Relaxed);
        self.queue.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}
