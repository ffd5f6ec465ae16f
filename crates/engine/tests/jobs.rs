//! Durable background work: leased, retried, unique, in lanes, and done once even when workers die.

#![expect(clippy::unwrap_used, clippy::panic, reason = "these are tests")]

use async_trait::async_trait;
use jiff::SignedDuration;
use memoir_engine::{Completion, Engine, EngineSettings, JobContext, Severity, Work};
use memoir_model::{
    AuditAction, Error, ErrorCode, GeneratedId, Job, JobState, Lane, NewJob, Period, Result, SpaceKey,
    Summary, Zone,
};
use memoir_store::{Commit, JobChange, Row, WriteSet};
use memoir_testkit::{Door, TestEngine, caller, message, say, session_id, space, tenant, until};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Semaphore;

const ROOM: &str = "user:a";
const GRACE: Duration = Duration::from_secs(20);

/// What a run comes to.
#[derive(Clone, Copy)]
enum Outcome {
    Done,
    Fail,
    Panic,
    Postpone(SignedDuration),
}

/// A kind of work whose every run is written down.
struct Errand {
    kind: &'static str,
    lane: Lane,
    concurrency: usize,
    upkeep: bool,
    /// Runs wait here for a permit, if they have to.
    gate: Option<Semaphore>,
    outcome: Box<dyn Fn(&Job) -> Outcome + Send + Sync>,
    begun: Mutex<Vec<Job>>,
    running: AtomicUsize,
    most: AtomicUsize,
}

impl Errand {
    fn new(kind: &'static str, outcome: impl Fn(&Job) -> Outcome + Send + Sync + 'static) -> Self {
        Errand {
            kind,
            lane: Lane::Free,
            concurrency: 8,
            upkeep: false,
            gate: None,
            outcome: Box::new(outcome),
            begun: Mutex::default(),
            running: AtomicUsize::default(),
            most: AtomicUsize::default(),
        }
    }

    fn done(kind: &'static str) -> Self {
        Errand::new(kind, |_| Outcome::Done)
    }

    /// Every run waits until it is let on. With a concurrency of one it is then never begun again beside itself.
    fn gated(self) -> Self {
        Errand { gate: Some(Semaphore::new(0)), ..self }
    }

    fn let_on(&self, runs: usize) {
        self.gate.as_ref().unwrap().add_permits(runs);
    }

    fn begun(&self) -> Vec<Job> {
        self.begun.lock().unwrap().clone()
    }

    fn running(&self) -> usize {
        self.running.load(Ordering::SeqCst)
    }

    async fn begins(&self, runs: usize) {
        until("the work has begun", async || (self.begun().len() >= runs).then_some(())).await;
    }
}

struct Running<'a>(&'a AtomicUsize);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl Work for Errand {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn lane(&self) -> Lane {
        self.lane
    }

    fn concurrency(&self) -> usize {
        self.concurrency
    }

    fn is_upkeep(&self) -> bool {
        self.upkeep
    }

    async fn run(&self, context: &JobContext) -> Result<Completion> {
        let now = self.running.fetch_add(1, Ordering::SeqCst) + 1;
        let _running = Running(&self.running);
        self.most.fetch_max(now, Ordering::SeqCst);
        self.begun.lock().unwrap().push(context.job.clone());
        if let Some(gate) = &self.gate {
            gate.acquire().await.unwrap().forget();
        }
        match (self.outcome)(&context.job) {
            Outcome::Done => Ok(Completion::Effect(effect(&context.job, context.engine.now()))),
            Outcome::Fail => Err(Error::new(ErrorCode::Timeout, "the errand failed")),
            Outcome::Panic => panic!("the errand fell over"),
            Outcome::Postpone(by) => {
                Ok(Completion::Postpone(context.engine.now().saturating_add(by).unwrap()))
            }
        }
    }
}

/// A summary that says which attempt made it.
fn effect(job: &Job, now: jiff::Timestamp) -> WriteSet {
    let summary = Summary {
        text: format!("attempt {}", job.attempts),
        ..Summary::blank(Period::Session(session_id(&job.key)), Zone::utc(), now)
    };
    let rows = vec![Row::Summary { summary: Box::new(summary), terms: Vec::new() }];
    WriteSet { rows, ..WriteSet::default() }
}

/// A test's store, engine and spaces, and what its jobs left.
struct Office {
    memoir: TestEngine,
    asked: AtomicUsize,
}

impl Office {
    async fn open() -> Self {
        Self::with(TestEngine::restless_settings()).await
    }

