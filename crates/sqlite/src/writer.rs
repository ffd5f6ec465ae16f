use memoir_model::{Error, ErrorCode, Job, Result};
use memoir_store::{Claim, Commit, Committed};
use rusqlite::Connection;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

use crate::connection::LOCK_WAIT;
use crate::read::run_sql;
use crate::scrub::Scrubber;
use crate::{Options, apply, jobs};

/// How many waiting requests share one transaction at most.
const GROUP: usize = 256;
/// How many bytes of rows share one transaction at most.
const GROUP_BYTES: usize = 16 << 20;
/// How long the writer waits before it tries again to empty a log that a reader held open.
const SCRUB_AGAIN: Duration = Duration::from_millis(250);

/// The one thread that writes. Requests that arrive while a transaction is being synced wait in a bounded queue and
/// share the next one, so that the cost of a sync is divided among them.
pub(crate) struct Writer {
    queue: Option<SyncSender<Request>>,
    waiting: Arc<Waiting>,
    most_bytes: usize,
    thread: Option<std::thread::JoinHandle<()>>,
}

#[derive(Default)]
struct Waiting {
    commits: AtomicUsize,
    bytes: AtomicUsize,
}

struct Request {
    task: Task,
    bytes: usize,
}

/// Something to write, what came of it, and who waits for that.
enum Task {
    Commit(Box<Commit>, Result<Committed>, oneshot::Sender<Result<Committed>>),
    Claim(Claim, Result<Vec<Job>>, oneshot::Sender<Result<Vec<Job>>>),
}

impl Task {
    /// Writes it into the open transaction; another time if that transaction did not last.
    fn run(&mut self, connection: &Connection) -> Result<()> {
        match self {
            Task::Commit(commit, result, _) => *result = apply::commit(connection, commit),
            Task::Claim(claim, result, _) => *result = jobs::claim(connection, claim),
        }
        self.result()
    }

    fn result(&self) -> Result<()> {
        match self {
            Task::Commit(_, result, _) => result.as_ref().map(drop).map_err(Clone::clone),
            Task::Claim(_, result, _) => result.as_ref().map(drop).map_err(Clone::clone),
        }
    }

    /// Whether it destroyed something that must not survive anywhere.
    fn has_erased(&self) -> bool {
        matches!(self, Task::Commit(commit, Ok(_), _) if apply::erases(commit))
    }

    /// Tells the caller. Who gave up waiting is not told.
    fn deliver(self, group: &Result<()>) {
        match self {
            Task::Commit(_, result, reply) => drop(reply.send(group.clone().and(result))),
            Task::Claim(_, result, reply) => drop(reply.send(group.clone().and(result))),
        }
    }
}

impl Writer {
    pub(crate) fn start(connection: Connection, options: &Options) -> Result<Self> {
        let (queue, requests) = sync_channel(options.queue_commits.max(1));
        let waiting = Arc::new(Waiting::default());
        let thread = std::thread::Builder::new()
            .name("memoir-writer".into())
            .spawn({
                let waiting = waiting.clone();
                move || run(connection, &requests, &waiting)
            })
            .map_err(|e| Error::internal(format!("cannot start the writer: {e}")))?;
        Ok(Writer { queue: Some(queue), waiting, most_bytes: options.queue_bytes, thread: Some(thread) })
    }

    pub(crate) fn queued(&self) -> usize {
        self.waiting.commits.load(Ordering::Relaxed)
    }

    pub(crate) async fn commit(&self, commit: Commit) -> Result<Committed> {
        let bytes = commit.bytes();
        let (reply, answer) = oneshot::channel();
        self.send(Request { task: Task::Commit(Box::new(commit), Err(gone()), reply), bytes })?;
        answer.await.map_err(|_| gone())?
    }

    pub(crate) async fn claim(&self, claim: Claim) -> Result<Vec<Job>> {
        let (reply, answer) = oneshot::channel();
        self.send(Request { task: Task::Claim(claim, Err(gone()), reply), bytes: 0 })?;
        answer.await.map_err(|_| gone())?
    }

