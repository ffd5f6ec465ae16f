//! `/v1/jobs`.

use jiff::SignedDuration;
use memoir_model::Job;
use memoir_store::{Claim, Commit, JobChange, WriteSet};
use memoir_testkit::TestServer;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{column, got, refusal, say, whole_list};

/// Leases the job that is due first in this store and says how that went.
async fn work_on_first(server: &TestServer, change: Option<JobChange>) -> Job {
    let (engine, clock) = (&server.memoir.engine, &server.memoir.clock);
    clock.advance(SignedDuration::from_hours(1));
    let (now, lease) = (engine.now(), SignedDuration::from_mins(1));
    let claim = Claim { now, lease_until: now + lease, room: vec![("close_idle".into(), 1)], limit: 1 };
    let job = engine.store().claim_jobs(claim).await.unwrap().remove(0);
    if let Some(change) = change {
        let spaces = engine.store().spaces_of_jobs(std::slice::from_ref(&job)).await.unwrap();
        let space = spaces.into_iter().next().flatten().unwrap();
        let writes = WriteSet { jobs: vec![change], ..WriteSet::default() };
        engine.store().commit(Commit::to_space(space.key(), writes).under(job.lease())).await.unwrap();
    }
    job
}

/// The jobs among these that close a session: a day that is to be summed up has one of its own.
fn closing<'a>(jobs: impl IntoIterator<Item = &'a Value>) -> Vec<&'a Value> {
    jobs.into_iter().filter(|job| job["kind"] == "close_idle").collect()
}

fn dies() -> Option<JobChange> {
    Some(JobChange::Fail { retry_at: None, error: "the disk is made of cheese".into() })
}

#[tokio::test]
async fn a_job_is_shown_while_it_waits() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:a", "session": "s", "content": "hello"})).await;
    let list = got(&server, "/v1/jobs").await;
    let job = &list["items"][0];
    let id = job["id"].as_str().unwrap();
    assert_eq!(
        *job,
        json!({"id": id, "kind": "close_idle", "key": "s", "state": "waiting", "run_at": "2026-01-07T04:30:00Z",
               "attempts": 0, "created_at": "2026-01-07T04:00:00Z"})
    );
    assert_eq!(got(&server, &format!("/v1/jobs/{id}")).await, *job);
}

#[tokio::test]
async fn jobs_are_listed_page_by_page_and_by_space_and_state() {
    let server = TestServer::open().await;
    for n in 0..5 {
        say(&server, json!({"space": format!("user:{}", n % 2), "session": format!("s{n}"), "content": "x"}))
            .await;
        server.memoir.clock.advance(SignedDuration::from_millis(1));
    }
    for limit in [1, 2, 5, 50] {
        assert_eq!(closing(&whole_list(&server, "/v1/jobs", limit).await).len(), 5, "{limit}");
    }
    let of_one = got(&server, "/v1/jobs?space=user:1").await;
    let keys: Vec<&Value> =
        closing(of_one["items"].as_array().unwrap()).iter().map(|job| &job["key"]).collect();
    assert_eq!(keys, ["s1", "s3"]);
    work_on_first(&server, dies()).await;
    work_on_first(&server, None).await;
    for (state, count) in [("waiting", 3), ("leased", 1), ("dead", 1)] {
        let list = got(&server, &format!("/v1/jobs?state={state}")).await;
        assert!(column(&list, "state").iter().all(|shown| *shown == state), "{list}");
        assert_eq!(closing(list["items"].as_array().unwrap()).len(), count, "{list}");
    }
    for (query, expected) in [
        ("state=done", "422 invalid state"),
        ("space=user:x", "404 not_found"),
        ("space=nobody", "422 invalid space"),
        ("kind=seal", "422 invalid kind"),
    ] {
        assert_eq!(refusal(server.get(&format!("/v1/jobs?{query}")).await), expected, "{query}");
    }
}

#[tokio::test]
async fn a_dead_job_gets_another_chance() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:a", "content": "x"})).await;
    let id = work_on_first(&server, dies()).await.id;
    let dead = got(&server, &format!("/v1/jobs/{id}")).await;
    assert_eq!((&dead["state"], &dead["last_error"]), (&json!("dead"), &json!("the disk is made of cheese")));
    assert_eq!(got(&server, "/v1/stats").await["jobs_dead"], 1);
    let (status, job) = server.send(Method::POST, &format!("/v1/jobs/{id}/retry"), json!({})).await;
    assert_eq!((status.as_u16(), &job["state"], &job["attempts"]), (200, &json!("waiting"), &json!(0)));
    let log = got(&server, "/v1/audit").await;
    assert_eq!(column(&log, "action"), ["job_retried"]);
    assert_eq!(column(&log, "target"), [id.to_string()]);
}

#[tokio::test]
async fn only_a_dead_job_can_be_retried() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:a", "content": "x"})).await;
    let id = got(&server, "/v1/jobs").await["items"][0]["id"].as_str().unwrap().to_owned();
    let retry = format!("/v1/jobs/{id}/retry");
    assert_eq!(refusal(server.send(Method::POST, &retry, json!({})).await), "409 conflict");
    work_on_first(&server, None).await;
    assert_eq!(refusal(server.send(Method::POST, &retry, json!({})).await), "409 conflict");
    assert_eq!(got(&server, "/v1/audit").await["items"], json!([]));
}

#[tokio::test]
async fn a_job_that_is_done_is_gone() {
    let server = TestServer::open().await;
    say(&server, json!({"space": "user:a", "content": "x"})).await;
    let id = work_on_first(&server, Some(JobChange::Finish)).await.id;
    assert_eq!(refusal(server.get(&format!("/v1/jobs/{id}")).await), "404 not_found");
    assert_eq!(
        refusal(server.send(Method::POST, &format!("/v1/jobs/{id}/retry"), json!({})).await),
        "404 not_found"
    );
}

#[tokio::test]
async fn an_id_that_this_server_did_not_make_is_refused() {
    let server = TestServer::open().await;
    for id in ["1", "x", "019a85d6-6d57-7000-8000-000000000000", "%00"] {
        assert_eq!(refusal(server.get(&format!("/v1/jobs/{id}")).await), "422 invalid id", "{id}");
    }
    // Well-formed, but of nothing that exists.
    assert_eq!(refusal(server.get("/v1/jobs/019a85d6-6d57-8000-8000-000000000000").await), "404 not_found");
}