    async fn with(settings: EngineSettings) -> Self {
        let memoir = TestEngine::with(settings, |_| {});
        say(&memoir.engine, message(ROOM, "m1", "words")).await;
        Office { memoir, asked: AtomicUsize::default() }
    }

    async fn key(&self, place: &str) -> SpaceKey {
        self.memoir.engine.space(&caller(), &space(place)).await.unwrap().key()
    }

    /// Asks for work in the room, due now.
    async fn ask(&self, kind: &'static str, key: &str) -> GeneratedId {
        self.ask_in(ROOM, kind, key, Lane::Free, SignedDuration::ZERO).await
    }

    async fn ask_in(
        &self,
        place: &str,
        kind: &'static str,
        key: &str,
        lane: Lane,
        after: SignedDuration,
    ) -> GeneratedId {
        let (now, target) = (self.memoir.engine.now(), self.key(place).await);
        let count = self.asked.fetch_add(1, Ordering::SeqCst);
        let id = GeneratedId::compose(now.as_millisecond(), target.no, count as u16, 7);
        let run_at = now.saturating_add(after).unwrap();
        let job = NewJob {
            id,
            kind: kind.into(),
            key: key.into(),
            payload: serde_json::json!({ "n": count }),
            lane,
            run_at,
        };
        let writes = WriteSet { jobs: vec![JobChange::Enqueue(job)], ..WriteSet::default() };
        self.memoir.engine.store().commit(Commit::to_space(target, writes)).await.unwrap();
        id
    }

    /// The jobs of these tests; those that follow from the room's messages are left out.
    async fn jobs(&self) -> Vec<Job> {
        let jobs = self.memoir.engine.jobs(&caller(), None, None, None, 1000).await.unwrap();
        let of_messages = ["close_idle", "summarise_session", "roll_up"];
        jobs.into_iter().filter(|job| !of_messages.contains(&job.kind.as_ref())).collect()
    }

    async fn all_done(&self) {
        until("no job is left", async || self.jobs().await.is_empty().then_some(())).await;
    }

    async fn in_state(&self, state: JobState) -> Job {
        until("the job is in that state", async || {
            self.jobs().await.into_iter().find(|job| job.state == state)
        })
        .await
    }

    /// What the job of that key left behind.
    async fn effect(&self, key: &str) -> Option<String> {
        let period = Period::Session(session_id(key));
        let summary = self.memoir.engine.store().summary(&self.key(ROOM).await, &period).await.unwrap();
        summary.map(|summary| summary.text)
    }

    fn advance(&self, seconds: i64) {
        self.memoir.clock.advance(SignedDuration::from_secs(seconds));
    }
}

fn work(errand: &Arc<Errand>) -> Vec<Arc<dyn Work>> {
    vec![errand.clone()]
}

#[tokio::test]
async fn the_effect_of_a_job_and_its_end_are_one_write() {
    let office = Office::open().await;
    let errand = Arc::new(Errand::done("errand"));
    let id = office.ask("errand", "k").await;
    let before = office.memoir.engine.space(&caller(), &space(ROOM)).await.unwrap().version;
    let workers = office.memoir.engine.start_workers_with(work(&errand));
    office.all_done().await;
    assert_eq!(office.effect("k").await.as_deref(), Some("attempt 1"));
    let after = office.memoir.engine.space(&caller(), &space(ROOM)).await.unwrap().version;
    assert_eq!(after, before + 1);
    let begun = errand.begun();
    assert_eq!((begun.len(), begun[0].id, begun[0].payload["n"].as_u64()), (1, id, Some(0)));
    workers.drain(GRACE).await;
}

#[tokio::test]
async fn a_job_is_not_begun_before_its_time() {
    let office = Office::open().await;
    let errand = Arc::new(Errand::done("errand"));
    office.ask_in(ROOM, "errand", "later", Lane::Free, SignedDuration::from_secs(60)).await;
    office.ask("errand", "now").await;
    let workers = office.memoir.engine.start_workers_with(work(&errand));
    until("the one that is due is done", async || office.effect("now").await).await;
    assert_eq!(office.jobs().await.len(), 1);
    office.advance(60);
    office.all_done().await;
    let order: Vec<_> = errand.begun().into_iter().map(|job| job.key).collect();
    assert_eq!(order, ["now", "later"]);
    workers.drain(GRACE).await;
}

