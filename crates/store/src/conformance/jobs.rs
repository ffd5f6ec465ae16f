use jiff::{SignedDuration, Timestamp};
use memoir_model::{ErrorCode, Job, JobKind, JobState, Lane, NewJob};
use std::collections::BTreeSet;

use super::fixtures::{
    AWKWARD, Empty, KINDS, STEP, at, claim, claim_one, generated, keys_of, refusal, tenant, wish,
};
use super::room::Room;
use crate::{Claim, Commit, JobChange, JobQuery, WriteSet};

fn retry(seconds: i64) -> JobChange {
    JobChange::Fail { retry_at: Some(at(seconds)), error: "the model timed out".into() }
}

fn dead() -> JobChange {
    JobChange::Fail { retry_at: None, error: "the model refused".into() }
}

fn derived(job: NewJob) -> NewJob {
    NewJob { lane: Lane::Derived, ..job }
}

async fn stored(store: &Empty, room: &Room, n: u16) -> Option<Job> {
    store.job(&room.key().tenant, generated(room.key().no, n)).await.unwrap()
}

async fn list(store: &Empty, query: JobQuery) -> Vec<Job> {
    store.jobs(&tenant("acme"), &JobQuery { limit: 100, ..query }).await.unwrap()
}

pub async fn a_new_job_waits_until_it_is_due(store: Empty) {
    let room = Room::simple(&store).await;
    let asked = NewJob {
        payload: serde_json::json!({"from": 1, "text": "茶 'n'", "list": [null, 1.5]}),
        ..derived(room.job(1, "embed", "all", at(10)))
    };
    room.ask(asked.clone()).await;
    let waiting = stored(&store, &room, 1).await.unwrap();
    assert_eq!((waiting.id, waiting.space, waiting.lane), (asked.id, room.key().no, Lane::Derived));
    assert_eq!((waiting.kind, waiting.key, waiting.payload), (asked.kind, asked.key, asked.payload));
    assert_eq!((waiting.state, waiting.attempts, waiting.last_error), (JobState::Waiting, 0, None));
    assert_eq!((waiting.run_at, waiting.created_at), (at(10), at(0) + SignedDuration::from_millis(1)));

    assert_eq!(claim(&store, at(10) - STEP).await, []);
    let leased = claim_one(&store, at(10)).await;
    assert_eq!((leased.state, leased.attempts, leased.run_at), (JobState::Leased, 1, at(70)));
    assert_eq!(stored(&store, &room, 1).await, Some(leased));
}

pub async fn a_claimed_job_is_not_handed_out_again_until_its_lease_ends(store: Empty) {
    let room = Room::simple(&store).await;
    room.ask(room.job(1, "embed", "all", at(0))).await;
    let first = claim_one(&store, at(0)).await;
    assert_eq!(claim(&store, at(1)).await, []);
    assert_eq!(claim(&store, at(60) - STEP).await, []);
    let second = claim_one(&store, at(60)).await;
    assert_eq!((second.id, second.attempts), (first.id, 2));
    assert!(second.token > first.token);
}

pub async fn the_longest_due_job_comes_first(store: Empty) {
    let room = Room::simple(&store).await;
    let other = Room::open(&store, "globex", "user:bob", 2).await;
    room.ask(room.job(1, "embed", "third", at(30))).await;
    room.ask(room.job(2, "digest", "first", at(10))).await;
    other.ask(other.job(3, "embed", "second", at(20))).await;
    room.ask(room.job(4, "embed", "later", at(99))).await;
    let jobs = store.claim_jobs(Claim { limit: 2, ..wish(at(50)) }).await.unwrap();
    assert_eq!(keys_of(&jobs), ["first", "second"]);
    assert_eq!(keys_of(&claim(&store, at(50)).await), ["third"]);
}

pub async fn asking_twice_keeps_one_job_and_the_earlier_time(store: Empty) {
    let room = Room::simple(&store).await;
    room.ask(room.job(1, "embed", "all", at(20))).await;
    room.ask(room.job(2, "embed", "all", at(30))).await;
    assert_eq!(stored(&store, &room, 1).await.unwrap().run_at, at(20));
    room.ask(room.job(3, "embed", "all", at(10))).await;
    let one = list(&store, JobQuery::default()).await;
    assert_eq!(one.len(), 1);
    assert_eq!((one[0].id, one[0].run_at), (generated(room.key().no, 1), at(10)));
    assert_eq!(one[0].payload, serde_json::json!({"n": 3}), "the newest particulars count");
}