    fn send(&self, request: Request) -> Result<()> {
        let bytes = request.bytes;
        let queue = self.queue.as_ref().ok_or_else(gone)?;
        let before = self.waiting.bytes.fetch_add(bytes, Ordering::Relaxed);
        // One request alone may exceed the limit, or it could never be written.
        let sent = if before > 0 && before + bytes > self.most_bytes {
            Err(Error::busy("too many bytes wait for the writer", 1))
        } else {
            self.waiting.commits.fetch_add(1, Ordering::Relaxed);
            queue.try_send(request).map_err(|e| {
                self.waiting.commits.fetch_sub(1, Ordering::Relaxed);
                match e {
                    TrySendError::Full(_) => Error::busy("too many commits wait for the writer", 1),
                    TrySendError::Disconnected(_) => gone(),
                }
            })
        };
        if sent.is_err() {
            self.waiting.bytes.fetch_sub(bytes, Ordering::Relaxed);
        }
        sent
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

fn gone() -> Error {
    Error::new(ErrorCode::ShuttingDown, "the store is closed")
}

fn run(connection: Connection, requests: &Receiver<Request>, waiting: &Waiting) {
    let mut writing = Writing {
        connection,
        scrubber: Scrubber::default(),
        erasures: Vec::new(),
        // What an earlier process erased may still be in the log that it left behind.
        log_is_clean: false,
        tried: Instant::now(),
    };
    loop {
        match writing.next(requests) {
            Ok(first) => writing.serve(first, requests, waiting),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        writing.tidy();
    }
    while !writing.erasures.is_empty() {
        writing.tidy();
    }
    if !writing.log_is_clean {
        scrub_log(&writing.connection);
    }
}

/// What the writer has in hand.
struct Writing {
    connection: Connection,
    scrubber: Scrubber,
    /// Erasures that are durable, but whose words may still stand in unused parts of the file.
    erasures: Vec<Erasure>,
    log_is_clean: bool,
    tried: Instant,
}

/// An erasure that is acknowledged after a full walk over the file.
struct Erasure {
    task: Task,
    pages_left: u32,
}

impl Writing {
    /// The next request. Waits for one only as long as there is nothing to tidy up.
    fn next(&self, requests: &Receiver<Request>) -> Result<Request, RecvTimeoutError> {
        if !self.erasures.is_empty() {
            requests.try_recv().map_err(|e| match e {
                TryRecvError::Empty => RecvTimeoutError::Timeout,
                TryRecvError::Disconnected => RecvTimeoutError::Disconnected,
            })
        } else if self.log_is_clean {
            requests.recv().map_err(|_| RecvTimeoutError::Disconnected)
        } else {
            requests.recv_timeout(SCRUB_AGAIN)
        }
    }

    /// Writes a request together with those that wait behind it.
    fn serve(&mut self, first: Request, requests: &Receiver<Request>, waiting: &Waiting) {
        let mut bytes = first.bytes;
        let mut group = vec![first];
        while group.len() < GROUP && bytes < GROUP_BYTES {
            let Ok(next) = requests.try_recv() else { break };
            bytes += next.bytes;
            group.push(next);
        }
        let count = group.len();
        // A fault of ours costs this group, not the store: whoever waits for it is told that it was cut short.
        let written = catch_unwind(AssertUnwindSafe(|| {
            let mut tasks: Vec<Task> = group.into_iter().map(|request| request.task).collect();
            let durable = write_group(&self.connection, &mut tasks);
            (tasks, durable)
        }));
        // Before anybody is told, so that who asks again at once finds room.
        waiting.commits.fetch_sub(count, Ordering::Relaxed);
        waiting.bytes.fetch_sub(bytes, Ordering::Relaxed);
        let Ok((tasks, durable)) = written else {
            tracing::error!("a write was cut short by a fault in the writer");
            drop(self.connection.execute_batch("ROLLBACK"));
            return;
        };
        for task in tasks {
            if durable.is_ok() && task.has_erased() {
                let pages_left = Scrubber::pages(&self.connection).unwrap_or(u32::MAX);
                self.erasures.push(Erasure { task, pages_left });
            } else {
                task.deliver(&durable);
            }
        }
    }

    /// Cleans a stretch of the file for erasures that wait for it, and the log when that is due.
    fn tidy(&mut self) {
        if self.erasures.is_empty() {
            if !self.log_is_clean && self.tried.elapsed() >= SCRUB_AGAIN {
                self.log_is_clean = scrub_log(&self.connection);
                self.tried = Instant::now();
            }
            return;
        }
        let cleaned = self.scrubber.clean_some(&mut self.connection);
        let looked_at = *cleaned.as_ref().unwrap_or(&u32::MAX);
        self.erasures
            .iter_mut()
            .for_each(|erasure| erasure.pages_left = erasure.pages_left.saturating_sub(looked_at));
        if self.erasures.iter().any(|erasure| erasure.pages_left == 0) {
            self.log_is_clean = scrub_log_soon(&self.connection);
            self.tried = Instant::now();
        }
        let told = cleaned.map(drop).map_err(|error| {
            Error::new(
                error.code(),
                format!("erased, but unused parts of the file could not be cleaned: {error}"),
            )
        });
        let (done, pending) = std::mem::take(&mut self.erasures).into_iter().partition(|e| e.pages_left == 0);
        self.erasures = pending;
        let done: Vec<Erasure> = done;
        done.into_iter().for_each(|erasure| erasure.task.deliver(&told));
    }
}

/// Runs every task of the group inside one transaction and says whether that is durable. Refusals are rare, so the tasks
/// run as they stand at first, which spares a copy of every page they touch. When one is refused, all begin anew behind
/// a savepoint each, so that the refusal leaves the others alone.
fn write_group(connection: &Connection, tasks: &mut [Task]) -> Result<()> {
    let together = in_transaction(connection, || tasks.iter_mut().try_for_each(|task| task.run(connection)));
    if together.is_ok() || tasks.len() == 1 {
        return together;
    }
    in_transaction(connection, || {
        tasks.iter_mut().try_for_each(|task| behind_savepoint(connection, || task.run(connection)))
    })
}

/// Runs work in a transaction, which is durable when this returns well and gone when it does not.
fn in_transaction(connection: &Connection, work: impl FnOnce() -> Result<()>) -> Result<()> {
    run_sql(connection, "BEGIN IMMEDIATE")?;
    let result = work().and_then(|()| run_sql(connection, "COMMIT"));
    if result.is_err() && !connection.is_autocommit() {
        drop(run_sql(connection, "ROLLBACK"));
    }
    result
}

/// Runs work that may be refused. Fails only where the whole transaction is lost: a full disk or a failed read makes
/// SQLite roll it back by itself.
fn behind_savepoint(connection: &Connection, work: impl FnOnce() -> Result<()>) -> Result<()> {
    run_sql(connection, "SAVEPOINT task")?;
    let result = work();
    if connection.is_autocommit() {
        return Err(result.err().unwrap_or_else(|| Error::internal("the transaction was rolled back")));
    }
    if result.is_err() {
        run_sql(connection, "ROLLBACK TO task")?;
    }
    run_sql(connection, "RELEASE task")
}

/// Empties the log, and gives readers that are in the middle of something a moment to end.
fn scrub_log_soon(connection: &Connection) -> bool {
    for _ in 0..10 {
        if scrub_log(connection) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    tracing::warn!("erased rows stay in the write-ahead log for now: a reader holds it open");
    false
}

/// Moves the log into the file and empties it, so that erased words are not left behind there. Waits for nobody;
/// says whether it could.
fn scrub_log(connection: &Connection) -> bool {
    let emptied = connection.busy_timeout(Duration::ZERO).and_then(|()| {
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0))
    });
    let waits_again = connection.busy_timeout(LOCK_WAIT);
    match emptied.and_then(|busy| waits_again.map(|()| busy)) {
        Ok(busy) => busy == 0,
        Err(error) => {
            tracing::warn!("the write-ahead log could not be emptied: {error}");
            false
        }
    }
}