#[tokio::test]
async fn a_failed_job_is_tried_again_after_a_wait_that_doubles() {
    let office = Office::open().await;
    let errand =
        Arc::new(Errand::new("errand", |job| if job.attempts < 4 { Outcome::Fail } else { Outcome::Done }));
    office.ask("errand", "k").await;
    let workers = office.memoir.engine.start_workers_with(work(&errand));
    for (failures, longest) in [(1, 1), (2, 2), (3, 4)] {
        let failed = until("it has failed", async || {
            office
                .jobs()
                .await
                .into_iter()
                .find(|job| job.attempts == failures && job.state == JobState::Waiting)
        })
        .await;
        assert_eq!(failed.last_error.as_deref(), Some("the errand failed"));
        let wait = office.memoir.engine.now().duration_until(failed.run_at);
        let longest = SignedDuration::from_secs(longest);
        assert!(wait >= longest / 2 && wait <= longest, "{wait:?} after {failures} failures");
        assert_eq!(errand.begun().len(), failures as usize);
        office.memoir.clock.advance(wait);
    }
    office.all_done().await;
    assert_eq!(office.effect("k").await.as_deref(), Some("attempt 4"));
    workers.drain(GRACE).await;
}

#[tokio::test]
async fn a_job_that_fails_too_often_is_dead_until_somebody_retries_it() {
    let settings = EngineSettings { job_attempts: 3, ..TestEngine::restless_settings() };
    let office = Office::with(settings).await;
    let healed = Arc::new(AtomicUsize::new(0));
    let errand = Arc::new(Errand::new("errand", {
        let healed = healed.clone();
        move |_| if healed.load(Ordering::SeqCst) == 1 { Outcome::Done } else { Outcome::Fail }
    }));
    let id = office.ask("errand", "k").await;
    let engine = &office.memoir.engine;
    let refused = engine.retry_job(&caller(), id).await.unwrap_err();
    assert_eq!(refused.code(), ErrorCode::Conflict, "only a dead job can be retried");
    let workers = engine.start_workers_with(work(&errand));
    let dead = until("it is dead", async || {
        office.advance(10);
        office.jobs().await.into_iter().find(|job| job.state == JobState::Dead)
    })
    .await;
    assert_eq!((dead.id, dead.attempts, dead.last_error.as_deref()), (id, 3, Some("the errand failed")));
    assert_eq!(errand.begun().len(), 3);
    office.advance(1_000_000);
    office.ask("other", "k").await;
    assert_eq!(engine.stats(&caller()).await.unwrap().jobs_dead, 1);
    assert_eq!(engine.jobs(&caller(), None, Some(JobState::Dead), None, 10).await.unwrap(), [dead]);
    let findings = engine.examine(|_| {}).await.unwrap();
    assert!(
        findings.iter().any(|finding| finding.subject == "jobs" && finding.severity == Severity::Warning)
    );

    healed.store(1, Ordering::SeqCst);
    let revived = engine.retry_job(&caller(), id).await.unwrap();
    assert_eq!(revived.id, id);
    until("it is done", async || office.effect("k").await).await;
    assert_eq!(office.effect("k").await.as_deref(), Some("attempt 1"), "it starts anew");
    let log = engine.audit_log(&caller(), None, 10).await.unwrap();
    assert_eq!((log[0].action, log[0].target.clone()), (AuditAction::JobRetried, Some(id.to_string())));
    let gone = engine.retry_job(&caller(), id).await.unwrap_err();
    assert_eq!(gone.code(), ErrorCode::NotFound);
    workers.drain(GRACE).await;
}

#[tokio::test]
async fn a_retry_succeeds_however_fast_the_job_is_done() {
    let settings = EngineSettings { job_attempts: 1, ..TestEngine::restless_settings() };
    let office = Office::with(settings).await;
    let failing = Arc::new(Errand::new("errand", |_| Outcome::Fail));
    let id = office.ask("errand", "k").await;
    let workers = office.memoir.engine.start_workers_with(work(&failing));
    office.in_state(JobState::Dead).await;
    workers.drain(GRACE).await;

    let (engine, doors) = office.memoir.with_doors();
    let mut held = doors.shut(Door::AfterCommit);
    let retry = tokio::spawn(async move { engine.retry_job(&caller(), id).await });
    held.came().await;
    let workers = office.memoir.engine.start_workers_with(work(&Arc::new(Errand::done("errand"))));
    office.all_done().await;
    held.release();
    let revived = retry.await.unwrap().unwrap();
    assert_eq!((revived.id, revived.state, revived.attempts), (id, JobState::Waiting, 0));
    workers.drain(GRACE).await;
}