pub async fn the_same_key_of_another_kind_or_space_is_other_work(store: Empty) {
    let room = Room::simple(&store).await;
    let other = Room::open(&store, "acme", "user:bob", 2).await;
    room.ask(room.job(1, "embed", "all", at(0))).await;
    room.ask(room.job(2, "digest", "all", at(0))).await;
    room.ask(room.job(3, "embed", "All", at(0))).await;
    other.ask(other.job(4, "embed", "all", at(0))).await;
    assert_eq!(claim(&store, at(0)).await.len(), 4);
}

pub async fn work_asked_for_while_it_runs_is_done_again(store: Empty) {
    let room = Room::simple(&store).await;
    room.ask(room.job(1, "embed", "all", at(0))).await;
    let running = claim_one(&store, at(0)).await;
    room.ask(room.job(2, "embed", "all", at(50))).await;
    room.ask(room.job(3, "embed", "all", at(5))).await;
    room.ask(room.job(4, "embed", "all", at(70))).await;
    assert_eq!(claim(&store, at(59)).await, [], "not while it runs");

    room.settle(&running, JobChange::Finish).await.unwrap();
    assert_eq!(claim(&store, at(5) - STEP).await, [], "not before the earliest of the times asked for");
    let again = claim_one(&store, at(5)).await;
    assert_eq!((again.id, again.attempts), (running.id, 1), "a new start, not another try");
    assert!(again.token > running.token);
    room.settle(&again, JobChange::Finish).await.unwrap();
    assert_eq!(list(&store, JobQuery::default()).await, [], "once more, not once for each time asked");
}

pub async fn a_job_that_is_given_back_counts_as_not_begun(store: Empty) {
    let room = Room::simple(&store).await;
    room.ask(room.job(1, "embed", "all", at(0))).await;
    let failed = claim_one(&store, at(0)).await;
    room.settle(&failed, retry(10)).await.unwrap();
    let taken = claim_one(&store, at(10)).await;
    assert_eq!(taken.attempts, 2);
    room.settle(&taken, JobChange::Return(at(12))).await.unwrap();
    let waiting = stored(&store, &room, 1).await.unwrap();
    assert_eq!((waiting.state, waiting.attempts, waiting.run_at), (JobState::Waiting, 1, at(12)));
    assert!(waiting.last_error.is_some(), "why it failed before is still known");
    let error = refusal(room.settle(&taken, JobChange::Finish).await);
    assert_eq!(error, ErrorCode::LeaseLost, "who gave it back has it no more");
    let again = claim_one(&store, at(12)).await;
    assert_eq!(again.attempts, 2);
    // What was asked for meanwhile is done with it.
    room.ask(room.job(2, "embed", "all", at(5))).await;
    room.settle(&again, JobChange::Return(at(20))).await.unwrap();
    let last = claim_one(&store, at(12)).await;
    room.settle(&last, JobChange::Finish).await.unwrap();
    assert_eq!(list(&store, JobQuery::default()).await, []);
}

pub async fn a_job_may_ask_for_itself_in_the_commit_that_finishes_it(store: Empty) {
    let room = Room::simple(&store).await;
    for (n, finish_first) in [(1, true), (3, false)] {
        room.ask(room.job(n, "embed", "all", at(0))).await;
        let running = claim_one(&store, at(0)).await;
        let next = JobChange::Enqueue(room.job(n + 1, "embed", "all", at(100)));
        let mut jobs = vec![next, JobChange::Finish];
        if finish_first {
            jobs.reverse();
        }
        let writes = WriteSet { jobs, ..WriteSet::default() };
        store.commit(Commit::to_space(room.key().clone(), writes).under(running.lease())).await.unwrap();
        let next = claim_one(&store, at(100)).await;
        assert_eq!((next.kind.as_ref(), next.attempts), ("embed", 1));
        room.settle(&next, JobChange::Finish).await.unwrap();
    }
    assert_eq!(list(&store, JobQuery::default()).await, []);
}