#[tokio::test]
async fn a_retried_job_does_not_wait_for_the_next_look_at_the_queue() {
    let settings = EngineSettings {
        job_attempts: 1,
        job_poll: SignedDuration::from_hours(1),
        ..EngineSettings::default()
    };
    let office = Office::with(settings).await;
    let errand =
        Arc::new(Errand::new("errand", |job| if job.token == 1 { Outcome::Fail } else { Outcome::Done }));
    let id = office.ask("errand", "k").await;
    let workers = office.memoir.engine.start_workers_with(work(&errand));
    office.in_state(JobState::Dead).await;
    office.memoir.engine.retry_job(&caller(), id).await.unwrap();
    office.all_done().await;
    workers.drain(GRACE).await;
}

#[tokio::test]
async fn a_job_that_panics_has_failed_and_its_place_is_free_again() {
    let office = Office::open().await;
    let errand = Arc::new(Errand {
        concurrency: 1,
        ..Errand::new("errand", |job| if job.attempts < 3 { Outcome::Panic } else { Outcome::Done })
    });
    office.ask("errand", "k").await;
    let workers = office.memoir.engine.start_workers_with(work(&errand));
    let failed =
        until("it has failed", async || office.jobs().await.into_iter().find(|job| job.last_error.is_some()))
            .await;
    assert_eq!(failed.last_error.as_deref(), Some("the job panicked"));
    until("it is done", async || {
        office.advance(5);
        office.effect("k").await
    })
    .await;
    assert_eq!(errand.begun().len(), 3);
    workers.drain(GRACE).await;
}

#[tokio::test]
async fn a_postponed_job_comes_back_at_its_time_and_has_not_failed() {
    let office = Office::open().await;
    let put_off = Outcome::Postpone(SignedDuration::from_mins(10));
    let errand =
        Arc::new(Errand::new("errand", move |job| if job.token < 3 { put_off } else { Outcome::Done }));
    office.ask("errand", "k").await;
    let workers = office.memoir.engine.start_workers_with(work(&errand));
    for runs in 1..3 {
        let expected = office.memoir.engine.now().saturating_add(SignedDuration::from_mins(10)).unwrap();
        let waiting = until("it was put off", async || {
            office.jobs().await.into_iter().find(|job| job.token == runs && job.state == JobState::Waiting)
        })
        .await;
        assert_eq!((waiting.run_at, waiting.attempts, waiting.last_error), (expected, 0, None));
        office.advance(600);
    }
    office.all_done().await;
    workers.drain(GRACE).await;
}

#[tokio::test]
async fn the_same_work_is_asked_for_once_and_the_earlier_time_wins() {
    let office = Office::open().await;
    for minutes in [30, 10, 20] {
        office.ask_in(ROOM, "errand", "k", Lane::Free, SignedDuration::from_mins(minutes)).await;
    }
    let jobs = office.jobs().await;
    assert_eq!(jobs.len(), 1);
    assert_eq!(office.memoir.engine.now().duration_until(jobs[0].run_at), SignedDuration::from_mins(10));
}

#[tokio::test]
async fn work_that_is_asked_for_while_it_runs_runs_again() {
    let office = Office::open().await;
    let errand = Arc::new(Errand::done("errand").gated());
    office.ask("errand", "k").await;
    let workers = office.memoir.engine.start_workers_with(work(&errand));
    errand.begins(1).await;
    office.ask("errand", "k").await;
    office.ask("errand", "k").await;
    errand.let_on(1);
    errand.begins(2).await;
    errand.let_on(1);
    office.all_done().await;
    assert_eq!(errand.begun().len(), 2);
    assert_eq!(errand.most.load(Ordering::SeqCst), 1, "never beside itself");
    workers.drain(GRACE).await;
}

#[tokio::test]
async fn a_job_whose_worker_died_runs_again_when_its_lease_ends() {
    let office = Office::open().await;
    let errand = Arc::new(Errand::done("errand").gated());
    office.ask("errand", "k").await;
    let workers = office.memoir.engine.start_workers_with(work(&errand));
    errand.begins(1).await;
    workers.drain(Duration::ZERO).await;

    let neighbour = office.memoir.neighbour();
    let other = Arc::new(Errand::done("errand"));
    let workers = neighbour.start_workers_with(work(&other));
    office.advance(59);
    office.ask("errand", "another").await;
    other.begins(1).await;
    assert_eq!(office.jobs().await.iter().filter(|job| job.key == "k").count(), 1, "the lease still runs");
    office.advance(2);
    office.all_done().await;
    assert_eq!(office.effect("k").await.as_deref(), Some("attempt 2"));
    assert_eq!(errand.begun().len(), 1);
    workers.drain(GRACE).await;
}

#[tokio::test]
async fn what_is_cut_off_at_the_end_of_the_grace_stops() {
    let office = Office::open().await;
    let errand = Arc::new(Errand::done("errand").gated());
    office.ask("errand", "k").await;
    let workers = office.memoir.engine.start_workers_with(work(&errand));
    errand.begins(1).await;
    workers.drain(Duration::ZERO).await;
    until("it does not run any more", async || (errand.running() == 0).then_some(())).await;
    assert_eq!(office.effect("k").await, None);
}

#[tokio::test]
async fn draining_finishes_what_runs_and_takes_nothing_new() {
    let office = Office::open().await;
    let errand = Arc::new(Errand::done("errand").gated());
    office.ask("errand", "running").await;
    let workers = office.memoir.engine.start_workers_with(work(&errand));
    errand.begins(1).await;
    let drained = tokio::spawn(workers.drain(GRACE));
    office.ask("errand", "new").await;
    errand.let_on(2);
    drained.await.unwrap();
    assert_eq!(office.effect("running").await.as_deref(), Some("attempt 1"));
    // It may have been taken before the workers heard that they should stop, but never be left half done.
    let left = office.jobs().await;
    assert!(left.iter().all(|job| job.key == "new" && job.state == JobState::Waiting), "{left:?}");
    assert_eq!(errand.running(), 0);
}

#[tokio::test]
async fn a_slow_worker_whose_lease_was_taken_writes_nothing() {
    let office = Office::open().await;
    let slow = Arc::new(Errand { concurrency: 1, ..Errand::done("errand") }.gated());
    office.ask("errand", "k").await;
    let workers = office.memoir.engine.start_workers_with(work(&slow));
    slow.begins(1).await;
    office.advance(61);
    let neighbour = office.memoir.neighbour();
    let fast = Arc::new(Errand::done("errand").gated());
    let others = neighbour.start_workers_with(work(&fast));
    fast.begins(1).await;
    slow.let_on(1);
    until("the slow one has ended", async || (slow.running() == 0).then_some(())).await;
    workers.drain(GRACE).await;
    assert_eq!(office.effect("k").await, None, "its effect was refused");
    assert_eq!(office.jobs().await[0].last_error, None, "and its failure is not the job's");
    fast.let_on(1);
    office.all_done().await;
    assert_eq!(office.effect("k").await.as_deref(), Some("attempt 2"));
    others.drain(GRACE).await;
}

#[tokio::test]
async fn a_slow_worker_that_was_overtaken_cannot_fail_the_job_either() {
    let office = Office::open().await;
    let slow = Arc::new(Errand { concurrency: 1, ..Errand::new("errand", |_| Outcome::Fail) }.gated());
    office.ask("errand", "k").await;
    let workers = office.memoir.engine.start_workers_with(work(&slow));
    slow.begins(1).await;
    office.advance(61);
    let neighbour = office.memoir.neighbour();
    let fast = Arc::new(Errand::done("errand").gated());
    let others = neighbour.start_workers_with(work(&fast));
    fast.begins(1).await;
    slow.let_on(1);
    workers.drain(GRACE).await;
    let job = office.jobs().await.remove(0);
    assert_eq!((job.state, job.last_error), (JobState::Leased, None));
    fast.let_on(1);
    office.all_done().await;
    others.drain(GRACE).await;
}

#[tokio::test]
async fn a_worker_whose_lane_was_given_to_another_job_writes_nothing() {
    let office = Office::open().await;
    let slow = Arc::new(Errand { lane: Lane::Derived, concurrency: 1, ..Errand::done("summarise") }.gated());
    office.ask_in(ROOM, "summarise", "first", Lane::Derived, SignedDuration::ZERO).await;
    let workers = office.memoir.engine.start_workers_with(work(&slow));
    slow.begins(1).await;
    // Its lease runs out, and the lane goes to work of another kind.
    office.advance(61);
    office.ask_in(ROOM, "merge", "second", Lane::Derived, SignedDuration::ZERO).await;
    let neighbour = office.memoir.neighbour();
    let next = Arc::new(Errand { lane: Lane::Derived, ..Errand::done("merge") }.gated());
    let others = neighbour.start_workers_with(work(&next));
    next.begins(1).await;
    slow.let_on(1);
    workers.drain(GRACE).await;
    assert_eq!(office.effect("first").await, None, "two workers never race in a lane");
    next.let_on(1);
    until("the second is done", async || office.effect("second").await).await;
    let left = office.jobs().await;
    assert_eq!(left.len(), 1, "the first is still to be done");
    let workers = office.memoir.engine.start_workers_with(work(&slow));
    slow.let_on(1);
    office.all_done().await;
    assert!(office.effect("first").await.is_some());
    workers.drain(GRACE).await;
    others.drain(GRACE).await;
}