pub async fn two_jobs_of_one_lane_in_one_space_never_run_together(store: Empty) {
    let room = Room::simple(&store).await;
    room.ask(derived(room.job(1, "embed", "one", at(0)))).await;
    room.ask(derived(room.job(2, "digest", "two", at(1)))).await;
    room.ask(derived(room.job(3, "digest", "three", at(2)))).await;
    let one = claim_one(&store, at(10)).await;
    assert_eq!(one.key, "one", "one claim takes one of them");
    assert_eq!(claim(&store, at(11)).await, [], "the next claim none");
    room.settle(&one, JobChange::Finish).await.unwrap();
    let two = claim_one(&store, at(12)).await;
    assert_eq!(two.key, "two");
    let after_the_lease = claim_one(&store, at(100)).await;
    assert_eq!(after_the_lease.key, "three", "an abandoned job does not block its lane for ever");
    assert_eq!(claim(&store, at(101)).await, [], "nor does it come back beside the one that took its place");
}

pub async fn free_jobs_and_lanes_of_other_spaces_run_side_by_side(store: Empty) {
    let room = Room::simple(&store).await;
    let other = Room::open(&store, "acme", "user:bob", 2).await;
    room.ask(derived(room.job(1, "embed", "lane", at(0)))).await;
    room.ask(room.job(2, "embed", "free 1", at(1))).await;
    room.ask(room.job(3, "embed", "free 2", at(2))).await;
    other.ask(derived(other.job(4, "embed", "other lane", at(3)))).await;
    assert_eq!(keys_of(&claim(&store, at(10)).await), ["lane", "free 1", "free 2", "other lane"]);
}