#[tokio::test]
async fn a_long_job_keeps_its_lease_while_its_worker_lives() {
    let lease = SignedDuration::from_millis(90);
    let settings = EngineSettings { job_lease: lease, ..TestEngine::restless_settings() };
    let office = Office::with(settings).await;
    let errand = Arc::new(Errand::done("errand").gated());
    office.ask("errand", "k").await;
    let workers = office.memoir.engine.start_workers_with(work(&errand));
    errand.begins(1).await;
    for _ in 0..3 {
        office.memoir.clock.advance(SignedDuration::from_millis(60));
        let wanted = office.memoir.engine.now().saturating_add(lease).unwrap();
        until("the lease was extended", async || (office.jobs().await[0].run_at == wanted).then_some(()))
            .await;
    }
    errand.let_on(1);
    office.all_done().await;
    assert_eq!(office.effect("k").await.as_deref(), Some("attempt 1"));
    workers.drain(GRACE).await;
}

#[tokio::test]
async fn no_more_of_a_kind_run_at_once_than_it_allows() {
    let settings = EngineSettings { job_workers: 16, ..TestEngine::restless_settings() };
    let office = Office::with(settings).await;
    let narrow = Arc::new(Errand { concurrency: 2, ..Errand::done("narrow") }.gated());
    let wide = Arc::new(Errand { concurrency: 9, ..Errand::done("wide") }.gated());
    for n in 0..7 {
        office.ask("narrow", &format!("n{n}")).await;
        office.ask("wide", &format!("w{n}")).await;
    }
    let workers = office.memoir.engine.start_workers_with(vec![narrow.clone(), wide.clone()]);
    wide.begins(7).await;
    narrow.begins(2).await;
    for done in 1..=5 {
        narrow.let_on(1);
        narrow.begins(2 + done).await;
    }
    narrow.let_on(2);
    wide.let_on(7);
    office.all_done().await;
    assert_eq!(narrow.most.load(Ordering::SeqCst), 2);
    assert_eq!(wide.most.load(Ordering::SeqCst), 7);
    workers.drain(GRACE).await;
}

#[tokio::test]
async fn no_more_jobs_run_at_once_than_there_are_workers() {
    let settings = EngineSettings { job_workers: 3, ..TestEngine::restless_settings() };
    let office = Office::with(settings).await;
    let errand = Arc::new(Errand::done("errand").gated());
    for n in 0..8 {
        office.ask("errand", &format!("k{n}")).await;
    }
    let workers = office.memoir.engine.start_workers_with(work(&errand));
    for done in 0..=5 {
        errand.begins(3 + done).await;
        errand.let_on(1);
    }
    errand.let_on(2);
    office.all_done().await;
    assert_eq!(errand.most.load(Ordering::SeqCst), 3);
    workers.drain(GRACE).await;
}

#[tokio::test]
async fn a_backlog_of_one_kind_does_not_hide_another() {
    let office = Office::open().await;
    let stuck = Arc::new(Errand { concurrency: 1, ..Errand::done("stuck") }.gated());
    let other = Arc::new(Errand::done("other"));
    for n in 0..100 {
        office.ask("stuck", &format!("s{n}")).await;
    }
    office.advance(10);
    office.ask("other", "k").await;
    let workers = office.memoir.engine.start_workers_with(vec![stuck.clone(), other]);
    until("the other is done", async || office.effect("k").await).await;
    assert_eq!(stuck.running(), 1);
    stuck.let_on(100);
    workers.drain(GRACE).await;
}

#[tokio::test]
async fn one_derived_job_of_a_space_runs_at_a_time_beside_free_ones_and_other_spaces() {
    let settings = EngineSettings { job_workers: 16, ..TestEngine::restless_settings() };
    let office = Office::with(settings).await;
    say(&office.memoir.engine, message("user:b", "m1", "words")).await;
    let derived = |kind| Arc::new(Errand { lane: Lane::Derived, ..Errand::done(kind) }.gated());
    let (extract, merge, elsewhere) = (derived("extract"), derived("merge"), derived("elsewhere"));
    let free = Arc::new(Errand::done("free"));
    for n in 0..3 {
        office.ask_in(ROOM, "extract", &format!("e{n}"), Lane::Derived, SignedDuration::ZERO).await;
        office.ask_in(ROOM, "merge", &format!("m{n}"), Lane::Derived, SignedDuration::ZERO).await;
        office.ask("free", &format!("f{n}")).await;
    }
    office.ask_in("user:b", "elsewhere", "k", Lane::Derived, SignedDuration::ZERO).await;
    let works: Vec<Arc<dyn Work>> = vec![extract.clone(), merge.clone(), elsewhere.clone(), free.clone()];
    let workers = office.memoir.engine.start_workers_with(works);
    free.begins(3).await;
    elsewhere.begins(1).await;
    for turn in 1..=6 {
        let begun = || extract.begun().len() + merge.begun().len();
        until("the next one runs", async || (begun() == turn).then_some(())).await;
        assert_eq!(extract.running() + merge.running(), 1);
        if extract.running() == 1 { extract.let_on(1) } else { merge.let_on(1) }
    }
    elsewhere.let_on(1);
    office.all_done().await;
    workers.drain(GRACE).await;
}

#[tokio::test]
async fn nightly_work_is_left_alone_while_upkeep_is_paused() {
    let settings = EngineSettings { upkeep_enabled: false, ..TestEngine::restless_settings() };
    let office = Office::with(settings).await;
    let upkeep = Arc::new(Errand { upkeep: true, ..Errand::done("upkeep") });
    let daily = Arc::new(Errand::done("daily"));
    office.ask("upkeep", "u").await;
    office.ask("daily", "d").await;
    let workers = office.memoir.engine.start_workers_with(vec![upkeep.clone(), daily.clone()]);
    until("the other work is done", async || office.effect("d").await).await;
    workers.drain(GRACE).await;
    assert!(upkeep.begun().is_empty());
    assert_eq!(office.jobs().await.len(), 1);
}

#[tokio::test]
async fn work_that_nobody_here_knows_waits_for_who_does() {
    let office = Office::open().await;
    office.ask("tomorrow", "k").await;
    office.ask("errand", "known").await;
    let workers = office.memoir.engine.start_workers_with(work(&Arc::new(Errand::done("errand"))));
    until("the known one is done", async || office.effect("known").await).await;
    workers.drain(GRACE).await;
    let left = office.jobs().await.remove(0);
    assert_eq!((left.kind.as_ref(), left.state, left.attempts), ("tomorrow", JobState::Waiting, 0));
}