pub async fn a_claim_takes_no_more_of_a_kind_than_there_is_room_for(store: Empty) {
    let room = Room::simple(&store).await;
    for n in 1..=4 {
        room.ask(room.job(n, "embed", &format!("e{n}"), at(n.into()))).await;
        room.ask(room.job(n + 10, "digest", &format!("d{n}"), at(n.into()))).await;
        room.ask(room.job(n + 20, "other", &format!("o{n}"), at(n.into()))).await;
    }
    let room_for = |room: &[(&'static str, usize)]| Claim {
        room: room.iter().map(|(kind, n)| (JobKind::Borrowed(*kind), *n)).collect(),
        ..wish(at(10))
    };
    let claimed = |jobs: Vec<Job>| jobs.into_iter().map(|job| job.key).collect::<BTreeSet<_>>();
    let first = store.claim_jobs(room_for(&[("embed", 1), ("digest", 3), ("other", 0)])).await.unwrap();
    assert_eq!(claimed(first), BTreeSet::from(["e1", "d1", "d2", "d3"].map(str::to_owned)));
    assert_eq!(store.claim_jobs(room_for(&[])).await.unwrap(), []);
    assert_eq!(store.claim_jobs(Claim { limit: 0, ..wish(at(10)) }).await.unwrap(), []);
    let rest = store.claim_jobs(room_for(&[("embed", 9), ("digest", usize::MAX)])).await.unwrap();
    assert_eq!(claimed(rest), BTreeSet::from(["e2", "e3", "e4", "d4"].map(str::to_owned)));
}

pub async fn a_claim_without_a_limit_takes_everything(store: Empty) {
    let room = Room::simple(&store).await;
    for n in 1..=20 {
        room.ask(room.job(n, "embed", &n.to_string(), at(0))).await;
    }
    let all = Claim { limit: usize::MAX, ..wish(at(0)) };
    assert_eq!(store.claim_jobs(all).await.unwrap().len(), 20);
}

pub async fn a_backlog_of_one_kind_does_not_hide_another(store: Empty) {
    let room = Room::simple(&store).await;
    let backlog =
        (1..=100).map(|n| JobChange::Enqueue(room.job(n, "embed", &n.to_string(), at(0)))).collect();
    let writes = WriteSet { jobs: backlog, ..WriteSet::default() };
    store.commit(Commit::to_space(room.key().clone(), writes)).await.unwrap();
    room.ask(room.job(200, "digest", "waits behind", at(5))).await;
    let little = Claim {
        room: KINDS.iter().map(|kind| (JobKind::Borrowed(*kind), 1)).collect(),
        limit: 2,
        ..wish(at(9))
    };
    let kinds: Vec<_> = store.claim_jobs(little).await.unwrap().into_iter().map(|job| job.kind).collect();
    assert_eq!(kinds, KINDS);
}

pub async fn a_finished_job_is_gone(store: Empty) {
    let room = Room::simple(&store).await;
    room.ask(room.job(1, "embed", "all", at(0))).await;
    let job = claim_one(&store, at(0)).await;
    room.settle(&job, JobChange::Finish).await.unwrap();
    assert_eq!(stored(&store, &room, 1).await, None);
    assert_eq!(claim(&store, at(1000)).await, []);
    room.ask(room.job(2, "embed", "all", at(0))).await;
    assert_eq!(
        claim_one(&store, at(0)).await.id,
        generated(room.key().no, 2),
        "the same work can be asked for"
    );
}

pub async fn a_postponed_job_starts_afresh_at_its_new_time(store: Empty) {
    let room = Room::simple(&store).await;
    room.ask(room.job(1, "embed", "all", at(0))).await;
    let job = claim_one(&store, at(0)).await;
    room.settle(&job, retry(1)).await.unwrap();
    let job = claim_one(&store, at(1)).await;
    room.settle(&job, JobChange::Postpone(at(500))).await.unwrap();
    assert_eq!(claim(&store, at(500) - STEP).await, []);
    let job = claim_one(&store, at(500)).await;
    assert_eq!((job.attempts, job.last_error), (1, None));
}

pub async fn a_postponed_job_keeps_the_earlier_time_that_was_asked_for(store: Empty) {
    let room = Room::simple(&store).await;
    for (n, asked, postponed, due) in [(1, 50, 500, 50), (2, 900, 500, 500)] {
        room.ask(room.job(n, "embed", "all", at(0))).await;
        let job = claim_one(&store, at(0)).await;
        room.ask(room.job(n + 10, "embed", "all", at(asked))).await;
        room.settle(&job, JobChange::Postpone(at(postponed))).await.unwrap();
        assert_eq!(stored(&store, &room, n).await.unwrap().run_at, at(due));
        let job = claim_one(&store, at(due)).await;
        room.settle(&job, JobChange::Finish).await.unwrap();
        assert_eq!(stored(&store, &room, n).await, None, "it ran once for both wishes");
    }
}

pub async fn an_extended_lease_holds_longer(store: Empty) {
    let room = Room::simple(&store).await;
    room.ask(room.job(1, "embed", "all", at(0))).await;
    let job = claim_one(&store, at(0)).await;
    room.settle(&job, JobChange::Extend(at(300))).await.unwrap();
    assert_eq!(claim(&store, at(300) - STEP).await, []);
    room.settle(&job, JobChange::Extend(at(400))).await.unwrap();
    assert_eq!(claim(&store, at(300)).await, [], "and longer again, under the same lease");
    let next = claim_one(&store, at(400)).await;
    assert_eq!(next.attempts, 2);
    assert_eq!(refusal(room.settle(&job, JobChange::Extend(at(900))).await), ErrorCode::LeaseLost);
}

pub async fn a_failed_job_is_tried_again_at_its_time(store: Empty) {
    let room = Room::simple(&store).await;
    room.ask(room.job(1, "embed", "all", at(0))).await;
    let mut job = claim_one(&store, at(0)).await;
    for attempt in 2..=4 {
        let due = i64::from(attempt) * 10;
        room.settle(&job, retry(due)).await.unwrap();
        let waiting = stored(&store, &room, 1).await.unwrap();
        assert_eq!((waiting.state, waiting.run_at), (JobState::Waiting, at(due)));
        assert_eq!(waiting.last_error.as_deref(), Some("the model timed out"));
        assert_eq!(claim(&store, at(due) - STEP).await, []);
        job = claim_one(&store, at(due)).await;
        assert_eq!(job.attempts, attempt);
    }
}

pub async fn a_job_that_failed_for_good_is_dead_and_stays(store: Empty) {
    let room = Room::simple(&store).await;
    room.ask(derived(room.job(1, "embed", "all", at(0)))).await;
    room.ask(derived(room.job(2, "embed", "next in the lane", at(1)))).await;
    let job = claim_one(&store, at(0)).await;
    room.settle(&job, dead()).await.unwrap();
    let found = stored(&store, &room, 1).await.unwrap();
    assert_eq!((found.state, found.attempts), (JobState::Dead, 1));
    assert_eq!(found.last_error.as_deref(), Some("the model refused"));
    let far: Timestamp = "9000-01-01T00:00:00Z".parse().unwrap();
    assert_eq!(keys_of(&claim(&store, far).await), ["next in the lane"], "the dead block nobody");
    assert_eq!(refusal(room.settle(&job, JobChange::Finish).await), ErrorCode::LeaseLost);
}

pub async fn asking_for_dead_work_gives_it_another_chance(store: Empty) {
    let room = Room::simple(&store).await;
    room.ask(room.job(1, "embed", "all", at(0))).await;
    let job = claim_one(&store, at(0)).await;
    room.settle(&job, dead()).await.unwrap();
    room.ask(room.job(2, "embed", "all", at(90))).await;
    let revived = stored(&store, &room, 1).await.unwrap();
    assert_eq!((revived.state, revived.attempts, revived.run_at), (JobState::Waiting, 0, at(90)));
    assert_eq!(claim(&store, at(90) - STEP).await, []);
    let again = claim_one(&store, at(90)).await;
    assert!(again.token > job.token, "the lease of its first life is worth nothing");
}

pub async fn a_dead_job_is_revived_by_hand(store: Empty) {
    let room = Room::simple(&store).await;
    let other = Room::open(&store, "globex", "user:bob", 2).await;
    room.ask(room.job(1, "embed", "all", at(0))).await;
    let job = claim_one(&store, at(0)).await;
    let revive = |id| JobChange::Revive { job: id, run_at: at(80) };
    let try_revive = async |room: &Room, id| {
        let writes = WriteSet { jobs: vec![revive(id)], ..WriteSet::default() };
        store.commit(Commit::to_space(room.key().clone(), writes)).await
    };
    assert_eq!(refusal(try_revive(&room, job.id).await), ErrorCode::Conflict, "it runs");
    room.settle(&job, retry(5)).await.unwrap();
    assert_eq!(refusal(try_revive(&room, job.id).await), ErrorCode::Conflict, "it waits");
    let job = claim_one(&store, at(5)).await;
    room.settle(&job, dead()).await.unwrap();
    try_revive(&room, generated(room.key().no, 99)).await.unwrap_err();
    try_revive(&other, job.id).await.unwrap_err();
    assert_eq!(stored(&store, &room, 1).await.unwrap().state, JobState::Dead);

    try_revive(&room, job.id).await.unwrap();
    let revived = stored(&store, &room, 1).await.unwrap();
    assert_eq!((revived.state, revived.attempts, revived.run_at), (JobState::Waiting, 0, at(80)));
    assert_eq!(claim_one(&store, at(80)).await.attempts, 1);
}

pub async fn work_asked_for_while_it_fails_for_good_still_runs_again(store: Empty) {
    let room = Room::simple(&store).await;
    room.ask(room.job(1, "embed", "all", at(0))).await;
    let job = claim_one(&store, at(0)).await;
    room.ask(room.job(2, "embed", "all", at(40))).await;
    room.settle(&job, dead()).await.unwrap();
    let again = claim_one(&store, at(40)).await;
    assert_eq!((again.id, again.attempts), (job.id, 1));
}

pub async fn work_asked_for_while_it_fails_is_done_by_the_next_try(store: Empty) {
    let room = Room::simple(&store).await;
    room.ask(room.job(1, "embed", "all", at(0))).await;
    let job = claim_one(&store, at(0)).await;
    room.ask(room.job(2, "embed", "all", at(10))).await;
    room.settle(&job, retry(40)).await.unwrap();
    let again = claim_one(&store, at(40)).await;
    assert_eq!((again.id, again.attempts), (job.id, 2));
    room.settle(&again, JobChange::Finish).await.unwrap();
    assert_eq!(list(&store, JobQuery::default()).await, []);
}

pub async fn jobs_are_listed_by_state_space_and_cursor(store: Empty) {
    let one = Room::open(&store, "acme", "user:one", 0xff_ffff_ffff).await;
    let two = Room::open(&store, "acme", "user:two", 1).await;
    let foreign = Room::open(&store, "globex", "user:one", 2).await;
    foreign.ask(foreign.job(1, "embed", "foreign", at(500))).await;
    for n in [5, 3, 1] {
        one.ask(one.job(n, "embed", &format!("{n}"), at(n.into()))).await;
        two.ask(two.job(n + 1, "embed", &format!("{}", n + 1), at((n + 1).into()))).await;
    }
    let first = store.claim_jobs(Claim { limit: 2, ..wish(at(100)) }).await.unwrap();
    one.settle(&first[0], dead()).await.unwrap();

    assert_eq!(keys_of(&list(&store, JobQuery::default()).await), ["1", "2", "3", "4", "5", "6"]);
    let space = Some(one.key().no);
    assert_eq!(keys_of(&list(&store, JobQuery { space, ..JobQuery::default() }).await), ["1", "3", "5"]);
    for (state, keys) in [
        (JobState::Dead, vec!["1"]),
        (JobState::Leased, vec!["2"]),
        (JobState::Waiting, vec!["3", "4", "5", "6"]),
    ] {
        let query = JobQuery { state: Some(state), ..JobQuery::default() };
        assert_eq!(keys_of(&list(&store, query).await), keys);
    }
    let both = JobQuery { space, state: Some(JobState::Waiting), ..JobQuery::default() };
    assert_eq!(keys_of(&list(&store, both).await), ["3", "5"]);
    let mut after = None;
    for page in [["1", "2"], ["3", "4"], ["5", "6"]] {
        let found =
            store.jobs(&tenant("acme"), &JobQuery { after, limit: 2, ..JobQuery::default() }).await.unwrap();
        assert_eq!(keys_of(&found), page);
        after = found.last().map(|job| job.id);
    }
    assert_eq!(list(&store, JobQuery { after, ..JobQuery::default() }).await, []);
}

pub async fn a_job_leads_to_its_space_whatever_the_tenant(store: Empty) {
    let one = Room::open(&store, "acme", "user:one", 0x80_0000_0000).await;
    let two = Room::open(&store, "globex", "user:two", 0).await;
    one.ask(one.job(1, "embed", "one", at(0))).await;
    two.ask(two.job(1, "embed", "two", at(1))).await;
    let jobs = claim(&store, at(1)).await;
    assert_eq!(keys_of(&jobs), ["one", "two"]);
    let spaces = store.spaces_of_jobs(&[jobs[1].clone(), jobs[0].clone(), jobs[1].clone()]).await.unwrap();
    let (one, two) = (Some(one.space().await), Some(two.space().await));
    assert_eq!(spaces, [two.clone(), one, two]);
}

pub async fn many_workers_never_get_the_same_job(store: Empty) {
    let room = Room::simple(&store).await;
    for n in 0..40 {
        room.ask(room.job(n, "embed", &n.to_string(), at(0))).await;
    }
    let workers: Vec<_> = (0..10)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move { store.claim_jobs(Claim { limit: 5, ..wish(at(0)) }).await.unwrap() })
        })
        .collect();
    let mut seen = BTreeSet::new();
    for worker in workers {
        for job in worker.await.unwrap() {
            assert!(seen.insert(job.id), "{} was handed out twice", job.key);
        }
    }
    assert_eq!(seen.len(), 40);
}

pub async fn awkward_kinds_and_keys_are_kept_as_they_came(store: Empty) {
    let room = Room::simple(&store).await;
    for (n, text) in (1..).zip(AWKWARD) {
        room.ask(room.job(n, text, text, at(n.into()))).await;
    }
    let room_for_all = AWKWARD.iter().map(|kind| (JobKind::Borrowed(*kind), 1)).collect();
    let jobs = store.claim_jobs(Claim { room: room_for_all, ..wish(at(100)) }).await.unwrap();
    assert_eq!(keys_of(&jobs), AWKWARD);
    assert!(jobs.iter().all(|job| job.kind == job.key));
}