#[tokio::test]
async fn erasing_a_space_ends_its_jobs_and_what_they_would_have_left() {
    let office = Office::open().await;
    let errand = Arc::new(Errand::done("errand").gated());
    office.ask("errand", "k").await;
    let workers = office.memoir.engine.start_workers_with(work(&errand));
    errand.begins(1).await;
    office.memoir.engine.erase_space(&caller(), &space(ROOM)).await.unwrap();
    errand.let_on(1);
    until("the run has ended", async || (errand.running() == 0).then_some(())).await;
    workers.drain(GRACE).await;
    assert!(office.jobs().await.is_empty());
    let missing = office.memoir.engine.space(&caller(), &space(ROOM)).await.unwrap_err();
    assert_eq!(missing.code(), ErrorCode::NotFound);
    say(&office.memoir.engine, message(ROOM, "m1", "a new beginning")).await;
    assert_eq!(office.effect("k").await, None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_share_the_work_and_do_each_job_once() {
    let office = Office::open().await;
    for n in 0..40 {
        office.ask("errand", &format!("k{n}")).await;
    }
    let (here, there) = (Arc::new(Errand::done("errand")), Arc::new(Errand::done("errand")));
    let neighbour: Engine = office.memoir.neighbour();
    let workers =
        [office.memoir.engine.start_workers_with(work(&here)), neighbour.start_workers_with(work(&there))];
    office.all_done().await;
    let mut keys: Vec<_> = [here.begun(), there.begun()].concat().into_iter().map(|job| job.key).collect();
    keys.sort();
    let mut expected: Vec<_> = (0..40).map(|n| format!("k{n}")).collect();
    expected.sort();
    assert_eq!(keys, expected);
    for workers in workers {
        workers.drain(GRACE).await;
    }
}

#[tokio::test]
async fn what_waits_behind_work_that_turned_slow_is_given_back() {
    let settings = EngineSettings { job_workers: 2, ..TestEngine::restless_settings() };
    let office = Office::with(settings).await;
    let here = Arc::new(Errand::done("errand").gated());
    for n in 0..12 {
        office.ask("errand", &format!("k{n:02}")).await;
    }
    // Some are quick, so that others are taken before there is room for them. Then one is slow.
    here.let_on(4);
    let workers = office.memoir.engine.start_workers_with(work(&here));
    here.begins(6).await;
    until("only what runs is held", async || {
        let leased = office.jobs().await.into_iter().filter(|job| job.state == JobState::Leased).count();
        (leased == 2).then_some(())
    })
    .await;
    let waiting: Vec<Job> =
        office.jobs().await.into_iter().filter(|job| job.state == JobState::Waiting).collect();
    assert_eq!(waiting.iter().map(|job| job.attempts).collect::<Vec<_>>(), [0; 6]);

    let there = Arc::new(Errand::done("errand"));
    let neighbours = office.memoir.neighbour().start_workers_with(work(&there));
    there.begins(6).await;
    here.let_on(2);
    office.all_done().await;
    let mut keys: Vec<_> = [here.begun(), there.begun()].concat().into_iter().map(|job| job.key).collect();
    keys.sort();
    assert_eq!(keys, (0..12).map(|n| format!("k{n:02}")).collect::<Vec<_>>());
    workers.drain(GRACE).await;
    neighbours.drain(GRACE).await;
}

#[tokio::test]
async fn draining_gives_back_what_was_not_begun() {
    let settings = EngineSettings { job_workers: 2, ..TestEngine::restless_settings() };
    let office = Office::with(settings).await;
    let errand = Arc::new(Errand::done("errand").gated());
    for n in 0..12 {
        office.ask("errand", &format!("k{n:02}")).await;
    }
    errand.let_on(4);
    let workers = office.memoir.engine.start_workers_with(work(&errand));
    errand.begins(6).await;
    let drained = tokio::spawn(workers.drain(GRACE));
    until("what runs is all that is held", async || {
        let leased = office.jobs().await.into_iter().filter(|job| job.state == JobState::Leased).count();
        (leased == 2).then_some(())
    })
    .await;
    errand.let_on(2);
    drained.await.unwrap();
    let left = office.jobs().await;
    assert_eq!((left.len(), errand.begun().len()), (6, 6));
    assert!(left.iter().all(|job| job.state == JobState::Waiting && job.attempts == 0), "{left:?}");
}

/// Commits what it does by itself, under its lease.
struct OwnCommit;

#[async_trait]
impl Work for OwnCommit {
    fn kind(&self) -> &'static str {
        "own"
    }

    async fn run(&self, context: &JobContext) -> Result<Completion> {
        let mut writes = effect(&context.job, context.engine.now());
        writes.jobs.push(JobChange::Finish);
        let commit = Commit::to_space(context.space.key(), writes).under(context.job.lease());
        context.engine.store().commit(commit).await?;
        Ok(Completion::Committed)
    }
}

#[tokio::test]
async fn work_may_commit_its_end_by_itself() {
    let office = Office::open().await;
    office.ask_in(ROOM, "own", "k", Lane::Derived, SignedDuration::ZERO).await;
    let workers = office.memoir.engine.start_workers_with(vec![Arc::new(OwnCommit)]);
    office.all_done().await;
    assert_eq!(office.effect("k").await.as_deref(), Some("attempt 1"));
    workers.drain(GRACE).await;
}

#[tokio::test]
async fn jobs_are_listed_by_state_space_and_page_and_only_to_their_tenant() {
    let office = Office::open().await;
    say(&office.memoir.engine, message("user:b", "m1", "words")).await;
    let mut asked = Vec::new();
    for n in 0..5 {
        asked.push(office.ask("errand", &format!("k{n}")).await);
        office.memoir.clock.advance(SignedDuration::from_millis(1));
    }
    let elsewhere = office.ask_in("user:b", "errand", "b", Lane::Free, SignedDuration::ZERO).await;
    let engine = &office.memoir.engine;
    let ids = |jobs: Vec<Job>| {
        let errands = jobs.into_iter().filter(|job| job.kind == "errand");
        errands.map(|job| job.id).collect::<Vec<_>>()
    };
    let here = engine.jobs(&caller(), Some(&space(ROOM)), Some(JobState::Waiting), None, 100).await.unwrap();
    assert_eq!(ids(here), asked);
    let after = engine.jobs(&caller(), None, None, Some(asked[2]), 2).await.unwrap();
    assert_eq!(ids(after), asked[3..5]);
    assert_eq!(engine.job(&caller(), elsewhere).await.unwrap().key, "b");
    assert!(engine.jobs(&caller(), None, Some(JobState::Dead), None, 100).await.unwrap().is_empty());
    let stranger = memoir_engine::Caller::local(tenant("acme"), "test");
    assert!(engine.jobs(&stranger, None, None, None, 100).await.unwrap().is_empty());
    assert_eq!(engine.job(&stranger, asked[0]).await.unwrap_err().code(), ErrorCode::NotFound);
    assert_eq!(engine.retry_job(&stranger, asked[0]).await.unwrap_err().code(), ErrorCode::NotFound);
}
